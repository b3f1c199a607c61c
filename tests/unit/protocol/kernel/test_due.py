"""Scores are whole and never early. Invalid ones are rejected before a write."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyredisson.protocol.kernel.due import (
    FIRST_MS,
    LAST_MS,
    due_ms,
    from_epoch_ms,
    not_negative,
    positive,
    seconds,
    whole_ms,
)
from tests.support.rows import each_row

NOW = 1_700_000_000_000.0
MOMENT = datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)  # NOW

DELAYS: dict[str, tuple[float | timedelta, float, int]] = {
    "at once": (0, NOW, 1_700_000_000_000),
    "minus zero": (-0.0, NOW, 1_700_000_000_000),
    "int": (30, NOW, 1_700_000_030_000),
    "float": (1.5, NOW, 1_700_000_001_500),
    "a float that is not exact": (1.1, NOW, 1_700_000_001_100),
    "another": (4.35, NOW, 1_700_000_004_350),
    "timedelta": (timedelta(minutes=30), NOW, 1_700_001_800_000),
    "a microsecond is a millisecond": (timedelta(microseconds=1), NOW, 1_700_000_000_001),
    "a nanosecond, too": (1e-9, NOW, 1_700_000_000_001),
    "now is rounded up": (0, NOW + 0.25, 1_700_000_000_001),
    "even a part of a microsecond": (0, 1000.0001, 1001),
    "both parts make one millisecond": (0.0005, NOW + 0.5, 1_700_000_000_001),
    "the last score": (2**53 // 1000, 0.0, 2**53 // 1000 * 1000),
    "the last score exactly": (0, float(2**53), 2**53),
    "huge timedelta": (timedelta(days=100_000_000), 0.0, 8_640_000_000_000_000),
}


@each_row("case", DELAYS)
def test_a_delay_becomes_a_score(case: str) -> None:
    delay, now, expected = DELAYS[case]
    score = due_ms(delay, None, now)
    assert (score, type(score)) == (expected, int)


MOMENTS = {
    "now": (MOMENT, 1_700_000_000_000),
    "past": (MOMENT - timedelta(days=1), 1_699_913_600_000),
    "the epoch": (datetime(1970, 1, 1, tzinfo=UTC), 0),
    "rounded up": (MOMENT + timedelta(microseconds=1), 1_700_000_000_001),
    "whole millisecond": (MOMENT + timedelta(milliseconds=7), 1_700_000_000_007),
    "just before 1970": (datetime(1969, 12, 31, 23, 59, 59, 999_500, tzinfo=UTC), 0),
    "another zone": (MOMENT.astimezone(timezone(timedelta(hours=-11))), 1_700_000_000_000),
    "the last of all": (
        datetime.max.replace(tzinfo=timezone(timedelta(hours=-12))),
        253_402_344_000_000,
    ),
}


@each_row("case", MOMENTS)
def test_a_moment_becomes_a_score(case: str) -> None:
    at, expected = MOMENTS[case]
    assert due_ms(None, at, NOW) == expected


REFUSED: dict[str, tuple[Any, Any, type[Exception], str]] = {
    "negative int": (-1, None, ValueError, "delay is negative: -1"),
    "negative float": (-1e-9, None, ValueError, "delay is negative"),
    "negative timedelta": (timedelta(microseconds=-1), None, ValueError, "delay is negative"),
    "NaN": (math.nan, None, ValueError, "delay is NaN"),
    "infinite": (math.inf, None, ValueError, "delay is infinite"),
    "minus infinite": (-math.inf, None, ValueError, "delay is infinite"),
    "microseconds overflow": (1e303, None, ValueError, "delay is infinite"),
    "an int beyond a float": (10**400, None, ValueError, "delay is too large"),
    "a negative one": (-(10**400), None, ValueError, "delay is too large"),
    "beyond 2**53": (2**53 / 1000 + 1, None, ValueError, r"from 0 to 2\*\*53"),
    "Java's Long.MAX_VALUE in ms": (2**63 / 1000, None, ValueError, r"from 0 to 2\*\*53"),
    "timedelta.max plus now": (timedelta.max, None, ValueError, r"from 0 to 2\*\*53"),
    "bool": (True, None, TypeError, "delay must be seconds or a timedelta, not bool"),
    "text": ("30", None, TypeError, "not str"),
    "Decimal": (Decimal(1), None, TypeError, "not Decimal"),
    "list": ([], None, TypeError, "not list"),
    "naive datetime": (None, datetime(2030, 1, 1), ValueError, "naive datetime"),
    "date": (None, date(2030, 1, 1), TypeError, "aware datetime, not date"),
    "a number as moment": (None, 1_700_000_000, TypeError, "aware datetime, not int"),
    "before 1970": (None, datetime(1969, 12, 31, tzinfo=UTC), ValueError, "epoch millisecond -"),
    "both": (1, MOMENT, TypeError, "either delay= or at="),
    "neither": (None, None, TypeError, "either delay= or at="),
}


@each_row("case", REFUSED)
def test_invalid_due_times_are_rejected(case: str) -> None:
    delay, at, error, words = REFUSED[case]
    with pytest.raises(error, match=words):
        due_ms(delay, at, NOW)


@each_row(
    ("moment", "expected"),
    [
        (0, datetime(1970, 1, 1, tzinfo=UTC)),
        (1.5, datetime(1970, 1, 1, microsecond=1500, tzinfo=UTC)),
        (LAST_MS, datetime(9999, 12, 31, 23, 59, 59, 999_000, tzinfo=UTC)),
        (FIRST_MS, datetime(1, 1, 1, tzinfo=UTC)),
        *((late, from_epoch_ms(LAST_MS)) for late in (LAST_MS + 1, 2**64, 1e300, math.inf)),
        *((early, from_epoch_ms(FIRST_MS)) for early in (FIRST_MS - 1, -1e300, -math.inf)),
        (math.nan, from_epoch_ms(FIRST_MS)),
    ],
)
def test_any_score_of_another_client_becomes_a_moment(moment: float, expected: datetime) -> None:
    assert from_epoch_ms(moment) == expected


LENGTHS = st.one_of(
    st.integers(0, 10**9),
    st.floats(0, 1e9),
    st.timedeltas(timedelta(0), timedelta(days=10_000)),
)


def exact_us(delay: float | timedelta) -> Fraction:
    """Return the exact microseconds of the delay as it is printed: 1.1 is eleven tenths."""
    if isinstance(delay, timedelta):
        return Fraction(delay // timedelta(microseconds=1))
    return Fraction(Decimal(repr(delay))) * 1_000_000


@settings(deadline=None, max_examples=300)
@given(LENGTHS, st.floats(0, 4e12))
def test_a_score_is_never_early_and_less_than_a_millisecond_late(
    delay: float | timedelta, now_ms: float
) -> None:
    """This is exact to the microsecond: a double stores the sum more exactly than that."""
    exact = exact_us(delay) + Fraction(now_ms) * 1000
    late_us = due_ms(delay, None, now_ms) * 1000 - exact
    assert -1 < late_us < 1002


@settings(deadline=None)
@given(st.datetimes(datetime(1970, 1, 2), timezones=st.just(UTC)))
def test_a_moment_is_never_early(at: datetime) -> None:
    score = timedelta(milliseconds=due_ms(None, at, NOW))
    moment = at - datetime(1970, 1, 1, tzinfo=UTC)
    assert timedelta(0) <= score - moment < timedelta(milliseconds=1)


@each_row(
    ("value", "expected"),
    [
        (0, 0),
        (5, 5),
        (0.25, 0.25),
        (-1, -1),
        (math.inf, math.inf),
        (timedelta(milliseconds=1500), 1.5),
        (timedelta(days=-1), -86400.0),
    ],
)
def test_a_length_of_time_in_seconds(value: float | timedelta, expected: float) -> None:
    assert seconds(value) == expected


@each_row(
    ("value", "error", "words"),
    [
        (math.nan, ValueError, "timeout is NaN"),
        (10**400, ValueError, "timeout is too large"),
        (False, TypeError, "timeout must be seconds or a timedelta, not bool"),
        ("1", TypeError, "not str"),
        (None, TypeError, "not NoneType"),
    ],
)
def test_invalid_lengths_of_time_are_rejected(
    value: Any, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        seconds(value)


def test_error_names_the_argument() -> None:
    with pytest.raises(TypeError, match="safety_interval must be seconds"):
        seconds("x", "safety_interval")  # type: ignore[arg-type]  # the wrong type is the point


@each_row("value", [0, -1, float("inf"), float("-inf"), timedelta(0)])
def test_a_length_that_must_be_positive(value: Any) -> None:
    with pytest.raises(ValueError, match="lease must be more than 0 and finite, not "):
        positive(value, "lease")
    assert positive(timedelta(minutes=1), "lease") == 60


@pytest.mark.parametrize("value", [-1, -0.001, float("inf"), timedelta(seconds=-1)])
def test_a_length_that_must_not_be_negative(value: Any) -> None:
    with pytest.raises(ValueError, match="delay must be at least 0 and finite, not "):
        not_negative(value, "delay")
    assert not_negative(0, "delay") == 0


@pytest.mark.parametrize("length", [positive, not_negative])
def test_the_longest_length(length: Callable[..., float]) -> None:
    assert length(60.5, "lease", 60.5) == 60.5
    with pytest.raises(ValueError, match=r"lease must be at most 60 s, not 1e\+17"):
        length(1e17, "lease", 60)


def test_whole_milliseconds() -> None:
    assert whole_ms(0.0011, "ttl") == 2
    assert whole_ms(-1, "ttl") == -1000
    for long in (1e300, float("inf"), 2**53):
        with pytest.raises(ValueError, match=r"ttl must be at most 2\*\*53 ms, not "):
            whole_ms(long, "ttl")
