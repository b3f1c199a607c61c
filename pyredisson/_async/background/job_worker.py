"""Runs the jobs of one server, one after the other. Urgent jobs have a separate worker.

The rule: a job is planned at the time that `wait_seconds` returns, and again after each run. If a
job fails and is still due, it rests for a while. Each failure makes this pause longer, up to 2 s.
"""

from __future__ import annotations

import heapq
import itertools
import logging
import math
from collections.abc import Hashable, Sequence
from typing import Protocol

from pyredisson._async.background.interfaces import AsyncPeriodicJob
from pyredisson._async.link.lifetime import ON_CONNECT, AsyncLifetime
from pyredisson._runtime.concurrency import AsyncEvent, AsyncTask, StateLock, monotonic
from pyredisson.protocol.kernel.backoff import Rests
from pyredisson.protocol.kernel.log_fields import about

log = logging.getLogger("pyredisson")

_IDLE = 60.0
"""The longest sleep in seconds."""
_MANY = 8
"""From this number on, the due jobs of one server are first checked by `filter_due`."""
_SPARE = 100
"""Entries that the heap may hold beyond twice the planned jobs, before old ones are removed."""
_AFTER_ERROR = 1.0
"""Seconds until the next run of a job whose `wait_seconds` raised an error."""


class AsyncJobs(Protocol):
    """The methods of the kernel that a worker needs."""

    life: AsyncLifetime

    def has(self, worker: AsyncJobWorker) -> bool:
        """Return whether a worker must continue."""

    def owns(self, job: AsyncPeriodicJob, worker: AsyncJobWorker) -> bool:
        """Return whether a due job belongs to a worker; if not, plan the job at its own worker."""

    def plan(self, job: AsyncPeriodicJob, *, anew: bool = False) -> None:
        """Plan a job whose next run is earlier now, or with `anew` a job that has run."""

    async def settle(self) -> None:
        """Subscribe to the channels that are wanted now."""

    async def filter_due(
        self, due: Sequence[AsyncPeriodicJob], home: Hashable
    ) -> Sequence[AsyncPeriodicJob]:
        """Return the jobs that have something to do, from many due jobs of a server."""

    async def run(self, job: AsyncPeriodicJob, home: Hashable) -> bool | None:
        """Run a job of a server, and return None.

        After a failure, return whether the other due jobs of the server must be skipped.
        """


