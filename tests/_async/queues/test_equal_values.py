"""Many equal values cost about as much as many different ones: in written bytes and in work.

Work is counted in commands and their bytes, which do not depend on the load of the machine.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest

from pyredisson import AsyncConsumer, AsyncRedisson
from pyredisson.codecs import StringCodec
from pyredisson.protocol.delayed.delayed_queue import DelayedQueueProtocol
from tests.support.consuming import NAMES, traces
from tests.support.server import RedisServer
from tests.support.twins import sleep_async

MANY, SOON, LONG = 1500, 0.05, 3600

Load = Callable[[AsyncRedisson, list[str]], Awaitable[None]]
Alone = Callable[..., AsyncConsumer[str]]


@pytest.fixture(scope="module")
def written() -> Iterator[RedisServer]:
    """A server with an append-only file, which contains all that it would send to a replica."""
    with RedisServer(aof=True) as server:
        server.run("CONFIG", "SET", "appendfsync", "no")
        yield server


async def move(redisson: AsyncRedisson, now_ms: float) -> None:
    """Transfer the items that are due at this moment."""
    protocol = DelayedQueueProtocol(NAMES.queue, StringCodec())
    await redisson._context.link.request(protocol.transfer(int(now_ms), 9000))


async def offer_expiring(redisson: AsyncRedisson, values: list[str]) -> None:
    target = redisson.get_queue("q")
    delayed = redisson.get_delayed_queue(target, transfer=False, expire_after=LONG)
    await delayed.offer_many([(value, LONG) for value in values])


async def nack_each(redisson: AsyncRedisson, values: list[str]) -> None:
    queue = redisson.get_queue("q")
    await queue.add_all(values)
    consumer = redisson.get_consumer(queue, transfer=False)
    for _ in range(0, len(values), 500):
        for message in await consumer.take_many(500, 0):
            assert await message.nack(LONG)


async def release_and_take(redisson: AsyncRedisson, values: list[str]) -> None:
    queue = redisson.get_queue("q")
    await queue.add_all(values)
    consumer = redisson.get_consumer(queue, transfer=False)
    for _ in range(0, len(values), 500):
        messages = await consumer.take_many(500, 0)
        assert all(await consumer.release(messages))
    for _ in range(0, len(values), 100):
        messages = await consumer.take_many(100, 0)
        assert all(await consumer.ack_many(messages))


async def take_what_came_back(redisson: AsyncRedisson, values: list[str]) -> None:
    """Take values while many equal ones are pending for a retry."""
    await nack_each(redisson, values)
    queue = redisson.get_queue("q")
    await queue.add_all(values)
    consumer = redisson.get_consumer(queue, transfer=False)
    for _ in range(0, len(values), 100):
        assert len(await consumer.take_many(100, 0)) == 100


async def cost(server: RedisServer, load: Load, values: list[str]) -> tuple[int, int]:
    """Return the number of written bytes and of commands."""
    server.run("FLUSHALL")
    server.run("CONFIG", "RESETSTAT")
    before = _written(server)
    async with AsyncRedisson.from_url(server.url, codec=StringCodec()) as redisson:
        await load(redisson, values)
    stats = bytes(server.run("INFO", "commandstats")).decode()
    calls = sum(int(line.partition("calls=")[2].partition(",")[0]) for line in stats.split()[2:])
    return _written(server) - before, calls


def _written(server: RedisServer) -> int:
    info = bytes(server.run("INFO", "persistence")).decode()
    return int(info.partition("aof_current_size:")[2].split()[0])


@pytest.mark.parametrize("load", [offer_expiring, nack_each, release_and_take, take_what_came_back])
async def test_equal_values_cost_what_different_ones_cost(written: RedisServer, load: Load) -> None:
    equal = await cost(written, load, ["tick"] * MANY)
    different = await cost(written, load, [f"{number:04}" for number in range(MANY)])
    assert equal[0] < 1.2 * different[0], "bytes"
    assert equal[1] < 3 * different[1], "calls"


async def test_attempts_of_equal_values_are_counted(redisson: AsyncRedisson, raw: Any) -> None:
    """Of 200 equal messages, 50 were returned. Exactly 50 have a second attempt afterwards."""
    queue = redisson.get_queue("q")
    consumer = redisson.get_consumer(queue, transfer=False)
    await queue.add_all(["tick"] * 200)
    for message in await consumer.take_many(50, 0):
        assert await message.nack()
    messages = await consumer.take_many(200, 0)
    assert sorted(message.attempt for message in messages) == [1] * 150 + [2] * 50
    assert all(await consumer.ack_many(messages))
    assert await consumer.poll() is None
    assert traces(raw) == set()


async def test_rescheduled_retries_keep_their_attempts(
    redisson: AsyncRedisson, raw: Any, alone: Alone
) -> None:
    """A delivered retry has its attempt, both if it was rescheduled and if others were."""
    raw.rpush("q", *["tick"] * 150, "last")
    queue, consumer = redisson.get_queue("q"), alone()
    delayed = redisson.get_delayed_queue(queue, transfer=False)
    for message in await consumer.take_many(151, 0):
        assert await message.nack(LONG)
    items = [item async for item in delayed.items() if item.value == "tick"]
    for item in items[:120]:
        assert await delayed.reschedule(item.receipt, 2 * LONG)
    sooner = await delayed.reschedule(items[130].receipt, 0)
    assert sooner is not None
    await move(redisson, sooner.due_ms)
    assert (await consumer.take()).attempt == 2, "given an earlier time"
    await move(redisson, items[149].receipt.due_ms + 1000)
    found = await consumer.take_many(50, 0)
    assert Counter((each.value, each.attempt) for each in found) == {
        ("tick", 2): 29,
        ("last", 2): 1,
    }


async def test_rescheduled_retries_do_not_block_the_removal_of_records(
    redisson: AsyncRedisson, raw: Any, alone: Alone
) -> None:
    """A consumer that finds the queue empty removes the records of items that others took.

    It removes 100 at a time.
    """
    values = [f"{number:03}" for number in range(150)]
    raw.rpush("q", *values)
    queue, consumer = redisson.get_queue("q"), alone()
    delayed = redisson.get_delayed_queue(queue, transfer=False)
    for message in await consumer.take_many(150, 0):
        assert await message.nack(SOON)
    items = [item async for item in delayed.items()]
    for item in items[:120]:
        await delayed.reschedule(item.receipt, LONG)
    for item in items[120:]:
        assert await delayed.cancel(item.receipt)
    await sleep_async(2 * SOON)
    for _ in range(2):
        assert await consumer.poll() is None
    assert raw.zcard(NAMES.postponed) == raw.zcard(NAMES.retried) == 120
