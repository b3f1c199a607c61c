"""The transfer task of one queue: it moves due items to the target queue.

A `TransferSchedule` decides when the task runs. The rule: after any failure, the next run follows
within one safety interval. After a lasting rejection, it follows only at the end of this interval.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterator, Sequence

from pyredisson._async.background.cleanup import AsyncCleanup
from pyredisson._async.background.interfaces import AsyncChannelListener, AsyncPeriodicJob
from pyredisson._async.link.capabilities import refused
from pyredisson._async.link.link import AsyncLink
from pyredisson._async.waits.slices import rejects
from pyredisson._runtime.concurrency import LEAD, StateLock, lead_async, monotonic, until_async
from pyredisson.codecs import ByteArrayCodec
from pyredisson.protocol.delayed.delayed_queue import DelayedQueueProtocol, Transferred, heads_of
from pyredisson.protocol.delayed.transfer_schedule import TransferSchedule
from pyredisson.protocol.kernel.capabilities import SEVERAL
from pyredisson.protocol.kernel.clock import ServerClock
from pyredisson.protocol.kernel.log_fields import about
from pyredisson.protocol.kernel.names import ConsumerNames, QueueNames, slot
from pyredisson.protocol.kernel.outage import Outages
from pyredisson.server_errors import LOST, NoPermissionError, ReplyError

log = logging.getLogger("pyredisson")

BATCH = 750
"""The most items that one script moves; fewer if it searches long lists (Redisson moves 100)."""
_CHECKED_TOGETHER = 500
"""Queues that one script checks at most."""
_DIGITS = 16
"""The most digits that a due time in epoch milliseconds has."""
_AHEAD = 5.0
"""Seconds by which the clock's sample is renewed early: no due item must wait for a sample."""
_EARLY = 0.0003
"""If the next due time is more than these seconds away, there is time to read the clock before."""


