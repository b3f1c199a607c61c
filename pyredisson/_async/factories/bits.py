"""The factories of bit sets and HyperLogLogs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, overload

from pyredisson._async.factories.objects import AsyncFactories
from pyredisson.codecs.base import Codec

if TYPE_CHECKING:
    from pyredisson._async.bits.bit_set import AsyncBitSet
    from pyredisson._async.bits.hyper_log_log import AsyncHyperLogLog

V = TypeVar("V")


class AsyncBitFactories(AsyncFactories):
    """Makes RBitSet and RHyperLogLog."""

    def get_bit_set(self, name: str) -> AsyncBitSet:
        """Return a bit set (RedissonClient.getBitSet)."""
        from pyredisson._async.bits.bit_set import AsyncBitSet  # noqa: PLC0415 - seldom

        return AsyncBitSet(self._objects.context, name)

    @overload
    def get_hyper_log_log(self, name: str, codec: Codec[V]) -> AsyncHyperLogLog[V]: ...

    @overload
    def get_hyper_log_log(self, name: str, codec: None = None) -> AsyncHyperLogLog[Any]: ...

    def get_hyper_log_log(
        self, name: str, codec: Codec[Any] | None = None
    ) -> AsyncHyperLogLog[Any]:
        """Return an estimator of the number of distinct values (RedissonClient.getHyperLogLog).

        Args:
            name: the name of the object.
            codec: encodes the values; None for the client's codec.
        """
        from pyredisson._async.bits.hyper_log_log import AsyncHyperLogLog  # noqa: PLC0415 - seldom

        return self._objects.make(AsyncHyperLogLog, name, codec)
