"""FstCodec beyond the recorded values: rejections, unusual objects, encoding."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from typing import Annotated, Any, cast

import pytest

from pyredisson.codecs import FstCodec
from pyredisson.errors import DecodeError, EncodeError
from pyredisson.java import (
    JArray,
    JBigInteger,
    JByte,
    JChar,
    JList,
    JLong,
    JMap,
    JShort,
    JValue,
)
from pyredisson.java.objects import JavaObject, JavaValue
from pyredisson.java.schema import JavaField, java_class, java_enum
from tests.support.rows import each_row
from tests.unit.codecs.migration_shapes import SHAPES, FailedError, Held, Spot, Tags


@java_class("a.Gone", variables=["T extends Number"])
@dataclass
class Gone:
    kept: Annotated[Any, "T"] = None
    lost: Annotated[int, JavaField("int", transient=True)] = 7
    far: Annotated[Any, JavaField("String", transient=True)] = "x"


@java_class("a.Frozen")
@dataclass(frozen=True, eq=False)
class Frozen:
    items: Annotated[Any, "List<Object>"]


@java_class("a.Own", extends="java.util.Vector")
@dataclass
class Own:
    pass


@java_enum("a.B")
class Letter(Enum):
    A = 1


CODEC = FstCodec([Gone, Letter, *SHAPES])


def name(text: str) -> str:
    return f"{len(text):02x}" + text.encode().hex()


def test_transient_fields_are_zero() -> None:
    assert CODEC.decode(bytes.fromhex(f"00 01 {name('a.Gone')} f705 00")) == Gone(5, 0, None)


def test_array_with_the_tag_of_an_object_is_decoded() -> None:
    assert CODEC.decode(bytes.fromhex("00 24 01 05")) == b"\x05"


def test_enums_without_a_schema_are_numbers() -> None:
    found = FstCodec().decode(bytes.fromhex(f"fa 00 {name('a.B')} 02"))
    assert found == JavaValue("a.B", 2)


@each_row(
    ("data", "reason"),
    [
        ("05", "no object begins with"),
        ("fd", "no object begins with"),
        ("f9 05", "a reference to byte 5, where no object began"),
        (f"00 01 {name('java.util.CollSer')} 37 63 01 00 01 ed f9 00", "circle"),
        ("00 02", "class number 2"),
        ("00 24 01 05 01", "left over"),
        ("00 ff e803", "class number 1000"),
        (f"fa 01 {name('com.example.Color')} 05", "no constant 5"),
        ("fb 03 01", "array of class java.lang.String"),
        (f"00 01 {name('a.B')} 00", "is an enum"),
        (f"00 01 {name('com.example.Animal')} 00 ff 01", "do not end"),
        (f"00 01 {name('java.util.CollSer')} 37 01", "unknown way"),
        (f"00 01 {name('java.util.CollSer')} 01", "unknown way"),
        (f"00 01 {name('java.util.EnumMap')} 37 63 f0", "expected a class"),
        (f"00 01 {name('java.lang.Class')} 01 {name('a.B')}", "is marked as primitive"),
        ("00 1d 37 4d 02", "expected a map of fields"),
        ("00 1d 37 4d 01 01 f7 01", "name is not a text"),
        (f"00 01 {name('java.util.CollSer')} 37 63 01 00 01 01 01", "expected an object"),
        (
            f"00 01 {name('java.util.RegularEnumSet')} 01 01 {name('a.C')} 00 10 00",
            "values that are not constants",
        ),
        ("00 0b 00", "a number of 0 bytes"),
        ("fc 80 ffff", "negative"),
        ("00 16 37 63 00 ed fc 01 61 00", "comparator"),
    ],
)
def test_malformed(data: str, reason: str) -> None:
    with pytest.raises(DecodeError, match=reason):
        CODEC.decode(bytes.fromhex(data))


@each_row(
    "value",
    [
        [JMap("java.util.LinkedHashMap", {"a": 1}), JMap("java.util.LinkedHashMap", {})],
        JList("java.util.Stack", [JByte(-1), JShort(-1), JShort(300), JChar("ж")]),
        JArray("long", [1, -1]),
        JArray("float", [0.5]),
        JArray("boolean", [True, False]),
        JArray("char", ["a", "ж"]),
        JArray("short", [-1, 300]),
        [-127, -126, 127, 128, -32768, 40000, JLong(-126), JLong(-125), JLong(1 << 40)],
    ],
)
def test_round_trip(value: Any) -> None:
    found = CODEC.decode(CODEC.encode(value))
    assert repr(found) == repr(value)


def test_repeated_object_is_written_as_a_reference() -> None:
    """As in Java. Dates and boxed numbers are written in full each time."""
    text = "".join("ab")
    assert FstCodec().encode([text, "".join("ab"), text]).hex() == "001003fc026162fc026162f903"
    when = datetime(1970, 1, 1, 0, 0, 0, 5000, tzinfo=UTC)
    assert FstCodec().encode([when, when]).hex() == "001002001305001305"
    one, five = ["a"], JBigInteger(5)
    first, second, third, fourth = CODEC.decode(CODEC.encode([one, five, one, five]))
    assert first is third
    assert second is fourth


def test_signed_bytes() -> None:
    assert CODEC.encode(JArray("byte", [1, -1])) == CODEC.encode(b"\x01\xff")


TREE: JMap[str, Any] = JMap("java.util.TreeMap")
TREE["a"] = TREE
FROZEN = Frozen([])
FROZEN.items.append(FROZEN)
ELEMENT = JavaObject("java.lang.StackTraceElement", {"format": 1, "lineNumber": 5})
ZONE = JavaObject("sun.util.calendar.ZoneInfo", {"ID": "UTC"})


@each_row(
    ("value", "reason"),
    [
        (FROZEN, "contains itself"),
        (JArray("java.lang.String", [1]), "not a java.lang.String"),
        (JArray("java.lang.Long", ["a"]), "a number"),
        (JArray("int[]", [JArray("long")]), r"not a int\[\]"),
        (JArray("boolean", [1]), "not a boolean"),
        (JMap("java.util.Properties", {"a": "b"}), "can only read"),
        (JList("java.util.concurrent.LinkedBlockingQueue", ["a"]), "can only read"),
        (JValue("java.util.OptionalInt", 5), "can only read"),
        (Spot("here"), "Java cannot read records"),
        (object(), "no Java class"),
        (JavaValue("a.Letter", "A"), "FST writes the ordinal"),
        (JavaValue("java.lang.Class", 5), "not a class's name"),
        (JList("java.lang.StringBuilder", []), "not a java.lang.StringBuilder"),
        (JavaObject("a.Unknown", {}), "can only read"),
        (JavaObject("java.util.Currency", {"code": "EUR"}), "its fields are"),
        (JavaObject("java.util.Currency", {}), "without its currencyCode"),
        (JavaObject("java.util.BitSet", {}), "without its bits"),
        (JavaObject("java.io.File", {"path": "/a"}), "unexpected data"),
        (JavaObject("java.io.File", {"path": "/a", "@data": [b"\0/", 5]}), "unexpected data"),
        (
            JavaObject("java.util.IdentityHashMap", {"size": 1, "@data": [b"\0\0\0\1", 1]}),
            "unexpected",
        ),
        (ZONE, "without its willGMTOffsetChange"),
        (Held(a=cast("Any", "no")), "not a boolean"),
        (Held(stack="x"), "not a java.util.Stack"),
        (Tags.__new__(Tags), "lacks the attribute 'owner'; set it"),
        (Own(), "what FST writes of a java.util.Vector"),
    ],
)
def test_rejected(value: Any, reason: str) -> None:
    codec = FstCodec([Frozen, Own, *SHAPES])
    with pytest.raises(EncodeError, match=reason):
        codec.encode(value)


@java_class("a.Node")
@dataclass(eq=False)
class Node:
    kids: Annotated[Any, "List<a.Node>"] = None
    parent: Annotated[Any, "a.Node"] = None


def test_unsupported_superclass_is_rejected() -> None:
    with pytest.raises(DecodeError, match=r"what FST writes of a java\.util\.Vector"):
        FstCodec([Own]).decode(bytes.fromhex(f"00 01 {name('a.Own')} 00"))


def test_exception_without_details_round_trips() -> None:
    """Java's `new Error()` without a stack trace, and an error with one stack trace element."""
    bare = JavaObject("java.lang.Error", {})
    trace = JArray("java.lang.StackTraceElement", [ELEMENT])
    data = FstCodec().encode([bare, JavaObject("java.lang.Error", {"stackTrace": trace})])
    first, second = FstCodec().decode(data)
    assert first.fields["cause"] is first
    assert first.fields["detailMessage"] is None
    assert second.fields["stackTrace"][0].fields["lineNumber"] == 5


