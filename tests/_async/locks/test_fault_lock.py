"""Locks when replies are lost, holders are killed, or calls are interrupted: no lock stays held."""

import random
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from typing import Any

import pytest
import redis

from pyredisson import AsyncLock, AsyncRedisson, LockError
from pyredisson.protocol.kernel.scripts import load
from tests.support.locks import unfinished
from tests.support.proxy import FaultProxy
from tests.support.twins import AsyncStarted, interrupt_async, sleep_async, until_async

LOCK, UNLOCK = (load(f"locks/{name}").sha.encode() for name in ("acquire", "release"))


@pytest.fixture
async def lock(proxy: FaultProxy) -> AsyncIterator[AsyncLock]:
    """A lock behind a proxy. Its scripts are loaded, and the client knows the type of its key."""
    url = f"redis://127.0.0.1:{proxy.port}/0"
    async with AsyncRedisson.from_url(url) as redisson:
        lock = redisson.get_lock("job", reentrant=True)
        async with lock:
            pass
        yield lock


async def test_acquisition_with_lost_reply_counts_once(
    lock: AsyncLock, proxy: FaultProxy, raw: redis.Redis
) -> None:
    proxy.lose_reply_to(LOCK)
    await lock.lock()
    assert raw.hvals("job") == [b"1"]
    proxy.lose_reply_to(LOCK)
    await lock.lock()
    assert raw.hvals("job") == [b"2"]
    await lock.unlock()
    await lock.unlock()
    assert not raw.exists("job")


async def test_release_with_lost_reply_counts_once(
    lock: AsyncLock, proxy: FaultProxy, raw: redis.Redis
) -> None:
    await lock.lock()
    await lock.lock()
    proxy.lose_reply_to(UNLOCK)
    await lock.unlock()
    assert raw.hvals("job") == [b"1"]
    proxy.lose_reply_to(UNLOCK)
    await lock.unlock()
    assert not raw.exists("job")
    with pytest.raises(LockError, match="is not held"):
        await lock.unlock()


async def test_shorter_lease_does_not_shorten_renewed_lock(lock: AsyncLock, raw: Any) -> None:
    """The lease stays long, because renewals would be too late for the shorter lease."""
    await lock.lock()
    await lock.lock(lease=0.05)
    assert raw.pttl("job") > 20_000
    await sleep_async(0.2)
    assert not lock.lost
    await lock.unlock()
    await lock.unlock()


async def test_lock_without_lease_renews_earlier_lease(url: str, raw: Any) -> None:
    async with AsyncRedisson.from_url(url, lock_watchdog_timeout=3) as redisson:
        lock = redisson.get_lock("job", reentrant=True)
        await lock.lock(lease=2)
        await lock.lock()
        await sleep_async(3.5)
        assert not lock.lost
        await lock.unlock()
        await lock.unlock()
    assert not raw.exists("job")


async def test_interrupted_at_any_moment(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    """No interruption leaves the lock held.

    It may come before the lock, during the wait, while the lock is held, or before the unlock.
    """
    lock, other = redisson.get_lock("job"), redisson.get_lock("job")
    rng, turns = random.Random(5), 0

    async def block() -> bool:
        return await other.try_lock(lease=60)

    async def turn() -> None:
        nonlocal turns
        async with lock:
            turns += 1

    await turn()
    for number in range(400):
        blocked = number % 4 == 0 and await AsyncStarted(block).result()
        await interrupt_async(turn, rng.random() * 0.002)
        if blocked:
            assert await AsyncStarted(other.force_unlock).result()
        assert not raw.exists("job"), number
    assert turns > 1
    assert not unfinished(redisson)


PROGRAM = """
import sys, time
from pyredisson import Redisson
with Redisson.from_url(sys.argv[1], lock_watchdog_timeout=1) as redisson:
    with redisson.get_lock("job"):
        print("locked", flush=True)
        time.sleep(60)
"""


def start_holder(url: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", PROGRAM, url], stdout=subprocess.PIPE)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
async def test_lock_of_killed_or_frozen_holder_is_free_after_lease(
    redisson: AsyncRedisson, url: str, how: signal.Signals
) -> None:
    """The lock is free when its lease ends. Until then no other caller can acquire it."""
    with start_holder(url) as holder:
        try:
            assert holder.stdout is not None
            assert holder.stdout.readline() == b"locked\n"
            lock = redisson.get_lock("job")
            await sleep_async(1.5)
            assert not await lock.try_lock(), "it is renewed"
            holder.send_signal(how)
            assert await lock.acquire(timeout=30)
            await lock.unlock()
        finally:
            holder.kill()


async def test_the_last_waiter_leaves_no_subscription(
    redisson: AsyncRedisson, url: str, raw: redis.Redis
) -> None:
    channel = "redisson_lock__channel:{job}"
    async with AsyncRedisson.from_url(url) as holder:
        await holder.get_lock("job").lock()
        waiter = AsyncStarted(lambda: redisson.get_lock("job").acquire(timeout=0.5))
        await until_async(lambda: raw.pubsub_numsub(channel)[0][1] == 1, "it listens")
        assert not await waiter.result()
        await until_async(lambda: raw.pubsub_numsub(channel)[0][1] == 0, "it has left")
