"""Durations with nanoseconds: arithmetic with them is exact."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from pyredisson.java import JDuration
from pyredisson.java.durations import span
from tests.support.rows import each_row

SPAN = JDuration(1, 2, nanoseconds=3)


def test_arithmetic_with_durations() -> None:
    two = JDuration(2, 4, nanoseconds=6)
    assert SPAN + SPAN == SPAN * 2 == 2 * SPAN == SPAN * 2.0 == two
    assert two - SPAN == two / 2 == two // 2 == SPAN
    assert timedelta(1, 2) + SPAN == JDuration(2, 4, nanoseconds=3)
    assert timedelta(1, 2) - SPAN == JDuration(nanoseconds=-3)
    assert SPAN - timedelta(1, 2) == JDuration(nanoseconds=3)
    assert type(SPAN - SPAN) is timedelta
    assert not SPAN - SPAN
    assert not -SPAN + SPAN
    assert +SPAN is SPAN
    assert abs(-SPAN) == SPAN
    assert two / SPAN == 2.0
    assert two // SPAN == 2
    assert two % SPAN == timedelta(0)
    assert JDuration(nanoseconds=7) / 2.0 == JDuration(nanoseconds=4)  # half to even
    assert divmod(two, SPAN) == (2, timedelta(0))
    assert timedelta(2) / JDuration(nanoseconds=1) == 172_800_000_000_000.0
    assert timedelta(0, 1) // JDuration(nanoseconds=3) == 333_333_333
    assert timedelta(0, 1) % JDuration(nanoseconds=3) == JDuration(nanoseconds=1)
    assert divmod(timedelta(0, 1), JDuration(nanoseconds=3)) == (
        333_333_333,
        JDuration(nanoseconds=1),
    )
    assert JDuration(nanoseconds=1)
    assert not JDuration()
    assert JDuration(nanoseconds=1500).total_seconds() == 1.5e-6
    assert JDuration(1.5, nanoseconds=1) == JDuration(hours=36, nanoseconds=1)


@each_row("operator", ["+", "-", "*", "/", "//", "%"])
def test_spans_and_other_types(operator: str) -> None:
    for text in (f"SPAN {operator} 'x'", f"'x' {operator} SPAN"):
        if text == "'x' % SPAN":
            continue  # this formats a string
        with pytest.raises(TypeError):
            eval(text, {"SPAN": SPAN})
    other: Any = 5
    with pytest.raises(TypeError):
        divmod(SPAN, other)


def test_spans_that_no_timedelta_holds() -> None:
    with pytest.raises(OverflowError):
        span(86_400 * 10**18)
    with pytest.raises(OverflowError):
        SPAN * 10**9
