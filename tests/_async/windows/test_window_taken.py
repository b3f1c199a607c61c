"""Groups that are still pending although the queue contains their text, once or several times.

Java's transfer stops at an entry of another format. It has then pushed the texts before that entry,
but has not removed them from the timeout set. It pushes them again every 5 s. A take closes the
group, and only one consumer has it at a time.
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
    """A window for three values, without a transfer task."""
    return redisson.get_group_window(
        redisson.get_blocking_queue("q"), size=3, max_wait=LONG, transfer=False
    )


@pytest.fixture
def consumer(redisson: AsyncRedisson, window: AsyncGroupWindow[str]) -> AsyncConsumer[Group[str]]:
    """A consumer of the window, without a transfer task."""
    return redisson.get_consumer(window, prefetch=5, transfer=False)


def stop_half_way(raw: Any) -> None:
    """Push all texts but leave them in the timeout set, as Java's transfer that stops half-way."""
    for entry in raw.zrange(Q.timeout_set, 0, -1):
        raw.rpush("q", unpack(entry))
        raw.lrem(Q.delay_list, 1, entry)


def transfer(raw: Any) -> None:
    """Transfer all pending entries, as any transfer does that does not stop half-way."""
    stop_half_way(raw)
    raw.delete(Q.timeout_set)


async def test_value_that_is_offered_after_the_take_starts_another_group(
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


async def test_value_that_is_offered_before_the_take_joins_the_group(
    window: AsyncGroupWindow[str], consumer: AsyncConsumer[Group[str]], raw: Any
) -> None:
    """So does a value after the take of a consumer that crashed before it read the group."""
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


async def test_copies_of_a_group_are_not_delivered(
    window: AsyncGroupWindow[str],
    consumer: AsyncConsumer[Group[str]],
    redisson: AsyncRedisson,
    raw: Any,
) -> None:
    """They are dropped while any consumer has the group, and after it was acknowledged."""
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


async def test_group_with_a_copy_is_redelivered_after_a_crash(
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


async def test_group_that_is_acknowledged_while_it_is_pending(
    window: AsyncGroupWindow[str],
    consumer: AsyncConsumer[Group[str]],
    raw: Any,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Its text is moved once more, but has no group.

    The next value of its key starts another group.
    """
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


async def test_group_is_cancelled_while_its_text_is_in_the_queue(
    window: AsyncGroupWindow[str], consumer: AsyncConsumer[Group[str]], raw: Any
) -> None:
    """No consumer has taken it, so it can be cancelled. No consumer gets it afterwards."""
    await window.offer("k", "a")
    stop_half_way(raw)
    assert [state.size for state in await window.pending()] == [1]
    assert await window.cancel("k") == 1
    assert await window.cancel("k") == 0
    assert await window.pending() == []
    assert await consumer.poll() is None
    assert keys(raw) == []


async def test_cancel_removes_the_key_of_a_missing_group(
    window: AsyncGroupWindow[str], consumer: AsyncConsumer[Group[str]], raw: Any
) -> None:
    await window.offer("k", "a")
    raw.delete("pyredisson_groups:{q}")
    assert await window.cancel("k") == 0
    assert keys(raw) == []


async def test_text_without_a_group_is_dead_lettered(
    window: AsyncGroupWindow[str],
    consumer: AsyncConsumer[Group[str]],
    redisson: AsyncRedisson,
    raw: Any,
) -> None:
    """So are a text that resembles a group's, and a group without its values."""
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
