"""The factory of RKeys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyredisson._async.factories.objects import AsyncFactories

if TYPE_CHECKING:
    from pyredisson._async.keys.keys import AsyncKeys


class AsyncKeyFactories(AsyncFactories):
    """Makes RKeys."""

    def get_keys(self) -> AsyncKeys:
        """Return the operations on keys of any type (RedissonClient.getKeys)."""
        from pyredisson._async.keys.keys import AsyncKeys  # noqa: PLC0415 - seldom

        return AsyncKeys(self._objects.context)
