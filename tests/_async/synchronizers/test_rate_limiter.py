"""RRateLimiter without Java: the server's clock enforces the rate, also when requests fail."""

import math
import time
from datetime import timedelta
from typing import Any, cast

import pytest
import redis
import redis.asyncio

from pyredisson import (
    AsyncRateLimiter,
    AsyncRedisson,
    KeyTypeError,
    RateLimiterConfig,
    RateNotSetError,
    RateType,
    UncertainError,
)
from pyredisson._async.synchronizers import rate_limiter
from pyredisson.protocol.kernel.scripts import load
from pyredisson.server_errors import ReplyError
from tests.support.faults_tools import server_ms
from tests.support.proxy import FaultProxy
from tests.support.server import RedisServer
from tests.support.synchronizers import acquired
from tests.support.twins import (
    AsyncStarted,
    interrupt_async,
    run_together_async,
    sleep_async,
)

LOG, FREE = "{api}:permits", "{api}:value"
ACQUIRE, SET = (
    load(f"synchronizers/limiter_{name}").sha.encode() for name in ("acquire", "try_set_rate")
)


@pytest.fixture
def limiter(redisson: AsyncRedisson) -> AsyncRateLimiter:
    return redisson.get_rate_limiter("api")


async def test_permits_are_free_again_after_the_interval(limiter: AsyncRateLimiter) -> None:
    assert await limiter.try_set_rate(RateType.OVERALL, 3, 0.4)
    assert await limiter.available_permits() == 3
    assert await limiter.try_acquire(2)
    assert await limiter.try_acquire()
    assert not await limiter.try_acquire()
    assert not await limiter.try_acquire(timeout=0.01)
    assert await limiter.available_permits() == 0
    assert await limiter.try_acquire(3, timeout=30)
    assert not await limiter.try_acquire()
    await limiter.acquire(2)


async def test_the_rate_is_set_once(limiter: AsyncRateLimiter, raw: redis.Redis) -> None:
    assert await limiter.get_config() is None
    assert await limiter.try_set_rate(RateType.OVERALL, 3, 60)
    assert not await limiter.try_set_rate(RateType.PER_CLIENT, 5, 60)
    minute = timedelta(minutes=1)
    assert await limiter.get_config() == RateLimiterConfig(RateType.OVERALL, 3, minute, None)
    assert await limiter.try_acquire(3)
    await limiter.set_rate(RateType.OVERALL, 2, 60, 120)
    assert await limiter.available_permits() == 2
    assert raw.pttl("api") > 0
    await limiter.set_rate(RateType.OVERALL, 2, 60)
    assert raw.pttl("api") == -1
    assert await limiter.delete()
    with pytest.raises(RateNotSetError):
        await limiter.available_permits()


@pytest.mark.parametrize("kind", RateType)
async def test_an_updated_rate(limiter: AsyncRateLimiter, raw: redis.Redis, kind: RateType) -> None:
    assert not await limiter.update_rate(kind, 3, 60)
    assert not raw.exists("api")
    await limiter.set_rate(kind, 3, 60, 120)
    assert await limiter.try_acquire(2)
    assert await limiter.update_rate(kind, 10, 60, keep_state=True)
    assert await limiter.available_permits() == 8
    assert raw.pttl("api") == -1
    assert raw.pttl(LOG) < 0
    await limiter.set_rate(kind, 1, 60, 90, keep_state=True)
    assert await limiter.available_permits() == 0
    assert await limiter.update_rate(kind, 4, 3600, keep_state=True)
    assert await limiter.available_permits() == 2
    assert await limiter.update_rate(kind, 4, 60)
    assert await limiter.try_acquire(4)
    other = RateType.PER_CLIENT if kind is RateType.OVERALL else RateType.OVERALL
    assert await limiter.update_rate(other, 4, 60, keep_state=True)
    assert raw.dbsize() == 1, "the permits of the other type are gone"
    assert await limiter.available_permits() == 4


