"""The state machine that decides when to transfer next; its caller passes the time.

All times are epoch milliseconds of the server, as floats. The rule is *level triggered*: even if
events were missed, the next transfer is at most the safety interval away. The reply of the transfer
script has the head: the earliest due time that is left. The head never replaces an earlier due time
that was announced after the script was sent, because it is possible that the script ran before that
item was stored. (Redisson's `QueueTransferTask.scheduleTask` replaces the earlier time, in all
releases before 3.5.6 and since 3.8.0.)

======================= ====================================================
event                   next wake-up
======================= ====================================================
start, `subscribed`     now
`announced` t           the earlier of the known time and t
`sent`                  discards the known time, because the reply has the head
`moved` head            the earlier of the head and the times announced since `sent`
`failed`                after a growing pause, at most the safety interval
`refused`               one safety interval later, despite `announced` and `subscribed`
always                  at the latest one safety interval after the last run
======================= ====================================================
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from pyredisson.protocol.kernel.backoff import Pauses

__all__ = ["TransferSchedule"]

_FIRST_PAUSE_MS = 50.0


@dataclass(slots=True)
class TransferSchedule:
    """The time until the next transfer of one queue."""

    safety_ms: float
    _next: float | None = 0.0  # the start: at once
    _latest: float | None = field(default=None)  # the safety poll, or the retry
    _refused: bool = field(default=False)
    _failed: bool = field(default=False)
    _notified: bool = field(default=False)  # the known time was announced after the last reply
    _backoff: Pauses = field(init=False)

    def __post_init__(self) -> None:
        self._backoff = Pauses(_FIRST_PAUSE_MS, self.safety_ms)

    def subscribed(self) -> None:
        """Record a new subscription: messages published before it are unknown."""
        self._next = 0.0

    def knows(self, start_ms: float) -> bool:
        """Return whether an earlier or the same time is known, so that `announced` changes nothing.

        Then the caller need not announce the time of a stored item: the next script is sent after
        this call, so its reply considers the item.
        """
        known = self._next
        return known is not None and known <= start_ms

    def announced(self, start_ms: float) -> bool:
        """Record the due time of an item that was published or offered.

        Return True if the time is before the next safety poll or retry, or before the first run.
        """
        if not self.knows(start_ms):
            self._next, self._notified = start_ms, True
        return self._latest is None or start_ms < self._latest

    def ahead_ms(self, now_ms: float) -> float:
        """Return the ms until the known due time: 0 if it is past, infinity if no time is known."""
        return math.inf if self._next is None else max(self._next - now_ms, 0.0)

    def sent(self) -> None:
        """Discard the known time before the script is sent, because its reply has the head."""
        self._next = None
        self._refused = False

    def moved(self, head_ms: float | None, now_ms: float) -> None:
        """Record the script's reply: the new head, or None if no item is pending."""
        self._backoff.reset()
        self._latest = now_ms + self.safety_ms
        self._failed = False
        if head_ms is not None and not self.knows(head_ms):
            self._next, self._notified = head_ms, False

    def failed(self, now_ms: float) -> None:
        """Record a failure of the script; each one doubles the pause, up to the safety interval."""
        self._next = None
        self._failed = True
        self._latest = now_ms + self._backoff.pause()

    def refused(self, now_ms: float) -> None:
        """Record a rejection whose cause a user must fix; retry after the safety interval."""
        self._refused = True
        self._latest = now_ms + self.safety_ms

    def cause(self, now_ms: float) -> str:
        """Return why a transfer runs now; see `Hooks.on_wake`."""
        if self._failed or self._refused:
            return "retry"
        if self._next is None or self._next > now_ms:
            return "safety"
        if self._next == 0.0:
            return "subscribed"
        return "notified" if self._notified else "due"

    def wait_ms(self, now_ms: float) -> float:
        """Return the milliseconds until the next transfer, at most the safety interval.

        The result is 0 if the transfer must run at once. If the server's clock was set back, the
        safety interval starts again, once.
        """
        if self._next is None and self._latest is None:
            return 0.0
        last = now_ms + self.safety_ms
        self._latest = last if self._latest is None else min(self._latest, last)
        known = None if self._refused else self._next
        moment = self._latest if known is None else min(known, self._latest)
        return min(max(moment - now_ms, 0.0), self.safety_ms)

    def planned_ms(self, now_ms: float) -> float:
        """Return `wait_ms`, or less for a safety poll or a retry.

        These run up to a tenth of the safety interval earlier, so that many idle queues are polled
        at the same moments.
        """
        wait = self.wait_ms(now_ms)
        step = self.safety_ms / 10
        announced = self._next is not None and self._next <= now_ms + wait
        return wait if announced or wait <= step else wait - (now_ms + wait) % step
