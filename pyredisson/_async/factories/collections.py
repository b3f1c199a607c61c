"""The factories of sets, lists and sorted sets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, overload

from pyredisson._async.factories.objects import AsyncFactories
from pyredisson.codecs.base import Codec

if TYPE_CHECKING:
    from pyredisson._async.collections.list import AsyncList
    from pyredisson._async.collections.scored_sorted_set import AsyncScoredSortedSet
    from pyredisson._async.collections.set import AsyncSet
    from pyredisson._async.collections.set_cache import AsyncSetCache

V = TypeVar("V")


class AsyncCollectionFactories(AsyncFactories):
    """The factories of RSet, RList, RScoredSortedSet and RSetCache.

    The methods raise `TypeError` if the name is not a str, or the codec is not a codec.
    """

    @overload
    def get_list(self, name: str, codec: Codec[V]) -> AsyncList[V]: ...

    @overload
    def get_list(self, name: str, codec: None = None) -> AsyncList[Any]: ...

    def get_list(self, name: str, codec: Codec[Any] | None = None) -> AsyncList[Any]:
        """Return a list, Redisson's RList.

        Args:
            name: the name of the list.
            codec: encodes its values; None for the client's codec.
        """
        from pyredisson._async.collections.list import AsyncList  # noqa: PLC0415 - seldom

        return self._objects.make(AsyncList, name, codec)

    @overload
    def get_set(self, name: str, codec: Codec[V]) -> AsyncSet[V]: ...

    @overload
    def get_set(self, name: str, codec: None = None) -> AsyncSet[Any]: ...

    def get_set(self, name: str, codec: Codec[Any] | None = None) -> AsyncSet[Any]:
        """Return a set, Redisson's RSet.

        Args:
            name: the name of the set.
            codec: encodes its values; None for the client's codec.
        """
        from pyredisson._async.collections.set import AsyncSet  # noqa: PLC0415 - seldom

        return self._objects.make(AsyncSet, name, codec)

    @overload
    def get_scored_sorted_set(self, name: str, codec: Codec[V]) -> AsyncScoredSortedSet[V]: ...

    @overload
    def get_scored_sorted_set(self, name: str, codec: None = None) -> AsyncScoredSortedSet[Any]: ...

    def get_scored_sorted_set(
        self, name: str, codec: Codec[Any] | None = None
    ) -> AsyncScoredSortedSet[Any]:
        """Return a sorted set, Redisson's RScoredSortedSet.

        Args:
            name: the name of the set.
            codec: encodes its values; None for the client's codec.
        """
        from pyredisson._async.collections.scored_sorted_set import AsyncScoredSortedSet  # noqa: PLC0415 - seldom

        return self._objects.make(AsyncScoredSortedSet, name, codec)

    @overload
    def get_set_cache(
        self, name: str, codec: Codec[V], *, evict: bool = False
    ) -> AsyncSetCache[V]: ...

    @overload
    def get_set_cache(
        self, name: str, codec: None = None, *, evict: bool = False
    ) -> AsyncSetCache[Any]: ...

    def get_set_cache(
        self, name: str, codec: Codec[Any] | None = None, *, evict: bool = False
    ) -> AsyncSetCache[Any]:
        """Return a set whose values expire, Redisson's RSetCache.

        Args:
            name: the name of the set.
            codec: encodes its values; None for the client's codec.
            evict: whether this client removes expired values from Redis, until `destroy()` or the
                end of the client. Each Java client that uses the set does the same. If no client
                does it, expired values are hidden, but stay in Redis.
        """
        from pyredisson._async.collections.set_cache import AsyncSetCache  # noqa: PLC0415 - seldom

        return self._objects.make(AsyncSetCache, name, codec, evict=evict)
