"""Times with nanoseconds: subclasses of Python's types that keep the nanoseconds."""

from __future__ import annotations

import copy
import pickle
import sys
from datetime import UTC, date, datetime, time, timedelta, timezone
from operator import eq, ge, gt, le, lt, ne
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from pyredisson.java import JDuration, JInstant, JLocalDateTime, JOffsetDateTime, JTime
from tests.support.rows import each_row

NAMES = {"datetime": sys.modules["datetime"]} | {
    each.__name__: each for each in (JDuration, JInstant, JLocalDateTime, JOffsetDateTime, JTime)
}
PLUS_2 = timezone(timedelta(hours=2))
LOCAL = JLocalDateTime(2024, 1, 2, 3, 4, 5, nanosecond=123456789)
INSTANT = JInstant(2024, 7, 2, 3, 4, 5, tzinfo=UTC, nanosecond=7)
CLOCK = JTime(3, 4, 5, nanosecond=123456789)
SPAN = JDuration(1, 2, nanoseconds=3)
# Each value has nanoseconds; beside it is the plain value, which is rounded down.
PAIRS: list[tuple[Any, Any]] = [
    (LOCAL, datetime(2024, 1, 2, 3, 4, 5, 123456)),
    (INSTANT, datetime(2024, 7, 2, 3, 4, 5, tzinfo=UTC)),
    (JOffsetDateTime(2024, 1, 2, tzinfo=PLUS_2, nanosecond=1), datetime(2024, 1, 2, tzinfo=PLUS_2)),
    (JLocalDateTime(2024, 10, 27, 2, fold=1, nanosecond=1), datetime(2024, 10, 27, 2, fold=1)),
    (CLOCK, time(3, 4, 5, 123456)),
    (JTime(1, tzinfo=PLUS_2, nanosecond=999), time(1, tzinfo=PLUS_2)),
    (SPAN, timedelta(1, 2)),
    (JDuration(nanoseconds=-1), timedelta(microseconds=-1)),
]


def compared(one: Any, two: Any) -> list[bool]:
    return [each(one, two) for each in (eq, ne, lt, le, gt, ge)]


@each_row(("fine", "plain"), PAIRS)
def test_nanoseconds_count_in_comparisons(fine: Any, plain: Any) -> None:
    twin = copy.copy(fine)
    assert compared(fine, twin) == [True, False, False, True, False, True]
    assert hash(fine) == hash(twin)
    assert compared(fine, plain) == [False, True, False, False, True, True]
    assert compared(plain, fine) == [False, True, True, True, False, False]
    assert len({fine, twin, plain}) == 2


@each_row(("fine", "plain"), PAIRS)
def test_value_without_nanoseconds_equals_the_plain_value(fine: Any, plain: Any) -> None:
    bare = type(fine).of(plain)
    assert type(bare) is type(fine)
    assert compared(bare, plain) == compared(plain, bare) == compared(plain, plain)
    assert hash(bare) == hash(plain)
    assert compared(bare, fine) == compared(plain, fine)
    assert str(bare) == str(plain)
    assert eval(repr(bare), dict(NAMES)) == plain
    assert repr(fine.plain()) == repr(plain)


@each_row(("fine", "plain"), PAIRS)
def test_copies_and_texts_keep_the_nanoseconds(fine: Any, plain: Any) -> None:
    copies = [pickle.loads(pickle.dumps(fine, protocol)) for protocol in range(6)]
    for each in (*copies, copy.copy(fine), copy.deepcopy(fine)):
        assert each == fine
        assert type(each) is type(fine)
        assert repr(each) == repr(fine) or each in copies[:4]  # as in Python, these lose the fold
    assert eval(repr(fine), dict(NAMES)) == fine
    assert str(fine) != str(plain)


def test_other_types_are_neither_equal_nor_ordered() -> None:
    for fine, _plain in PAIRS:
        assert fine != 5
        for order in (lt, le, gt, ge):
            with pytest.raises(TypeError):
                order(fine, "5")
    assert LOCAL != INSTANT
    with pytest.raises(TypeError, match="naive"):
        assert LOCAL < INSTANT


def test_nanosecond_is_the_whole_fraction() -> None:
    assert (LOCAL.microsecond, LOCAL.nanosecond) == (123456, 123456789)
    agreeing = JLocalDateTime(2024, 1, 2, 3, 4, 5, 123456, nanosecond=123456789)
    assert agreeing == LOCAL
    assert JLocalDateTime(2024, 1, 2, 3, 4, 5, 6).nanosecond == 6000
    assert (SPAN.days, SPAN.seconds, SPAN.microseconds, SPAN.nanoseconds) == (1, 2, 0, 3)
    assert JDuration(microseconds=5, nanoseconds=-1).nanoseconds == 4999


