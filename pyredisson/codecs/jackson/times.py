"""The texts of `java.time` as Jackson 3 writes them: ISO 8601, as the classes' own formatters.

Local times and those with a date have seconds always and as many digits of a fraction as
needed; `Instant` and `OffsetTime` have groups of three digits, and an `OffsetTime` has
seconds only where it needs them. A `ZonedDateTime` keeps its offset, not its zone's name,
so Python writes only those whose zone is an offset. Source: jackson-databind 3.1
`tools.jackson.databind.ext.javatime`, as Redisson 4.7.0 writes it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from pyredisson.codecs.java.values import (
    JValue,
    JZonedDateTime,
)
from pyredisson.codecs.refusal import Refusal, refuse_value

from .dates import civil, days_of

__all__ = ["BILLION", "CLOCK", "OFFSET", "TIME_TEXTS", "ZONE", "checked", "iso_date", "seconds_of"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND = timedelta(seconds=1)
BILLION = 1_000_000_000
OFFSET = r"(Z|[+-]\d\d:\d\d(?::\d\d)?)"

Parts = tuple[int, ...]


def checked(value: Any, name: str, *limits: tuple[int, int]) -> Parts:
    """Return the parts of a `JValue` of a class of `java.time`, each in its range."""
    if not isinstance(value, JValue) or value.class_name != f"java.time.{name}":
        raise refuse_value(value, f"a {name}")
    pairs = list(zip(value.parts, limits, strict=False))
    whole = all(type(part) is int and low <= part <= high for part, (low, high) in pairs)
    if len(value.parts) != len(limits) or not whole:
        raise refuse_value(value, f"a {name} with its {len(limits)} parts in their ranges")
    return value.parts


_YEAR = (-999_999_999, 999_999_999)
_MONTH, _DAY = (1, 12), (1, 31)
_NANO = (0, BILLION - 1)
CLOCK = ((0, 23), (0, 59), (0, 59), _NANO)
ZONE = (-64_800, 64_800)
_INT = (-(1 << 31), (1 << 31) - 1)
_LONG = (-(1 << 63), (1 << 63) - 1)
_SECONDS = (-31_557_014_167_219_200, 31_556_889_864_403_199)


def _year(year: int) -> str:
    return f"+{year}" if year > 9999 else f"{year:04}" if year >= 0 else f"-{-year:04}"


def iso_date(year: int, month: int, day: int) -> str:
    """Return the text of a day, which the month must have."""
    if civil(days_of(year, month, day)) != (year, month, day):
        raise Refusal(f"no day {day} of the month {month} in the year {year}")
    return f"{_year(year)}-{month:02}-{day:02}"


def _grouped(nano: int) -> str:
    """Return a fraction of 0, 3, 6 or 9 digits."""
    digits = f"{nano:09}"
    while digits.endswith("000"):
        digits = digits[:-3]
    return f".{digits}" if digits else ""


def _clock(hour: int, minute: int, second: int, nano: int) -> str:
    fraction = f".{nano:09}".rstrip("0") if nano else ""
    return f"{hour:02}:{minute:02}:{second:02}{fraction}"


def _offset(seconds: int) -> str:
    if not seconds:
        return "Z"
    rest = abs(seconds)
    tail = f":{rest % 60:02}" if rest % 60 else ""
    return f"{'+' if seconds > 0 else '-'}{rest // 3600:02}:{rest // 60 % 60:02}{tail}"


def _offset_in(value: datetime | time) -> int:
    offset = value.utcoffset()
    if offset is None or offset % _SECOND:
        raise refuse_value(value, "a time with an offset of whole seconds")
    return offset // _SECOND


def _instant(value: Any) -> str:
    if isinstance(value, datetime):
        if value.utcoffset() is None:
            raise refuse_value(value, "an Instant, for it has no time zone")
        span = value - _EPOCH
        seconds, nano = span // _SECOND, span % _SECOND // timedelta(microseconds=1) * 1000
    else:
        seconds, nano = checked(value, "Instant", _SECONDS, _NANO)
    days, rest = divmod(seconds, 86_400)
    year, month, day = civil(days)
    clock = f"{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}"
    return f"{_year(year)}-{month:02}-{day:02}T{clock}{_grouped(nano)}Z"


def _duration(value: Any) -> str:
    if isinstance(value, timedelta):
        nanos = value // timedelta(microseconds=1) * 1000
    else:
        seconds, nano = checked(value, "Duration", _LONG, _NANO)
        nanos = seconds * BILLION + nano
    if not nanos:
        return "PT0S"
    sign = "-" if nanos < 0 else ""
    seconds, nano = divmod(abs(nanos), BILLION)
    text = "PT"
    for number, unit in ((seconds // 3600, "H"), (seconds // 60 % 60, "M")):
        text += f"{sign}{number}{unit}" if number else ""
    if seconds % 60 or nano:
        text += f"{sign}{seconds % 60}{f'.{nano:09}'.rstrip('0') if nano else ''}S"
    return text


def _local_date(value: Any) -> str:
    if isinstance(value, date) and not isinstance(value, datetime):
        return value.isoformat()
    return iso_date(*checked(value, "LocalDate", _YEAR, _MONTH, _DAY))


def _local_time(value: Any) -> str:
    if isinstance(value, time) and value.tzinfo is None:
        return _clock(value.hour, value.minute, value.second, value.microsecond * 1000)
    return _clock(*checked(value, "LocalTime", *CLOCK))


def _offset_time(value: Any) -> str:
    if isinstance(value, time):
        clock: Parts = (value.hour, value.minute, value.second, value.microsecond * 1000)
        parts = (*clock, _offset_in(value))
    else:
        parts = checked(value, "OffsetTime", *CLOCK, ZONE)
    hour, minute, second, nano, offset = parts
    tail = f":{second:02}{_grouped(nano)}" if second or nano else ""
    return f"{hour:02}:{minute:02}{tail}{_offset(offset)}"


def _of_datetime(value: datetime) -> Parts:
    clock = (value.hour, value.minute, value.second, value.microsecond * 1000)
    return value.year, value.month, value.day, *clock


def _local(parts: Parts) -> str:
    return f"{iso_date(*parts[:3])}T{_clock(*parts[3:7])}"


def _local_date_time(value: Any) -> str:
    if isinstance(value, datetime) and value.tzinfo is None:
        return _local(_of_datetime(value))
    return _local(checked(value, "LocalDateTime", _YEAR, _MONTH, _DAY, *CLOCK))


def _offset_date_time(value: Any) -> str:
    if isinstance(value, datetime):
        return _local(_of_datetime(value)) + _offset(_offset_in(value))
    parts = checked(value, "OffsetDateTime", _YEAR, _MONTH, _DAY, *CLOCK, ZONE)
    return _local(parts) + _offset(parts[7])


def _zoned(value: Any) -> str:
    if not isinstance(value, JZonedDateTime):
        raise refuse_value(value, "a ZonedDateTime")
    zone = "Z" if value.zone in {"UTC", "GMT", "UT"} else value.zone
    if not re.fullmatch(OFFSET, zone):
        raise Refusal(
            f"a ZonedDateTime in {value.zone}: Jackson writes its offset, which Java's rules "
            "of that zone give; say the offset itself"
        )
    return _local_date_time(value.local) + _offset(seconds_of(zone))


def _year_month(value: Any) -> str:
    year, month = checked(value, "YearMonth", _YEAR, _MONTH)
    return f"{year:0{5 if year < 0 else 4}}-{month:02}"


def _month_day(value: Any) -> str:
    month, day = checked(value, "MonthDay", _MONTH, _DAY)
    return f"--{iso_date(2000, month, day)[5:]}"


def _period(value: Any) -> str:
    parts = zip(checked(value, "Period", _INT, _INT, _INT), "YMD", strict=True)
    return f"P{''.join(f'{number}{unit}' for number, unit in parts if number) or '0D'}"


def _region(value: Any) -> str:
    if not isinstance(value, str):
        raise refuse_value(value, "a ZoneId")
    return str(value)


def seconds_of(text: str) -> int:
    """Return the seconds of an offset's text."""
    if text == "Z":
        return 0
    hours, minutes, seconds = (*map(int, text[1:].split(":")), 0)[:3]
    return (hours * 3600 + minutes * 60 + seconds) * (-1 if text[0] == "-" else 1)


TIME_TEXTS: dict[str, Callable[[Any], str | int]] = {
    "java.time.Instant": _instant,
    "java.time.Duration": _duration,
    "java.time.LocalDate": _local_date,
    "java.time.LocalTime": _local_time,
    "java.time.LocalDateTime": _local_date_time,
    "java.time.OffsetTime": _offset_time,
    "java.time.OffsetDateTime": _offset_date_time,
    "java.time.ZonedDateTime": _zoned,
    "java.time.ZoneRegion": _region,
    "java.time.ZoneOffset": lambda value: _offset(*checked(value, "ZoneOffset", ZONE)),
    "java.time.Year": lambda value: checked(value, "Year", _YEAR)[0],
    "java.time.YearMonth": _year_month,
    "java.time.MonthDay": _month_day,
    "java.time.Period": _period,
}
"""What a value of each class is written as: a text, for a Year its number."""
