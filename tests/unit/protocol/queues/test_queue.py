"""RQueue and RDeque: the words of each call, and the value of each reply."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pyredisson import BatchDecodeError, DecodeError, EncodeError
from pyredisson.codecs import LongCodec, StringCodec
from pyredisson.protocol.kernel.command import Operation
from pyredisson.protocol.queues.queue import End, QueueProtocol, push_back, require_count
from tests.support.rows import each_row
from tests.unit.protocol.objects.encoding import may_be_sent_twice, words

FIRST, LAST = End.FIRST, End.LAST
Q = QueueProtocol("q", StringCodec())
Build = Callable[[], Operation[Any]]

CALLS: dict[str, tuple[Build, tuple[Any, ...]]] = {
    "add": (lambda: Q.push(LAST, ("é",)), ("RPUSH", "q", b"\xc3\xa9")),
    "add_all": (lambda: Q.push(LAST, ["a", "b"]), ("RPUSH", "q", b"a", b"b")),
    "add_all of a generator": (lambda: Q.push(LAST, iter("ab")), ("RPUSH", "q", b"a", b"b")),
    "add_first": (lambda: Q.push(FIRST, ("a",)), ("LPUSH", "q", b"a")),
    "add_first_if_exists": (lambda: Q.push(FIRST, "a", if_exists=True), ("LPUSHX", "q", b"a")),
    "add_last_if_exists": (lambda: Q.push(LAST, "a", if_exists=True), ("RPUSHX", "q", b"a")),
    "poll": (lambda: Q.pop(FIRST), ("LPOP", "q")),
    "poll_last": (lambda: Q.pop(LAST), ("RPOP", "q")),
    "poll(3)": (lambda: Q.pop_many(FIRST, 3), ("queues/poll", ("q",), ("lpop", 3))),
    "poll_last(3)": (lambda: Q.pop_many(LAST, 3), ("queues/poll", ("q",), ("rpop", 3))),
    "drain_to": (lambda: Q.drain(None), ("queues/drain", ("q",), (-1,))),
    "drain_to(c, 2)": (lambda: Q.drain(2), ("queues/drain", ("q",), (2,))),
    "peek": (Q.peek, ("LINDEX", "q", 0)),
    "contains": (lambda: Q.contains("a"), ("LPOS", "q", b"a")),
    "peek_last": (lambda: Q.index(-1), ("LINDEX", "q", -1)),
    "read_all": (lambda: Q.range(0, -1), ("LRANGE", "q", 0, -1)),
    "size": (Q.size, ("LLEN", "q")),
    "index_of": (lambda: Q.position("a"), ("LPOS", "q", b"a")),
    "remove": (lambda: Q.remove("a", 1), ("LREM", "q", 1, b"a")),
    "remove_last_occurrence": (lambda: Q.remove("a", -1), ("LREM", "q", -1, b"a")),
    "contains_all": (lambda: Q.contains_all("ab"), ("queues/contains_all", ("q",), (b"a", b"b"))),
    "remove_all": (lambda: Q.remove_all("ab"), ("queues/remove_all", ("q",), (b"a", b"b"))),
    "retain_all": (lambda: Q.retain_all("ab"), ("queues/retain_all", ("q",), (b"a", b"b"))),
    "poll_last_and_offer_first_to": (lambda: Q.move("r", LAST, FIRST), ("RPOPLPUSH", "q", "r")),
    "move": (lambda: Q.move("r", FIRST, LAST), ("LMOVE", "q", "r", "LEFT", "RIGHT")),
    "move at one end": (lambda: Q.move("r", LAST, LAST), ("LMOVE", "q", "r", "RIGHT", "RIGHT")),
}


@each_row("case", CALLS)
def test_the_words_of_each_call(case: str) -> None:
    build, expected = CALLS[case]
    assert words(build()) == expected


@each_row("case", CALLS)
def test_each_call_is_sent_to_the_node_of_the_list(case: str) -> None:
    assert CALLS[case][0]().key == "q"


@each_row("case", CALLS)
def test_only_calls_that_change_nothing_may_be_sent_twice(case: str) -> None:
    operation = CALLS[case][0]()
    assert operation.safe is may_be_sent_twice(operation)


REPLIES: list[tuple[Operation[Any], Any, Any]] = [
    (Q.push(LAST, "a"), 3, 3),
    (Q.pop(FIRST), None, None),
    (Q.pop(FIRST), b"a", "a"),
    (Q.pop(FIRST), b"", ""),
    (Q.pop_many(LAST, 2), [b"b", b"a"], ["b", "a"]),
    (Q.pop_many(LAST, 2), [], []),
    (Q.drain(None), [b"a"], ["a"]),
    (Q.index(0), None, None),
    (Q.range(0, 1), [b"a", b"a"], ["a", "a"]),
    (Q.size(), 0, 0),
    (Q.position("a"), None, None),
    (Q.position("a"), 0, 0),
    (Q.contains("a"), None, False),
    (Q.contains("a"), 0, True),
    (Q.remove("a", 1), 1, 1),
    (Q.contains_all("a"), 1, True),
    (Q.remove_all("a"), 4, True),
    (Q.retain_all("a"), 0, False),
    (Q.move("r", LAST, FIRST), b"a", "a"),
    (Q.move("r", FIRST, LAST), None, None),
]


@each_row(("operation", "reply", "expected"), REPLIES)
def test_the_value_of_each_reply(operation: Operation[Any], reply: Any, expected: Any) -> None:
    value = operation.decode(reply)
    assert (value, type(value)) == (expected, type(expected))


UNDONE: list[tuple[Operation[Any], Any, tuple[Any, ...] | None]] = [
    (Q.pop(FIRST), None, None),
    (Q.pop(FIRST), b"", ("LPUSH", "q", b"")),
    (Q.pop(LAST), b"a", ("RPUSH", "q", b"a")),
    (Q.pop_many(FIRST, 9), [], None),
    (Q.pop_many(FIRST, 9), None, None),
    (Q.pop_many(FIRST, 9), [b"a", b"b"], ("LPUSH", "q", b"b", b"a")),
    (Q.pop_many(LAST, 9), [b"b", b"a"], ("RPUSH", "q", b"a", b"b")),
    (Q.drain(None), [b"a", b"b"], ("LPUSH", "q", b"b", b"a")),
    (Q.drain(2), [], None),
]


@each_row(("operation", "reply", "expected"), UNDONE)
def test_undo_of_each_pop(
    operation: Operation[Any], reply: Any, expected: tuple[Any, ...] | None
) -> None:
    assert operation.undo is not None
    undo = operation.undo(reply)
    assert (undo and undo.args) == expected


@pytest.mark.parametrize("end", End)
def test_undo_of_pops_restores_the_list(end: End) -> None:
    """The test uses a model of the list: three pops at an end, then the push that undoes them."""
    before = [b"a", b"b", b"c", b"d"]
    model = list(before)
    popped = [model.pop(0 if end is FIRST else -1) for _ in range(3)]
    undo = push_back("q", end, popped)
    assert undo is not None
    name, key, *elements = undo.args
    for element in elements:
        assert isinstance(element, bytes)
        model.insert(0 if name == "LPUSH" else len(model), element)
    assert (model, key) == (before, "q")
    assert undo.decode(4) is None
    assert not undo.safe


def test_all_values_are_encoded_before_anything_is_sent() -> None:
    numbers = QueueProtocol("q", LongCodec())
    with pytest.raises(EncodeError):
        numbers.push(LAST, (1, 2**63))
    with pytest.raises(EncodeError):
        numbers.remove_all([1, 2**63])


def test_a_value_that_cannot_be_read_keeps_its_bytes() -> None:
    numbers = QueueProtocol("q", LongCodec())
    with pytest.raises(DecodeError) as caught:
        numbers.pop(FIRST).decode(b"one")
    assert caught.value.data == b"one"
    with pytest.raises(BatchDecodeError) as several:
        numbers.drain(None).decode([b"1", b"two"])
    assert several.value.values == [1]


@pytest.mark.parametrize(("end", "word", "letter"), [(FIRST, "LEFT", "L"), (LAST, "RIGHT", "R")])
def test_ends_have_the_names_of_redis(end: End, word: str, letter: str) -> None:
    assert (end.value, end.letter) == (word, letter)


@pytest.mark.parametrize("limit", [0.5, "1", True, None])
def test_a_number_of_elements_is_an_int(limit: Any) -> None:
    with pytest.raises(TypeError, match="number of elements"):
        require_count(limit)
    assert require_count(3) == 3
