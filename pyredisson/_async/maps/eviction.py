"""Removes expired entries of a map cache or set cache, as clients of Redisson do that use it.

The rule: a latch, which is a key that Redisson's task also uses, chooses the client that removes
entries. So all clients may try.
"""

from __future__ import annotations

from typing import Protocol

from pyredisson._async.background.interfaces import AsyncPeriodicJob
from pyredisson._async.link.link import AsyncLink
from pyredisson._runtime.concurrency import monotonic
from pyredisson.protocol.kernel.command import Eval

_SHORTEST, _LONGEST = 5.0, 60.0
"""Seconds between two runs. Redisson waits for up to half an hour."""
_LATCH = 30.0
"""The longest time in seconds for which other clients leave the eviction to this client."""
_LIMIT = 500
"""The most entries that one run removes by their time to live, and by their idle time."""


class Evictable(Protocol):
    """The operations of an object whose entries expire."""

    @property
    def name(self) -> str:
        """The object's name in Redis."""

    def evict(self, seconds: int, limit: int) -> Eval[int]:
        """Remove expired entries; return how many, or -1 if a client has just done so."""


class AsyncEviction(AsyncPeriodicJob):
    """The eviction of one object. A run that finds nothing makes the next pause longer."""

    def __init__(self, protocol: Evictable) -> None:
        self.key = protocol.name
        self._protocol = protocol
        self._pause = _SHORTEST
        self._next = monotonic() + _SHORTEST

    def __repr__(self) -> str:
        return f"eviction of {self.key!r}"

    def wait_seconds(self) -> float:
        """Return the seconds until the next run."""
        return max(self._next - monotonic(), 0.0)

    async def run(self, link: AsyncLink) -> None:
        """Remove expired entries, and choose the next pause."""
        self.skipped()
        seconds = int(min(self._pause, _LATCH))
        gone = await link.request(self._protocol.evict(seconds, _LIMIT))
        if gone == 0:
            self._pause = min(self._pause * 1.5, _LONGEST)
        elif gone >= _LIMIT:
            self._pause = max(self._pause / 4, _SHORTEST)
        self.skipped()

    def skipped(self) -> None:
        """Start the next pause."""
        self._next = monotonic() + self._pause
