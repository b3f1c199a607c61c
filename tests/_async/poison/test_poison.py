"""The poison list keeps taken values that cannot be decoded, and can requeue them."""

import logging
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
    KeyTypeError,
    WireFormatError,
)
from pyredisson.codecs import Codec, LongCodec, StringCodec, ZStdCodec
from tests.support.state import Shape, pack, shape
from tests.support.twins import run_together_async, until_async

LONGS = LongCodec()
LIST, SET = "redisson_delay_queue:{q}", "redisson_delay_queue_timeout:{q}"
POISON = "pyredisson_poison:{q}"
FAR = 4_000_000_000_000
BAD = b"\x08no entry"

Call = Callable[[AsyncBlockingDeque[int]], Any]

TAKEN: dict[str, Call] = {
    "poll": lambda q: q.poll(),
    "poll_t": lambda q: q.poll(timeout=1),
    "poll_1": lambda q: q.poll(1),
    "take": lambda q: q.take(),
    "takeFirst": lambda q: q.take_first(),
    "takeLast": lambda q: q.take_last(),
    "pollLast": lambda q: q.poll_last(),
    "pollLast_t": lambda q: q.poll_last(timeout=1),
    "remove": lambda q: q.remove(),
    "removeLast": lambda q: q.remove_last(),
    "pop": lambda q: q.pop(),
    "drainTo": lambda q: q.drain_to([]),
    "pollFromAny": lambda q: q.poll_from_any(1, "other"),
    "pollFromAnyWithName": lambda q: q.poll_from_any_with_name(1, "other"),
    "pollLastFromAnyWithName": lambda q: q.poll_last_from_any_with_name(1, "other"),
    "pollFirstFromAny": lambda q: q.poll_first_from_any(1, "other"),
    "pollLastFromAny": lambda q: q.poll_last_from_any(1, "other", count=5),
}


@pytest.mark.parametrize("call", TAKEN.values(), ids=TAKEN)
async def test_undecodable_value_is_kept_and_raised(
    redisson: AsyncRedisson, raw: redis.Redis, call: Call
) -> None:
    raw.rpush("q", "one")
    queue = redisson.get_blocking_deque("q", codec=LONGS)
    with pytest.raises(DecodeError, match=f"kept in the list {POISON!r}") as caught:
        await call(queue)
    assert (caught.value.raw, caught.value.kept_in) == (b"one", POISON)
    assert caught.value.__notes__ == [f"read by {queue!r}"]
    assert shape(raw) == {POISON: ["one"]}


@pytest.mark.parametrize("call", TAKEN.values(), ids=TAKEN)
async def test_on_undecodable_raise_keeps_the_value_only_in_the_error(
    redisson: AsyncRedisson, raw: redis.Redis, call: Call
) -> None:
    raw.rpush("q", "one")
    with pytest.raises(DecodeError) as caught:
        await call(redisson.get_blocking_deque("q", codec=LONGS, on_undecodable="raise"))
    assert (caught.value.raw, caught.value.kept_in) == (b"one", None)
    assert shape(raw) == {}


MIXED = ["1", "one", "2", "two", "3"]


async def drained(queue: AsyncBlockingDeque[int], limit: int | None) -> list[int]:
    values = [0]
    assert await queue.drain_to(values, limit) == len(values) - 1
    return values[1:]


BATCHES: dict[str, tuple[Call, Any, Shape]] = {
    "poll_9": (lambda q: q.poll(9), [1, 2, 3], {POISON: ["one", "two"]}),
    "poll_3": (lambda q: q.poll(3), [1, 2], {POISON: ["one"], "q": ["two", "3"]}),
    "pollLast_4": (lambda q: q.poll_last(4), [3, 2], {POISON: ["two", "one"], "q": ["1"]}),
    "drainTo": (lambda q: drained(q, None), [1, 2, 3], {POISON: ["one", "two"]}),
    "drainTo_2": (lambda q: drained(q, 2), [1], {POISON: ["one"], "q": ["2", "two", "3"]}),
    "pollFirstFromAny": (
        lambda q: q.poll_first_from_any(1, "other", count=3),
        {"q": [1, 2]},
        {POISON: ["one"], "q": ["two", "3"]},
    ),
    "pollLastFromAny": (
        lambda q: q.poll_last_from_any(1, "other", count=2),
        {"q": [3]},
        {POISON: ["two"], "q": ["1", "one", "2"]},
    ),
}


