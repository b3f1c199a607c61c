"""SmileJacksonCodec: names, rejections, malformed bytes; the vectors cover SmileJackson3Codec."""

from __future__ import annotations

from typing import Any

import pytest

from pyredisson.codecs import (
    SmileJacksonCodec,
)
from pyredisson.errors import DecodeError, EncodeError
from tests.support.rows import each_row
from tests.unit.codecs import shapes

SMILE = SmileJacksonCodec(schemas=shapes)


def test_more_names_than_the_smile_table_holds() -> None:
    value = [{f"name{number}": 1} for number in range(1100)] * 2
    data = SMILE.encode(value)
    assert SMILE.decode(data) == value
    assert SMILE.encode(SMILE.decode(data)) == data


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (["\ud800"], "surrogate"),
    ],
)
def test_rejected_values(value: Any, told: str) -> None:
    with pytest.raises(EncodeError, match=told):
        SMILE.encode(value)


@each_row(
    ("data", "told"),
    [
        ("", "early"),
        ("3a290a00c0", "header"),
        ("3a290a01", "early"),
        ("3a290a01c0c0", "left over"),
        ("3a290a0141ff61", "UTF-8"),
        ("3a290a01e06161", "without end"),
        ("3a290a01fa40c0fb", "reference to an unknown name"),
        ("3a290a01fa3000c0fb", "reference to an unknown name"),
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
