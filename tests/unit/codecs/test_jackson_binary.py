"""The binary Jackson codecs: exact bytes, refusals, and any bytes at all."""

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
from pyredisson.codecs.java import JArray, JBigInteger, JFloat, JLong
from pyredisson.codecs.java.objects import JavaObject
from pyredisson.errors import DecodeError, EncodeError
from tests.unit.codecs import shapes
from tests.unit.codecs.shapes import Color, OrderTask, Wide

MSGPACK = MsgPackJacksonCodec(schemas=shapes)
CBOR = CborJacksonCodec(schemas=shapes)
CBOR3 = CborJackson3Codec(schemas=shapes)
SMILE = SmileJacksonCodec(schemas=shapes)
SMILE3 = SmileJackson3Codec(schemas=shapes)
ION = IonJacksonCodec(schemas=shapes)
ION3 = IonJackson3Codec(schemas=shapes)
JSON = JsonJacksonCodec(schemas=shapes)
JSON3 = JsonJackson3Codec(schemas=shapes)
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


@pytest.mark.parametrize("codec", ALL, ids=repr)
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


def test_more_names_than_smile_remembers() -> None:
    value = [{f"name{number}": 1} for number in range(1100)] * 2
    data = SMILE.encode(value)
    assert SMILE.decode(data) == value
    assert SMILE.encode(SMILE.decode(data)) == data


def test_maps_with_whole_numbers_as_keys() -> None:
    assert CBOR.encode({1: "a"}) == bytes.fromhex(
        "bf6640636c617373716a6176612e7574696c2e486173684d6170016161ff"
    )
    assert CBOR.decode(CBOR.encode({1: "a"})) == {1: "a"}


@pytest.mark.parametrize(
    ("codec", "value", "told"),
    [
        (MSGPACK, JBigInteger(2**64), "64 bits"),
        (MSGPACK, Decimal("0.1234567890123456789"), "no double"),
        (CBOR, "\ud800", "surrogate"),
        (ION, "\ud800", "surrogate"),
        (SMILE, ["\ud800"], "surrogate"),
        (ION3, datetime(1, 1, 1, tzinfo=UTC), None),
        (MSGPACK, Wide(text=5), "not a String"),  # type: ignore[arg-type] # what is refused
        (MSGPACK, JArray("boolean", [5]), "not a boolean"),
        (MSGPACK, JArray("java.util.UUID", [5]), "not a UUID"),
        (CBOR, {"@class": 1}, "@class"),
    ],
)
def test_refused_values(codec: Codec[Any], value: Any, told: str | None) -> None:
    if told is None:
        assert codec.encode(value)
        return
    with pytest.raises(EncodeError, match=told):
        codec.encode(value)


def test_ion_dates_end_with_the_year_9999() -> None:
    from pyredisson.codecs.java import JDate

    with pytest.raises(EncodeError, match="9999"):
        ION3.encode(JDate(2**60))
    assert ION3.decode(ION3.encode(DATE)) == DATE
    assert ION3.encode(Color.RED) == b"RED"
    assert ION3.decode(b"RED") == "RED"
    assert ION3.encode(ION3.decode(b"[RED,'a b']")) == b"[RED,'a b']"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("$ion_1_0 1", 1),
        (" [ 1 , 2 ] ", JArray("int", [1, 2])),
        ("'java.util.HashMap'::{a:1,\"b c\":2,'d':3}", {"a": 1, "b c": 2, "d": 3}),
        ("'java.util.ArrayList'::[-inf,nan,+inf,1d2,1.5E2]", None),
        ('"\\x41\\u00e9\\U0001f600\\n\\\'"', "Aé😀\n'"),
        ("{{ AQI= }}", b"\x01\x02"),
        ("2023-11-14T22:13:20.000+00:00", DATE),
    ],
)
def test_ion_reading(text: str, value: Any) -> None:
    found = ION.decode(text.encode())
    assert value is None or found == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1 2",
        "[1 2]",
        "[1,",
        "{a}",
        "{a 1}",
        "{1:2}",
        "]",
        ":",
        '"\\q"',
        '"\\ud800"',
        '"\\U00110000"',
        "{{*}}",
        "1" * 5000,
        "1d99999",
        "1d99999999999999999999",
        "a::",
        "1970-99-99T00:00Z",
        "[" * 300,
        "(a b)",
    ],
)
def test_malformed_ion(text: str) -> None:
    with pytest.raises(DecodeError):
        ION.decode(text.encode())
    with pytest.raises(DecodeError, match="UTF-8"):
        ION.decode(b'"\xff"')


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ("", "early"),
        ("0101", "left over"),
        ("1c", "head with 28"),
        ("9a7fffffff", "early"),
        ("ba7fffffff", "early"),
        ("5a7fffffff", "early"),
        ("9f", "early"),
        ("61ff", "UTF-8"),
        ("7f01ff", "pieces"),
        ("bff501ff", "neither text nor number"),
        ("f7", "simple value 23"),
        ("c001", "tag 0"),
        ("c4820101ff", "left over"),
        ("c48201f6", "tag 4"),
        ("c4821a7fffffff01", "scale"),
        ("c45a", "early"),
        ("81" * 300 + "00", "nested"),
        ("c2" + "5a00020000" + "01" * 0x20000, "more than 65536 bytes"),
    ],
)
def test_malformed_cbor(data: str, told: str) -> None:
    with pytest.raises(DecodeError, match=told):
        CBOR.decode(bytes.fromhex(data))


