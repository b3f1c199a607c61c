"""Synchronizers in a cluster: sharded pub/sub wakes waiters, and all keys are in one slot."""

from typing import Any

import pytest
import redis.asyncio

from pyredisson import AsyncRedisson, InvalidNameError, RateType
from tests.support.topology import RedisCluster
from tests.support.twins import AsyncStarted


async def test_in_a_cluster(cluster: RedisCluster) -> None:
    client: Any = redis.asyncio.RedisCluster.from_url(cluster.url)
    async with AsyncRedisson(client) as redisson:
        for name in ("a", "b", "c"):
            limiter = redisson.get_rate_limiter(f"limiter{{{name}}}")
            assert await limiter.try_set_rate(RateType.PER_CLIENT, 1, 3600)
            assert await limiter.try_acquire()
            assert not await limiter.try_acquire()
            semaphore = redisson.get_semaphore(f"semaphore{{{name}}}")
            await semaphore.try_set_permits(1)
            await semaphore.acquire()
            waiter = AsyncStarted(semaphore.acquire)
            await semaphore.release()
            await waiter.result()
            leases = redisson.get_permit_expirable_semaphore(f"leases:{name}")
            await leases.try_set_permits(1)
            permit = await leases.acquire()
            leasing = AsyncStarted(leases.acquire)
            await leases.release(permit)
            assert await leasing.result()
            latch = redisson.get_count_down_latch(f"latch:{name}")
            await latch.try_set_count(1)
            waits = AsyncStarted(latch.wait)
            await latch.count_down()
            assert await waits.result()


async def test_names_with_keys_in_several_slots_are_rejected(cluster: RedisCluster) -> None:
    """The channel of a latch has braces around the whole name, as in Java."""
    client: Any = redis.asyncio.RedisCluster.from_url(cluster.url)
    async with AsyncRedisson(client) as redisson:
        for make, name in (
            (redisson.get_rate_limiter, "a{b"),
            (redisson.get_semaphore, "a{b"),
            (redisson.get_permit_expirable_semaphore, "a{b"),
            (redisson.get_count_down_latch, "a:{1}"),
        ):
            with pytest.raises(InvalidNameError):
                make(name)
