"""The parts of the classes of `java.time`, and the Python values that are made of them."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, timezone
from typing import Any

import pytest

from pyredisson.java import (
    JDuration,
    JInstant,
    JLocalDateTime,
    JOffsetDateTime,
    JTime,
    JValue,
    JZonedDateTime,
)
from pyredisson.java.classes import class_of
from pyredisson.java.times import make_time, time_parts
from pyredisson.rejection import Rejection
from tests.support.rows import each_row

PLUS_2 = timezone(timedelta(hours=2))
END = 253_402_300_799  # the last second of 9999
VALUES: list[tuple[str, tuple[int, ...], Any]] = [
    ("Instant", (0, 0), JInstant(1970, 1, 1, tzinfo=UTC)),
    (
        "Instant",
        (-1, 999_999_999),
        JInstant(1969, 12, 31, 23, 59, 59, 0, UTC, nanosecond=999_999_999),
    ),
    (
        "Instant",
        (END, 999_999_999),
        JInstant(9999, 12, 31, 23, 59, 59, 0, UTC, nanosecond=999_999_999),
    ),
    ("Instant", (END + 1, 1), JValue("java.time.Instant", END + 1, 1)),
    ("Duration", (-1, 1000), timedelta(0, -1, 1)),
    ("Duration", (-1, 1), JDuration(seconds=-1, nanoseconds=1)),
    ("Duration", (-86_399_999_913_600, 0), timedelta.min),
    ("Duration", (-86_399_999_913_601, 0), JValue("java.time.Duration", -86_399_999_913_601, 0)),
    ("LocalDate", (2024, 2, 29), date(2024, 2, 29)),
    ("LocalDate", (0, 2, 29), JValue("java.time.LocalDate", 0, 2, 29)),
    ("LocalTime", (1, 2, 3, 4000), time(1, 2, 3, 4)),
    ("LocalTime", (1, 2, 3, 4), JTime(1, 2, 3, nanosecond=4)),
    ("OffsetTime", (1, 2, 3, 4000, 0), time(1, 2, 3, 4, UTC)),
    ("OffsetTime", (1, 2, 3, 4, 7200), JTime(1, 2, 3, tzinfo=PLUS_2, nanosecond=4)),
    ("LocalDateTime", (2024, 1, 2, 3, 4, 5, 6), JLocalDateTime(2024, 1, 2, 3, 4, 5, nanosecond=6)),
    (
        "LocalDateTime",
        (10000, 1, 2, 3, 4, 5, 6),
        JValue("java.time.LocalDateTime", 10000, 1, 2, 3, 4, 5, 6),
    ),
    (
        "OffsetDateTime",
        (2024, 1, 2, 3, 4, 5, 6, 7200),
        JOffsetDateTime(2024, 1, 2, 3, 4, 5, 0, PLUS_2, nanosecond=6),
    ),
    (
        "OffsetDateTime",
        (-1, 1, 2, 3, 4, 5, 6, 0),
        JValue("java.time.OffsetDateTime", -1, 1, 2, 3, 4, 5, 6, 0),
    ),
    ("Year", (-5,), JValue("java.time.Year", -5)),
    ("MonthDay", (2, 29), JValue("java.time.MonthDay", 2, 29)),
]


@each_row(("name", "parts", "value"), VALUES)
def test_parts_and_values_convert_both_ways(name: str, parts: tuple[int, ...], value: Any) -> None:
    class_name = f"java.time.{name}"
    found = make_time(class_name, *parts)
    assert found == value
    assert type(found) is type(value)
    assert time_parts(class_name, found) == parts
    assert time_parts(class_name, JValue(class_name, *parts)) == parts
    assert class_of(found) == class_name


@each_row(
    ("name", "parts"),
    [
        ("Instant", (0, 10**9)),
        ("Instant", (31_556_889_864_403_200, 0)),
        ("Instant", (0, -1)),
        ("Duration", (1 << 63, 0)),
        ("Duration", (0, 10**9)),
        ("LocalDate", (2023, 2, 29)),
        ("LocalDate", (-1, 2, 29)),
        ("LocalDate", (1900, 2, 29)),
        ("LocalDate", (2024, 13, 1)),
        ("LocalDate", (10**9, 1, 1)),
        ("LocalTime", (24, 0, 0, 0)),
        ("LocalTime", (0, 0, 0, 10**9)),
        ("OffsetTime", (0, 0, 0, 0, 64801)),
        ("LocalDateTime", (2024, 4, 31, 0, 0, 0, 0)),
        ("LocalDateTime", (12345, 4, 31, 0, 0, 0, 0)),
        ("OffsetDateTime", (2024, 1, 1, 0, 0, 0, 0, -64801)),
        ("MonthDay", (2, 30)),
        ("Year", (True,)),
        ("YearMonth", (2024, 0)),
    ],
)
def test_parts_that_java_rejects_are_rejected(name: str, parts: tuple[int, ...]) -> None:
    with pytest.raises(Rejection):
        make_time(f"java.time.{name}", *parts)
    with pytest.raises(Rejection):
        time_parts(f"java.time.{name}", JValue(f"java.time.{name}", *parts))


@each_row(
    ("name", "value", "reason"),
    [
        ("Instant", datetime(2024, 1, 1), "no time zone"),
        ("Instant", date(2024, 1, 1), "a java.time.Instant"),
        ("Instant", JValue("java.time.Instant", 1), "2 parts, not 1"),
        ("Duration", 5, "a java.time.Duration"),
        ("LocalDate", datetime(2024, 1, 1), "a java.time.LocalDate"),
        ("LocalTime", time(1, tzinfo=UTC), "a java.time.LocalTime"),
        ("OffsetTime", time(1), "offset of whole seconds"),
        ("OffsetTime", 5, "a java.time.OffsetTime"),
        ("LocalDateTime", datetime(2024, 1, 1, tzinfo=UTC), "a java.time.LocalDateTime"),
        ("OffsetDateTime", JLocalDateTime(2024, 1, 1, nanosecond=1), "offset of whole seconds"),
        ("OffsetDateTime", date(2024, 1, 1), "a java.time.OffsetDateTime"),
        ("Year", JValue("java.time.Month", 1), "a java.time.Year"),
    ],
)
def test_values_of_another_type_are_rejected(name: str, value: Any, reason: str) -> None:
    with pytest.raises(Rejection, match=reason):
        time_parts(f"java.time.{name}", value)


def test_class_of_values_that_python_makes() -> None:
    """A `JTime` has the Java class of a `time`; a `JZonedDateTime` is not a `datetime`."""
    assert class_of(JTime(1, nanosecond=1)) == "java.time.LocalTime"
    assert class_of(JTime(1, tzinfo=UTC)) == "java.time.OffsetTime"
    assert class_of(JDuration(nanoseconds=1)) == "java.time.Duration"
    assert class_of(JInstant(2024, 1, 1) + timedelta(1)) == "java.time.Instant"
    assert class_of(JZonedDateTime(JLocalDateTime(2024, 1, 1), "Z")) == "java.time.ZonedDateTime"
