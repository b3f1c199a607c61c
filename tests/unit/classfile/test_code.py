"""Bytecode: which enum constants have bodies, and which methods only return a field."""

from __future__ import annotations

import pytest

from pyredisson.classfile import ClassFileError
from pyredisson.classfile.code import enum_bodies, returned_field
from pyredisson.classfile.constants import ConstantPool
from pyredisson.classfile.cursor import Cursor
from tests.support.rows import each_row
from tests.unit.classfile.assembler import Pool, u2, u4

POOL = Pool()
NEW_E = b"\xbb" + u2(POOL.cls("E"))
NEW_BODY = b"\xbb" + u2(POOL.cls("E$1"))
NEW_LIST = b"\xbb" + u2(POOL.cls("java.util.ArrayList"))
PUT_A = b"\xb3" + u2(POOL.field("E", "A"))
PUT_B = b"\xb3" + u2(POOL.field("E", "B"))
PUT_OTHER = b"\xb3" + u2(POOL.field("E", "other"))
PUT_FOREIGN = b"\xb3" + u2(POOL.field("F", "A"))
GET_ID = b"\xb4" + u2(POOL.field("E", "id"))
GET_FOREIGN = b"\xb4" + u2(POOL.field("F", "id"))


def pool() -> ConstantPool:
    data = u2(POOL.count) + b"".join(POOL.entries)
    return ConstantPool(Cursor(data, "E.class"))


def bodies(code: bytes) -> dict[str, str]:
    return enum_bodies(code, pool(), "E", ["A", "B"])


BOTH = NEW_E + PUT_A + NEW_BODY + PUT_B


@each_row(
    ("code", "expected"),
    [
        (b"", {}),
        (BOTH, {"B": "E$1"}),
        (NEW_BODY + PUT_A + NEW_E + PUT_B, {"A": "E$1"}),
        (NEW_E + NEW_LIST + PUT_A + NEW_BODY + NEW_LIST + PUT_B, {"B": "E$1"}),
        (PUT_A + NEW_BODY + PUT_B, {"B": "E$1"}),
        (NEW_BODY + PUT_OTHER + PUT_A, {"A": "E$1"}),
        (NEW_BODY + PUT_FOREIGN + PUT_A, {"A": "E$1"}),
    ],
)
def test_bodies(code: bytes, expected: dict[str, str]) -> None:
    assert bodies(code) == expected


@each_row(
    "instruction",
    [
        b"\x00",  # nop
        b"\x10\xbb",  # bipush
        b"\x11\xbb\xb3",  # sipush
        b"\x12\xbb",  # ldc
        b"\x13\xbb\xbb",  # ldc_w
        b"\x15\xb3",  # iload
        b"\x36\xb3",  # istore
        b"\x84\xb3\xbb",  # iinc
        b"\x99\xb3\xbb",  # ifeq
        b"\xa7\xb3\xbb",  # goto
        b"\xa9\xb3",  # ret
        b"\xb6\xb3\xbb",  # invokevirtual
        b"\xb9\xb3\xbb\xb3\xbb",  # invokeinterface
        b"\xba\xb3\xbb\x00\x00",  # invokedynamic
        b"\xbc\xb3",  # newarray
        b"\xbd\xb3\xbb",  # anewarray
        b"\xc4\x15\xb3\xbb",  # wide iload
        b"\xc4\x84\xb3\xbb\xb3\xbb",  # wide iinc
        b"\xc5\xb3\xbb\x02",  # multianewarray
        b"\xc6\xb3\xbb",  # ifnull
        b"\xc8\xb3\xbb\xb3\xbb",  # goto_w
    ],
)
def test_operands_are_stepped_over(instruction: bytes) -> None:
    assert bodies(NEW_E + instruction + PUT_A + instruction + NEW_BODY + PUT_B) == {"B": "E$1"}


@pytest.mark.parametrize("before", [0, 1, 2, 3])
def test_switches_are_aligned(before: int) -> None:
    padding = bytes(3 - before % 4)
    table = b"\xaa" + padding + u4(9) + u4(0xFFFFFFFF) + u4(1) + b"\xbb" * 12
    lookup_padding = bytes(3 - (before + len(table)) % 4)
    lookup = b"\xab" + lookup_padding + u4(9) + u4(2) + b"\xb3" * 16
    assert bodies(bytes(before) + table + lookup + NEW_BODY + PUT_A) == {"A": "E$1"}


def test_code_that_ends_inside_an_instruction() -> None:
    with pytest.raises(ClassFileError, match=r"E\.class: ends early"):
        bodies(b"\x11\x00")
    with pytest.raises(ClassFileError, match=r"E\.class: ends early"):
        bodies(b"\xaa\0\0\0" + u4(0) + u4(0) + u4(0xFFFFFF))


@each_row(
    ("code", "expected"),
    [
        (b"\x2a" + GET_ID + b"\xac", "id"),
        (b"\x2a" + GET_ID + b"\xb0", "id"),
        (b"\x2a" + GET_ID + b"\xb1", None),
        (b"\x2b" + GET_ID + b"\xac", None),
        (b"\x2a\xb5" + GET_ID[1:] + b"\xac", None),
        (b"\x2a" + GET_FOREIGN + b"\xac", None),
        (b"\x2a" + GET_ID, None),
        (b"", None),
    ],
)
def test_getters_that_only_return_a_field(code: bytes, expected: str | None) -> None:
    assert returned_field(code, pool(), "E") == expected
