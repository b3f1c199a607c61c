"""RSemaphore: a number of permits that Java and Python share.

The rule: permits that an interrupted call may have acquired are released.
"""

from __future__ import annotations

import math
from types import TracebackType
from typing import Self

from pyredisson._async.background.wake_ups import wait_async
from pyredisson._async.context import AsyncContext
from pyredisson._async.synchronizers.synchronizer import AsyncSynchronizer
from pyredisson._runtime.concurrency import process
from pyredisson._runtime.interrupts import AsyncInterrupts, finish_async
from pyredisson.protocol.kernel.due import Seconds, positive, seconds, whole_ms
from pyredisson.protocol.synchronizers.arguments import at_least, wake_count
from pyredisson.protocol.synchronizers.semaphore import SemaphoreProtocol


class AsyncSemaphore(AsyncSynchronizer):
    """A semaphore that Java sees as RSemaphore.

    ``async with redisson.get_semaphore("pool"):`` waits for one permit, and holds it
    during the block.
    The permits of a program that dies stay acquired for ever. `get_permit_expirable_semaphore`
    gives permits with leases.
    A call that changes the permits raises `UncertainError` if its reply was lost.
    """

    _kind = "a semaphore"

    def __init__(self, context: AsyncContext, name: str) -> None:
        super().__init__(context, name)
        self._entered: list[int] = []  # the process of each block: a forked child releases none

    def _keys_of(self, name: str) -> dict[str, str]:
        return {name: "string"}

    def _channel_of(self, name: str) -> str:
        return SemaphoreProtocol(name).channel

    @property
    def _protocol(self) -> SemaphoreProtocol:
        return SemaphoreProtocol(self._main_key, self._publishing)

    async def try_set_permits(self, permits: int, ttl: Seconds | None = None) -> bool:
        """Set the number of permits, unless it is set (RSemaphore.trySetPermits).

        Args:
            permits: how many are free.
            ttl: the time to live of the semaphore in seconds, or a timedelta; None for no limit.

        Returns:
            False if it was set before.
        """
        ttl_ms = None if ttl is None else whole_ms(positive(ttl, "ttl"), "ttl")
        change = self._protocol.try_set(at_least(0, permits, "permits"), ttl_ms)
        return await self._changed(change) == 1

    async def acquire(self, permits: int = 1) -> None:
        """Wait until permits are free, and acquire them (RSemaphore.acquire)."""
        await self._acquired(permits, math.inf)

    async def try_acquire(self, permits: int = 1, timeout: Seconds = 0) -> bool:
        """Acquire permits as `acquire` does, but wait at most `timeout` (RSemaphore.tryAcquire).

        Args:
            permits: how many.
            timeout: the longest wait in seconds or as a timedelta; 0, the default, tries once.

        Returns:
            False if the time is over.
        """
        return await self._acquired(permits, seconds(timeout))

    async def _acquired(self, permits: int, timeout: float) -> bool:
        protocol, background = self._protocol, self._context.background
        operation, taken = protocol.acquire(at_least(1, permits, "permits")), False

        async def attempt() -> float | None:
            nonlocal taken
            taken = await self._run(operation)
            return None if taken else math.inf

        try:
            # after this block only returns follow: else Ctrl-C would lose the permits
            async with AsyncInterrupts():
                return await wait_async(background, protocol.channel, attempt, timeout, wake_count)
        except BaseException:
            if taken:
                await finish_async(self._changed(protocol.add(permits)))
            raise

    async def release(self, permits: int = 1) -> None:
        """Release permits, and wake waiters (RSemaphore.release)."""
        await self._changed(self._protocol.add(at_least(1, permits, "permits")))

    async def add_permits(self, permits: int) -> None:
        """Add permits, or remove free permits by a negative number (addPermits).

        The number of free permits can become negative. Later releases raise it again.
        """
        await self._changed(self._protocol.add(at_least(-(2**31), permits, "permits")))

    async def drain_permits(self) -> int:
        """Acquire all free permits (RSemaphore.drainPermits).

        Returns:
            How many permits were acquired.
        """
        return await self._run(self._protocol.drain())

    async def available_permits(self) -> int:
        """Return how many permits are free (RSemaphore.availablePermits)."""
        return await self._run(self._protocol.available())

    async def __aenter__(self) -> Self:
        """Wait for one permit."""
        await self.acquire()
        self._entered.append(process())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Release one permit; a forked child does not release its parent's permit."""
        if self._entered.pop() == process():
            await self.release()
