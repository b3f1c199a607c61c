"""The background kernel of one client: shared work by key, and one worker for each server.

The rule: a job that failed runs again after its `wait_seconds()`, or after a rest if that is 0. No
server delays the jobs of another server.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar
from weakref import WeakSet

from pyredisson._async.background.interfaces import (
    AsyncBackgroundWork,
    AsyncChannelListener,
    AsyncPeriodicJob,
)
from pyredisson._async.background.job_worker import AsyncJobWorker
from pyredisson._async.background.subscriptions import AsyncSubscriptions
from pyredisson._async.link.link import AsyncLink
from pyredisson._runtime.concurrency import (
    AsyncTask,
    StateLock,
    can_spawn_async,
    monotonic,
    runs_at_async,
    surroundings_async,
)
from pyredisson._runtime.shared import Shared
from pyredisson._transport.errors import WrongClientError
from pyredisson.protocol.kernel.log_fields import about
from pyredisson.protocol.kernel.outage import Outages
from pyredisson.server_errors import LOST, ServerError

log = logging.getLogger("pyredisson")

W = TypeVar("W", bound=AsyncBackgroundWork)

_LISTENS = "the subscription"
"""The `home` of a worker without jobs, which subscribes for listeners that are not jobs."""


KERNELS: WeakSet[AsyncBackground] = WeakSet()
"""The kernels of this process's clients, for `pyredisson.testing`."""


