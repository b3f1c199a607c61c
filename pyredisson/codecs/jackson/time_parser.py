"""The values of `java.time` in their ISO texts, as Jackson 3 reads them.

What `datetime`, `date`, `time` or `timedelta` holds comes back as that, the rest (years
after 9999, nanoseconds) as a `JValue` of its parts. The rule: what is read is what can
be written, so every part is in its range.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, time, timedelta, timezone
from typing import Any

from pyredisson.codecs.java.values import (
    JInstant,
    JLocalDateTime,
    JOffsetDateTime,
    JText,
    JValue,
    JZonedDateTime,
)
from pyredisson.codecs.refusal import refuse_value

from .dates import days_of
from .times import BILLION, CLOCK, OFFSET, TIME_TEXTS, ZONE, checked, iso_date, seconds_of

__all__ = ["TIME_READERS"]

_DAY = r"([+-]?\d{4,10})-(\d\d)-(\d\d)"
_TIME = r"(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?"
_NUMBER = r"(-?\d{1,19})"


def _date(match: re.Match[str]) -> tuple[int, int, int]:
    year, month, day = int(match[1]), int(match[2]), int(match[3])
    iso_date(year, month, day)
    return year, month, day


def _clock(match: re.Match[str], first: int) -> tuple[int, int, int, int]:
    hour, minute, second, digits = match.group(first, first + 1, first + 2, first + 3)
    clock = (int(hour), int(minute), int(second or 0), _nano(digits))
    checked(JValue("java.time.LocalTime", *clock), "LocalTime", *CLOCK)
    return clock


def _nano(digits: str | None) -> int:
    return int((digits or "0").ljust(9, "0"))


def _offset(text: str) -> int:
    return checked(JValue("java.time.ZoneOffset", seconds_of(text)), "ZoneOffset", ZONE)[0]


def _instant(match: re.Match[str]) -> Any:
    day, (hour, minute, second, nano) = _date(match), _clock(match, 4)
    if 1 <= day[0] <= 9999 and nano % 1000 == 0:
        return JInstant(*day, hour, minute, second, nano // 1000, UTC)
    seconds = days_of(*day) * 86_400 + hour * 3600 + minute * 60 + second
    return JValue("java.time.Instant", seconds, nano)


def _duration(match: re.Match[str]) -> Any:
    hours, minutes, sign, seconds, digits = match.groups()
    rest = int(seconds or 0) * BILLION + _nano(digits)
    nanos = (int(hours or 0) * 60 + int(minutes or 0)) * 60 * BILLION + (-rest if sign else rest)
    total, nano = divmod(nanos, BILLION)
    if nano % 1000 == 0 and abs(total) <= 86_399_999_999_999:
        return timedelta(seconds=total, microseconds=nano // 1000)
    return JValue("java.time.Duration", total, nano)


def _local_date(match: re.Match[str]) -> Any:
    year, month, day = _date(match)
    if 1 <= year <= 9999:
        return date(year, month, day)
    return JValue("java.time.LocalDate", year, month, day)


def _local_time(match: re.Match[str]) -> Any:
    hour, minute, second, nano = clock = _clock(match, 1)
    if nano % 1000:
        return JValue("java.time.LocalTime", *clock)
    return time(hour, minute, second, nano // 1000)


def _offset_time(match: re.Match[str]) -> Any:
    local, offset = _local_time(match), _offset(match[5])
    if isinstance(local, JValue):
        return JValue("java.time.OffsetTime", *local.parts, offset)
    return local.replace(tzinfo=_zone(offset))


def _local_date_time(match: re.Match[str]) -> Any:
    day, (hour, minute, second, nano) = _date(match), _clock(match, 4)
    if 1 <= day[0] <= 9999 and nano % 1000 == 0:
        return JLocalDateTime(*day, hour, minute, second, nano // 1000)
    return JValue("java.time.LocalDateTime", *day, hour, minute, second, nano)


def _offset_date_time(match: re.Match[str]) -> Any:
    local, offset = _local_date_time(match), _offset(match[8])
    if isinstance(local, JValue):
        return JValue("java.time.OffsetDateTime", *local.parts, offset)
    return JOffsetDateTime.combine(local.date(), local.time(), _zone(offset))


def _zone(seconds: int) -> timezone:
    return timezone(timedelta(seconds=seconds)) if seconds else UTC


def _zone_id(tree: Any) -> Any:
    if not isinstance(tree, str):
        raise refuse_value(tree, "a ZoneId")
    return JText("java.time.ZoneRegion", tree)


def _numbers(name: str) -> Callable[[re.Match[str]], Any]:
    return lambda match: JValue(f"java.time.{name}", *(int(each or 0) for each in match.groups()))


_READ: dict[str, tuple[str, Callable[[re.Match[str]], Any]]] = {
    "Instant": (f"{_DAY}T{_TIME}Z", _instant),
    "Duration": (
        rf"PT(?:{_NUMBER}H)?(?:{_NUMBER}M)?(?:(-?)(\d{{1,19}})(?:\.(\d{{1,9}}))?S)?",
        _duration,
    ),
    "LocalDate": (_DAY, _local_date),
    "LocalTime": (_TIME, _local_time),
    "LocalDateTime": (f"{_DAY}T{_TIME}", _local_date_time),
    "OffsetTime": (_TIME + OFFSET, _offset_time),
    "OffsetDateTime": (f"{_DAY}T{_TIME}{OFFSET}", _offset_date_time),
    "ZonedDateTime": (
        f"{_DAY}T{_TIME}{OFFSET}",
        lambda match: JZonedDateTime(_local_date_time(match), match[8]),
    ),
    "ZoneOffset": (OFFSET, lambda match: JValue("java.time.ZoneOffset", _offset(match[1]))),
    "YearMonth": (r"([+-]?\d{4,9})-(\d\d)", _numbers("YearMonth")),
    "MonthDay": (r"--(\d\d)-(\d\d)", _numbers("MonthDay")),
    "Period": (rf"P(?:{_NUMBER}Y)?(?:{_NUMBER}M)?(?:{_NUMBER}D)?", _numbers("Period")),
}


def _reader(name: str, pattern: str, build: Callable[[re.Match[str]], Any]) -> Callable[[Any], Any]:
    compiled, write = re.compile(pattern, re.ASCII), TIME_TEXTS[f"java.time.{name}"]

    def read(tree: Any) -> Any:
        match = compiled.fullmatch(tree) if isinstance(tree, str) else None
        if match is None:
            raise refuse_value(tree, f"a {name}")
        found = build(match)
        write(found)  # which refuses a part that is out of its range
        return found

    return read


def _as_year(tree: Any) -> Any:
    found = JValue("java.time.Year", tree)
    TIME_TEXTS[found.class_name](found)
    return found


TIME_READERS: dict[str, Callable[[Any], Any]] = {
    **{f"java.time.{name}": _reader(name, *each) for name, each in _READ.items()},
    "java.time.Year": _as_year,
    "java.time.ZoneRegion": _zone_id,
    "java.time.ZoneId": _zone_id,
}
"""What makes a value of each class out of its text."""
