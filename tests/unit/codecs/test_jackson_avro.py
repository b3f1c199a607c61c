"""AvroJacksonCodec: bytes as the Avro specification defines them, and rejections."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyredisson.codecs import AvroJackson3Codec, AvroJacksonCodec
from pyredisson.errors import DecodeError, EncodeError
from pyredisson.java import JBigInteger, JFloat, JLong
from pyredisson.java.objects import JavaValue
from pyredisson.java.schema import java_class
from tests.support.rows import each_row
from tests.unit.codecs.shapes import Color, OrderTask

pytest.importorskip("fastavro")

TEXT = ["null", "string"]
TASK: dict[str, Any] = {
    "type": "record",
    "name": "OrderTask",
    "namespace": "com.example",
    "fields": [
        {"name": "orderId", "type": TEXT},
        {"name": "action", "type": TEXT},
        {"name": "createdAt", "type": "long"},
    ],
}


@java_class("com.example.Parcel")
@dataclass
class Parcel:
    tasks: Annotated[Any, "List<com.example.OrderTask>"] = None
    weights: Annotated[Any, "Map<String, Double>"] = None
    color: Annotated[Any, "com.example.Color"] = None
    data: Annotated[Any, "byte[]"] = None
    sent: Annotated[Any, "Date"] = None
    fragile: Annotated[bool, "boolean"] = False
    size: Annotated[float, "float"] = 0.0
    big: Annotated[Any, "BigInteger"] = None
    price: Annotated[Any, "BigDecimal"] = None


PARCEL = {
    "type": "record",
    "name": "Parcel",
    "fields": [
        {"name": "tasks", "type": {"type": "array", "items": TASK}},
        {"name": "weights", "type": {"type": "map", "values": "double"}},
        {"name": "color", "type": {"type": "enum", "name": "Color", "symbols": ["RED", "GREEN"]}},
        {"name": "data", "type": "bytes"},
        {"name": "sent", "type": "long"},
        {"name": "fragile", "type": "boolean"},
        {"name": "size", "type": "float"},
        {"name": "big", "type": "long"},
        {
            "name": "price",
            "type": [
                "null",
                {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2},
            ],
        },
    ],
}
CODEC = AvroJacksonCodec(OrderTask, json.dumps(TASK))
PARCELS = AvroJacksonCodec(Parcel, PARCEL, schemas=[OrderTask, Color])
VALUE = Parcel(
    [OrderTask("A1", None, 5)],
    {"a": 1.5},
    Color.GREEN,
    b"\x01",
    datetime(1970, 1, 1, tzinfo=UTC),
    True,
    0.5,
    7,
    Decimal("1.50"),
)


def test_exact_bytes() -> None:
    assert CODEC.encode(OrderTask("A1", None, 5)) == bytes.fromhex("0204 4131 00 0a")
    assert CODEC.decode(bytes.fromhex("0204 4131 00 0a")) == OrderTask("A1", None, 5)
    newer = AvroJackson3Codec(OrderTask, TASK)
    assert newer.encode(OrderTask("A1")) == CODEC.encode(OrderTask("A1"))


def test_all_kinds() -> None:
    assert PARCELS.decode(PARCELS.encode(VALUE)) == VALUE


@java_class("com.example.Priced")
@dataclass
class Priced:
    price: Annotated[Any, "Object"] = None
    note: Annotated[Any, "String"] = None


def priced(kind: Any, codec: Any = AvroJacksonCodec) -> Any:
    schema = {"type": "record", "name": "P", "fields": [{"name": "price", "type": kind}]}
    return codec(Priced, schema, schemas=[OrderTask, Color])


def test_classes_of_unknown_values_are_omitted() -> None:
    codec = priced("long")
    assert codec.encode(Priced(price=JavaValue("com.example.Money", 5))) == b"\x0a"


def test_fields_missing_from_the_avro_schema() -> None:
    assert priced("long").encode(Priced(5)) == b"\x0a"
    for codec, value in ((AvroJacksonCodec, Priced(5, "a")), (AvroJackson3Codec, Priced(5))):
        with pytest.raises(EncodeError, match="P has no field note"):
            priced("long", codec).encode(value)


DECIMAL = {"type": "bytes", "logicalType": "decimal", "precision": 4, "scale": 2}
FIXED = {"type": "fixed", "name": "X", "size": 2}
STAMPED = {"type": "record", "name": "S", "fields": [{"name": "text", "type": "string"}]}
ENUM = {"type": "enum", "name": "E", "symbols": ["A", "RED"]}


@each_row(
    ("kind", "value", "data"),
    [
        # Each row is as AvroJacksonCodec 4.7.0 wrote it.
        (["null", "float"], 5, "020000a040"),
        (["null", "float"], JLong(5), "020000a040"),
        (["null", "long", "int"], 5, "040a"),
        (["null", "string", "int", "long"], JLong(5), "060a"),
        (["null", "double", "float"], JFloat(1.5), "040000c03f"),
        (["null", ENUM, "string"], "RED", "0202"),
        (["null", "string", ENUM], "RED", "0206524544"),
        (["null", FIXED, "bytes"], b"\1\2", "04040102"),
        (["null", FIXED], b"\1\2", "020102"),
        (["null", "string", "double"], None, "00"),
        (["null", DECIMAL], Decimal("1.50"), "02040096"),
        (DECIMAL, Decimal("1.5"), "040096"),
        (DECIMAL, Decimal("-1.28"), "0280"),
        ({**DECIMAL, "type": "fixed", "name": "F", "size": 4}, Decimal("-1.28"), "ffffff80"),
        ("double", Decimal("0.1"), "9a9999999999b93f"),
        ("float", 0.1, "cdcccc3d"),
        ("long", JBigInteger(7), "0e"),
        ("double", JBigInteger(10**22), "92d54d06cff08044"),
        (
            ["null", {"type": "array", "items": "string"}, {"type": "map", "values": "string"}],
            ["a"],
            "0202026100",
        ),
    ],
)
def test_branch_and_encoding_match_java(kind: Any, value: Any, data: str) -> None:
    codec = priced(kind)
    assert codec.encode(Priced(value)).hex() == data
    again = codec.decode(bytes.fromhex(data)).price
    assert again == value or isinstance(value, (Decimal, JBigInteger, OrderTask, float))


@each_row(
    ("kind", "value"),
    [
        # Java fails, or loses data silently (`5L << 32` as int, 1.5 as long).
        ("int", JLong(1 << 40)),
        ("long", 1.5),
        ("long", JBigInteger(1 << 63)),
        ("long", "5"),
        ("string", 5),
        ("string", Decimal("1.5")),
        ("bytes", "ab"),
        ("bytes", Decimal("1.5")),
        ("boolean", 1),
        ("float", 16777217),
        ("float", 1e300),
        ("float", Decimal("0.1")),
        ("float", "a"),
        ("double", JBigInteger(10**400)),
        ("int", None),
        ("null", 5),
        (ENUM, "B"),
        (ENUM, 5),
        (FIXED, b"\1\2\3"),
        (DECIMAL, Decimal("1.555")),
        (DECIMAL, Decimal("123.45")),
        (["null", STAMPED, TASK], OrderTask("a")),
        ({"type": "array", "items": "int"}, {"a": 1}),
        ({"type": "map", "values": "int"}, [1]),
        (STAMPED, [1]),
        (["null", "double", "long"], 5),
        (["string", "int"], None),
        (["null", STAMPED, {"type": "map", "values": "long"}], OrderTask("a")),
        (["null", "long", "string"], Decimal("1.5")),
        ("string", "\ud800"),
    ],
)
def test_value_that_java_rejects_or_loses_is_rejected(kind: Any, value: Any) -> None:
    with pytest.raises(EncodeError):
        priced(kind).encode(Priced(value))


@each_row(
    ("kind", "data", "reason"),
    [
        ("int", "8080808010", "out of the range of an Avro int"),
        ("boolean", "02", "not a boolean"),
        ("string", "02ff", "UTF-8"),
        ("string", "01", "negative"),
        (ENUM, "04", "no symbol 2"),
        (["null", "int"], "04", "no branch 2"),
        (DECIMAL, "00", "0 bytes"),
        ({"type": "array", "items": "int"}, "feffffff0f00", "early"),
        ("long", "ff" * 11, "ten bytes"),
    ],
)
def test_malformed(kind: Any, data: str, reason: str) -> None:
    with pytest.raises(DecodeError, match=reason):
        priced(kind).decode(bytes.fromhex(data))


def test_blocks_with_their_size() -> None:
    codec = priced({"type": "array", "items": "int"})
    assert codec.decode(bytes.fromhex("03040206020600")).price == [1, 3, 3]
    with pytest.raises(DecodeError, match="occupy no bytes"):
        priced({"type": "array", "items": {**FIXED, "size": 0}}).decode(b"\xfe\xff\xff\x0f")


def test_refusals() -> None:
    with pytest.raises(EncodeError, match="OrderTask"):
        CODEC.encode(5)  # type: ignore[arg-type] # what is rejected
    with pytest.raises(DecodeError, match="left over"):
        CODEC.decode(bytes.fromhex("000000ff"))
    for cut in (b"\x02\x04A", b"\x02\x01"):
        with pytest.raises(DecodeError, match=r"ends early|negative"):
            CODEC.decode(cut)
    with pytest.raises(ValueError, match="not an Avro schema"):
        AvroJacksonCodec(OrderTask, {"type": "nothing"})
    for free in ("null", {"type": "record", "name": "E", "fields": []}):
        for schema in ({"type": "array", "items": free}, {"type": "map", "values": free}):
            with pytest.raises(ValueError, match="no byte"):
                AvroJacksonCodec(
                    OrderTask, {**TASK, "fields": [{"name": "a", "type": ["null", schema]}]}
                )


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=60))
def test_any_bytes(data: bytes) -> None:
    for codec in (CODEC, PARCELS):
        error = None
        try:
            codec.decode(data)
        except DecodeError as caught:
            error = caught
        assert error is None or error.data == data


def test_without_fastavro(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fastavro", None)
    with pytest.raises(ImportError, match="pip install fastavro"):
        AvroJacksonCodec(OrderTask, TASK)
