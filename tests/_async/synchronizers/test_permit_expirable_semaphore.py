"""RPermitExpirableSemaphore without Java: the server's clock ends leases, and no permit is lost."""

import random
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any, cast

import pytest
import redis
import redis.asyncio

from pyredisson import (
    AsyncPermitExpirableSemaphore,
    AsyncRedisson,
    KeyTypeError,
    PermitLostError,
)
from pyredisson.protocol.kernel.scripts import load
from pyredisson.server_errors import ReplyError
from tests.support.faults_tools import server_ms
from tests.support.proxy import FaultProxy
from tests.support.server import RedisServer
from tests.support.twins import (
    AsyncStarted,
    interrupt_async,
    run_together_async,
    sleep_async,
    until_async,
)

LEASES = "{pool}:timeout"
ACQUIRE, RELEASE = (
    load(f"synchronizers/permits_{name}").sha.encode() for name in ("acquire", "release")
)
NONE = "00" * 16


@pytest.fixture
async def semaphore(redisson: AsyncRedisson) -> AsyncPermitExpirableSemaphore:
    semaphore = redisson.get_permit_expirable_semaphore("pool")
    assert await semaphore.try_set_permits(2)
    return semaphore


@pytest.fixture
async def other(url: str) -> AsyncIterator[AsyncPermitExpirableSemaphore]:
    """The semaphore of another client."""
    async with AsyncRedisson.from_url(url) as redisson:
        yield redisson.get_permit_expirable_semaphore("pool")


