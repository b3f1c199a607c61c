"""RAtomicDouble: the differences from RAtomicLong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pyredisson import DecodeError
from pyredisson.protocol.counters.atomic_double import AtomicDoubleProtocol
from pyredisson.protocol.kernel.command import Operation
from tests.support.rows import each_row
from tests.unit.protocol.objects.encoding import may_be_sent_twice, words

A = AtomicDoubleProtocol("a")
Build = Callable[[], Operation[Any]]

CALLS: dict[str, tuple[Build, tuple[Any, ...], Any, Any]] = {
    "get": (A.get, ("GET", "a"), b"0.5", 0.5),
    "get none": (A.get, ("GET", "a"), None, 0.0),
    "set": (lambda: A.set(1e-7), ("SET", "a", "0.00000010"), b"OK", None),
    "increment_and_get": (A.increment_and_get, ("INCRBYFLOAT", "a", "1"), b"1.5", 1.5),
    "decrement_and_get": (A.decrement_and_get, ("INCRBYFLOAT", "a", "-1"), b"-1", -1.0),
    "add_and_get": (lambda: A.add_and_get(0.5), ("INCRBYFLOAT", "a", "0.5"), b"1", 1.0),
    "get_and_add": (lambda: A.get_and_add(1), ("INCRBYFLOAT", "a", "1.0"), b"3", 2.0),
    "compare_and_set": (
        lambda: A.compare_and_set(0, 1e22),
        ("counters/compare_double_and_set", ("a",), ("0.0", "10000000000000000000000")),
        1,
        True,
    ),
}


@each_row("case", CALLS)
def test_words_and_replies(case: str) -> None:
    build, expected, reply, value = CALLS[case]
    operation = build()
    assert words(operation) == expected
    assert operation.safe is may_be_sent_twice(operation)
    found = operation.decode(reply)
    assert (type(found), found) == (type(value), value)


def test_invalid_doubles_are_rejected() -> None:
    with pytest.raises(DecodeError, match="not a number of RAtomicDouble"):
        A.get().decode(b"text")
    for value in (float("nan"), float("inf"), 10**400):
        with pytest.raises(ValueError, match="value"):
            A.set(value)
