"""SerializationCodec and MarshallingCodec: the JDK values that they write, and that they reject."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from pyredisson.codecs import MarshallingCodec, SerializationCodec
from pyredisson.errors import DecodeError, EncodeError
from pyredisson.java import (
    JArray,
    JEntries,
    JEnumSet,
    JList,
    JLocalDateTime,
    JMap,
    JSet,
    JText,
    JValue,
    JZonedDateTime,
)
from pyredisson.java.objects import JavaValue
from tests.unit.codecs.migration_shapes import SHAPES, Color, Order, Spot

CODECS: list[Any] = [SerializationCodec(SHAPES), MarshallingCodec(SHAPES)]
each_codec = pytest.mark.parametrize("codec", CODECS, ids=lambda each: type(each).__name__)
LOCAL = JLocalDateTime(2024, 1, 2, 3, 4, 5)
IMMUTABLE = "java.util.ImmutableCollections$"


@each_codec
@pytest.mark.parametrize(
    "value",
    [
        JZonedDateTime(LOCAL, "Europe/Berlin", 3600),
        JZonedDateTime(LOCAL, "-02:30"),
        JZonedDateTime(LOCAL, "Z"),
        JList("java.util.Vector", range(30)),
        JList("java.util.Arrays$ArrayList", ["a", "b"]),
        JList("java.util.Arrays$ArrayList", ["a", 1]),
        JList(f"{IMMUTABLE}ListN", ["a", None]),
        JMap("java.util.Hashtable", {str(each): each for each in range(30)}),
        JMap("java.util.IdentityHashMap", {"a": 1}),
        JEnumSet("com.example.Color", [Color.BLUE, Color.RED]),
        JEnumSet("com.example.Other", [JavaValue("com.example.Other", "X")]),
        JText("java.lang.StringBuilder", "text"),
        JValue("java.util.Locale", "de", "AT", ""),
        JArray("com.example.Color", [Color.RED]),
        JArray("java.lang.Number", [1]),
        JArray("com.example.Order[]", [JArray("com.example.Order", [Order()])]),
        JArray("java.util.List", [[1]]),
        JArray("java.util.concurrent.ConcurrentHashMap", [None]),
    ],
    ids=repr,
)
def test_round_trip(codec: Any, value: Any) -> None:
    data = codec.encode([value, value])
    found, other = codec.decode(data)
    assert found is other
    assert (found, type(found).__mro__[-2]) == (value, type(value).__mro__[-2])
    assert codec.encode([found, found]) == data


@each_codec
@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (JZonedDateTime(LOCAL, "Europe/Berlin"), "offset=3600"),
        (JZonedDateTime(LOCAL, "Europe/Berlin", 70_000), "ZoneOffset"),
        (JZonedDateTime(LOCAL, "+19:00"), "ZoneOffset"),
        (JZonedDateTime(LOCAL, "no zone", 0), "id of a time zone"),
        (JZonedDateTime(datetime(2024, 1, 1), "Z"), ""),
        (JText("java.time.ZoneRegion", ""), "id of a time zone"),
        (JValue("java.time.ZonedDateTime", 5), r"not a java\.time\.ZonedDateTime"),
        (JValue("java.util.RegularEnumSet", 5), "names its enum"),
        (JEnumSet("com.example.Color", [5]), "not a constant of"),
        (
            JEnumSet("a.B", [JavaValue("a.B", "X"), JavaValue("a.B", "Y")]),
            "whose order is unknown",
        ),
        (JList(f"{IMMUTABLE}List12", []), "of 0 elements"),
        (JSet(f"{IMMUTABLE}SetN", [None]), "takes no null"),
        (JList("java.util.Collections$CopiesList", [1, 2]), "can only read|repeats one object"),
        (JList("java.util.Collections$CopiesList", []), "can only read|repeats one object"),
        (JValue("java.sql.Timestamp", 1, 0), "whole seconds"),
        (JValue("java.sql.Timestamp", 1), "of 2 parts"),
        (JValue("java.util.concurrent.atomic.AtomicBoolean", 1), "not a boolean"),
        (JValue("java.net.URI", 1), r"not a java\.net\.URI"),
        (JValue("java.util.BitSet", 1, 0), "last word is zero"),
        (JValue("java.util.Locale", 1), "language, country"),
        (JArray("com.example.Unknown", [None, 1]), "can only read|not a com"),
    ],
    ids=repr,
)
def test_rejected(codec: Any, value: Any, reason: str) -> None:
    if reason:
        with pytest.raises(EncodeError, match=reason):
            codec.encode(value)
    else:
        assert codec.decode(codec.encode(value)) == value


def test_copies_list_contains_its_object_once() -> None:
    value: JList[str] = JList("java.util.Collections$CopiesList", ["ab"] * 3)
    data = CODECS[1].encode(value)
    assert data.hex() == "0453037b3e026162"
    assert CODECS[1].decode(data) == value


def stream(text: str, old: str, new: str, value: Any) -> None:
    codec = SerializationCodec()
    data = codec.encode(value)
    changed = data.replace(bytes.fromhex(old), bytes.fromhex(new))
    assert data != changed
    with pytest.raises(DecodeError, match=text):
        codec.decode(changed)


def test_data_that_would_be_lost_is_not_decoded() -> None:
    vector = JList("java.util.Vector", [1])
    stream("elements beyond its elementCount", "00000000 00000001", "00000000 00000000", vector)
    stream("with a capacityIncrement", "00000000 00000001", "00000005 00000001", vector)
    table = JMap("java.util.Properties", {"a": "b"})
    data = SerializationCodec().encode(table)
    with pytest.raises(DecodeError, match="with defaults"):
        SerializationCodec().decode(data[:-1] + b"t\0\1a")


def test_the_order_of_names_and_texts_in_river() -> None:
    """A text before the class that has a field of that name: both are one object in Java."""
    codec = MarshallingCodec(SHAPES)
    first = "".join(["or", "derId"])
    assert codec.encode([first, Order()]).count(b"orderId") == 2
    data = codec.encode(["orderId", Order()])
    assert data.count(b"orderId") == 1
    found = codec.decode(data)
    assert codec.encode(found) == data


def test_marshalling_has_no_records() -> None:
    with pytest.raises(EncodeError, match="cannot write records"):
        CODECS[1].encode(Spot())


@each_codec
def test_an_array_of_a_class_that_is_not_known(codec: Any) -> None:
    value: JArray[Any] = JArray("com.example.Unknown", [])
    if codec is CODECS[0]:
        assert codec.decode(codec.encode(value)) == value
    else:
        with pytest.raises(EncodeError, match="can only read"):
            codec.encode(value)


HASH = "0507dac1c31660d1"


@pytest.mark.parametrize("count", [0, 1])
def test_capacity_of_a_hash_table_is_kept(count: int) -> None:
    """`new HashMap<>(100)` and `new HashSet<>(100)` have 128 buckets, as long as these suffice."""
    codec = SerializationCodec()
    plain = codec.encode(dict.fromkeys(range(count)))
    threshold, capacity = ("0000000c", "00000010") if count else ("00000000", "00000010")
    room = ("00000060" if count else "00000080", "00000080")
    data = bytes.fromhex(
        plain.hex().replace(f"3f400000{threshold}7708{capacity}", f"3f400000{room[0]}7708{room[1]}")
    )
    assert data != plain
    found = codec.decode(data)
    assert (found, repr(found)[:4]) == (dict.fromkeys(range(count)), "JMap")
    assert codec.encode(found) == data
    found.update(dict.fromkeys(range(200)))
    assert codec.decode(codec.encode(found)) == dict.fromkeys(range(200))
    numbers = set(range(count))
    data = codec.encode(numbers).replace(b"\0\0\0\x10\x3f\x40\0\0", b"\0\0\0\x80\x3f\x40\0\0")
    other = codec.decode(data)
    assert other == numbers
    assert codec.encode(other) == data
    other |= set(range(200))
    assert codec.decode(codec.encode(other)) == set(range(200))


def test_hash_table_that_no_dict_or_set_can_hold_is_rejected() -> None:
    codec = SerializationCodec()
    data = codec.encode(JEntries("java.util.HashMap", [([], 1)]))
    with pytest.raises(DecodeError, match="keys no dict can hold"):
        codec.decode(data.replace(bytes.fromhex("77080000001000"), bytes.fromhex("77080000002000")))
    data = codec.encode(JList("java.util.HashSet", [[]]))
    with pytest.raises(DecodeError, match="elements no set can hold"):
        codec.decode(data.replace(bytes.fromhex("770c00000010"), bytes.fromhex("770c00000020")))


def test_the_name_of_a_constant_may_be_a_reference() -> None:
    data = CODECS[0].encode(["RED", Color.RED])
    name = b"t\0\3RED"
    at = data.rindex(name)
    changed = data[:at] + bytes.fromhex("71007e0002") + data[at + len(name) :]
    assert CODECS[0].decode(changed) == ["RED", Color.RED]


@pytest.mark.parametrize("count", [300, 66_000])
def test_repeated_class_is_written_as_a_distance(count: int) -> None:
    """A repeated class is written as a distance of one, two or four bytes."""
    codec = MarshallingCodec()
    value = [JavaValue(f"a.B{each}", "X") for each in range(count)]
    value.append(JavaValue("a.B0", "Y"))
    tail = codec.encode(value).hex()
    assert tail.endswith("043cfed40000000159" if count == 300 else "0406000000000000000159")


@each_codec
def test_map_in_a_circle_that_no_dict_can_hold_is_rejected(codec: Any) -> None:
    other: JMap[Any, Any] = JMap("java.util.HashMap", {"b": 1, "a": 2})
    other["self"] = other
    with pytest.raises(DecodeError, match="order that a dict does not keep"):
        codec.decode(codec.encode(other))
    entries: JEntries[Any, Any] = JEntries("java.util.HashMap", [([1], 1)])
    entries.append(("self", entries))
    with pytest.raises(DecodeError, match="keys no dict can hold"):
        codec.decode(codec.encode(entries))


@each_codec
def test_classes_of_arrays(codec: Any) -> None:
    """Each kind of class is described once."""
    orders = JArray("com.example.Order", [Order()])
    colors = JArray("com.example.Color", [Color.RED])
    thrown: Any = JArray("java.lang.RuntimeException", [None])
    value = [orders, JArray("com.example.Order", []), colors, thrown, JArray("java.util.Date", [])]
    value += [JArray("com.example.Color", []), JArray("int[]", [JArray("int", [1])])]
    value += [JArray("java.lang.Comparable", [1]), JArray("java.lang.Comparable", [])]
    assert codec.decode(codec.encode(value)) == value