@pytest.mark.parametrize(("call", "result", "after"), BATCHES.values(), ids=BATCHES)
async def test_batch_returns_its_decodable_values(
    redisson: AsyncRedisson,
    raw: redis.Redis,
    caplog: pytest.LogCaptureFixture,
    call: Call,
    result: Any,
    after: Shape,
) -> None:
    raw.rpush("q", *MIXED)
    assert await call(redisson.get_blocking_deque("q", codec=LONGS)) == result
    assert shape(raw) == after
    (record,) = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert record.levelno == logging.ERROR
    assert f"are now in the list {POISON!r}" in record.getMessage()


async def test_undecodable_batch_raises(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    """If it returned an empty list, a loop would end before the queue is empty."""
    raw.rpush("q", "one", "two", "3")
    queue = redisson.get_queue("q", codec=LONGS)
    with pytest.raises(BatchDecodeError, match="2 of 2") as caught:
        await queue.poll(2)
    assert [error.raw for error in caught.value.errors] == [b"one", b"two"]
    assert await queue.poll(2) == [3]
    assert shape(raw) == {POISON: ["one", "two"]}


async def test_value_is_kept_in_the_poison_list_of_its_own_queue(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    raw.rpush("r", "one")
    with pytest.raises(DecodeError) as caught:
        await redisson.get_blocking_queue("q", codec=LONGS).poll_from_any(1, "r")
    assert caught.value.kept_in == "pyredisson_poison:{r}"
    assert shape(raw) == {"pyredisson_poison:{r}": ["one"]}


async def test_undecodable_value_stays_when_it_is_read_or_moved(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    raw.rpush("q", "one")
    queue = redisson.get_blocking_queue("q", codec=LONGS)
    for call in (queue.peek, queue.read_all, lambda: queue.poll_last_and_offer_first_to("r")):
        with pytest.raises(DecodeError) as caught:
            await call()
        assert (caught.value.raw, caught.value.kept_in) == (b"one", None)
    assert shape(raw) == {"r": ["one"]}


class Picky(Codec[str]):
    """A user's codec, which does not raise pyredisson's errors."""

    def encode(self, value: str) -> bytes:
        return value.encode()

    def decode(self, data: bytes) -> str:
        if data == b"one":
            raise KeyError("one")
        return data.decode()


async def test_codec_error_is_a_decode_error(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    raw.rpush("q", "one", "two")
    queue = redisson.get_blocking_queue("q", codec=Picky())
    with pytest.raises(DecodeError, match="Picky: decode\\(\\) raised KeyError: 'one'") as caught:
        await queue.take()
    assert isinstance(caught.value.__cause__, KeyError)
    assert caught.value.kept_in == POISON
    assert await queue.take() == "two"


async def test_decode_error_has_the_stored_bytes(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    """A codec that compresses calls another codec, whose error contains the uncompressed bytes."""
    packed = ZStdCodec(StringCodec()).encode("one")
    raw.rpush("q", packed)
    with pytest.raises(DecodeError) as caught:
        await redisson.get_queue("q", codec=ZStdCodec(LONGS)).poll()
    assert (caught.value.data, caught.value.raw) == (b"one", packed)
    assert raw.lrange(POISON, 0, -1) == [packed]


# --- the delayed queue --------------------------------------------------------------------------


def store(raw: redis.Redis, *entries: bytes) -> None:
    """Make entries pending, in this order, for a long time."""
    for number, entry in enumerate(entries):
        raw.rpush(LIST, entry)
        raw.zadd(SET, {entry: FAR + number})


@pytest.fixture
def delayed(redisson: AsyncRedisson) -> AsyncDelayedQueue[int]:
    return redisson.get_delayed_queue(redisson.get_queue("q", codec=LONGS), transfer=False)


async def test_undecodable_entry_is_kept(delayed: AsyncDelayedQueue[int], raw: redis.Redis) -> None:
    store(raw, pack(b"one", b"1"), pack(b"two", b"2"))
    with pytest.raises(DecodeError, match="kept in") as caught:
        await delayed.poll()
    assert (caught.value.raw, caught.value.kept_in) == (b"one", POISON)
    with pytest.raises(DecodeError, match="kept in"):
        await delayed.remove()
    assert shape(raw) == {POISON: ["one", "two"]}


async def test_entry_of_no_format_stays(delayed: AsyncDelayedQueue[int], raw: redis.Redis) -> None:
    store(raw, BAD)
    with pytest.raises(WireFormatError, match="kept in") as caught:
        await delayed.poll()
    assert (caught.value.raw, caught.value.kept_in) == (BAD, POISON)
    assert raw.lrange(POISON, 0, -1) == [BAD]


async def test_pending_entry_of_no_format_cannot_be_moved(
    delayed: AsyncDelayedQueue[int], raw: redis.Redis
) -> None:
    store(raw, BAD)
    with pytest.raises(WireFormatError, match="kept in") as caught:
        await delayed.poll_last_and_offer_first_to("other")
    assert caught.value.kept_in == POISON
    assert raw.lrange(POISON, 0, -1) == [BAD]


async def test_poll_returns_the_decodable_pending_values(
    delayed: AsyncDelayedQueue[int], raw: redis.Redis
) -> None:
    one, two, three = (pack(value.encode(), value.encode()) for value in ("1", "two", "3"))
    store(raw, one, BAD, two, three)
    assert await delayed.poll(9) == [1, 3]
    assert raw.lrange(POISON, 0, -1) == [BAD, b"two"]
    assert not raw.exists(LIST, SET)


# --- values that cannot be kept -----------------------------------------------------------------


async def test_error_has_the_value_if_the_poison_list_has_a_wrong_type(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    raw.set(POISON, "a text")
    raw.rpush("q", "one", *MIXED)
    queue = redisson.get_blocking_queue("q", codec=LONGS)
    with pytest.raises(DecodeError, match=r"keeping it in .* failed .*WRONGTYPE") as caught:
        await queue.take()
    assert (caught.value.raw, caught.value.kept_in) == (b"one", None)
    with pytest.raises(BatchDecodeError, match=r"keeping it in .* failed .*WRONGTYPE") as several:
        await queue.poll(9)
    assert several.value.values == [1, 2, 3]
    assert [error.raw for error in several.value.errors] == [b"one", b"two"]


async def test_subscription_logs_a_value_that_it_could_not_keep(
    redisson: AsyncRedisson, raw: redis.Redis, caplog: pytest.LogCaptureFixture
) -> None:
    raw.set(POISON, "a text")
    raw.rpush("q", "one", "2")
    seen: list[int] = []
    queue = redisson.get_blocking_queue("q", codec=LONGS, on_undecodable="raise")
    subscription = queue.subscribe_on_elements(seen.append)
    await until_async(lambda: seen == [2], "the next one comes")
    assert "keeping it in" in caplog.text
    assert "which are stored nowhere else: b'one'" in caplog.text
    await subscription.close()


# --- the setting --------------------------------------------------------------------------------


async def test_client_sets_on_undecodable_of_its_queues(url: str, raw: redis.Redis) -> None:
    raw.rpush("q", "one", "one")
    async with AsyncRedisson.from_url(url, codec=LONGS, on_undecodable="raise") as redisson:
        queue = redisson.get_queue("q")
        assert queue.on_undecodable == "raise"
        with pytest.raises(DecodeError):
            await queue.poll()
        assert shape(raw) == {"q": ["one"]}
        with pytest.raises(DecodeError):
            await redisson.get_queue("q", on_undecodable="poison").poll()
        assert shape(raw) == {POISON: ["one"]}


async def test_rename_keeps_on_undecodable(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    queue = redisson.get_queue("q", codec=LONGS, on_undecodable="raise")
    delayed = redisson.get_delayed_queue(queue, transfer=False)
    store(raw, pack(b"one"))
    await delayed.rename("r")
    with pytest.raises(DecodeError):
        await delayed.poll()
    assert delayed.target.on_undecodable == "raise"
    assert shape(raw) == {}


async def test_unknown_on_undecodable_is_rejected(url: str, redisson: AsyncRedisson) -> None:
    wrong: Any = "ignore"
    text = "on_undecodable must be one of \\('poison', 'raise'\\), not 'ignore'"
    with pytest.raises(ValueError, match=text):
        AsyncRedisson.from_url(url, on_undecodable=wrong)
    with pytest.raises(ValueError, match=text):
        redisson.get_blocking_deque("q", on_undecodable=wrong)


# --- reading, requeueing, dropping --------------------------------------------------------------


async def test_poison_list_shows_its_values(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    raw.rpush(POISON, "one", "1")
    poison = redisson.get_poison_list(redisson.get_queue("q", codec=LONGS))
    assert await poison.size() == 2
    one, two = await poison.read_all()
    assert (one.raw, one.value, two.raw, two.value, two.error) == (b"one", None, b"1", 1, None)
    assert "not a whole number" in str(one.error)
    assert [value.raw async for value in poison] == [b"one", b"1"]
    assert repr(poison).endswith(f"PoisonList {POISON!r} codec=LongCodec()>")
    assert poison.name == "q"


async def test_pages_are_read_and_dropped(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    raw.rpush(POISON, *range(1200))
    poison = redisson.get_poison_list(redisson.get_queue("q", codec=LONGS))
    assert [value.value async for value in poison] == list(range(1200))
    assert await poison.drop(700) == 700
    assert await poison.drop() == 500
    assert await poison.drop() == 0


async def test_requeue_returns_decodable_values_in_their_order(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    raw.rpush(POISON, "a", "1", "2", "b", "2", "3")
    raw.rpush("q", "4")
    poison = redisson.get_poison_list(redisson.get_queue("q", codec=LONGS))
    assert await poison.requeue() == 4
    assert shape(raw) == {"q": ["1", "2", "2", "3", "4"], POISON: ["a", "b"]}
    assert await poison.requeue() == 0
    assert await poison.requeue(include_undecodable=True) == 2
    assert shape(raw) == {"q": ["a", "b", "1", "2", "2", "3", "4"]}


async def test_requeue_of_some_values(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    raw.rpush(POISON, "a", "1", "2", "3")
    poison = redisson.get_poison_list(redisson.get_queue("q", codec=LONGS))
    assert await poison.requeue(2) == 2
    assert shape(raw) == {"q": ["1", "2"], POISON: ["a", "3"]}
    assert await poison.requeue(raw=b"a") == 1
    assert await poison.requeue(raw=b"a") == 0
    assert await poison.requeue(0) == 0
    assert shape(raw) == {"q": ["a", "1", "2"], POISON: ["3"]}


async def test_drop(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    raw.rpush(POISON, "a", "b", "b", "c", "d")
    poison = redisson.get_poison_list(redisson.get_queue("q", codec=LONGS))
    assert await poison.drop(1) == 1
    assert await poison.drop(raw=b"b") == 1
    assert await poison.drop(raw=b"x") == 0
    assert await poison.drop(0) == 0
    assert shape(raw) == {POISON: ["b", "c", "d"]}
    assert await poison.delete()
    assert shape(raw) == {}


async def test_poison_list_of_a_delayed_queue(
    redisson: AsyncRedisson, delayed: AsyncDelayedQueue[int], raw: redis.Redis
) -> None:
    raw.rpush(POISON, "1")
    assert await redisson.get_poison_list(delayed).requeue() == 1
    assert await delayed.target.poll() == 1


async def test_wrong_arguments_are_rejected(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    wrong: Any = "q"
    poison = redisson.get_poison_list(redisson.get_queue("q", codec=LONGS))
    with pytest.raises(TypeError, match="needs a queue that get_queue"):
        redisson.get_poison_list(wrong)
    with pytest.raises(TypeError, match="takes bytes"):
        await poison.requeue(raw=wrong)
    with pytest.raises(TypeError, match="either limit or raw"):
        await poison.drop(1, raw=b"a")
    with pytest.raises(TypeError, match="limit must be a number"):
        await poison.requeue(wrong)
    raw.rpush(POISON, "1")
    raw.set("q", "a text")
    with pytest.raises(KeyTypeError, match="'q' should hold a list"):
        await poison.requeue()
    assert raw.lrange(POISON, 0, -1) == [b"1"]


async def test_two_requeues_at_the_same_time(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    """Each value is moved in one step, so it is moved only once."""
    values = [str(number).encode() for number in range(60)]
    raw.rpush(POISON, *values)
    poison = redisson.get_poison_list(redisson.get_queue("q", codec=LONGS))
    assert sum(await run_together_async(poison.requeue, poison.requeue)) == 60
    assert sorted(raw.lrange("q", 0, -1)) == sorted(values)
    assert not raw.exists(POISON)