def test_synchronized_list_keeps_its_mutex() -> None:
    """For an ArrayList, FST writes a second wrapper as the mutex. Other mutexes are rejected."""
    plain = "java.util.Collections$SynchronizedList"
    data = FstCodec().encode(JList(plain.replace("edL", "edRandomAccessL"), ["ab"]))
    assert FstCodec().encode(FstCodec().decode(data)) == data
    text = f"00 01 {name(plain)} 37 63 00 10 00 fc 01 6d 00 42 ff 00"
    found = FstCodec().decode(bytes.fromhex(text))
    with pytest.raises(EncodeError, match="another object locks"):
        FstCodec().encode(found)


def test_long_class_name_is_written_as_a_text() -> None:
    long = JavaValue("a." + "b" * 130, 0)
    assert FstCodec().encode(long)[:3].hex() == "fa0080"
    assert FstCodec().decode(FstCodec().encode(long)) == long


def test_tree_map_that_contains_itself_is_rejected() -> None:
    with pytest.raises(DecodeError, match="circle"):
        FstCodec().decode(FstCodec().encode(TREE))


def test_circles() -> None:
    """FST 2.57's bytes of a node and its child in a circle, and of a map that contains itself."""
    codec = FstCodec([Node])
    told = f"00 01 {name('a.Node')} 00 10 01 00 ff e803 ff f9 00 00 ff 00"
    root = codec.decode(bytes.fromhex(told))
    assert root.kids[0].parent is root
    found = FstCodec().decode(bytes.fromhex("00 0f 01 fc 01 61 f9 00"))
    assert found["a"] is found
    with pytest.raises(DecodeError, match="circle"):
        FstCodec().decode(bytes.fromhex("00 0f 02 f7 01 f9 00 f6 01 ff"))
    twice = FstCodec().decode(bytes.fromhex("00 10 02 00 0f 02 f7 01 ff f6 01 ff f9 03"))
    assert twice[0] is twice[1]


@pytest.mark.parametrize("trace", [JArray("java.lang.String"), None])
def test_a_stack_trace_of_another_class_is_not_lost(trace: Any) -> None:
    """A former bug changed an empty array of another class to a StackTraceElement[]."""
    codec = FstCodec(SHAPES)
    failed = FailedError.__new__(FailedError)
    failed.__dict__.update(code=7, fatal=True, level=5, stackTrace=trace)
    if trace is None:
        assert codec.decode(codec.encode(failed)).stackTrace is None
        return
    with pytest.raises(EncodeError, match="StackTraceElement"):
        codec.encode(failed)
