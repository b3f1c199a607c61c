"""Dead letters: they can be read, redriven and dropped."""

from collections.abc import Callable
from typing import Any

import pytest

from pyredisson import AsyncConsumer, AsyncRedisson
from pyredisson.codecs import LongCodec
from tests.support.consuming import NAMES, texts, traces
from tests.support.state import keys

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
    with pytest.raises(ValueError, match=r"id must be a DeadLetter\.id, .* got 'one'"):
        await letters.drop(id="one")
    assert await letters.drop(1) == 1
    assert texts(raw) == ["b"]
    assert await letters.redrive() == 1
    assert texts(raw) == ["b", "c"]
    assert traces(raw) == set()
    again = await consumer.take()
    assert (again.attempt, again.id == found[1].id) == (1, False)


async def test_take_dead_letters_an_undecodable_value_and_continues(
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


async def test_poll_without_a_wait_skips_undecodable_values(
    redisson: AsyncRedisson, raw: Any
) -> None:
    raw.rpush("q", "one", "two", "3", "four")
    consumer = redisson.get_consumer(redisson.get_queue("q", codec=LongCodec()), transfer=False)
    message = await consumer.poll()
    assert message is not None
    assert message.value == 3
    assert await message.ack()
    assert await consumer.take_many(2, timeout=0) == []
    assert set(keys(raw)) == {b"pyredisson_dead_letters:{q}", b"pyredisson_dead:{q}"}


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


async def made(raw: Any, consumer: AsyncConsumer[str], number: int) -> None:
    """Make `number` dead letters, in the order of their values."""
    raw.rpush("q", *map(str, range(number)))
    for at, message in enumerate(await consumer.take_many(number)):
        assert await message.reject("many")
        raw.zadd(NAMES.dead, {bytes.fromhex(message.id): at + 1})


async def test_incomplete_letter_does_not_block_the_others(
    redisson: AsyncRedisson, raw: Any, alone: Alone
) -> None:
    """The first letter has no contents, and those of the second are truncated."""
    await made(raw, alone(), 5)
    letters = redisson.get_dead_letters(redisson.get_queue("q"))
    first, second, _, fourth, _ = raw.zrange(NAMES.dead, 0, -1)
    raw.hdel(NAMES.letters, first)
    raw.hset(NAMES.letters, second, b"\0\0\0\2{}")
    assert [letter.value for letter in await letters.read_all()] == ["2", "3", "4"]
    assert await letters.redrive(id=first.hex()) == 0
    assert await letters.redrive(id=second.hex()) == 0
    assert await letters.redrive(1) == 1
    assert await letters.drop(id=fourth.hex()) == 1
    assert await letters.redrive() == 1
    assert texts(raw) == ["2", "4"]
    assert raw.zrange(NAMES.dead, 0, -1) == [first, second]
    assert await letters.drop() == 2
    assert raw.exists(NAMES.dead, NAMES.letters) == 0


async def test_more_incomplete_letters_than_one_page(
    redisson: AsyncRedisson, raw: Any, alone: Alone
) -> None:
    await made(raw, alone(), 3)
    raw.zadd(NAMES.dead, {b"%016d" % number: 0 for number in range(1200)})
    letters = redisson.get_dead_letters(redisson.get_queue("q"))
    assert [letter.value for letter in await letters.read_all()] == ["0", "1", "2"]
    assert await letters.redrive(2) == 2
    assert await letters.redrive() == 1
    assert texts(raw) == ["0", "1", "2"]
    assert await letters.drop() == 1200


async def test_incomplete_letter_of_a_group_does_not_block_the_others(
    redisson: AsyncRedisson, raw: Any
) -> None:
    queue = redisson.get_blocking_queue("q")
    window = redisson.get_group_window(queue, size=2, max_wait=3600, transfer=False)
    for key in ("gone", "cut", "whole"):
        for value in "ab":
            await window.offer(key, value)
    for place, message in enumerate(
        await redisson.get_consumer(window, transfer=False).take_many(3)
    ):
        assert await message.reject("why")
        raw.zadd(NAMES.dead, {bytes.fromhex(message.id): place + 1})
    gone, cut, _ = raw.zrange(NAMES.dead, 0, -1)
    raw.hdel(NAMES.letters, gone)
    raw.hset(NAMES.letters, cut, b"\0\0\0\2{}")
    letters = redisson.get_dead_letters(window)
    assert [letter.value.key for letter in await letters.read_all() if letter.value] == ["whole"]
    assert await letters.drop() == 3
    assert traces(raw) == {"groups"}
    assert raw.hlen("pyredisson_groups:{q}") == 2 * 4, "what the others stood for is not known"
