"""RLock without Java: holders, waiters, leases that end, and keys that remain in Redis."""

import logging
import re
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest
import redis.asyncio

from pyredisson import AsyncLock, AsyncRedisson, KeyTypeError, LockError, LockLostError
from tests.support.server import RedisServer
from tests.support.topology import RedisCluster
from tests.support.twins import AsyncStarted, run_together_async, sleep_async, until_async


@pytest.fixture
async def other(url: str) -> AsyncIterator[AsyncRedisson]:
    """Another client."""
    async with AsyncRedisson.from_url(url) as redisson:
        yield redisson


@pytest.fixture
def lock(redisson: AsyncRedisson) -> AsyncLock:
    return redisson.get_lock("job")


async def in_another(function: Any) -> Any:
    """Call a function in a new thread or task."""
    return await AsyncStarted(function).result()


async def test_with_block_holds_lock(lock: AsyncLock, raw: Any) -> None:
    async with lock as entered:
        assert entered is lock
        assert await lock.is_locked()
        assert await lock.is_held()
        assert await lock.get_hold_count() == 1
        left = await lock.remain_time_to_live()
        assert left is not None
        assert timedelta(seconds=20) < left <= timedelta(seconds=30)
        [(owner, count)] = raw.hgetall("job").items()
        assert re.fullmatch(r"[0-9a-f-]{36}:\d+", str(owner, "ascii"))
        assert count == b"1"
        assert not lock.lost
    assert not raw.exists("job")
    assert not await lock.is_locked()
    assert not await lock.is_held()
    assert await lock.get_hold_count() == 0
    assert await lock.remain_time_to_live() is None


async def test_lock_has_one_holder_at_a_time(lock: AsyncLock, other: AsyncRedisson) -> None:
    theirs = other.get_lock("job")
    assert await lock.try_lock()
    assert not await theirs.try_lock()
    assert not await in_another(lock.try_lock)
    assert not await theirs.try_lock(0.05)
    await lock.unlock()
    assert await theirs.try_lock(lease=5)
    assert not await lock.try_lock()
    await theirs.unlock()


async def test_each_acquisition_has_a_new_owner(lock: AsyncLock, raw: redis.Redis) -> None:
    owners = set()
    for _ in range(3):
        async with lock:
            owners.add(raw.hkeys("job")[0])
    assert len(owners) == 3


async def test_a_waiter_is_woken(lock: AsyncLock, other: AsyncRedisson) -> None:
    await lock.lock()
    waiter = AsyncStarted(other.get_lock("job").acquire)
    await sleep_async(0.2)
    assert not waiter.done
    await lock.unlock()
    assert await waiter.result()


async def test_many_callers_take_turns(
    redisson: AsyncRedisson, other: AsyncRedisson, raw: Any
) -> None:
    """The counter is not atomic, so its value would show two simultaneous holders."""

    async def work(client: AsyncRedisson) -> None:
        lock = client.get_lock("job")
        for _ in range(10):
            async with lock:
                count = int(raw.get("count") or 0)
                await sleep_async(0.001)
                raw.set("count", count + 1)

    works = [lambda client=each: work(client) for each in (redisson, other) for _ in range(4)]
    await run_together_async(*works)
    assert raw.get("count") == b"80"
    assert not raw.exists("job")


async def test_a_holder_does_not_wait_for_itself(lock: AsyncLock) -> None:
    async with lock:
        with pytest.raises(LockError, match="reentrant=True"):
            await lock.acquire()
        assert await lock.is_held()


