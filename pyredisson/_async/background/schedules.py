"""Starts the jobs that advance recurring work: one for each queue, as long as it has users.

The rule: a client without schedules does not import the job.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from pyredisson._async.background.kernel import AsyncBackground
from pyredisson.protocol.kernel.names import QueueNames, ScheduleNames

if TYPE_CHECKING:
    from pyredisson._async.background.schedule_job import AsyncScheduleJob


class AsyncSchedules:
    """Starts the schedule jobs of one client, one for each queue.

    Args:
        background: runs the jobs.
        safety_interval: the longest time in seconds between two runs of a job.
        announce: called with a queue and a due time; notifies the transfer task of the queue.
    """

    def __init__(
        self,
        background: AsyncBackground,
        safety_interval: float,
        announce: Callable[[QueueNames, int], None],
    ) -> None:
        self._background = background
        self._safety_interval = safety_interval
        self._announce = announce

    def acquire(self, names: ScheduleNames) -> None:
        """Add a user of a queue's schedule; the first user starts the job."""
        self._background.acquire(names.times, partial(self._make, names))

    def _make(self, names: ScheduleNames) -> AsyncScheduleJob:
        from pyredisson._async.background.schedule_job import AsyncScheduleJob  # noqa: PLC0415 - seldom

        announce = partial(self._announce, names.queue)
        return AsyncScheduleJob(names, self._safety_interval, announce)

    def release(self, names: ScheduleNames) -> None:
        """Remove a user; the last user ends the job."""
        self._background.release(names.times)

    def announced(self, names: ScheduleNames, due: int) -> None:
        """Note that this client has offered an occurrence that is due at `due` (epoch ms)."""
        from pyredisson._async.background.schedule_job import AsyncScheduleJob  # noqa: PLC0415 - seldom

        job = self._background.work.get(names.times)
        if isinstance(job, AsyncScheduleJob):
            job.announced(due)
            self._background.plan(job)
