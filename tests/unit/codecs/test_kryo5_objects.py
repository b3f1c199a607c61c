"""Kryo5Codec with schemas: objects, their plans, and values of declared types."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import IntEnum
from typing import Annotated, Any, cast

import pytest

from pyredisson.codecs import Kryo5Codec
from pyredisson.errors import DecodeError, EncodeError
from pyredisson.java import (
    JArray,
    JavaField,
    JBigInteger,
    JEntries,
    JList,
    JMap,
    JSet,
    JText,
    JValue,
    java_class,
    java_enum,
)
from tests.support.rows import each_row
from tests.unit.codecs import shapes
from tests.unit.codecs.shapes import (
    Color,
    Deeper,
    Extras,
    Generics,
    Leaf,
    Nested,
    OrderTask,
    Outer,
    Pair,
    Person,
    Phase,
    Point,
    Stamp,
    Wide,
)

CODEC = Kryo5Codec(schemas=shapes)
REFERENCES = Kryo5Codec(schemas=shapes, references=True)
ORDER = "0100636f6d2e6578616d706c652e4f7264657254617" + "3eb"


def test_order_task_has_javas_bytes() -> None:
    task = OrderTask("A1", "pay", 1700000000000)
    data = bytes.fromhex(ORDER + "7061f980a0abfef96241b1")
    for _ in range(3):  # first by the serializers, then by the plan
        assert CODEC.encode(task) == data
        assert CODEC.decode(data) == task


NUMBERS = (0, 1, -1, 63, 64, 8191, 8192, -8193, 2**20, 2**27, 2**31 - 1, -(2**31))
LONGS = (*NUMBERS, 2**34, 2**41, 2**48, 2**55 - 1, 2**55, -(2**55), -(2**55) - 1, 2**63 - 1)


@java_class("com.example.Flat")
@dataclass
class Flat:
    text: Annotated[str | None, "String"] = None
    number: Annotated[int, "int"] = 0
    big: Annotated[int, "long"] = 0
    flag: Annotated[bool, "boolean"] = False
    real: Annotated[float, "double"] = 0.0
    color: Annotated[Color | None, "com.example.Color"] = None
    maybe: Annotated[int | None, "Integer"] = None
    perhaps: Annotated[int | None, "Long"] = None
    sure: Annotated[bool | None, "Boolean"] = None
    rate: Annotated[float | None, "Double"] = None


FLATS = [
    Flat(),
    Flat("ab", 5, 6, True, 1.5, Color.BLUE, 7, 8, False, 2.5),
    Flat("", 0, 0, True, -0.0, Color.RED, -1, -2, True, float("inf")),
    Flat("é", rate=0.0),
    Flat("x"),
    Flat("x" * 33),
    Flat("x" * 32),
    *(Flat("ab", number=each, maybe=each) for each in NUMBERS),
    *(Flat("ab", big=each, perhaps=each) for each in LONGS),
]


@pytest.mark.parametrize("value", FLATS, ids=repr)
def test_plans_equal_the_serializers(value: Flat) -> None:
    fresh = Kryo5Codec(schemas=[Flat, Color])
    data = fresh.encode(value)
    warm = Kryo5Codec(schemas=[Flat, Color])
    warm.encode(Flat())
    assert warm.encode(value) == data
    assert warm.decode(data) == value
    for end in range(len(data)):
        with pytest.raises(DecodeError):
            warm.decode(data[:end])
    with pytest.raises(DecodeError, match="left over"):
        warm.decode(data + b"\0")


@each_row(
    "wrong",
    [
        Flat(text=cast("str", 5)),
        Flat(number=True),
        Flat(number=2**31),
        Flat(number=cast("int", None)),
        Flat(big=2**63),
        Flat(big=cast("int", "1")),
        Flat(flag=cast("bool", 1)),
        Flat(real=cast("float", 1)),
        Flat(color=cast("Color", "RED")),
        Flat(maybe=2**31),
    ],
)
def test_plans_reject_the_values_that_serializers_reject(wrong: Flat) -> None:
    warm = Kryo5Codec(schemas=[Flat, Color])
    warm.encode(Flat())
    with pytest.raises(EncodeError, match=r"in com\.example\.Flat\."):
        warm.encode(wrong)


def outcome(codec: Kryo5Codec, data: bytes) -> str:
    """Return the repr of the decoded value, or the error's text."""
    try:
        return repr(codec.decode(data))
    except DecodeError as error:
        return str(error)


@pytest.mark.no_cover  # the same branches, thousands of times
def test_plans_reject_malformed_messages() -> None:
    warm = Kryo5Codec(schemas=[Flat, Color])
    data = bytearray(warm.encode(FLATS[1]))
    head = data.index(b"\xf4") + 1
    for place in range(head, len(data)):
        for byte in (2, 0x7F, 0x80, 0xFF):
            broken = bytes(data[:place] + bytes([byte]) + data[place + 1 :])
            assert outcome(warm, broken) == outcome(Kryo5Codec(schemas=[Flat, Color]), broken)
    assert warm.decode(cast("bytes", bytearray(data))) == FLATS[1]


def test_a_missing_attribute() -> None:
    task = OrderTask()
    CODEC.encode(task)
    del task.action
    object.__delattr__(task, "createdAt")
    OrderTask.action, OrderTask.createdAt, kept = cast("Any", None), 0, OrderTask.createdAt
    del OrderTask.createdAt
    try:
        with pytest.raises(EncodeError, match="lacks a field"):
            CODEC.encode(task)
    finally:
        OrderTask.createdAt = kept


class Small(IntEnum):
    ONE = 1
    TWO = 2


