"""The factory of local cached maps."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any, TypeVar, overload

from pyredisson._async.factories.objects import AsyncFactories
from pyredisson.codecs.base import Codec
from pyredisson.protocol.kernel.choices import require_choice
from pyredisson.protocol.kernel.due import Seconds, positive
from pyredisson.protocol.objects.encoding import require_bound

if TYPE_CHECKING:
    from pyredisson._async.local_maps.copies import Reconnect
    from pyredisson._async.local_maps.map import AsyncLocalCachedMap
    from pyredisson.codecs.composite import CompositeCodec
    from pyredisson.protocol.local_maps.copies import Eviction
    from pyredisson.protocol.local_maps.map import Sync

V = TypeVar("V")


class AsyncLocalMapFactories(AsyncFactories):
    """The factory of RLocalCachedMap."""

    @overload
    def get_local_cached_map(
        self,
        name: str,
        codec: CompositeCodec | None = None,
        *,
        cache_size: int | None = ...,
        eviction_policy: Eviction = ...,
        time_to_live: Seconds | None = ...,
        max_idle: Seconds | None = ...,
        sync_strategy: Sync = ...,
        reconnection_strategy: Reconnect = ...,
        store_cache_miss: bool = ...,
    ) -> AsyncLocalCachedMap[Any, Any]: ...

    @overload
    def get_local_cached_map(
        self,
        name: str,
        codec: Codec[V],
        *,
        cache_size: int | None = ...,
        eviction_policy: Eviction = ...,
        time_to_live: Seconds | None = ...,
        max_idle: Seconds | None = ...,
        sync_strategy: Sync = ...,
        reconnection_strategy: Reconnect = ...,
        store_cache_miss: bool = ...,
    ) -> AsyncLocalCachedMap[V, V]: ...

    def get_local_cached_map(
        self,
        name: str,
        codec: Codec[Any] | None = None,
        *,
        cache_size: int | None = 10_000,
        eviction_policy: Eviction = "lru",
        time_to_live: Seconds | None = None,
        max_idle: Seconds | None = None,
        sync_strategy: Sync = "invalidate",
        reconnection_strategy: Reconnect = "clear",
        store_cache_miss: bool = False,
    ) -> AsyncLocalCachedMap[Any, Any]:
        """Return a map with local copies of its values, Redisson's RLocalCachedMap.

        Each returned object has copies of its own, until `destroy()` or the close of the client.

        Args:
            name: the name of the map.
            codec: encodes its keys and values; None for the client's codec.
            cache_size: how many keys may have copies; None for no bound.
            eviction_policy: what happens when the cache is full. "lru" drops the copy that was used
                longest ago. With "none" the cache accepts no further copy.
            time_to_live: seconds or timedelta after which a copy is dropped; None for never.
            max_idle: seconds or timedelta without a use, after which a copy is dropped; or None.
            sync_strategy: what a write publishes to all copies: "invalidate" the keys to drop,
                "update" the new values, "none" nothing, so that other copies stay as they are.
            reconnection_strategy: what happens after the subscription was lost. "clear" drops all
                copies. "load" drops the copies that a log of changes names; if the log of the last
                ten minutes is not enough, it drops all copies. Both use no copies in the outage.
                "none" uses and keeps them; a copy can be wrong until its key changes or it expires.
            store_cache_miss: whether a copy can also record that the map does not have a key.

        Raises:
            TypeError, ValueError: the name, the codec or an option is not valid.
            InvalidNameError: in a cluster, the keys of the map would be in several slots.
        """
        from pyredisson._async.local_maps.copies import Reconnect  # noqa: PLC0415 - seldom
        from pyredisson._async.local_maps.map import AsyncLocalCachedMap  # noqa: PLC0415 - seldom
        from pyredisson.protocol.local_maps.copies import Eviction, Limits  # noqa: PLC0415 - seldom
        from pyredisson.protocol.local_maps.map import Sync  # noqa: PLC0415 - seldom

        require_choice(eviction_policy, Eviction, "eviction_policy")
        require_choice(sync_strategy, Sync, "sync_strategy")
        require_choice(reconnection_strategy, Reconnect, "reconnection_strategy")
        limits = Limits(
            require_bound(cache_size, "cache_size"),
            eviction_policy,
            inf if time_to_live is None else positive(time_to_live, "time_to_live"),
            inf if max_idle is None else positive(max_idle, "max_idle"),
            store_cache_miss,
        )
        return self._objects.make(
            AsyncLocalCachedMap,
            name,
            codec,
            limits=limits,
            sync_strategy=sync_strategy,
            reconnection_strategy=reconnection_strategy,
        )
