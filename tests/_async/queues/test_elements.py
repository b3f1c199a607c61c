"""subscribeOnElements: a consumer is called with each value, also after an error."""

import logging
from typing import Any

import pytest
import redis

from pyredisson import AsyncRedisson
from pyredisson.codecs import LongCodec, StringCodec
from tests.support.state import shape
from tests.support.twins import sleep_async, until_async

STRINGS = StringCodec()


async def test_a_consumer_gets_all_in_order(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    queue = redisson.get_blocking_queue("q", codec=STRINGS)
    seen: list[str] = []
    raw.rpush("q", "a", "b")
    subscription = queue.subscribe_on_elements(seen.append)
    await until_async(lambda: len(seen) == 2, "what was there")
    raw.rpush("q", "c", "d")
    await until_async(lambda: len(seen) == 4, "what came")
    assert seen == ["a", "b", "c", "d"]
    await subscription.close()


async def test_values_are_consumed_one_after_the_other(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    running: list[str] = []
    overlaps: list[str] = []
    seen: list[str] = []

    async def consume(value: str) -> None:
        overlaps.extend(running)
        running.append(value)
        await sleep_async(0.02)
        running.remove(value)
        seen.append(value)

    subscription = redisson.get_blocking_queue("q", codec=STRINGS).subscribe_on_elements(consume)
    raw.rpush("q", *"abcdef")
    await until_async(lambda: len(seen) == 6, "all are consumed")
    assert (seen, overlaps) == (list("abcdef"), [])
    await subscription.close()


async def test_consumer_that_raises_is_called_with_later_values(
    redisson: AsyncRedisson, raw: redis.Redis, caplog: pytest.LogCaptureFixture
) -> None:
    """In Redisson such a consumer ends silently."""
    seen: list[str] = []

    def consume(value: str) -> None:
        seen.append(value)
        if value == "b":
            raise RuntimeError("this one is too hot")

    subscription = redisson.get_blocking_queue("q", codec=STRINGS).subscribe_on_elements(consume)
    raw.rpush("q", "a", "b", "c")
    await until_async(lambda: len(seen) == 3, "those behind it come")
    assert "this one is too hot" in caplog.text
    assert "'b'" in caplog.text
    await subscription.close()


async def test_undecodable_value_is_kept(
    redisson: AsyncRedisson, raw: redis.Redis, caplog: pytest.LogCaptureFixture
) -> None:
    """In Redisson such a value is lost."""
    seen: list[int] = []
    queue = redisson.get_blocking_queue("q", codec=LongCodec())
    subscription = queue.subscribe_on_elements(seen.append)
    raw.rpush("q", "1", "one", "2")
    await until_async(lambda: len(seen) == 2, "the others come")
    assert seen == [1, 2]
    assert shape(raw) == {"pyredisson_poison:{q}": ["one"]}
    assert "pyredisson_poison:{q}" in caplog.text
    await subscription.close()


async def test_a_consumer_is_a_function(redisson: AsyncRedisson) -> None:
    nothing: Any = None
    with pytest.raises(TypeError, match="must be a function, not None"):
        redisson.get_blocking_queue("q").subscribe_on_elements(nothing)


async def test_close_leaves_the_rest_in_the_queue(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    seen: list[str] = []
    queue = redisson.get_blocking_queue("q", codec=STRINGS)
    subscription = queue.subscribe_on_elements(seen.append)
    raw.rpush("q", "a")
    await until_async(lambda: seen == ["a"], "it runs")
    assert repr(subscription).endswith("Subscription 'q' open>")
    await subscription.close()
    assert repr(subscription).endswith("Subscription 'q' closed>")
    raw.rpush("q", "b")
    await sleep_async(0.1)
    assert seen == ["a"]
    assert raw.lrange("q", 0, -1) == [b"b"]


async def test_closing_the_client_ends_its_consumers(
    url: str, raw: redis.Redis, caplog: pytest.LogCaptureFixture
) -> None:
    seen: list[str] = []
    async with AsyncRedisson.from_url(url) as redisson:
        for name in ("q", "q2"):
            redisson.get_blocking_queue(name, codec=STRINGS).subscribe_on_elements(seen.append)
        raw.rpush("q2", "a")
        await until_async(lambda: seen == ["a"], "they run")
    raw.rpush("q", "b")
    await sleep_async(0.1)
    assert seen == ["a"]
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


async def test_due_items_reach_a_consumer(redisson: AsyncRedisson) -> None:
    seen: list[str] = []
    queue = redisson.get_blocking_queue("q", codec=STRINGS)
    delayed = redisson.get_delayed_queue(queue)
    queue.subscribe_on_elements(seen.append)
    await delayed.offer("a", delay=0.1)
    await delayed.offer("b", delay=0.2)
    await until_async(lambda: len(seen) == 2, "both arrive")
    assert seen == ["a", "b"]