class AsyncBackground:
    """The jobs and listeners of one client; the docstring of the package shows how to use it.

    Args:
        link: runs the operations of the jobs.
        silence: seconds without a message after which a subscription is checked with PING.
    """

    def __init__(self, link: AsyncLink, silence: float) -> None:
        self._link = link
        self.life = link.life
        self._shared: Shared[Hashable, AsyncBackgroundWork] = Shared(self._begin, self._remove)
        self.work = self._shared.things
        """All jobs and listeners by key; read only."""
        self._jobs: set[AsyncPeriodicJob] = set()
        self._subscriptions = AsyncSubscriptions(link, silence, self._on_notified)
        self.is_subscribed = self._subscriptions.is_subscribed
        """A function; see `AsyncSubscriptions.is_subscribed`."""
        self._lock = StateLock()
        self._listener: AsyncTask | None = None
        self._workers: dict[tuple[Hashable, object], AsyncJobWorker] = {}
        self._here: object = None
        self._added = 0
        self._steady: object = None
        """`AsyncTask.endings`, `_added` and `surroundings_async()` at the last `ensure_running`."""
        self._closing = False
        self._outages = Outages()
        self._failed: dict[AsyncPeriodicJob, set[Hashable]] = {}
        """The outages that each job has met: of the job itself, or of servers by their `home`."""
        KERNELS.add(self)

    # -------------------------------------------------------------- users of work

    def acquire(self, key: Hashable, make: Callable[[], W]) -> W:
        """Add a user of the work under a key; the first user starts the work.

        Args:
            key: identifies the work, such as the main key in Redis that it works on. Two kinds of
                work never have the same key.
            make: makes the job or listener; called only for the first user.
        """
        self._leave_to_owners()
        found, _ = self._shared.acquire(key, make)
        return found  # type: ignore[return-value]  # each kind has keys of its own

    def release(self, key: Hashable) -> None:
        """Remove a user; the last user ends the work. If the key has no user, do nothing."""
        self._shared.release(key)

    def end(self, work: AsyncBackgroundWork) -> None:
        """Remove work, even if it has users."""
        self._shared.drop(lambda each: each is work)

    def users(self, key: Hashable) -> int:
        """Return the number of users of a key."""
        return self._shared.users(key)

    def _begin(self, work: AsyncBackgroundWork, first: bool) -> None:
        if not first:
            self.ensure_running()
            return
        with self._lock.held:
            self._added += 1
            if isinstance(work, AsyncPeriodicJob):
                self._jobs.add(work)
        self._start_missing()  # before `add`: in a forked child, no connection runs yet
        if isinstance(work, AsyncChannelListener):
            self._subscriptions.add(work)
        if isinstance(work, AsyncPeriodicJob):
            self.plan(work)
        if isinstance(work, AsyncChannelListener):
            self._wake_to_settle(work)

    def _remove(self, work: AsyncBackgroundWork) -> None:
        if isinstance(work, AsyncChannelListener):
            self._subscriptions.remove(work)
        with self._lock.held:
            workers = list(self._workers.values())
            if isinstance(work, AsyncPeriodicJob):
                self._jobs.discard(work)
                self._failed.pop(work, None)
                for worker in workers:
                    worker.forget(work)
        if isinstance(work, AsyncChannelListener):
            for worker in workers:
                if worker.here is None:
                    worker.wake()

    def plan(self, job: AsyncPeriodicJob, *, anew: bool = False) -> None:
        """Plan a job whose next run is earlier now, or with `anew` a job that has run."""
        with self._lock.held:
            worker = self._worker_of(job)
        if worker is not None:
            worker.plan(job, anew=anew)

    def failure(self, listener: AsyncChannelListener) -> Exception | None:
        """Return why a listener is not subscribed; None if the reason is not known."""
        return self._subscriptions.failure(listener)

    def _on_notified(self, listener: AsyncChannelListener) -> None:
        if isinstance(listener, AsyncPeriodicJob):
            self.plan(listener)

    # -------------------------------------------------------------- running

    def ensure_running(self) -> None:
        """Start what does not run: at the first use, in a forked child, in a new event loop."""
        if not can_spawn_async():
            return
        moment = AsyncTask.endings, self._added, surroundings_async()
        if moment != self._steady:
            self._start_missing()
            self._steady = moment

    def _start_missing(self) -> None:
        if not can_spawn_async() or not self._lacks_some():
            return
        self._leave_to_owners()
        with self._lock.held:
            if not self._lacks_some():
                return
            kept = {key: each for key, each in self._workers.items() if not _has_ended(each)}
            self._workers = kept
            if self._listener is None or not self._listener.alive:
                self._listener = self._subscriptions.start()
            for job in self._jobs:
                self._worker_of(job)
            jobs = list(self._jobs)
            if len(jobs) < len(self.work):  # the others only listen
                self._worker(_LISTENS)
        for job in jobs:
            self.plan(job)

    def _leave_to_owners(self) -> None:
        """Remove work that is not inherited, if the process or event loop has changed.

        Urgent work stays as long as its event loop runs.
        """
        if not can_spawn_async():
            return
        here = surroundings_async()
        if self._here not in (None, here):
            self._shared.drop(_is_left)
        self._here = here

    def _lacks_some(self) -> bool:
        """Return whether anything should run but does not."""
        if self._closing or not self.work:
            return False
        if self._listener is None or not self._listener.alive:
            return True
        return any(_has_ended(worker) for worker in list(self._workers.values()))

    def _worker_of(self, job: AsyncPeriodicJob) -> AsyncJobWorker | None:
        """Return the worker of a job, and start it if it is missing; call this under the lock.

        Return None if the job was removed, or if no worker can be started here.
        """
        return self._worker(*self._place(job)) if job in self._jobs else None

    def _place(self, job: AsyncPeriodicJob) -> tuple[Hashable, object]:
        return self._link.topology.home(job.key), job.here

    def _worker(self, home: Hashable, here: object = None) -> AsyncJobWorker | None:
        if self._closing or self._listener is None:
            return None
        worker = self._workers.get((home, here))
        if worker is None and can_spawn_async() and here in (None, surroundings_async()):
            worker = self._workers[home, here] = AsyncJobWorker(self, home, here)
            worker.start()
        return worker

    def _wake_to_settle(self, listener: AsyncChannelListener) -> None:
        """Wake the worker that subscribes for a listener: the job's, or the one without jobs."""
        with self._lock.held:
            if isinstance(listener, AsyncPeriodicJob):
                worker = self._worker_of(listener)
            else:
                worker = self._worker(_LISTENS)
        if worker is not None:
            worker.wake()

    def has(self, worker: AsyncJobWorker) -> bool:
        """Return whether a worker must continue."""
        return not self._closing and self._workers.get((worker.home, worker.here)) is worker

    def owns(self, job: AsyncPeriodicJob, worker: AsyncJobWorker) -> bool:
        """Return whether a due job belongs to a worker; if not, plan the job at its own worker."""
        if job in self._jobs and self._place(job) == (worker.home, worker.here):
            return True
        self.plan(job)
        return False

    async def run(self, job: AsyncPeriodicJob, home: Hashable) -> bool | None:
        """Run a job of a server, and return None.

        After a failure, return whether the server is lost or the client is closed.
        """
        try:
            await job.run(self._link)
        except Exception as error:
            lost = isinstance(error, LOST) and not isinstance(error, WrongClientError)
            if self._closing or self._link.closed:
                return True
            place: Hashable = home if lost else job
            if job in self._jobs:  # otherwise it was removed meanwhile
                self._failed.setdefault(job, set()).add(place)
            is_new = self._outages.begins(place, monotonic())
            _log_failure(job, error, lost=lost, is_new=is_new)
            return lost
        self._served(job, home)
        return None

    def _served(self, job: AsyncPeriodicJob, home: Hashable) -> None:
        if not self._outages:
            return
        for place in {home, *self._failed.pop(job, ())}:
            seconds = self._outages.ended(place, monotonic())
            if seconds is not None:
                _log_recovery(job, seconds, alone=place is job)

    async def filter_due(
        self, due: Sequence[AsyncPeriodicJob], home: Hashable
    ) -> Sequence[AsyncPeriodicJob]:
        """Return the jobs that have something to do, from many due jobs of a server."""
        kinds: dict[type[AsyncPeriodicJob], list[AsyncPeriodicJob]] = {}
        for job in due:
            kinds.setdefault(type(job), []).append(job)
        left: list[AsyncPeriodicJob] = []
        for kind, jobs in kinds.items():
            try:
                left += await kind.filter_due(self._link, jobs)
            except Exception as error:
                log.debug("jobs are not checked together: %r", error)
                left += jobs
            else:
                for job in jobs:
                    self._served(job, home)
        return left

    async def settle(self) -> None:
        """Subscribe to the channels that are wanted now."""
        await self._subscriptions.settle()

    @property
    def here(self) -> object:
        """The process and event loop that used the client last (`surroundings_async`), or None."""
        return self._here

    def time_passed(self, seconds: float) -> None:
        """Discard the samples of the servers' clocks, and notify all work, after a test's move."""
        for server in self._link.topology.servers():
            server.clock.moved()
        for work in list(self.work.values()):
            work.time_passed(seconds)

    def hurry(self) -> None:
        """Run each planned job now, and wake waiting callers; called after `time_passed`.

        The caller must be in the process and event loop of the client.
        """
        for work in list(self.work.values()):
            work.hurry()
        with self._lock.held:
            workers = list(self._workers.values())
        for worker in workers:
            worker.hurry()

    @property
    def late(self) -> float:
        """Seconds by which the slowest worker is late; infinite if one has ended, 0 if none."""
        return max((each.late for each in list(self._workers.values())), default=0.0)

    def state(self, job: AsyncPeriodicJob) -> tuple[float, float]:
        """Return by how many seconds a job and its worker are late; infinite if no worker runs."""
        place, workers = self._place(job), dict(self._workers)
        worker = next((each for each in workers.values() if each.has(job)), workers.get(place))
        if worker is None:  # it is about to move to the worker of another server
            return (self.late,) * 2 if workers else (math.inf, math.inf)
        return worker.behind(job), worker.late

    def ensure_entered(self) -> None:
        """Call `ensure_running`, if the last use was in another process, or its loop has ended."""
        if self._here is not None and not runs_at_async(self._here):
            self.ensure_running()

    async def close(self, seconds: float) -> None:
        """End all work, and wait up to `seconds` for the runs under way; see `AsyncTask.stop`."""
        deadline = monotonic() + seconds
        with self._lock.held:
            self._closing = True
            workers = list(self._workers.values())
        for worker in workers:
            worker.wake()
        await self._subscriptions.close()
        for worker in workers:
            await worker.stop(max(deadline - monotonic(), 0.0))
        await self._subscriptions.stop(deadline)


