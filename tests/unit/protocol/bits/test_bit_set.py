"""RBitSet: the words of each call, and the value of each reply."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pyredisson import UncertainError
from pyredisson.protocol.bits.bit_set import BitSetProtocol
from pyredisson.protocol.kernel.command import Command, Operation
from tests.support.rows import each_row
from tests.unit.protocol.objects.encoding import words

B = BitSetProtocol("b")
Build = Callable[[], Operation[Any]]

READS: dict[str, tuple[Build, tuple[Any, ...], Any, Any]] = {
    "get": (lambda: B.get(2**32 - 1), ("GETBIT", "b", 2**32 - 1), 1, True),
    "get_many": (
        lambda: B.get_many([9, 10]),
        ("BITFIELD", "b", "get", "u1", 9, "get", "u1", 10),
        [1, 0],
        [True, False],
    ),
    "cardinality": (B.cardinality, ("BITCOUNT", "b"), 3, 3),
    "size": (B.size, ("STRLEN", "b"), 3, 24),
    "length": (B.length, ("bits/length", ("b",), ()), 20, 20),
    "data": (B.data, ("GET", "b"), b"\x60", b"\x60"),
    "data of none": (B.data, ("GET", "b"), None, b""),
    "indexes": (B.indexes, ("GET", "b"), b"\x60\x01", {1, 2, 15}),
    "indexes of none": (B.indexes, ("GET", "b"), None, frozenset()),
    "get_field": (
        lambda: B.get_field(63, 8, signed=False),
        ("BITFIELD", "b", "GET", "u63", 8),
        [5],
        5,
    ),
}
WRITES: dict[str, tuple[Build, tuple[Any, ...], Any, Any]] = {
    "set": (lambda: B.set(3, value=True), ("SETBIT", "b", 3, 1), 0, False),
    "set_many": (
        lambda: B.set_many([1, 2], value=False),
        ("BITFIELD", "b", "set", "u1", 1, 0, "set", "u1", 2, 0),
        [0, 0],
        None,
    ),
    "replace": (lambda: B.replace([0, 1, 15]), ("SET", "b", b"\xc0\x01"), b"OK", None),
    "replace by none": (lambda: B.replace([]), ("SET", "b", b""), b"OK", None),
    "clear": (B.clear, ("DEL", "b"), 1, None),
    "not": (lambda: B.combine("NOT"), ("BITOP", "NOT", "b", "b"), 3, 3),
    "or": (lambda: B.combine("OR", ("c", "d")), ("BITOP", "OR", "b", "b", "c", "d"), 3, 3),
    "set_field": (
        lambda: B.set_field(5, 0, -3, signed=True),
        ("BITFIELD", "b", "SET", "i5", 0, -3),
        [0],
        0,
    ),
    "add_to_field": (
        lambda: B.add_to_field(8, 0, -(2**63), signed=False),
        ("BITFIELD", "b", "INCRBY", "u8", 0, -(2**63)),
        [7],
        7,
    ),
}


@each_row("case", READS | WRITES)
def test_words_and_replies(case: str) -> None:
    build, expected, reply, value = (READS | WRITES)[case]
    operation = build()
    assert words(operation) == expected
    assert operation.decode(reply) == value
    assert operation.safe is (case in READS)
    if case in WRITES:
        assert operation.lost is not None
        assert isinstance(operation.lost(OSError("gone")), UncertainError)


def written(start: int, stop: int) -> list[Command[None]]:
    return list(B.set_range(start, stop, value=True))


def test_ranges() -> None:
    assert [each.args for each in written(16, 20)] == [("BITFIELD", "b", "set", "i4", 16, -1)]
    assert [each.args for each in B.set_range(0, 65, value=False)] == [
        ("BITFIELD", "b", "set", "i64", 0, 0, "set", "i1", 64, 0)
    ]
    assert written(5, 5) == []
    first, second = written(0, 64_001)
    assert (len(first.args), second.args) == (4002, ("BITFIELD", "b", "set", "i1", 64_000, -1))
    assert len(written(2**32 - 64, 2**32)) == 1


@each_row(
    ("call", "error", "text"),
    [
        (lambda: B.get(-1), ValueError, "index must be from 0 to 4294967295, not -1"),
        (lambda: B.get(2**32), ValueError, "index must be from 0"),
        (lambda: B.get(True), TypeError, "index must be an int, not True"),
        (lambda: B.set_many([1, "2"], value=True), TypeError, "an index must be an int"),  # type: ignore[list-item]  # on purpose
        (lambda: B.set_range(5, 2**32 + 1, value=True), ValueError, "to_index must be from 0"),
        (lambda: B.set_range(-1, 5, value=True), ValueError, "from_index must be from 0 to 5"),
        (lambda: B.get_field(65, 0, signed=True), ValueError, "size must be from 1 to 64 bits"),
        (lambda: B.get_field(64, 0, signed=False), ValueError, "size must be from 1 to 63 bits"),
        (lambda: B.set_field(5, 0, 16, signed=True), ValueError, "value must be from -16 to 15"),
        (lambda: B.set_field(5, 0, -1, signed=False), ValueError, "value must be from 0 to 31"),
    ],
)
def test_invalid_arguments_are_rejected(call: Build, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call()
