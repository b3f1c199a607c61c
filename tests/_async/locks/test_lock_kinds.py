"""RFencedLock, RSpinLock and RMultiLock: their differences from RLock."""

import random
from collections.abc import AsyncIterator
from typing import Any

import pytest
import redis
import redis.asyncio

from pyredisson import AsyncLock, AsyncRedisson, KeyTypeError, LockError, LockLostError
from pyredisson.protocol.kernel.scripts import load
from tests.support.locks import unfinished
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

TOKEN = "redisson_lock_token:{job}"


@pytest.fixture
async def other(url: str) -> AsyncIterator[AsyncRedisson]:
    """Another client."""
    async with AsyncRedisson.from_url(url) as redisson:
        yield redisson


def kind_of(redisson: AsyncRedisson, kind: str, **options: Any) -> AsyncLock:
    """Return the lock `job`, of this kind."""
    lock: AsyncLock = getattr(redisson, f"get_{kind}")("job", **options)
    return lock


# ------------------------------------------------------------------ all kinds

KINDS = ("fenced_lock", "spin_lock")


@pytest.mark.parametrize("kind", KINDS)
async def test_lock_has_one_holder_at_a_time(
    redisson: AsyncRedisson, other: AsyncRedisson, raw: Any, kind: str
) -> None:
    """The counter is not atomic, so its value would show two simultaneous holders."""

    async def work(client: AsyncRedisson) -> None:
        lock = kind_of(client, kind)
        for _ in range(10):
            async with lock:
                count = int(raw.get("count") or 0)
                await sleep_async(0.001)
                raw.set("count", count + 1)

    works = [lambda client=each: work(client) for each in (redisson, other) for _ in range(3)]
    await run_together_async(*works)
    assert raw.get("count") == b"60"
    assert not raw.exists("job")


@pytest.mark.parametrize("kind", KINDS)
async def test_waiter_fails_after_its_timeout(
    redisson: AsyncRedisson, other: AsyncRedisson, kind: str
) -> None:
    lock, theirs = kind_of(redisson, kind), kind_of(other, kind)
    async with lock:
        assert not await theirs.try_lock()
        assert not await theirs.try_lock(0.05)
        waiter = AsyncStarted(theirs.acquire)
        await sleep_async(0.1)
        assert not waiter.done
    assert await waiter.result()
    assert await theirs.is_locked()
    assert await theirs.force_unlock()


@pytest.mark.parametrize("kind", KINDS)
async def test_reentrant_lock_counts_holds_and_detects_loss(
    redisson: AsyncRedisson, raw: redis.Redis, kind: str
) -> None:
    lock = kind_of(redisson, kind, reentrant=True)
    async with lock, lock:
        assert await lock.get_hold_count() == 2
    assert not raw.exists("job")
    await lock.lock()
    raw.delete("job")
    with pytest.raises(LockLostError):
        await lock.unlock()
    with pytest.raises(LockError, match="is not held"):
        await lock.unlock()


@pytest.mark.parametrize("kind", KINDS)
async def test_lost_replies(proxy: FaultProxy, raw: redis.Redis, kind: str) -> None:
    async with AsyncRedisson.from_url(f"redis://127.0.0.1:{proxy.port}/0") as redisson:
        lock = kind_of(redisson, kind)
        async with lock:
            pass
        for name in ("acquire", "release"):
            proxy.lose_reply_to(load(f"locks/{name}").sha.encode())
        await lock.lock()
        assert raw.hvals("job") == [b"1"]
        assert raw.get(TOKEN) == (b"2" if kind == "fenced_lock" else None)
        await lock.unlock()
        assert not raw.exists("job")


@pytest.mark.parametrize("kind", KINDS)
async def test_interrupted_at_any_moment(
    redisson: AsyncRedisson, other: AsyncRedisson, raw: redis.Redis, kind: str
) -> None:
    lock, theirs = kind_of(redisson, kind), kind_of(other, kind)
    rng = random.Random(5)

    async def turn() -> None:
        async with lock:
            pass

    for number in range(60):
        blocked = number % 4 == 0 and await AsyncStarted(theirs.try_lock).result()
        await interrupt_async(turn, rng.random() * 0.002)
        if blocked:
            assert await theirs.force_unlock()
        assert not raw.exists("job"), number
    assert not unfinished(redisson)


