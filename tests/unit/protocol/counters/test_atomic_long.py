"""RAtomicLong: the words of each call, and the value of each reply."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pyredisson import DecodeError, UncertainError
from pyredisson.protocol.counters.atomic_long import AtomicLongProtocol
from pyredisson.protocol.kernel.command import Operation
from tests.support.rows import each_row
from tests.unit.protocol.objects.encoding import may_be_sent_twice, words

A = AtomicLongProtocol("a")
Build = Callable[[], Operation[Any]]

CALLS: dict[str, tuple[Build, tuple[Any, ...]]] = {
    "get": (A.get, ("GET", "a")),
    "set": (lambda: A.set(-5), ("SET", "a", "-5")),
    "increment_and_get": (A.increment_and_get, ("INCR", "a")),
    "decrement_and_get": (A.decrement_and_get, ("DECR", "a")),
    "add_and_get": (lambda: A.add_and_get(3), ("INCRBY", "a", "3")),
    "get_and_add": (lambda: A.get_and_add(-3), ("INCRBY", "a", "-3")),
    "get_and_set": (lambda: A.get_and_set(2**63 - 1), ("GETSET", "a", "9223372036854775807")),
    "get_and_delete": (A.get_and_delete, ("buckets/get_and_delete", ("a",), ())),
    "compare_and_set": (
        lambda: A.compare_and_set(1, 2),
        ("counters/compare_and_set", ("a",), ("1", "2")),
    ),
    "set_if_less": (lambda: A.set_if_less(1, 2), ("counters/set_if_less", ("a",), ("1", "2"))),
    "set_if_greater": (
        lambda: A.set_if_greater(1, 2),
        ("counters/set_if_greater", ("a",), ("1", "2")),
    ),
}


@each_row("case", CALLS)
def test_the_words_of_each_call(case: str) -> None:
    build, expected = CALLS[case]
    assert words(build()) == expected


@each_row("case", CALLS)
def test_calls_that_may_be_sent_twice(case: str) -> None:
    """If the reply of another call is lost, the error is an UncertainError."""
    operation = CALLS[case][0]()
    assert operation.safe is may_be_sent_twice(operation)
    if operation.safe:
        assert operation.lost is None
    else:
        assert operation.lost is not None
        error = operation.lost(OSError("gone"))
        assert isinstance(error, UncertainError)
        assert " of 'a' (gone): it may have been done" in str(error)


REPLIES: list[tuple[str, Any, Any]] = [
    ("get", None, 0),
    ("get", b"-9223372036854775808", -(2**63)),
    ("set", b"OK", None),
    ("increment_and_get", 2**62 + 1, 2**62 + 1),
    ("decrement_and_get", -1, -1),
    ("add_and_get", 3, 3),
    ("get_and_add", 1, 4),
    ("get_and_set", None, 0),
    ("get_and_set", b"7", 7),
    ("get_and_delete", None, 0),
    ("get_and_delete", b"7", 7),
    ("compare_and_set", 1, True),
    ("set_if_less", 0, False),
    ("set_if_greater", 1, True),
]


@each_row(("case", "reply", "value"), REPLIES)
def test_value_of_each_reply(case: str, reply: Any, value: Any) -> None:
    assert CALLS[case][0]().decode(reply) == value


@pytest.mark.parametrize("data", [b"text", b"5.0", b"1_0", b""])
def test_stored_bytes_that_are_no_number_are_rejected(data: bytes) -> None:
    with pytest.raises(DecodeError, match="not a number of RAtomicLong") as caught:
        A.get().decode(data)
    assert caught.value.data == data


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        (2**63, ValueError, "value must be from"),
        (-(2**63) - 1, ValueError, "value must be from"),
        (True, TypeError, "value must be an int, not True"),
        (1.0, TypeError, "value must be an int, not 1.0"),
    ],
)
def test_values_out_of_javas_range_are_rejected(
    value: Any, error: type[Exception], text: str
) -> None:
    with pytest.raises(error, match=text):
        A.set(value)
