"""RPermitExpirableSemaphore: permits with leases; after its lease, a dead holder's permit is free.

The rule: if an error ends an attempt, a permit that the attempt may have leased is released. Only
after ClosedError, the permit stays leased until its lease ends.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from types import TracebackType
from typing import overload

from pyredisson._async.background.wake_ups import wait_async
from pyredisson._async.synchronizers.synchronizer import AsyncSynchronizer
from pyredisson._runtime.concurrency import process, random_8
from pyredisson._runtime.interrupts import AsyncInterrupts, finish_async
from pyredisson.errors import ClosedError, PermitLostError
from pyredisson.protocol.kernel.due import Seconds, positive, seconds, whole_ms
from pyredisson.protocol.synchronizers.arguments import at_least, wake_count
from pyredisson.protocol.synchronizers.permits import Permits, PermitsProtocol, permit_bytes
from pyredisson.protocol.synchronizers.semaphore import SemaphoreProtocol
from pyredisson.server_errors import LOST, ServerError

log = logging.getLogger("pyredisson")


class AsyncPermitExpirableSemaphore(AsyncSynchronizer):
    """A semaphore that Java sees as RPermitExpirableSemaphore.

    Each leased permit has an id of 32 hex digits. Its lease ends by the server's clock, or never.
    ``async with semaphore.permit(lease=10):`` holds a permit during the block.
    """

    _kind = "a semaphore with leases"

    def _keys_of(self, name: str) -> dict[str, str]:
        return {name: "string", PermitsProtocol(name).leases: "zset"}

    def _channel_of(self, name: str) -> str:
        return SemaphoreProtocol(name).channel

    @property
    def _protocol(self) -> PermitsProtocol:
        return PermitsProtocol(self._main_key, self._publishing)

    # -------------------------------------------------------------- the number of permits

    async def try_set_permits(self, permits: int) -> bool:
        """Set the number of permits, unless it is set (trySetPermits).

        Args:
            permits: how many are free.

        Returns:
            False if it was set before.

        Raises:
            UncertainError: no reply came. The number may be set.
        """
        change = self._protocol.semaphore.try_set(at_least(0, permits, "permits"), None)
        return await self._changed(change) == 1

    async def set_permits(self, permits: int) -> None:
        """Set the number of all permits, free and leased ones (setPermits)."""
        await self._counted(at_least(0, permits, "permits"))

    async def add_permits(self, permits: int) -> None:
        """Add permits. A negative number removes permits, also leased ones (addPermits).

        Raises:
            UncertainError: no reply came. The permits may be added or not.
        """
        checked = at_least(-(2**31), permits, "permits")
        await self._changed(self._protocol.semaphore.add(checked))

    async def get_permits(self) -> int:
        """Return the number of permits, free and leased ones (getPermits)."""
        permits = await self._counted()
        return permits.free + permits.leased

    async def available_permits(self) -> int:
        """Return how many permits are free (availablePermits)."""
        return (await self._counted()).free

    async def acquired_permits(self) -> int:
        """Return how many permits are leased (acquiredPermits)."""
        return (await self._counted()).leased

    async def _counted(self, permits: int | None = None) -> Permits:
        """Count the permits, or set their number; use several scripts if many leases have ended."""
        while (counted := await self._run(self._protocol.count(permits))) is None:
            pass
        return counted

    # -------------------------------------------------------------- permits

    @overload
    async def acquire(self, lease: Seconds | None = None) -> str: ...

    @overload
    async def acquire(self, lease: Seconds | None = None, *, permits: int) -> list[str]: ...

    async def acquire(
        self, lease: Seconds | None = None, *, permits: int | None = None
    ) -> str | list[str]:
        """Wait for a permit, and lease it (acquire).

        Args:
            lease: the time after which the permit is free without a release, in seconds or as a
                timedelta; None for never.
            permits: lease this many permits in one step. None leases one permit.

        Returns:
            The id of the permit. If `permits` is not None, a list of ids.
        """
        found = await self._leased(permits, math.inf, lease)
        return found[0] if permits is None else found

    @overload
    async def try_acquire(
        self, timeout: Seconds = 0, lease: Seconds | None = None
    ) -> str | None: ...

    @overload
    async def try_acquire(
        self, timeout: Seconds = 0, lease: Seconds | None = None, *, permits: int
    ) -> list[str]: ...

    async def try_acquire(
        self, timeout: Seconds = 0, lease: Seconds | None = None, *, permits: int | None = None
    ) -> str | list[str] | None:
        """Lease a permit as `acquire` does, but wait at most `timeout` (tryAcquire).

        Args:
            timeout: the longest wait in seconds or as a timedelta; 0, the default, tries once.
            lease: as for `acquire`.
            permits: as for `acquire`.

        Returns:
            The id of the permit, or None if the time is over. If `permits` is not None, a list of
            ids, which is empty if the time is over.
        """
        found = await self._leased(permits, seconds(timeout), lease)
        if permits is None:
            return found[0] if found else None
        return found

    async def _leased(self, count: int | None, timeout: float, lease: Seconds | None) -> list[str]:
        number = 1 if count is None else at_least(1, count, "permits")
        permits = [random_8() + random_8() for _ in range(number)]
        lease_ms = 0 if lease is None else _milliseconds(lease)
        operation = self._protocol.acquire(lease_ms, *permits)
        channel, leased = self._protocol.semaphore.channel, False

        async def attempt() -> float | None:
            nonlocal leased
            leased = True  # until the attempt is known to have failed
            wait_ms = await self._run(operation)
            leased = wait_ms is None
            if wait_ms is None:
                return None
            return wait_ms / 1000 if wait_ms >= 0 else math.inf

        try:
            async with AsyncInterrupts():  # after this block only returns follow, to the caller
                background = self._context.background
                found = await wait_async(background, channel, attempt, timeout, wake_count)
        except BaseException as error:
            if leased:
                await self._abandon(permits, error)
            raise
        return [permit.hex() for permit in permits] if found else []

    async def _abandon(self, permits: Sequence[bytes], error: BaseException) -> None:
        release = partial(self._release_quietly, permits)
        if isinstance(error, ServerError | OSError):
            self._link.life.begin(release, "pyredisson release")
        elif not isinstance(error, ClosedError):
            await finish_async(release())

    async def _release_quietly(self, permits: Sequence[bytes]) -> None:
        try:
            await self._link.request(self._protocol.release(*permits))
        except (ServerError, OSError, ClosedError) as error:
            log.debug("a permit of %r is leased until its lease ends: %s", self._main_key, error)

    async def release(self, permit_id: str | Sequence[str]) -> None:
        """Release a permit, or several in one step, and wake waiters (release).

        Raises:
            PermitLostError: a permit was no longer leased. All given permits are free in any case.
        """
        if await self._released(permit_id) < len(_listed(permit_id)):
            raise PermitLostError(self._main_key, ", ".join(_listed(permit_id)))

    @overload
    async def try_release(self, permit_id: str) -> bool: ...

    @overload
    async def try_release(self, permit_id: Sequence[str]) -> int: ...

    async def try_release(self, permit_id: str | Sequence[str]) -> bool | int:
        """Release permits as `release` does, but never raise PermitLostError (tryRelease).

        Returns:
            For one id, False if the permit was no longer leased. For several ids, how many were
            still leased. All given permits are free in any case.
        """
        released = await self._released(permit_id)
        return released == 1 if isinstance(permit_id, str) else released

    async def _released(self, permit_id: str | Sequence[str]) -> int:
        permits = [permit_bytes(each) for each in _listed(permit_id)]
        release = self._protocol.release(*permits)
        try:
            return await self._changed(release) if permits else 0
        except LOST:  # repeated: a permit that no longer exists was released by the first request
            await self._changed(release)
            return len(permits)

    async def get_lease_time(self, permit_id: str) -> timedelta | None:
        """Return the time until a permit's lease ends; None if it never ends (getLeaseTime).

        Raises:
            PermitLostError: the permit is not leased.
        """
        left = await self._run(self._protocol.lease_time(permit_bytes(permit_id)))
        if left is None:
            raise PermitLostError(self._main_key, permit_id)
        return timedelta(milliseconds=left) if left >= 0 else None

    async def update_lease_time(self, permit_id: str, lease: Seconds) -> bool:
        """Start the lease of a permit anew (updateLeaseTime).

        Args:
            permit_id: the permit.
            lease: its new lease from now on, in seconds or as a timedelta.

        Returns:
            False if the permit is not leased.
        """
        permit = permit_bytes(permit_id)
        return await self._run(self._protocol.update_lease(permit, _milliseconds(lease)))

    def permit(self, lease: Seconds) -> AsyncPermit:
        """Return a block that waits for a permit and holds it: `async with semaphore.permit(10)`.

        Args:
            lease: the time after which the permit is free, also if the block has not ended, in
                seconds or as a timedelta. Leaving the block later raises `PermitLostError`.
        """
        return AsyncPermit(self, lease)


class AsyncPermit:
    """A block that holds a permit. Entering the block returns the permit's id.

    Args:
        semaphore: the semaphore of the permit.
        lease: the lease of the permit.
    """

    def __init__(self, semaphore: AsyncPermitExpirableSemaphore, lease: Seconds) -> None:
        self._semaphore = semaphore
        self._lease = lease
        self._entered: list[tuple[int, str]] = []

    async def __aenter__(self) -> str:
        """Wait for a permit; return its id."""
        permit_id = await self._semaphore.acquire(self._lease)
        self._entered.append((process(), permit_id))
        return permit_id

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Release the permit; a forked child does not release its parent's permit.

        Raises:
            PermitLostError: the lease ended during the block. If the block ended with an error, the
                loss is only logged.
        """
        owner, permit_id = self._entered.pop()
        if owner != process():
            return
        try:
            await self._semaphore.release(permit_id)
        except PermitLostError as lost:
            if error is None:
                raise
            log.warning("an error ended the block, and its permit had been lost: %s", lost)


def _listed(permit_id: str | Sequence[str]) -> Sequence[str]:
    return (permit_id,) if isinstance(permit_id, str) else permit_id


def _milliseconds(lease: Seconds) -> int:
    return whole_ms(positive(lease, "lease"), "lease")
