"""Renews the locks that one client has at one server, many by one script.

Each event loop has its own job. The job is urgent (see `AsyncPeriodicJob.here`), so the ordinary
jobs of its server do not delay it. To acquire or release a lock changes one entry of a dict. The
job starts with the first lock, and ends if no lock is held when the job runs.

The rule: a lock counts as lost if Redis no longer has its owner, or if its lease may have ended.
The loss is logged once, and `on_lost` is called.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Iterator, Sequence

from pyredisson._async.background.interfaces import AsyncPeriodicJob
from pyredisson._async.background.kernel import AsyncBackground
from pyredisson._async.link.link import AsyncLink
from pyredisson._async.locks.hold import AsyncHold
from pyredisson._runtime.concurrency import StateLock, monotonic, surroundings_async
from pyredisson._support.error_text import END_OF_PROGRAM
from pyredisson.protocol.kernel.log_fields import about
from pyredisson.protocol.kernel.names import slot
from pyredisson.protocol.locks.lock import renew
from pyredisson.server_errors import ReplyError

log = logging.getLogger("pyredisson")

_TOGETHER = 1000
"""The most locks that one script renews."""
_RETRY = 1.0
"""Seconds after a failure until the locks are renewed again."""


class AsyncRenewals(AsyncPeriodicJob):
    """The locks of one client at one server.

    Args:
        background: runs this job.
        name: the name in Redis of one of the locks; it determines the server.
        lease: the lease of all renewed locks, in seconds.
    """

    inherited = False

    def __init__(self, background: AsyncBackground, name: str, lease: float) -> None:
        self._background = background
        self.key = name
        self.here = surroundings_async()
        self._lease = lease
        self._holds: dict[AsyncHold, None] = {}
        self._lock = StateLock()
        self._ended = False
        self._next = monotonic() + lease / 3
        self._first_end = math.inf

    def __repr__(self) -> str:
        return f"renewal of {len(self._holds)} locks"

    def add(self, hold: AsyncHold) -> bool:
        """Watch a lock, and renew it unless it has its own lease.

        Return False, without watching the lock, if this job has ended.
        """
        with self._lock.held:
            if self._ended:
                return False
            self._holds[hold] = None
            if not hold.renewed:
                self._first_end = min(self._first_end, hold.until)
        hold.unwatch = self._remove
        if not hold.renewed:
            self._background.plan(self)
        return True

    def _remove(self, hold: AsyncHold) -> None:
        """Watch a lock no longer."""
        with self._lock.held:
            self._holds.pop(hold, None)

    def wait_seconds(self) -> float:
        """Return the seconds until the next renewal, or until a lease ends if that is earlier."""
        return max(min(self._next, self._first_end) - monotonic(), 0.0)

    def renewed_keys(self) -> list[str]:
        """Return the keys of the locks that are renewed."""
        with self._lock.held:
            holds = [hold for hold in self._holds if hold.renewed and not hold.lost]
        found = [hold.protocol.renewal(hold.owner, hold.count) for hold in holds]
        return [key for each in found for key in (each.name, *each.strings)]

    def skipped(self) -> None:
        """Try again soon. Report the locks whose leases have ended."""
        self._next = monotonic() + min(_RETRY, self._lease / 10)
        self._lose_ended()

    async def run(self, link: AsyncLink) -> None:
        """Renew the locks if it is time, and report lost ones. End this job if no lock is held."""
        if monotonic() >= self._next:
            await self._renew_all(link)
        self._lose_ended()
        with self._lock.held:  # after this, `add` returns False
            if not self._holds:
                self._ended = True
                self._background.end(self)

    async def _renew_all(self, link: AsyncLink) -> None:
        self._next = monotonic() + self._lease / 3
        with self._lock.held:
            holds = [hold for hold in self._holds if hold.renewed and not hold.lost]
        try:
            for some in _together(holds, clustered=link.topology.clustered):
                await self._renew(link, some)
        except BaseException:
            self.skipped()
            raise

    async def _renew(self, link: AsyncLink, holds: Sequence[AsyncHold]) -> None:
        sent, lease_ms = monotonic(), math.ceil(self._lease * 1000)
        words = [hold.protocol.renewal(hold.owner, hold.count) for hold in holds]
        try:
            renewed = await link.request(renew(words, lease_ms))
        except ReplyError:
            if len(holds) == 1:
                raise
            for hold in holds:  # a slot that moves, or a rejected key, concerns one of them
                await self._renew(link, [hold])
            return
        for hold, still in zip(holds, renewed, strict=True):
            if still:
                hold.until = sent + self._lease
            elif hold in self._holds:  # else it was released meanwhile
                _lose(hold, "another owner has it, or it was deleted")

    def _lose_ended(self) -> None:
        now = monotonic()
        with self._lock.held:
            ended = [hold for hold in self._holds if not hold.lost and hold.until <= now]
            leased = [hold.until for hold in self._holds if not hold.renewed and hold.until > now]
            self._first_end = min(leased, default=math.inf)
        for hold in ended:
            _lose(hold, "it could not be renewed in time" if hold.renewed else "its lease ended")


def _together(holds: Sequence[AsyncHold], *, clustered: bool) -> Iterator[Sequence[AsyncHold]]:
    """Split locks into groups, each of which one script can renew."""
    groups: dict[int, list[AsyncHold]] = {}
    for hold in holds:
        groups.setdefault(slot(hold.name) if clustered else 0, []).append(hold)
    for group in groups.values():
        for first in range(0, len(group), _TOGETHER):
            yield group[first : first + _TOGETHER]


def _lose(hold: AsyncHold, reason: str) -> None:
    hold.lost = True
    log.warning("lock %r is lost: %s", hold.name, reason, extra=about(hold.name))
    try:
        hold.on_lost(hold)
    except END_OF_PROGRAM:
        raise
    except BaseException:
        log.exception("on_lost of lock %r raised", hold.name, extra=about(hold.name))
