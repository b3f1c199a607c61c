"""The transfer tasks of one client: they move what is due to the queues that consumers read.

One `TransferSchedule` a queue says when; one loop serves them all, and one
subscription wakes it.  The rule is that of the schedule: whatever fails, the
next look at a queue is at most the safety interval away.
"""

from __future__ import annotations

import logging
import math

from pyredisson._async.link.link import AsyncLink
from pyredisson._async.link.outcomes import LOST
from pyredisson._async.subscriber import AsyncSubscriber
from pyredisson._compat import (
    AsyncEvent,
    AsyncTask,
    StateLock,
    can_spawn_async,
    monotonic,
)
from pyredisson.codecs import ByteArrayCodec
from pyredisson.protocol.clock import ServerClock
from pyredisson.protocol.delayed_queue import DelayedQueueProtocol, Transferred
from pyredisson.protocol.names import QueueNames
from pyredisson.protocol.transfer import TransferSchedule
from pyredisson.stats import TransferStats

log = logging.getLogger("pyredisson")

BATCH = 100
"""Items that one script moves at most, as Redisson's does."""


class AsyncTransferTask:
    """One queue's schedule and counters; its methods may be called from any thread."""

    def __init__(self, names: QueueNames, safety_interval: float) -> None:
        self.names = names
        self.protocol = DelayedQueueProtocol(names, ByteArrayCodec())
        self.users = 0
        self.runs = 0
        self.failures = 0
        self.poisoned = 0
        self.succeeded: float | None = None
        self.clock = ServerClock()
        self._schedule = TransferSchedule(safety_interval * 1000)
        self._lock = StateLock()

    def _now_ms(self) -> float:
        return self.clock.earliest_ms(monotonic())

    def subscribed(self) -> None:
        """See `TransferSchedule.subscribed`."""
        with self._lock:
            self._schedule.subscribed()

    def announced(self, start_ms: float) -> None:
        """See `TransferSchedule.announced`."""
        with self._lock:
            self._schedule.announced(start_ms)

    def wait_seconds(self) -> float:
        """Return how long until the next transfer."""
        with self._lock:
            return self._schedule.wait_ms(self._now_ms()) / 1000

    async def transfer(self, link: AsyncLink) -> None:
        """Run the script once; raises what the link raises."""
        try:
            self.clock = await link.clock(self.names.name)
            with self._lock:
                self._schedule.sent()
            now = math.floor(self._now_ms())
            result = await link.request(self.protocol.transfer(now, BATCH))
        except BaseException:
            self.failed()
            raise
        self._moved(result)

    def failed(self) -> None:
        """The server could not be asked."""
        self.failures += 1
        with self._lock:
            self._schedule.failed(self._now_ms())

    def _moved(self, result: Transferred) -> None:
        self.runs += 1
        self.succeeded = monotonic()
        with self._lock:
            self._schedule.moved(result.next_ms, self._now_ms())
        if result.poison:
            self.poisoned += result.poison
            log.error(
                "queue %r: %d pending members are of no format that Redisson writes; "
                "they are kept in the list %r",
                self.names.name,
                result.poison,
                self.names.poison,
            )


