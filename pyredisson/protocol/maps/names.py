"""The keys and channels of RMapCache, `RedissonMapCache` of 3.19.3 to 4.7.0."""

from __future__ import annotations

from typing import NamedTuple

from pyredisson.protocol.kernel.names import prefix_name, suffix_name

__all__ = ["EVENTS", "CacheNames"]

EVENTS = ("created", "updated", "removed", "expired")
"""The events of entries. Each event has a channel of its own."""


class CacheNames(NamedTuple):
    """The keys of one map cache.

    Attributes:
        name: the hash of the entries.
        expires: the sorted set of the times at which the entries' times to live end.
        idles: the sorted set of the times at which the entries' idle times end.
        used: the sorted set of the times of the last access to each entry (mode LRU), or of the
            numbers of accesses (mode LFU).
        options: the hash with the maximum size, its mode, and whether the map has listeners.
        latch: the key that an eviction creates; while this key exists, no client runs the next one.
    """

    name: str
    expires: str
    idles: str
    used: str
    options: str
    latch: str

    @classmethod
    def of(cls, name: str) -> CacheNames:
        """Derive the keys from the map's name in Redis."""
        return cls(
            name=name,
            expires=prefix_name("redisson__timeout__set", name),
            idles=prefix_name("redisson__idle__set", name),
            used=prefix_name("redisson__map_cache__last_access__set", name),
            options=suffix_name(name, "redisson_options"),
            latch=prefix_name("redisson__execute_task_once_latch", name),
        )

    @property
    def own(self) -> tuple[str, str, str, str, str]:
        """The keys that make up the map: all but the latch."""
        return (self.name, self.expires, self.idles, self.used, self.options)

    @property
    def suffix(self) -> str:
        """The part of each channel's name after the first colon."""
        return prefix_name("", self.name)[1:]

    def channel(self, event: str) -> str:
        """Return the channel of an event."""
        return prefix_name(f"redisson_map_cache_{event}", self.name)
