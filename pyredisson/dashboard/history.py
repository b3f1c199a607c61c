"""The counts of queues in the last minutes, in the memory of this process.

The rule: it is bounded: one point every five seconds, of the queues that are shown.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from threading import Lock
from time import monotonic
from typing import Any, NamedTuple

from pyredisson.protocol.checks.stats import QueueStats

__all__ = ["SECONDS", "STEP", "History"]

SECONDS = 300
STEP = 5
_SLACK = 0.5


class _Point(NamedTuple):
    at: float
    pending: int
    ready: int
    overdue: float


class History:
    """Points of each queue, oldest first."""

    def __init__(self) -> None:
        self._points: dict[str, deque[_Point]] = {}
        self._lock = Lock()
        self._last = -float(STEP)

    def add(self, looks: Iterable[tuple[str, QueueStats]]) -> None:
        """Add a point of each queue, unless the last points are new."""
        now = monotonic()
        with self._lock:
            if now - self._last < STEP - _SLACK:
                return
            self._last = now
            for name, each in looks:
                points = self._points.setdefault(name, deque(maxlen=SECONDS // STEP + 1))
                points.append(_Point(now, each.pending, each.ready, round(each.oldest_overdue, 1)))
            for name in [
                each for each, some in self._points.items() if now - some[-1].at > SECONDS
            ]:
                del self._points[name]

    def of(self, name: str) -> dict[str, list[Any]]:
        """Return the points of a queue as the page draws them; a count of another type is None."""
        now = monotonic()
        with self._lock:
            points = [
                each for each in self._points.get(name, ()) if now - each.at <= SECONDS + STEP
            ]
        return {
            "seconds": [round(each.at - now) for each in points],
            "pending": [None if each.pending < 0 else each.pending for each in points],
            "ready": [None if each.ready < 0 else each.ready for each in points],
            "overdue": [each.overdue for each in points],
        }
