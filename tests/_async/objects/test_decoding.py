"""Values that cannot be decoded: the error contains their bytes, and no other value is lost.

Redisson loses such a value, and with it the other values of its reply. test_poison.py tests handles
that keep such values in the poison list. The tests of several values in this file use handles that
keep nothing.
"""

from collections.abc import Callable
from typing import Any

import pytest
import redis

from pyredisson import (
    AsyncBlockingDeque,
    AsyncDelayedQueue,
    AsyncRedisson,
    BatchDecodeError,
    DecodeError,
    End,
    RedissonError,
    WireFormatError,
)
from pyredisson.codecs import LongCodec
from tests.support.state import Shape, pack, shape

LONGS = LongCodec()
LIST, SET = "redisson_delay_queue:{q}", "redisson_delay_queue_timeout:{q}"
FAR = 4_000_000_000_000
MIXED = ["1", "one", "2", "two", "3"]

Call = Callable[[AsyncBlockingDeque[int]], Any]

TAKEN: dict[str, Call] = {
    "poll": lambda q: q.poll(),
    "poll_t": lambda q: q.poll(timeout=1),
    "take": lambda q: q.take(),
    "takeLast": lambda q: q.take_last(),
    "pollLast": lambda q: q.poll_last(),
    "remove": lambda q: q.remove(),
    "pop": lambda q: q.pop(),
    "pollFromAny": lambda q: q.poll_from_any(1, "other"),
    "pollFromAnyWithName": lambda q: q.poll_from_any_with_name(1, "other"),
    "pollFirstFromAny": lambda q: q.poll_first_from_any(1, "other"),
}


@pytest.mark.parametrize("call", TAKEN.values(), ids=TAKEN)
async def test_error_contains_undecodable_taken_value(
    redisson: AsyncRedisson, raw: redis.Redis, call: Call
) -> None:
    raw.rpush("q", "one")
    queue = redisson.get_blocking_deque("q", codec=LONGS)
    with pytest.raises(DecodeError, match="not a whole number") as caught:
        await call(queue)
    assert (caught.value.data, caught.value.codec) == (b"one", "LongCodec")
    assert isinstance(caught.value, RedissonError)
    assert isinstance(caught.value, ValueError)
    assert caught.value.__notes__ == [f"read by {queue!r}"]
    raw.rpush("q", "1")
    assert await queue.take() == 1  # the next reply still belongs to this request


LEFT: dict[str, tuple[Call, Shape]] = {
    "peek": (lambda q: q.peek(), {"q": ["one"]}),
    "element": (lambda q: q.element(), {"q": ["one"]}),
    "peekLast": (lambda q: q.peek_last(), {"q": ["one"]}),
    "pollLastAndOfferFirstTo": (
        lambda q: q.poll_last_and_offer_first_to("other"),
        {"other": ["one"]},
    ),
    "takeLastAndOfferFirstTo": (
        lambda q: q.take_last_and_offer_first_to("other"),
        {"other": ["one"]},
    ),
    "move": (lambda q: q.move("other", End.FIRST, End.LAST, timeout=1), {"other": ["one"]}),
}


@pytest.mark.parametrize(("call", "after"), LEFT.values(), ids=LEFT)
async def test_error_contains_undecodable_value_that_stays_or_moves(
    redisson: AsyncRedisson, raw: redis.Redis, call: Call, after: Shape
) -> None:
    raw.rpush("q", "one")
    with pytest.raises(DecodeError) as caught:
        await call(redisson.get_blocking_deque("q", codec=LONGS))
    assert caught.value.data == b"one"
    assert shape(raw) == after


BATCHES: dict[str, tuple[Call, list[int], list[bytes], list[str]]] = {
    "poll_9": (lambda q: q.poll(9), [1, 2, 3], [b"one", b"two"], []),
    "poll_3": (lambda q: q.poll(3), [1, 2], [b"one"], ["two", "3"]),
    "pollLast_2": (lambda q: q.poll_last(2), [3], [b"two"], ["1", "one", "2"]),
    "drainTo": (lambda q: q.drain_to([]), [1, 2, 3], [b"one", b"two"], []),
    "drainTo_2": (lambda q: q.drain_to([], 2), [1], [b"one"], ["2", "two", "3"]),
    "readAll": (lambda q: q.read_all(), [1, 2, 3], [b"one", b"two"], MIXED),
    "pollFirstFromAny": (
        lambda q: q.poll_first_from_any(1, "other", count=3),
        [1, 2],
        [b"one"],
        ["two", "3"],
    ),
    "pollLastFromAny": (
        lambda q: q.poll_last_from_any(1, "other", count=2),
        [3],
        [b"two"],
        ["1", "one", "2"],
    ),
}


@pytest.mark.parametrize(("call", "values", "data", "after"), BATCHES.values(), ids=BATCHES)
async def test_batch_with_undecodable_values_loses_no_value(
    redisson: AsyncRedisson,
    raw: redis.Redis,
    call: Call,
    values: list[int],
    data: list[bytes],
    after: list[str],
) -> None:
    raw.rpush("q", *MIXED)
    with pytest.raises(
        BatchDecodeError, match=f"{len(data)} of {len(values) + len(data)}"
    ) as caught:
        await call(redisson.get_blocking_deque("q", codec=LONGS, on_undecodable="raise"))
    assert caught.value.values == values
    assert [error.data for error in caught.value.errors] == data
    assert shape(raw).get("q", []) == after


Pending = Callable[[AsyncDelayedQueue[int]], Any]

PENDING: dict[str, tuple[Pending, list[int], list[bytes], list[str]]] = {
    "poll_9": (lambda d: d.poll(9), [1, 2, 3], [b"one", b"two"], []),
    "poll_2": (lambda d: d.poll(2), [1], [b"one"], ["2", "two", "3"]),
    "readAll": (lambda d: d.read_all(), [1, 2, 3], [b"one", b"two"], MIXED),
}


