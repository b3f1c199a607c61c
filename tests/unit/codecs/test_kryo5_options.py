"""Kryo5Codec with schemas: options and rejections."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any

import pytest

from pyredisson.codecs import Kryo5Codec
from pyredisson.codecs.kryo5 import Reader, Serializer, Writer
from pyredisson.errors import DecodeError, EncodeError
from pyredisson.java import (
    JArray,
    JEntries,
    JEnumSet,
    JList,
    JLong,
    JMap,
    JSerialized,
    JSet,
    JText,
    JTime,
    JValue,
    JZonedDateTime,
    Month,
    java_class,
    java_enum,
)
from tests.support.rows import each_row
from tests.unit.codecs import shapes
from tests.unit.codecs.shapes import (
    Color,
    Extras,
    Generics,
    Level,
    Names,
    OrderTask,
    Phase,
    Stamp,
    StringCrate,
    Wide,
)

CODEC = Kryo5Codec(schemas=shapes)
ORDER = "0100636f6d2e6578616d706c652e4f7264657254617" + "3eb"


@each_row(
    ("options", "told"),
    [
        ({"release": "3.18.1"}, "3.19.0 on"),
        ({"release": "4.7"}, "not a Redisson release"),
        ({"unknown": "generic"}, "cannot skip"),
        ({"references": True, "release": "3.35.0"}, "3.36.0 is the first"),
        ({"allowed_classes": "java.util.Date"}, "a list of class names"),
        ({"allowed_classes": [Wide]}, "a list of class names"),
        ({"allowed_classes": {"java.util.Date"}, "release": "3.36.0"}, "order of the Java set"),
    ],
)
def test_rejected_options(options: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        Kryo5Codec(**options)


def test_allowed_classes() -> None:
    """Since 4.1.0, ids follow the sorted names. A constant with a body has the id of its enum."""
    names = ["java.util.ArrayList", "com.example.OrderTask", "java.lang.String"]
    codec = Kryo5Codec(schemas=shapes, allowed_classes=names, release="4.7.0")
    task = OrderTask("A1", "pay", 1700000000000)
    for _ in range(2):
        assert codec.encode(task).hex() == "0b7061f980a0abfef96241b1"
        assert codec.decode(codec.encode(task)) == task
    assert codec.encode(["a", "b"]).hex() == "0c8303008261" + "8262"
    older = Kryo5Codec(schemas=shapes, allowed_classes=names, release="3.36.0")
    assert older.encode(task).hex() == "0c7061f980a0abfef96241b1"
    colors: JEnumSet[Color] = JEnumSet("com.example.Color", [])
    rejected: list[Any] = [{}, Stamp(), JArray("int", []), Phase.PAID, colors]
    for value in rejected:
        with pytest.raises(EncodeError, match="allowed_classes"):
            codec.encode(value)
    for data in (CODEC.encode({}), b"\x0d"):
        with pytest.raises(DecodeError, match=r"allowed_?[cC]lasses"):
            codec.decode(data)
    enums = Kryo5Codec(
        schemas=shapes, allowed_classes=["com.example.Phase", "java.util.EnumSet"], release="4.7.0"
    )
    assert enums.encode(Phase.SENT).hex() == "0b03"
    assert enums.decode(bytes.fromhex("0b03")) is Phase.SENT
    assert enums.decode(enums.encode(JEnumSet("com.example.Phase", [Phase.PAID]))) == {Phase.PAID}


def test_list_that_contains_itself_is_rejected() -> None:
    loop: list[Any] = []
    loop.append([loop])
    with pytest.raises(EncodeError, match="nested deeper"):
        CODEC.encode(loop)


class Money:
    def __init__(self, cents: int) -> None:
        self.cents = cents


class MoneySerializer(Serializer):
    supertypes = ("java.lang.Number",)

    def read(self, source: Reader) -> Any:
        return Money(source.zigzag_long())

    def write(self, sink: Writer, value: Any) -> None:
        sink.zigzag_long(value.cents)


def test_own_serializers() -> None:
    money = MoneySerializer("com.example.Money")
    codec = Kryo5Codec(schemas=shapes, serializers={Money: money})
    found = codec.decode(codec.encode(Wide(anyNumber=Money(5), any=[Money(6), Money(7)])))
    assert found.anyNumber.cents == 5
    assert [each.cents for each in found.any] == [6, 7]
    with pytest.raises(EncodeError, match=r"is not a java\.lang\.CharSequence"):
        codec.encode(Wide(sequence=Money(5)))
    final = MoneySerializer("com.example.Money")
    final.final = True
    array = JArray("com.example.Money", [Money(5), None])
    assert Kryo5Codec(serializers={Money: final}).encode(array).endswith(b"\x03\x01\x0a\x00")


def test_two_classes_of_one_name() -> None:
    @java_class("com.example.OrderTask")
    @dataclass
    class Other:
        a: Annotated[int, "int"] = 0

    with pytest.raises(EncodeError, match="not the class that schemas= has for"):
        CODEC.encode(Other())
    assert Kryo5Codec(schemas=[Other]).decode(bytes.fromhex(ORDER + "02")) == Other(1)


def test_abstract_classes_and_strange_headers() -> None:
    base = b"\x01\x00com.example.Bas\xe5"
    with pytest.raises(DecodeError, match="abstract"):
        CODEC.decode(base)
    value = CODEC.encode(JEnumSet("com.example.Color", []))
    head = value[: value.index(b"Se\xf4") + 3]
    for rest, told in (
        (b"\x00\x00", "null where the class of an enum"),
        (b"\x03\x00", "is not an enum"),
        (b"\x01\x01com.example.Colo\xf2\x02\x02\x02", "malformed EnumSet"),
        (b"\x01\x01com.example.Colo\xf2\x01\x05", "malformed EnumSet"),
    ):
        with pytest.raises(DecodeError, match=told):
            CODEC.decode(head + rest)
    with pytest.raises(
        DecodeError, match=r"is a java\.util\.RegularEnumSet, not a java\.util\.Jumbo"
    ):
        CODEC.decode(value.replace(b"Regular", b"Jumbo"))
    for body, told in ((b"\x09", "no constant 8"), (b"\x02", "is not a com")):
        with pytest.raises(DecodeError, match=told):
            CODEC.decode(b"\x01\x00com.example.Phas\xe5" + body)
    assert CODEC.decode(b"\x01\x00com.example.Phas\xe5\x00") is None


def test_enum_sets() -> None:
    many = Enum("many", {f"C{number}": number for number in range(70)})  # type: ignore[misc] # made at run time
    java_enum("com.example.Many")(many)
    codec = Kryo5Codec(schemas=[many, Phase])
    value: JEnumSet[Any] = JEnumSet("com.example.Many", list(many)[3:68], jumbo=True)
    assert repr(codec.decode(codec.encode(value))) == repr(value)
    for wrong, told in (
        (JEnumSet("com.example.Many", []), "is a java.util.JumboEnumSet, not a java.util.Regular"),
        (JEnumSet("com.example.Many", [Color.RED], jumbo=True), "is not a com.example.Many"),
        (JList("java.util.RegularEnumSet", []), "RegularEnumSet"),
    ):
        with pytest.raises(EncodeError, match=told):
            codec.encode(wrong)


ATOMIC = "java.util.concurrent.atomic.Atomic"
REFUSED: list[tuple[str, Any]] = [
    ("4.7.0", each)
    for each in (
        Extras(uri=5),
        Extras(uri="a b"),
        Extras(url="x"),
        Extras(currency="euro"),
        Extras(zoneId="?"),
        Extras(locale="de"),
        Extras(locale=JValue("java.util.Locale", "de")),
        Extras(locale=JValue("java.util.Locale", "DE", "", "")),
        Extras(locale=JValue("java.util.Locale", 1, "", "")),
        Extras(pattern=JValue("java.util.regex.Pattern", 1, 0)),
        Extras(optional=JValue("java.util.Optional", None)),
        Extras(atomicBoolean=JValue(f"{ATOMIC}Boolean", 1)),
        Extras(bits=JValue("java.util.BitSet", 0)),
        Extras(type=JValue("java.lang.Class", "a b")),
        Extras(instant=datetime(2020, 1, 1)),
        Extras(instant=JValue("java.time.Instant", 0)),
        Extras(instant=JValue("java.time.Instant", 2**60, 0)),
        Extras(duration=JValue("java.time.Duration", 0, 10**9)),
        Extras(localDate=datetime(2020, 1, 1)),
        Extras(localDate=JValue("java.time.LocalDate", 2023, 2, 29)),
        Extras(localDate=JValue("java.time.LocalDate", 2023, 13, 1)),
        Extras(localDate=JValue("java.time.LocalDate", True, 1, 1)),
        Extras(localTime=time(1, tzinfo=UTC)),
        Extras(offsetTime=time(1)),
        Extras(offsetTime=time(1, tzinfo=timezone(timedelta(microseconds=1)))),
        Extras(localDateTime=datetime(2020, 1, 1, tzinfo=UTC)),
        Extras(zonedDateTime=datetime(2020, 1, 1, tzinfo=UTC)),
        Extras(zonedDateTime=JZonedDateTime(datetime(2020, 1, 1), "?")),
        Extras(monthDay=JValue("java.time.MonthDay", 2, 30)),
        Extras(calendar=JValue("java.util.GregorianCalendar", 1, 0, True, 1, 1, 0)),
        Extras(sqlDate=JValue("java.sql.Date", 1, 2)),
        Extras(sqlDate=JText("java.sql.Date", "1")),
        JValue("java.util.concurrent.ConcurrentHashMap$KeySetView", {}, True),
        JValue("java.util.concurrent.ConcurrentHashMap$KeySetView", None, True),
        JSerialized("java.util.EnumMap", b"x"),
        [JSerialized("java.util.EnumMap", b"x", after=b"y")],
        Wide(strings=JSerialized("java.util.EnumMap", b"\xac\xed\0\5")),
        JList("java.util.EnumMap", []),
        # Java reads these, and throws ClassCastException when it uses them.
        Generics(deep={"k": {}}),
        Generics(deep=JEntries("java.util.HashMap", [(["k"], [])])),
        Wide(tasks=["x"]),
        # Java's readers throw NullPointerException and ClassCastException.
        JMap("java.util.TreeMap", {None: 1}),
        Wide(tree={None: 1}),
        JMap("java.util.TreeMap", {"a": 1, 2: 2}),
        JMap("java.util.concurrent.ConcurrentSkipListMap", {(): 1}),
        JSet("java.util.TreeSet", ["a", 1]),
        JSet("java.util.TreeSet", [b"a"]),
        JList("java.util.PriorityQueue", [["a"]]),
    )
] + [
    ("3.19.0", JList("java.util.UUID", [])),
    ("3.19.0", StringCrate("text")),
    ("3.19.1", Names(["a"])),
    ("3.19.1", JList("java.util.Vector", [])),
    ("3.19.1", JMap("java.util.Hashtable", {})),
    ("3.19.0", JValue("java.util.regex.Pattern", 1, 0)),
    ("3.19.0", JValue(f"{ATOMIC}Boolean", 1)),
    ("3.19.0", JList("java.util.Collections$UnmodifiableList", [])),
    ("3.19.0", JMap("java.util.Collections$UnmodifiableMap", {})),
]


@each_row(("release", "value"), REFUSED, ids=repr)
def test_rejected_values(release: str, value: Any) -> None:
    with pytest.raises(EncodeError):
        Kryo5Codec(schemas=shapes, release=release).encode(value)


HEADS = {
    "java.util.Locale": "82" + "31" + "81" + "81",
    "java.util.BitSet": "01" + "00" * 8,
    "java.time.LocalDate": "e70f0d01",
    "java.time.LocalTime": "0100" + "00" + "00",
    "java.time.ZoneOffset": "7e",
    "java.net.URI": "80",
    "java.util.EnumMap": "00000000",
    "java.util.concurrent.ConcurrentHashMap$KeySetView": "0000",
}


@each_row(("name", "body"), HEADS.items())
def test_rejected_bytes(name: str, body: str) -> None:
    raw = name.encode()
    data = b"\x01\x00" + raw[:-1] + bytes([raw[-1] | 0x80]) + bytes.fromhex(body)
    with pytest.raises(DecodeError):
        CODEC.decode(data)


def test_old_atomics_and_wrappers() -> None:
    old = Kryo5Codec(schemas=shapes, release="3.19.0")
    head = old.encode(JValue(f"{ATOMIC}Boolean", True))[:-1]
    with pytest.raises(DecodeError, match="not a boolean"):
        old.decode(head + b"\x04")
    value = Extras(atomicReference=JValue(f"{ATOMIC}Reference", "r"))
    assert old.decode(old.encode(value)) == value
    name = b"\x01\x00java.util.Collections$UnmodifiableMa\xf0"
    assert old.decode(name + b"\x02\x02\x02\x02\x02") == {1: 1}
    entries = old.decode(name + b"\x03\x02\x02\x02\x02\x09\x02\x02\x02")
    assert list(entries) == [(1, 1), (JLong(1), 1)]
    arrays = old.decode(name + b"\x02\x01\x01java.util.ArrayLis\xf4\x01\x02\x02")
    assert list(arrays) == [([], 1)]


def test_null_texts_and_odd_offsets_are_decoded() -> None:
    builder = b"\x01\x00java.lang.StringBuilde\xf2"
    assert CODEC.decode(builder + b"\x80") is None
    assert CODEC.decode(b"\x01\x00java.lang.Clas\xf3\x00") is None
    found = CODEC.decode(
        CODEC.encode(Extras(offsetTime=JValue("java.time.OffsetTime", 1, 2, 3, 4, 5)))
    )
    zone = timezone(timedelta(seconds=5))
    assert found.offsetTime == JTime(1, 2, 3, tzinfo=zone, nanosecond=4)


def test_class_name_of_one_character() -> None:
    """A class name of one character has a length prefix, like a string of one character."""

    @java_class("Q")
    @dataclass
    class Q:
        pass

    codec = Kryo5Codec(schemas=[Q])
    assert codec.encode(Q()).hex() == "01008251"
    assert codec.decode(bytes.fromhex("01008251")) == Q()


def test_levels_and_months() -> None:
    for value in (Level.HIGH, Month.MAY, [Month.MAY, Level.LOW], Decimal("1.5"), date(2020, 1, 2)):
        assert CODEC.decode(CODEC.encode(value)) == value
    assert re.search("java.time.Mont", CODEC.encode(Month.MAY).decode("latin-1"))
    assert "com.example.Color" in Kryo5Codec(schemas=shapes)._registry.schemas