@pytest.mark.parametrize(
    ("parts", "nano", "reason"),
    [
        ((), 10**9, "nanosecond must be in 0..999999999, not 1000000000"),
        ((), -1, "not -1"),
        ((3, 4, 5, 1), 2000, "microsecond 1 contradicts nanosecond 2000"),
    ],
)
def test_wrong_nanoseconds(parts: tuple[Any, ...], nano: int, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        JTime(*parts, nanosecond=nano)
    with pytest.raises(ValueError, match=reason):
        JLocalDateTime(2024, 1, 2, *parts, nanosecond=nano)
    with pytest.raises(TypeError):
        JTime(nanosecond=1.5)  # type: ignore[arg-type]  # no whole number


def test_replace() -> None:
    assert LOCAL.replace(hour=1) == JLocalDateTime(2024, 1, 2, 1, 4, 5, nanosecond=123456789)
    assert LOCAL.replace(2025, 2).nanosecond == 123456789
    assert LOCAL.replace(microsecond=0) == datetime(2024, 1, 2, 3, 4, 5)
    assert LOCAL.replace(2024, 1, 2, 3, 4, 5, 6) == datetime(2024, 1, 2, 3, 4, 5, 6)
    assert LOCAL.replace(nanosecond=5) == JLocalDateTime(2024, 1, 2, 3, 4, 5, nanosecond=5)
    assert LOCAL.replace(fold=1).fold == 1
    assert CLOCK.replace(tzinfo=UTC) == JTime(3, 4, 5, tzinfo=UTC, nanosecond=123456789)
    assert CLOCK.replace(3, 4, 5, 6) == time(3, 4, 5, 6)
    assert CLOCK.__replace__(minute=0).nanosecond == 123456789  # copy.replace, from 3.13 on
    for each in (LOCAL.replace(hour=1), INSTANT.replace(microsecond=1), CLOCK.replace(hour=1)):
        assert type(each) in {JLocalDateTime, JInstant, JTime}


def test_iso_texts() -> None:
    text = "2024-01-02T03:04:05.123456789"
    assert LOCAL.isoformat() == text
    assert str(LOCAL) == f"{LOCAL}" == text.replace("T", " ")
    assert LOCAL.isoformat(" ", "seconds") == "2024-01-02 03:04:05"
    assert LOCAL.isoformat(timespec="microseconds") == text[:-3]
    assert INSTANT.isoformat() == "2024-07-02T03:04:05.000000007+00:00"
    assert CLOCK.isoformat() == str(CLOCK) == "03:04:05.123456789"
    assert CLOCK.isoformat("minutes") == "03:04"
    bare = JLocalDateTime(2024, 1, 2)
    assert bare.isoformat() == "2024-01-02T00:00:00"
    assert bare.isoformat(timespec="nanoseconds") == "2024-01-02T00:00:00.000000000"
    assert JTime(1).isoformat("nanoseconds") == "01:00:00.000000000"
    assert str(SPAN) == "1 day, 0:00:02.000000003"
    assert str(JDuration(microseconds=5, nanoseconds=3)) == "0:00:00.000005003"


@each_row(
    ("text", "nano"),
    [
        ("03:04:05.123456789", 123456789),
        ("03:04:05,1234567", 123456700),
        ("03:04:05.12345678901", 123456789),
        ("03:04:05.123", 123000000),
        ("03:04:05", 0),
        ("03:04:05.000000001+02:00", 1),
        ("03:04:05.000000001Z", 1),
        ("03:04:05-02:00:00.1234567", 0),
    ],
)
def test_reading_iso_texts(text: str, nano: int) -> None:
    assert JTime.fromisoformat(text).nanosecond == nano
    for day in ("2024-01-02T", "2024-W01-2 "):
        found = JInstant.fromisoformat(day + text)
        assert found.nanosecond == nano
        assert found.date() == date(2024, 1, 2)
    if ":" not in text[8:]:
        assert JInstant.fromisoformat("20240102T" + text.replace(":", "")).nanosecond == nano


def test_zones() -> None:
    vienna = INSTANT.astimezone(ZoneInfo("Europe/Vienna"))
    assert type(vienna) is JInstant
    assert (vienna.hour, vienna.nanosecond) == (5, 7)
    assert vienna == INSTANT
    assert hash(vienna) == hash(INSTANT)
    assert vienna.astimezone(UTC) == INSTANT
    assert LOCAL.astimezone().nanosecond == 123456789


def test_days_and_times() -> None:
    assert LOCAL.time() == CLOCK
    assert type(LOCAL.time()) is JTime
    assert type(JLocalDateTime(2024, 1, 2).time()) is time
    assert INSTANT.timetz() == JTime(3, 4, 5, tzinfo=UTC, nanosecond=7)
    assert type(JLocalDateTime(2024, 1, 2).timetz()) is time
    assert JLocalDateTime.combine(LOCAL.date(), CLOCK) == LOCAL
    assert JInstant.combine(INSTANT.date(), INSTANT.timetz()) == INSTANT
    assert JInstant.combine(INSTANT.date(), INSTANT.time(), UTC) == INSTANT
    assert JInstant.fromtimestamp(1.5, UTC) == datetime(1970, 1, 1, 0, 0, 1, 500000, UTC)


def test_arithmetic_with_moments() -> None:
    plain = datetime(2024, 1, 2, 3, 4, 5, 123456)
    assert LOCAL + timedelta(1) == LOCAL.replace(day=3) == timedelta(1) + LOCAL
    assert LOCAL - timedelta(1) == LOCAL.replace(day=1)
    assert LOCAL + JDuration(nanoseconds=211) == plain + timedelta(microseconds=1)
    assert LOCAL - JDuration(nanoseconds=790) == LOCAL.replace(nanosecond=123455999)
    assert JDuration(nanoseconds=1) + LOCAL == LOCAL.replace(nanosecond=123456790)
    assert LOCAL - plain == JDuration(nanoseconds=789)
    assert plain - LOCAL == JDuration(nanoseconds=-789)
    assert type(LOCAL - LOCAL) is timedelta
    assert LOCAL - LOCAL.replace(nanosecond=0) == JDuration(nanoseconds=123456789)
    assert type(LOCAL + timedelta(1)) is JLocalDateTime
    wrong: Any
    for wrong in (5, date(2024, 1, 1), INSTANT):
        with pytest.raises(TypeError):
            LOCAL - wrong
    for wrong in (5, LOCAL):
        with pytest.raises(TypeError):
            LOCAL + wrong
        with pytest.raises(TypeError):
            5 - LOCAL