async def test_keep_state_with_thousands_of_entries(
    limiter: AsyncRateLimiter, raw: redis.Redis
) -> None:
    """Entries that are older than the new interval are removed, and not counted."""
    await limiter.set_rate(RateType.OVERALL, 5000, 3600)
    now = int(raw.time()[0]) * 1000
    entries = {acquired(b"%016d" % number, 1): now - number for number in range(2500)}
    old = {acquired(b"x%015d" % number, 1): now - 100_000 - number for number in range(1500)}
    raw.zadd(LOG, entries | old)
    raw.set(FREE, 1000)
    assert await limiter.update_rate(RateType.OVERALL, 4000, 60, keep_state=True)
    assert raw.get(FREE) == b"1500"
    assert raw.zcard(LOG) == 2500


async def test_incomplete_rate_counts_as_not_set(
    limiter: AsyncRateLimiter, raw: redis.Redis
) -> None:
    raw.hset("api", "rate", "7")
    with pytest.raises(RateNotSetError):
        await limiter.acquire()
    assert await limiter.try_set_rate(RateType.OVERALL, 3, 60)
    assert await limiter.available_permits() == 3


async def test_rate_that_is_not_a_number_is_rejected(
    limiter: AsyncRateLimiter, raw: redis.Redis
) -> None:
    raw.hset("api", mapping={"rate": "fast", "interval": "1000", "type": "0"})
    for call in (limiter.try_acquire, limiter.available_permits, limiter.release):
        with pytest.raises(ReplyError, match=r"rate or interval is not a number \(HGET api\)"):
            await call()


async def test_rejected_arguments_change_nothing(
    limiter: AsyncRateLimiter, raw: redis.Redis
) -> None:
    await limiter.try_set_rate(RateType.OVERALL, 3, 60)
    before: Any = raw.dump("api")
    for permits in (0, -1, 4, 2**32):
        with pytest.raises(ValueError, match="permits must be"):
            await limiter.acquire(permits)
    with pytest.raises(ValueError, match="keep_alive"):
        await limiter.set_rate(RateType.OVERALL, 3, 60, 59)
    assert raw.dump("api") == before
    assert not raw.exists(FREE, LOG)


