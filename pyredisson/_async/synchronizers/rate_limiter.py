"""RRateLimiter: a maximum of permits in each interval, for Java and Python."""

from __future__ import annotations

import math

from pyredisson._async.objects.expirable import AsyncExpirableObject
from pyredisson._runtime.concurrency import monotonic, random_8
from pyredisson.protocol.kernel.due import Seconds, seconds
from pyredisson.protocol.kernel.names import require_one_slot
from pyredisson.protocol.objects.expirable import ExpirableProtocol
from pyredisson.protocol.synchronizers.arguments import at_least
from pyredisson.protocol.synchronizers.rate_limiter import (
    Rate,
    RateLimiterConfig,
    RateLimiterProtocol,
    RateType,
)

_POLL = 5.0
"""The longest pause between two attempts, in seconds: the rate may change during a pause."""


class AsyncRateLimiter(AsyncExpirableObject):
    """A rate limiter that Java sees as RRateLimiter.

    It counts the permits of the last interval exactly, by the server's clock. A method that
    needs a rate raises `RateNotSetError` if the limiter has none.
    """

    _kind = "a rate limiter"

    def _keys_of(self, name: str) -> dict[str, str]:
        protocol = RateLimiterProtocol(name, self._context.identity.client_id)
        kinds = ("hash", "string", "string", "zset", "zset")
        return dict(zip(protocol.keys, kinds, strict=True))

    def _claimed(self, name: str) -> str:
        if self._link.topology.clustered:
            require_one_slot(self._keys_of(name))
        return name

    def _keys(self) -> ExpirableProtocol:
        return ExpirableProtocol(self._protocol.keys)

    @property
    def _protocol(self) -> RateLimiterProtocol:
        return RateLimiterProtocol(self._main_key, self._context.identity.client_id)

    async def try_set_rate(
        self,
        rate_type: RateType,
        rate: int,
        interval: Seconds,
        keep_alive: Seconds | None = None,
    ) -> bool:
        """Set the rate, unless the limiter has one (RRateLimiter.trySetRate).

        Args:
            rate_type: `RateType.OVERALL` for all clients together, or `RateType.PER_CLIENT`.
            rate: the permits per interval.
            interval: seconds, or a timedelta.
            keep_alive: the time after the last attempt until the limiter is deleted, in seconds or
                as a timedelta; at least the interval. None for never.

        Returns:
            False if the limiter has a rate already, even if it is a different rate.

        Raises:
            UncertainError: no reply came. The rate may be set.
        """
        checked = Rate.of(rate_type, rate, interval, keep_alive)
        return await self._run(self._protocol.try_set_rate(checked))

    async def set_rate(
        self,
        rate_type: RateType,
        rate: int,
        interval: Seconds,
        keep_alive: Seconds | None = None,
        *,
        keep_state: bool = False,
    ) -> None:
        """Set the rate, also if the limiter has one (RRateLimiter.setRate).

        Args:
            rate_type: as for `try_set_rate`.
            rate: as for `try_set_rate`.
            interval: as for `try_set_rate`.
            keep_alive: as for `try_set_rate`.
            keep_state: whether permits that were acquired in the last interval stay acquired, if
                the type is the same. Otherwise the call frees all shared permits, and all permits
                of this client, but not those of other clients.
        """
        await self._set(Rate.of(rate_type, rate, interval, keep_alive), keep_state, update=False)

    async def update_rate(
        self,
        rate_type: RateType,
        rate: int,
        interval: Seconds,
        keep_alive: Seconds | None = None,
        *,
        keep_state: bool = False,
    ) -> bool:
        """Set the rate as `set_rate` does, if the limiter has a rate (RRateLimiter.updateRate).

        Returns:
            False if the limiter has no rate.
        """
        checked = Rate.of(rate_type, rate, interval, keep_alive)
        return await self._set(checked, keep_state, update=True)

    async def _set(self, rate: Rate, keep_state: bool, *, update: bool) -> bool:
        return await self._run(self._protocol.set_rate(rate, keep_state=keep_state, update=update))

    async def get_config(self) -> RateLimiterConfig | None:
        """Return the rate, or None if the limiter has none (RRateLimiter.getConfig)."""
        return await self._run(self._protocol.config())

    async def acquire(self, permits: int = 1) -> None:
        """Wait until permits are free, and acquire them (RRateLimiter.acquire).

        Args:
            permits: how many, at most the rate.

        Raises:
            ValueError: `permits` is above the rate.
        """
        await self._acquired(permits, math.inf)

    async def try_acquire(self, permits: int = 1, timeout: Seconds = 0) -> bool:
        """Acquire permits as `acquire` does, but wait at most `timeout` (RRateLimiter.tryAcquire).

        Args:
            permits: how many, at most the rate.
            timeout: the longest wait in seconds or as a timedelta; 0, the default, tries once.

        Returns:
            False if the time is over.

        Raises:
            ValueError: `permits` is above the rate.
        """
        return await self._acquired(permits, seconds(timeout))

    async def release(self, permits: int = 1) -> int:
        """Release permits before their interval is over (RRateLimiter.release).

        Args:
            permits: how many. The permits that were acquired last are released. If the rate is
                `RateType.OVERALL`, these may be permits of other clients.

        Returns:
            How many were released; fewer than `permits` if fewer were acquired in the interval. At
                most the last 1000 acquisitions are released.

        Raises:
            UncertainError: no reply came. The permits may be released or not.
        """
        return await self._run(self._protocol.release(at_least(1, permits, "permits")))

    async def available_permits(self) -> int:
        """Return how many permits are free (RRateLimiter.availablePermits)."""
        while (free := await self._run(self._protocol.available())) is None:
            pass
        return free

    async def _acquired(self, permits: int, timeout: float) -> bool:
        attempt = self._protocol.acquire(at_least(1, permits, "permits"), random_8() + random_8())
        deadline = monotonic() + timeout
        while (wait_ms := await self._run(attempt)) is not None:
            left = deadline - monotonic()
            if not wait_ms:  # the log may have more ended entries
                continue
            if left <= 0:
                return False
            await self._link.life.pause(min(wait_ms / 1000, left, _POLL))
        return True
