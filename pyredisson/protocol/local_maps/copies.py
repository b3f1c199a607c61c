"""The copies that a local cached map keeps in memory; messages drop them by hashes of the keys.

The map calls `begin` before it reads keys from the server, and `end` with the values of the reply.
Then `get` returns the copies. The rule: if a key was dropped between `begin` and `end`, its value
is not kept, because the value may be older than the change that dropped the key.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, Generic, Literal, TypeVar

from pyredisson.protocol.kernel.highway_hash import hash_bytes

__all__ = ["MISSING", "Copies", "Eviction", "Limits", "Read"]

K = TypeVar("K")
V = TypeVar("V")

_MOST_READS = 1000
MISSING: Any = object()
"""What `get` returns for a key that has no copy."""
Eviction = Literal["lru", "none"]
Read = dict[bytes, bytes]
"""The keys of one read that were not dropped since `begin`: encoded keys by their hashes."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The bounds of copies.

    Attributes:
        size: the maximum number of copies; None for no bound.
        eviction_policy: what happens if the cache is full: "lru" drops the least recently used key,
            "none" stores no copy of another key.
        time_to_live: seconds from the storing of a copy to its end, `inf` for no limit.
        max_idle: seconds from the storing or last use of a copy to its end, `inf` for no limit.
        misses: whether a copy, None, is also stored for a key that the map does not have.
    """

    size: int | None = None
    eviction_policy: Eviction = "lru"
    time_to_live: float = inf
    max_idle: float = inf
    misses: bool = False

    @property
    def timed(self) -> bool:
        """Whether `time_to_live` or `max_idle` is finite."""
        return min(self.time_to_live, self.max_idle) < inf


@dataclass(slots=True)
class _Copy(Generic[K, V]):
    hash: bytes
    key: K
    value: V | None
    until: float
    idle_until: float


class Copies(Generic[K, V]):
    """Values by encoded key. The copy of a key that the map does not have is None.

    Times are monotonic seconds. The class is not thread-safe, with one exception: without a limit
    in seconds, `get` is safe in any thread at any time.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._timed, self._bounded = limits.timed, limits.size is not None
        self._entries: OrderedDict[bytes, _Copy[K, V]] = OrderedDict()
        self._by_hash: dict[bytes, bytes] = {}
        self._reads: list[Read] = []
        self._disabled: dict[bytes, float] = {}
        self._all_disabled = -inf
        self.version = 0
        """A number that each call of `drop`, `clear`, `interrupt` or `disable` increases."""

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, field: bytes, now: float) -> V | None:
        """Return the copy of a key, and mark the copy as used.

        Return `MISSING` if the key has no copy, or an expired one. None is a copy: the map did not
        have the key.
        """
        copy = self._entries.get(field)
        if copy is None:
            return MISSING  # type: ignore[no-any-return]  # fits any type
        if self._timed:
            if now >= min(copy.until, copy.idle_until):
                self._remove(field)
                return MISSING  # type: ignore[no-any-return]  # fits any type
            copy.idle_until = now + self._limits.max_idle
        if self._bounded:
            try:  # noqa: SIM105 - `suppress` would be three calls
                self._entries.move_to_end(field)
            except KeyError:  # another thread has dropped the copy in the meantime
                pass
        return copy.value

    def items(self, now: float) -> dict[K, V]:
        """Return the keys and values of the copies that have not expired, without None."""
        return {
            copy.key: copy.value
            for copy in tuple(self._entries.values())  # atomic: another thread may call `get`
            if copy.value is not None and now < min(copy.until, copy.idle_until)
        }

    def begin(self, fields: Iterable[bytes]) -> Read:
        """Register encoded keys before they are read from the server; return the read for `end`.

        If 1,000 earlier reads have not ended, the oldest is cancelled: its values are not kept.
        """
        read = {hash_bytes(field): field for field in fields}
        if len(self._reads) >= _MOST_READS:  # an interrupted caller may never call `end`
            self._reads.pop(0).clear()
        self._reads.append(read)
        return read

    def end(self, read: Read, found: Mapping[bytes, tuple[K, V | None]], now: float) -> None:
        """Store copies of the values that a read returned, as `put` does.

        `found` has keys and values by encoded key. A key that was dropped since `begin`, or that is
        not in `found`, gets no new copy.
        """
        self._reads = [each for each in self._reads if each is not read]
        for digest, field in read.items():
            if field in found:
                self.put(field, digest, *found[field], now)

    def put(self, field: bytes, digest: bytes, key: K, value: V | None, now: float) -> None:
        """Store a copy of a value; `digest` is the hash of the encoded key.

        Nothing is stored if the key is disabled, or if `value` is None and `misses` is False. With
        `eviction_policy` "none", a full cache stores only new copies of keys that have a copy.
        """
        limits = self._limits
        if max(self._disabled.get(digest, -inf), self._all_disabled) > now:
            return
        if value is None and not limits.misses:
            return
        if limits.size is not None and field not in self._entries and len(self) >= limits.size:
            if limits.eviction_policy == "none":
                return
            _, oldest = self._entries.popitem(last=False)  # atomic: another thread may call `get`
            del self._by_hash[oldest.hash]
        self._entries[field] = _Copy(
            digest, key, value, now + limits.time_to_live, now + limits.max_idle
        )
        self._entries.move_to_end(field)
        self._by_hash[digest] = field

    def _remove(self, field: bytes) -> None:
        copy = self._entries.pop(field)
        del self._by_hash[copy.hash]

    def has(self, field: bytes) -> bool:
        """Return whether a key has a copy; an expired copy counts."""
        return field in self._entries

    def drop(self, hashes: Iterable[bytes]) -> None:
        """Drop the copies of keys; reads between `begin` and `end` store no copies of them."""
        self.version += 1
        for digest in hashes:
            for read in self._reads:
                read.pop(digest, None)
            if (field := self._by_hash.get(digest)) is not None:
                self._remove(field)

    def age(self, seconds: float) -> None:
        """Make copies some seconds older, for tests that move time; with `inf`, drop them all."""
        if seconds == inf:
            self.clear()
        for copy in self._entries.values():
            copy.until -= seconds
            copy.idle_until -= seconds

    def clear(self) -> None:
        """Drop all copies; reads between `begin` and `end` store no copies."""
        self.interrupt()
        self._entries.clear()
        self._by_hash.clear()

    def interrupt(self) -> None:
        """Make the reads between `begin` and `end` store no copies. Copies that exist stay.

        The map calls this if it is possible that a message was lost.
        """
        self.version += 1
        for read in self._reads:
            read.clear()

    def disable(self, hashes: Iterable[bytes] | None, now: float, seconds: float) -> None:
        """Drop the copies of keys, and store no copies of them for `seconds`.

        If `hashes` is None, this applies to all keys.
        """
        self._disabled = {each: end for each, end in self._disabled.items() if end > now}
        if hashes is None:
            self.clear()
            self._all_disabled = now + seconds
            return
        self.drop(hashes)
        self._disabled.update(dict.fromkeys(hashes, now + seconds))

    def enable(self, hashes: Iterable[bytes] | None) -> None:
        """Store copies of keys again.

        If `hashes` is None, this ends only `disable(None)`: keys that were disabled by their hashes
        stay disabled. Hashes do not end `disable(None)`.
        """
        if hashes is None:
            self._all_disabled = -inf
            return
        for digest in hashes:
            self._disabled.pop(digest, None)
