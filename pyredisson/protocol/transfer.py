"""When to transfer next: a state machine that is told the time and never reads a clock.

All times are epoch milliseconds of the server, as floats.  The rule is *level
triggered*: whatever was missed, the next transfer is never further away than
the safety interval; and a later due time never replaces an earlier one that was
learned after the last script was sent, because that script cannot have seen it
(Redisson's `QueueTransferTask.scheduleTask` does replace it, in every release).

======================= ====================================================
event                   next wake-up
======================= ====================================================
start, `subscribed`     now
`announced` t           the earlier of the known one and t
`sent`                  forgets the known one: the reply will tell the head
`moved` head            the earlier of the head and what was announced since
`failed`                after a growing pause, at most the safety interval
always                  at the latest one safety interval after the last run
======================= ====================================================
"""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["TransferSchedule"]

_FIRST_PAUSE_MS = 50.0


@dataclass(slots=True)
class TransferSchedule:
    """Answers one question about one queue: how long until the next transfer?"""

    safety_ms: float
    _next: float | None = 0.0  # the start: at once
    _latest: float | None = field(default=None)  # the safety poll
    _pause_ms: float = _FIRST_PAUSE_MS

    def subscribed(self) -> None:
        """The channel is (again) subscribed: what was published before is unknown."""
        self._next = 0.0

    def announced(self, start_ms: float) -> None:
        """A due time was published, or an item was offered here."""
        self._next = start_ms if self._next is None else min(self._next, start_ms)

    def sent(self) -> None:
        """The transfer script leaves now; only later announcements count beside its reply."""
        self._next = None

    def moved(self, head_ms: float | None, now_ms: float) -> None:
        """The script returned the head that is left."""
        self._pause_ms = _FIRST_PAUSE_MS
        self._latest = now_ms + self.safety_ms
        if head_ms is not None:
            self.announced(head_ms)

    def failed(self, now_ms: float) -> None:
        """The script could not be run; try again after a pause that doubles."""
        self._next = None
        self._latest = now_ms + min(self._pause_ms, self.safety_ms)
        self._pause_ms *= 2

    def wait_ms(self, now_ms: float) -> float:
        """Return the milliseconds until the next transfer, 0 when it is due.

        Never more than the safety interval; when the clock was set back, the
        interval begins anew, once.
        """
        if self._next is None and self._latest is None:
            return 0.0
        last = now_ms + self.safety_ms
        self._latest = last if self._latest is None else min(self._latest, last)
        moment = self._latest if self._next is None else min(self._next, self._latest)
        return min(max(moment - now_ms, 0.0), self.safety_ms)
