"""A lost lock can cancel the asyncio task that holds it."""

import asyncio
from collections.abc import Callable

import pytest
import redis

from pyredisson import AsyncLock, AsyncMultiLock, AsyncRedisson, LockLostError, Redisson

KINDS: dict[str, Callable[[AsyncRedisson], AsyncLock | AsyncMultiLock]] = {
    "lock": lambda of: of.get_lock("job", cancel_when_lost=True),
    "fenced": lambda of: of.get_fenced_lock("job", cancel_when_lost=True),
    "fair": lambda of: of.get_fair_lock("job", cancel_when_lost=True),
    "spin": lambda of: of.get_spin_lock("job", cancel_when_lost=True),
    "read": lambda of: of.get_read_write_lock("job", cancel_when_lost=True).read_lock(),
    "write": lambda of: of.get_read_write_lock("job", cancel_when_lost=True).write_lock(),
    "multi": lambda of: of.get_multi_lock(
        of.get_lock("other", cancel_when_lost=True), of.get_lock("job", cancel_when_lost=True)
    ),
}


async def held_until_lost(lock: AsyncLock | AsyncMultiLock, raw: redis.Redis) -> None:
    async with lock:
        raw.delete("job")
        await asyncio.sleep(60)


@pytest.mark.parametrize("kind", KINDS)
async def test_lost_lock_cancels_its_block_and_raises(
    url: str, raw: redis.Redis, kind: str
) -> None:
    async with AsyncRedisson.from_url(url, lock_watchdog_timeout=0.6) as redisson:
        with pytest.raises(LockLostError):
            await held_until_lost(KINDS[kind](redisson), raw)
        await asyncio.sleep(0)  # it is no longer cancelled
        task = asyncio.current_task()
        assert task is not None
        assert task.cancelling() == 0
    assert not raw.exists("job", "other")


async def test_cancelled_unlock_releases_although_its_script_was_flushed(
    url: str, raw: redis.Redis
) -> None:
    """The server rejects the first request. Its caller no longer awaits the reply."""
    task = asyncio.current_task()
    assert task is not None
    async with AsyncRedisson.from_url(url) as redisson:
        lock = redisson.get_lock("job", reentrant=True)
        await lock.lock()
        await lock.lock()
        for left in ([b"1"], []):
            raw.script_flush()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await lock.unlock()
            task.uncancel()
            assert raw.hvals("job") == left


def test_thread_lock_rejects_cancel_when_lost(url: str, raw: redis.Redis) -> None:
    with Redisson.from_url(url) as redisson:
        lock = redisson.get_lock("job", cancel_when_lost=True)
        with pytest.raises(ValueError, match="cancel_when_lost=True needs asyncio"):
            lock.acquire()
    assert not raw.exists("job")
