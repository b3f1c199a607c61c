"""Runs the jobs of one client: a worker for each server, one subscription for all.

The rule: whatever fails, a job runs again when it says so; nothing that one server does
delays the jobs of another.
"""

from __future__ import annotations

import heapq
import itertools
import logging
from collections.abc import Hashable
from typing import Any, Protocol

from pyredisson._async.background.channels import AsyncChannels
from pyredisson._async.link.link import AsyncLink
from pyredisson._runtime.concurrency import (
    AsyncEvent,
    AsyncTask,
    StateLock,
    can_spawn_async,
    monotonic,
)
from pyredisson.protocol.kernel.log_fields import about
from pyredisson.protocol.kernel.outage import Outages
from pyredisson.server_errors import LOST

log = logging.getLogger("pyredisson")

_IDLE = 60.0
_MANY = 8
"""So many due jobs of one server are first looked at together."""


class AsyncJob(Protocol):
    """What a client does again and again. Its methods may be called from any thread."""

    key: str
    """Decides the server."""
    channels: tuple[str, ...]

    def subscribed(self) -> None:
        """A channel is (again) heard: what was published before is unknown."""

    def heard(self, payload: bytes) -> None:
        """A message came on one of the channels."""

    def wait_seconds(self) -> float:
        """Return how long until it wants to run; 0 when it is due."""

    async def run(self, link: AsyncLink) -> None:
        """Do it; what is raised is its server's fault, and that it is lost ends the round."""

    def skipped(self) -> None:
        """It was due, and its server is lost."""

    @staticmethod
    async def sift(link: AsyncLink, jobs: list[Any]) -> list[Any]:
        """Return those of many due jobs that have something to do, by few operations."""


class AsyncWorker:
    """Runs the jobs of one server, one after the other."""

    def __init__(self, jobs: AsyncJobs, home: Hashable) -> None:
        self._jobs = jobs
        self.home = home
        self._lock = StateLock()
        self._planned: dict[AsyncJob, float] = {}
        self._heap: list[tuple[float, int, AsyncJob]] = []
        self._count = itertools.count()
        self._wakeup = AsyncEvent()
        self._wakes_at = 0.0
        self._task: AsyncTask | None = None

    @property
    def alive(self) -> bool:
        """False once its task has ended, or the loop or process that ran it."""
        return self._task is not None and self._task.alive

    def start(self) -> None:
        """Begin to work."""
        where = "" if self.home is None else f" of {self.home}"
        self._task = self._jobs.life.begin(self._work, f"pyredisson jobs{where}")

    async def stop(self, seconds: float) -> None:
        """Wait for the end."""
        if self._task is not None:
            await self._task.stop(seconds)

    def plan(self, job: AsyncJob, *, anew: bool = False) -> None:
        """Run a job when it wants to, unless it runs sooner; `anew` drops what was planned."""
        with self._lock.held:
            when = monotonic() + job.wait_seconds()
            planned = None if anew else self._planned.get(job)
            if planned is not None and planned <= when:
                return
            self._planned[job] = when
            heapq.heappush(self._heap, (when, next(self._count), job))
            sooner = when < self._wakes_at
        if sooner:
            self.wake()

    def wake(self) -> None:
        """Look at the jobs now."""
        self._wakeup.set()

    def forget(self, job: AsyncJob) -> None:
        """Run a job no more."""
        with self._lock.held:
            self._planned.pop(job, None)

    def _due(self) -> list[AsyncJob]:
        """Return the jobs whose time has come; they are planned no more."""
        due = []
        with self._lock.held:
            now = monotonic()
            while self._heap and (self._heap[0][0] <= now or self._is_old(self._heap[0])):
                entry = heapq.heappop(self._heap)
                if not self._is_old(entry):
                    del self._planned[entry[2]]
                    due.append(entry[2])
        return due

    def _is_old(self, entry: tuple[float, int, AsyncJob]) -> bool:
        return self._planned.get(entry[2]) != entry[0]

    def _pause(self) -> float:
        with self._lock.held:
            now = monotonic()
            self._wakes_at = self._heap[0][0] if self._heap else now + _IDLE
            return max(self._wakes_at - now, 0.0)

    async def _work(self) -> None:
        while self._jobs.has(self):
            await self._jobs.settle()
            due = self._due()
            if len(due) >= _MANY:
                due = await self._sifted(due)
            lost = False
            for job in due:
                if not self._jobs.has(self):
                    return
                lost = await self._run(job, lost=lost)
            if not due:
                await self._wakeup.wait(self._pause())
                self._wakes_at = 0.0

    async def _sifted(self, due: list[AsyncJob]) -> list[AsyncJob]:
        mine = [job for job in due if self._jobs.keeps(job, self)]
        left = await self._jobs.sift(mine, self.home)
        for job in set(mine).difference(left):
            self._jobs.plan(job)
        return left

    async def _run(self, job: AsyncJob, *, lost: bool) -> bool:
        """Run one job, or let its own server's worker do it; is the server lost?"""
        if not self._jobs.keeps(job, self):
            return lost
        try:
            if lost:
                job.skipped()
            else:
                lost = await self._jobs.run(job, self.home)
        finally:  # it has heard what was planned meanwhile, and may want to rest all the same
            self._jobs.plan(job, anew=True)
        return lost