class AsyncJobWorker:
    """Runs the jobs of one server, one after the other.

    Args:
        jobs: the kernel.
        home: the address of a cluster node, or None for any other server. The kernel's `_LISTENS`
            stands for no server: the worker only subscribes.
        here: for urgent jobs, their process and event loop (`surroundings_async`); otherwise None.
    """

    def __init__(self, jobs: AsyncJobs, home: Hashable, here: object) -> None:
        self._jobs = jobs
        self.home = home
        self.here = here
        self._lock = StateLock()
        self._planned: dict[AsyncPeriodicJob, float] = {}
        self._rests = Rests()
        self._heap: list[tuple[float, int, AsyncPeriodicJob]] = []
        self._count = itertools.count()
        self._wakeup = AsyncEvent()
        self._wakes_at = 0.0
        self._beat = monotonic()
        self._hurried = False
        self._task: AsyncTask | None = None

    @property
    def alive(self) -> bool:
        """Whether its task runs in this process and event loop."""
        return self._task is not None and self._task.alive

    @property
    def late(self) -> float:
        """Seconds since the worker should have continued; infinite if it has ended.

        If the worker does not wait, this is the duration of its present step.
        """
        return self._since(max(self._beat, self._wakes_at))

    def _since(self, moment: float) -> float:
        return max(monotonic() - moment, 0.0) if self.alive else math.inf

    def has(self, job: AsyncPeriodicJob) -> bool:
        """Return whether the job is planned here; also if `wait_seconds` returned infinity."""
        return job in self._planned

    def behind(self, job: AsyncPeriodicJob) -> float:
        """Return the seconds by which a job is late; infinite if the worker has ended.

        A job that is not planned, such as a running job, is as late as the worker.
        """
        planned = self._planned.get(job)
        return self.late if planned is None else self._since(planned)

    def start(self) -> None:
        """Start the task."""
        where = "" if self.home is None else f" of {self.home}"
        self._task = self._jobs.life.begin(self._work, f"pyredisson jobs{where}")

    async def stop(self, seconds: float) -> None:
        """Wait up to `seconds` for the end of the task; see `AsyncTask.stop`."""
        if self._task is not None:
            await self._task.stop(seconds)

    def plan(self, job: AsyncPeriodicJob, *, anew: bool = False) -> None:
        """Plan a job, unless an earlier run is planned; `anew` replaces the planned run."""
        with self._lock.held:
            when = max(monotonic() + _wait_seconds(job), self._rests.until(job))
            planned = None if anew else self._planned.get(job)
            if planned is not None and planned <= when:
                return
            self._planned[job] = when
            if when < math.inf:
                heapq.heappush(self._heap, (when, next(self._count), job))
            sooner = when < self._wakes_at
        if sooner:
            self.wake()

    def wake(self) -> None:
        """Let the worker look for due jobs now."""
        self._wakeup.set()

    def hurry(self) -> None:
        """Make all planned jobs due now, unless their `wait_seconds` returned infinity.

        They run in the order of their times.
        """
        self._hurried = True
        self.wake()

    def forget(self, job: AsyncPeriodicJob) -> None:
        """Remove a job."""
        with self._lock.held:
            self._planned.pop(job, None)
            self._rests.served(job)
            if len(self._heap) > 2 * len(self._planned) + _SPARE:  # jobs of locks change often
                self._heap = [entry for entry in self._heap if not self._is_old(entry)]
                heapq.heapify(self._heap)

    def _due(self) -> list[AsyncPeriodicJob]:
        """Return the due jobs, and remove them from the plan."""
        due = []
        with self._lock.held:
            now = math.inf if self._hurried else monotonic()
            self._hurried = False
            while self._heap and (self._heap[0][0] <= now or self._is_old(self._heap[0])):
                entry = heapq.heappop(self._heap)
                if not self._is_old(entry):
                    del self._planned[entry[2]]
                    due.append(entry[2])
        return due

    def _is_old(self, entry: tuple[float, int, AsyncPeriodicJob]) -> bool:
        return self._planned.get(entry[2]) != entry[0]

    def _pause(self) -> float:
        with self._lock.held:
            now = monotonic()
            planned = self._heap[0][0] if self._heap else math.inf
            self._wakes_at = min(planned, now + _IDLE)
            return max(self._wakes_at - now, 0.0)

    def _note_progress(self) -> None:
        self._beat = monotonic()

    async def _work(self) -> None:
        ON_CONNECT.set(self._note_progress)
        while self._jobs.has(self):
            self._note_progress()
            if self.here is None:
                await self._jobs.settle()
            due = self._due()
            if len(due) >= _MANY:
                due = await self._filtered(due)
            lost = False
            for job in due:
                if not self._jobs.has(self):
                    return
                self._note_progress()
                lost = await self._run(job, lost=lost)
            if not due:
                await self._wakeup.wait(self._pause())
                self._wakes_at = 0.0

    async def _filtered(self, due: list[AsyncPeriodicJob]) -> list[AsyncPeriodicJob]:
        mine = [job for job in due if self._jobs.owns(job, self)]
        left = list(await self._jobs.filter_due(mine, self.home))
        for job in set(mine).difference(left):
            self._jobs.plan(job)
        return left

    async def _run(self, job: AsyncPeriodicJob, *, lost: bool) -> bool:
        """Run a job, or skip it if the server is lost; return whether the server is lost now.

        Only plan a job that belongs to another worker.
        """
        if not self._jobs.owns(job, self):
            return lost
        failed: bool | None = True
        try:
            if lost:
                job.skipped()
            else:
                failed = await self._jobs.run(job, self.home)
        finally:  # also after an error: the job needs a new time, and perhaps a pause
            if failed is None:
                self._rests.served(job)
            elif _wait_seconds(job) <= 0:
                self._rests.failed(job, monotonic())
            self._jobs.plan(job, anew=True)
        return lost or bool(failed)


def _wait_seconds(job: AsyncPeriodicJob) -> float:
    try:
        return job.wait_seconds()
    except Exception:
        log.exception("%s does not return when it wants to run", job, extra=about(job.key))
        return _AFTER_ERROR
