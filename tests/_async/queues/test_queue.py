"""RQueue: each operation's result and end state are those of Redisson 4.7.0.

`TABLE` contains what a running 4.7.0 returned for the queue ``q``, and the keys that it left. If
pyredisson differs on purpose, a test below the table describes it.
"""

from collections.abc import Callable
from typing import Any

import pytest
import redis

from pyredisson import AsyncQueue, AsyncRedisson, EmptyQueueError, EncodeError
from pyredisson.codecs import ByteArrayCodec, StringCodec
from tests.support.state import shape

ABC = ["A", "B", "C"]
STRINGS = StringCodec()

Call = Callable[[AsyncQueue[str]], Any]

TABLE: list[tuple[str, list[str], Call, Any, dict[str, list[str]]]] = [
    ("add", ABC, lambda q: q.add("x"), True, {"q": [*ABC, "x"]}),
    ("offer", ABC, lambda q: q.offer("x"), True, {"q": [*ABC, "x"]}),
    ("addAll", ABC, lambda q: q.add_all(["x", "y"]), True, {"q": [*ABC, "x", "y"]}),
    ("addAll_empty", ABC, lambda q: q.add_all([]), False, {"q": ABC}),
    ("poll", ABC, lambda q: q.poll(), "A", {"q": ["B", "C"]}),
    ("poll_empty", [], lambda q: q.poll(), None, {}),
    ("poll2", ABC, lambda q: q.poll(2), ["A", "B"], {"q": ["C"]}),
    ("poll5", ABC, lambda q: q.poll(5), ABC, {}),
    ("poll0", ABC, lambda q: q.poll(0), [], {"q": ABC}),
    ("poll_minus1", ABC, lambda q: q.poll(-1), [], {"q": ABC}),
    ("poll2_empty", [], lambda q: q.poll(2), [], {}),
    ("peek", ABC, lambda q: q.peek(), "A", {"q": ABC}),
    ("peek_empty", [], lambda q: q.peek(), None, {}),
    ("element", ABC, lambda q: q.element(), "A", {"q": ABC}),
    ("remove0", ABC, lambda q: q.remove(), "A", {"q": ["B", "C"]}),
    ("size", ABC, lambda q: q.size(), 3, {"q": ABC}),
    ("size_empty", [], lambda q: q.size(), 0, {}),
    ("isEmpty", ABC, lambda q: q.is_empty(), False, {"q": ABC}),
    ("isEmpty_empty", [], lambda q: q.is_empty(), True, {}),
    ("contains", ABC, lambda q: q.contains("B"), True, {"q": ABC}),
    ("contains_no", ABC, lambda q: q.contains("N"), False, {"q": ABC}),
    ("containsAll", ABC, lambda q: q.contains_all(["A", "C"]), True, {"q": ABC}),
    ("containsAll_AA", ABC, lambda q: q.contains_all(["A", "A"]), True, {"q": ABC}),
    ("containsAll_AN", ABC, lambda q: q.contains_all(["A", "N"]), False, {"q": ABC}),
    ("containsAll_empty", ABC, lambda q: q.contains_all([]), True, {"q": ABC}),
    ("remove_o", ABC, lambda q: q.remove("B"), True, {"q": ["A", "C"]}),
    ("remove_no", ABC, lambda q: q.remove("N"), False, {"q": ABC}),
    ("remove_dup", ["A", "B", "A"], lambda q: q.remove("A"), True, {"q": ["B", "A"]}),
    ("removeAll", ABC, lambda q: q.remove_all(["A", "C"]), True, {"q": ["B"]}),
    ("removeAll_dup", ["A", "B", "A"], lambda q: q.remove_all(["A"]), True, {"q": ["B"]}),
    ("removeAll_no", ABC, lambda q: q.remove_all(["N"]), False, {"q": ABC}),
    ("removeAll_empty", ABC, lambda q: q.remove_all([]), False, {"q": ABC}),
    ("retainAll", ABC, lambda q: q.retain_all(["A"]), True, {"q": ["A"]}),
    ("retainAll_all", ABC, lambda q: q.retain_all(ABC), False, {"q": ABC}),
    ("retainAll_empty", ABC, lambda q: q.retain_all([]), True, {}),
    ("retainAll_empty2", [], lambda q: q.retain_all([]), False, {}),
    ("readAll", ABC, lambda q: q.read_all(), ABC, {"q": ABC}),
    ("readAll_empty", [], lambda q: q.read_all(), [], {}),
    ("indexOf", ABC, lambda q: q.index_of("B"), 1, {"q": ABC}),
    ("indexOf_no", ABC, lambda q: q.index_of("N"), -1, {"q": ABC}),
    ("clear", ABC, lambda q: q.clear(), None, {}),
    ("delete", ABC, lambda q: q.delete(), True, {}),
    ("delete_empty", [], lambda q: q.delete(), False, {}),
    (
        "pollLastAndOfferFirstTo",
        ABC,
        lambda q: q.poll_last_and_offer_first_to("other"),
        "C",
        {"q": ["A", "B"], "other": ["C"]},
    ),
    (
        "pollLastAndOfferFirstTo_empty",
        [],
        lambda q: q.poll_last_and_offer_first_to("other"),
        None,
        {},
    ),
]


