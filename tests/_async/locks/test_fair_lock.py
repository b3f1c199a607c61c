"""RFairLock: waiters get the lock in their order, and no waiter stays in the queue."""

import random
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from functools import partial
from typing import Any

import pytest
import redis
import redis.asyncio

from pyredisson import AsyncFairLock, AsyncRedisson, InvalidNameError, LockError, LockLostError
from pyredisson.protocol.kernel.scripts import load
from tests.support.monitor import Monitor
from tests.support.proxy import FaultProxy
from tests.support.server import RedisServer
from tests.support.topology import RedisCluster
from tests.support.twins import (
    AsyncStarted,
    interrupt_async,
    run_together_async,
    sleep_async,
    until_async,
)

QUEUE, ENDS = "redisson_lock_queue:{job}", "redisson_lock_timeout:{job}"


@pytest.fixture
async def other(url: str) -> AsyncIterator[AsyncFairLock]:
    """The same lock in another client."""
    async with AsyncRedisson.from_url(url) as redisson:
        yield redisson.get_fair_lock("job")


@pytest.fixture
def lock(redisson: AsyncRedisson) -> AsyncFairLock:
    return redisson.get_fair_lock("job")


async def waiting(lock: AsyncFairLock, raw: Any, number: int, **options: Any) -> AsyncStarted[bool]:
    """Start a caller that waits. It is the last of this number of waiters."""
    started = AsyncStarted(lambda: lock.acquire(**options))
    await until_async(lambda: raw.llen(QUEUE) == number, f"{number} are waiting")
    return started


async def test_waiters_take_turns(lock: AsyncFairLock, other: AsyncFairLock, raw: Any) -> None:
    turns: list[int] = []
    await lock.lock()

    async def turn(one: AsyncFairLock, number: int) -> None:
        async with one:
            turns.append(number)

    started = []
    for number in range(8):
        started.append(AsyncStarted(partial(turn, (lock, other)[number % 2], number)))
        await until_async(lambda: raw.llen(QUEUE) == len(started), "it waits")
    assert raw.zcard(ENDS) == 8
    assert not await other.try_lock(), "others wait"
    await lock.unlock()
    for each in started:
        await each.result()
    assert turns == [*range(8)]
    assert not raw.keys()


async def test_waiter_leaves_queue_after_its_timeout(
    lock: AsyncFairLock, other: AsyncFairLock, raw: Any
) -> None:
    await other.lock()
    assert not await lock.try_lock()
    assert not raw.exists(QUEUE, ENDS)
    first = await waiting(lock, raw, 1, timeout=0.3)
    second = await waiting(lock, raw, 2)
    assert not await first.result()
    await until_async(lambda: raw.llen(QUEUE) == raw.zcard(ENDS) == 1, "the first has left")
    await other.unlock()
    assert await second.result()
    assert not raw.exists(QUEUE, ENDS)
    assert await other.force_unlock()
    assert not await other.force_unlock()


async def test_reentrant_lock_counts_holds_and_detects_loss(
    redisson: AsyncRedisson, raw: Any
) -> None:
    lock = redisson.get_fair_lock("job", reentrant=True)
    async with lock, lock:
        assert await lock.get_hold_count() == 2
    assert not raw.keys()
    await lock.lock()
    raw.delete("job")
    with pytest.raises(LockLostError):
        await lock.lock()
    with pytest.raises(LockError, match="is not held"):
        await lock.unlock()


async def test_waiter_that_java_removed_returns_to_its_place(
    lock: AsyncFairLock, other: AsyncFairLock, raw: Any
) -> None:
    """Java removes a waiter whose time is over. If Java's clock is ahead, it does so too early."""
    await other.lock()
    first = await waiting(lock, raw, 1)
    mine = raw.lindex(QUEUE, 0)
    second = await waiting(lock, raw, 2)
    with raw.pipeline() as together:  # else the second may see only one change, and return first
        together.zrem(ENDS, mine).lpop(QUEUE).execute()
    await until_async(lambda: raw.lindex(QUEUE, 0) == mine, "it is the first again")
    await other.unlock()
    assert await first.result()
    assert not second.done
    assert await other.force_unlock()
    assert await second.result()


async def test_crashed_first_waiter_delays_others_until_its_timeout(
    lock: AsyncFairLock, raw: Any, server: RedisServer
) -> None:
    seconds, micros = raw.time()
    now = seconds * 1000 + micros // 1000
    raw.rpush(QUEUE, "gone", "no time", "u:1")
    raw.zadd(ENDS, {"gone": now - 1, "u:1": now + 1_500})
    with Monitor(server) as monitor:
        assert not await lock.try_lock()
        assert await lock.acquire(timeout=30)
    assert not raw.exists(QUEUE, ENDS)
    scripts = [each for each in monitor.commands if each.name.upper() == "EVALSHA"]
    assert len(scripts) < 10, "it did not spin"
    await lock.unlock()


