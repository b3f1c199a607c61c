"""The factory of Bloom filters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, overload

from pyredisson._async.factories.objects import AsyncFactories
from pyredisson.codecs.base import Codec

if TYPE_CHECKING:
    from pyredisson._async.bloom.bloom_filter import AsyncBloomFilter

V = TypeVar("V")


class AsyncBloomFactories(AsyncFactories):
    """The factory of RBloomFilter."""

    @overload
    def get_bloom_filter(self, name: str, codec: Codec[V]) -> AsyncBloomFilter[V]: ...

    @overload
    def get_bloom_filter(self, name: str, codec: None = None) -> AsyncBloomFilter[Any]: ...

    def get_bloom_filter(self, name: str, codec: Codec[Any] | None = None) -> AsyncBloomFilter[Any]:
        """Return a Bloom filter, Redisson's RBloomFilter.

        Args:
            name: the name of the filter.
            codec: encodes its values; None for the client's codec.

        Raises:
            TypeError: the name is not a str, or the codec is not a codec.
            InvalidNameError: in a cluster, the filter and its configuration would be in two slots.
        """
        from pyredisson._async.bloom.bloom_filter import AsyncBloomFilter  # noqa: PLC0415 - seldom

        return self._objects.make(AsyncBloomFilter, name, codec)