@pytest.mark.parametrize(
    ("items", "call", "result", "after"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE]
)
@pytest.mark.parametrize("kind", ["get_queue", "get_deque", "get_blocking_deque"])
async def test_an_operation_does_what_redissons_does(
    redisson: AsyncRedisson,
    raw: redis.Redis,
    kind: str,
    items: list[str],
    call: Call,
    result: Any,
    after: dict[str, list[str]],
) -> None:
    if items:
        raw.rpush("q", *items)
    assert await call(getattr(redisson, kind)("q")) == result
    assert shape(raw) == after


@pytest.mark.parametrize("kind", ["get_queue", "get_blocking_queue"])
async def test_an_empty_queue_raises_where_javas_does(redisson: AsyncRedisson, kind: str) -> None:
    queue: AsyncQueue[str] = getattr(redisson, kind)("q")
    with pytest.raises(EmptyQueueError, match="'q'"):
        await queue.element()
    with pytest.raises(LookupError):
        await queue.remove()


@pytest.mark.parametrize("limit", [0.5, "1", True])
async def test_a_timeout_is_not_taken_for_a_number(redisson: AsyncRedisson, limit: Any) -> None:
    orders = redisson.get_blocking_queue("q")
    await orders.add("x")
    for queue in (orders, redisson.get_delayed_queue(orders)):
        with pytest.raises(TypeError, match="use timeout= to wait"):
            await queue.poll(limit)
    assert await orders.size() == 1


async def test_none_is_refused_where_the_codec_has_no_null(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    queue = redisson.get_queue("q")
    with pytest.raises(EncodeError):
        await queue.add(None)
    with pytest.raises(EncodeError):
        await queue.add_all(["a", None])
    with pytest.raises(EncodeError):
        await queue.remove_all(["a", None])
    assert shape(raw) == {}


@pytest.mark.parametrize("value", ["", " ", "ä€𝄞", "\0", "x" * 1_000_000], ids=len)
async def test_any_text_comes_back(redisson: AsyncRedisson, raw: redis.Redis, value: str) -> None:
    queue = redisson.get_queue("q", codec=STRINGS)
    await queue.add_all(["before", value])
    assert await queue.contains(value)
    assert raw.lrange("q", 1, 1) == [value.encode()]
    assert await queue.read_all() == ["before", value]
    assert await queue.poll(2) == ["before", value]


async def test_any_bytes_come_back(redisson: AsyncRedisson) -> None:
    queue = redisson.get_queue("q", codec=ByteArrayCodec())
    value = bytes(range(256)) + b"\r\n"
    await queue.add(value)
    await queue.add(b"")
    assert await queue.index_of(value) == 0
    assert await queue.poll() == value
    assert await queue.poll() == b""
    assert await queue.poll() is None


async def test_ten_thousand_values(redisson: AsyncRedisson) -> None:
    queue = redisson.get_blocking_queue("q", codec=STRINGS)
    values = [f"value {number}" for number in range(10_000)]
    assert await queue.add_all(values)
    assert await queue.size() == len(values)
    assert await queue.read_all() == values
    assert [value async for value in queue] == values
    assert await queue.retain_all(values) is False
    assert await queue.poll(3_000) == values[:3_000]
    drained: list[str] = []
    assert await queue.drain_to(drained, 3_000) == 3_000
    assert await queue.drain_to(drained) == 4_000
    assert drained == values[3_000:]
    assert await queue.is_empty()


@pytest.mark.parametrize("name", ["", "ü:日本", "app:{1}:q", "{", "with space\n"])
async def test_a_name_is_the_key_in_utf8(
    redisson: AsyncRedisson, raw: redis.Redis, name: str
) -> None:
    await redisson.get_queue(name).add("x")
    assert raw.keys() == [name.encode()]
    assert await redisson.get_queue(name).poll() == "x"


async def test_an_iteration_survives_that_the_queue_empties(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    queue = redisson.get_queue("q", codec=STRINGS)
    await queue.add_all([str(number) for number in range(1_200)])
    seen = []
    async for value in queue:
        seen.append(value)
        if value == "10":
            raw.delete("q")
    assert seen == [str(number) for number in range(500)]


async def test_handle_has_name_codec_and_repr(redisson: AsyncRedisson) -> None:
    queue = redisson.get_queue("orders", codec=STRINGS)
    assert (queue.name, queue.codec) == ("orders", STRINGS)
    assert "Queue 'orders' codec=StringCodec('UTF-8')>" in repr(queue)