class AsyncTransferService:
    """Starts, counts and runs the transfer tasks of one client."""

    def __init__(self, link: AsyncLink, safety_interval: float) -> None:
        self._link = link
        self._safety_interval = safety_interval
        self._tasks: dict[str, AsyncTransferTask] = {}
        self._channels: dict[str, AsyncTransferTask] = {}
        self._lock = StateLock()
        self._wakeup: AsyncEvent | None = None
        self._subscriber: AsyncSubscriber | None = None
        self._workers: list[AsyncTask] = []
        self._closing = False

    # -------------------------------------------------------------- handles

    def acquire(self, names: QueueNames) -> None:
        """Count one more user of a queue's task and start what is not running."""
        with self._lock:
            task = self._tasks.get(names.name)
            if task is None:
                task = AsyncTransferTask(names, self._safety_interval)
                self._tasks[names.name] = self._channels[names.channel] = task
                if self._subscriber is not None:
                    self._subscriber.want(names.channel)
            task.users += 1
        self.ensure_running()
        if task.users == 1:
            self._wake()

    def release(self, names: QueueNames) -> None:
        """Count one user less; the last one ends the task."""
        with self._lock:
            task = self._tasks.get(names.name)
            if task is None:
                return
            task.users -= 1
            if task.users > 0:
                return
            del self._tasks[names.name], self._channels[names.channel]
            if self._subscriber is not None:
                self._subscriber.unwant(names.channel)
        self._wake()

    def announced(self, names: QueueNames, due_ms: int) -> None:
        """An item was offered here: no need to wait for its publication."""
        task = self._tasks.get(names.name)
        if task is not None:
            task.announced(due_ms)
            self._wake()

    def ensure_running(self) -> None:
        """Start the loop where it is not running: at first, in a forked child, in a new loop."""
        if not self._tasks or self._closing or not can_spawn_async():
            return
        if self._workers and all(worker.alive for worker in self._workers):
            return
        with self._lock:
            if self._workers and all(worker.alive for worker in self._workers):
                return
            self._wakeup = AsyncEvent()
            self._subscriber = AsyncSubscriber(
                self._link.topology,
                self._on_subscribed,
                self._on_message,
                ping_after=self._safety_interval,
            )
            for channel in self._channels:
                self._subscriber.want(channel)
            self._workers = [
                AsyncTask(self._subscriber.work, name="pyredisson subscription"),
                AsyncTask(self._work, name="pyredisson transfer"),
            ]

    def stats(self) -> list[TransferStats]:
        """Return what each task has done."""
        confirmed = self._subscriber.confirmed if self._subscriber else set()
        return [
            TransferStats(
                queue=task.names.name,
                handles=task.users,
                runs=task.runs,
                failures=task.failures,
                poisoned=task.poisoned,
                seconds_since_success=(
                    None if task.succeeded is None else monotonic() - task.succeeded
                ),
                subscribed=task.names.channel in confirmed,
            )
            for task in list(self._tasks.values())
        ]

    # -------------------------------------------------------------- wake-ups

    def _wake(self) -> None:
        if self._wakeup is not None:
            self._wakeup.set()

    def _on_subscribed(self, channel: str) -> None:
        task = self._channels.get(channel)
        if task is not None:
            task.subscribed()
            self._wake()

    def _on_message(self, channel: str, payload: bytes) -> None:
        task = self._channels.get(channel)
        if task is None:
            return
        try:
            task.announced(int(payload))
        except ValueError:  # junk says only that somebody published: look
            task.subscribed()
        self._wake()

    # -------------------------------------------------------------- the loop

    async def _work(self) -> None:
        wakeup, subscriber = self._wakeup, self._subscriber
        if wakeup is None or subscriber is None:
            return
        while not self._closing and subscriber is self._subscriber:
            try:
                await subscriber.settle()
            except Exception as error:
                log.debug("the subscription could not be changed: %r", error)
            await self._round()
            await wakeup.wait(self._pause())

    def _pause(self) -> float:
        waits = [task.wait_seconds() for task in list(self._tasks.values())]
        return min(waits, default=60.0)

    async def _round(self) -> None:
        """Run the script of each queue that has something due."""
        lost = False
        for task in list(self._tasks.values()):
            if self._closing or task.wait_seconds() > 0:
                continue
            if lost:
                task.failed()
                continue
            try:
                await task.transfer(self._link)
            except Exception as error:
                lost = isinstance(error, LOST) and not self._link.topology.clustered
                log.warning("transfer of queue %r failed: %s", task.names.name, error)

    async def close(self) -> None:
        """End the loop and the subscription."""
        self._closing = True
        self._wake()
        if self._subscriber is not None:
            await self._subscriber.close()
        for worker in self._workers:
            await worker.stop(2.0)
        self._workers = []
