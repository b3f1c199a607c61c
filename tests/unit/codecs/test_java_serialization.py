"""SerializationCodec beyond the recorded values: unusual streams, schemas, rejections."""

from __future__ import annotations

import struct
from datetime import timedelta, timezone
from typing import Any

import pytest

from pyredisson.codecs import Limits, SerializationCodec
from pyredisson.errors import DecodeError, EncodeError
from pyredisson.java import JEntries, JMap, JTime
from pyredisson.java.objects import JavaObject, JavaValue
from pyredisson.java.values import JValue
from tests.support.rows import each_row
from tests.unit.codecs.migration_shapes import SHAPES, Order

HEAD = b"\xac\xed\0\x05"
NULL, END = b"p", b"x"
CODEC = SerializationCodec(SHAPES)


def utf(text: str) -> bytes:
    return struct.pack(">H", len(text)) + text.encode()


def text(value: str) -> bytes:
    return b"t" + utf(value)


def described(
    name: str, fields: list[tuple[str, str]], flags: int = 2, *, up: bytes = NULL
) -> bytes:
    out = b"r" + utf(name) + bytes(8) + struct.pack(">BH", flags, len(fields))
    for kind, field in fields:
        out += kind[:1].encode() + utf(field)
        if kind[0] in "[L":
            out += text(kind)
    return out + END + up


def instance(name: str, fields: list[tuple[str, str]], body: bytes, flags: int = 2) -> bytes:
    return b"s" + described(name, fields, flags) + body


def block(data: bytes) -> bytes:
    return struct.pack(">BB", 0x77, len(data)) + data


def objects(*values: bytes) -> bytes:
    """Encode an Object[]."""
    start = b"u" + described("[Ljava.lang.Object;", []) + struct.pack(">i", len(values))
    return start + b"".join(values)


def reference(number: int) -> bytes:
    return struct.pack(">Bi", 0x71, 0x7E0000 + number)


OBJECT = ("Ljava/lang/Object;",)
LIST = instance("java.util.ArrayList", [("I", "size")], bytes(4) + block(bytes(4)) + END, 3)


def time(data: str) -> bytes:
    return instance("java.time.Ser", [], block(bytes.fromhex(data)) + END, 12)


@each_row(
    ("data", "wanted"),
    [
        (time("01 0000000000000002 000003e8"), timedelta(seconds=2, microseconds=1)),
        (
            time("09 01 02 03 00000005 08"),
            JTime(1, 2, 3, tzinfo=timezone(timedelta(hours=2)), nanosecond=5),
        ),
        (
            time("05 00002710 01 01 01 02 03 00000000"),
            JValue("java.time.LocalDateTime", 10000, 1, 1, 1, 2, 3, 0),
        ),
        (
            time("0a 00002710 01 01 01 02 03 00000000 00"),
            JValue("java.time.OffsetDateTime", 10000, 1, 1, 1, 2, 3, 0, 0),
        ),
        (
            instance("java.sql.Date", [], b"", 2).replace(
                END + NULL, END + described("java.util.Date", [], 3) + block(bytes(8)) + END, 1
            ),
            JValue("java.sql.Date", 0),
        ),
        (
            instance("java.util.concurrent.atomic.AtomicBoolean", [("I", "value")], b"\0\0\0\1"),
            JValue("java.util.concurrent.atomic.AtomicBoolean", True),
        ),
        (b"v" + described("com.example.A", []), JavaValue("java.lang.Class", "com.example.A")),
        (
            objects(b"v" + described("com.example.A", []), reference(2)),
            [
                JavaValue("java.lang.Class", "com.example.A"),
                JavaValue("java.io.ObjectStreamClass", "com.example.A"),
            ],
        ),
        (
            b"s}" + struct.pack(">i", 1) + utf("java.util.List") + END + NULL,
            JavaObject("java.lang.reflect.Proxy", {}),
        ),
        (b"|" + struct.pack(">q", 2) + b"ab", "ab"),
        (
            b"sr" + utf("a.B") + bytes(8) + b"\2\0\0" + NULL + END + NULL,
            JavaObject("a.B", {}),
        ),
        (
            instance(
                "java.util.Collections$UnmodifiableMap",
                [("Ljava/util/Map;", "m")],
                instance(
                    "java.util.HashMap",
                    [],
                    block(struct.pack(">ii", 16, 1)) + LIST + NULL + END,
                    3,
                ),
            ),
            JEntries("java.util.Collections$UnmodifiableMap", [([], None)]),
        ),
    ],
)
def test_read(data: bytes, wanted: Any) -> None:
    assert CODEC.decode(HEAD + data) == wanted


