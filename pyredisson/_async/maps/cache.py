"""RMapCache: a map whose entries expire, each at its own time.

The rule: an entry that has expired is neither returned nor counted, also before it is removed. Only
`value_size` still finds it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from functools import partial
from typing import Any, Generic, Literal, TypeVar

from pyredisson._async.context import AsyncContext
from pyredisson._async.maps.eviction import AsyncEviction
from pyredisson._async.maps.listener import AsyncEntryListener
from pyredisson._async.maps.map import AsyncMap
from pyredisson._runtime.owners import next_number
from pyredisson._runtime.user_code import require_function
from pyredisson.codecs.base import Codec
from pyredisson.protocol.kernel.due import Seconds, not_negative, whole_ms
from pyredisson.protocol.maps.cache import Limits, MapCacheProtocol
from pyredisson.protocol.maps.events import EntryEvent
from pyredisson.protocol.maps.map import START
from pyredisson.protocol.maps.names import EVENTS, CacheNames
from pyredisson.protocol.objects.collection import PAGE
from pyredisson.server_errors import ServerTimeoutError

K = TypeVar("K")
V = TypeVar("V")

_ALL: Any = object()


def _limits(ttl: Seconds | None, max_idle: Seconds | None) -> Limits:
    """Return limits in ms. 0 and None set no limit, as in Redisson."""
    times = (
        whole_ms(not_negative(0 if each is None else each, what), what)
        for each, what in ((ttl, "ttl"), (max_idle, "max_idle"))
    )
    return Limits(*times)


class AsyncMapCache(AsyncMap[K, V], Generic[K, V]):
    """A map that Java sees as RMapCache; each entry may have a time to live and a max idle time.

    Both times are seconds or timedeltas, by the server's clock. 0 and None set no limit. A read of
    an entry starts the entry's idle time anew.

    Args:
        context: the client's context.
        name: the map's name.
        codec: encodes keys by its `map_key`, and values by its `map_value`.
        evict: whether this client removes expired entries.
    """

    _kind = "a map cache"
    _protocol: MapCacheProtocol[K, V]

    def __init__(
        self, context: AsyncContext, name: str, codec: Codec[Any], *, evict: bool = False
    ) -> None:
        self._evict = evict
        self._work: dict[int, tuple[Any, ...]] = {}
        super().__init__(context, name, codec)

    def _keys_of(self, name: str) -> dict[str, str]:
        kinds = ("hash", "zset", "zset", "zset", "hash")
        return dict(zip(CacheNames.of(name).own, kinds, strict=True))

    def _one_slot(self, name: str) -> Iterable[str]:
        return CacheNames.of(name)

    def _bind(self, name: str) -> None:
        self._end(*self._work)
        super()._bind(name)
        if self._evict:
            key = ("map eviction", self._main_key)
            self._context.background.acquire(key, partial(AsyncEviction, self._protocol))
            self._work[0] = key

    def _make_protocol(self) -> MapCacheProtocol[K, V]:
        sharded = "SPUBLISH" if self._link.topology.clustered else ""
        codecs = (self._codec.map_key, self._codec.map_value)
        return MapCacheProtocol(self._main_key, *codecs, ("PUBLISH", sharded))

    def _end(self, *numbers: int) -> None:
        for number in numbers:
            # If Ctrl-C interrupts `release`, the next call releases a listener's key again. The key
            # of the eviction is not released again, because other objects use it, too
            key = self._work.get(number) if number else self._work.pop(number, None)
            if key is not None:
                self._context.background.release(key)
                self._work.pop(number, None)

    async def destroy(self) -> None:
        """End the eviction and the listeners of this object (RMapCache.destroy)."""
        self._end(*self._work)

    # -------------------------------------------------------------- one key

    async def put(
        self, key: K, value: V, ttl: Seconds | None = None, max_idle: Seconds | None = None
    ) -> V | None:
        """Set a value with its limits. Return the previous value, or None (RMapCache.put)."""
        return await self._run(self._protocol.put(key, value, _limits(ttl, max_idle)))

    async def fast_put(
        self, key: K, value: V, ttl: Seconds | None = None, max_idle: Seconds | None = None
    ) -> bool:
        """Set a value; return True if the key is new (RMapCache.fastPut).

        If `ttl` and `max_idle` are None, an existing entry keeps its time to live, as in Redisson.
        Its max idle time is removed.
        """
        limits = None if ttl is None and max_idle is None else _limits(ttl, max_idle)
        return await self._run(self._protocol.fast_put(key, value, limits))

    async def put_if_absent(
        self, key: K, value: V, ttl: Seconds | None = None, max_idle: Seconds | None = None
    ) -> V | None:
        """If a key is new, set its value and return None. Otherwise return the existing value."""
        return await self._run(self._protocol.put_if_absent(key, value, _limits(ttl, max_idle)))

    async def fast_put_if_absent(
        self, key: K, value: V, ttl: Seconds | None = None, max_idle: Seconds | None = None
    ) -> bool:
        """Set the value of a new key; return True if it was set (fastPutIfAbsent)."""
        limits = _limits(ttl, max_idle)
        return await self._run(self._protocol.fast_put_if_absent(key, value, limits))

    async def expire_entry(
        self,
        key: K,
        ttl: Seconds | None = None,
        max_idle: Seconds | None = None,
        *,
        if_not_set: bool = False,
    ) -> bool:
        """Set how long an entry stays (RMapCache.expireEntry, updateEntryExpiration).

        Args:
            key: the key of the entry.
            ttl: the time to live in seconds or as a timedelta; None for no limit.
            max_idle: the time without a read or write after which the entry expires; None for
                no limit.
            if_not_set: set the limits only if the entry has none (expireEntryIfNotSet).

        Returns:
            True if the limits were set. False if the entry does not exist, or if it has a limit and
            `if_not_set` is True.
        """
        limits = _limits(ttl, max_idle)
        return await self._run(self._protocol.expire(key, limits, if_not_set=if_not_set))

    async def remain_time_to_live(self, key: K = _ALL) -> timedelta | None:
        """Return how long an entry stays. Without a key, return how long the whole map stays.

        Returns:
            None if there is no limit, or if the entry or the map does not exist.
        """
        if key is _ALL:
            return await super().remain_time_to_live()
        left = await self._run(self._protocol.remaining_ms(key))
        return timedelta(milliseconds=left) if left >= 0 else None

    # -------------------------------------------------------------- many keys

    async def size(self) -> int:
        """Return the number of entries that have not expired; Redisson also counts expired ones."""
        expired = offset = 0
        while True:
            count = await self._run(self._protocol.count(offset))
            expired, offset = expired + count.expired, offset + PAGE
            if not count.more:
                return max(count.entries - expired, 0)

    async def clear(self) -> None:
        """Remove all entries. The maximum size and the listeners stay, unlike in Redisson."""
        await self._run(self._protocol.clear())

    async def get_all(self, keys: Iterable[K]) -> dict[K, V]:
        """Return the keys that exist, with their values, 500 at a time (RMapCache.getAll)."""
        wanted, found = list(keys), dict[K, V]()
        for first in range(0, len(wanted), PAGE):
            found |= await super().get_all(wanted[first : first + PAGE])
        return found

    async def get_with_ttl_only(self, key: K) -> V | None:
        """Return the value of a key, and leave its idle time as it is (RMapCache.getWithTTLOnly).

        Like `get`, it does not return an entry that was idle longer than its max idle time.
        """
        return await self._run(self._protocol.get(key, peek=True))

    async def get_all_with_ttl_only(self, keys: Iterable[K]) -> dict[K, V]:
        """Return keys and values as `get_all`, and leave the idle times as they are."""
        wanted, found = list(keys), dict[K, V]()
        for first in range(0, len(wanted), PAGE):
            some = wanted[first : first + PAGE]
            page: dict[K, V] = await self._run(self._protocol.get_all(some, peek=True))
            found |= page
        return found

    async def put_all(
        self,
        entries: Mapping[K, V],
        batch_size: int | None = None,
        *,
        ttl: Seconds | None = None,
        max_idle: Seconds | None = None,
    ) -> None:
        """Set many values, each as `fast_put` (RMapCache.putAll).

        Args:
            entries: the keys and values.
            batch_size: the maximum number of entries that one script sets; None and all numbers
                above 500 count as 500.
            ttl: the time to live in seconds or as a timedelta; None for no limit. If `ttl` and
                `max_idle` are None, an existing entry keeps its time to live.
            max_idle: the max idle time; None for no limit.
        """
        limits = None if ttl is None and max_idle is None else _limits(ttl, max_idle)
        put = partial(self._protocol.put_all, limits=limits)
        await self._put_batches(put, entries, PAGE if batch_size is None else min(batch_size, PAGE))

    async def fast_remove(self, *keys: K) -> int:
        """Remove keys, 500 at a time; return how many existed (RMapCache.fastRemove)."""
        parts = [keys[first : first + PAGE] for first in range(0, len(keys), PAGE)]
        return sum([await super(AsyncMapCache, self).fast_remove(*part) for part in parts])

    async def contains_value(self, value: V) -> bool:
        """Return True if an entry has this value. The entries are read page by page."""
        wanted = self._protocol.value(value)
        async for found in self._scan(None, self._protocol.read_bytes):
            if found == wanted:
                return True
        return False

    async def read_all_entry_set(self) -> list[tuple[K, V]]:
        """Return all keys and values in pairs, read in pages (RMapCache.readAllEntrySet)."""
        return [entry async for entry in self.items()]

    async def read_all_key_set(self) -> set[K]:
        """Return all keys, read in pages (RMapCache.readAllKeySet)."""
        return {key async for key in self.keys()}

    async def read_all_values(self) -> list[V]:
        """Return all values, read in pages (RMapCache.readAllValues)."""
        return [value async for value in self.values()]

    async def random_keys(self, count: int) -> set[K]:
        """Return at most `count` random keys, from Redis 6.2 on (RMapCache.randomKeys)."""
        return set(await self.random_entries(count))

    async def random_entries(self, count: int) -> dict[K, V]:
        """Return random keys as `random_keys`, with their values (RMapCache.randomEntries)."""
        return await self.get_all(await super().random_keys(count))

    # -------------------------------------------------------------- the whole map

    async def set_max_size(self, max_size: int, mode: Literal["LRU", "LFU"] = "LRU") -> None:
        """Set how many entries the map has at most (RMapCache.setMaxSize).

        If the map is full, a put of a new key removes other entries, and listeners get events
        "removed". Entries that exist before this call count as used now; Redisson never removes
        such entries.

        Args:
            max_size: the maximum number of entries; 0 for no limit.
            mode: "LRU" removes the entries that were used longest ago, "LFU" the entries that were
                used least.
        """
        await self._run(self._protocol.set_max_size(*_size(max_size, mode)))
        await self._track()

    async def try_set_max_size(self, max_size: int, mode: Literal["LRU", "LFU"] = "LRU") -> bool:
        """Set the maximum size as `set_max_size`, unless the map has one; True if it was set."""
        done = await self._run(self._protocol.try_set_max_size(*_size(max_size, mode)))
        if done:
            await self._track()
        return done

    async def _track(self) -> None:
        cursor = START
        while (cursor := await self._run(self._protocol.track(cursor))) != START:
            pass

    async def add_listener(self, listener: Callable[[EntryEvent[K, V]], Any], *events: str) -> int:
        """Call a function with each event of an entry from now on (RMapCache.addListener).

        Args:
            listener: a plain function that returns soon: the client handles no other message until
                the function has returned. Errors of the function are logged.
            events: "created", "updated", "removed" or "expired"; all four if none is given.

        Returns:
            A number for `remove_listener`.

        Raises:
            ValueError: an unknown event.
            ServerTimeoutError: the server did not confirm the subscription; no listener stays.
        """
        require_function(listener, "listener")
        for event in events:
            if event not in EVENTS:
                raise ValueError(f"events are {', '.join(EVENTS)}, not {event!r}")
        await self._run(self._protocol.listen())
        number: int = next_number()
        key = ("map listener", number)
        make = partial(AsyncEntryListener, self._protocol, events or EVENTS, listener)
        work = self._context.background.acquire(key, make)
        self._work[number] = key
        try:
            await work.confirmed.wait(self._link.timeout)
            if not work.subscribed:
                raise ServerTimeoutError(f"the server did not confirm the listener of {self!r}")
        except BaseException:
            self._end(number)
            raise
        return number

    async def remove_listener(self, number: int) -> None:
        """Remove a listener by the number that `add_listener` returned (removeListener)."""
        self._end(number)


def _size(max_size: int, mode: str) -> tuple[int, str]:
    if isinstance(max_size, bool) or not isinstance(max_size, int):
        raise TypeError(f"max_size must be a whole number, not {max_size!r}")
    if max_size < 0:
        raise ValueError(f"max_size must be at least 0, not {max_size!r}; 0 means no limit")
    if mode not in ("LRU", "LFU"):
        raise ValueError(f"mode must be 'LRU' or 'LFU', not {mode!r}")
    return max_size, mode
