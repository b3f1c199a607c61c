"""RReadWriteLock: several readers or one writer, and keys that remain in Redis."""

import random
from collections.abc import AsyncIterator
from functools import partial
from typing import Any

import pytest
import redis
import redis.asyncio

from pyredisson import AsyncReadWriteLock, AsyncRedisson, LockError, LockLostError
from pyredisson.protocol.kernel.scripts import load
from tests.support.proxy import FaultProxy
from tests.support.topology import RedisCluster
from tests.support.twins import (
    AsyncStarted,
    interrupt_async,
    run_together_async,
    sleep_async,
    until_async,
)


@pytest.fixture
async def other(url: str) -> AsyncIterator[AsyncReadWriteLock]:
    """The same lock in another client."""
    async with AsyncRedisson.from_url(url) as redisson:
        yield redisson.get_read_write_lock("job")


@pytest.fixture
def lock(redisson: AsyncRedisson) -> AsyncReadWriteLock:
    return redisson.get_read_write_lock("job")


async def test_readers_share_lock(
    lock: AsyncReadWriteLock, other: AsyncReadWriteLock, raw: Any
) -> None:
    async with lock.read_lock():
        assert raw.hget("job", "mode") == b"read"
        async with other.read_lock():
            assert await lock.read_lock().is_locked()
            assert not await lock.write_lock().is_locked()
            assert len(raw.keys("{job}:*:rwlock_timeout:1")) == 2
            assert not await other.write_lock().force_unlock()
            assert not await AsyncStarted(lock.write_lock().try_lock).result()
        assert await lock.read_lock().is_held()
        assert await lock.read_lock().get_hold_count() == 1
    assert not raw.keys()


async def test_writer_excludes_readers_and_writers(
    lock: AsyncReadWriteLock, other: AsyncReadWriteLock, raw: redis.Redis
) -> None:
    async with lock.write_lock():
        assert raw.hget("job", "mode") == b"write"
        assert await lock.write_lock().is_locked()
        assert not await lock.read_lock().is_locked()
        assert await lock.write_lock().is_held()
        assert await lock.write_lock().get_hold_count() == 1
        assert not await other.read_lock().try_lock()
        assert not await other.write_lock().try_lock(0.05)
        assert not await other.read_lock().force_unlock()
    assert not raw.keys()


async def test_waiters_are_woken(lock: AsyncReadWriteLock, other: AsyncReadWriteLock) -> None:
    await lock.write_lock().lock()
    readers = [AsyncStarted(other.read_lock().acquire) for _ in range(3)]
    await sleep_async(0.1)
    await lock.write_lock().unlock()
    for each in readers:
        assert await each.result()
    writer = AsyncStarted(lock.write_lock().acquire)
    await sleep_async(0.1)
    assert not writer.done
    assert await other.read_lock().force_unlock()
    assert await writer.result()
    assert await other.write_lock().force_unlock()


async def test_writer_that_becomes_reader_wakes_readers(
    lock: AsyncReadWriteLock, other: AsyncReadWriteLock, raw: redis.Redis
) -> None:
    """The writer's unlock wakes waiting readers. In Redisson they wait for the end of the lease."""
    await lock.write_lock().lock()
    assert await lock.read_lock().acquire(lease=60)
    assert await lock.read_lock().is_locked()
    reader = AsyncStarted(other.read_lock().acquire)
    await sleep_async(0.1)
    assert not reader.done
    await lock.write_lock().unlock()
    assert await reader.result()
    assert raw.hget("job", "mode") == b"read"
    assert raw.pttl("job") > 50_000, "the reader's lease"
    assert not await other.write_lock().try_lock()
    await lock.read_lock().unlock()
    assert await other.read_lock().force_unlock()


async def test_writer_unlocks_after_its_read_lease_ended(
    lock: AsyncReadWriteLock, other: AsyncReadWriteLock, raw: redis.Redis
) -> None:
    """The lock then has no reader and is free.

    In Redisson it is free only at the end of the lease.
    """
    await lock.write_lock().lock()
    assert await lock.read_lock().acquire(lease=0.01)
    await sleep_async(0.05)
    await lock.write_lock().unlock()
    assert not raw.keys()
    assert await other.write_lock().try_lock()
    await other.write_lock().unlock()


async def test_holder_of_both_locks_releases_read_lock_first(
    lock: AsyncReadWriteLock, other: AsyncReadWriteLock, raw: redis.Redis
) -> None:
    await lock.write_lock().lock()
    assert await lock.read_lock().acquire(lease=1)
    await lock.read_lock().unlock()
    assert raw.pttl("job") > 20_000, "the writer's lease"
    assert not await other.read_lock().try_lock()
    await lock.write_lock().unlock()
    assert not raw.keys()


async def test_a_reader_cannot_become_a_writer(lock: AsyncReadWriteLock, raw: Any) -> None:
    async with lock.read_lock():
        with pytest.raises(LockError, match="has the read lock, and would wait for itself"):
            await lock.write_lock().acquire(timeout=5)
    assert not raw.keys()
    assert await lock.read_lock().try_lock(lease=0.02)
    await until_async(lambda: lock.read_lock().lost, "its lease ends")
    async with lock.write_lock():
        pass


