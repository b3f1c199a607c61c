"""RFairLock: waiters take turns. The rule: a caller that no longer waits is not in the queue."""

from __future__ import annotations

import math

from pyredisson._async.locks.hold import AsyncHold
from pyredisson._async.locks.lock import AsyncLock
from pyredisson.protocol.kernel.command import Operation
from pyredisson.protocol.locks.fair_lock import FairLockProtocol
from pyredisson.protocol.locks.lock import Attempt


class AsyncFairLock(AsyncLock):
    """A lock that Java sees as RFairLock: the waiter that has waited longest gets it next.

    A waiter tries at least once a second. A waiter that has not tried for the client's
    `lock_watchdog_timeout` counts as dead, and loses its turn.
    """

    _kind = "a fair lock"
    _operations = FairLockProtocol

    _protocol: FairLockProtocol

    def _make_protocol(self) -> FairLockProtocol:
        wait_ms = math.ceil(self._context.lock_watchdog_timeout * 1000)
        return FairLockProtocol(self._main_key, self._publishing, wait_ms)

    def _claimed(self, name: str) -> str:
        self._context.names.claim(name)
        return super()._claimed(name)

    def _acquisition(self, hold: AsyncHold, lease_ms: int, count: int) -> Operation[Attempt]:
        place = hold.place
        if place:
            hold.place = "first"
        return self._protocol.acquire(hold.owner, lease_ms, count, place)

    async def _wait(self, hold: AsyncHold, timeout: float) -> bool:
        hold.place = "last" if timeout > 0 else ""
        acquired = await super()._wait(hold, timeout)
        hold.place = ""
        if not acquired and timeout > 0:
            await self._release_quietly(hold)  # removes the owner from the queue
        return acquired
