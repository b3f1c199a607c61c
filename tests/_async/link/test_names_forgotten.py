"""A client that uses a name only once keeps no data of that name."""

from collections.abc import Callable
from typing import Any

import pytest
import redis

from pyredisson import AsyncRedisson
from pyredisson.codecs import StringCodec
from pyredisson.protocol.kernel.names import Claims
from pyredisson.protocol.kernel.remembered import Remembered
from tests.support.reached import texts_of
from tests.support.server import RedisServer
from tests.support.twins import aside_async, start_async, until_async

Use = Callable[[AsyncRedisson, str], Any]

COUNT, KEPT = 100, 20
PART = "once-used"


async def queue(redisson: AsyncRedisson, name: str) -> None:
    one = redisson.get_blocking_queue(name)
    await one.add_all(["x", "y"])
    assert await one.take() == "x"
    assert await one.poll_from_any(60, f"{name}:other") == "y"


async def delayed(redisson: AsyncRedisson, name: str) -> None:
    pending = redisson.get_delayed_queue(redisson.get_queue(name))
    await pending.offer("x", delay=3600)
    await pending.offer("y", delay=3600, dedup="key")
    await pending.clear()
    pending.destroy()


async def consumer(redisson: AsyncRedisson, name: str) -> None:
    await redisson.get_queue(name).add("x")
    async with redisson.get_consumer(redisson.get_queue(name)) as taking:
        await (await taking.take()).reject("for no reason")
    await redisson.get_dead_letters(redisson.get_queue(name)).drop()


async def schedule(redisson: AsyncRedisson, name: str) -> None:
    pending = redisson.get_delayed_queue(redisson.get_queue(name))
    recurring = redisson.get_schedule(pending)
    await recurring.add("entry", "x", every=1000)
    await recurring.remove("entry")
    recurring.destroy()
    pending.destroy()


async def window(redisson: AsyncRedisson, name: str) -> None:
    collecting = redisson.get_group_window(redisson.get_queue(name), size=1, max_wait=60)
    await collecting.offer("key", "x")
    async with redisson.get_consumer(collecting) as taking:
        await (await taking.take()).ack()
    collecting.destroy()


async def sharded(redisson: AsyncRedisson, name: str) -> None:
    one = redisson.get_sharded_queue(name, 2)
    await one.offer("x", 3600)
    assert await one.poll() is None
    one.destroy()


async def elements(redisson: AsyncRedisson, name: str) -> None:
    found: list[str] = []
    one = redisson.get_blocking_queue(name)
    subscription = one.subscribe_on_elements(found.append)
    await one.add("x")
    await until_async(lambda: found == ["x"], "it has come")
    await one.add("y")
    await until_async(lambda: found == ["x", "y"], "that, too")
    closing = start_async(subscription.close)
    await one.add("z")
    await closing.result()


async def others(redisson: AsyncRedisson, name: str) -> None:
    await redisson.get_bucket(name).set("x")
    await redisson.get_bucket(name).delete()
    assert [each async for each in redisson.get_poison_list(redisson.get_queue(name))] == []
    assert await redisson.get_deque(name).poll_last() is None


USES: list[Use] = [queue, delayed, consumer, schedule, window, sharded, elements, others]


@pytest.mark.parametrize("use", USES)
async def test_names_that_were_used_once_are_forgotten(url: str, use: Use) -> None:
    async with AsyncRedisson.from_url(url, codec=StringCodec(), safety_interval=0.2) as redisson:
        redisson._context.checked = Remembered(KEPT // 2)
        redisson._context.names = Claims(KEPT // 2)
        for number in range(COUNT if use is not elements else 30):
            await use(redisson, f"{PART}-{number}")
        await use(redisson, "the last")
        assert texts_of(redisson._context, "the last")
        await until_async(
            lambda: len(texts_of(redisson._context, PART)) <= KEPT, "plans and shards are forgotten"
        )


async def test_names_of_waits_in_an_outage_are_forgotten(own_server: RedisServer) -> None:
    async with AsyncRedisson.from_url(own_server.url, codec=StringCodec()) as redisson:
        redisson._context.checked = Remembered(KEPT)
        queues = [redisson.get_blocking_queue(f"{PART}-{number}") for number in range(100)]
        for each in queues:
            assert await each.poll() is None
        await aside_async(own_server.kill)
        for each in queues:
            with pytest.raises(redis.ConnectionError):
                await each.poll(timeout=0.01)
        assert redisson._context.link.failing
        del queues, each
        await aside_async(own_server.start)
        last = redisson.get_blocking_queue("the last")
        await last.add("x")
        assert await last.take() == "x"
        assert len(texts_of(redisson._context, PART)) <= KEPT
