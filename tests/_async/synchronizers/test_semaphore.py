"""RSemaphore without Java: no permit is lost or created, however waits end."""

import logging
import random
from collections.abc import AsyncIterator
from typing import Any

import pytest
import redis
import redis.asyncio

from pyredisson import AsyncRedisson, AsyncSemaphore, DecodeError, KeyTypeError, UncertainError
from pyredisson.protocol.kernel.scripts import load
from tests._async.conftest import Login
from tests.support.proxy import FaultProxy
from tests.support.twins import AsyncStarted, interrupt_async, run_together_async, until_async

CHANNEL = "redisson_sc:{pool}"
ACQUIRE = load("synchronizers/semaphore_acquire").sha.encode()


@pytest.fixture
async def semaphore(redisson: AsyncRedisson) -> AsyncSemaphore:
    semaphore = redisson.get_semaphore("pool")
    assert await semaphore.try_set_permits(3)
    return semaphore


@pytest.fixture
async def other(url: str) -> AsyncIterator[AsyncSemaphore]:
    """The semaphore of another client."""
    async with AsyncRedisson.from_url(url) as redisson:
        yield redisson.get_semaphore("pool")


async def test_permits_are_acquired_and_released(
    semaphore: AsyncSemaphore, raw: redis.Redis
) -> None:
    assert not await semaphore.try_set_permits(5)
    assert await semaphore.try_acquire(2)
    assert not await semaphore.try_acquire(2)
    assert not await semaphore.try_acquire(2, timeout=0.05)
    assert await semaphore.available_permits() == 1
    await semaphore.release(2)
    await semaphore.add_permits(4)
    await semaphore.add_permits(-1)
    assert await semaphore.drain_permits() == 6
    assert await semaphore.drain_permits() == 0
    assert raw.get("pool") == b"0"
    await semaphore.delete()
    assert not await semaphore.try_acquire()
    assert await semaphore.drain_permits() == 0
    await semaphore.release()
    assert raw.get("pool") == b"1"


