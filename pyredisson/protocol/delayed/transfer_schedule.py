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
`refused`               one safety interval later, whatever is announced meanwhile
always                  at the latest one safety interval after the last run
======================= ====================================================
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from pyredisson.protocol.kernel.backoff import Backoff

__all__ = ["TransferSchedule"]

_FIRST_PAUSE_MS = 50.0


@dataclass(slots=True)
class TransferSchedule:
    """Answers one question about one queue: how long until the next transfer?"""

    safety_ms: float
    _next: float | None = 0.0  # the start: at once
    _latest: float | None = field(default=None)  # the safety poll
    _refused: bool = field(default=False)
    _backoff: Backoff = field(init=False)

    def __post_init__(self) -> None:
        self._backoff = Backoff(_FIRST_PAUSE_MS, self.safety_ms)

    def subscribed(self) -> None:
        """The channel is (again) subscribed: what was published before is unknown."""
        self._next = 0.0

    def knows(self, start_ms: float) -> bool:
        """Tell whether to announce this would change nothing.

        Then the next script is sent after this, and its reply tells the head.
        """
        known = self._next
        return known is not None and known <= start_ms

    def announced(self, start_ms: float) -> bool:
        """A due time was published, or an item was offered here; is that before the next look?"""
        self._next = start_ms if self._next is None else min(self._next, start_ms)
        return self._latest is None or start_ms < self._latest

    def ahead_ms(self, now_ms: float) -> float:
        """Return how far the next announced time is away; for ever without one."""
        return math.inf if self._next is None else max(self._next - now_ms, 0.0)

    def sent(self) -> None:
        """The transfer script leaves now; only later announcements count beside its reply."""
        self._next = None
        self._refused = False

    def moved(self, head_ms: float | None, now_ms: float) -> None:
        """The script returned the head that is left."""
        self._backoff.reset()
        self._latest = now_ms + self.safety_ms
        if head_ms is not None:
            self.announced(head_ms)

    def failed(self, now_ms: float) -> None:
        """The script could not be run; try again after a pause that doubles."""
        self._next = None
        self._latest = now_ms + self._backoff.pause()

    def refused(self, now_ms: float) -> None:
        """The server will not run the script until somebody repairs something: ask it rarely."""
        self._refused = True
        self._latest = now_ms + self.safety_ms

    def wait_ms(self, now_ms: float) -> float:
        """Return the milliseconds until the next transfer, 0 when it is due.

        Never more than the safety interval; when the clock was set back, the
        interval begins anew, once.
        """
        if self._next is None and self._latest is None:
            return 0.0
        last = now_ms + self.safety_ms
        self._latest = last if self._latest is None else min(self._latest, last)
        known = None if self._refused else self._next
        moment = self._latest if known is None else min(known, self._latest)
        return min(max(moment - now_ms, 0.0), self.safety_ms)

    def planned_ms(self, now_ms: float) -> float:
        """Return `wait_ms`, but let looks that are only for safety fall together.

        They come up to a tenth of the safety interval sooner, so that many idle queues are
        looked at at the same moments.
        """
        wait = self.wait_ms(now_ms)
        step = self.safety_ms / 10
        announced = self._next is not None and self._next <= now_ms + wait
        return wait if announced or wait <= step else wait - (now_ms + wait) % step
