"""The strings of `java.time` as Jackson 3 writes them: ISO 8601, like the classes' own formatters.

Local times and those with a date always have seconds, and as many digits of a fraction as needed.
`Instant` and `OffsetTime` have groups of three digits, and an `OffsetTime` has seconds only if it
needs them. A `ZonedDateTime` keeps its offset, not its zone's name, so Python can only write those
whose zone is an offset. Source: jackson-databind 3.1 `tools.jackson.databind.ext.javatime`, as
Redisson 4.7.0 writes it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from pyredisson.java.durations import BILLION
from pyredisson.java.times import time_parts
from pyredisson.java.values import JZonedDateTime
from pyredisson.rejection import Rejection, reject_value

from .dates import civil

__all__ = ["OFFSET", "TIME_TEXTS", "offset_text", "seconds_of"]

OFFSET = r"(Z|[+-]\d\d:\d\d(?::\d\d)?)"


def _year(year: int) -> str:
    return f"+{year}" if year > 9999 else f"{year:04}" if year >= 0 else f"-{-year:04}"


def _date(year: int, month: int, day: int) -> str:
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


def offset_text(seconds: int) -> str:
    """Return an offset as in `+02:00`."""
    if not seconds:
        return "Z"
    rest = abs(seconds)
    tail = f":{rest % 60:02}" if rest % 60 else ""
    return f"{'+' if seconds > 0 else '-'}{rest // 3600:02}:{rest // 60 % 60:02}{tail}"


def _instant(seconds: int, nano: int) -> str:
    days, rest = divmod(seconds, 86_400)
    clock = f"{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}"
    return f"{_date(*civil(days))}T{clock}{_grouped(nano)}Z"


def _duration(seconds: int, nano: int) -> str:
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


def _offset_time(hour: int, minute: int, second: int, nano: int, offset: int) -> str:
    tail = f":{second:02}{_grouped(nano)}" if second or nano else ""
    return f"{hour:02}:{minute:02}{tail}{offset_text(offset)}"


def _local(*parts: int) -> str:
    return f"{_date(*parts[:3])}T{_clock(*parts[3:])}"


def _zoned(value: Any) -> str:
    if not isinstance(value, JZonedDateTime):
        raise reject_value(value, "a ZonedDateTime")
    zone = "Z" if value.zone in {"UTC", "GMT", "UT"} else value.zone
    if not re.fullmatch(OFFSET, zone):
        raise Rejection(
            f"a ZonedDateTime in {value.zone}: Jackson writes its offset, which depends on Java's "
            "time zone data; use the offset itself"
        )
    local = _local(*time_parts("java.time.LocalDateTime", value.local))
    return local + offset_text(seconds_of(zone))


def _period(*parts: int) -> str:
    pairs = zip(parts, "YMD", strict=True)
    return f"P{''.join(f'{number}{unit}' for number, unit in pairs if number) or '0D'}"


def _region(value: Any) -> str:
    if not isinstance(value, str):
        raise reject_value(value, "a ZoneId")
    return str(value)


def seconds_of(text: str) -> int:
    """Return the seconds of an offset's string."""
    if text == "Z":
        return 0
    hours, minutes, seconds = (*map(int, text[1:].split(":")), 0)[:3]
    return (hours * 3600 + minutes * 60 + seconds) * (-1 if text[0] == "-" else 1)


def _text(name: str, encode: Callable[..., str | int]) -> Callable[[Any], str | int]:
    return lambda value: encode(*time_parts(name, value))


_ENCODED: dict[str, Callable[..., str | int]] = {
    "Instant": _instant,
    "Duration": _duration,
    "LocalDate": _date,
    "LocalTime": _clock,
    "LocalDateTime": _local,
    "OffsetTime": _offset_time,
    "OffsetDateTime": lambda *parts: _local(*parts[:7]) + offset_text(parts[7]),
    "ZoneOffset": offset_text,
    "Year": lambda year: year,
    "YearMonth": lambda year, month: f"{year:0{5 if year < 0 else 4}}-{month:02}",
    "MonthDay": lambda month, day: f"--{month:02}-{day:02}",
    "Period": _period,
}
TIME_TEXTS: dict[str, Callable[[Any], str | int]] = {
    **{f"java.time.{name}": _text(f"java.time.{name}", each) for name, each in _ENCODED.items()},
    "java.time.ZonedDateTime": _zoned,
    "java.time.ZoneRegion": _region,
}
"""The functions that make the string of a value (of a Year: the number), by class name."""
