"""Wrappers of the type model check their range, and equal and print like plain values."""

from __future__ import annotations

import copy
import json
from datetime import UTC, datetime
from decimal import Decimal
from enum import Enum, IntEnum
from math import inf, nan
from typing import Any

import pytest

from pyredisson.java import (
    JArray,
    JBigInteger,
    JByte,
    JChar,
    JDate,
    JDouble,
    JFloat,
    JInt,
    JLong,
    JSet,
    JShort,
)
from pyredisson.java.checks import check_date, check_decimal
from pyredisson.java.classes import class_of
from pyredisson.java.hash_codes import java_hash
from pyredisson.java.hashing import java_order
from pyredisson.java.jdk import accepts, is_final
from pyredisson.java.names import array_class, component_of, is_class_name
from pyredisson.java.numbers import (
    date_of,
    decimal_of,
    double_to_string,
    float_to_string,
    unscaled_of,
)
from pyredisson.limits import DEFAULT_LIMITS
from pyredisson.rejection import Rejection, reject_value
from tests.support.rows import each_row


class Color(Enum):
    RED = 1


class Size(IntEnum):
    SMALL = 1


class Text(str):
    __slots__ = ()


@each_row(
    ("wrapped", "plain", "shown"),
    [
        (JLong(5), 5, "JLong(5)"),
        (JInt(-1), -1, "JInt(-1)"),
        (JBigInteger(2**70), 2**70, f"JBigInteger({2**70})"),
        (JDate(3), 3, "JDate(3)"),
        (JFloat(0.5), 0.5, "JFloat(0.5)"),
        (JDouble(5), 5.0, "JDouble(5.0)"),
        (JChar("x"), "x", "JChar('x')"),
    ],
)
def test_wrappers_are_the_plain_value(wrapped: Any, plain: Any, shown: str) -> None:
    assert wrapped == plain
    assert hash(wrapped) == hash(plain)
    assert repr(wrapped) == shown
    assert str(wrapped) == str(plain) == f"{wrapped}"
    assert json.dumps(wrapped) == json.dumps(plain)


@pytest.mark.parametrize(("build", "bits"), [(JByte, 8), (JShort, 16), (JInt, 32), (JLong, 64)])
def test_ranges(build: type[int], bits: int) -> None:
    for value in (-(1 << bits - 1), (1 << bits - 1) - 1):
        assert build(value) == value
    for value in (-(1 << bits - 1) - 1, 1 << bits - 1):
        with pytest.raises(OverflowError, match="out of the range of"):
            build(value)


def test_floats_are_rounded() -> None:
    assert JFloat(0.1) == 0.10000000149011612
    assert JFloat(inf) == inf
    assert repr(JFloat("nan")) == "JFloat(nan)"
    with pytest.raises(OverflowError):
        JFloat(1e39)


@pytest.mark.parametrize("text", ["", "ab", "😀"])
def test_a_char_is_one_unit(text: str) -> None:
    with pytest.raises(ValueError, match="not one UTF-16 unit"):
        JChar(text)


def test_a_set_keeps_its_order_when_it_changes() -> None:
    found = JSet("java.util.HashSet", ["z", "y", "x"])
    found.discard("y")
    found |= {"b", "a"}
    assert list(found) == ["z", "x", "a", "b"]
    assert found == {"a", "b", "x", "z"}
    other: JSet[int] = JSet("java.util.HashSet", [JLong(1)])
    other.discard(1)
    other.add(1)
    assert repr(other) == "JSet('java.util.HashSet', [1])"
    assert repr(copy.copy(found)) == repr(found)


@each_row("component", ["", "1a", "int[", "[I", "a b", "int[]x"])
def test_components_are_names(component: str) -> None:
    with pytest.raises(ValueError, match="not a Java type name"):
        JArray(component)


@each_row(
    ("component", "class_name"),
    [
        ("int", "[I"),
        ("boolean[]", "[[Z"),
        ("java.lang.String", "[Ljava.lang.String;"),
        ("java.util.Date[][]", "[[[Ljava.util.Date;"),
        ("a.B$C", "[La.B$C;"),
    ],
)
def test_array_names(component: str, class_name: str) -> None:
    assert array_class(component) == class_name
    assert component_of(class_name) == component
    assert is_class_name(class_name)


@each_row("name", ["int", "[", "[X", "[La.B", "[" * 40 + "I"])
def test_other_names_are_not_array_names(name: str) -> None:
    assert component_of(name) is None


