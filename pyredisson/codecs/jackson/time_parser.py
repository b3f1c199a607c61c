"""Parses the ISO strings of `java.time` values, as Jackson 3 does.

`java/times` makes the values from the numbers in them and rejects numbers out of range, so that
every value that is read can be written.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from pyredisson.java.durations import BILLION
from pyredisson.java.times import make_time
from pyredisson.java.values import JText, JZonedDateTime
from pyredisson.rejection import reject_value

from .dates import days_of
from .times import OFFSET, seconds_of

__all__ = ["TIME_READERS"]

_DAY = r"([+-]?\d{4,10})-(\d\d)-(\d\d)"
_TIME = r"(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?"
_NUMBER = r"(-?\d{1,19})"


def _date(match: re.Match[str]) -> tuple[int, ...]:
    return int(match[1]), int(match[2]), int(match[3])


def _clock(match: re.Match[str], first: int = 1) -> tuple[int, ...]:
    hour, minute, second, digits = match.group(first, first + 1, first + 2, first + 3)
    return int(hour), int(minute), int(second or 0), _nano(digits)


def _nano(digits: str | None) -> int:
    return int((digits or "0").ljust(9, "0"))


def _local(match: re.Match[str]) -> tuple[int, ...]:
    return *_date(match), *_clock(match, 4)


def _instant(match: re.Match[str]) -> tuple[int, int]:
    year, month, day, hour, minute, second, nano = parts = _local(match)
    # Rejects invalid days and times; LocalDateTime has fewer years than Instant.
    make_time("java.time.LocalDateTime", year % 400 + 2000, *parts[1:])
    return days_of(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second, nano


def _duration(match: re.Match[str]) -> tuple[int, int]:
    hours, minutes, sign, seconds, digits = match.groups()
    rest = int(seconds or 0) * BILLION + _nano(digits)
    nanos = (int(hours or 0) * 60 + int(minutes or 0)) * 60 * BILLION + (-rest if sign else rest)
    return divmod(nanos, BILLION)


def _zoned(match: re.Match[str]) -> JZonedDateTime:
    make_time("java.time.ZoneOffset", seconds_of(match[8]))
    return JZonedDateTime(make_time("java.time.LocalDateTime", *_local(match)), match[8])


def _zone_id(tree: Any) -> Any:
    if not isinstance(tree, str):
        raise reject_value(tree, "a ZoneId")
    return JText("java.time.ZoneRegion", tree)


def _numbers(match: re.Match[str]) -> tuple[int, ...]:
    return tuple(int(each or 0) for each in match.groups())


_READ: dict[str, tuple[str, Callable[[re.Match[str]], tuple[int, ...]]]] = {
    "Instant": (f"{_DAY}T{_TIME}Z", _instant),
    "Duration": (
        rf"PT(?:{_NUMBER}H)?(?:{_NUMBER}M)?(?:(-?)(\d{{1,19}})(?:\.(\d{{1,9}}))?S)?",
        _duration,
    ),
    "LocalDate": (_DAY, _date),
    "LocalTime": (_TIME, _clock),
    "LocalDateTime": (f"{_DAY}T{_TIME}", _local),
    "OffsetTime": (_TIME + OFFSET, lambda match: (*_clock(match), seconds_of(match[5]))),
    "OffsetDateTime": (
        f"{_DAY}T{_TIME}{OFFSET}",
        lambda match: (*_local(match), seconds_of(match[8])),
    ),
    "ZoneOffset": (OFFSET, lambda match: (seconds_of(match[1]),)),
    "YearMonth": (r"([+-]?\d{4,9})-(\d\d)", _numbers),
    "MonthDay": (r"--(\d\d)-(\d\d)", _numbers),
    "Period": (rf"P(?:{_NUMBER}Y)?(?:{_NUMBER}M)?(?:{_NUMBER}D)?", _numbers),
}


def _reader(name: str, pattern: str, build: Callable[[re.Match[str]], Any]) -> Callable[[Any], Any]:
    compiled = re.compile(pattern, re.ASCII)

    def read(tree: Any) -> Any:
        match = compiled.fullmatch(tree) if isinstance(tree, str) else None
        if match is None:
            raise reject_value(tree, f"a {name}")
        return build(match)

    return read


def _parts_reader(
    name: str, pattern: str, parts: Callable[[re.Match[str]], tuple[int, ...]]
) -> Callable[[Any], Any]:
    return _reader(name, pattern, lambda match: make_time(f"java.time.{name}", *parts(match)))


TIME_READERS: dict[str, Callable[[Any], Any]] = {
    **{f"java.time.{name}": _parts_reader(name, *each) for name, each in _READ.items()},
    "java.time.ZonedDateTime": _reader("ZonedDateTime", f"{_DAY}T{_TIME}{OFFSET}", _zoned),
    "java.time.Year": lambda tree: make_time("java.time.Year", tree),
    "java.time.ZoneRegion": _zone_id,
    "java.time.ZoneId": _zone_id,
}
"""The functions that make a value from its string, by class name."""