def _is_left(work: AsyncBackgroundWork) -> bool:
    """Return whether to end work. Inherited work, and urgent work of a running loop, continue."""
    here = work.here if isinstance(work, AsyncPeriodicJob) else None
    return not work.inherited and not (here is not None and runs_at_async(here))


def _has_ended(worker: AsyncJobWorker) -> bool:
    """Return whether a worker has ended; a worker of another loop ends with that loop."""
    if worker.here is None or worker.here == surroundings_async():
        return not worker.alive
    return not runs_at_async(worker.here)


def _log_failure(job: AsyncPeriodicJob, error: Exception, *, lost: bool, is_new: bool) -> None:
    extra = about(job.key)
    level = logging.WARNING if is_new else logging.DEBUG
    if lost:
        log.log(level, "%s failed, and the jobs of its server wait: %s", job, error, extra=extra)
    elif isinstance(error, ServerError):
        log.log(level, "%s is rejected, and runs again after a pause: %s", job, error, extra=extra)
    elif is_new:
        log.error("%s failed, and runs again after a pause", job, extra=extra, exc_info=error)


def _log_recovery(job: AsyncPeriodicJob, seconds: float, *, alone: bool) -> None:
    extra = about(job.key)
    if alone:
        log.warning("%s works again after %.1f s", job, seconds, extra=extra)
    else:
        log.warning(
            "%s and the jobs of its server continue after %.1f s", job, seconds, extra=extra
        )
