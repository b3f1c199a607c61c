"""MsgPackJacksonCodec: its own rejections, malformed bytes, long values; more in the vectors."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from pyredisson.codecs import (
    MsgPackJacksonCodec,
)
from pyredisson.errors import DecodeError, EncodeError
from pyredisson.java import JArray, JBigInteger
from tests.support.rows import each_row
from tests.unit.codecs import shapes
from tests.unit.codecs.shapes import Wide

MSGPACK = MsgPackJacksonCodec(schemas=shapes)


@each_row(
    ("value", "told"),
    [
        (JBigInteger(2**64), "64 bits"),
        (Decimal("0.1234567890123456789"), "no double"),
        (Wide(text=5), "not a String"),  # type: ignore[arg-type] # what is rejected
        (JArray("boolean", [5]), "not a boolean"),
        (JArray("java.util.UUID", [5]), "not a UUID"),
    ],
)
def test_rejected_values(value: Any, told: str) -> None:
    with pytest.raises(EncodeError, match=told):
        MSGPACK.encode(value)


def test_a_decimal_beyond_64_bits_is_a_double() -> None:
    """As in Java, if the number does not fit 64 bits. A lossy double is rejected."""
    assert MSGPACK.encode([Decimal("1e30")])[-9:].hex() == "cb46293e5939a08cea"
    with pytest.raises(EncodeError, match="no double"):
        MSGPACK.encode([Decimal(2**64 + 1)])


@each_row("data", ["", "c1", "91", "810101", "c7000500", "92a161", "c0c0"])
def test_malformed_msgpack(data: str) -> None:
    with pytest.raises(DecodeError):
        MSGPACK.decode(bytes.fromhex(data))


def test_long_values_in_msgpack() -> None:
    for value in ("x" * 70_000, list(range(70_000)), [b"x" * 70_000], ["x" * 300] * 20):
        assert MSGPACK.decode(MSGPACK.encode(value)) == value
    with pytest.raises(DecodeError, match="extension"):
        MSGPACK.decode(bytes.fromhex("d40500"))
