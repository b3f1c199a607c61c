"""RMultiLock: several locks as one. The rule: a caller holds all of them, or none."""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from pyredisson._async.locks.lock import AsyncLock
from pyredisson._runtime.concurrency import monotonic
from pyredisson._runtime.interrupts import AsyncInterrupts
from pyredisson.errors import LockLostError
from pyredisson.protocol.kernel.due import Seconds, seconds


class AsyncMultiLock:
    """Several locks that are acquired and released together (Redisson's RMultiLock).

    The locks are acquired in the order of their names. So two callers that need the same locks do
    not wait for each other. The locks can be of different kinds, clients and servers.

    Args:
        locks: the locks; those of one client have different names. Their `on_lost` and
            `cancel_when_lost` apply.
    """

    def __init__(self, locks: Sequence[AsyncLock]) -> None:
        for lock in locks:
            if not isinstance(lock, AsyncLock):
                raise TypeError(f"a multi lock is made of locks of get_lock and the like: {lock!r}")
        names = [(id(lock._context), lock._main_key) for lock in locks]
        if not locks or len(set(names)) < len(names):
            raise ValueError(f"a multi lock needs one lock or more, each of another name: {locks}")
        self._locks = sorted(locks, key=lambda lock: lock._main_key)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {[lock._main_key for lock in self._locks]}>"

    async def acquire(self, timeout: Seconds | None = None, lease: Seconds | None = None) -> bool:
        """Acquire all locks, or none.

        Args:
            timeout: the longest wait for all of them, in seconds or as a timedelta; None waits for
                ever, 0 tries once.
            lease: the time after which the locks are free without a release, in seconds or as a
                timedelta. It begins after all locks are acquired. A lock that the caller had before
                is renewed instead. None lets the client renew all locks until they are released.

        Returns:
            True if all locks were acquired, False if the time is over.

        Raises:
            LockError, LockLostError, ServerError, ClosedError: as for `AsyncLock.acquire`. The
                locks that this call had acquired are released, or free after their leases.
        """
        deadline = monotonic() + (math.inf if timeout is None else seconds(timeout))
        for lock in self._locks:
            lock._length(lease)
        taken: list[AsyncLock] = []
        try:
            async with AsyncInterrupts():
                for lock in self._locks:
                    left = max(deadline - monotonic(), 0)
                    if not await lock.acquire(None if left == math.inf else left):
                        break
                    taken.append(lock)
                else:
                    if lease is not None:
                        for lock in self._locks:
                            await lock._end_after(lease)
                    for lock in self._locks:
                        if lock.lost:  # during the wait for another lock
                            raise LockLostError(lock._main_key)
                    return True
        except BaseException:
            await self._release(taken)
            raise
        if error := await self._release(taken):
            raise error
        return False

    async def lock(self, lease: Seconds | None = None) -> None:
        """Acquire all locks as `acquire` does, and wait without a limit (RMultiLock.lock)."""
        await self.acquire(None, lease)

    async def try_lock(self, wait: Seconds = 0, lease: Seconds | None = None) -> bool:
        """Acquire all locks as `acquire` does, by default without a wait (RMultiLock.tryLock)."""
        return await self.acquire(wait, lease)

    async def unlock(self) -> None:
        """Release all locks once (RMultiLock.unlock).

        Raises:
            LockError, LockLostError, ServerError: the first error of a lock. The call releases the
                other locks, too.
        """
        if error := await self._release(self._locks):
            raise error

    async def _release(
        self,
        locks: Sequence[AsyncLock],
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        trace: TracebackType | None = None,
    ) -> BaseException | None:
        """Leave the blocks of locks; return the first error or interruption, or None."""
        first: BaseException | None = None
        async with AsyncInterrupts(deferred=True):
            for lock in reversed(locks):
                try:
                    await lock.__aexit__(kind, error, trace)
                except BaseException as raised:  # the lock is released, or its lease ends
                    first = first or raised
        return first

    @property
    def lost(self) -> bool:
        """Whether this thread or task has lost one of the locks or more; see `AsyncLock.lost`."""
        return any(lock.lost for lock in self._locks)

    async def is_held(self) -> bool:
        """Return whether this thread or task has all of the locks, as the servers know it."""
        for lock in self._locks:
            if not await lock.is_held():
                return False
        return True

    async def __aenter__(self) -> Self:
        """Wait for all locks."""
        await self.lock()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Release all locks.

        Raises:
            LockLostError: a lock was lost. Another holder's block may have run at the same time.
        """
        if first := await self._release(self._locks, kind, error, trace):
            raise first