async def test_add_and_drain_keep_time_to_live(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    """Java removes the time to live when it adds or drains permits."""
    semaphore = redisson.get_semaphore("pool")
    assert await semaphore.try_set_permits(0, ttl=60)
    await semaphore.add_permits(2)
    await semaphore.drain_permits()
    assert 0 < raw.pttl("pool") <= 60_000


async def test_with_block_has_one_permit(semaphore: AsyncSemaphore) -> None:
    async with semaphore as entered:
        assert entered is semaphore
        assert await semaphore.available_permits() == 2
    with pytest.raises(KeyError):
        async with semaphore:
            raise KeyError
    assert await semaphore.available_permits() == 3


async def test_a_waiter_is_woken(semaphore: AsyncSemaphore, other: AsyncSemaphore) -> None:
    await semaphore.acquire(3)
    waiters = [AsyncStarted(other.acquire) for _ in range(2)]
    waiters.append(AsyncStarted(semaphore.acquire))
    await until_async(lambda: all(not each.done for each in waiters), "they wait")
    await semaphore.release(3)
    for each in waiters:
        await each.result()
    assert await semaphore.available_permits() == 0


async def test_a_waiter_for_several_permits(
    semaphore: AsyncSemaphore, other: AsyncSemaphore
) -> None:
    await semaphore.acquire(3)
    waiter = AsyncStarted(lambda: other.acquire(2))
    await semaphore.release()
    assert not waiter.done
    await semaphore.release()
    await waiter.result()


async def test_waiter_notices_permit_added_by_hand(
    semaphore: AsyncSemaphore, raw: redis.Redis
) -> None:
    """The waiter notices it without a message, at most a second later."""
    await semaphore.acquire(3)
    waiter = AsyncStarted(lambda: semaphore.try_acquire(timeout=60))
    await until_async(lambda: raw.pubsub_numsub(CHANNEL)[0][1] == 1, "it listens")
    raw.incrby("pool", 1)
    assert await waiter.result()
    await until_async(lambda: raw.pubsub_numsub(CHANNEL)[0][1] == 0, "it has left")


@pytest.mark.parametrize("permits", [0, -1, 2**31, True, 1.5])
async def test_numbers_that_are_rejected(
    semaphore: AsyncSemaphore, raw: redis.Redis, permits: Any
) -> None:
    for call in (semaphore.acquire, semaphore.try_acquire, semaphore.release):
        with pytest.raises((TypeError, ValueError), match="permits must be"):
            await call(permits)
    with pytest.raises(ValueError, match="ttl must be"):
        await semaphore.try_set_permits(1, ttl=0)
    assert raw.get("pool") == b"3"


async def test_a_key_of_another_type(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    raw.rpush("list", "v")
    with pytest.raises(KeyTypeError, match="list"):
        await redisson.get_semaphore("list").release()


async def test_permits_are_conserved(
    semaphore: AsyncSemaphore, other: AsyncSemaphore, raw: redis.Redis
) -> None:
    """At most three permits are in use at a time."""
    inside = most = 0

    async def work(mine: AsyncSemaphore) -> None:
        nonlocal inside, most
        for _ in range(15):
            async with mine:
                inside += 1
                most = max(most, inside)
                raw.ping()
                await mine.available_permits()
                inside -= 1

    await run_together_async(
        *(lambda mine=each: work(mine) for each in (semaphore, other) for _ in range(3))
    )
    assert most <= 3
    assert raw.get("pool") == b"3"


async def test_interrupted_at_any_moment(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    """No interruption loses a permit.

    It may come before the acquisition, during the wait, with a permit, or before the release.
    """
    semaphore, rng, turns = redisson.get_semaphore("pool"), random.Random(3), 0
    await semaphore.try_set_permits(1)

    async def turn() -> None:
        nonlocal turns
        async with semaphore:
            turns += 1

    await turn()
    for number in range(300):
        blocked = number % 4 == 0 and await semaphore.try_acquire()
        await interrupt_async(turn, rng.random() * 0.002)
        if blocked:
            await semaphore.release()
        assert raw.get("pool") == b"1", number
    assert turns > 1
    assert not redisson._context.background.work


async def test_lost_reply_raises_uncertain_error(proxy: FaultProxy, raw: redis.Redis) -> None:
    """Redis does not store the holders of permits, so the request is not sent again."""
    async with AsyncRedisson.from_url(f"redis://127.0.0.1:{proxy.port}/0") as redisson:
        semaphore = redisson.get_semaphore("pool")
        await semaphore.try_set_permits(3)
        await semaphore.acquire()
        proxy.lose_reply_to(ACQUIRE)
        with pytest.raises(UncertainError, match="acquire of 'pool'"):
            await semaphore.acquire()
        assert raw.get("pool") == b"1"
        raw.script_flush()
        await semaphore.acquire()
        assert raw.get("pool") == b"0"


async def test_rejected_notification_is_logged(
    login: Login, root: Any, caplog: pytest.LogCaptureFixture
) -> None:
    redisson = login("~*", "+@all", "resetchannels")
    await redisson.get_semaphore("pool").release()
    assert root.get("pool") == b"1"
    [record] = [each for each in caplog.records if each.levelno == logging.WARNING]
    assert record.msg == "%r has changed, but its waiters were not notified: %s"


async def test_drain_keeps_negative_number_of_permits(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    """Draining a negative number would add permits."""
    semaphore = redisson.get_semaphore("pool")
    await semaphore.add_permits(-3)
    assert await semaphore.drain_permits() == 0
    assert raw.get("pool") == b"-3"


@pytest.mark.parametrize("method", ["try_acquire", "available_permits", "drain_permits"])
async def test_text_is_no_number_of_permits(
    redisson: AsyncRedisson, raw: redis.Redis, method: str
) -> None:
    raw.set("pool", "many")
    with pytest.raises(DecodeError, match="not a number of RSemaphore") as caught:
        await getattr(redisson.get_semaphore("pool"), method)()
    assert "'pool'" in caught.value.__notes__[0]
    assert raw.get("pool") == b"many"
