"""Synchronizers, as a user's type checker sees them."""

from datetime import timedelta
from typing import assert_type

from pyredisson import (
    AsyncCountDownLatch,
    AsyncPermitExpirableSemaphore,
    AsyncRateLimiter,
    AsyncRedisson,
    AsyncSemaphore,
    CountDownLatch,
    PermitExpirableSemaphore,
    PermitLostError,
    RateLimiter,
    RateLimiterConfig,
    RateNotSetError,
    RateType,
    Redisson,
    Semaphore,
)


def rate_limiters(client: Redisson) -> None:
    """RRateLimiter."""
    limiter = client.get_rate_limiter("api")
    assert_type(limiter, RateLimiter)
    assert_type(limiter.try_set_rate(RateType.OVERALL, 10, timedelta(seconds=1)), bool)
    limiter.set_rate(RateType.PER_CLIENT, rate=10, interval=1, keep_alive=60)
    assert_type(limiter.get_config(), RateLimiterConfig | None)
    assert_type(limiter.try_acquire(2, timeout=5), bool)
    assert_type(limiter.available_permits(), int)
    try:
        limiter.acquire()
    except RateNotSetError as error:
        assert_type(error.key, str)
    limiter.set_rate("overall", 1, 1)  # type: ignore[arg-type]  # a RateType
    limiter.acquire(1.5)  # type: ignore[arg-type]  # whole permits


async def async_rate_limiters(client: AsyncRedisson) -> None:
    """The same with asyncio."""
    limiter = client.get_rate_limiter("api")
    assert_type(limiter, AsyncRateLimiter)
    assert_type(await limiter.try_acquire(timeout=timedelta(seconds=1)), bool)
    await limiter.acquire(3)


def semaphores(client: Redisson) -> None:
    """RSemaphore and RCountDownLatch."""
    semaphore = client.get_semaphore("pool")
    assert_type(semaphore.try_set_permits(3, ttl=60), bool)
    with semaphore as same:
        assert_type(same, Semaphore)
    assert_type(semaphore.try_acquire(2, timeout=timedelta(seconds=1)), bool)
    semaphore.acquire()
    semaphore.release()
    semaphore.add_permits(-1)
    assert_type(semaphore.drain_permits(), int)
    assert_type(semaphore.available_permits(), int)
    semaphore.acquire("1")  # type: ignore[arg-type]  # whole permits
    leases = client.get_permit_expirable_semaphore("leases")
    assert_type(leases, PermitExpirableSemaphore)
    with leases.permit(lease=timedelta(seconds=10)) as permit_id:
        assert_type(permit_id, str)
    assert_type(leases.acquire(), str)
    assert_type(leases.try_acquire(timeout=1, lease=5), str | None)
    assert_type(leases.try_release(permit_id), bool)
    assert_type(leases.get_lease_time(permit_id), timedelta | None)
    assert_type(leases.update_lease_time(permit_id, 5), bool)
    assert_type(leases.get_permits(), int)
    leases.set_permits(3)
    try:
        leases.release(permit_id)
    except PermitLostError as error:
        assert_type(error.permit_id, str)
    latch = client.get_count_down_latch("go")
    assert_type(latch, CountDownLatch)
    assert_type(latch.try_set_count(3), bool)
    latch.count_down()
    assert_type(latch.get_count(), int)
    assert_type(latch.wait(timeout=5), bool)
    assert_type(latch.delete(), bool)


async def async_semaphores(client: AsyncRedisson) -> None:
    """The same with asyncio."""
    async with client.get_semaphore("pool") as semaphore:
        assert_type(semaphore, AsyncSemaphore)
    leases = client.get_permit_expirable_semaphore("leases")
    assert_type(leases, AsyncPermitExpirableSemaphore)
    async with leases.permit(lease=10) as permit_id:
        assert_type(permit_id, str)
    latch = client.get_count_down_latch("go")
    assert_type(latch, AsyncCountDownLatch)
    assert_type(await latch.wait(), bool)
