"""MarshallingCodec beyond the recorded values: other tags, rejections, encoding."""

from __future__ import annotations

from typing import Any

import pytest

from pyredisson.codecs import Limits, MarshallingCodec
from pyredisson.errors import DecodeError, EncodeError
from pyredisson.java import JArray, JEntries, JList, JLong, JMap, JSet
from pyredisson.java.objects import JavaValue
from pyredisson.java.values import JEnumSet
from tests.support.rows import each_row

CODEC = MarshallingCodec()
ENUM = "0c 00000003 612e42"
CLASS = JavaValue("java.lang.Class", "com.example.Op")


@each_row(
    ("data", "wanted"),
    [
        ("53 02 5e 3e0161 3e0162", JSet("java.util.HashSet", ["a", "b"])),
        ("53 01 64 3e0161 01", {"a": None}),
        ("53 01 67 01 3e0161 01", JMap("java.util.TreeMap", {"a": None})),
        ("53 03 7b 3e0161", JList("java.util.Collections$CopiesList", ["a"] * 3)),
        ("54 0002 5a 01 01", [None, None]),
        ("55 00000001 5a 01", [None]),
        ("53 02 5a 3e0161 3affff", ["a", "a"]),
        ("53 02 5a 3e0161 02 00000001", ["a", "a"]),
        ("7e 53 01 64 3e0161 01", JMap("java.util.Collections$UnmodifiableMap", {"a": None})),
        ("7e 53 01 64 52 5a 01", JEntries("java.util.Collections$UnmodifiableMap", [([], None)])),
        ("7f 52 5e", JList("java.util.Collections$UnmodifiableSet", [])),
        ("14", JavaValue("java.lang.Class", "java.lang.String")),
        ("23", JavaValue("java.lang.Class", "int")),
        (f"42 01 0d {ENUM} 01", JArray("a.B[]", [None])),
        (f"52 6a {ENUM}", JEnumSet("a.B", [])),
    ],
)
def test_read(data: str, wanted: Any) -> None:
    assert CODEC.decode(b"\x04" + bytes.fromhex(data)) == wanted


def line(count: int) -> str:
    out = ""
    for each in range(count):
        name = f"a.C{each:03}".encode().hex()
        out += f"09 3e06 {name} 0000000000000000 00000000"
    return out


@each_row(
    ("data", "reason"),
    [
        ("05 01", "River version 5"),
        ("04 00", "no object begins with"),
        ("04 39ff", "reference to an unknown object"),
        ("04 5301 67 01 39ff 01", "circle"),
        ("04 5301 70", "not the tag of a collection"),
        ("04 5201", "not the tag of a collection"),
        ("04 5301 60 3e0161", "comparator"),
        (f"04 5301 6a {ENUM} 525a", "not constants"),
        ("04 7d 01", "around an object of another kind"),
        ("04 7e 525a", "around an object of another kind"),
        ("04 04 33", "no class begins with"),
        ("04 04 16", "not serializable"),
        ("04 04 07 00000003 612e42", "not serializable"),
        ("04 04 09 4b00000001", "not a string"),
        ("04 04 09 3e0161 0000000000000000 7fffffff", "early"),
        ("04 40 ffffffff", "negative"),
        (f"04 41 07 00000012 {'5b' * 17} 49", "not a Java type name"),
        ("04 3e 02 61", "early"),
        (f"04 04 {line(99)} 16", "nested|superclasses"),
        (f"04 04 {line(70)} 16", "superclasses"),
    ],
)
def test_malformed(data: str, reason: str) -> None:
    with pytest.raises(DecodeError, match=reason):
        CODEC.decode(bytes.fromhex(data))


@each_row(
    "value",
    [
        "x" * 256,
        "x" * 257,
        "x" * 65_536,
        "x" * 65_537,
        list(range(300)),
        {str(each): each for each in range(30)},
        [{"a": 1}, JMap("java.util.LinkedHashMap", {"b": {}}), {"c": JLong(1)}],
        JArray("java.lang.Long", [1, None]),
        JArray("boolean", [True] * 9 + [False]),
        JList("java.util.Collections$SingletonList", [None]),
    ],
)
def test_round_trip(value: Any) -> None:
    found = CODEC.decode(CODEC.encode(value))
    assert found == value
    assert type(found) is type(value)


