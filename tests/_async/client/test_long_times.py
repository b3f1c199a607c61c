"""Times that are too long to wait for are rejected; the error names the argument."""

import math
from collections.abc import Callable
from typing import Any

import pytest

from pyredisson import AsyncRedisson, AsyncWorker, Backoff, Defer, Durable
from pyredisson.codecs import StringCodec
from tests.support.twins import AsyncStarted, until_async

LONG = 1e17
Call = Callable[[AsyncRedisson], object]


def worker_with(**words: Any) -> Call:
    return lambda redisson: AsyncWorker(redisson, redisson.get_queue("q"), print, **words)


def client_with(**words: Any) -> Call:
    return lambda _: AsyncRedisson.from_url("redis://localhost", **words)


NAMED: dict[str, Call] = {
    "lease": worker_with(lease=1e12),
    "time_limit": worker_with(time_limit=1e12),
    "batch_wait": worker_with(batch_wait=1e12),
    "stop_timeout": worker_with(stop_timeout=1e12),
    "give_up_after": worker_with(give_up_after=1e12),
    "response_timeout": client_with(response_timeout=1e10),
    "safety_interval": client_with(safety_interval=1e12),
    "lock_watchdog_timeout": client_with(lock_watchdog_timeout=1e12),
    "max_wait": lambda r: r.get_group_window(r.get_queue("w"), size=2, max_wait=LONG),
    "expire_after": lambda r: r.get_delayed_queue(r.get_queue("q"), expire_after=LONG),
    "timeout": lambda _: Durable(replicas=1, timeout=1e10),
    "replicas": lambda _: Durable(replicas=2**31),
    "delay": lambda _: Defer(LONG),
    "first": lambda _: Backoff(first=math.inf),
    "factor": lambda _: Backoff(factor=math.inf),
}


@pytest.mark.parametrize("name", NAMED)
async def test_error_names_the_argument_that_is_too_long(
    redisson: AsyncRedisson, name: str
) -> None:
    with pytest.raises(ValueError, match=rf"{name}\b.* must be "):
        NAMED[name](redisson)


@pytest.mark.parametrize("give_back", ["nack", "defer", "extend"])
async def test_message_rejects_a_delay_or_lease_that_is_too_long(
    redisson: AsyncRedisson, raw: Any, give_back: str
) -> None:
    raw.rpush("q", "a")
    message = await redisson.get_consumer(redisson.get_queue("q")).take()
    for delay in (2**53 / 1000, LONG):
        with pytest.raises(ValueError, match=r"(delay|lease) must be at most \d+ s"):
            await getattr(message, give_back)(delay)
    assert await message.ack()


async def test_worker_runs_with_the_longest_allowed_times(url: str, raw: Any) -> None:
    """A hundred years is a valid time."""
    century = 3_155_760_000
    times: dict[str, Any] = {"response_timeout": 1_000_000, "safety_interval": century}
    async with AsyncRedisson.from_url(url, codec=StringCodec(), **times) as redisson:
        queue = redisson.get_queue("q")
        delayed = redisson.get_delayed_queue(queue)
        await delayed.offer("a", 0.01)
        words: dict[str, Any] = {"lease": century, "time_limit": century, "batch_wait": century}
        backoff = Backoff(first=0, limit=math.inf)
        worker = AsyncWorker(redisson, queue, str, backoff=backoff, stop_timeout=century, **words)
        running = AsyncStarted(worker.run)
        await until_async(lambda: worker.stats().done == 1, "it is done")
        worker.stop()
        assert await running.result() == 0


@pytest.mark.parametrize("never", [None, math.inf])
async def test_worker_runs_with_times_of_none_and_infinity(
    redisson: AsyncRedisson, raw: Any, never: Any
) -> None:
    raw.rpush("q", "a")
    words = dict.fromkeys(("time_limit", "give_up_after", "stop_timeout"), never)
    worker = AsyncWorker(redisson, redisson.get_queue("q"), str, **words)
    running = AsyncStarted(worker.run)
    await until_async(lambda: worker.stats().done == 1, "it is done")
    worker.stop()
    assert await running.result() == 0