async def test_reentrant_read_and_write_locks(
    redisson: AsyncRedisson, other: AsyncReadWriteLock, raw: Any
) -> None:
    lock = redisson.get_read_write_lock("job", reentrant=True)
    read, write = lock.read_lock(), lock.write_lock()
    for one in (read, write):
        assert await one.acquire(lease=8)
        assert await one.acquire(lease=9)
        assert raw.pttl("job") <= 9_000, "the lease is set, not added"
        assert await one.get_hold_count() == 2
        assert len(raw.keys("{job}:*")) == (2 if one is read else 0)
        await one.unlock()
        assert not await other.write_lock().try_lock()
        await one.unlock()
        assert not raw.keys()
        with pytest.raises(LockError, match="is not held"):
            await one.unlock()
        await one.lock()
        raw.delete("job")
        with pytest.raises(LockLostError):
            await one.lock()
        raw.flushdb()


async def test_the_longest_lease_of_readers_counts(
    lock: AsyncReadWriteLock, other: AsyncReadWriteLock, raw: redis.Redis
) -> None:
    assert await lock.read_lock().acquire(lease=0.1)
    assert await other.read_lock().acquire(lease=60)
    await sleep_async(0.2)
    assert lock.read_lock().lost
    with pytest.raises(LockLostError):
        await lock.read_lock().unlock()
    assert raw.pttl("job") > 50_000
    await other.read_lock().unlock()
    assert not raw.keys()


async def test_a_renewal_keeps_the_longer_lease_of_another_reader(
    url: str, other: AsyncReadWriteLock, raw: redis.Redis
) -> None:
    """Redisson's renewal would shorten it."""
    async with AsyncRedisson.from_url(url, lock_watchdog_timeout=0.9) as redisson:
        lock = redisson.get_read_write_lock("job")
        async with lock.read_lock():
            string = raw.keys("{job}:*")[0]
            assert await other.read_lock().acquire(lease=60)
            await sleep_async(1.2)
            raw.delete(string)
            await until_async(lambda: raw.pttl(string) > 0, "it is there again")
            assert raw.pttl("job") > 50_000
            assert not lock.read_lock().lost
        async with redisson.get_read_write_lock("other").write_lock():
            await sleep_async(1.2)
            assert raw.exists("other")


async def test_lost_read_and_write_locks_are_reported(url: str, raw: redis.Redis) -> None:
    lost: list[Any] = []
    async with AsyncRedisson.from_url(url, lock_watchdog_timeout=0.6) as redisson:
        lock = redisson.get_read_write_lock("job", on_lost=lost.append)
        for one in (lock.read_lock(), lock.write_lock()):
            await one.lock()
            raw.delete("job")
            await until_async(partial(lost.__contains__, one), "it is told")
            with pytest.raises(LockLostError):
                await one.unlock()


async def test_readers_never_see_half_of_a_write(
    redisson: AsyncRedisson, other: AsyncReadWriteLock, raw: redis.Redis
) -> None:
    """A writer changes two keys. Readers always see equal values."""
    mine = redisson.get_read_write_lock("job")

    async def write(lock: AsyncReadWriteLock) -> None:
        for _ in range(15):
            async with lock.write_lock():
                count = int(raw.get("a") or 0)
                raw.set("a", count + 1)
                await sleep_async(0.001)
                raw.set("b", count + 1)

    async def read(lock: AsyncReadWriteLock) -> None:
        for _ in range(25):
            async with lock.read_lock():
                first = raw.get("a")
                await sleep_async(0.001)
                assert raw.get("b") == first

    works = [partial(work, each) for work in (write, read) for each in (mine, other)]
    await run_together_async(*works, *works)
    assert raw.get("a") == raw.get("b") == b"60"
    assert sorted(raw.keys()) == [b"a", b"b"]


async def test_lost_replies(proxy: FaultProxy, raw: redis.Redis) -> None:
    async with AsyncRedisson.from_url(f"redis://127.0.0.1:{proxy.port}/0") as redisson:
        lock = redisson.get_read_write_lock("job", reentrant=True)
        for kind, one in (("read", lock.read_lock()), ("write", lock.write_lock())):
            async with one:
                pass
            acquire, release = (f"locks/{each}_{kind}" for each in ("acquire", "release"))
            for count in (1, 2):
                proxy.lose_reply_to(load(acquire).sha.encode())
                await one.lock()
                assert await one.get_hold_count() == count
            for count in (1, 0):
                proxy.lose_reply_to(load(release).sha.encode())
                await one.unlock()
                assert await one.get_hold_count() == count
            assert not raw.keys()


async def test_interrupted_at_any_moment(
    lock: AsyncReadWriteLock, other: AsyncReadWriteLock, raw: redis.Redis
) -> None:
    rng = random.Random(5)
    for number in range(120):
        one = lock.read_lock() if number % 2 else lock.write_lock()

        async def turn(one: Any = one) -> None:
            async with one:
                pass

        blocked = number % 4 < 2 and await AsyncStarted(other.write_lock().try_lock).result()
        await interrupt_async(turn, rng.random() * 0.002)
        if blocked:
            assert await other.write_lock().force_unlock()
        assert not raw.keys(), number


async def test_in_a_cluster(cluster: RedisCluster) -> None:
    client: Any = redis.asyncio.RedisCluster.from_url(cluster.url)
    async with AsyncRedisson(client, lock_watchdog_timeout=0.9) as redisson:
        locks = [redisson.get_read_write_lock(f"job {number}") for number in range(6)]
        for lock in locks:
            await lock.write_lock().lock()
            await lock.read_lock().lock()
            await lock.write_lock().unlock()
        writers = [
            AsyncStarted(redisson.get_read_write_lock(lock.name).write_lock().acquire)
            for lock in locks
        ]
        await sleep_async(1.2)
        for lock in locks:
            await lock.read_lock().unlock()
        for writer in writers:
            assert await writer.result()
