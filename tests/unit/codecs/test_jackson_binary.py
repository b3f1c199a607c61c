"""All Jackson codecs on one value, intact or damaged; each codec also has its own test module."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyredisson import codecs
from pyredisson.codecs import (
    CborJackson3Codec,
    CborJacksonCodec,
    Codec,
    IonJackson3Codec,
    IonJacksonCodec,
    JsonJackson3Codec,
    JsonJacksonCodec,
    Limits,
    MsgPackJacksonCodec,
    SmileJackson3Codec,
    SmileJacksonCodec,
)
from pyredisson.errors import DecodeError, EncodeError
from pyredisson.java import JBigInteger, JFloat, JLong
from pyredisson.java.objects import JavaObject
from tests.support.rows import each_row
from tests.unit.codecs import shapes
from tests.unit.codecs.shapes import Color, OrderTask, Wide

MSGPACK = MsgPackJacksonCodec(schemas=shapes, release="4.7.0")
CBOR = CborJacksonCodec(schemas=shapes, release="4.7.0")
CBOR3 = CborJackson3Codec(schemas=shapes)
SMILE = SmileJacksonCodec(schemas=shapes, release="4.7.0")
SMILE3 = SmileJackson3Codec(schemas=shapes)
ION = IonJacksonCodec(schemas=shapes, release="4.7.0")
ION3 = IonJackson3Codec(schemas=shapes)
JSON = JsonJacksonCodec(schemas=shapes, release="4.7.0")
JSON3 = JsonJackson3Codec(schemas=shapes, release="4.7.0")
ALL: list[Codec[Any]] = [MSGPACK, CBOR, CBOR3, SMILE, SMILE3, ION, ION3, JSON, JSON3]
TYPED: list[Codec[Any]] = [MSGPACK, CBOR, SMILE, ION]
DATE = datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)
TASK = OrderTask("A1", "pay", 1700000000000)
VALUE = Wide(
    text="é😀" * 30,
    integer=JBigInteger(2**60),
    decimal=Decimal("12.5"),
    date=DATE,
    id=UUID(int=5),
    color=Color.RED,
    task=TASK,
    any=[JLong(1), {"k" * 70: 1.5, "é" * 40: None, "": JFloat(0.5)}, b"\x01", "x" * 200],
    ints=[1, -70000, 2**31 - 1],
    words=["a" * 33, "b" * 65, None],
    bytes=b"\x00" * 300,
    attributes={f"k{number}": number for number in range(70)},
    strings=[str(number) for number in range(40)],
)


@each_row("codec", ALL, ids=repr)
def test_round_trip(codec: Codec[Any]) -> None:
    data = codec.encode(VALUE)
    found = codec.decode(data)
    assert codec.encode(found) == data
    if codec not in (CBOR3, SMILE3, ION3):
        assert found == codec.decode(codec.encode(found))
        assert found.task == TASK
        assert found.id == UUID(int=5)


def test_unknown_classes() -> None:
    value = JavaObject("com.example.X", {"a": 1, "b": [1.5, None, {"c": "d"}], "e": b"\x01"})
    for codec in TYPED:
        assert codec.decode(codec.encode(value)) == value


@pytest.mark.no_cover  # the same branches, thousands of times
@pytest.mark.parametrize("codec", ALL, ids=repr)
@settings(max_examples=120, deadline=None)
@given(draw=st.data())
def test_damaged_messages_are_rejected_or_read(codec: Codec[Any], draw: st.DataObject) -> None:
    data = bytearray(codec.encode(draw.draw(st.sampled_from([VALUE, TASK, [TASK, Color.RED]]))))
    for _ in range(draw.draw(st.integers(0, 4))):
        data[draw.draw(st.integers(0, len(data) - 1))] = draw.draw(st.integers(0, 255))
    cut = bytes(data[: draw.draw(st.integers(0, len(data)))])
    for each in (bytes(data), cut, draw.draw(st.binary(max_size=30))):
        error = None
        try:
            codec.decode(each)
        except DecodeError as caught:
            error = caught
        assert error is None or (error.data, error.codec) == (each, type(codec).__name__)


@pytest.mark.parametrize("name", ["CborJacksonCodec", "SmileJacksonCodec", "IonJacksonCodec"])
def test_releases_before_4_2_0_write_uuids_as_bytes(name: str) -> None:
    old = getattr(codecs, name)(release="3.19.3")
    new = getattr(codecs, name)()
    value = [UUID(int=5), -0.5, JFloat(-0.5), 1e300]
    assert old.encode(value) != new.encode(value)
    assert old.decode(old.encode(value)) == new.decode(new.encode(value)) == value


@pytest.mark.parametrize("name", ["CborJackson3Codec", "SmileJackson3Codec", "IonJackson3Codec"])
def test_jackson_3_came_with_4_2_0(name: str) -> None:
    with pytest.raises(ValueError, match=re.escape("4.2.0")):
        getattr(codecs, name)(release="4.1.0")


def test_limits() -> None:
    for name in ("MsgPackJacksonCodec", "CborJacksonCodec", "SmileJacksonCodec", "IonJacksonCodec"):
        codec = getattr(codecs, name)(limits=Limits(max_bytes=3))
        with pytest.raises(DecodeError, match="longer than 3 bytes"):
            codec.decode(b"12345")


def test_invalid_objects_are_rejected_in_binary_formats() -> None:
    deep: Any = shapes.Tree()
    for _ in range(150):
        deep = shapes.Tree(twin=deep)
    for codec in TYPED:
        with pytest.raises(EncodeError, match="nested deeper"):
            codec.encode(deep)
        with pytest.raises(EncodeError, match="primitive"):
            codec.encode(OrderTask("a", "b", None))  # type: ignore[arg-type] # what is rejected