# ------------------------------------------------------------------ RFencedLock


async def test_each_new_holder_gets_a_larger_token(
    redisson: AsyncRedisson, other: AsyncRedisson, raw: redis.Redis
) -> None:
    lock, theirs = redisson.get_fenced_lock("job", reentrant=True), other.get_fenced_lock("job")
    assert await lock.get_token() is None
    with pytest.raises(LockError, match="no token"):
        assert lock.token
    assert await lock.lock_and_get_token() == 1
    assert await lock.lock_and_get_token() == 1, "the same holder"
    assert lock.token == await theirs.get_token() == 1
    assert await theirs.try_lock_and_get_token() is None
    await lock.unlock()
    await lock.unlock()
    assert await theirs.try_lock_and_get_token(lease=60) == 2
    raw.script_flush()
    assert await theirs.force_unlock()
    async with lock:
        assert lock.token == 3
        raw.script_flush()
    assert raw.get(TOKEN) == b"3"


async def test_holder_that_lost_its_lock_keeps_its_token(
    redisson: AsyncRedisson, other: AsyncRedisson
) -> None:
    lock = redisson.get_fenced_lock("job")
    assert await lock.lock_and_get_token(lease=0.02) == 1
    assert await other.get_fenced_lock("job").lock_and_get_token() == 2
    assert lock.lost
    assert lock.token == 1


