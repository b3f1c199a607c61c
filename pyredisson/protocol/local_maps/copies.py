"""The copies that a local cached map keeps: bounded, and dropped by the hashes of their keys.

A read is three steps: `begin` before the request, `end` with what came back, and `get` from then
on. A key that was dropped between the first two is not kept, because what came back may be older.
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
"""What is being read, or was, and not dropped meanwhile: encoded keys by their hashes."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The bounds of copies.

    Attributes:
        size: the most keys; None for no bound.
        eviction_policy: whether a full cache drops the key that was used longest ago ("lru"), or
            takes no further one ("none").
        time_to_live: seconds from a read of the server, `inf` for no limit.
        max_idle: seconds from the last use, `inf` for no limit.
        misses: whether the absence of a key is kept, too.
    """

    size: int | None = None
    eviction_policy: Eviction = "lru"
    time_to_live: float = inf
    max_idle: float = inf
    misses: bool = False

    @property
    def timed(self) -> bool:
        """Whether there is a limit in seconds."""
        return min(self.time_to_live, self.max_idle) < inf


@dataclass(slots=True)
class _Copy(Generic[K, V]):
    hash: bytes
    key: K
    value: V | None
    until: float
    idle_until: float


class Copies(Generic[K, V]):
    """Values by encoded key; None is the copy of a key that the map does not have.

    Times are monotonic seconds. It is not thread-safe, but `get` is if no limit is in seconds.
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
        """Changes whenever something is dropped."""

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, field: bytes, now: float) -> V | None:
        """Return the copy of a key, or `MISSING`."""
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
            except KeyError:  # another thread has dropped it just now
                pass
        return copy.value

    def items(self, now: float) -> dict[K, V]:
        """Return the keys and values that have copies."""
        return {
            copy.key: copy.value
            for copy in tuple(self._entries.values())  # in one step, beside a `get`
            if copy.value is not None and now < min(copy.until, copy.idle_until)
        }

    def begin(self, fields: Iterable[bytes]) -> Read:
        """Note that keys are about to be read."""
        read = {hash_bytes(field): field for field in fields}
        if len(self._reads) >= _MOST_READS:  # an interrupted one may never end
            self._reads.pop(0).clear()
        self._reads.append(read)
        return read

    def end(self, read: Read, found: Mapping[bytes, tuple[K, V | None]], now: float) -> None:
        """Keep what was read, by encoded key; without anything found nothing is kept."""
        self._reads = [each for each in self._reads if each is not read]
        for digest, field in read.items():
            if field in found:
                self.put(field, digest, *found[field], now)

    def put(self, field: bytes, digest: bytes, key: K, value: V | None, now: float) -> None:
        """Keep a copy of what the server has now."""
        limits = self._limits
        if max(self._disabled.get(digest, -inf), self._all_disabled) > now:
            return
        if value is None and not limits.misses:
            return
        if limits.size is not None and field not in self._entries and len(self) >= limits.size:
            if limits.eviction_policy == "none":
                return
            _, oldest = self._entries.popitem(last=False)  # in one step, beside a `get`
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
        """Return whether there is a copy of a key, whatever its age."""
        return field in self._entries

    def drop(self, hashes: Iterable[bytes]) -> None:
        """Drop the copies of keys, and keep none that is being read."""
        self.version += 1
        for digest in hashes:
            for read in self._reads:
                read.pop(digest, None)
            if (field := self._by_hash.get(digest)) is not None:
                self._remove(field)

    def age(self, seconds: float) -> None:
        """Let copies grow older; drop all if they are infinitely old."""
        if seconds == inf:
            self.clear()
        for copy in self._entries.values():
            copy.until -= seconds
            copy.idle_until -= seconds

    def clear(self) -> None:
        """Drop all copies, and keep none that is being read."""
        self.interrupt()
        self._entries.clear()
        self._by_hash.clear()

    def interrupt(self) -> None:
        """Keep nothing that is being read: some message may have been lost."""
        self.version += 1
        for read in self._reads:
            read.clear()

    def disable(self, hashes: Iterable[bytes] | None, now: float, seconds: float) -> None:
        """Drop keys, None for all, and keep none of them for some time."""
        self._disabled = {each: end for each, end in self._disabled.items() if end > now}
        if hashes is None:
            self.clear()
            self._all_disabled = now + seconds
            return
        self.drop(hashes)
        self._disabled.update(dict.fromkeys(hashes, now + seconds))

    def enable(self, hashes: Iterable[bytes] | None) -> None:
        """Keep keys again, None for all."""
        if hashes is None:
            self._all_disabled = -inf
            return
        for digest in hashes:
            self._disabled.pop(digest, None)
