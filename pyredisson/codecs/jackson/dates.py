"""Dates as Jackson 3 writes them: ISO strings, before 1582-10-15 in the Julian calendar.

`java.util.Date` is milliseconds. A `GregorianCalendar` in UTC makes its string, and switches
calendars on that day. Years after 9999 have a sign. Source: jackson-databind 3.1 `StdDateFormat` as
Redisson's `JsonJackson3Codec` uses it.
"""

from __future__ import annotations

import re

from pyredisson.rejection import reject_value

__all__ = ["civil", "date_text", "days_of", "millis_of_text"]

_DAY = 86_400_000
_CUTOVER = -12_219_292_800_000  # 1582-10-15T00:00Z, the first day of the Gregorian calendar
_TEXT = re.compile(
    r"([+-]?\d{4,9})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?"
    r"(Z|[+-]\d\d:?\d\d)",
    re.ASCII,
)


def civil(days: int, julian: bool = False) -> tuple[int, int, int]:
    """Return year, month and day of a day number since 1970-01-01."""
    number = days + 2_440_588 + 32_044  # the Julian day, from March of the year -4800
    if julian:
        number = days + 2_440_588 + 32_082
        cycle, rest = 0, number
    else:
        cycle = (4 * number + 3) // 146_097
        rest = number - 146_097 * cycle // 4
    year = (4 * rest + 3) // 1461
    day = rest - 1461 * year // 4
    month = (5 * day + 2) // 153
    return (
        100 * cycle + year - 4800 + month // 10,
        month + 3 - 12 * (month // 10),
        day - (153 * month + 2) // 5 + 1,
    )


def _julian(year: int, month: int, day: int) -> tuple[int, int]:
    """Return the Julian calendar's day number of a date, and the years counted from March."""
    shift = (14 - month) // 12
    years, months = year + 4800 - shift, month + 12 * shift - 3
    return day + (153 * months + 2) // 5 + 365 * years + years // 4 - 2_440_588, years


def days_of(year: int, month: int, day: int) -> int:
    """Return the day number since 1970-01-01 of a date in the Gregorian calendar."""
    base, years = _julian(year, month, day)
    return base - years // 100 + years // 400 - 32_045


def _days(year: int, month: int, day: int) -> int:
    """Return the day number of a date, Julian before the cutover."""
    gregorian = days_of(year, month, day)
    if gregorian * _DAY >= _CUTOVER:
        return gregorian
    return _julian(year, month, day)[0] - 32_083


def date_text(millis: int) -> str:
    """Return the string of a `Date`, as in `2023-11-14T22:13:20.000Z`."""
    days, rest = divmod(millis, _DAY)
    year, month, day = civil(days, millis < _CUTOVER)
    seconds, milli = divmod(rest, 1000)
    minutes, second = divmod(seconds, 60)
    hour, minute = divmod(minutes, 60)
    if year > 9999:
        shown = f"+{year}"
    else:
        shown = f"{year:04}" if year > 0 else f"-{year:04}" if year else "0000"
        if year < 0:
            shown = f"-{-year:04}"
    return f"{shown}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z"


def millis_of_text(text: str) -> int:
    """Return the milliseconds of such a string; it may have another offset than Z.

    Raises:
        Rejection: the string is not a date.
    """
    match = _TEXT.fullmatch(text)
    if match is None:
        raise reject_value(text, "a Date")
    year, month, day, hour, minute, second = (int(each or 0) for each in match.groups()[:6])
    if not (1 <= month <= 12 and 1 <= day <= 31 and hour < 25 and minute < 60 and second < 61):
        raise reject_value(text, "a Date")
    millis = int((match[7] or "0").ljust(3, "0")[:3])
    offset = 0
    if match[8] != "Z":
        digits = match[8][1:].replace(":", "")
        offset = int(digits[:2]) * 60 + int(digits[2:])
        offset = -offset if match[8][0] == "-" else offset
    seconds = (hour * 60 + minute - offset) * 60 + second
    return (_days(year, month, day) * 86_400 + seconds) * 1000 + millis
