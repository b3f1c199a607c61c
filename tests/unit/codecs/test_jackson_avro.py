"""AvroJacksonCodec: the bytes of the Avro specification, and refusals."""

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
from pyredisson.codecs.java.objects import JavaValue
from pyredisson.codecs.java.schema import java_class
from pyredisson.errors import DecodeError, EncodeError
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


def test_classes_of_unknown_values_are_left_out() -> None:
    long = {**PARCEL, "fields": [{"name": "price", "type": "long"}]}
    codec = AvroJacksonCodec(Parcel, long, schemas=[OrderTask, Color])
    assert codec.encode(Parcel(price=JavaValue("com.example.Money", 5))) == b"\x0a"


def test_refusals() -> None:
    with pytest.raises(EncodeError, match="not a value of the Avro schema"):
        AvroJacksonCodec(
            OrderTask, {**TASK, "fields": [{"name": "orderId", "type": "long"}]}
        ).encode(OrderTask("A1"))
    with pytest.raises(EncodeError, match="OrderTask"):
        CODEC.encode(5)  # type: ignore[arg-type] # what is refused
    with pytest.raises(DecodeError, match="left over"):
        CODEC.decode(bytes.fromhex("000000ff"))
    for cut in (b"\x02\x04A", b"\x02\x01"):
        with pytest.raises(DecodeError, match="not of the Avro schema"):
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
    with pytest.raises(ImportError, match="pip install 'pyredisson"):
        AvroJacksonCodec(OrderTask, TASK)
