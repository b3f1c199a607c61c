"""Removes expired entries of a map cache or set cache; Redisson's clients do the same.

The rule: any number of clients may run the eviction of an object. A run sets a latch, which is a
key that expires. While the latch exists, no run removes entries, also no run of Redisson.
"""

from __future__ import annotations

from typing import Protocol

from pyredisson._async.background.interfaces import AsyncPeriodicJob
from pyredisson._async.link.link import AsyncLink
from pyredisson._runtime.concurrency import monotonic
from pyredisson.protocol.kernel.command import Eval

_SHORTEST, _LONGEST = 5.0, 60.0
"""The shortest and the longest pause between two runs in seconds; Redisson's is up to 1800."""
_LATCH = 30.0
"""The maximum time to live of the latch, in seconds."""
_LIMIT = 500
"""The maximum number of entries that one run removes by their times to live.

The same number applies to the idle times."""


class Evictable(Protocol):
    """The operations of an object whose entries expire."""

    @property
    def name(self) -> str:
        """The object's name in Redis."""

    def evict(self, seconds: int, limit: int) -> Eval[int]:
        """Remove expired entries, and set the latch for `seconds`; return how many were removed.

        If the latch exists, only return -1.
        """


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
