"""Advances recurring work: when an occurrence is due, this job offers the next one.

A client that advances a schedule has one job for the schedule's queue. The rule: the client
computes the next occurrences, and the script stores them only if the entry is still the one that
the client has read. So any number of clients can run the job at the same moment, and a client can
crash between two steps. A client that is too late changes nothing.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable

from pyredisson._async.background.interfaces import AsyncPeriodicJob
from pyredisson._async.link.link import AsyncLink
from pyredisson._async.waits.slices import rejects
from pyredisson._runtime.concurrency import StateLock, monotonic, random_8
from pyredisson._support.time_zones import zone
from pyredisson.errors import NotNotifiedError
from pyredisson.protocol.kernel.backoff import Pauses
from pyredisson.protocol.kernel.clock import ServerClock
from pyredisson.protocol.kernel.log_fields import about
from pyredisson.protocol.kernel.names import ScheduleNames
from pyredisson.protocol.kernel.outage import Outages
from pyredisson.protocol.schedules.schedule import Plan, ScheduleProtocol

log = logging.getLogger("pyredisson")

_BATCH = 20
"""The most entries that one run advances."""
_AFTER_MS = 10.0
"""Milliseconds from a due occurrence to the offer of the next one. The transfer usually runs first.
"""
_FIRST_PAUSE_MS = 50.0
"""The first pause after a failure. Each further pause is twice as long, up to a safety interval."""


class AsyncScheduleJob(AsyncPeriodicJob):
    """The job of one queue's schedule. Any thread may call `announced`."""

    def __init__(
        self, names: ScheduleNames, safety_interval: float, announce: Callable[[int], None]
    ) -> None:
        self.key = names.times
        self._names = names
        self._announce = announce
        self._protocol = ScheduleProtocol(names)
        self._safety_ms = safety_interval * 1000
        self._clock = ServerClock()
        self._next = -math.inf
        self._latest = -math.inf
        self._passed_over = 0
        self._backoff = Pauses(_FIRST_PAUSE_MS, self._safety_ms)
        self._lock = StateLock()
        self._outages = Outages()

    def __repr__(self) -> str:
        return f"schedule of queue {self._names.queue.name!r}"

    def announced(self, due: float) -> None:
        """Note that an occurrence is due at `due`, in epoch milliseconds."""
        with self._lock.held:
            self._next = min(self._next, due)

    def wait_seconds(self) -> float:
        """Return the seconds until the next run."""
        with self._lock.held:
            now = self._clock.earliest_ms(monotonic())
            return max(min(self._next + _AFTER_MS, self._latest) - now, 0.0) / 1000

    async def run(self, link: AsyncLink) -> None:
        """Advance due entries.

        Log a lasting rejection, and an entry whose next occurrence this client cannot compute.
        Raise any other error.
        """
        try:
            self._clock = await link.clock(self.key)
            now = self._begin()
            await self._check(link, now)
        except BaseException as error:
            self.skipped()
            if not rejects(error):
                raise
            self._rejected("", error)
        else:
            self._backoff.reset()
            self._recovered("")

    def skipped(self) -> None:
        """Pause after a failed run, or if the server cannot be reached, even if an entry is due."""
        with self._lock.held:
            pause = self._backoff.pause()
            self._next, self._latest = math.inf, self._clock.earliest_ms(monotonic()) + pause

    def _begin(self) -> int:
        with self._lock.held:
            now = self._clock.earliest_ms(monotonic())
            self._next, self._latest = math.inf, now + self._safety_ms
        return math.floor(now)

    async def _check(self, link: AsyncLink, now: int) -> None:
        """Advance a batch of entries. After a full batch, the next run follows after other jobs."""
        later, due = await link.request(self._protocol.check(now, self._passed_over, _BATCH))
        if later is not None:
            self.announced(later)
        for name, record in due:
            self._passed_over += not await self._advance(link, now, name, record)
        if len(due) == _BATCH:
            self.announced(-math.inf)
        else:
            self._passed_over = 0

    async def _advance(self, link: AsyncLink, now: int, name: bytes, record: bytes) -> bool:
        """Offer the next occurrence of an entry; return False if this client cannot compute it."""
        if not record:  # the records were deleted, but not the times
            await link.request(self._protocol.remove(name, None))
            return True
        try:
            stored = Plan.of(record)
            plan, due = stored.following(stored, now, zone)
        except (ValueError, ImportError) as error:
            self._rejected(name.decode("utf-8", "replace"), error)
            return False
        random = b"".join(random_8() for _ in due)
        try:
            await link.request(self._protocol.put(name, stored, plan, due, now=now, random=random))
        except NotNotifiedError as error:
            log.debug("%s: the notification was rejected: %s", self, error, extra=about(self.key))
        finally:  # also after a lost reply, because the items may be stored
            self._announce(due[0])
        self.announced(plan.due)
        self._recovered(name.decode("utf-8", "replace"))
        return True

    def _rejected(self, entry: str, error: Exception) -> None:
        """Log once that an entry cannot be advanced; "" stands for all entries."""
        if self._outages.begins(entry, monotonic()):
            log.error(
                "%s: %s not offered by this client: %s; pending items are still delivered, and the "
                "schedule continues when this is fixed or another client offers them",
                self,
                f"the next occurrence of {entry!r} is" if entry else "next occurrences are",
                error,
                extra=about(self.key),
            )

    def _recovered(self, entry: str) -> None:
        seconds = self._outages.ended(entry, monotonic())
        if seconds is not None:
            what = repr(entry) if entry else "its entries"
            log.error(
                "%s: continues with %s after %.1f s", self, what, seconds, extra=about(self.key)
            )
