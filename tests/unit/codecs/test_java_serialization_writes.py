"""Encoding with SerializationCodec: objects with schemas, shared objects, rejections."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any

import pytest

from pyredisson.codecs import SerializationCodec
from pyredisson.errors import EncodeError
from pyredisson.java import (
    JArray,
    JBigInteger,
    JByte,
    JChar,
    JFloat,
    JList,
    JLong,
    JMap,
    JSet,
    JShort,
    NaturalOrder,
)
from pyredisson.java.objects import JavaValue
from pyredisson.java.schema import java_class
from pyredisson.java.values import JValue
from tests.support.rows import each_row
from tests.unit.codecs.migration_shapes import SHAPES, Animal, BySize, Color, Mark, Order, Spot


@java_class("com.example.Pair", variables=["T"], serial_version_uid=1)
@dataclass
class Pair:
    left: Annotated[Any, "T"] = None
    many: Annotated[list[int] | None, "int[][]"] = None
    when: Annotated[datetime | None, "java.util.Date"] = None


@java_class("com.example.Named", interfaces=["com.example.HasName"], serial_version_uid=2)
@dataclass
class Named:
    other: Annotated[Any, "com.example.HasName"] = None


@java_class("com.example.Plain")
@dataclass
class Plain:
    x: Annotated[int, "int"] = 0


@java_class("com.example.Strict", serial_version_uid=1)
@dataclass
class Strict:
    x: Annotated[int, "int"]


OWN = SerializationCodec([Named, Pair, Strict, Plain, *SHAPES])


ROWS: Any = JArray("int[]", [JArray("int", [1])])


@each_row(
    "value",
    [
        Pair(
            left="a",
            many=ROWS,
            when=datetime(2020, 1, 1, tzinfo=UTC),
        ),
        Pair(left=Color.RED),
        Named(Named()),
        [Animal("a", 4), Order(parent=5, color=Color.BLUE)],
        "x" * 70_000,
        {str(each): each for each in range(30)},
        set(range(20)),
        JList("java.util.concurrent.CopyOnWriteArrayList", [1]),
        JArray("com.example.Animal", [Animal("a"), None]),
        JArray("java.lang.Enum", [Color.RED]),
        JArray("java.lang.Long", [1, None]),
        JBigInteger(-5),
        JavaValue("com.example.Other", "X"),
    ],
)
def test_round_trip(value: Any) -> None:
    assert OWN.decode(OWN.encode(value)) == value


@each_row(
    ("value", "handle"),
    [
        *((each, 4) for each in (127, -128, JLong(5), JShort(5), JByte(-1))),
        (JChar("a"), 3),
        (True, 3),
    ],
)
def test_boxed_values_that_are_one_object(value: Any, handle: int) -> None:
    """`Integer.valueOf` and similar methods cache -128 to 127, ASCII chars and both booleans."""
    data = OWN.encode([value, value])
    assert data[-6:] == bytes([0x71, 0, 0x7E, 0, handle, 0x78])
    assert OWN.decode(data) == [value, value]


@each_row("value", [128, -129, 1.5, JFloat(1.5), JLong(5000), JChar("\xe9")])
def test_boxed_values_that_are_two_objects(value: Any) -> None:
    data = OWN.encode([value, type(value)(value)])
    assert data[-6] != 0x71
    assert OWN.decode(data) == [value, value]


def test_a_wrapper_is_one_object() -> None:
    big = JLong(5000)
    assert OWN.encode([big, big])[-6:-1] == bytes.fromhex("71 007e 0004")


def test_a_char_is_no_text() -> None:
    """Python has one object for both. In Java, a Character and a String are two objects."""
    char = chr(0xE9)
    found = OWN.decode(OWN.encode([char, JArray("java.lang.Character", [char, char])]))
    assert repr(found) == """['é', JArray('java.lang.Character', [JChar('é'), JChar('é')])]"""


def test_the_name_of_a_constant_is_never_a_reference() -> None:
    name = Color.RED.name
    assert OWN.encode([name, Color.RED]).count(b"t\x00\x03RED") == 2
    data = OWN.encode([Color.RED, name])
    assert data.count(b"t\x00\x03RED") == 1
    assert OWN.decode(data) == [Color.RED, "RED"]


REVERSE = JValue("java.util.Collections$ReverseComparator")


@each_row(
    "comparator",
    [
        REVERSE,
        JValue("java.lang.String$CaseInsensitiveComparator"),
        JValue("java.util.Collections$ReverseComparator2", REVERSE),
        NaturalOrder.INSTANCE,
        BySize(),
    ],
)
def test_comparators(comparator: Any) -> None:
    """A comparator is kept, as one object for all its containers."""
    tree = JMap("java.util.TreeMap", {"b": 1}, comparator)
    values = [
        tree,
        JSet("java.util.TreeSet", ["b", "a"], comparator),
        JList("java.util.PriorityQueue", ["b", "a"], comparator),
    ]
    found = OWN.decode(OWN.encode(values))
    assert repr(found) == repr(values)
    assert found[0].comparator == found[1].comparator == found[2].comparator
    assert len(OWN.encode([tree, tree])) - len(OWN.encode(tree)) < 80


@pytest.mark.parametrize("comparator", [5, JValue("java.time.Year", 5), "x"])
def test_invalid_comparator_is_rejected(comparator: Any) -> None:
    with pytest.raises(EncodeError, match="is not a comparator"):
        OWN.encode(JMap("java.util.TreeMap", {}, comparator))


def test_records() -> None:
    """The UID of a record is 0 in Java. An explicit UID is written."""
    spot = Spot("here", 3, 4, ["a"], Color.RED)
    assert bytes(8) + b"\x02\x00\x05J\x00\x02atI\x00\x01xL\x00\x05color" in OWN.encode(spot)
    mark = Mark(set=True, spot=spot)
    assert b"Mark" + bytes(7) + b"\x07" in OWN.encode(mark)
    assert OWN.decode(OWN.encode([mark, spot, mark])) == [mark, spot, mark]


def test_repeated_value_is_one_object() -> None:
    one = ["a"]
    first, second = OWN.decode(OWN.encode([one, one]))
    assert first is second
    assert len(OWN.encode([["a"], ["a"]])) > len(OWN.encode([one, one]))


BARE = Strict.__new__(Strict)


@each_row(
    ("value", "reason"),
    [
        (Plain(1), "serial_version_uid"),
        (BARE, "without|lacks"),
        (Order(amount=1 << 40), "not a number"),
        (Order(extra={"a": Order(amount=1 << 40)}), "not a number"),
        (Order(amount=True), "not a number"),
        (Order(paid=1), "not a boolean"),  # type: ignore[arg-type]  # that is the point
        (Order(orderId=5), "not a java.lang.String"),  # type: ignore[arg-type]  # that is the point
        (Order(tags={"a"}), "not a java.util.List"),  # type: ignore[arg-type]  # that is the point
        (JArray("com.example.Animal", [Order()]), "not a com.example.Animal"),
        (JArray("java.lang.String", [JavaValue("a.B", "C")]), "not a java.lang.String"),
        (JArray("java.lang.Integer", [JLong(1 << 40)]), "not a number"),
        (JavaValue("a.B", 5), "constant's name"),
        (JList("java.util.WeakHashMap", [1]), "can only read"),
        (object(), "no Java class"),
    ],
)
def test_rejected(value: Any, reason: str) -> None:
    with pytest.raises(EncodeError, match=reason):
        OWN.encode(value)