def test_cbor_reads_more_than_it_writes() -> None:
    assert CBOR.decode(bytes.fromhex("d9d9f7182a")) == 42
    assert CBOR.decode(bytes.fromhex("f93e00")) == JFloat(1.5)
    assert CBOR.decode(bytes.fromhex("5f41014102ff")) == b"\x01\x02"
    assert CBOR.decode(bytes.fromhex("7f61616162ff")) == "ab"
    assert CBOR.decode(CBOR.encode("x" * 9000)) == "x" * 9000
    assert CBOR.decode(bytes.fromhex("c3420081")) == JBigInteger(-129)
    assert CBOR3.decode(bytes.fromhex("c3420080")) == JBigInteger(-129)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ("", "early"),
        ("3a290a00c0", "header"),
        ("3a290a01", "early"),
        ("3a290a01c0c0", "left over"),
        ("3a290a0141ff61", "UTF-8"),
        ("3a290a01e06161", "without end"),
        ("3a290a01fa40c0fb", "did not occur"),
        ("3a290a01fa3000c0fb", "did not occur"),
        ("3a290a01faf8c0fb", "a name with"),
        ("3a290a0127", "a number with"),
        ("3a290a0100", "a value with"),
        ("3a290a012800ff000000", "high bit"),
        ("3a290a0124" + "01" * 12, "without end"),
        ("3a290a0126" + "0f7f7f7fbf", "more than 65536 bytes"),
        ("3a290a01268200ff00", "too many bits"),
        ("3a290a012a0f7f7f7fbf", "scale"),
        ("3a290a01" + "f8" * 300, "nested"),
    ],
)
def test_malformed_smile(data: str, told: str) -> None:
    with pytest.raises(DecodeError, match=told):
        SMILE.decode(bytes.fromhex(data))


@pytest.mark.parametrize("data", ["", "c1", "91", "810101", "c7000500", "92a161", "c0c0"])
def test_malformed_msgpack(data: str) -> None:
    with pytest.raises(DecodeError):
        MSGPACK.decode(bytes.fromhex(data))


@pytest.mark.parametrize("codec", ALL, ids=repr)
@settings(max_examples=120, deadline=None)
@given(draw=st.data())
def test_damaged_messages_are_refused_or_read(codec: Codec[Any], draw: st.DataObject) -> None:
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


def test_long_things_in_msgpack() -> None:
    for value in ("x" * 70_000, list(range(70_000)), [b"x" * 70_000], ["x" * 300] * 20):
        assert MSGPACK.decode(MSGPACK.encode(value)) == value
    with pytest.raises(DecodeError, match="extension"):
        MSGPACK.decode(bytes.fromhex("d40500"))


def test_beans_in_binary_formats() -> None:
    deep: Any = shapes.Tree()
    for _ in range(150):
        deep = shapes.Tree(twin=deep)
    for codec in TYPED:
        with pytest.raises(EncodeError, match="nested deeper"):
            codec.encode(deep)
        with pytest.raises(EncodeError, match="primitive"):
            codec.encode(OrderTask("a", "b", None))  # type: ignore[arg-type] # what is refused