async def test_other_waiters_keep_enough_time(lock: AsyncFairLock, raw: Any) -> None:
    """The time of a waiter that has left is subtracted from the others' times.

    No other waiter expires by that.
    """
    async with lock:
        pass
    seconds, _ = raw.time()
    now = seconds * 1000
    await lock.lock()
    first = await waiting(AsyncFairLock(lock._context, "job"), raw, 1)
    raw.rpush(QUEUE, "late", "early")
    raw.zadd(ENDS, {"late": now + 90_000, "early": now + 31_000})
    await lock.unlock()
    assert await first.result()
    ends = dict(raw.zrange(ENDS, 0, -1, withscores=True))
    assert ends[b"late"] == now + 60_000
    assert ends[b"early"] >= now + 30_000, "the lease of the new holder"
    raw.delete(QUEUE, ENDS)


async def test_interrupted_at_any_moment(
    lock: AsyncFairLock, other: AsyncFairLock, raw: Any
) -> None:
    rng = random.Random(5)

    async def turn() -> None:
        async with lock:
            pass

    for number in range(120):
        blocked = number % 2 == 0 and await AsyncStarted(other.try_lock).result()
        await interrupt_async(turn, rng.random() * 0.003)
        assert not raw.exists(QUEUE, ENDS), number
        if blocked:
            assert await other.force_unlock()
        assert not raw.keys(), number


async def test_lock_has_one_holder_at_a_time(
    lock: AsyncFairLock, other: AsyncFairLock, raw: Any
) -> None:
    async def work(one: AsyncFairLock) -> None:
        for _ in range(10):
            async with one:
                count = int(raw.get("count") or 0)
                await sleep_async(0.001)
                raw.set("count", count + 1)

    await run_together_async(*[partial(work, one) for one in (lock, other) for _ in range(4)])
    assert raw.get("count") == b"80"
    assert raw.keys() == [b"count"]


async def test_lost_replies(proxy: FaultProxy, raw: redis.Redis) -> None:
    async with AsyncRedisson.from_url(f"redis://127.0.0.1:{proxy.port}/0") as redisson:
        lock, other = (redisson.get_fair_lock("job", reentrant=True) for _ in range(2))
        async with lock:
            pass
        for count in (1, 2):
            proxy.lose_reply_to(load("locks/acquire_fair").sha.encode())
            await lock.lock()
            assert await lock.get_hold_count() == count
        proxy.lose_reply_to(load("locks/acquire_fair").sha.encode())
        waiter = AsyncStarted(other.acquire)
        await until_async(lambda: raw.llen(QUEUE) == 1, "it waits")
        for _ in range(2):
            await lock.unlock()
        assert await waiter.result()
        assert await AsyncStarted(other.force_unlock).result()
        await lock.lock()
        await lock.lock()
        for count in (1, 0):
            proxy.lose_reply_to(load("locks/release_fair").sha.encode())
            await lock.unlock()
            assert await lock.get_hold_count() == count
        assert not raw.exists(QUEUE, ENDS)
        raw.script_flush()
        async with lock:
            raw.script_flush()
        assert not raw.keys()


PROGRAM = """
import sys
from pyredisson import Redisson
with Redisson.from_url(sys.argv[1], lock_watchdog_timeout=2) as redisson:
    redisson.get_fair_lock("job").lock()
"""


def start_waiter(url: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", PROGRAM, url])


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
async def test_killed_or_frozen_waiter_does_not_block_others(
    url: str, raw: redis.Redis, how: signal.Signals
) -> None:
    async with AsyncRedisson.from_url(url, lock_watchdog_timeout=2) as redisson:
        lock = redisson.get_fair_lock("job")
        await lock.lock()
        with start_waiter(url) as process:
            try:
                await until_async(lambda: raw.llen(QUEUE) == 1, "it waits")
                process.send_signal(how)
                waiter = AsyncStarted(lambda: lock.acquire(timeout=30))
                await until_async(lambda: raw.llen(QUEUE) == 2, "another one waits")
                await lock.unlock()
                assert await waiter.result()
            finally:
                process.kill()


async def test_names_that_share_their_queue(redisson: AsyncRedisson) -> None:
    redisson.get_fair_lock("job")
    with pytest.raises(InvalidNameError, match="share"):
        redisson.get_fair_lock("{job}")


async def test_in_a_cluster(cluster: RedisCluster) -> None:
    client: Any = redis.asyncio.RedisCluster.from_url(cluster.url)
    async with AsyncRedisson(client, lock_watchdog_timeout=3) as redisson:
        locks = [redisson.get_fair_lock(f"job {number}") for number in range(6)]
        for lock in locks:
            await lock.lock()
        waiters = [AsyncStarted(lock.acquire) for lock in locks]
        await sleep_async(0.3)
        for lock in locks:
            await lock.unlock()
        for waiter in waiters:
            assert await waiter.result()
