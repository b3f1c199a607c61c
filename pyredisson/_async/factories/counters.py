"""The factories of counters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyredisson._async.factories.objects import AsyncFactories

if TYPE_CHECKING:
    from pyredisson._async.counters.atomic_double import AsyncAtomicDouble
    from pyredisson._async.counters.atomic_long import AsyncAtomicLong
    from pyredisson._async.counters.id_generator import AsyncIdGenerator


class AsyncCounterFactories(AsyncFactories):
    """Makes RAtomicLong, RAtomicDouble and RIdGenerator."""

    def get_atomic_long(self, name: str) -> AsyncAtomicLong:
        """Return an integer that is changed atomically (RedissonClient.getAtomicLong)."""
        from pyredisson._async.counters.atomic_long import AsyncAtomicLong  # noqa: PLC0415 - seldom

        return AsyncAtomicLong(self._objects.context, name)

    def get_atomic_double(self, name: str) -> AsyncAtomicDouble:
        """Return a float that is changed atomically (RedissonClient.getAtomicDouble)."""
        from pyredisson._async.counters.atomic_double import (  # noqa: PLC0415 - seldom
            AsyncAtomicDouble,
        )

        return AsyncAtomicDouble(self._objects.context, name)

    def get_id_generator(self, name: str) -> AsyncIdGenerator:
        """Return a generator of unique ids (RedissonClient.getIdGenerator)."""
        from pyredisson._async.counters.id_generator import (  # noqa: PLC0415 - seldom
            AsyncIdGenerator,
        )

        return AsyncIdGenerator(self._objects.context, name)
