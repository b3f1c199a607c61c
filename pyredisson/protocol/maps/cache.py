"""RMapCache as scripts: a map whose entries expire, `RedissonMapCache` of 3.19.3 to 4.7.0.

A stored value has three parts: the max idle time in ms, a double; the length of the third part, 8
bytes; the codec's bytes. Both numbers are little-endian.

The scripts use the server's clock. A script that gets keys treats an expired entry as missing. Only
the eviction, `clear` and the maximum size remove expired entries.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, TypeVar

from pyredisson.errors import DecodeError, UncertainError
from pyredisson.protocol.kernel.command import Arg, Command, Eval, Operation
from pyredisson.protocol.kernel.replies import each, nothing, number, reading, text, truth
from pyredisson.protocol.kernel.scripts import load
from pyredisson.protocol.maps.events import EntryEvent, parts
from pyredisson.protocol.maps.map import Entry, MapProtocol, Page, paired, sum_of
from pyredisson.protocol.maps.names import CacheNames
from pyredisson.protocol.objects.collection import PAGE

__all__ = ["FOR_EVER", "Count", "Limits", "MapCacheProtocol", "unpacked"]

K = TypeVar("K")
V = TypeVar("V")
T = TypeVar("T")

_HEAD = struct.Struct("<dQ")


class Limits(NamedTuple):
    """The time to live and the max idle time of an entry, in ms; 0 for no limit.

    "" keeps the limit of the entry, or sets no limit if the entry is new or has expired.
    """

    ttl: int | str
    idle: int | str


FOR_EVER = Limits(0, 0)
_AS_BEFORE = Limits("", "")
_TTL_AS_BEFORE = Limits("", 0)


class Count(NamedTuple):
    """One step of a count of entries.

    Attributes:
        entries: the number of all entries of the map, also expired ones.
        expired: the number of expired entries that this step found.
        more: whether a next step is needed; it is possible that it finds no entry.
    """

    entries: int
    expired: int
    more: bool


def _count(reply: Any) -> Count:
    return Count(reply[0], int(reply[1]), more=reply[2] == 1)


def _length(reply: Any) -> int:
    return max(int(reply) - _HEAD.size, 0)


def _done(reply: Any) -> bool:
    return bool(reply[0])


def _is_new(reply: Any) -> bool:
    return reply[1] is None


def unpacked(data: bytes) -> bytes:
    """Return the codec's bytes in a stored value.

    Raises:
        DecodeError: the stored value does not have the format of RMapCache.
    """
    if len(data) < _HEAD.size or _HEAD.unpack_from(data)[1] != len(data) - _HEAD.size:
        what = (
            "the value is not packed as RMapCache packs values: RMap or a plain HSET wrote it. "
            "Redisson fails to read the whole map; put it again, or remove it, by get_map_cache()"
        )
        raise DecodeError(what, codec="RMapCache", data=data)
    return data[_HEAD.size :]


@dataclass(frozen=True)
class MapCacheProtocol(MapProtocol[K, V]):
    """The operations of one map cache.

    Attributes:
        publishing: the commands that publish: PUBLISH; then SPUBLISH in a cluster, else "".
    """

    publishing: tuple[str, str] = ("PUBLISH", "")

    @property
    def names(self) -> CacheNames:
        """The keys of the map."""
        return CacheNames.of(self.name)

    def stored(self, data: bytes) -> V:
        """Decode a stored value; a `DecodeError` has all bytes of the stored value."""
        try:
            return super().stored(unpacked(data))
        except DecodeError as error:
            error.raw = data
            raise

    def _cache(
        self, operation: str, *args: Arg, read: Callable[[Any], T], safe: bool = False
    ) -> Eval[T]:
        lost = None if safe else partial(UncertainError, operation, self.name)
        script = load(f"maps/cache_{operation}")
        return Eval(script, self.names.own, args, read, safe=safe, lost=lost)

    def _writing(self, operation: str, *args: Arg, read: Callable[[Any], T]) -> Eval[T]:
        return self._cache(operation, self.names.suffix, *self.publishing, *args, read=read)

    def read_bytes(self, entry: Entry) -> bytes:
        """Return the codec's bytes of an entry's value."""
        return unpacked(entry[1])

    def event(self, event: str, message: bytes) -> EntryEvent[K, V]:
        """Decode a message from the channel of an event.

        Raises:
            DecodeError: the message has another format, or a codec cannot decode a part.
        """
        key, value, *old = parts(message)
        values = [reading(self.value_codec)(each) for each in (value, *old)]
        return EntryEvent(event, self.read_key((key, b"")), values[0], [*values, None][1])

    # -------------------------------------------------------------- one key

    def get(self, key: K, *, peek: bool = False) -> Operation[V | None]:
        """Return a value or None. Start the idle time of the entry anew, unless `peek` is set."""
        args = ("peek" if peek else "value", self.key(key))
        return self._cache("get", *args, read=lambda r: self._optional(r[0]), safe=True)

    def contains_key(self, key: K) -> Operation[bool]:
        """Return whether an entry exists, and start its idle time anew."""
        return self._cache("get", "exists", self.key(key), read=lambda r: r[0] == 1, safe=True)

    def value_size(self, key: K) -> Operation[int]:
        """HSTRLEN: the number of the codec's bytes, or 0 if the key does not exist.

        An expired entry counts as existing.
        """
        return self._command("HSTRLEN", self.key(key), read=_length, safe=True)

    def _put(
        self,
        key: K,
        value: V,
        limits: Limits,
        read: Callable[[Any], T],
        condition: str = "",
        *,
        expected: bytes = b"",
        what: str = "",
    ) -> Eval[T]:
        words = (condition, expected, *limits, what, self.key(key), self.value(value))
        return self._writing("put", *words, read=read)

    def _old(self, reply: Any) -> V | None:
        return self._optional(reply[1])

    def put(self, key: K, value: V, limits: Limits = FOR_EVER) -> Operation[V | None]:
        """Store a value with limits; return the previous value, or None if the key is new."""
        return self._put(key, value, limits, self._old, what="old")

    def fast_put(self, key: K, value: V, limits: Limits | None = None) -> Operation[bool]:
        """Store a value; return whether the key is new.

        Without `limits`, an entry keeps its time to live, but not its max idle time.
        """
        return self._put(key, value, limits or _TTL_AS_BEFORE, _is_new)

    def put_if_absent(self, key: K, value: V, limits: Limits = FOR_EVER) -> Operation[V | None]:
        """Store the value of a new key and return None; if the key exists, return its value."""
        return self._put(key, value, limits, self._old, "absent", what="old")

    def fast_put_if_absent(self, key: K, value: V, limits: Limits = FOR_EVER) -> Operation[bool]:
        """Store the value of a new key; return whether the key was new."""
        return self._put(key, value, limits, _done, "absent")

    def put_if_exists(self, key: K, value: V) -> Operation[V | None]:
        """Replace a value, and keep its limits; return the old one, or None if no entry exists."""
        return self._put(key, value, _AS_BEFORE, self._old, "present", what="old")

    def fast_put_if_exists(self, key: K, value: V) -> Operation[bool]:
        """Replace the value of an entry, and keep the limits; return whether the entry exists."""
        return self._put(key, value, _AS_BEFORE, _done, "present")

    def replace(self, key: K, old: V, new: V) -> Operation[bool]:
        """Replace a value that has the bytes of `old`, and keep the limits of the entry.

        Return whether the value was replaced.
        """
        expected = self.value(old)
        return self._put(key, new, _AS_BEFORE, _done, "equal", expected=expected)

    def remove(self, key: K) -> Operation[V | None]:
        """Remove an entry; return its value, or None if the entry does not exist or has expired."""
        words = ("", b"", "old", self.key(key))
        return self._writing("remove", *words, read=lambda r: self._optional(r[0]))

    def remove_value(self, key: K, value: V) -> Operation[bool]:
        """Remove an entry if its value has the bytes of `value`; return whether it was removed."""
        words = ("equal", self.value(value), "", self.key(key))
        return self._writing("remove", *words, read=_done)

    def add_and_get(self, key: K, delta: float) -> Operation[float]:
        """Add a number to a value, and return the sum; see `MapProtocol.add_and_get`.

        The entry keeps its limits. An entry that does not exist counts as 0.
        """
        return self._writing("add", self.key(key), self.delta(delta), read=sum_of)

    def remaining_ms(self, key: K) -> Operation[int]:
        """Return the ms until an entry expires, or -1 if the entry has no limit.

        If the entry does not exist or has expired, return -2.
        """
        return self._cache("remaining", self.key(key), read=number, safe=True)

    def expire(self, key: K, limits: Limits, *, if_not_set: bool) -> Operation[bool]:
        """Set the limits of an entry; return whether they were set.

        `if_not_set` sets them only if the entry has no limit.
        """
        words = (self.key(key), *limits, "nx" if if_not_set else "")
        return self._writing("expire", *words, read=truth)

    # -------------------------------------------------------------- many keys

    def count(self, expired: int) -> Operation[Count]:
        """Count all entries of the map, and the expired entries of a page.

        A page is a range of PAGE members in each of two sorted sets: the ends of times to live, and
        the ends of idle times. `expired` is the offset of both ranges.
        """
        return self._cache("size", expired, PAGE, read=_count, safe=True)

    def get_all(self, keys: Iterable[K], *, peek: bool = False) -> Operation[dict[K, V]]:
        """Return the keys that exist, with their values.

        The idle times of the entries start anew, unless `peek` is set.
        """
        wanted, what = list(keys), "peek" if peek else "value"
        fields = [self.key(key) for key in wanted]
        return self._cache("get", what, *fields, read=self.found(wanted), safe=True)

    def put_all(self, entries: Mapping[K, V], limits: Limits | None = None) -> Operation[None]:
        """Store each entry as `fast_put` does."""
        words = self.encoded(entries)
        head = ("", b"", *(limits or _TTL_AS_BEFORE), "")
        return self._writing("put", *head, *words, read=nothing)

    def fast_remove(self, keys: Iterable[K]) -> Operation[int]:
        """Remove entries; return how many of them existed."""
        return self._writing("remove", "", b"", "", *map(self.key, keys), read=sum)

    def clear(self) -> Command[None]:
        """DEL of the map's keys. The options and the latch stay."""
        return self._command("DEL", *self.names.own[1:4], read=nothing)

    def scan(
        self,
        cursor: bytes,
        pattern: str | bytes | None,
        read: Callable[[Entry], T],
        limit: int = PAGE,
    ) -> Operation[Page[T]]:
        """Return a page of entries that have not expired, each read by `read`.

        The encoded keys of the entries match the pattern. Their idle times start anew.
        """

        def page(reply: Any) -> Page[T]:
            return bytes(reply[0]), each(read)(paired(reply[1]))

        match = "*" if pattern is None else pattern
        return self._cache("scan", cursor, match, limit, read=page, safe=True)

    # -------------------------------------------------------------- the whole map

    def set_max_size(self, size: int, mode: str) -> Command[None]:
        """HMSET of the options: the maximum number of entries, and the mode, LRU or LFU."""
        args = ("HMSET", self.names.options, "max-size", size, "mode", mode)
        return Command(args, nothing, self.name, safe=True)

    def try_set_max_size(self, size: int, mode: str) -> Eval[bool]:
        """Set the maximum size if the map has none; return whether the size was set."""
        script, lost = load("maps/cache_try_set_max_size"), UncertainError
        return Eval(
            script,
            (self.names.options,),
            (size, mode),
            truth,
            lost=partial(lost, "try_set_max_size", self.name),
        )

    def track(self, cursor: bytes) -> Operation[bytes]:
        """Note an access to the entries of a page without a noted access; return the next cursor.

        The maximum size never removes an entry without a noted access. If the map has no maximum
        size, no access is noted.
        """
        return self._cache("track", cursor, PAGE, read=lambda r: text(r).encode(), safe=True)

    def listen(self) -> Command[None]:
        """HSET of the option that makes writers publish events."""
        args = ("HSET", self.names.options, "has-listeners", "1")
        return Command(args, nothing, self.name, safe=True)

    def evict(self, seconds: int, limit: int) -> Eval[int]:
        """Remove expired entries; return how many, or -1 if the latch exists.

        Args:
            seconds: the time to live of the latch, a key that the eviction creates. While the latch
                exists, no client runs an eviction of this map.
            limit: the maximum number of entries to read from each of two sorted sets: the ends of
                times to live, and the ends of idle times.
        """
        names = self.names
        args = (names.suffix, *self.publishing, seconds, limit)
        return Eval(load("maps/cache_evict"), (*names.own, names.latch), args, number)
