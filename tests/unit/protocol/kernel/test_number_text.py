"""Numbers as Redisson writes them: rows that Java printed, and invalid numbers."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyredisson.protocol.kernel.number_text import double_text, number_text
from tests.support.rows import each_row

DOUBLES: list[tuple[float, str]] = [
    (0.0, "0.0"),
    (-0.0, "0.0"),
    (1.0, "1.0"),
    (7, "7.0"),
    (-2.5, "-2.5"),
    (0.1, "0.1"),
    (100.0, "100.0"),
    (0.001, "0.001"),
    (1e-4, "0.00010"),
    (1e-07, "0.00000010"),
    (1.5e-7, "0.00000015"),
    (1.25e-7, "0.000000125"),
    (9999999.0, "9999999.0"),
    (1e7, "10000000"),
    (12345678.5, "12345678.5"),
    (123456789.12345679, "123456789.12345679"),
    (1000000000000000.0, "1000000000000000"),
    (1.2345678901234568e16, "12345678901234568"),
    (1e20, "100000000000000000000"),
    (1.7976931348623157e308, "17976931348623157" + "0" * 292),
    (5e-324, f"0.{'0' * 323}49"),
]


@each_row(("value", "text"), DOUBLES)
def test_the_text_of_a_double(value: float, text: str) -> None:
    assert double_text(value, "score") == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_the_text_is_the_same_double_without_an_exponent(value: float) -> None:
    text = double_text(value, "score")
    assert float(text) == value
    assert "e" not in text


def test_an_int_is_a_long() -> None:
    assert (number_text(5, "score"), number_text(-(2**62), "score")) == ("5", f"-{2**62}")
    assert (number_text(5.0, "score"), number_text(1e-7, "score")) == ("5.0", "0.00000010")


@each_row(
    ("value", "error", "text"),
    [
        ("1", TypeError, "score must be a number, not '1'"),
        (True, TypeError, "not True"),
        (float("nan"), ValueError, "score must be finite, not nan"),
        (float("-inf"), ValueError, "not -inf"),
        (10**400, ValueError, "score is too large"),
    ],
)
def test_invalid_numbers_are_rejected(value: Any, error: type[Exception], text: str) -> None:
    for encode in (double_text, number_text):
        with pytest.raises(error, match=text):
            encode(value, "score")