class AsyncTransferTask(AsyncPeriodicJob, AsyncChannelListener):
    """The transfer job of one queue; its methods may be called from any thread."""

    def __init__(
        self,
        names: QueueNames,
        safety_interval: float,
        emit: Callable[..., None] | None = None,
        *,
        due_times: bool = False,
    ) -> None:
        self.names = names
        self._emit = emit
        self._due_times = due_times
        self.key = names.name
        self.channels = (names.channel,)
        self.protocol = DelayedQueueProtocol(names, ByteArrayCodec())
        self.cleanup = AsyncCleanup(ConsumerNames.of(names.name), safety_interval * 1000, emit)
        self.watchers: list[Callable[[], None]] = []
        self.runs = 0
        self.failures = 0
        self.poisoned = 0
        self.refused: str | None = None
        self.succeeded: float | None = None
        self.started = monotonic()
        self.clock = ServerClock()
        self.schedule = TransferSchedule(safety_interval * 1000)
        self._outages = Outages()
        self._is_down = self._is_awake = False
        self._lock = StateLock()

    def __repr__(self) -> str:
        return f"transfer of queue {self.names.name!r}"

    def _now_ms(self) -> float:
        return self.clock.earliest_ms(monotonic())

    def on_subscribed(self, channel: str) -> None:
        """See `TransferSchedule.subscribed`."""
        with self._lock.held:
            self.schedule.subscribed()

    def on_message(self, channel: str, payload: bytes) -> None:
        """Handle a published due time; for any other payload, run the transfer at once."""
        if payload.isdigit() and len(payload) <= _DIGITS:
            self.announced(int(payload))
        else:
            self.on_subscribed(channel)

    def announced(self, start_ms: float) -> bool:
        """See `TransferSchedule.announced`."""
        with self._lock.held:
            return self.schedule.announced(start_ms)

    def wait_seconds(self) -> float:
        """Return the seconds until the next transfer, less `lead_async` if an item is due then."""
        with self._lock.held:
            now = self._now_ms()
            wait = self.schedule.planned_ms(now)
            early = lead_async(wait / 1000) if self.schedule.ahead_ms(now) <= wait else 0.0
            return max(wait / 1000 - early, 0.0)

    async def run(self, link: AsyncLink) -> None:
        """Transfer due items; log a rejection that is not transient, and raise any other error."""
        self._woke()
        self._is_awake = False
        try:
            if not await self._needed(link):
                self.clock = await link.clock(self.key, ahead=_AHEAD)
                return
            now = await self._begin(link)
            counted, due_times = self._emit is not None, self._due_times
            result = await link.request(
                self.protocol.transfer(now, BATCH, counted=counted, due_times=due_times)
            )
        except BaseException as error:
            self._failed_with(error)
            if not rejects(error):
                raise
            self._rejected(str(error))
        else:
            self._moved(result)
            for wake in tuple(self.watchers):
                wake()
            self._recovered()
            ends = await self.cleanup.reap(link, self._now_ms())
            if ends is not None:
                self.announced(ends)
            await self.cleanup.forget_keys(link, self._now_ms())
            self.clock = await link.clock(self.key, ahead=_AHEAD)

    def _woke(self) -> None:
        """Emit `on_wake` with the cause, one time for each wake-up."""
        if self._emit is None or self._is_awake:
            return
        self._is_awake = True
        with self._lock.held:
            cause = self.schedule.cause(self._now_ms() + LEAD * 1000)
        self._emit("on_wake", self.key, cause)

    async def _needed(self, link: AsyncLink) -> bool:
        """Return whether to run the transfer; ask the server unless a due item is known."""
        with self._lock.held:
            known = self._ahead() <= LEAD
        if known or self.refused or not self.cleanup.may_check(self._now_ms()):
            return True
        now = await self._begin(link)
        try:
            [head] = await link.request(heads_of([self.cleanup.names]))
        except ReplyError as error:
            if not refused(error):
                raise
            self.cleanup.check_rejected(self._now_ms(), error)
            return True
        return self._is_due(head, now)

    def _is_due(self, head: float | None, now: int) -> bool:
        """Handle the time of the next work, from `heads_of`; return whether to run the transfer."""
        if head is not None and head <= now:
            self.announced(head)
            self.cleanup.hurry()
            return True
        if self.refused:  # only a transfer shows whether the server accepts it again
            return True
        self._moved(Transferred(head, 0))
        return False

    async def _begin(self, link: AsyncLink) -> int:
        """Read the server's clock just before a request, and return its time in milliseconds.

        A task that was woken early reads the clock anew, which also wakes up an idle server. Then
        the task waits for the due time, if that is at most `LEAD` away.
        """
        with self._lock.held:
            early = _EARLY < self._ahead() <= LEAD
        self.clock = await link.clock(self.key, ahead=math.inf if early else 0.0)
        with self._lock.held:
            ahead = self._ahead()
        if ahead <= LEAD:
            await until_async(monotonic() + ahead)
        with self._lock.held:
            self.schedule.sent()
        return math.floor(self._now_ms())

    def _ahead(self) -> float:
        """Return the seconds until the known due time; infinity if none is known."""
        return self.schedule.ahead_ms(self._now_ms()) / 1000

    @staticmethod
    async def filter_due(
        link: AsyncLink, jobs: Sequence[AsyncTransferTask]
    ) -> list[AsyncTransferTask]:
        """Ask for the next work of many queues at once; return the tasks with something to do.

        If the server rejects such a request, return all its tasks. Each task then asks alone.
        """
        due: list[AsyncTransferTask] = []
        for tasks in _together(jobs, clustered=link.topology.clustered):
            now = 0
            if link.rejections.now(SEVERAL):
                due += tasks
                continue
            try:
                for task in tasks:
                    task._woke()
                    now = await task._begin(link)
                heads = await link.request(heads_of([task.cleanup.names for task in tasks]))
            except BaseException as error:
                if rejects(error):
                    if isinstance(error, ReplyError) and not isinstance(error, NoPermissionError):
                        link.rejections.note(SEVERAL, error)
                    due += tasks
                    continue
                for task in tasks:
                    task._failed_with(error)
                raise
            for task, head in zip(tasks, heads, strict=True):
                if task._is_due(head, now):
                    due.append(task)
        return due

    def skipped(self) -> None:
        """Pause: the server is lost."""
        if self._emit is not None and not self._is_down:
            self._emit("on_outage", self.key)
        self._is_down = True
        self._failed_with(None)

    def _failed_with(self, error: BaseException | None) -> None:
        """Pause after an error; None stands for a lost server that `skipped` has noted."""
        if isinstance(error, LOST) and not rejects(error):
            self.skipped()
            return
        self.failures += 1
        self._is_awake = False
        with self._lock.held:
            self.schedule.failed(self._now_ms())

    def _rejected(self, error: str) -> None:
        """Log a rejection once, and retry the transfer only after the safety interval."""
        with self._lock.held:
            self.schedule.refused(self._now_ms())
        self._outages.begins("refused", monotonic())
        if error != self.refused:
            self.refused = error
            log.error(
                "queue %r: the transfer is rejected: %s; nothing is lost, but due items stay "
                "pending until this is fixed; retried every %g s",
                self.names.name,
                error,
                self.schedule.safety_ms / 1000,
                extra=about(self.key),
            )

    def _recovered(self) -> None:
        seconds = self._outages.ended("refused", monotonic())
        if seconds is not None:
            log.error(
                "queue %r: the transfer is no longer rejected, after %.1f s",
                self.names.name,
                seconds,
                extra=about(self.key),
            )
            self.refused = None

    def _moved(self, result: Transferred) -> None:
        self.runs += 1
        self.succeeded = monotonic()
        self._is_awake = self._is_down = False
        with self._lock.held:
            self.schedule.moved(result.next_ms, self._now_ms())
        if result.moved and self._emit is not None:
            self._emit("on_transfer", self.names.name, result.moved)
        if result.poison:
            self.poisoned += result.poison
            log.error(
                "queue %r: %d pending entries have no format that Redisson writes; "
                "they were moved to the list %r",
                self.names.name,
                result.poison,
                self.names.poison,
                extra=about(self.key),
            )


def _together(
    tasks: Sequence[AsyncTransferTask], *, clustered: bool
) -> Iterator[list[AsyncTransferTask]]:
    """Split tasks into groups whose keys one script may use."""
    groups: dict[int, list[AsyncTransferTask]] = {}
    for task in tasks:
        groups.setdefault(slot(task.names.timeout_set) if clustered else 0, []).append(task)
    for group in groups.values():
        for first in range(0, len(group), _CHECKED_TOGETHER):
            yield group[first : first + _CHECKED_TOGETHER]