class AsyncJobs:
    """The jobs of one client.

    Args:
        link: runs their operations.
        silence: seconds after which a subscription that says nothing is asked.
    """

    def __init__(self, link: AsyncLink, silence: float) -> None:
        self._link = link
        self.life = link.life
        self._silence = silence
        self._jobs: set[AsyncJob] = set()
        self._hearing: dict[str, AsyncJob] = {}
        self._lock = StateLock()
        self._workers: dict[Hashable, AsyncWorker] = {}
        self._channels: AsyncChannels | None = None
        self._listener: AsyncTask | None = None
        self._closing = False
        self._outages = Outages()
        self._failed: dict[AsyncJob, Hashable] = {}
        """Where jobs failed the last time: those of a cluster may go on elsewhere."""

    # -------------------------------------------------------------- jobs come and go

    def add(self, job: AsyncJob) -> None:
        """Run a job from now on."""
        with self._lock.held:
            self._jobs.add(job)
            for channel in job.channels:
                self._hearing[channel] = job
                if self._channels is not None:
                    self._channels.want(channel)
        self.ensure_running()
        self.plan(job)

    def remove(self, job: AsyncJob) -> None:
        """Run a job no more."""
        with self._lock.held:
            self._jobs.discard(job)
            self._failed.pop(job, None)
            for channel in job.channels:
                self._hearing.pop(channel, None)
                if self._channels is not None:
                    self._channels.unwant(channel)
            workers = list(self._workers.values())
        for worker in workers:
            worker.forget(job)
            worker.wake()

    def plan(self, job: AsyncJob, *, anew: bool = False) -> None:
        """A job wants to run at another time than before, or (`anew`) has run."""
        with self._lock.held:
            worker = self._worker_of(job)
        if worker is not None:
            worker.plan(job, anew=anew)

    def hears(self, channel: str) -> bool:
        """Tell whether the server has confirmed a channel."""
        return self._channels is not None and channel in self._channels.confirmed

    # -------------------------------------------------------------- running

    def ensure_running(self) -> None:
        """Start what is not running: at first, in a forked child, in a new loop."""
        if not self._jobs or self._closing or not can_spawn_async() or self._running():
            return
        with self._lock.held:
            if self._running():
                return
            self._workers = {}
            self._channels = AsyncChannels(
                self._link.topology,
                self._on_subscribed,
                self._on_message,
                self._silence,
                min(self._silence, self._link.timeout),
            )
            for channel in self._hearing:
                self._channels.want(channel)
            self._listener = self.life.begin(self._channels.work, "pyredisson subscription")
            for job in self._jobs:
                self._worker_of(job)
            jobs = list(self._jobs)
        for job in jobs:
            self.plan(job)

    def _running(self) -> bool:
        return (
            self._listener is not None
            and self._listener.alive
            and all(worker.alive for worker in list(self._workers.values()))
        )

    def _worker_of(self, job: AsyncJob) -> AsyncWorker | None:
        """Return the worker of a job's server, started where that is needed; under the lock."""
        if self._listener is None or self._closing or job not in self._jobs:
            return None
        home = self._link.topology.home(job.key)
        worker = self._workers.get(home)
        if worker is None and can_spawn_async():
            worker = self._workers[home] = AsyncWorker(self, home)
            worker.start()
        return worker

    def has(self, worker: AsyncWorker) -> bool:
        """Tell whether a worker shall go on."""
        return not self._closing and self._workers.get(worker.home) is worker

    def keeps(self, job: AsyncJob, worker: AsyncWorker) -> bool:
        """Tell whether a due job is this worker's; another's is planned there."""
        if job in self._jobs and self._link.topology.home(job.key) == worker.home:
            return True
        self.plan(job)
        return False

    async def run(self, job: AsyncJob, home: Hashable) -> bool:
        """Run a job of a server; is that lost?"""
        try:
            await job.run(self._link)
        except Exception as error:
            if self._closing or self._link.closed:
                return True
            place = self._failed.setdefault(job, home)
            if job not in self._jobs:  # it was removed meanwhile
                self._failed.pop(job, None)
            news = self._outages.begins(place, monotonic())
            level = logging.WARNING if news else logging.DEBUG
            log.log(
                level,
                "%s and the others of its server wait for it: %s",
                job,
                error,
                extra=about(job.key),
            )
            return isinstance(error, LOST)
        self._served(job, home)
        return False

    def _served(self, job: AsyncJob, home: Hashable) -> None:
        seconds = self._outages.ended(self._failed.pop(job, home), monotonic())
        if seconds is not None:
            log.warning(
                "%s and the others of its server go on after %.1f s",
                job,
                seconds,
                extra=about(job.key),
            )

    async def sift(self, due: list[AsyncJob], home: Hashable) -> list[AsyncJob]:
        """Return those of many due jobs of a server that have something to do."""
        kinds: dict[type[AsyncJob], list[AsyncJob]] = {}
        for job in due:
            kinds.setdefault(type(job), []).append(job)
        left: list[AsyncJob] = []
        for kind, jobs in kinds.items():
            try:
                left += await kind.sift(self._link, jobs)
            except Exception as error:
                log.debug("not looked at together: %r", error)
                left += jobs
            else:
                for job in jobs:
                    self._served(job, home)
        return left

    async def settle(self) -> None:
        """Hear what is wanted."""
        if self._channels is not None:
            try:
                await self._channels.settle()
            except Exception as error:
                log.debug("the subscription could not be changed: %r", error)

    def _on_subscribed(self, channel: str) -> None:
        job = self._hearing.get(channel)
        if job is not None:
            job.subscribed()
            self.plan(job)

    def _on_message(self, channel: str, payload: bytes) -> None:
        job = self._hearing.get(channel)
        if job is not None:
            job.heard(payload)
            self.plan(job)

    async def close(self, seconds: float) -> None:
        """End all of it, and wait so long for what is under way."""
        self._closing = True
        deadline = monotonic() + seconds
        workers = list(self._workers.values())
        for worker in workers:
            worker.wake()
        if self._channels is not None:
            await self._channels.close()
        for worker in workers:
            await worker.stop(max(deadline - monotonic(), 0.0))
        if self._listener is not None:
            await self._listener.stop(max(deadline - monotonic(), 0.0))