java_enum("com.example.Small")(Small)


@java_class("com.example.Frozen", variables=["T extends U", "U"])
@dataclass(frozen=True)
class Frozen:
    small: Annotated[Small | None, "com.example.Small"] = None
    odd: Annotated[Any, "T"] = None


@java_class("com.example.Holder")
@dataclass
class Holder:
    small: Annotated[Small | None, "com.example.Small"] = None
    missing: Annotated[Any, "com.example.Missing"] = None
    passing: Annotated[int, JavaField("int", transient=True)] = 5


@java_class("com.example.Slip", record=True)
@dataclass
class Slip:
    missing: Annotated[Any, "com.example.Missing"] = None


def test_classes_without_a_plan() -> None:
    codec = Kryo5Codec(schemas=[Frozen, Holder, Slip, Small])
    for value in (Frozen(Small.TWO, 5), Holder(Small.ONE, None, 0), Slip()):
        for _ in range(2):
            assert codec.decode(codec.encode(value)) == value
    for wrong in (Holder(missing=OrderTask()), Slip("x")):
        with pytest.raises(EncodeError, match=r"com\.example\.Missing, for which there is no"):
            codec.encode(wrong)
    data = codec.encode(Slip())
    with pytest.raises(DecodeError, match="no schema") as caught:
        codec.decode(data[:-1] + b"\x01")
    assert caught.value.class_name == "com.example.Missing"


COERCED: list[tuple[Any, Any]] = [
    (Wide(linkedList=[1.5]), Wide(linkedList=JList("java.util.LinkedList", [1.5]))),
    (Wide(sorted={"b", "a"}), Wide(sorted=JSet("java.util.TreeSet", ["a", "b"]))),
    (Wide(ordered={1}), Wide(ordered=JSet("java.util.LinkedHashSet", [1]))),
    (Wide(tree={"b": 1, "a": 2}), Wide(tree=JMap("java.util.TreeMap", {"a": 2, "b": 1}))),
    (Wide(integer=5), Wide(integer=JBigInteger(5))),
    (Extras(timeZone="UTC"), Extras(timeZone=JText("sun.util.calendar.ZoneInfo", "UTC"))),
    (Extras(charset="UTF-8"), Extras(charset=JText("sun.nio.cs.UTF_8", "UTF-8"))),
    (Extras(zoneId="UTC"), Extras(zoneId=JText("java.time.ZoneRegion", "UTC"))),
    (Extras(uri="urn:x"), Extras(uri=JText("java.net.URI", "urn:x"))),
    (
        Extras(timestamp=datetime(1970, 1, 1, tzinfo=UTC)),
        Extras(timestamp=JValue("java.sql.Timestamp", 0)),
    ),
    (
        Extras(instant=datetime(1970, 1, 1, tzinfo=UTC)),
        Extras(instant=JValue("java.time.Instant", 0, 0)),
    ),
    (Wide(sorted={2, 1}), None),
    (Wide(linkedList={1}), None),
    (Wide(linkedList={1: 2}), None),
    (Wide(sorted=[1]), None),
    (Wide(tree=[1]), None),
    (Wide(task=cast("Any", [1])), None),
    (Wide(integer=cast("Any", "5")), None),
    (Extras(charset="KOI8-R"), None),
    (Wide(task=cast("Any", Stamp())), None),
    (Wide(stamp=cast("Any", OrderTask())), None),
    (Wide(phase=cast("Any", Color.RED)), None),
    (Wide(color=cast("Any", Phase.NEW)), None),
    (Wide(strings={"a"}), None),
    (Wide(strings=[1]), None),
    (Wide(anyNumber="a"), None),
    (Wide(things=[1]), None),
    (Wide(things=JArray("int", [1])), None),
    (Wide(numbers=JArray("java.lang.String", ["a"])), None),
    (Wide(comparable=JArray("int", [1])), None),
    (Wide(flag=cast("bool", None)), None),
    (Wide(serializable=Point(1, 2)), None),
]


@each_row(("value", "wanted"), COERCED)
def test_declared_type_selects_the_class(value: Any, wanted: Any) -> None:
    if wanted is None:
        with pytest.raises(EncodeError):
            CODEC.encode(value)
    else:
        assert CODEC.encode(value) == CODEC.encode(wanted)


ASSIGNED: list[Any] = [
    Wide(serializable=Color.RED),
    Wide(comparable=Phase.PAID),
    Wide(serializable=JArray("int", [1])),
    Wide(things=JArray("java.lang.String", ["a"])),
    Generics(crateArray=JArray("com.example.StringCrate", [shapes.StringCrate("a")])),
    Outer(Nested("v", Deeper(3))),
    Generics(half=Pair(1, "s"), any=[Leaf()]),
    Generics(matrix=[JList("java.util.ImmutableCollections$ListN", ["a", "b", "c"])]),
    Generics(groups=JMap("java.util.ImmutableCollections$Map1", {"k": [1]})),
    Generics(deep=JEntries("java.util.HashMap", [(["k"], None)])),
    Person(any=Leaf(), tags=["a"]),
]


@each_row("value", ASSIGNED)
def test_value_that_fits_its_field_round_trips(value: Any) -> None:
    assert CODEC.decode(CODEC.encode(value)) == value


def test_wrong_classes_in_messages() -> None:
    data = CODEC.encode(Wide(task=OrderTask()))
    broken = data.replace(b"com.example.OrderTas\xeb", b"java.util.ArrayDequ\xe5")
    with pytest.raises(DecodeError, match=r"is not a com\.example\.OrderTask"):
        CODEC.decode(broken)