def test_class_names() -> None:
    assert is_class_name("com.example.Straße$1")
    for name in ("", "a b", "a/b", "x" * 513, "[Lx", "a;"):
        assert not is_class_name(name)


@each_row(
    ("value", "class_name"),
    [
        (1, "java.lang.Integer"),
        (-(2**31) - 1, "java.lang.Long"),
        (Text("a"), "java.lang.String"),
        (JArray("int"), "[I"),
        (type("MyInt", (int,), {})(2**31), "java.lang.Long"),
    ],
)
def test_class_of(value: Any, class_name: str) -> None:
    assert class_of(value) == class_name


@each_row("value", [Color.RED, Size.SMALL, object(), (1,), 2**63, None, print])
def test_values_without_a_class(value: Any) -> None:
    with pytest.raises(Rejection):
        class_of(value)


@each_row(
    ("value", "text"),
    [
        (1.0, "1.0"),
        (0.001, "0.001"),
        (0.00099, "9.9E-4"),
        (1e7, "1.0E7"),
        (1e23, "1.0E23"),
        (2e23, "2.0E23"),
        (5e-324, "4.9E-324"),
        (1e-323, "9.9E-324"),
        (-1.7976931348623157e308, "-1.7976931348623157E308"),
        (123456789.125, "1.23456789125E8"),
        (nan, "NaN"),
        (-inf, "-Infinity"),
        (-0.0, "-0.0"),
    ],
)
def test_double_to_string(value: float, text: str) -> None:
    assert double_to_string(value) == text


@each_row(
    ("value", "text"),
    [
        (JFloat(0.1), "0.1"),
        (JFloat(16777216), "1.6777216E7"),
        (JFloat(3.4028235e38), "3.4028235E38"),
        (JFloat(1e-45), "1.4E-45"),
        (JFloat(0.001), "0.001"),
        (JFloat(123.25), "123.25"),
        (JFloat(3.3e38), "3.3E38"),
        (inf, "Infinity"),
    ],
)
def test_float_to_string(value: float, text: str) -> None:
    assert float_to_string(value) == text


def test_decimals() -> None:
    for text in ("12.50", "0E+3", "-1E-20", "1E+5", "1" * 60 + ".5"):
        value = Decimal(text)
        assert str(decimal_of(*unscaled_of(value))) == text
    assert unscaled_of(Decimal("-0.0")) == (0, 1)
    with pytest.raises(Rejection, match="65536 bytes"):
        check_decimal(Decimal("1" * 160_000), DEFAULT_LIMITS)


def test_dates() -> None:
    assert date_of(-1) == datetime(1969, 12, 31, 23, 59, 59, 999000, tzinfo=UTC)
    assert date_of(10**17) is None
    assert check_date(datetime(1970, 1, 1, 0, 0, 0, 999, tzinfo=UTC)) == 0
    assert check_date(datetime(1969, 12, 31, 23, 59, 59, 999999, tzinfo=UTC)) == -1


def test_hashes() -> None:
    assert java_hash("hello") == 99162322
    assert java_hash("😀") == 1772899
    assert java_hash(-1) == 0xFFFFFFFF
    assert java_hash(2**40) == java_hash(JLong(2**40)) == 256
    assert java_hash(JLong(-5)) == 4
    assert java_hash(False) == 1237
    assert java_hash(JFloat(1.5)) == 0x3FC00000
    assert java_hash(frozenset({1, 2})) == 3
    assert java_hash(b"?") is None


def test_ties_are_the_same_in_every_process() -> None:
    values = [b"b", b"a", JBigInteger(10**5000), frozenset({"x", "y"})]
    assert java_order(values) == java_order(reversed(values))
    assert java_order([16, 0, 32]) == [0, 16, 32]


def test_array_components() -> None:
    assert is_final("java.lang.Long[][]") is True
    assert is_final("java.util.List[]") is False
    assert is_final("java.util.ImmutableCollections$ListN") is True
    assert is_final("com.example.Foo") is None
    assert accepts("java.util.Queue", "java.util.LinkedList")
    assert accepts("java.util.List", "java.util.LinkedList")
    assert not accepts("java.util.List", "java.util.HashMap")
    assert not accepts("com.example.Foo", "com.example.Foo")


@each_row(
    ("value", "told"),
    [
        ("x" * 50, "x" * 40),
        (2**200, "a number of 201 bits"),
        (1.5, "1.5"),
        (None, "None"),
        ([1], "a value of type list"),
    ],
)
def test_rejections_shorten_the_value(value: Any, told: str) -> None:
    text = str(reject_value(value, "a Foo"))
    assert told in text
    assert len(text) < 100
