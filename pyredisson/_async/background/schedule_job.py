"""Keeps recurring work going: when an occurrence is due, the one after it is offered.

One job a queue, in each client that has the schedule open. The rule: any number of clients may look
at the same moment, and each may be gone between two steps: the script alone decides, and whoever
comes too late has nothing to do.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable

from pyredisson._async.link.link import AsyncLink
from pyredisson._async.waits.slices import passes
from pyredisson._runtime.concurrency import StateLock, monotonic, random_8
from pyredisson._support.time_zones import zone
from pyredisson.errors import NotNotifiedError
from pyredisson.protocol.kernel.backoff import Backoff
from pyredisson.protocol.kernel.clock import ServerClock
from pyredisson.protocol.kernel.log_fields import about
from pyredisson.protocol.kernel.names import ScheduleNames
from pyredisson.protocol.kernel.outage import Outages
from pyredisson.protocol.schedules.schedule import Plan, ScheduleProtocol
from pyredisson.server_errors import ReplyError

log = logging.getLogger("pyredisson")

_BATCH = 20
"""Entries that one run goes on with, at most."""
_AFTER_MS = 10.0
"""So long after an occurrence is due the next one is offered: first the transfer has its turn."""
_FIRST_PAUSE_MS = 50.0


class AsyncScheduleJob:
    """One queue's schedule; its methods may be called from any thread."""

    channels: tuple[str, ...] = ()

    def __init__(
        self, names: ScheduleNames, safety_interval: float, announce: Callable[[int], None]
    ) -> None:
        self.key = names.times
        self.users = 0
        self._names = names
        self._announce = announce
        self._protocol = ScheduleProtocol(names)
        self._safety_ms = safety_interval * 1000
        self._clock = ServerClock()
        self._next = -math.inf
        self._latest = -math.inf
        self._passed_over = 0
        self._backoff = Backoff(_FIRST_PAUSE_MS, self._safety_ms)
        self._lock = StateLock()
        self._outages = Outages()

    def __repr__(self) -> str:
        return f"schedule of queue {self._names.queue.name!r}"

    def subscribed(self) -> None:
        """Nothing is heard."""

    def heard(self, payload: bytes) -> None:
        """Nothing is heard."""

    def announced(self, due: float) -> None:
        """An occurrence is due then."""
        with self._lock.held:
            self._next = min(self._next, due)

    def wait_seconds(self) -> float:
        """Return how long until the next look."""
        with self._lock.held:
            now = self._clock.earliest_ms(monotonic())
            return max(min(self._next + _AFTER_MS, self._latest) - now, 0.0) / 1000

    async def run(self, link: AsyncLink) -> None:
        """Look once; raises what may pass by itself."""
        try:
            self._clock = await link.clock(self.key)
            now = self._begin()
            await self._look(link, now)
        except BaseException as error:
            self.skipped()
            if passes(error) or not isinstance(error, ReplyError):
                raise
            self._refused("", error)
        else:
            self._backoff.reset()
            self._mended("")

    def skipped(self) -> None:
        """The server could not be asked."""
        with self._lock.held:  # what is due by now is no reason to ask at once
            pause = self._backoff.pause()
            self._next, self._latest = math.inf, self._clock.earliest_ms(monotonic()) + pause

    @staticmethod
    async def sift(link: AsyncLink, jobs: list[AsyncScheduleJob]) -> list[AsyncScheduleJob]:
        """Return all: a look is one operation."""
        return jobs

    def _begin(self) -> int:
        with self._lock.held:
            now = self._clock.earliest_ms(monotonic())
            self._next, self._latest = math.inf, now + self._safety_ms
        return math.floor(now)

    async def _look(self, link: AsyncLink, now: int) -> None:
        """Go on with some entries; when there may be more, the other jobs have their turn first."""
        later, due = await link.request(self._protocol.look(now, self._passed_over, _BATCH))
        if later is not None:
            self.announced(later)
        for name, record in due:
            self._passed_over += not await self._go_on(link, now, name, record)
        if len(due) == _BATCH:
            self.announced(-math.inf)
        else:
            self._passed_over = 0

    async def _go_on(self, link: AsyncLink, now: int, name: bytes, record: bytes) -> bool:
        """Offer the next occurrence of an entry; False where that cannot be known here."""
        if not record:  # somebody deleted the other key
            await link.request(self._protocol.remove(name, None))
            return True
        try:
            stored = Plan.of(record)
            plan, due = stored.following(stored, now, zone)
        except (ValueError, ImportError) as error:
            self._refused(name.decode("utf-8", "replace"), error)
            return False
        random = b"".join(random_8() for _ in due)
        try:
            await link.request(self._protocol.put(name, stored, plan, due, now=now, random=random))
        except NotNotifiedError as error:
            log.debug("%s: not announced: %s", self, error, extra=about(self.key))
        finally:  # also when they may be stored
            self._announce(due[0])
        self.announced(plan.due)
        self._mended(name.decode("utf-8", "replace"))
        return True

    def _refused(self, entry: str, error: Exception) -> None:
        """What will be refused again is said once."""
        if self._outages.begins(entry, monotonic()):
            log.error(
                "%s: %s not offered here: %s; what is pending is delivered, and it goes on when "
                "that is mended, here or by another client",
                self,
                f"the next occurrence of {entry!r} is" if entry else "next occurrences are",
                error,
                extra=about(self.key),
            )

    def _mended(self, entry: str) -> None:
        seconds = self._outages.ended(entry, monotonic())
        if seconds is not None:
            what = repr(entry) if entry else "its entries"
            log.error(
                "%s: goes on with %s after %.1f s", self, what, seconds, extra=about(self.key)
            )
