"""DoubleCodec: it writes like `Double.toString` and reads like Java's parser."""

from __future__ import annotations

from math import inf, nan
from typing import Any

import pytest

from pyredisson.codecs import DoubleCodec
from pyredisson.errors import DecodeError, EncodeError
from tests.support.rows import each_row

CODEC: Any = DoubleCodec()


@each_row(
    ("value", "data"),
    [
        (1.0, b"1.0"),
        (5, b"5.0"),
        (1.7e12, b"1.7E12"),
        (-0.0, b"-0.0"),
        (5e-324, b"4.9E-324"),
        (-inf, b"-Infinity"),
    ],
)
def test_exact_bytes(value: float, data: bytes) -> None:
    assert CODEC.encode(value) == data
    assert CODEC.decode(data) == value


def test_nan() -> None:
    assert CODEC.encode(nan) == b"NaN"
    assert repr(CODEC.decode(b"NaN")) == "nan"


@each_row(
    ("data", "value"),
    [
        (b" 1.5\n", 1.5),
        (b"1E+5", 1e5),
        (b".5", 0.5),
        (b"5.", 5.0),
        (b"1.5f", 1.5),
        (b"2D", 2.0),
        (b"+Infinity", inf),
        (b"-Infinity", -inf),
        (b"0x1.8p1", 3.0),
        (b"0x.8P0d", 0.5),
        (b"0x1p9999", inf),
        (b"-0x1p9999", -inf),
        (b"1e999", inf),
    ],
)
def test_other_valid_forms_are_decoded(data: bytes, value: float) -> None:
    assert CODEC.decode(data) == value


@each_row("data", [b"", b"inf", b"nan", b"1_0.0", b"0x1", b"1" * 5000])
def test_rejected_bytes(data: bytes) -> None:
    with pytest.raises(DecodeError) as caught:
        CODEC.decode(data)
    assert caught.value.data == data
    assert caught.value.codec == "DoubleCodec"


@pytest.mark.parametrize("value", [True, "1", 2**53 + 1, 10**400])
def test_rejected_values(value: Any) -> None:
    with pytest.raises(EncodeError) as caught:
        CODEC.encode(value)
    assert caught.value.codec == "DoubleCodec"