def test_zones_that_are_offsets() -> None:
    for offset, name in (
        ("00", "Z"),
        ("08", "+02:00"),
        ("ec", "-05:00"),
        ("7f00000e8b", "+01:02:03"),
    ):
        found = CODEC.decode(HEAD + time(f"06 000007e7 0b 0e 16 0d eb {offset} 08 {offset}"))
        assert found.zone == name


def test_objects_in_a_circle() -> None:
    found = CODEC.decode(HEAD + instance("com.example.Node", [(*OBJECT, "next")], reference(2)))
    assert found.fields["next"] is found


def test_synchronized_maps_are_their_own_mutex() -> None:
    name = "java.util.Collections$SynchronizedMap"
    inner = instance("java.util.HashMap", [], block(struct.pack(">ii", 16, 0)) + END, 3)
    fields = [("Ljava/util/Map;", "m"), (*OBJECT, "mutex")]
    data = HEAD + instance(name, fields, inner + reference(3) + END, 3)
    assert CODEC.decode(data) == JMap(name, {})
    unhashable = instance(
        "java.util.HashMap", [], block(struct.pack(">ii", 16, 1)) + LIST + NULL + END, 3
    )
    found = CODEC.decode(HEAD + instance(name, fields, unhashable + reference(3) + END, 3))
    assert found == JEntries(name, [([], None)])


def test_shadowed_field_is_prefixed_with_its_class() -> None:
    up = described("com.example.A", [("I", "x")])
    data = b"s" + described("com.example.B", [("I", "x")], up=up) + struct.pack(">ii", 1, 2)
    assert CODEC.decode(HEAD + data).fields == {"com.example.A.x": 1, "x": 2}


def line(count: int) -> bytes:
    return b"".join(
        b"r" + utf(f"com.example.C{each}") + bytes(8) + b"\2\0\0x" for each in range(count)
    )


