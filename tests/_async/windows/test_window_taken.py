"""Groups whose text is in the queue while it is pending still, and more than once.

Java's transfer that stops at an entry of another format has pushed the text and not removed it
from the timeout set, each 5 s anew. Whoever takes a group closes it, and one has it at a time.
"""

import logging
from typing import Any

import pytest

from pyredisson import AsyncConsumer, AsyncGroupWindow, AsyncRedisson, Group
from pyredisson.protocol.kernel.names import QueueNames
from tests.support.consuming import end_leases, texts, traces
from tests.support.state import keys, unpack

LONG = 3600
Q = QueueNames.of("q")


@pytest.fixture
def window(redisson: AsyncRedisson) -> AsyncGroupWindow[str]:
    """A window for three, whose groups are due when a test says so."""
    return redisson.get_group_window(
        redisson.get_blocking_queue("q"), size=3, max_wait=LONG, transfer=False
    )


@pytest.fixture
def consumer(redisson: AsyncRedisson, window: AsyncGroupWindow[str]) -> AsyncConsumer[Group[str]]:
    """Its consumer, whose client has no transfer task that helps."""
    return redisson.get_consumer(window, prefetch=5, transfer=False)


def stop_half_way(raw: Any) -> None:
    """Do what Java's transfer does with what it can read before an entry that it cannot."""
    for entry in raw.zrange(Q.timeout_set, 0, -1):
        raw.rpush("q", unpack(entry))
        raw.lrem(Q.delay_list, 1, entry)


def transfer(raw: Any) -> None:
    """Move all that is pending, as any transfer does that comes to its end."""
    stop_half_way(raw)
    raw.delete(Q.timeout_set)


async def test_a_value_that_comes_after_the_group_was_taken_begins_another(
    window: AsyncGroupWindow[str], consumer: AsyncConsumer[Group[str]], raw: Any
) -> None:
    first = await window.offer("k", "a")
    stop_half_way(raw)
    message = await consumer.take()
    assert await window.pending() == []
    second = await window.offer("k", "b")
    assert (second.size, second.id == first.id) == (1, False)
    assert await message.ack()
    assert await window.pending() == [second]
    transfer(raw)
    again = await consumer.take()
    assert [message.value.values, again.value.values] == [["a"], ["b"]]
    assert await again.ack()
    assert keys(raw) == []


async def test_a_value_that_comes_before_it_is_taken_comes_along(
    window: AsyncGroupWindow[str], consumer: AsyncConsumer[Group[str]], raw: Any
) -> None:
    """Also where somebody took it who died before he had read it."""
    await window.offer("k", "a")
    stop_half_way(raw)
    await window.offer("k", "b")
    assert await consumer._link.request(consumer._protocol.take(1, 1000 * LONG, bytes(14)))
    assert (await window.offer("k", "c")).closed
    message = await consumer.take()
    assert message.value.values == ["a", "b", "c"]
    end_leases(raw)
    assert not await message.ack()
    message = await consumer.take()
    assert message.value.values == ["a", "b", "c"]
    assert await message.ack()
    assert await consumer.poll() is None
    assert keys(raw) == []


async def test_copies_of_a_group_are_not_handed_out(
    window: AsyncGroupWindow[str],
    consumer: AsyncConsumer[Group[str]],
    redisson: AsyncRedisson,
    raw: Any,
) -> None:
    """While somebody has it, whoever he is, and after it is done."""
    await window.offer("k", "a")
    for _ in range(3):
        stop_half_way(raw)
    [message] = await consumer.take_many(5, 0)
    assert texts(raw) == []
    for _ in range(3):
        raw.rpush("q", f"pyredisson_group:{message.value.id}")
    other = redisson.get_consumer(window, transfer=False)
    assert await other.poll() is None
    assert await message.nack()
    again = await other.poll()
    assert again is not None
    assert (again.id, again.value) == (message.id, message.value)
    assert await again.ack()
    assert traces(raw) == set()
    raw.rpush("q", f"pyredisson_group:{message.value.id}")
    assert await consumer.poll() is None
    assert keys(raw) == []


async def test_the_group_of_a_copy_comes_back_when_its_consumer_dies(
    window: AsyncGroupWindow[str],
    consumer: AsyncConsumer[Group[str]],
    redisson: AsyncRedisson,
    raw: Any,
) -> None:
    await window.offer("k", "a")
    stop_half_way(raw)
    lost = await consumer.take()
    raw.rpush("q", f"pyredisson_group:{lost.value.id}")
    end_leases(raw)
    other = redisson.get_consumer(window, transfer=False)
    found = await other.take_many(5, 0)
    assert [(each.id, each.attempt, each.value) for each in found] == [(lost.id, 2, lost.value)]
    assert await found[0].ack()
    assert keys(raw) == []


async def test_a_group_that_is_done_while_it_is_pending(
    window: AsyncGroupWindow[str],
    consumer: AsyncConsumer[Group[str]],
    raw: Any,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Its text is moved once more: that is nobody's, and its key's next group another one."""
    first = await window.offer("k", "a")
    entry = raw.zrange(Q.timeout_set, 0, -1)[0]
    transfer(raw)
    message = await consumer.take()
    raw.zadd(Q.timeout_set, {entry: 1})
    assert await message.ack()
    assert await window.pending() == []
    second = await window.offer("k", "b")
    assert second.size == 1
    assert await window.pending() == [second]
    raw.rpush("q", f"pyredisson_group:{first.id}")
    raw.zrem(Q.timeout_set, entry)
    with caplog.at_level(logging.WARNING, "pyredisson"):
        assert await consumer.poll() is None
    assert first.id in caplog.text
    assert traces(raw) == {"window", "groups"}
    assert await window.cancel("k") == 1
    assert keys(raw) == []


async def test_a_group_that_is_cancelled_while_it_is_in_the_queue(
    window: AsyncGroupWindow[str], consumer: AsyncConsumer[Group[str]], raw: Any
) -> None:
    """Nobody has taken it, so it can be; and nobody gets it afterwards."""
    await window.offer("k", "a")
    stop_half_way(raw)
    assert [state.size for state in await window.pending()] == [1]
    assert await window.cancel("k") == 1
    assert await window.cancel("k") == 0
    assert await window.pending() == []
    assert await consumer.poll() is None
    assert keys(raw) == []


async def test_a_key_is_forgotten_whose_group_is_gone(
    window: AsyncGroupWindow[str], consumer: AsyncConsumer[Group[str]], raw: Any
) -> None:
    await window.offer("k", "a")
    raw.delete("pyredisson_groups:{q}")
    assert await window.cancel("k") == 0
    assert keys(raw) == []


async def test_what_is_no_group_is_dead(
    window: AsyncGroupWindow[str],
    consumer: AsyncConsumer[Group[str]],
    redisson: AsyncRedisson,
    raw: Any,
) -> None:
    """Also what looks about like one, and a group without its values."""
    odd = ["pyredisson_group:", "pyredisson_group:" + "g" * 32, "x", "pyredisson_group:" + "0" * 31]
    raw.rpush("q", *odd)
    assert await consumer.poll() is None
    letters = redisson.get_dead_letters(window)
    assert [letter.raw.decode() async for letter in letters] == odd
    await letters.drop()
    state = await window.offer("k", "a")
    transfer(raw)
    field = next(name for name in raw.hkeys("pyredisson_groups:{q}") if len(name) == 41)
    raw.hdel("pyredisson_groups:{q}", field)
    assert await consumer.poll() is None
    [letter] = [letter async for letter in letters]
    assert letter.raw.decode() == f"pyredisson_group:{state.id}"
    assert "lacks values" in letter.reason