async def test_wrong_content_of_token_key_is_rejected(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    raw.hset(TOKEN, "f", "v")
    with pytest.raises(KeyTypeError, match="redisson_lock_token"):
        await redisson.get_fenced_lock("job").lock()
    raw.delete(TOKEN)
    lock = redisson.get_fenced_lock("job")
    await lock.lock()
    await lock.unlock()
    raw.set(TOKEN, "text")
    with pytest.raises(redis.RedisError, match="not an integer"):
        await lock.lock()
    assert not raw.exists("job")


# ------------------------------------------------------------------ RSpinLock


async def test_spin_lock_neither_publishes_nor_subscribes(
    redisson: AsyncRedisson, other: AsyncRedisson, server: RedisServer
) -> None:
    lock = redisson.get_spin_lock("job")
    with Monitor(server) as monitor:
        await lock.lock()
        assert not await other.get_spin_lock("job").try_lock(0.4)
        await lock.unlock()
        assert not await lock.force_unlock()
    words = [each.arguments[0].lower() for each in monitor.commands]
    assert not {b"publish", b"subscribe", b"ssubscribe"} & set(words)
    assert 5 < words.count(b"pttl") < 100, "its pauses grow"


# ------------------------------------------------------------------ RMultiLock


async def test_multi_lock_acquires_all_or_none(
    redisson: AsyncRedisson, other: AsyncRedisson, raw: Any
) -> None:
    both = redisson.get_multi_lock(redisson.get_lock("b"), other.get_fenced_lock("a"))
    async with both as entered:
        assert entered is both
        assert set(raw.keys()) == {b"a", b"b", b"redisson_lock_token:{a}"}
        assert await both.is_held()
        assert not both.lost
    assert not await both.is_held()
    assert not raw.exists("a", "b")
    theirs = other.get_lock("b")
    async with theirs:
        assert not await both.try_lock()
        assert not await both.try_lock(0.05)
        assert not raw.exists("a")
        waiter = AsyncStarted(both.acquire)
        await until_async(lambda: raw.exists("a"), "it waits for the second one")
        assert raw.pttl("a") > 20_000, "it is renewed meanwhile"
    assert await waiter.result()
    assert raw.exists("a", "b") == 2


async def test_multi_locks_in_opposite_order_do_not_deadlock(redisson: AsyncRedisson) -> None:
    async def work(*names: str) -> None:
        for _ in range(20):
            async with redisson.get_multi_lock(*map(redisson.get_lock, names)):
                pass

    await run_together_async(lambda: work("a", "b"), lambda: work("b", "a"))


async def test_lease_of_multi_lock_starts_when_all_are_held(
    redisson: AsyncRedisson, other: AsyncRedisson, raw: redis.Redis
) -> None:
    both = redisson.get_multi_lock(redisson.get_lock("a"), redisson.get_lock("b"))
    theirs = other.get_lock("b")
    async with theirs:
        waiter = AsyncStarted(lambda: both.acquire(lease=8))
        await until_async(lambda: bool(raw.exists("a")), "it waits for the second one")
    assert await waiter.result()
    for name in ("a", "b"):
        assert 5_000 < raw.pttl(name) <= 8_000
    raw.delete("a", "b")
    assert await both.acquire(lease=0.05)
    await until_async(lambda: both.lost and not raw.exists("a", "b"), "the leases end")
    with pytest.raises(LockLostError):
        await both.unlock()


async def test_multi_lock_reports_lock_that_is_lost_during_wait(
    url: str, other: AsyncRedisson, raw: redis.Redis
) -> None:
    async with AsyncRedisson.from_url(url, lock_watchdog_timeout=0.6) as redisson:
        both = redisson.get_multi_lock(redisson.get_lock("a"), redisson.get_lock("b"))
        first, second = other.get_lock("a"), other.get_lock("b")
        async with second:
            waiter = AsyncStarted(both.lock)
            await until_async(lambda: raw.exists("a") == 1, "it waits for the other lock")
            raw.delete("a")
            assert await first.try_lock()
            await sleep_async(0.7)
        with pytest.raises(LockLostError, match="'a'"):
            await waiter.result()
        assert await second.try_lock(30), "that is free again"
        await second.unlock()
        await first.unlock()


async def test_multi_lock_reports_which_lock_is_lost(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    both = redisson.get_multi_lock(redisson.get_lock("a"), redisson.get_lock("b"))
    for name in ("a", "b"):
        await both.lock()
        raw.delete(name)
        with pytest.raises(LockLostError, match=f"'{name}'"):
            await both.unlock()
        assert not raw.exists("a", "b")
    with pytest.raises(LockError, match="is not held"):
        await both.unlock()


async def test_multi_lock_holds_none_if_one_cannot_be_acquired(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    raw.set("b", "v")
    both = redisson.get_multi_lock(redisson.get_lock("a"), redisson.get_lock("b"))
    with pytest.raises(KeyTypeError):
        await both.lock()
    assert not raw.exists("a")
    with pytest.raises(ValueError, match="lease must be"):
        await both.lock(lease=0)
    assert not raw.exists("a")


async def test_lock_held_before_multi_lock_stays_held(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    first = redisson.get_lock("a", reentrant=True)
    async with first:
        both = redisson.get_multi_lock(first, redisson.get_lock("b"))
        assert await both.acquire(lease=5)
        assert raw.pttl("a") > 20_000, "it is renewed"
        await both.unlock()
        assert raw.exists("a", "b") == 1


async def test_multi_lock_interrupted_at_any_moment(
    redisson: AsyncRedisson, other: AsyncRedisson, raw: redis.Redis
) -> None:
    both = redisson.get_multi_lock(redisson.get_lock("a"), redisson.get_lock("b"))
    theirs, rng = other.get_lock("b"), random.Random(7)

    async def turn() -> None:
        async with both:
            pass

    for number in range(80):
        blocked = number % 4 == 0 and await AsyncStarted(theirs.try_lock).result()
        await interrupt_async(turn, rng.random() * 0.004)
        if blocked:
            assert await theirs.force_unlock()
        assert not raw.exists("a", "b"), number
    assert not unfinished(redisson)


async def test_multi_lock_rejects_invalid_arguments(redisson: AsyncRedisson) -> None:
    for wrong in ((), (redisson.get_lock("a"), redisson.get_lock("a"))):
        with pytest.raises(ValueError, match="each of another name"):
            redisson.get_multi_lock(*wrong)
    names: Any = ("a", "b")
    with pytest.raises(TypeError, match="made of locks"):
        redisson.get_multi_lock(*names)


async def test_in_a_cluster(cluster: RedisCluster) -> None:
    client: Any = redis.asyncio.RedisCluster.from_url(cluster.url)
    async with AsyncRedisson(client) as redisson:
        fenced = [redisson.get_fenced_lock(f"job {number}") for number in range(6)]
        async with redisson.get_multi_lock(*fenced, redisson.get_spin_lock("spin")):
            assert [lock.token for lock in fenced] == [1] * 6
            waiter = AsyncStarted(redisson.get_fenced_lock("job 1").acquire)
            await sleep_async(0.1)
        assert await waiter.result()