def test_repeated_object_is_written_as_a_distance() -> None:
    """The distance has one, two or four bytes. An equal but distinct object is written in full."""
    text = "".join("ab")
    assert CODEC.encode([text, "".join("ab"), text]).hex() == "0453035a3e0261623e02616239fe"
    assert CODEC.encode([text, *([] for _ in range(256)), text]).hex()[-6:] == "3afeff"
    far = [text, *([] for _ in range(65_536)), text]
    data = CODEC.encode(far)
    assert data.hex()[-10:] == "0200000001"
    found = CODEC.decode(data)
    assert found[0] is found[-1]
    one, other = {"k": text}, b"\x01\x02"
    first, second, third, fourth = CODEC.decode(CODEC.encode([one, other, one, other]))
    assert first is third
    assert second is fourth


def test_signed_bytes() -> None:
    assert CODEC.encode(JArray("byte", [1, -1])) == CODEC.encode(b"\x01\xff")


@each_row(
    ("value", "reason"),
    [
        (JList("java.util.WeakHashMap", [1]), "can only read"),
        (JArray("com.example.Other", []), "can only read"),
        (JArray("java.lang.String", [1]), "not a java.lang.String"),
        (JArray("java.lang.Integer", ["a"]), "not a number"),
        (JArray("boolean", [1]), "not a boolean"),
        (JArray("int", [1 << 40]), "not a number"),
        (1 << 70, "not fit a Java long"),
    ],
)
def test_rejected(value: Any, reason: str) -> None:
    with pytest.raises(EncodeError, match=reason):
        CODEC.encode(value)


def test_limits() -> None:
    codec = MarshallingCodec(limits=Limits(max_free=3))
    with pytest.raises(DecodeError, match="occupy no bytes"):
        codec.decode(bytes.fromhex("04 5304 7b 01"))


def test_char_as_a_name_is_rejected() -> None:
    """In Python a char is a text too, but no reference can point to it."""
    codec = MarshallingCodec()
    with pytest.raises(DecodeError, match="a name that is not a string"):
        codec.decode(bytes.fromhex("04 04 38 4d 00 78"))


@pytest.mark.parametrize(
    ("data", "wanted"),
    [
        ("0404150c0000000e636f6d2e6578616d706c652e4f70", CLASS),  # com.example.Op.class
        (  # list(com.example.Op.class, "ab", com.example.Op.class, "ab", com.example.Op.PLUS)
            "0453055a04150c0000000e636f6d2e6578616d706c652e4f703e02616204153bff39ff043bff0000000450"
            "4c5553",
            [CLASS, "ab", CLASS, "ab", JavaValue("com.example.Op", "PLUS")],
        ),
        ("0454012c7b3e026162", JList("java.util.Collections$CopiesList", ["ab"] * 300)),
    ],
)
def test_bytes_that_java_wrote_are_decoded(data: str, wanted: Any) -> None:
    """Bytes of MarshallingCodec 4.0.0; the last row is `Collections.nCopies(300, "ab")`."""
    assert repr(CODEC.decode(bytes.fromhex(data))) == repr(wanted)


def test_a_class_is_only_read() -> None:
    with pytest.raises(EncodeError, match=r"a java\.lang\.Class, which this codec can only read"):
        CODEC.encode(CLASS)


@pytest.mark.parametrize("name", ["java.math.BigInteger", "java.util.TreeSet", "java.lang.String"])
def test_constant_of_a_class_that_is_no_enum_is_rejected(name: str) -> None:
    """Written again, it and the elements of an array would share a class that is no enum."""
    data = b"\x04\x04\x0c" + len(name).to_bytes(4, "big") + name.encode() + b"\0\0\0\x03RED"
    with pytest.raises(DecodeError, match=rf"{name} is no enum"):
        MarshallingCodec().decode(data)
    other = data.replace(name.encode(), b"a" * len(name))
    assert MarshallingCodec().decode(other) == JavaValue("a" * len(name), "RED")
