"""RDeque: each operation's result and end state are those of Redisson 4.7.0."""

from collections.abc import Callable
from typing import Any

import pytest
import redis

from pyredisson import AsyncDeque, AsyncRedisson, EmptyQueueError, End
from tests.support.state import shape

ABC = ["A", "B", "C"]

Call = Callable[[AsyncDeque[str]], Any]

TABLE: list[tuple[str, list[str], Call, Any, dict[str, list[str]]]] = [
    ("addFirst", ABC, lambda q: q.add_first("x"), 4, {"q": ["x", *ABC]}),
    ("addFirst_varargs", ABC, lambda q: q.add_first("x", "y"), 5, {"q": ["y", "x", *ABC]}),
    ("addLast", ABC, lambda q: q.add_last("x"), 4, {"q": [*ABC, "x"]}),
    ("addLast_varargs", ABC, lambda q: q.add_last("x", "y"), 5, {"q": [*ABC, "x", "y"]}),
    ("offerFirst", ABC, lambda q: q.offer_first("x"), True, {"q": ["x", *ABC]}),
    ("offerLast", ABC, lambda q: q.offer_last("x"), True, {"q": [*ABC, "x"]}),
    ("push", ABC, lambda q: q.push("x"), None, {"q": ["x", *ABC]}),
    ("pop", ABC, lambda q: q.pop(), "A", {"q": ["B", "C"]}),
    ("pollFirst", ABC, lambda q: q.poll_first(), "A", {"q": ["B", "C"]}),
    ("pollFirst_empty", [], lambda q: q.poll_first(), None, {}),
    ("pollLast", ABC, lambda q: q.poll_last(), "C", {"q": ["A", "B"]}),
    ("pollLast_empty", [], lambda q: q.poll_last(), None, {}),
    ("pollFirst2", ABC, lambda q: q.poll_first(2), ["A", "B"], {"q": ["C"]}),
    ("pollLast2", ABC, lambda q: q.poll_last(2), ["C", "B"], {"q": ["A"]}),
    ("pollLast9", ABC, lambda q: q.poll_last(9), ["C", "B", "A"], {}),
    ("pollLast0", ABC, lambda q: q.poll_last(0), [], {"q": ABC}),
    ("pollFirst_minus1", ABC, lambda q: q.poll_first(-1), [], {"q": ABC}),
    ("peekFirst", ABC, lambda q: q.peek_first(), "A", {"q": ABC}),
    ("peekLast", ABC, lambda q: q.peek_last(), "C", {"q": ABC}),
    ("peekLast_empty", [], lambda q: q.peek_last(), None, {}),
    ("getFirst", ABC, lambda q: q.get_first(), "A", {"q": ABC}),
    ("getLast", ABC, lambda q: q.get_last(), "C", {"q": ABC}),
    ("removeFirst", ABC, lambda q: q.remove_first(), "A", {"q": ["B", "C"]}),
    ("removeLast", ABC, lambda q: q.remove_last(), "C", {"q": ["A", "B"]}),
    (
        "removeFirstOccurrence",
        ["B", "A", "B"],
        lambda q: q.remove_first_occurrence("B"),
        True,
        {"q": ["A", "B"]},
    ),
    (
        "removeLastOccurrence",
        ["B", "A", "B"],
        lambda q: q.remove_last_occurrence("B"),
        True,
        {"q": ["B", "A"]},
    ),
    ("removeLastOccurrence_no", ABC, lambda q: q.remove_last_occurrence("N"), False, {"q": ABC}),
    (
        "addFirstIfExists",
        ABC,
        lambda q: q.add_first_if_exists("x", "y"),
        5,
        {"q": ["y", "x", *ABC]},
    ),
    ("addFirstIfExists_no", [], lambda q: q.add_first_if_exists("x", "y"), 0, {}),
    ("addLastIfExists", ABC, lambda q: q.add_last_if_exists("x", "y"), 5, {"q": [*ABC, "x", "y"]}),
    ("addLastIfExists_no", [], lambda q: q.add_last_if_exists("x"), 0, {}),
    (
        "move",
        ABC,
        lambda q: q.move("other", End.LAST, End.FIRST),
        "C",
        {"q": ["A", "B"], "other": ["C"]},
    ),
    (
        "move_first_last",
        ABC,
        lambda q: q.move("other", End.FIRST, End.LAST),
        "A",
        {"q": ["B", "C"], "other": ["A"]},
    ),
    ("move_rotates", ABC, lambda q: q.move("q", End.FIRST, End.LAST), "A", {"q": ["B", "C", "A"]}),
    ("move_empty", [], lambda q: q.move("other", End.LAST, End.LAST), None, {}),
]


@pytest.mark.parametrize(
    ("items", "call", "result", "after"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE]
)
@pytest.mark.parametrize("kind", ["get_deque", "get_blocking_deque"])
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


EMPTY: dict[str, Call] = {
    "pop": lambda q: q.pop(),
    "getFirst": lambda q: q.get_first(),
    "getLast": lambda q: q.get_last(),
    "removeFirst": lambda q: q.remove_first(),
    "removeLast": lambda q: q.remove_last(),
}


@pytest.mark.parametrize("call", EMPTY.values(), ids=EMPTY)
@pytest.mark.parametrize("kind", ["get_deque", "get_blocking_deque"])
async def test_an_empty_deque_raises_where_javas_does(
    redisson: AsyncRedisson, kind: str, call: Call
) -> None:
    with pytest.raises(EmptyQueueError):
        await call(getattr(redisson, kind)("q"))


@pytest.mark.parametrize("count", [0, 1, 499, 500, 501, 1_000, 1_203])
async def test_iterators_reach_all_values_in_both_directions(
    redisson: AsyncRedisson, raw: redis.Redis, count: int
) -> None:
    values = [str(number) for number in range(count)]
    if values:
        raw.rpush("q", *values)
    deque: AsyncDeque[str] = redisson.get_deque("q")
    assert [value async for value in deque] == values
    assert [value async for value in deque.descending_iterator()] == values[::-1]
