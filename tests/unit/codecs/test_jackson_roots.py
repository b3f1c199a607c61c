"""`strict` rejects root values that Java would not read as their class.

In `tests/vectors/Shapes*.json`, `read` is the class that Java reads from such bytes.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from math import inf, nan
from typing import Any
from uuid import UUID

import pytest

from pyredisson import codecs
from pyredisson.codecs import Codec, JsonJackson3Codec, JsonJacksonCodec, ProtobufCodec
from pyredisson.errors import EncodeError
from pyredisson.java import (
    JArray,
    JBigInteger,
    JByte,
    JChar,
    JEnumSet,
    JFloat,
    JInstant,
    JList,
    JLong,
    JMap,
    JSet,
    JShort,
    JText,
    JValue,
    Month,
)
from pyredisson.java.objects import JavaObject, JavaValue
from tests.support.rows import each_row
from tests.unit.codecs import shapes
from tests.unit.codecs.shapes import Color, OrderTask, Phase, Point, Stamp

NAMING = [
    *("JsonJacksonCodec", "JsonJackson3Codec", "MsgPackJacksonCodec"),
    *("CborJacksonCodec", "SmileJacksonCodec", "IonJacksonCodec"),
]
JSON, JSON3, MSGPACK, CBOR, SMILE, ION = NAMING
FIXED = "java.util.ImmutableCollections$"
ATOMIC = "java.util.concurrent.atomic.Atomic"


def made(name: str, **options: Any) -> Codec[Any]:
    codec: Codec[Any] = getattr(codecs, name)(schemas=shapes, release="4.7.0", **options)
    return codec


# Java fails, or reads a String, Integer, Double and so on.
UNREADABLE = [
    *(JArray("int", [1, 2, 3]), JArray("int", []), JArray("java.lang.String", ["a"])),
    *(JArray("int[]", [JArray("int", [1])]), JArray("byte[]", [b"a"]), JArray("char", ["a"])),
    *(JArray("com.example.Color", [Color.RED]), JArray("com.example.Stamp", [Stamp("a", 1)])),
    *(JList(f"{FIXED}ListN", []), JList(f"{FIXED}List12", ["a"]), JSet(f"{FIXED}Set12", ["a"])),
    *(JMap(f"{FIXED}MapN", {}), JMap(f"{FIXED}Map1", {"a": 1})),
    *(Point(1, 2), Stamp("a", 1), Color.RED, Phase.PAID, Month.MAY),
    *(JShort(5), JByte(5), JChar("a")),
    *(JText("java.net.URI", "a:b"), JText("java.lang.StringBuilder", "a")),
    *(JText("sun.nio.cs.UTF_8", "UTF-8"), JText("sun.nio.cs.UTF_16", "UTF-16")),
    *(JValue("java.lang.Class", "java.lang.String"), JValue(f"{ATOMIC}Reference", "a")),
]
READABLE = [
    *("a", "", True, 5, 1 << 40, 1.5, None, OrderTask("A", "b", 1)),
    *([1], {"a": 1}, {"a"}, [JArray("int", [1])], [Point(1, 2)], [Color.RED], [b"a"]),
    *(JList("java.util.LinkedList", [1]), JList("java.util.Arrays$ArrayList", ["a"])),
    *(JArray("java.lang.Object", [1]), JArray("com.example.OrderTask", [OrderTask("A")])),
    *(JMap("java.util.EnumMap", {Color.RED: 1}), JEnumSet("com.example.Color", [Color.RED])),
]
TIMES = [
    *(date(2024, 1, 2), time(3, 4), timedelta(seconds=5), JInstant(2024, 1, 2, tzinfo=UTC)),
    *(JValue("java.time.Year", 2024), JValue("java.time.Period", 1, 2, 3)),
]
NOW = datetime(2024, 1, 2, tzinfo=UTC)
DATES = [NOW, JValue("java.sql.Timestamp", 5)]
ATOMICS = [JValue(f"{ATOMIC}Integer", 5), JValue(f"{ATOMIC}Boolean", True)]
SPECIAL = [nan, inf, -inf]
OTHERS = [*[(name, True, DATES + ATOMICS) for name in NAMING[:5]], (ION, False, DATES + ATOMICS)]


@each_row("name", NAMING)
@each_row("value", UNREADABLE, ids=repr)
def test_rejected_at_the_root(name: str, value: Any) -> None:
    loose = made(name, strict=False)
    assert isinstance(loose.encode(value), bytes)
    for _ in range(2):
        with pytest.raises(EncodeError, match=f"^{name}: Java (reads|writes) a .* strict=False$"):
            made(name).encode(value)
    assert made(name).encode([value]) == loose.encode([value])


@each_row("name", NAMING)
@each_row("value", READABLE, ids=repr)
def test_written_at_the_root(name: str, value: Any) -> None:
    codec = made(name)
    assert codec.encode(value) == made(name, strict=False).encode(value)
    assert codec.decode(codec.encode(value)) == value


@each_row(
    ("name", "readable", "values"),
    [
        *OTHERS,
        (JSON, False, [b"a", b"", JArray("byte", [1]), *SPECIAL, JFloat(1.5)]),
        (JSON, True, [JLong(5), UUID(int=5), JBigInteger(5)]),
        (JSON3, False, [b"a", *SPECIAL, JFloat(1.5), JLong(5), JArray("long", [1]), *TIMES]),
        (JSON3, False, [JValue("java.util.Optional", "a"), JValue("java.util.Optional")]),
        (JSON3, False, [JValue("java.util.OptionalInt", 5)]),
        (JSON3, True, [JLong(1 << 40), UUID(int=5)]),
        (MSGPACK, False, [JFloat(1.5)]),
        (MSGPACK, True, [b"a", *SPECIAL, JLong(5), UUID(int=5)]),
        (CBOR, True, [b"a", *SPECIAL, JFloat(1.5), JLong(5), UUID(int=5)]),
        (SMILE, True, [b"a", *SPECIAL, JFloat(1.5), JLong(5), UUID(int=5)]),
        (ION, False, [JFloat(1.5), JLong(5), UUID(int=5), JBigInteger(5), Phase.NEW]),
        (ION, True, [b"a", *SPECIAL, JLong(1 << 40), JBigInteger(1 << 70)]),
    ],
)
def test_format_keeps_or_rejects_a_root_value(name: str, readable: bool, values: list[Any]) -> None:
    for value in values:
        if readable:
            assert made(name).encode(value) == made(name, strict=False).encode(value)
            continue
        assert isinstance(made(name, strict=False).encode(value), bytes)
        with pytest.raises(EncodeError, match="strict=False"):
            made(name).encode(value)


@each_row("java_time", ["arrays", "iso"])
@each_row("value", TIMES, ids=repr)
def test_times_of_a_mapper(java_time: Any, value: Any) -> None:
    codec = JsonJacksonCodec(java_time=java_time)
    with pytest.raises(EncodeError, match="because it is final"):
        codec.encode(value)
    assert codec.decode(codec.encode([value])) == [value]


@pytest.mark.parametrize("release", ["3.19.3", "3.27.2", "4.1.0"])
def test_uuid_is_rejected_for_releases_that_omit_its_class(release: str) -> None:
    for name in (JSON, CBOR, SMILE):
        with pytest.raises(EncodeError, match=r"java.util.UUID at the root without its class"):
            getattr(codecs, name)(release=release).encode(UUID(int=5))


def test_root_error_names_the_remedy() -> None:
    with pytest.raises(EncodeError) as caught:
        JsonJacksonCodec().encode(JArray("int", [1]))
    assert str(caught.value) == (
        "JsonJacksonCodec: Java writes a [I at the root without its class, because it is final, "
        'and cannot read that back; put it into a list, or pass typing="everything" if the codec '
        "of the service overrides initTypeInclusion, or pass strict=False"
    )
    with pytest.raises(EncodeError) as caught:
        made(ION).encode(NOW)
    assert str(caught.value) == (
        "IonJacksonCodec: Java reads a java.util.Date at the root as another class, or not at all; "
        "to write it nevertheless, pass strict=False"
    )


def test_wrong_contents_are_named_first() -> None:
    with pytest.raises(EncodeError, match="not an int"):
        JsonJacksonCodec().encode(JArray("int", ["a"]))


@each_row("data", [b"[1,2,3]", b'["a","b"]', b"[[1],[]]", b'{"x":1}', b"[]", b"{}"])
def test_java_s_bytes_are_read(data: bytes) -> None:
    """They are written again only with `strict=False`."""
    value = JsonJacksonCodec().decode(data)
    assert JsonJacksonCodec(strict=False).encode(value) == data
    with pytest.raises(EncodeError, match="because it is final"):
        JsonJacksonCodec().encode(value)


@pytest.mark.parametrize(
    "value",
    [JavaObject("a.B", {"c": 1}), JavaValue("a.B", 5), JavaValue("java.time.Year", 2024)],
    ids=repr,
)
def test_root_value_that_always_names_its_class_round_trips(value: Any) -> None:
    codec = JsonJacksonCodec()
    assert codec.decode(codec.encode(value)) == value


def test_rejected_object_does_not_change_later_encoding() -> None:
    codec = JsonJacksonCodec(schemas=shapes)
    other = JavaObject("a.B", {"c": 1})
    written = codec.encode(other)
    with pytest.raises(EncodeError):
        codec.encode(JavaObject("com.example.OrderTask", {"orderId": "A1"}))
    assert codec.encode(other) == written


@each_row(
    ("codec", "value", "data"),
    [
        (codecs.TypedJsonJacksonCodec(), JArray("int", [1]), b"[1]"),
        (codecs.TypedJsonJacksonCodec(bytes), b"abc", b'"YWJj"'),
        (codecs.TypedJsonJacksonCodec(Color), Color.RED, b'"RED"'),
        (codecs.TypedJsonJacksonCodec(Point), Point(1, 2), b'{"x":1,"y":2}'),
        (JsonJackson3Codec(typing=False), JArray("int", [1]), b"[1]"),
        (codecs.CborJackson3Codec(), b"a", b"\x41a"),
        (ProtobufCodec(JShort), JShort(5), b"5"),
        (ProtobufCodec(UUID).for_release("3.27.2"), UUID(int=5), f'"{UUID(int=5)}"'.encode()),
    ],
    ids=repr,
)
def test_codecs_that_do_not_name_classes(codec: Any, value: Any, data: bytes) -> None:
    """Java knows the class of their values, or reads every value as maps and lists."""
    assert codec.encode(value) == data
