"""Which queues' recurring work one client keeps going: a job for each, as long as it has users.

The rule: who has none imports nothing of it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from pyredisson._async.background.jobs import AsyncJobs
from pyredisson._runtime.concurrency import StateLock
from pyredisson.protocol.kernel.names import QueueNames, ScheduleNames

if TYPE_CHECKING:
    from pyredisson._async.background.schedule_job import AsyncScheduleJob


class AsyncSchedules:
    """Starts and counts the schedule jobs of one client.

    Args:
        announce: tells the transfer task of a queue when an occurrence is due.
    """

    def __init__(
        self, jobs: AsyncJobs, safety_interval: float, announce: Callable[[QueueNames, int], None]
    ) -> None:
        self._running = jobs
        self._safety_interval = safety_interval
        self._announce = announce
        self._jobs: dict[str, AsyncScheduleJob] = {}
        self._lock = StateLock()

    def acquire(self, names: ScheduleNames) -> None:
        """Count one more user of a queue's schedule; the first one starts its job."""
        from pyredisson._async.background.schedule_job import AsyncScheduleJob  # noqa: PLC0415 - seldom

        with self._lock.held:
            job = self._jobs.get(names.times)
            if job is None:
                announce = partial(self._announce, names.queue)
                job = AsyncScheduleJob(names, self._safety_interval, announce)
                self._jobs[names.times] = job
            job.users += 1
            first = job.users == 1
        if first:
            self._running.add(job)

    def release(self, names: ScheduleNames) -> None:
        """Count one user less; the last one ends the job."""
        with self._lock.held:
            job = self._jobs[names.times]
            job.users -= 1
            if job.users:
                return
            del self._jobs[names.times]
        self._running.remove(job)

    def announced(self, names: ScheduleNames, due: int) -> None:
        """An occurrence was offered here."""
        job = self._jobs.get(names.times)
        if job is not None:
            job.announced(due)
            self._running.plan(job)
