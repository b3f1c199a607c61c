"""RCountDownLatch without Java: it opens once, and that ends the waits."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import redis

from pyredisson import (
    AsyncCountDownLatch,
    AsyncRedisson,
    DecodeError,
    KeyTypeError,
    UncertainError,
)
from pyredisson.protocol.kernel.scripts import load
from tests.support.proxy import FaultProxy
from tests.support.twins import AsyncStarted, interrupt_async, run_together_async, until_async

CHANNEL = "redisson_countdownlatch__channel__{go}"
COUNT_DOWN = load("synchronizers/latch_count_down").sha.encode()


@pytest.fixture
def latch(redisson: AsyncRedisson) -> AsyncCountDownLatch:
    return redisson.get_count_down_latch("go")


@pytest.fixture
async def other(url: str) -> AsyncIterator[AsyncCountDownLatch]:
    """The latch of another client."""
    async with AsyncRedisson.from_url(url) as redisson:
        yield redisson.get_count_down_latch("go")


async def listening(raw: Any, clients: int) -> None:
    """Wait until this number of clients listen."""
    await until_async(lambda: raw.pubsub_numsub(CHANNEL)[0][1] == clients, "they listen")


async def test_latch_opens_at_0(
    latch: AsyncCountDownLatch, other: AsyncCountDownLatch, raw: redis.Redis
) -> None:
    assert await latch.wait(), "without a count it is open"
    assert await latch.try_set_count(2)
    assert not await latch.try_set_count(5)
    assert not await latch.wait(0)
    assert not await latch.wait(0.05)
    waiters = [AsyncStarted(each.wait) for each in (latch, other, other)]
    await listening(raw, 2)
    await other.count_down()
    assert await latch.get_count() == 1
    assert not any(each.done for each in waiters)
    await latch.count_down()
    for each in waiters:
        assert await each.result()
    await latch.count_down()
    assert await latch.get_count() == 0
    assert not raw.exists("go")
    await listening(raw, 0)


async def test_many_callers_count_down_at_once(
    latch: AsyncCountDownLatch, other: AsyncCountDownLatch
) -> None:
    await latch.try_set_count(20)
    waiter = AsyncStarted(latch.wait)
    await run_together_async(*(each.count_down for each in (latch, other) for _ in range(10)))
    assert await waiter.result()
    assert await other.wait(0)


@pytest.mark.parametrize("how", ["delete", "unlink", "by hand"])
async def test_a_deleted_latch_is_open(
    latch: AsyncCountDownLatch, other: AsyncCountDownLatch, raw: redis.Redis, how: str
) -> None:
    await latch.try_set_count(2)
    waiter = AsyncStarted(other.wait)
    await listening(raw, 1)
    if how == "by hand":
        raw.delete("go")
    else:
        assert await getattr(latch, how)()
        assert not await getattr(latch, how)()
    assert await waiter.result()


async def test_latch_with_negative_count_of_java_is_open(
    latch: AsyncCountDownLatch, raw: redis.Redis
) -> None:
    """Java can store a count below 1. The next count_down removes it."""
    raw.set("go", -1)
    assert await latch.wait(0)
    await latch.count_down()
    assert not raw.exists("go")


@pytest.mark.parametrize("count", [0, -1, True, 2.5])
async def test_counts_that_are_rejected(
    latch: AsyncCountDownLatch, raw: redis.Redis, count: Any
) -> None:
    with pytest.raises((TypeError, ValueError), match="count must be"):
        await latch.try_set_count(count)
    assert not raw.exists("go")


async def test_a_key_of_another_type(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    raw.rpush("list", "v")
    with pytest.raises(KeyTypeError, match="list"):
        await redisson.get_count_down_latch("list").try_set_count(1)


async def test_an_interrupted_waiter_leaves(latch: AsyncCountDownLatch, raw: redis.Redis) -> None:
    await latch.try_set_count(1)
    assert not await interrupt_async(latch.wait, lambda: raw.pubsub_numsub(CHANNEL)[0][1] == 1)
    await listening(raw, 0)
    raw.script_flush()
    await latch.count_down()
    assert await latch.wait(0)


async def test_lost_reply_raises_uncertain_error(proxy: FaultProxy, raw: redis.Redis) -> None:
    async with AsyncRedisson.from_url(f"redis://127.0.0.1:{proxy.port}/0") as redisson:
        latch = redisson.get_count_down_latch("go")
        await latch.try_set_count(9)
        await latch.count_down()
        proxy.lose_reply_to(COUNT_DOWN)
        with pytest.raises(UncertainError, match="count_down of 'go'"):
            await latch.count_down()
        assert raw.get("go") == b"7"


@pytest.mark.parametrize("method", ["count_down", "get_count", "wait"])
async def test_text_is_no_count(latch: AsyncCountDownLatch, raw: redis.Redis, method: str) -> None:
    raw.set("go", "soon")
    with pytest.raises(DecodeError, match="not a number of RCountDownLatch"):
        await getattr(latch, method)()
    assert raw.get("go") == b"soon"