async def test_a_reentrant_lock(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    lock = redisson.get_lock("job", reentrant=True)
    async with lock:
        async with lock:
            assert await lock.get_hold_count() == 2
            assert not await in_another(lock.try_lock)
        assert await lock.get_hold_count() == 1
        raw.delete("job")
        with pytest.raises(LockLostError):
            await lock.acquire()
        assert not raw.exists("job")
        await lock.acquire()
    assert not raw.exists("job")


async def test_only_holder_can_unlock(lock: AsyncLock) -> None:
    with pytest.raises(LockError, match="is not held by this thread or task"):
        await lock.unlock()
    async with lock:
        with pytest.raises(LockError, match="is not held"):
            await in_another(lock.unlock)
        assert await lock.is_held()


async def test_lock_with_explicit_lease_is_not_renewed(
    lock: AsyncLock, other: AsyncRedisson
) -> None:
    assert await lock.acquire(lease=timedelta(seconds=0.2))
    assert await other.get_lock("job").acquire(timeout=5)
    assert lock.lost
    with pytest.raises(LockLostError, match="another holder may have had it"):
        await lock.unlock()
    assert await lock.is_locked(), "the other one has it"


async def test_lock_without_lease_is_renewed(url: str, raw: redis.Redis) -> None:
    async with AsyncRedisson.from_url(url, lock_watchdog_timeout=3) as redisson:
        locks = [redisson.get_lock(f"job {number}") for number in range(20)]
        for lock in locks:
            await lock.lock()
        raw.config_resetstat()
        await sleep_async(3.5)
        assert [lock.lost for lock in locks] == [False] * 20
        calls = raw.info("commandstats")["cmdstat_evalsha"]["calls"]
        assert calls < 10, "one script renews all of them"
        for lock in locks:
            await lock.unlock()


async def test_renewals_end_when_no_lock_is_held(url: str) -> None:
    async with AsyncRedisson.from_url(url, lock_watchdog_timeout=0.6) as redisson:
        work, lock = redisson._context.background.work, redisson.get_lock("job")
        async with lock:
            (job,) = work.values()
        async with lock:
            assert [*work.values()] == [job], "the next lock has the same job"
        await until_async(lambda: not work, "it ends")
        async with lock:
            await sleep_async(0.9)
            assert not lock.lost, "another one renews it"


async def test_lost_lock_is_reported(
    url: str, raw: redis.Redis, caplog: pytest.LogCaptureFixture
) -> None:
    lost: list[AsyncLock] = []
    async with AsyncRedisson.from_url(url, lock_watchdog_timeout=0.6) as redisson:
        lock = redisson.get_lock("job", on_lost=lost.append)

        async def block() -> None:
            async with lock:
                assert await redisson.get_lock("job").force_unlock()
                await until_async(lambda: lost == [lock], "it is told")
                assert lock.lost

        with caplog.at_level(logging.WARNING), pytest.raises(LockLostError):
            await block()
        assert [record.msg for record in caplog.records] == ["lock %r is lost: %s"]
        caplog.clear()
        assert await lock.acquire(lease=0.05)
        await until_async(lambda: lost == [lock, lock], "it is told again")
        with pytest.raises(LockLostError):
            await lock.unlock()


async def test_an_error_is_not_hidden_by_a_lost_lock(
    lock: AsyncLock, raw: redis.Redis, caplog: pytest.LogCaptureFixture
) -> None:
    async def block() -> None:
        async with lock:
            raw.delete("job")
            raise KeyError("job")

    with pytest.raises(KeyError):
        await block()
    assert "was lost" in caplog.text


async def test_force_unlock(lock: AsyncLock, other: AsyncRedisson) -> None:
    theirs = other.get_lock("job")
    assert not await lock.force_unlock()
    await theirs.lock()
    waiter = AsyncStarted(lock.acquire)
    await sleep_async(0.1)
    assert await in_another(lock.force_unlock)
    assert await waiter.result()


async def test_a_key_of_another_type(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    raw.set("text", "v")
    with pytest.raises(KeyTypeError, match="text"):
        await redisson.get_lock("text").lock()


@pytest.mark.parametrize("lease", [0, -1, 0.001, float("inf")])
async def test_leases_that_are_rejected(lock: AsyncLock, raw: Any, lease: float) -> None:
    with pytest.raises(ValueError, match="lease must be"):
        await lock.acquire(lease=lease)
    assert not raw.exists("job")


async def test_an_outage_that_lasts_longer_than_the_lease(own_server: RedisServer) -> None:
    async with AsyncRedisson.from_url(own_server.url, lock_watchdog_timeout=0.9) as redisson:
        lock = redisson.get_lock("job")
        await lock.lock()
        own_server.pause()
        try:
            await until_async(lambda: lock.lost, "its lease may have ended")
            await sleep_async(0.5)
        finally:
            own_server.resume()
        with pytest.raises(LockLostError):
            await lock.unlock()
        async with redisson.get_lock("job"):
            pass


async def test_in_a_cluster(cluster: RedisCluster) -> None:
    """Sharded pub/sub notifies a waiter of the release. Locks on all nodes are renewed."""
    client: Any = redis.asyncio.RedisCluster.from_url(cluster.url)
    async with AsyncRedisson(client, lock_watchdog_timeout=3) as redisson:
        locks = [redisson.get_lock(f"job {number}") for number in range(12)]
        for lock in locks:
            await lock.lock()
        waiters = [AsyncStarted(redisson.get_lock(lock.name).acquire) for lock in locks[:3]]
        await sleep_async(3.5)
        assert [lock.lost for lock in locks] == [False] * 12
        assert [each.done for each in waiters] == [False] * 3
        for lock in locks:
            await lock.unlock()
        assert [await each.result() for each in waiters] == [True] * 3


async def test_lock_is_acquired_again_after_its_lease(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    """A throttle: the caller never releases the lock, and acquires it again later."""
    lock = redisson.get_lock("job", on_lost=print)
    for _ in range(3):
        assert await lock.try_lock(lease=0.05)
        assert not await redisson.get_lock("job").try_lock()
        await until_async(lambda: not raw.exists("job"), "its lease ends")
        await until_async(lambda: lock.lost, "it is over")
    await until_async(lambda: not redisson._context.background.work, "nothing watches it")


async def test_memory_of_ended_leases_is_bounded(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    lock = redisson.get_lock("job")
    for _ in range(250):
        assert await in_another(lambda: lock.try_lock(lease=0.01))
        raw.delete("job")
    assert len(lock._holds._by_caller) <= 110
