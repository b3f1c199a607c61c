"""RLock: at most one holder at a time, in Java and in Python.

The rule: if an error ends an attempt, a lock that the attempt may have acquired is released. Only
after ClosedError, the lock stays acquired until its lease ends.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable
from functools import partial
from types import TracebackType
from typing import Any, Self

from pyredisson._async.background.wake_ups import ALL, wait_async
from pyredisson._async.context import AsyncContext
from pyredisson._async.locks.hold import AsyncHold
from pyredisson._async.locks.state import AsyncLockState
from pyredisson._runtime.cancelling import CANCELLED_ASYNC, canceller_async, uncancel_async
from pyredisson._runtime.concurrency import monotonic
from pyredisson._runtime.interrupts import AsyncInterrupts, finish_async, to_end_async
from pyredisson._runtime.owners import caller_number_async
from pyredisson.errors import ClosedError, LockError, LockLostError
from pyredisson.protocol.kernel.command import Operation
from pyredisson.protocol.kernel.due import Seconds, seconds, whole_ms
from pyredisson.protocol.kernel.log_fields import about
from pyredisson.protocol.locks.lock import Attempt, Released
from pyredisson.server_errors import LOST, ServerError

log = logging.getLogger("pyredisson")

_SHORTEST = 0.01
"""The shortest lease, in seconds."""


class AsyncLock(AsyncLockState):
    """A lock that Java sees as RLock.

    ``async with redisson.get_lock("job"):`` waits for the lock, and holds it during the block. A
    hold belongs to the thread or task that acquired the lock. `unlock` of another one raises
    `LockError`.

    Args:
        context: the client's context.
        name: the lock's name.
        reentrant: whether a holder may acquire the lock again. It must then unlock as many times.
        on_lost: called with this lock, in the background, after a holder has lost it.
        cancel_when_lost: with asyncio, whether a task that has lost the lock is cancelled. Leaving
            the `async with` block then raises `LockLostError`.
    """

    def __init__(
        self,
        context: AsyncContext,
        name: str,
        *,
        reentrant: bool = False,
        on_lost: Callable[[Any], None] | None = None,
        cancel_when_lost: bool = False,
    ) -> None:
        super().__init__(context, name, watched=cancel_when_lost or on_lost is not None)
        self._reentrant = reentrant
        self._on_lost = on_lost
        self._cancel_when_lost = cancel_when_lost

    # -------------------------------------------------------------- acquiring

    async def acquire(self, timeout: Seconds | None = None, lease: Seconds | None = None) -> bool:
        """Acquire the lock, and wait for it if another holder has it.

        Args:
            timeout: the longest wait in seconds or as a timedelta; None waits for ever, 0 tries
                once.
            lease: the time after which the lock is free without a release, in seconds or as a
                timedelta. None lets the client renew the lock until it is released, with leases of
                the client's `lock_watchdog_timeout`.

        Returns:
            True if the lock was acquired, False if the time is over.

        Raises:
            LockError: this thread or task has the lock already, and the lock is not `reentrant`.
            LockLostError: this thread or task had the lock, which is `reentrant`, and has lost it.
            ServerError: the lock was not acquired, or is released in the background.
            ClosedError: the client is closed. If the lock was acquired, it is free after its lease.
        """
        wait = math.inf if timeout is None else seconds(timeout)
        length = self._length(lease)
        caller = caller_number_async()
        held = self._holds.mine(caller)
        if held is not None and held.is_over() and not self._reentrant:
            self._holds.forget(held)  # its lease was meant to end, without a release
            held = None
        if held is not None:
            return await self._acquire_again(held, length, renewed=lease is None)
        hold = self._new_hold(caller, length, renewed=lease is None)
        try:
            async with AsyncInterrupts():  # after this block only returns follow, to the caller
                if acquired := await self._wait(hold, wait):
                    self._holds.keep(hold)
        except BaseException as error:
            if hold.pending:
                await self._abandon(hold, error)
            raise
        return acquired

    async def lock(self, lease: Seconds | None = None) -> None:
        """Acquire the lock as `acquire` does, and wait without a limit (RLock.lock)."""
        await self.acquire(None, lease)

    async def try_lock(self, wait: Seconds = 0, lease: Seconds | None = None) -> bool:
        """Acquire the lock as `acquire` does, by default without a wait (RLock.tryLock)."""
        return await self.acquire(wait, lease)

    def _length(self, lease: Seconds | None) -> float:
        if lease is None:
            return self._context.lock_watchdog_timeout
        length = seconds(lease, "lease")
        if not _SHORTEST <= length < math.inf:
            raise ValueError(f"lease must be at least {_SHORTEST} s and finite, not {lease!r}")
        whole_ms(length, "lease")  # raises if the lease is too long
        return length

    def _new_hold(self, caller: int, length: float, *, renewed: bool) -> AsyncHold:
        cancel = canceller_async() if self._cancel_when_lost else None
        owner, lost = self._new_owner(), partial(self._notify_lost, cancel)
        return AsyncHold(self._protocol, owner, caller, length, renewed, lost)

    def _new_owner(self) -> str:
        return self._context.identity.new_owner()

    def _notify_lost(self, cancel: Callable[[], None] | None, hold: AsyncHold) -> None:
        self._holds.unwatch(hold)
        if cancel is not None:
            cancel()
        if self._on_lost is not None:
            self._on_lost(self)

    async def _wait(self, hold: AsyncHold, timeout: float) -> bool:
        async def attempt() -> float | None:
            hold.pending = True  # until the attempt is known to have failed
            left = await self._attempt(hold, hold.lease, 1)
            hold.pending = left is None or hold.place != ""
            return left

        deadline = monotonic() + timeout
        left = await attempt()
        if left is None or timeout <= 0:
            return left is None
        return await self._try_until(hold, attempt, deadline - monotonic(), left)

    async def _try_until(
        self, hold: AsyncHold, attempt: Callable[[], Any], timeout: float, free: float
    ) -> bool:
        """Try until an attempt succeeds or the time is over, as `wait_async` does.

        `free` is what the first attempt returned: the seconds until the lock may be free.
        """
        channel = self._protocol.channel_of(hold.owner)
        background = self._context.background
        return await wait_async(background, channel, attempt, timeout, _wake_count, pause=free)

    async def _attempt(self, hold: AsyncHold, length: float, count: int) -> float | None:
        """Try once to get `count` holds; return None if this succeeded.

        Otherwise return the seconds until the lock may be free (`math.inf` if that is unknown).
        """
        sent, lease_ms = monotonic(), math.ceil(length * 1000)
        reply = await self._run(self._acquisition(hold, lease_ms, count))
        if reply.ttl_ms is None:
            hold.count, hold.token = count, reply.token
            hold.lease, hold.until = length, sent + length
            return None
        return reply.ttl_ms / 1000 if reply.ttl_ms >= 0 else math.inf

    def _acquisition(self, hold: AsyncHold, lease_ms: int, count: int) -> Operation[Attempt]:
        return self._protocol.acquire(hold.owner, lease_ms, count)

    async def _acquire_again(self, hold: AsyncHold, length: float, *, renewed: bool) -> bool:
        if not self._reentrant:
            raise LockError(
                f"lock {self._main_key!r}: this thread or task has it already and would wait for "
                "itself; make it with reentrant=True, or release it first"
            )
        if hold.renewed:  # the renewals fit its lease
            length = max(length, hold.lease)
        if await self._attempt(hold, length, hold.count + 1) is not None:
            self._holds.forget(hold)
            raise LockLostError(self._main_key)
        if renewed and not hold.renewed:
            hold.renewed = True
            self._holds.watch(hold)
        return True

    async def _end_after(self, lease: Seconds) -> None:
        """Start a lease for a lock that was just acquired, unless its holder had it before."""
        hold = self._holds.mine()
        if hold is None or hold.count > 1:
            return
        self._holds.unwatch(hold)
        hold.renewed = False
        if await self._attempt(hold, self._length(lease), 1) is not None:
            self._holds.forget(hold)
            raise LockLostError(self._main_key)
        self._holds.watch(hold)

    async def _abandon(self, hold: AsyncHold, error: BaseException) -> None:
        """Release a lock that an attempt may have acquired, except after ClosedError."""
        self._holds.forget(hold)
        release = partial(self._release_quietly, hold)
        if isinstance(error, ServerError | OSError):
            self._link.life.begin(release, "pyredisson unlock")
        elif not isinstance(error, ClosedError):
            await finish_async(release())

    async def _release_quietly(self, hold: AsyncHold, count: int = 0) -> None:
        lease_ms = math.ceil(hold.lease * 1000)
        try:
            await self._link.request(self._protocol.release(hold.owner, lease_ms, count))
        except (ServerError, OSError, ClosedError) as error:
            log.debug("lock %r is free after %g s at most: %s", hold.name, hold.lease, error)

    # -------------------------------------------------------------- releasing

    async def unlock(self) -> None:
        """Release the lock once; after the last release it is free (RLock.unlock).

        Raises:
            LockError: this thread or task does not have the lock.
            LockLostError: this thread or task had the lock, and has lost it before.
            ServerError: the release may not have arrived. If it was the last release, the lock is
                no longer renewed, and is free after its lease.
        """
        await self._unlock(self._holds.mine())

    async def _unlock(self, hold: AsyncHold | None) -> None:
        if hold is None:
            raise LockError(
                f"lock {self._main_key!r} is not held by this thread or task; only the one that "
                "acquired it releases it (force_unlock() frees it for anybody)"
            )
        async with AsyncInterrupts(deferred=True):
            hold.count -= 1
            if not hold.count:
                self._holds.forget(hold)
            try:
                released = await self._released(hold, math.ceil(hold.lease * 1000))
            except CANCELLED_ASYNC:  # repeated: the release may not have arrived
                again = partial(self._release_quietly, hold, hold.count)
                await to_end_async(again())
                raise
        if hold.lost or not released.held:
            self._holds.forget(hold)
            raise LockLostError(self._main_key)
        if released.rejection:
            log.warning(
                "lock %r is free, but its waiters were not notified: %s",
                hold.name,
                released.rejection,
                extra=about(hold.name),
            )

    async def _released(self, hold: AsyncHold, lease_ms: int) -> Released:
        release = self._protocol.release(hold.owner, lease_ms, hold.count)
        try:
            return await self._run(release)
        except LOST:  # repeated: a lock that no longer exists was released by the first request
            again = await self._run(release)
            return again if again.held else Released(held=True, free=True, rejection="")

    async def force_unlock(self) -> bool:
        """Free the lock, whichever holder has it; this holder loses it (RLock.forceUnlock).

        Returns:
            Whether the lock had a holder.
        """
        return (await self._run(self._protocol.force_unlock())).free

    # -------------------------------------------------------------- as a block

    async def __aenter__(self) -> Self:
        """Wait for the lock."""
        await self.acquire()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Release the lock.

        Raises:
            LockLostError: the lock was lost. Another holder's block may have run at the same time.
                If an error other than the cancellation for this loss ended the block, the loss is
                only logged.
        """
        hold = self._holds.mine()
        try:
            await self._unlock(hold)
        except LockLostError as lost:
            if hold is not None and hold.lost and isinstance(error, CANCELLED_ASYNC):
                uncancel_async()
            elif error is not None:
                log.warning("an error ended the block, and its lock had been lost: %s", lost)
                return
            raise


def _wake_count(payload: bytes) -> int:
    """Return how many waiters wake: "0" wakes one, another number all, other text none."""
    if payload == b"0":
        return 1
    return ALL if payload.isdigit() else 0
