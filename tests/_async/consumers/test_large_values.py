"""Messages with large values: a script takes or moves only a few of them, and loses none."""

from collections.abc import Callable
from typing import Any

import pytest

from pyredisson import AsyncConsumer, AsyncRedisson
from pyredisson.protocol.consumers.cleanup import reap
from tests.support.consuming import NAMES, end_leases, held, texts

Alone = Callable[..., AsyncConsumer[str]]

MB = 2**20
SIZES = [100, MB, 10, 300_000, 300_000, 300_000, *[50_000] * 12, MB, MB, 5]
SOME = [f"{number:02}" + "x" * size for number, size in enumerate(SIZES)]


@pytest.fixture
def some(raw: Any) -> list[str]:
    """The values in the queue."""
    raw.rpush("q", *SOME)
    return SOME


def at_once(values: list[str]) -> bool:
    """Return whether this is not empty, and all but the last have less than half a MB together."""
    return len(values) > 0 and sum(map(len, values[:-1])) < MB / 2


async def test_take_returns_few_large_messages(alone: Alone, raw: Any, some: list[str]) -> None:
    consumer, taken = alone(lease=60), list[str]()
    while len(taken) < len(some):
        messages = await consumer.take_many(100, 0)
        assert at_once([each.value for each in messages])
        taken += [each.value for each in messages]
        assert await consumer.ack_many(messages) == [True] * len(messages)
    assert taken == some
    assert await consumer.poll() is None
    assert held(raw) == []


async def test_ack_and_extend_read_few_large_values(
    alone: Alone, raw: Any, some: list[str]
) -> None:
    consumer, messages = alone(lease=60), list[Any]()
    while len(messages) < len(some):
        messages += await consumer.take_many(100, 0)
    raw.config_resetstat()
    assert await consumer.extend_many(messages, 90) == [True] * len(some)
    assert await consumer.ack_many(messages) == [True] * len(some)
    assert raw.info("commandstats")["cmdstat_hget"]["calls"] <= 4
    assert await consumer.ack_many(messages) == [False] * len(some)


async def test_released_large_messages_keep_their_order(
    alone: Alone, raw: Any, some: list[str]
) -> None:
    consumer, messages = alone(lease=60), list[Any]()
    while len(messages) < len(some) - 3:
        messages += await consumer.take_many(1, 0)
    assert await consumer.release(messages) == [True] * len(messages)
    assert texts(raw) == some
    assert held(raw) == []


async def test_cleanup_requeues_large_messages_in_parts(
    alone: Alone, redisson: AsyncRedisson, raw: Any, some: list[str]
) -> None:
    consumer, count = alone(lease=60), 0
    while count < len(some):
        count += len(await consumer.take_many(100, 0))
    end_leases(raw)
    while before := len(held(raw)):
        assert (await redisson._context.link.request(reap(NAMES))).ended
        put_back = texts(raw)[: before - len(held(raw))]
        assert at_once(put_back)
    assert sorted(texts(raw)) == some


async def test_consumer_takes_large_messages_of_crashed_consumer(
    alone: Alone, raw: Any, some: list[str]
) -> None:
    dead, consumer, taken = alone(lease=60), alone(lease=60), list[Any]()
    while len(taken) < len(some):
        taken += await dead.take_many(100, 0)
    raw.rpush(NAMES.arriving, "last")
    end_leases(raw)
    while messages := await consumer.take_many(100, 0):
        assert at_once([each.value for each in messages])
        assert await consumer.ack_many(messages) == [True] * len(messages)
        taken += messages
    again = [each.value for each in taken[len(some) :]]
    assert sorted(again) == [*some, "last"]
    assert [each.attempt for each in taken[len(some) :] if each.value != "last"] == [2] * len(some)


async def test_poll_of_paused_queue_requeues_large_messages_in_parts(
    alone: Alone, redisson: AsyncRedisson, raw: Any, some: list[str]
) -> None:
    consumer, taken = alone(lease=60), list[Any]()
    while len(taken) < len(some):
        taken += await consumer.take_many(100, 0)
    end_leases(raw)
    await redisson.get_queue("q").pause()
    for _ in range(len(some)):
        assert await consumer.poll() is None
    assert sorted(texts(raw)) == some


async def test_large_expired_messages_do_not_hide_the_next_one(
    alone: Alone, redisson: AsyncRedisson, raw: Any
) -> None:
    queue = redisson.get_queue("q")
    delayed = redisson.get_delayed_queue(queue, transfer=False, expire_after=0.001)
    for number in range(6):
        await delayed.offer(f"{number}" + "x" * 300_000, 0)
    while raw.llen("q") < 6:
        await redisson._context.link.request(delayed._protocol.transfer(1 << 53, 750))
    raw.rpush("q", "fresh")
    message = await alone(lease=60).poll()
    assert message is not None
    assert message.value == "fresh"
    assert raw.zcard(NAMES.dead) == 6