async def test_a_key_of_another_type(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    raw.set("text", "v")
    with pytest.raises(KeyTypeError, match="text"):
        await redisson.get_rate_limiter("text").try_set_rate(RateType.OVERALL, 1, 1)


async def test_many_callers_share_a_rate(
    limiter: AsyncRateLimiter, redisson: AsyncRedisson, url: str
) -> None:
    """No interval grants more permits than the rate."""
    await limiter.try_set_rate(RateType.OVERALL, 5, 0.3)
    began, granted = time.monotonic(), []
    async with AsyncRedisson.from_url(url) as other:

        async def work(client: AsyncRedisson) -> None:
            for _ in range(5):
                await client.get_rate_limiter("api").acquire()
                granted.append(time.monotonic())

        await run_together_async(
            *(lambda client=each: work(client) for each in (redisson, other) for _ in range(2))
        )
    assert len(granted) == 20
    assert granted[-1] - began >= 0.9 - 0.05, "five at once, and three intervals later the last"


async def test_each_client_has_its_rate(
    limiter: AsyncRateLimiter, url: str, raw: redis.Redis
) -> None:
    """The keys of a client expire when all its permits are free, as missing keys mean the same."""
    assert await limiter.try_set_rate(RateType.PER_CLIENT, 2, 60)
    assert await limiter.try_acquire(2)
    assert not await limiter.try_acquire()
    async with AsyncRedisson.from_url(url) as other:
        assert await other.get_rate_limiter("api").try_acquire(2)
    keys: Any = raw.keys("{api}:*")
    assert len(keys) == 4
    assert {0 < raw.pttl(key) <= 60_000 for key in keys} == {True}
    await limiter.set_rate(RateType.OVERALL, 2, 60)
    assert len(raw.keys("{api}:*")) == 2, "those of the other client"
    assert await limiter.delete()


async def test_attempt_extends_keep_alive(limiter: AsyncRateLimiter, raw: redis.Redis) -> None:
    await limiter.try_set_rate(RateType.OVERALL, 2, 60, timedelta(seconds=90))
    raw.persist("api")
    assert await limiter.try_acquire()
    assert all(85_000 < raw.pttl(key) <= 90_000 for key in ("api", FREE, LOG))
    raw.persist("api")
    assert not await limiter.try_acquire(2)
    assert raw.pttl("api") > 85_000


async def test_a_time_to_live_that_is_set(limiter: AsyncRateLimiter, raw: redis.Redis) -> None:
    await limiter.try_set_rate(RateType.OVERALL, 2, 60)
    await limiter.try_acquire()
    assert raw.pttl(FREE) == raw.pttl(LOG) == -1
    assert await limiter.expire(30)
    await limiter.try_acquire()
    assert all(0 < raw.pttl(key) <= 30_000 for key in ("api", FREE, LOG))


async def test_a_renamed_limiter(limiter: AsyncRateLimiter) -> None:
    await limiter.try_set_rate(RateType.OVERALL, 3, 60)
    await limiter.try_acquire(2)
    await limiter.rename("other")
    assert limiter.name == "other"
    assert await limiter.available_permits() == 1


async def test_entries_of_older_releases_are_counted(
    limiter: AsyncRateLimiter, raw: redis.Redis
) -> None:
    """Redisson 3.19.3 writes ids of 8 bytes. Permits of past intervals are free again."""
    await limiter.try_set_rate(RateType.OVERALL, 5, 60)
    raw.zadd(LOG, {acquired(b"o" * 8, 2): 1, acquired(b"n" * 8, 3): time.time() * 1000})
    raw.set(FREE, 0)
    assert await limiter.available_permits() == 2
    assert raw.zcard(LOG) == 1


@pytest.mark.parametrize(("free", "log"), [(None, 3), (1, 3), (1, 0), (0, 0), (9, 3)])
async def test_log_wins_over_number_of_free_permits(
    limiter: AsyncRateLimiter, raw: redis.Redis, free: int | None, log: int
) -> None:
    """Possible causes are an evicted key, a permit that Java has lost, or an earlier higher rate.

    The log is then correct.
    """
    await limiter.try_set_rate(RateType.OVERALL, 5, 60)
    if free is not None:
        raw.set(FREE, free)
    if log:
        raw.zadd(LOG, {acquired(b"n" * 16, log): time.time() * 1000})
    assert await limiter.try_acquire(5 - log)
    assert await limiter.available_permits() == 0


async def test_lost_number_of_free_permits_is_computed_from_long_log(
    limiter: AsyncRateLimiter, raw: redis.Redis
) -> None:
    await limiter.try_set_rate(RateType.OVERALL, 8000, 60)
    now = time.time() * 1000
    raw.zadd(LOG, {acquired(b"%016d" % number, 3): now for number in range(2500)})
    assert await limiter.available_permits() == 500
    assert not await limiter.try_acquire(501)


async def test_thousands_of_past_entries_are_removed(
    limiter: AsyncRateLimiter, raw: redis.Redis
) -> None:
    """One script call removes at most a thousand entries."""
    await limiter.try_set_rate(RateType.OVERALL, 5000, 60)
    raw.set(FREE, 0)
    raw.zadd(LOG, {acquired(b"%016d" % number, 2): number for number in range(2500)})
    raw.copy(LOG, "copy")
    assert await limiter.available_permits() == 5000
    raw.set(FREE, 0)
    raw.rename("copy", LOG)
    assert await limiter.try_acquire(5000), "without a wait"
    assert raw.zcard(LOG) == 1


async def test_a_lost_reply_counts_once(proxy: FaultProxy, raw: redis.Redis) -> None:
    async with AsyncRedisson.from_url(f"redis://127.0.0.1:{proxy.port}/0") as redisson:
        limiter = redisson.get_rate_limiter("api")
        await limiter.try_set_rate(RateType.OVERALL, 3, 60)
        await limiter.acquire()
        for permits in (1, 1):
            proxy.lose_reply_to(ACQUIRE)
            assert await limiter.try_acquire(permits)
        assert raw.get(FREE) == b"0"
        assert raw.zcard(LOG) == 3
        assert not await limiter.try_acquire()
        proxy.lose_reply_to(SET)
        with pytest.raises(UncertainError, match="try_set_rate of 'api'"):
            await limiter.try_set_rate(RateType.OVERALL, 5, 60)


@pytest.mark.parametrize("offset", [-300.0, 300.0])
async def test_wrong_client_clock_changes_no_rate(
    server: RedisServer,
    raw: redis.Redis,
    redisson: AsyncRedisson,
    monkeypatch: pytest.MonkeyPatch,
    offset: float,
) -> None:
    seconds, nanoseconds = time.time, time.time_ns
    monkeypatch.setattr(time, "time", lambda: seconds() + offset)
    monkeypatch.setattr(time, "time_ns", lambda: nanoseconds() + int(offset * 1e9))
    limiter = redisson.get_rate_limiter("api")
    await limiter.try_set_rate(RateType.OVERALL, 1, 0.2)
    await limiter.acquire()
    [(_, score)] = cast("Any", raw.zrange(LOG, 0, -1, withscores=True))
    assert abs(score - server_ms(server)) < 60_000
    assert await limiter.try_acquire(timeout=60)


async def test_waiters_use_new_rate(
    limiter: AsyncRateLimiter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limiter, "_POLL", 0.05)
    await limiter.try_set_rate(RateType.OVERALL, 1, 3600)
    await limiter.acquire()
    waiters = [AsyncStarted(limiter.acquire) for _ in range(2)]
    await sleep_async(0.1)
    await limiter.set_rate(RateType.OVERALL, 2, 3600)
    await run_together_async(*(each.result for each in waiters))
    waiter = AsyncStarted(limiter.acquire)
    await limiter.delete()
    with pytest.raises(RateNotSetError):
        await waiter.result()


async def test_an_interrupted_waiter_takes_nothing(
    limiter: AsyncRateLimiter, raw: redis.Redis
) -> None:
    await limiter.try_set_rate(RateType.OVERALL, 1, 3600)
    await limiter.acquire()
    assert not await interrupt_async(limiter.acquire, 0.1)
    assert raw.zcard(LOG) == 1
    raw.script_flush()
    assert not await limiter.try_acquire()


async def test_a_closed_client_ends_its_waiters(url: str) -> None:
    redisson = AsyncRedisson.from_url(url)
    limiter = redisson.get_rate_limiter("api")
    await limiter.try_set_rate(RateType.OVERALL, 1, 3600)
    await limiter.acquire()
    waiter = AsyncStarted(lambda: limiter.try_acquire(timeout=math.inf))
    await sleep_async(0.1)
    await redisson.aclose()
    with pytest.raises(RuntimeError, match="closed"):
        await waiter.result()


async def test_permits_are_released(redisson: AsyncRedisson) -> None:
    """The permits that were acquired last are released first, and never more than the rate.

    They can be acquired again.
    """
    limiter = redisson.get_rate_limiter("api")
    with pytest.raises(RateNotSetError):
        await limiter.release()
    await limiter.set_rate(RateType.OVERALL, 5, 60)
    assert await limiter.release() == 0
    assert await limiter.try_acquire(2)
    assert await limiter.try_acquire(3)
    assert await limiter.release(4) == 4
    assert await limiter.available_permits() == 4
    assert await limiter.try_acquire(4)
    assert not await limiter.try_acquire()
    assert await limiter.release(9) == 5
    assert await limiter.available_permits() == 5
    with pytest.raises(ValueError, match="permits must be from 1"):
        await limiter.release(0)


async def test_released_permits_are_not_free_twice(redisson: AsyncRedisson) -> None:
    """Redisson leaves released permits in its log.

    It frees them again when the interval is over.
    """
    limiter = redisson.get_rate_limiter("api")
    await limiter.set_rate(RateType.OVERALL, 2, 1)
    assert await limiter.try_acquire(2)
    await sleep_async(0.6)
    assert await limiter.release(2) == 2
    assert await limiter.try_acquire(2)
    await sleep_async(0.6)
    assert not await limiter.try_acquire(), "the second interval is not over"
