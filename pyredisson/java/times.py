"""Makes the values of `java.time` from their parts, and splits them, for all codecs.

`make_time` returns the type of `datetime` that can represent the value, or a class of `nanos` if
nanoseconds are left over. Outside of Python's range (years 1 to 9999) it returns a `JValue` of the
parts. `time_parts` accepts these, and a plain value if the class is known. Both reject values that
Java does not have, for example a 13th month. The parts:

    Instant, Duration     seconds, nano                LocalDate    year, month, day
    LocalTime             hour, minute, second, nano   OffsetTime   and the offset's seconds
    LocalDateTime         a LocalDate's, a LocalTime's   OffsetDateTime   and the offset's
    ZoneOffset seconds    Year year    YearMonth year, month    MonthDay month, day
    Period                years, months, days
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta, timezone
from typing import Any

from pyredisson.rejection import Rejection, reject_value

from .durations import BILLION, nanos_of, rest_of, span
from .nanos import JInstant, JLocalDateTime, JOffsetDateTime, JTime
from .parts import JValue

__all__ = ["make_time", "time_parts"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND = timedelta(seconds=1)
_PREFIX = "java.time."
_MONTH_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)

_YEAR = (-999_999_999, 999_999_999)
_MONTH, _DAY = (1, 12), (1, 31)
_NANO = (0, BILLION - 1)
_CLOCK = ((0, 23), (0, 59), (0, 59), _NANO)
_OFFSET = (-64_800, 64_800)
_INT, _LONG = (-(1 << 31), (1 << 31) - 1), (-(1 << 63), (1 << 63) - 1)
_LIMITS: dict[str, tuple[tuple[int, int], ...]] = {
    "Instant": ((-31_557_014_167_219_200, 31_556_889_864_403_199), _NANO),
    "Duration": (_LONG, _NANO),
    "LocalDate": (_YEAR, _MONTH, _DAY),
    "LocalTime": _CLOCK,
    "OffsetTime": (*_CLOCK, _OFFSET),
    "LocalDateTime": (_YEAR, _MONTH, _DAY, *_CLOCK),
    "OffsetDateTime": (_YEAR, _MONTH, _DAY, *_CLOCK, _OFFSET),
    "ZoneOffset": (_OFFSET,),
    "Year": (_YEAR,),
    "YearMonth": (_YEAR, _MONTH),
    "MonthDay": (_MONTH, _DAY),
    "Period": (_INT, _INT, _INT),
}
_DATED = ("LocalDate", "LocalDateTime", "OffsetDateTime")


def make_time(class_name: str, *parts: int) -> Any:
    """Return the value of a class of `java.time` with these parts.

    Raises:
        Rejection: Java has no such value.
    """
    name = class_name.removeprefix(_PREFIX)
    make = _MAKE.get(name)
    if make is not None:
        try:
            return make(*parts)
        except (OverflowError, ValueError):  # out of Python's range, or of Java's
            pass
    return JValue(class_name, *_checked(name, parts))


def time_parts(class_name: str, value: Any) -> tuple[int, ...]:
    """Return the parts of a value of this class, all in their ranges.

    Raises:
        Rejection: the value is not one of this class.
    """
    name = class_name.removeprefix(_PREFIX)
    split = _SPLIT.get(name)
    found: tuple[int, ...] | None = split(value) if split else None
    if found is not None:
        return found
    if not isinstance(value, JValue) or value.class_name != class_name:
        raise reject_value(value, f"a {class_name}")
    return _checked(name, value.parts)


def _zone_of(seconds: int) -> timezone:
    """Return the zone with this offset.

    Raises:
        ValueError: Java has no such offset.
    """
    if not -64_800 <= seconds <= 64_800:
        raise ValueError("an offset of more than 18 hours")
    return timezone(timedelta(seconds=seconds)) if seconds else UTC


def _checked(name: str, parts: tuple[Any, ...]) -> tuple[int, ...]:
    limits = _LIMITS[name]
    if len(parts) != len(limits):
        raise Rejection(f"a {_PREFIX}{name} has {len(limits)} parts, not {len(parts)}")
    for part, (low, high) in zip(parts, limits, strict=True):
        if not isinstance(part, int) or isinstance(part, bool) or not low <= part <= high:
            raise reject_value(part, f"a part of a {_PREFIX}{name} from {low} to {high}")
    if name in _DATED:
        _check_day(*parts[:3])
    elif name == "MonthDay":
        _check_day(2000, *parts)
    return parts


def _check_day(year: int, month: int, day: int) -> None:
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    if day > (28 if month == 2 and not leap else _MONTH_DAYS[month - 1]):
        raise Rejection(f"no day {day} of the month {month} in the year {year}")


def _micro(nano: int) -> tuple[int, int]:
    if not 0 <= nano < BILLION:
        raise ValueError("no fraction of a second")
    return divmod(nano, 1000)


def _instant(seconds: int, nano: int) -> JInstant:
    micro, rest = _micro(nano)
    return JInstant.of(_EPOCH + timedelta(0, seconds, micro), rest)


def _duration(seconds: int, nano: int) -> timedelta:
    _micro(nano)
    return span(seconds * BILLION + nano)


def _time(hour: int, minute: int, second: int, nano: int, zone: timezone | None = None) -> time:
    micro, rest = _micro(nano)
    plain = time(hour, minute, second, micro, zone)
    return JTime.of(plain, rest) if rest else plain


def _offset_time(hour: int, minute: int, second: int, nano: int, offset: int) -> time:
    return _time(hour, minute, second, nano, _zone_of(offset))


def _local_date_time(*parts: int) -> JLocalDateTime:
    micro, rest = _micro(parts[6])
    return JLocalDateTime.build(rest, *parts[:6], micro)


def _offset_date_time(*parts: int) -> JOffsetDateTime:
    micro, rest = _micro(parts[6])
    return JOffsetDateTime.build(rest, *parts[:6], micro, _zone_of(parts[7]))


_MAKE: dict[str, Callable[..., Any]] = {
    "Instant": _instant,
    "Duration": _duration,
    "LocalDate": date,
    "LocalTime": _time,
    "OffsetTime": _offset_time,
    "LocalDateTime": _local_date_time,
    "OffsetDateTime": _offset_date_time,
}


def _offset_of(value: datetime | time) -> int:
    offset = value.utcoffset()
    if offset is None or offset % _SECOND:
        raise reject_value(value, "a time with an offset of whole seconds")
    return offset // _SECOND


def _clock_of(value: datetime | time) -> tuple[int, int, int, int]:
    return value.hour, value.minute, value.second, value.microsecond * 1000 + rest_of(value)


def _instant_parts(value: Any) -> tuple[int, ...] | None:
    if not isinstance(value, datetime):
        return None
    if value.utcoffset() is None:
        raise reject_value(value, "an Instant, for it has no time zone")
    return divmod(nanos_of(datetime.__sub__(value, _EPOCH)) + rest_of(value), BILLION)


def _duration_parts(value: Any) -> tuple[int, ...] | None:
    return divmod(nanos_of(value), BILLION) if isinstance(value, timedelta) else None


def _date_parts(value: Any) -> tuple[int, ...] | None:
    if not isinstance(value, date) or isinstance(value, datetime):
        return None
    return value.year, value.month, value.day


def _time_parts(value: Any) -> tuple[int, ...] | None:
    return _clock_of(value) if isinstance(value, time) and value.tzinfo is None else None


def _offset_time_parts(value: Any) -> tuple[int, ...] | None:
    return (*_clock_of(value), _offset_of(value)) if isinstance(value, time) else None


def _local_parts(value: Any) -> tuple[int, ...] | None:
    if not isinstance(value, datetime) or value.tzinfo is not None:
        return None
    return value.year, value.month, value.day, *_clock_of(value)


def _offset_date_time_parts(value: Any) -> tuple[int, ...] | None:
    if not isinstance(value, datetime):
        return None
    return value.year, value.month, value.day, *_clock_of(value), _offset_of(value)


_SPLIT: dict[str, Callable[[Any], tuple[int, ...] | None]] = {
    "Instant": _instant_parts,
    "Duration": _duration_parts,
    "LocalDate": _date_parts,
    "LocalTime": _time_parts,
    "OffsetTime": _offset_time_parts,
    "LocalDateTime": _local_parts,
    "OffsetDateTime": _offset_date_time_parts,
}
