"""ProtobufCodec with message classes as protoc generates them."""

from __future__ import annotations

import sys
from dataclasses import dataclass, make_dataclass
from typing import Annotated, Any

import pytest
from google.protobuf import descriptor_pb2, struct_pb2, wrappers_pb2
from hypothesis import given, settings
from hypothesis import strategies as st

from pyredisson.codecs import Limits, ProtobufCodec
from pyredisson.errors import DecodeError, EncodeError
from pyredisson.java import JList
from pyredisson.java.schema import java_class
from tests.support.rows import each_row
from tests.unit.codecs import shapes

CODEC: ProtobufCodec[Any] = ProtobufCodec(wrappers_pb2.StringValue)
NAMED: ProtobufCodec[Any] = ProtobufCodec(descriptor_pb2.UninterpretedOption.NamePart)


def test_bare_message_round_trips() -> None:
    message = wrappers_pb2.StringValue(value="hello")
    assert CODEC.encode(message) == b"\x0a\x05hello"
    assert CODEC.decode(b"\x0a\x05hello") == message
    assert CODEC.decode(b"") == wrappers_pb2.StringValue()
    assert repr(CODEC) == "ProtobufCodec(StringValue)"


def test_unknown_fields_are_kept() -> None:
    data = b"\x0a\x01a\x10\x05"
    assert CODEC.encode(CODEC.decode(data)) == data


@pytest.mark.parametrize("data", [b"\x0a\x05hell", b"\x0b", b"\x0a\x01\xff", b"\xff" * 12])
def test_malformed(data: bytes) -> None:
    with pytest.raises(DecodeError) as caught:
        CODEC.decode(data)
    assert caught.value.data == data
    assert caught.value.codec == "ProtobufCodec"


def test_limits() -> None:
    codec: ProtobufCodec[Any] = ProtobufCodec(wrappers_pb2.StringValue, limits=Limits(max_bytes=3))
    assert codec.decode(b"\x0a\x01a").value == "a"
    with pytest.raises(DecodeError, match="longer than 3"):
        codec.decode(b"\x0a\x02ab")


def test_other_values_are_rejected() -> None:
    with pytest.raises(EncodeError, match="StringValue, not str"):
        CODEC.encode("hello")
    with pytest.raises(EncodeError, match="StringValue, not BytesValue"):
        CODEC.encode(wrappers_pb2.BytesValue())


def test_required_fields() -> None:
    with pytest.raises(EncodeError, match="required"):
        NAMED.encode(descriptor_pb2.UninterpretedOption.NamePart())
    whole = descriptor_pb2.UninterpretedOption.NamePart(name_part="a", is_extension=False)
    assert NAMED.decode(NAMED.encode(whole)) == whole


@pytest.mark.parametrize("other", [bytes, "StringValue", wrappers_pb2.StringValue()])
def test_other_than_a_message_class_is_rejected(other: Any) -> None:
    with pytest.raises(TypeError, match="neither a class that protoc generated"):
        ProtobufCodec(other)


@java_class("com.example.Holder", variables=["T"])
@dataclass
class Holder:
    value: Annotated[Any, "int"] = 0


@java_class("com.example.Sub", extends="com.example.Unknown<String>")
@dataclass
class Sub:
    value: Annotated[Any, "int"] = 0


def with_field(declared: str) -> Any:
    made = make_dataclass("Item", [("value", Annotated[Any, declared], None)])
    return java_class("com.example.Item")(made)


@each_row(
    "declared",
    [
        *("Object", "Number", "int[]", "String[]", "List", "List<?>", "List<List<String>>"),
        *("List<Object>", "Map", "Map<String, Object>", "Map<UUID, String>", "Instant", "byte[][]"),
        *("com.example.Point", "com.example.Base", "Map<String, List<String>>", "EnumSet<Integer>"),
        *("List<? extends com.example.OrderTask>", "List<String>[]", "com.example.OrderTask[]"),
    ],
)
def test_unsupported_protostuff_formats_are_rejected(declared: str) -> None:
    with pytest.raises(TypeError, match="format that ProtobufCodec does not support"):
        ProtobufCodec(with_field(declared), schemas=shapes)


@pytest.mark.parametrize("cls", [shapes.Point, shapes.Color, shapes.Base, Sub])
def test_classes_of_other_kinds_are_rejected(cls: Any) -> None:
    with pytest.raises(TypeError, match=r"cannot create objects of|has no schema"):
        ProtobufCodec(cls)


