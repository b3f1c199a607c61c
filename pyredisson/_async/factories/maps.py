"""The factories of maps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, overload

from pyredisson._async.factories.objects import AsyncFactories
from pyredisson.codecs.base import Codec

if TYPE_CHECKING:
    from pyredisson._async.maps.cache import AsyncMapCache
    from pyredisson._async.maps.map import AsyncMap
    from pyredisson.codecs.composite import CompositeCodec

V = TypeVar("V")


class AsyncMapFactories(AsyncFactories):
    """The factories of RMap and RMapCache."""

    @overload
    def get_map(self, name: str, codec: CompositeCodec | None = None) -> AsyncMap[Any, Any]: ...

    @overload
    def get_map(self, name: str, codec: Codec[V]) -> AsyncMap[V, V]: ...

    def get_map(self, name: str, codec: Codec[Any] | None = None) -> AsyncMap[Any, Any]:
        """Return a map, Redisson's RMap.

        Args:
            name: the name of the map.
            codec: encodes its keys and values, for example
                `CompositeCodec(StringCodec(), Kryo5Codec(), Kryo5Codec())`; None for the client's
                codec.

        Raises:
            TypeError: the name is not a str, or the codec is not a codec.
        """
        from pyredisson._async.maps.map import AsyncMap  # noqa: PLC0415 - seldom

        return self._objects.make(AsyncMap, name, codec)

    @overload
    def get_map_cache(
        self, name: str, codec: CompositeCodec | None = None, *, evict: bool = False
    ) -> AsyncMapCache[Any, Any]: ...

    @overload
    def get_map_cache(
        self, name: str, codec: Codec[V], *, evict: bool = False
    ) -> AsyncMapCache[V, V]: ...

    def get_map_cache(
        self, name: str, codec: Codec[Any] | None = None, *, evict: bool = False
    ) -> AsyncMapCache[Any, Any]:
        """Return a map whose entries expire, Redisson's RMapCache; see `get_map`.

        Args:
            name: the name of the map.
            codec: encodes its keys and values; None for the client's codec.
            evict: whether this client removes expired entries from Redis, until `destroy()` or the
                end of the client. Each Java client that uses the map does the same. If no client
                does it, expired entries are hidden, but stay in Redis.

        Raises:
            InvalidNameError: in a cluster, the keys would be in several slots.
            TypeError: the name is not a str, or the codec is not a codec.
        """
        from pyredisson._async.maps.cache import AsyncMapCache  # noqa: PLC0415 - seldom

        return self._objects.make(AsyncMapCache, name, codec, evict=evict)
