"""CborJacksonCodec, CborJackson3Codec: keys, rejections, malformed bytes; more in the vectors."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from pyredisson.codecs import (
    CborJackson3Codec,
    CborJacksonCodec,
)
from pyredisson.errors import DecodeError, EncodeError
from pyredisson.java import JBigInteger, JFloat
from tests.support.rows import each_row
from tests.unit.codecs import shapes

CBOR = CborJacksonCodec(schemas=shapes)
CBOR3 = CborJackson3Codec(schemas=shapes)


def test_maps_with_whole_numbers_as_keys() -> None:
    assert CBOR.encode({1: "a"}) == bytes.fromhex(
        "bf6640636c617373716a6176612e7574696c2e486173684d6170016161ff"
    )
    assert CBOR.decode(CBOR.encode({1: "a"})) == {1: "a"}


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("\ud800", "surrogate"),
        ({"@class": 1}, "@class"),
    ],
)
def test_rejected_values(value: Any, told: str) -> None:
    with pytest.raises(EncodeError, match=told):
        CBOR.encode(value)


@pytest.mark.parametrize(
    ("number", "data"),
    [
        (2**31 - 1, "1a7fffffff"),
        (2**31, "1b0000000080000000"),
        (-(2**31) - 1, "3b0000000080000000"),
    ],
)
def test_a_decimal_beyond_32_bits_has_eight_bytes(number: int, data: str) -> None:
    """In contrast, a Long has only as many bytes as it needs."""
    assert CBOR.encode(Decimal(number)).hex().endswith(f"c48200{data}ff")


@each_row(
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
        ("bff501ff", "neither a string nor a number"),
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
    assert CBOR.decode(bytes.fromhex("a1616101")) == {"a": 1}  # a map with a length prefix
