"""RBuckets: several buckets at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, TypeVar

from pyredisson._async.context import AsyncContext
from pyredisson._support.unpicklable import Unpicklable
from pyredisson.codecs.base import Codec
from pyredisson.errors import InvalidNameError
from pyredisson.protocol.buckets.buckets import BucketsProtocol
from pyredisson.protocol.kernel.command import Command
from pyredisson.protocol.kernel.names import by_slot

T = TypeVar("T")
V = TypeVar("V")

_TOGETHER = 1000
"""The maximum number of buckets that one command reads."""


class AsyncBuckets(Unpicklable, Generic[V]):
    """Buckets by name, all with one codec.

    In a cluster, `get` and `set` send one command for each slot. One command reads at most 1000
    buckets. A call that needs several commands is not atomic.
    """

    def __init__(self, context: AsyncContext, codec: Codec[V]) -> None:
        self._context = context
        self._protocol = BucketsProtocol(codec)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} codec={self._protocol.codec!r}>"

    async def get(self, *names: str) -> dict[str, V]:
        """Return the values by name; the result omits buckets without a value.

        Raises:
            DecodeError: a value cannot be decoded; a note of the error names the bucket.
        """
        keys = {name: self._context.mapped(name) for name in names}
        found: dict[str, V] = {}
        for some in by_slot(keys.values(), clustered=self._clustered, together=_TOGETHER):
            values: dict[str, V] = await self._request(self._protocol.get(some))
            found |= values
        return {name: found[key] for name, key in keys.items() if key in found}

    async def set(self, values: Mapping[str, V]) -> None:
        """Set the values of several buckets, by name, for an unlimited time.

        Raises:
            UncertainError: a reply was lost; some or all buckets may be set.
        """
        stored = self._mapped(values)
        commands = [
            self._protocol.set({key: stored[key] for key in some})
            for some in by_slot(stored, clustered=self._clustered)
        ]
        for command in commands:
            await self._request(command)

    async def try_set(self, values: Mapping[str, V]) -> bool:
        """Set all values if none of the buckets has one; return whether they were set.

        Raises:
            InvalidNameError: in a cluster, the buckets are in several slots.
            UncertainError: the reply was lost.
        """
        stored = self._mapped(values)
        if not stored:
            return False
        if len(by_slot(stored, clustered=self._clustered)) > 1:
            raise InvalidNameError(
                f"in a cluster try_set needs buckets in one slot, not {sorted(stored)}; "
                "use names with the same '{tag}'"
            )
        return await self._request(self._protocol.try_set(stored))

    async def _request(self, command: Command[T]) -> T:
        self._context.ensure_running()
        return await self._context.link.request(command)

    @property
    def _clustered(self) -> bool:
        return self._context.link.topology.clustered

    def _mapped(self, values: Mapping[str, V]) -> dict[str, V]:
        return {self._context.mapped(name): value for name, value in values.items()}