@each_row(
    ("data", "reason"),
    [
        (b"", "early"),
        (b"z", "no object begins with"),
        (text("a") + b"x", "left over"),
        (reference(9), "reference to an unknown object"),
        (b"s" + reference(9), "other than a class description"),
        (b"s" + text("a"), "no class description begins with"),
        (b"sp", "without a class"),
        (b"s" + line(80) + NULL, "superclasses|nested"),
        (b"s" + b"r" + utf("a.B") + bytes(8) + b"\2\0\1Q" + utf("x"), "unknown type"),
        (b"s" + b"r" + utf("a.B") + bytes(8) + b"\2\0\1L" + utf("x") + NULL, "without a type"),
        (b"s" + b"r" + utf("a.B") + bytes(8) + b"\2\0\0" + block(b"x") + END, "additional data"),
        (b"s" + described("a b", []), "no class name"),
        (instance("a.B", [], b"", 4), "only its Java class"),
        (instance("a.B", [], b"", 0), "not serializable"),
        (b"u" + described("a.B", []) + bytes(4), "array of the class"),
        (b"u" + described("[I", []) + b"\xff\xff\xff\xff", "negative"),
        (b"~" + described("a.B", [], 18) + NULL, "without a name"),
        (b"~" + described("a.B", [], 18) + reference(1), "circle"),
        (b"~" + described("com.example.Color", [], 18) + text("PINK"), "no constant"),
        (b"t\0\1\0", "zero byte"),
        (b"t\0\1\xff", "no text"),
        (b"t\0\4\xf0\x9f\x98\x80", "four bytes"),
        (instance("java.util.TreeMap", [(*OBJECT, "x")], reference(2)), "circle"),
        (instance("java.util.LinkedList", [], END, 3), "without its data"),
        (instance("java.util.LinkedList", [], NULL + END, 3), "unexpected data"),
        (instance("java.util.LinkedList", [], block(b"ab") + END, 3), "unexpected data"),
        (instance("java.util.LinkedList", [], block(b"\0\0\0\0") + NULL + END, 3), "1 elements"),
        (instance("java.util.ArrayDeque", [], block(b"\0\0\0\1") + END, 3), "0 elements"),
        (
            instance("java.util.TreeSet", [], block(b"\0\0\0\0") + END, 3),
            "unexpected data",
        ),
        (instance("java.util.ArrayList", [], block(b"\0\0\0\0") + END, 3), "without its field"),
        (instance("java.lang.Integer", [], b""), "without its field"),
        (instance("java.lang.Byte", [("I", "value")], b"\0\1\0\0"), "unexpected parts"),
        (instance("java.util.UUID", [], b""), "without its field"),
        (
            instance(
                "java.util.Vector",
                [("I", "elementCount"), ("[Ljava/lang/Object;", "elementData")],
                b"\0\0\0\5" + objects(),
            ),
            "another size",
        ),
        (instance("java.util.concurrent.ConcurrentLinkedQueue", [], END, 3), "without its end"),
        (instance("java.util.concurrent.ConcurrentHashMap", [], END, 3), "without its end"),
        (
            instance(
                "java.util.concurrent.ConcurrentHashMap",
                [],
                text("k") + NULL + NULL + END,
                3,
            ),
            "key without a value",
        ),
        (
            instance("java.util.TreeMap", [(*OBJECT, "comparator")], text("c") + END, 3),
            "comparator",
        ),
        (
            instance("java.util.CollSer", [("I", "tag")], b"\0\0\0\7" + block(bytes(4)) + END, 3),
            "unknown tag 7",
        ),
        (
            instance(
                "java.util.Collections$UnmodifiableList", [(*OBJECT, "c")], text("not a list")
            ),
            "instead of a collection",
        ),
        (
            instance(
                "java.math.BigInteger",
                [("I", "signum"), ("[B", "magnitude")],
                b"\0\0\0\1"
                + b"u"
                + described("[B", [])
                + struct.pack(">i", 70_000)
                + bytes(70_000),
            ),
            "more than 65536",
        ),
        (
            instance(
                "java.math.BigInteger",
                [("I", "signum"), ("[B", "magnitude")],
                b"\0\0\0\1" + b"u" + described("[B", []) + bytes(4),
            ),
            "signum does not fit",
        ),
        (
            instance("java.math.BigDecimal", [("I", "scale")], b"\0\1\0\0"),
            "scale 65536",
        ),
        (
            instance(
                "java.util.EnumMap",
                [],
                block(b"\0\0\0\1") + LIST + NULL + END,
                3,
            ),
            "not constants",
        ),
        (
            instance(
                "java.util.EnumSet$SerializationProxy",
                [("Ljava/lang/Class;", "elementType"), ("[Ljava/lang/Enum;", "elements")],
                b"v" + described("com.example.A", []) + objects(LIST),
            ),
            "not constants",
        ),
        (time("63"), "unknown type 99"),
        (time("03 000007e7 0d 01"), "13 .* is not a part of a java.time.LocalDate from 1 to 12"),
        (time("03 000007e7"), "ends early"),
        (time("0b 000007e7 00"), "another length"),
        (time("06 000007e7 0b 0e 16 0d eb 00 05"), "without a zone"),
        (instance("com.example.Animal", [], block(b"x") + END, 3), "other data than its fields"),
        (
            instance("com.example.Order", [("Ljava/lang/Long;", "parent")], text("x")),
            "that is not a java.lang.Long",
        ),
    ],
)
def test_malformed(data: bytes, reason: str) -> None:
    with pytest.raises(DecodeError, match=reason):
        CODEC.decode(HEAD + data)


def test_other_stream_header_is_rejected() -> None:
    with pytest.raises(DecodeError, match="aced0005"):
        CODEC.decode(b"abcd")


def test_missing_fields_are_zero() -> None:
    assert CODEC.decode(HEAD + instance("com.example.Order", [], b"")) == Order()


def test_limits() -> None:
    codec = SerializationCodec(limits=Limits(max_class_names=1, max_depth=5))
    with pytest.raises(DecodeError, match="longer than 9 bytes"):
        SerializationCodec(limits=Limits(max_bytes=9)).decode(bytes(10))
    with pytest.raises(DecodeError, match="more than 1 class names"):
        codec.decode(HEAD + objects(LIST))
    deep: list[Any] = []
    for _ in range(6):
        deep = [deep]
    with pytest.raises(EncodeError, match="nested deeper than 5"):
        codec.encode(deep)


def test_nesting_too_deep_for_python_is_rejected() -> None:
    codec = SerializationCodec(limits=Limits(max_depth=10**6))
    one = b"u" + reference(0) + b"\0\0\0\1"
    with pytest.raises(DecodeError, match="too deep for Python"):
        codec.decode(HEAD + b"u" + described("[Ljava.lang.Object;", []) + b"\0\0\0\1" + one * 5000)
    deep: list[Any] = []
    for _ in range(5000):
        deep = [deep]
    with pytest.raises(EncodeError, match="too deep for Python"):
        codec.encode(deep)