@each_row(
    ("declared", "value"),
    [
        *[("int", each) for each in (None, "a", True, 1 << 31, 1.5)],
        *[("short", 1 << 15), ("char", "ab"), ("boolean", 1), ("String", 5), ("byte[]", "a")],
        *[("String", "\ud800"), ("UUID", "a"), ("Date", 5), ("BigDecimal", 1.5)],
        *[("com.example.Color", "RED")],
        *[("List<String>", "a"), ("List<String>", {"a"}), ("LinkedList<String>", JList("a.B", []))],
        *[("List<String>", [5]), ("Map<String, String>", ["a"]), ("Map<String, Long>", {"a": "b"})],
        ("com.example.Middle", shapes.Leaf()),
    ],
)
def test_values_that_a_field_does_not_take(declared: str, value: Any) -> None:
    codec: ProtobufCodec[Any] = ProtobufCodec(with_field(declared), schemas=shapes)
    with pytest.raises(EncodeError):
        codec.encode(codec.message(value))


def test_empty_collections_and_nulls_are_lost_as_in_java() -> None:
    codec: ProtobufCodec[Any] = ProtobufCodec(with_field("List<String>"))
    assert codec.encode(codec.message([])) == b""
    assert codec.encode(codec.message(["a", None])) == b"\x0a\x01a"
    assert codec.decode(b"") == codec.message(None)


def test_unknown_fields_are_skipped() -> None:
    codec: ProtobufCodec[Any] = ProtobufCodec(Holder)
    data = bytes.fromhex("1005 190000000000000000 220161 2d00000000 330801 3b3c34 0807")
    assert codec.decode(data) == Holder(7)


@each_row(
    ("declared", "data", "reason"),
    [
        ("int", "0c", "end of group"),
        ("int", "00", "number 0"),
        ("int", "0e", "wire type 6"),
        ("int", "0900", "wire type 1"),
        ("int", "08808080807f", "32 bits"),
        ("boolean", "0802", "not a boolean"),
        ("char", "08808004", "not a char"),
        ("String", "0a01ff", "UTF-8"),
        ("BigInteger", "0a00", "BigInteger of 0"),
        ("BigDecimal", "0a034e614e", "not a BigDecimal"),
        ("com.example.Color", "0803", "ordinal"),
        ("UUID", "0b1a00", "not a UUID"),
        ("Map<String, String>", "0b1000", "not an entry"),
        ("Map<String, String>", "0b0b0a01610a01620c0c", "not an entry"),
        ("com.example.OrderTask", "0b14", "end of group"),
        ("com.example.OrderTask", "0b", "ends early"),
        ("int", "13" * 200, "deeper"),
        ("List<com.example.OrderTask>", "0b0c" * 20_000, "occupy no bytes"),
    ],
)
def test_malformed_objects(declared: str, data: str, reason: str) -> None:
    codec: ProtobufCodec[Any] = ProtobufCodec(with_field(declared), schemas=shapes)
    with pytest.raises(DecodeError, match=reason):
        codec.decode(bytes.fromhex(data))


def test_object_that_contains_itself_is_rejected() -> None:
    codec: ProtobufCodec[Any] = ProtobufCodec(shapes.Tree)
    knot = shapes.Tree("knot")
    knot.twin = knot
    with pytest.raises(EncodeError, match="deeper than 100"):
        codec.encode(knot)


def test_numbers_beyond_the_limit() -> None:
    codec: ProtobufCodec[Any] = ProtobufCodec(with_field("BigInteger"))
    with pytest.raises(EncodeError, match="65536 bytes"):
        codec.encode(codec.message(1 << 600_000))


def test_dates_beyond_python() -> None:
    codec: ProtobufCodec[Any] = ProtobufCodec(with_field("Date"))
    data = b"\x09" + b"\xff" * 7 + b"\x7f"
    assert codec.encode(codec.decode(data)) == data


def test_jdk_classes_are_json() -> None:
    assert ProtobufCodec(str).encode("a") == b'"a"'
    assert ProtobufCodec(dict).decode(b'{"@class":"java.util.HashMap","a":1}') == {"a": 1}


def test_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "google.protobuf.message", None)
    with pytest.raises(ImportError, match="pip install protobuf"):
        ProtobufCodec(wrappers_pb2.StringValue)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=60))
def test_random_bytes(data: bytes) -> None:
    for codec in (CODEC, NAMED, ProtobufCodec(struct_pb2.Struct)):
        try:
            codec.decode(data)
        except DecodeError as error:
            assert error.data == data  # noqa: PT017 - any other exception is what this looks for
