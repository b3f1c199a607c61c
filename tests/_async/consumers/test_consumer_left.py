"""A closed consumer releases its prefetched messages at once. Delivered ones stay leased."""

from collections.abc import Callable
from typing import Any

import pytest

from pyredisson import AsyncConsumer, AsyncRedisson
from pyredisson.codecs import StringCodec
from tests.support.consuming import held, texts

Alone = Callable[..., AsyncConsumer[str]]


class LeftError(Exception):
    """Ends a loop over a consumer."""


@pytest.fixture
def some(raw: Any) -> list[str]:
    """The values in the queue."""
    values = [str(number) for number in range(9)]
    raw.rpush("q", *values)
    return values


@pytest.mark.parametrize("error", [None, LeftError()])
async def test_consumer_block_releases_prefetched_messages_at_its_end(
    alone: Alone, raw: Any, some: list[str], error: Any
) -> None:
    try:
        async with alone(prefetch=5) as consumer:
            async for message in consumer:
                assert await message.ack()
                if message.value != "2":
                    continue
                if error is not None:
                    raise error
                break
    except LeftError:
        pass
    assert texts(raw) == some[3:]
    assert held(raw) == []


async def test_second_loop_continues_after_the_first(
    alone: Alone, raw: Any, some: list[str]
) -> None:
    consumer, seen = alone(prefetch=5), list[str]()
    for _ in range(2):
        async for message in consumer:
            seen.append(message.value)
            if len(seen) % 3 == 0:
                break
    assert seen == some[:6]
    await consumer.close()
    assert texts(raw) == some[6:]


async def test_client_close_releases_prefetched_messages(
    url: str, raw: Any, some: list[str]
) -> None:
    async with AsyncRedisson.from_url(url, codec=StringCodec()) as redisson:
        consumer = redisson.get_consumer(redisson.get_queue("q"), prefetch=5, transfer=False)
        async for _ in consumer:
            break
    assert texts(raw) == some[1:]