async def test_text_is_no_number_of_permits(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    raw.set("pool", "many")
    semaphore = redisson.get_permit_expirable_semaphore("pool")
    for call in (semaphore.try_acquire, semaphore.available_permits, semaphore.get_permits):
        with pytest.raises(ReplyError, match=r"not a number \(GET pool\)"):
            await call()
    assert raw.get("pool") == b"many"


async def test_permits_are_leased_and_released(
    semaphore: AsyncPermitExpirableSemaphore, raw: redis.Redis
) -> None:
    assert not await semaphore.try_set_permits(5)
    one, two = await semaphore.acquire(), await semaphore.acquire(lease=60)
    assert one != two
    assert bytes.fromhex(one) in cast("Any", raw.zrange(LEASES, 0, -1))
    assert await semaphore.try_acquire() is None
    assert await semaphore.try_acquire(timeout=0.05) is None
    assert (await semaphore.available_permits(), await semaphore.acquired_permits()) == (0, 2)
    assert await semaphore.get_lease_time(one) is None
    left = await semaphore.get_lease_time(two)
    assert left is not None
    assert timedelta(seconds=30) < left <= timedelta(seconds=60)
    assert await semaphore.update_lease_time(one, timedelta(seconds=90))
    assert not await semaphore.update_lease_time(NONE, 5)
    await semaphore.release(one)
    with pytest.raises(PermitLostError, match="'pool' is not leased") as caught:
        await semaphore.release(one)
    assert (caught.value.key, caught.value.permit_id) == ("pool", one)
    with pytest.raises(PermitLostError):
        await semaphore.get_lease_time(one)
    assert not await semaphore.try_release(NONE)
    assert await semaphore.try_release(two)
    assert await semaphore.get_permits() == 2


async def test_number_of_permits_is_changed(semaphore: AsyncPermitExpirableSemaphore) -> None:
    await semaphore.acquire()
    await semaphore.set_permits(5)
    assert (await semaphore.available_permits(), await semaphore.get_permits()) == (4, 5)
    await semaphore.add_permits(2)
    await semaphore.add_permits(-1)
    assert await semaphore.get_permits() == 6
    await semaphore.set_permits(0)
    assert await semaphore.available_permits() == -1
    assert await semaphore.try_acquire() is None


async def test_ended_lease_frees_permit_for_waiter(
    semaphore: AsyncPermitExpirableSemaphore,
    other: AsyncPermitExpirableSemaphore,
    raw: redis.Redis,
) -> None:
    ids = [await semaphore.acquire(lease=0.2) for _ in range(2)]
    waiters = [AsyncStarted(lambda: other.acquire(60)) for _ in range(2)]
    for each in waiters:
        await each.result()
    assert raw.get("pool") == b"0"
    assert not await semaphore.try_release(ids[0])
    assert not await semaphore.update_lease_time(ids[1], 60)
    assert await semaphore.acquired_permits() == 2


async def test_a_permit_whose_lease_ended_is_free_once(
    semaphore: AsyncPermitExpirableSemaphore, raw: redis.Redis
) -> None:
    permit = await semaphore.acquire(lease=0.01)
    await sleep_async(0.05)
    assert not await semaphore.try_release(permit), "too late, and free all the same"
    assert raw.get("pool") == b"2"
    await semaphore.acquire(lease=0.01)
    await sleep_async(0.05)
    assert await semaphore.available_permits() == 2
    assert not raw.exists(LEASES)


async def test_thousands_of_ended_leases_are_released(
    semaphore: AsyncPermitExpirableSemaphore, raw: redis.Redis
) -> None:
    """One script call releases at most a thousand permits."""
    raw.set("pool", 0)
    raw.zadd(LEASES, {b"%016d" % number: 1 for number in range(2500)})
    assert await semaphore.acquired_permits() == 0
    assert await semaphore.available_permits() == 2500


async def test_with_block_has_a_permit(
    semaphore: AsyncPermitExpirableSemaphore, caplog: pytest.LogCaptureFixture
) -> None:
    async with semaphore.permit(lease=60) as permit:
        assert await semaphore.get_lease_time(permit)
    assert await semaphore.acquired_permits() == 0

    async def too_long(error: Exception | None) -> None:
        async with semaphore.permit(timedelta(seconds=0.01)):
            await sleep_async(0.05)
            if error is not None:
                raise error

    with pytest.raises(PermitLostError):
        await too_long(None)
    with pytest.raises(KeyError):
        await too_long(KeyError())
    assert "permit had been lost" in caplog.text
    assert await semaphore.available_permits() == 2


async def test_waiters_are_woken(
    semaphore: AsyncPermitExpirableSemaphore, other: AsyncPermitExpirableSemaphore
) -> None:
    ids = [await semaphore.acquire() for _ in range(2)]
    waiters = [AsyncStarted(other.acquire) for _ in range(3)]
    await sleep_async(0.1)
    assert not any(each.done for each in waiters)
    for each in ids:
        await semaphore.release(each)
    await other.add_permits(1)
    assert len({await each.result() for each in waiters}) == 3


async def test_permits_are_conserved(
    semaphore: AsyncPermitExpirableSemaphore,
    other: AsyncPermitExpirableSemaphore,
    raw: redis.Redis,
) -> None:
    inside = most = 0

    async def work(mine: AsyncPermitExpirableSemaphore) -> None:
        nonlocal inside, most
        for _ in range(15):
            async with mine.permit(60):
                inside += 1
                most = max(most, inside)
                await mine.acquired_permits()
                inside -= 1

    await run_together_async(
        *(lambda mine=each: work(mine) for each in (semaphore, other) for _ in range(3))
    )
    assert most <= 2
    assert raw.get("pool") == b"2"
    assert not raw.exists(LEASES)


@pytest.mark.parametrize("lease", [0, -1, float("inf"), float("nan"), "5"])
async def test_leases_that_are_rejected(
    semaphore: AsyncPermitExpirableSemaphore, raw: redis.Redis, lease: Any
) -> None:
    for call in (semaphore.acquire, semaphore.permit(lease).__aenter__):
        with pytest.raises((TypeError, ValueError), match="lease"):
            await (call(lease) if call == semaphore.acquire else call())
    with pytest.raises((TypeError, ValueError), match="lease"):
        await semaphore.update_lease_time(NONE, lease)
    assert not raw.exists(LEASES)


async def test_a_key_of_another_type(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    raw.set(LEASES, "v")
    with pytest.raises(KeyTypeError, match="timeout"):
        await redisson.get_permit_expirable_semaphore("pool").acquire()


async def test_time_to_live_also_applies_to_leases(
    semaphore: AsyncPermitExpirableSemaphore, raw: redis.Redis
) -> None:
    await semaphore.expire(60)
    await semaphore.acquire()
    assert 0 < raw.pttl(LEASES) <= 60_000
    await semaphore.rename("other")
    assert await semaphore.get_permits() == 2
    assert await semaphore.delete()
    assert raw.dbsize() == 0


@pytest.mark.parametrize("offset", [-300.0, 300.0])
async def test_a_wrong_clock_moves_no_lease(
    server: RedisServer,
    raw: redis.Redis,
    semaphore: AsyncPermitExpirableSemaphore,
    monkeypatch: pytest.MonkeyPatch,
    offset: float,
) -> None:
    seconds, nanoseconds = time.time, time.time_ns
    monkeypatch.setattr(time, "time", lambda: seconds() + offset)
    monkeypatch.setattr(time, "time_ns", lambda: nanoseconds() + int(offset * 1e9))
    permit = await semaphore.acquire(lease=60)
    score = cast("Any", raw.zscore(LEASES, bytes.fromhex(permit)))
    assert 0 < score - server_ms(server) <= 60_000
    await semaphore.acquire(lease=0.1)
    await semaphore.acquire(lease=60)
    assert await semaphore.acquired_permits() == 2


async def test_lost_replies(proxy: FaultProxy, raw: redis.Redis) -> None:
    async with AsyncRedisson.from_url(f"redis://127.0.0.1:{proxy.port}/0") as redisson:
        semaphore = redisson.get_permit_expirable_semaphore("pool")
        await semaphore.try_set_permits(2)
        await semaphore.release(await semaphore.acquire())
        proxy.lose_reply_to(ACQUIRE)
        permit = await semaphore.acquire()
        assert (raw.get("pool"), raw.zcard(LEASES)) == (b"1", 1)
        proxy.lose_reply_to(RELEASE)
        await semaphore.release(permit)
        assert (raw.get("pool"), raw.zcard(LEASES)) == (b"2", 0)
        raw.script_flush()
        async with semaphore.permit(60):
            assert raw.get("pool") == b"1"


async def test_interrupted_at_any_moment(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    semaphore = redisson.get_permit_expirable_semaphore("pool")
    rng, turns = random.Random(4), 0
    await semaphore.try_set_permits(1)

    async def turn() -> None:
        nonlocal turns
        async with semaphore.permit(60):
            turns += 1

    await turn()
    for number in range(300):
        blocked = await semaphore.try_acquire() if number % 4 == 0 else None
        await interrupt_async(turn, rng.random() * 0.002)
        if blocked:
            await semaphore.release(blocked)
        assert (raw.get("pool"), raw.zcard(LEASES)) == (b"1", 0), number
    assert turns > 1
    assert not redisson._context.background.work


PROGRAM = """
import sys, time
from pyredisson import Redisson
with Redisson.from_url(sys.argv[1]) as redisson:
    with redisson.get_permit_expirable_semaphore("pool").permit(lease=1):
        print("leased", flush=True)
        time.sleep(60)
"""


def start_holder(url: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", PROGRAM, url], stdout=subprocess.PIPE)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
async def test_permit_of_killed_or_frozen_holder_is_free_after_lease(
    redisson: AsyncRedisson, url: str, how: signal.Signals
) -> None:
    semaphore = redisson.get_permit_expirable_semaphore("pool")
    await semaphore.try_set_permits(1)
    with start_holder(url) as holder:
        try:
            assert holder.stdout is not None
            assert holder.stdout.readline() == b"leased\n"
            holder.send_signal(how)
            assert await semaphore.try_acquire() is None
            assert await semaphore.try_acquire(timeout=30, lease=60)
        finally:
            holder.kill()


async def test_the_last_waiter_leaves_no_subscription(
    semaphore: AsyncPermitExpirableSemaphore,
    other: AsyncPermitExpirableSemaphore,
    raw: redis.Redis,
) -> None:
    channel = "redisson_sc:{pool}"
    await semaphore.set_permits(0)
    waiter = AsyncStarted(lambda: other.try_acquire(timeout=0.5))
    await until_async(lambda: raw.pubsub_numsub(channel)[0][1] == 1, "it listens")
    assert await waiter.result() is None
    await until_async(lambda: raw.pubsub_numsub(channel)[0][1] == 0, "it has left")


async def test_several_permits_at_once(redisson: AsyncRedisson, raw: Any) -> None:
    pool = redisson.get_permit_expirable_semaphore("pool")
    await pool.try_set_permits(4)
    first = await pool.acquire(60, permits=3)
    assert len({*first}) == raw.zcard("{pool}:timeout") == 3
    assert await pool.available_permits() == 1
    assert await pool.try_acquire(permits=2) == []
    assert await pool.available_permits() == 1, "all or none"
    waiter = AsyncStarted(lambda: pool.try_acquire(30, permits=3))
    await until_async(lambda: raw.pubsub_numsub("redisson_sc:{pool}")[0][1] == 1, "it waits")
    await pool.release(first[:2])
    second = await waiter.result()
    assert len(second) == 3
    assert await pool.try_release([*first, *second, second[0]]) == 4
    with pytest.raises(PermitLostError):
        await pool.release([*first])
    assert await pool.try_release([]) == 0
    assert (raw.get("pool"), raw.exists("{pool}:timeout")) == (b"4", 0)
    short = await pool.acquire(0.3, permits=2)
    assert await pool.try_acquire(30, permits=4), "the leases of the others end"
    assert await pool.try_release(short) == 0
    with pytest.raises(ValueError, match="permits must be from 1"):
        await pool.acquire(permits=0)
