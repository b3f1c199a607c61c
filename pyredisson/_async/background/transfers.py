"""The transfer tasks of one client: they move what is due to the queues that consumers read.

One `TransferSchedule` a queue says when; each is a job of the client.  The rule is that
of the schedule: whatever fails, the next look at a queue is at most the safety interval away;
and it is not sooner where the server refuses what it will refuse again.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from pyredisson._async.background.jobs import AsyncJobs
from pyredisson._async.background.remains import AsyncCleanup
from pyredisson._async.link.capabilities import refused
from pyredisson._async.link.link import AsyncLink
from pyredisson._async.waits.slices import passes
from pyredisson._runtime.concurrency import LEAD, StateLock, lead_async, monotonic, until_async
from pyredisson.codecs import ByteArrayCodec
from pyredisson.protocol.delayed.delayed_queue import DelayedQueueProtocol, Transferred, heads_of
from pyredisson.protocol.delayed.transfer_schedule import TransferSchedule
from pyredisson.protocol.kernel.capabilities import SEVERAL
from pyredisson.protocol.kernel.clock import ServerClock
from pyredisson.protocol.kernel.log_fields import about
from pyredisson.protocol.kernel.names import ConsumerNames, QueueNames, slot
from pyredisson.protocol.kernel.outage import Outages
from pyredisson.server_errors import NoPermissionError, ReplyError

if TYPE_CHECKING:
    from pyredisson.stats import TransferStats

log = logging.getLogger("pyredisson")

BATCH = 750
"""Items that one script moves at most; fewer where it searches long lists (Redisson moves 100)."""

LOOKS = 500
"""Queues that one script looks at, at most."""


_AHEAD = 5.0
"""Seconds by which the clock is looked at before it is stale: what is due waits for nothing."""


_EARLY = 0.0003
"""Seconds that suffice for a look at the clock before something falls due."""


class AsyncTransferTask:
    """One queue's schedule and counters; its methods may be called from any thread."""

    def __init__(
        self,
        names: QueueNames,
        safety_interval: float,
        tell: Callable[..., None] | None = None,
        *,
        due_times: bool = False,
    ) -> None:
        self.names = names
        self._tell = tell
        self._due_times = due_times
        self.key = names.name
        self.channels: tuple[str, ...] = (names.channel,)
        self.protocol = DelayedQueueProtocol(names, ByteArrayCodec())
        self.remains = AsyncCleanup(ConsumerNames.of(names.name), safety_interval * 1000, tell)
        self.users = 0
        self.watchers: list[Callable[[], None]] = []
        self.runs = 0
        self.failures = 0
        self.poisoned = 0
        self.refused: str | None = None
        self.succeeded: float | None = None
        self.clock = ServerClock()
        self.schedule = TransferSchedule(safety_interval * 1000)
        self._outages = Outages()
        self._lock = StateLock()

    def __repr__(self) -> str:
        return f"transfer of queue {self.names.name!r}"

    def _now_ms(self) -> float:
        return self.clock.earliest_ms(monotonic())

    def subscribed(self) -> None:
        """See `TransferSchedule.subscribed`."""
        with self._lock.held:
            self.schedule.subscribed()

    def heard(self, payload: bytes) -> None:
        """Take a due time that was published; junk says only that somebody published: look."""
        try:
            self.announced(int(payload))
        except ValueError:
            self.subscribed()

    def announced(self, start_ms: float) -> bool:
        """See `TransferSchedule.announced`."""
        with self._lock.held:
            return self.schedule.announced(start_ms)

    def wait_seconds(self) -> float:
        """Return how long until the next transfer, for what falls due less the time to wake up."""
        with self._lock.held:
            now = self._now_ms()
            wait = self.schedule.planned_ms(now)
            early = lead_async(wait / 1000) if self.schedule.ahead_ms(now) <= wait else 0.0
            return max(wait / 1000 - early, 0.0)

    async def run(self, link: AsyncLink) -> None:
        """Run the script once; raises what may pass by itself."""
        try:
            if not await self._needed(link):
                self.clock = await link.clock(self.key, ahead=_AHEAD)
                return
            now = await self._begin(link)
            counted, due_times = self._tell is not None, self._due_times
            result = await link.request(
                self.protocol.transfer(now, BATCH, counted=counted, due_times=due_times)
            )
        except BaseException as error:
            self.skipped()
            if passes(error) or not isinstance(error, ReplyError):
                raise
            self._refuse(str(error))
        else:
            self._moved(result)
            for tell in tuple(self.watchers):
                tell()
            self._mended()
            ends = await self.remains.reap(link, self._now_ms())
            if ends is not None:
                self.announced(ends)
            await self.remains.forget_keys(link, self._now_ms())
            self.clock = await link.clock(self.key, ahead=_AHEAD)

    async def _needed(self, link: AsyncLink) -> bool:
        """Tell whether the script may have to move anything, or consumers have left anything."""
        with self._lock.held:
            known = self._ahead() <= LEAD
        if known or self.refused or not self.remains.may_look(self._now_ms()):
            return True
        now = await self._begin(link)
        try:
            [head] = await link.request(heads_of([self.remains.names]))
        except ReplyError as error:
            if not refused(error):
                raise
            self.remains.may_not_look(self._now_ms(), error)
            return True
        return self._looked(head, now)

    def _looked(self, head: float | None, now: int) -> bool:
        """Take what `heads_of` said; is there anything to do?"""
        if head is not None and head <= now:
            self.announced(head)
            self.remains.hurry()
            return True
        if self.refused:  # that nothing is due does not say that it would be moved
            return True
        self._moved(Transferred(head, 0))
        return False

    async def _begin(self, link: AsyncLink) -> int:
        """Look at the clock, just before the server is asked.

        Whoever was woken early asks it the time again: a server that rested is awake then, too.
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
        """Return how many seconds the next announced time is away."""
        return self.schedule.ahead_ms(self._now_ms()) / 1000

    @staticmethod
    async def sift(link: AsyncLink, jobs: list[AsyncTransferTask]) -> list[AsyncTransferTask]:
        """Ask for the heads of many queues at once; return those that are due.

        Where that is refused each is due, and hears by itself whether it is refused as well.
        """
        due: list[AsyncTransferTask] = []
        for tasks in _together(jobs, clustered=link.topology.clustered):
            now = 0
            if link.lacking.now(SEVERAL):
                due += tasks
                continue
            try:
                for task in tasks:
                    now = await task._begin(link)
                heads = await link.request(heads_of([task.remains.names for task in tasks]))
            except BaseException as error:
                if isinstance(error, ReplyError) and not passes(error):
                    if not isinstance(error, NoPermissionError):
                        link.lacking.note(SEVERAL, error)
                    due += tasks
                    continue
                for task in tasks:
                    task.skipped()
                raise
            for task, head in zip(tasks, heads, strict=True):
                if task._looked(head, now):
                    due.append(task)
        return due

    def skipped(self) -> None:
        """The server could not be asked."""
        self.failures += 1
        with self._lock.held:
            self.schedule.failed(self._now_ms())

    def _refuse(self, error: str) -> None:
        """What the server will refuse again is said once, and asked for rarely."""
        with self._lock.held:
            self.schedule.refused(self._now_ms())
        self._outages.begins("refused", monotonic())
        if error != self.refused:
            self.refused = error
            log.error(
                "queue %r: the transfer is refused: %s; nothing is lost, but what is due stays "
                "pending until that is mended; tried again every %g s",
                self.names.name,
                error,
                self.schedule.safety_ms / 1000,
                extra=about(self.key),
            )

    def _mended(self) -> None:
        seconds = self._outages.ended("refused", monotonic())
        if seconds is not None:
            log.error(
                "queue %r: the transfer is not refused any more, after %.1f s",
                self.names.name,
                seconds,
                extra=about(self.key),
            )
            self.refused = None

    def _moved(self, result: Transferred) -> None:
        self.runs += 1
        self.succeeded = monotonic()
        with self._lock.held:
            self.schedule.moved(result.next_ms, self._now_ms())
        if result.moved and self._tell is not None:
            self._tell("on_transfer", self.names.name, result.moved)
        if result.poison:
            self.poisoned += result.poison
            log.error(
                "queue %r: %d pending members are of no format that Redisson writes; "
                "they are kept in the list %r",
                self.names.name,
                result.poison,
                self.names.poison,
                extra=about(self.key),
            )


def _together(
    tasks: list[AsyncTransferTask], *, clustered: bool
) -> Iterator[list[AsyncTransferTask]]:
    """Split tasks into those whose keys one script may have."""
    groups: dict[int, list[AsyncTransferTask]] = {}
    for task in tasks:
        groups.setdefault(slot(task.names.timeout_set) if clustered else 0, []).append(task)
    for group in groups.values():
        for first in range(0, len(group), LOOKS):
            yield group[first : first + LOOKS]


class AsyncTransfers:
    """Starts and counts the transfer tasks of one client."""

    def __init__(
        self,
        jobs: AsyncJobs,
        safety_interval: float,
        tell: Callable[..., None] | None = None,
        *,
        due_times: bool = False,
    ) -> None:
        self._jobs = jobs
        self._make = partial(
            AsyncTransferTask, safety_interval=safety_interval, tell=tell, due_times=due_times
        )
        self._tasks: dict[str, AsyncTransferTask] = {}
        self._lock = StateLock()
        self.ensure_running = jobs.ensure_running
        """Start what is not running: at first, in a forked child, in a new loop."""

    def acquire(self, names: QueueNames) -> None:
        """Count one more user of a queue's task; the first one starts it."""
        with self._lock.held:
            task = self._tasks.get(names.name)
            if task is None:
                task = self._tasks[names.name] = self._make(names)
            task.users += 1
            first = task.users == 1
        if first:
            self._jobs.add(task)
        else:
            self._jobs.ensure_running()

    def release(self, names: QueueNames) -> None:
        """Count one user less; the last one ends the task."""
        with self._lock.held:
            task = self._tasks.get(names.name)
            if task is None:
                return
            task.users -= 1
            if task.users > 0:
                return
            del self._tasks[names.name]
        self._jobs.remove(task)

    def close(self) -> None:
        """Nothing to do: the jobs are ended by their owner."""

    def kill(self) -> None:
        """Nothing to do."""

    def announced(self, names: QueueNames, due_ms: int) -> None:
        """An item was offered here: no need to wait for its publication.

        The worker is woken only for what is due before its next look: that takes longer than the
        offer itself.
        """
        task = self._tasks.get(names.name)
        if task is None or task.schedule.knows(due_ms):  # without the lock: asked at each offer
            return
        if task.announced(due_ms):
            self._jobs.plan(task)

    def watch(self, names: QueueNames, tell: Callable[[], None]) -> None:
        """Call something whenever what is due was moved to a queue, as long as it has a task."""
        task = self._tasks.get(names.name)
        if task is not None:
            task.watchers.append(tell)

    def unwatch(self, names: QueueNames, tell: Callable[[], None]) -> None:
        """Do not call it any more."""
        task = self._tasks.get(names.name)
        if task is not None and tell in task.watchers:
            task.watchers.remove(tell)

    def __len__(self) -> int:
        """Return how many tasks there are."""
        return len(self._tasks)

    def stats(self) -> list[TransferStats]:
        """Return what each task has done."""
        from pyredisson.stats import TransferStats  # noqa: PLC0415 - seldom

        return [
            TransferStats(
                queue=task.names.name,
                handles=task.users,
                runs=task.runs,
                failures=task.failures,
                poisoned=task.poisoned,
                expired=task.remains.expired,
                seconds_since_success=(
                    None if task.succeeded is None else monotonic() - task.succeeded
                ),
                subscribed=self._jobs.hears(task.names.channel),
                refused=task.refused,
            )
            for task in list(self._tasks.values())
        ]
