"""RHyperLogLog: estimates how many distinct values were added."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

from pyredisson._async.context import AsyncContext
from pyredisson._async.objects.expirable import AsyncExpirableObject
from pyredisson.codecs.base import Codec
from pyredisson.protocol.bits.hyper_log_log import HyperLogLogProtocol

V = TypeVar("V")


class AsyncHyperLogLog(AsyncExpirableObject, Generic[V]):
    """An estimate of the number of distinct values, within about 1 %, in 12 kB at most.

    Values are distinct if their encoded bytes are distinct. In a cluster, the objects of one call
    must be in one slot.
    """

    _kind = "a HyperLogLog"

    def __init__(self, context: AsyncContext, name: str, codec: Codec[V]) -> None:
        self._codec = codec
        super().__init__(context, name)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._main_key!r} codec={self._codec!r}>"

    def _keys_of(self, name: str) -> dict[str, str]:
        return {name: "string"}

    @property
    def codec(self) -> Codec[V]:
        """The codec of the values."""
        return self._codec

    @property
    def _protocol(self) -> HyperLogLogProtocol[V]:
        return HyperLogLogProtocol(self._main_key, self._codec)

    async def add(self, value: V) -> bool:
        """Add a value; return True if the estimate may have changed.

        Raises:
            UncertainError: the reply was lost. A second call does no harm.
        """
        return await self.add_all([value])

    async def add_all(self, values: Iterable[V]) -> bool:
        """Add values; return True if the estimate may have changed."""
        return await self._run(self._protocol.add(values))

    async def count(self) -> int:
        """Return the estimated number of distinct values."""
        return await self._run(self._protocol.count())

    async def count_with(self, *names: str) -> int:
        """Return the estimate for this object and others together."""
        return await self._run(self._protocol.count(tuple(map(self._mapped, names))))

    async def merge_with(self, *names: str) -> None:
        """Add the values of other objects to this one."""
        await self._run(self._protocol.merge(tuple(map(self._mapped, names))))