def store(raw: redis.Redis, *entries: bytes) -> None:
    """Make entries pending, in this order, for a long time."""
    for number, entry in enumerate(entries):
        raw.rpush(LIST, entry)
        raw.zadd(SET, {entry: FAR + number})


def pending(values: list[str]) -> list[bytes]:
    return [pack(value.encode(), str(number).encode()) for number, value in enumerate(values)]


@pytest.mark.parametrize(("call", "values", "data", "after"), PENDING.values(), ids=PENDING)
async def test_pending_batch_with_undecodable_values_loses_no_value(
    redisson: AsyncRedisson,
    raw: redis.Redis,
    call: Pending,
    values: list[int],
    data: list[bytes],
    after: list[str],
) -> None:
    store(raw, *pending(MIXED))
    target = redisson.get_queue("q", codec=LONGS, on_undecodable="raise")
    with pytest.raises(BatchDecodeError) as caught:
        await call(redisson.get_delayed_queue(target))
    assert caught.value.values == values
    assert [error.data for error in caught.value.errors] == data
    assert shape(raw) == ({LIST: after, SET: after} if after else {})


async def test_error_contains_undecodable_pending_value(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    target = redisson.get_queue("q", codec=LONGS, on_undecodable="raise")
    delayed = redisson.get_delayed_queue(target)
    store(raw, *pending(["one", "two"]))
    with pytest.raises(DecodeError) as caught:
        await delayed.peek()
    assert caught.value.data == b"one"
    with pytest.raises(DecodeError) as caught:
        await delayed.poll()
    assert caught.value.data == b"one"
    with pytest.raises(DecodeError) as caught:
        await delayed.poll_last_and_offer_first_to("other")
    assert caught.value.data == b"two"
    assert shape(raw) == {"other": ["two"]}


# --- entries of no known format -----------------------------------------------------------------

BAD = b"\x08no entry"


async def test_pending_entry_of_unknown_format_is_reported(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    target = redisson.get_queue("q", codec=LONGS, on_undecodable="raise")
    delayed = redisson.get_delayed_queue(target)
    store(raw, BAD)
    with pytest.raises(WireFormatError) as caught:
        await delayed.peek()
    assert caught.value.data == BAD
    with pytest.raises(WireFormatError) as caught:
        await delayed.poll()
    assert caught.value.data == BAD
    store(raw, BAD)
    with pytest.raises(WireFormatError) as caught:
        await delayed.poll_last_and_offer_first_to("other")
    assert caught.value.data == BAD
    assert raw.lrange("pyredisson_poison:{q}", 0, -1) == [BAD]
    assert raw.exists(LIST, SET, "other") == 0


POISONED: dict[str, tuple[Pending, Any, list[bytes]]] = {
    "size": (lambda d: d.size(), 3, [b"1", BAD, b"2"]),
    "contains": (lambda d: d.contains(2), True, [b"1", BAD, b"2"]),
    "containsAll": (lambda d: d.contains_all([2, 1]), True, [b"1", BAD, b"2"]),
    "remove": (lambda d: d.remove(2), True, [b"1", BAD]),
    "removeAll": (lambda d: d.remove_all([1, 2]), True, [BAD]),
    "retainAll": (lambda d: d.retain_all([2]), True, [BAD, b"2"]),
    "pollLast": (lambda d: d.poll_last_and_offer_first_to("other"), 2, [b"1", BAD]),
}


@pytest.mark.parametrize(("call", "result", "after"), POISONED.values(), ids=POISONED)
async def test_poison_is_skipped(
    redisson: AsyncRedisson, raw: redis.Redis, call: Pending, result: Any, after: list[bytes]
) -> None:
    one, two = pending(["1", "2"])
    store(raw, one, BAD, two)
    delayed = redisson.get_delayed_queue(redisson.get_queue("q", codec=LONGS))
    assert await call(delayed) == result
    entries = {b"1": one, b"2": two, BAD: BAD}
    assert raw.lrange(LIST, 0, -1) == [entries[value] for value in after]
    assert raw.zrange(SET, 0, -1) == [entries[value] for value in after]


POISONED_BATCHES: dict[str, tuple[Pending, int]] = {
    "poll_9": (lambda d: d.poll(9), 0),
    "readAll": (lambda d: d.read_all(), 3),
}


@pytest.mark.parametrize(("call", "after"), POISONED_BATCHES.values(), ids=POISONED_BATCHES)
async def test_a_batch_with_poison_loses_no_value(
    redisson: AsyncRedisson, raw: redis.Redis, call: Pending, after: int
) -> None:
    one, two = pending(["1", "2"])
    store(raw, one, BAD, two)
    target = redisson.get_queue("q", codec=LONGS, on_undecodable="raise")
    with pytest.raises(BatchDecodeError) as caught:
        await call(redisson.get_delayed_queue(target))
    assert caught.value.values == [1, 2]
    assert [error.data for error in caught.value.errors] == [BAD]
    assert raw.llen(LIST) == raw.zcard(SET) == after


async def test_undecodable_value_of_shard_raises_or_is_dead_lettered(
    redisson: AsyncRedisson, raw: Any
) -> None:
    numbers = redisson.get_sharded_queue("numbers", 2, codec=LONGS)
    raw.rpush("numbers:10", "x", "7")
    with pytest.raises(DecodeError):
        await numbers.take()
    assert await numbers.take() == 7
    raw.rpush("numbers:00", "x", "8")
    consumer = redisson.get_consumer(numbers)
    assert (await consumer.take()).value == 8
    [letter] = await redisson.get_dead_letters(numbers).read_all()
    assert letter.raw == b"x"
