"""The methods of a client that make synchronizers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyredisson._async.factories.objects import AsyncFactories

if TYPE_CHECKING:
    from pyredisson._async.synchronizers.count_down_latch import AsyncCountDownLatch
    from pyredisson._async.synchronizers.permit_expirable_semaphore import (
        AsyncPermitExpirableSemaphore,
    )
    from pyredisson._async.synchronizers.rate_limiter import AsyncRateLimiter
    from pyredisson._async.synchronizers.semaphore import AsyncSemaphore


class AsyncSynchronizerFactories(AsyncFactories):
    """Makes RRateLimiter, RSemaphore, RPermitExpirableSemaphore and RCountDownLatch."""

    def get_rate_limiter(self, name: str) -> AsyncRateLimiter:
        """Return a rate limiter (RedissonClient.getRateLimiter)."""
        from pyredisson._async.synchronizers.rate_limiter import AsyncRateLimiter  # noqa: PLC0415 - seldom

        return AsyncRateLimiter(self._objects.context, name)

    def get_semaphore(self, name: str) -> AsyncSemaphore:
        """Return a semaphore (RedissonClient.getSemaphore)."""
        from pyredisson._async.synchronizers.semaphore import AsyncSemaphore  # noqa: PLC0415 - seldom

        return AsyncSemaphore(self._objects.context, name)

    def get_permit_expirable_semaphore(self, name: str) -> AsyncPermitExpirableSemaphore:
        """Return a semaphore with leases (RedissonClient.getPermitExpirableSemaphore)."""
        from pyredisson._async.synchronizers.permit_expirable_semaphore import (  # noqa: PLC0415 - seldom
            AsyncPermitExpirableSemaphore,
        )

        return AsyncPermitExpirableSemaphore(self._objects.context, name)

    def get_count_down_latch(self, name: str) -> AsyncCountDownLatch:
        """Return a latch (RedissonClient.getCountDownLatch)."""
        from pyredisson._async.synchronizers.count_down_latch import (  # noqa: PLC0415 - seldom
            AsyncCountDownLatch,
        )

        return AsyncCountDownLatch(self._objects.context, name)
