"""IonJacksonCodec and IonJackson3Codec: dates, reading, malformed text; more in the vectors."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from pyredisson.codecs import (
    IonJackson3Codec,
    IonJacksonCodec,
)
from pyredisson.errors import DecodeError, EncodeError
from pyredisson.java import JArray, JDate
from tests.support.rows import each_row
from tests.unit.codecs import shapes
from tests.unit.codecs.shapes import Color

ION = IonJacksonCodec(schemas=shapes)
ION3 = IonJackson3Codec(schemas=shapes)
DATE = datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("\ud800", "surrogate"),
    ],
)
def test_rejected_values(value: Any, told: str) -> None:
    with pytest.raises(EncodeError, match=told):
        ION.encode(value)


def test_ion_dates_end_with_the_year_9999() -> None:
    assert ION3.encode(datetime(1, 1, 1, tzinfo=UTC))
    with pytest.raises(EncodeError, match="9999"):
        ION3.encode(JDate(2**60))
    assert ION3.decode(ION3.encode(DATE)) == DATE
    assert ION3.encode(Color.RED) == b"RED"
    assert ION3.decode(b"RED") == "RED"
    assert ION3.encode(ION3.decode(b"[RED,'a b']")) == b"[RED,'a b']"


@each_row(
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


@each_row(
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
