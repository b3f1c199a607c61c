"""Dead letters: what nobody handles any more, looked at, driven again, dropped."""

from collections.abc import Callable
from typing import Any

import pytest

from pyredisson import AsyncConsumer, AsyncRedisson
from pyredisson.codecs import LongCodec
from tests.support.consuming import texts, traces

Alone = Callable[..., AsyncConsumer[str]]


async def test_dead_letters(redisson: AsyncRedisson, raw: Any, alone: Alone) -> None:
    raw.rpush("q", "a", "b", "c")
    consumer, letters = (
        alone(),
        redisson.get_dead_letters(redisson.get_queue("q")),
    )
    for message in await consumer.take_many(3):
        assert await message.reject(f"no {message.value}é", "Traceback: ...")
    found = [letter async for letter in letters]
    assert [(x.value, x.raw, x.reason, x.attempts) for x in found] == [
        (value, value.encode(), f"no {value}é", 1) for value in "abc"
    ]
    assert found[0].traceback == "Traceback: ..."
    assert found[0].first_received_at <= found[0].received_at <= found[0].failed_at
    assert traces(raw) == {"dead", "dead_letters"}
    assert await letters.size() == 3
    assert await letters.redrive(id=found[1].id) == 1
    assert await letters.redrive(id=found[1].id) == 0
    with pytest.raises(ValueError, match=r"id is that of a dead letter, letter\.id, not 'one'"):
        await letters.drop(id="one")
    assert await letters.drop(1) == 1
    assert texts(raw) == ["b"]
    assert await letters.redrive() == 1
    assert texts(raw) == ["b", "c"]
    assert traces(raw) == set()
    again = await consumer.take()
    assert (again.attempt, again.id == found[1].id) == (1, False)


async def test_what_cannot_be_decoded_is_dead_and_the_next_one_follows(
    redisson: AsyncRedisson, raw: Any
) -> None:
    raw.rpush("q", "1", "two", "3")
    queue = redisson.get_queue("q", codec=LongCodec())
    consumer = redisson.get_consumer(queue, transfer=False)
    assert [(await consumer.take()).value for _ in range(2)] == [1, 3]
    [letter] = [letter async for letter in redisson.get_dead_letters(queue)]
    assert (letter.value, letter.raw) == (None, b"two")
    assert letter.error is not None
    assert letter.reason.startswith("cannot be decoded: ")


async def test_who_does_not_wait_gets_what_stands_behind_what_cannot_be_decoded(
    redisson: AsyncRedisson, raw: Any
) -> None:
    raw.rpush("q", "one", "two", "3", "four")
    consumer = redisson.get_consumer(redisson.get_queue("q", codec=LongCodec()), transfer=False)
    message = await consumer.poll()
    assert message is not None
    assert message.value == 3
    assert await message.ack()
    assert await consumer.take_many(2, timeout=0) == []
    assert set(raw.keys()) == {b"pyredisson_dead_letters:{q}", b"pyredisson_dead:{q}"}


async def test_thousands_of_dead_letters(redisson: AsyncRedisson, raw: Any, alone: Alone) -> None:
    raw.rpush("q", *map(str, range(1200)))
    consumer = alone()
    for message in await consumer.take_many(1000) + await consumer.take_many(1000):
        assert await message.reject("many")
    letters = redisson.get_dead_letters(redisson.get_queue("q"))
    assert len(await letters.read_all()) == 1200
    assert await letters.redrive(700) == 700
    assert await letters.drop() == 500
    assert len(texts(raw)) == 700
