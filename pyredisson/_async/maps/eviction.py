"""Removes what has expired in a map cache or set cache, as a client of Redisson that has it does.

The rule: the latch of Redisson's task chooses the client that removes them, so all may try.
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
"""Seconds for which other clients leave it to this one, at most."""
_LIMIT = 500
"""Entries that one run removes at most, of each kind: with a time to live, and idle."""


class Evictable(Protocol):
    """The operations of an object whose entries expire."""

    @property
    def name(self) -> str:
        """The object's name in Redis."""

    def evict(self, seconds: int, limit: int) -> Eval[int]:
        """Remove expired entries; return how many, or -1 if another client has just done it."""


class AsyncEviction(AsyncPeriodicJob):
    """The job of one object; a run that finds nothing makes the next pause longer."""

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
        """Remove what has expired."""
        self.skipped()
        seconds = int(min(self._pause, _LATCH))
        gone = await link.request(self._protocol.evict(seconds, _LIMIT))
        if gone == 0:
            self._pause = min(self._pause * 1.5, _LONGEST)
        elif gone >= _LIMIT:
            self._pause = max(self._pause / 4, _SHORTEST)
        self.skipped()

    def skipped(self) -> None:
        """Pause."""
        self._next = monotonic() + self._pause
