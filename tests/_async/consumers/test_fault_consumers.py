"""Consumers that are killed, interrupted, on a server without memory, or beside plain polls."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from pyredisson import AsyncConsumer, AsyncRedisson, AsyncWorker
from pyredisson.codecs import StringCodec
from tests.support.consuming import traces
from tests.support.server import RedisServer
from tests.support.twins import AsyncStarted, interrupt_async, run_together_async, until_async

Alone = Callable[..., AsyncConsumer[str]]


async def test_without_memory_messages_are_still_taken(alone: Alone, raw: Any) -> None:
    raw.rpush("q", "a", "b")
    consumer = alone()
    raw.config_set("maxmemory", 1)
    try:
        first, second = await consumer.take(), await consumer.take()
        assert await first.ack()
        assert await second.nack()
        again = await consumer.take()
        assert again.attempt == 2
        assert await again.reject("no memory")
    finally:
        raw.config_set("maxmemory", 0)
    assert traces(raw) == {"dead", "dead_letters"}


@pytest.mark.parametrize("names", [["q"], ["q", "r"]], ids=["one queue", "two"])
async def test_a_worker_waits_without_memory(
    redisson: AsyncRedisson, raw: Any, names: list[str]
) -> None:
    """A server without memory rejects waits. An idle worker does not end because of that."""
    raw.rpush("q", "a")
    seen: list[str] = []
    worker = AsyncWorker(redisson, [redisson.get_queue(name) for name in names], seen.append)
    running = AsyncStarted(worker.run)
    await until_async(lambda: seen == ["a"], "it works")
    raw.config_set("maxmemory", 1)
    try:
        refused = raw.info("stats")["total_error_replies"]
        await until_async(
            lambda: raw.info("stats")["total_error_replies"] > refused + 2, "waits are refused"
        )
    finally:
        raw.config_set("maxmemory", 0)
    assert not running.done
    raw.rpush("q", "b")
    await until_async(lambda: seen == ["a", "b"], "it works again")
    worker.stop()
    assert await running.result() == 0


async def test_interrupted_waits_lose_nothing(
    redisson: AsyncRedisson, raw: Any, alone: Alone
) -> None:
    consumer, sent, found = alone(), 0, 0
    assert await consumer.poll() is None
    for step in range(200):
        if step % 2 == 0:
            raw.rpush("q", str(step))
            sent += 1
        for message in await interrupt_async(consumer.take, 0.0005 * (step % 7)):
            found += 1
            assert message.attempt == 1
            assert await message.ack()
    while left := await consumer.poll():
        found += 1
        assert left.attempt == 1
        assert await left.ack()
    assert found == sent
    assert traces(raw) == set()


KILLED = """
import sys
from pyredisson import Redisson
from pyredisson.codecs import StringCodec
with Redisson.from_url(sys.argv[1]) as redisson:
    consumer = redisson.get_consumer(redisson.get_queue("q", StringCodec()), lease=0.5, prefetch=3)
    while True:
        message = consumer.take()
        print(message.value, flush=True)
        message.ack()
"""


def killed(url: str, count: int) -> set[str]:
    """Kill a consumer process after `count` messages; return the values that it handled."""
    child = subprocess.Popen([sys.executable, "-c", KILLED, url], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    seen = {child.stdout.readline().strip() for _ in range(count)}
    os.kill(child.pid, signal.SIGKILL)
    rest, _ = child.communicate()
    return seen | set(rest.split())


async def test_consumers_that_are_killed(server: RedisServer, url: str, raw: Any) -> None:
    """They are killed at any point. Each message is kept until it is acknowledged."""
    seen, sent = set[str](), 0
    for number in range(4):
        values = [f"{number}-{i}" for i in range(300)]
        raw.rpush("q", *values)
        sent += len(values)
        seen |= killed(url, 20 + 10 * number)
    async with AsyncRedisson.from_url(url) as redisson:
        consumer = redisson.get_consumer(redisson.get_queue("q", StringCodec()))
        while message := await consumer.poll(1.5):
            seen.add(message.value)
            assert await message.ack()
    assert len(seen) == sent
    assert traces(raw) == set()


async def test_consumers_share_a_queue_with_plain_ones(
    redisson: AsyncRedisson, raw: Any, alone: Alone
) -> None:
    raw.rpush("q", *map(str, range(300)))
    consumer, queue = alone(prefetch=5), redisson.get_blocking_queue("q")

    async def acknowledging() -> list[str]:
        found = []
        while message := await consumer.poll(0.2):
            if int(message.value) % 7 == 3 and message.attempt == 1:
                assert await message.nack()
            else:
                assert await message.ack()
                found.append(message.value)
        return found

    async def plain() -> list[str]:
        found = []
        while (value := await queue.poll(timeout=0.2)) is not None:
            found.append(value)
        return found

    both = await run_together_async(acknowledging, plain)
    assert sorted(int(value) for values in both for value in values) == list(range(300))
    assert traces(raw) == set()
