"""Reads the counts of queues repeatedly: their changes, and the queues in trouble.

The rule: only the difference of two looks is known. So a rate is the number of items that were
added, minus the number of items that were removed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic

from pyredisson import Redisson, RedissonError
from pyredisson.admin.find import find_queues
from pyredisson.admin.look import look_at_all
from pyredisson.protocol.checks.stats import QueueStats

__all__ = ["OVERDUE", "STUCK", "Watch", "Watched"]

OVERDUE = 10.0
"""Seconds from the due time of a pending item until the queue is in trouble, if no transfer task is
subscribed: twice the default safety interval."""
STUCK = 60.0
"""The same time in all other cases, because a transfer task may have a backlog."""

_TROUBLES = ("rejected", "wrong type", "no task", "late", "paused")
_SEARCH = 10.0
"""The minimum time in seconds between the starts of two searches for queues."""
_SHARE = 10
"""Or this multiple of the duration of the last search, if it is longer."""


@dataclass(frozen=True, slots=True)
class Watched:
    """A queue at one moment, and what has changed since the moment before.

    Attributes:
        name: the queue's name.
        stats: its counts; None if the server rejects the question, or the name is invalid.
        error: the error of the question or of the name; None if `stats` has the counts.
        pending_rate: the change of the number of pending items per second. None if the look before
            has no counts of the queue.
        ready_rate: the same for ready elements.
    """

    name: str
    stats: QueueStats | None
    error: RedissonError | None
    pending_rate: float | None
    ready_rate: float | None

    @property
    def trouble(self) -> str:
        """The worst trouble in one or two words; "" without trouble."""
        found = self.stats
        if found is None:
            return "rejected"
        if -1 in (found.pending, found.ready, found.in_progress, found.dead, found.poison):
            return "wrong type"
        if found.oldest_overdue > OVERDUE and found.subscribers == 0:
            return "no task"
        if found.oldest_overdue > STUCK:
            return "late"
        return "paused" if found.paused else ""

    @property
    def order(self) -> tuple[int, float, str]:
        """A sort key: the worst trouble, then queues with poison or dead letters, then others.

        Among equal ones, the queue with the oldest overdue item is first.
        """
        found = self.stats
        worst = _TROUBLES.index(self.trouble) if self.trouble else len(_TROUBLES)
        if found is not None and not self.trouble and not found.poison and not found.dead:
            worst += 1
        return worst, -found.oldest_overdue if found else 0.0, self.name


class Watch:
    """Reads the counts of given queues, or of all delayed queues.

    Args:
        redisson: the client.
        names: the names of the queues. Without names, `look` searches for all delayed queues, and
            repeats the search after some time.
    """

    def __init__(self, redisson: Redisson, names: Sequence[str] = ()) -> None:
        self._redisson = redisson
        self._names = list(names)
        self._searches = not names
        self._search_at = 0.0
        self._before: dict[str, QueueStats] = {}
        self._looked = 0.0

    def look(self) -> list[Watched]:
        """Read the counts once; return given queues in their order, and others by `order`.

        Raises:
            ServerError: the server cannot be reached, or rejects SCAN.
        """
        if self._searches and (start := monotonic()) >= self._search_at:
            self._names = list(find_queues(self._redisson))
            self._search_at = start + max(_SEARCH, _SHARE * (monotonic() - start))
        found = look_at_all(self._redisson, self._names)
        now = monotonic()
        seconds, self._looked = now - self._looked, now
        watched = [
            self._watched(name, each, seconds)
            for name, each in zip(self._names, found, strict=True)
        ]
        self._before = {each.name: each.stats for each in watched if each.stats is not None}
        return sorted(watched, key=lambda each: each.order) if self._searches else watched

    def _watched(self, name: str, found: QueueStats | RedissonError, seconds: float) -> Watched:
        if isinstance(found, RedissonError):
            return Watched(name, None, found, None, None)
        before = self._before.get(name)
        if before is None or seconds <= 0:
            return Watched(name, found, None, None, None)
        pending, ready = found.pending - before.pending, found.ready - before.ready
        return Watched(name, found, None, pending / seconds, ready / seconds)
