"""The pieces of times: dates, times of day, offsets, each checked as Java checks it.

A date is (year, month, day), a time (hour, minute, second, nano), an offset is in
seconds. Source: Kryo's `TimeSerializers`.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, timezone
from typing import TYPE_CHECKING, Any

from pyredisson.codecs.java.values import JValue
from pyredisson.codecs.refusal import Refusal, refuse_value

if TYPE_CHECKING:
    from .reader import Reader
    from .writer import Writer

__all__ = [
    "BILLION",
    "EPOCH",
    "MASK",
    "MASK64",
    "MAX_YEAR",
    "SECOND",
    "check_day",
    "fits",
    "of_date",
    "of_time",
    "offset_of",
    "parts_of",
    "ranged",
    "read_date",
    "read_offset",
    "read_time",
    "signed",
    "write_date",
    "write_offset",
    "write_time",
    "zone_of",
]

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
SECOND = timedelta(seconds=1)
MAX_YEAR = 999_999_999
BILLION = 1_000_000_000
MASK = 0xFFFFFFFF
MASK64 = 0xFFFFFFFFFFFFFFFF
_MONTH_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def ranged(number: Any, low: int, high: int, what: str) -> int:
    """Return a number that is in its range."""
    if not isinstance(number, int) or isinstance(number, bool) or not low <= number <= high:
        raise Refusal(f"{number!r:.40} is no {what}")
    return int(number)


def signed(value: int, bits: int) -> int:
    """Take the number for a signed one of so many bits."""
    return value - (value >> bits - 1 << bits)


def check_day(year: int, month: int, day: int) -> None:
    """Refuse a day that the month has not."""
    ranged(month, 1, 12, "month")
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    ranged(day, 1, 28 if month == 2 and not leap else _MONTH_DAYS[month - 1], "day of a month")


def parts_of(value: Any, class_name: str, count: int) -> tuple[Any, ...]:
    """Return the parts of a `JValue` of this class, of which there are `count`."""
    if not isinstance(value, JValue) or value.class_name != class_name:
        raise refuse_value(value, f"a {class_name}")
    if len(value.parts) != count:
        raise Refusal(f"a {class_name} has {count} parts, not {len(value.parts)}")
    return value.parts


def read_date(source: Reader) -> tuple[int, int, int]:
    """Read a date."""
    year = ranged(signed(source.varint(), 32), -MAX_YEAR, MAX_YEAR, "year")
    month, day = source.byte(), source.byte()
    check_day(year, month, day)
    return year, month, day


def write_date(sink: Writer, year: int, month: int, day: int) -> None:
    """Write a date."""
    check_day(ranged(year, -MAX_YEAR, MAX_YEAR, "year"), month, day)
    sink.varint(year & MASK)
    sink.out += bytes((month, day))


def read_time(source: Reader) -> tuple[int, int, int, int]:
    """Read a time."""
    found = [0, 0, 0, 0]
    for place, end in enumerate((23, 59, 59)):
        byte = source.byte()
        found[place] = ranged(byte if byte < 0x80 else 0xFF - byte, 0, end, "part of a time")
        if byte >= 0x80:
            return found[0], found[1], found[2], 0
    found[3] = ranged(source.varint(), 1, BILLION - 1, "number of nanoseconds")
    return found[0], found[1], found[2], found[3]


def write_time(sink: Writer, hour: int, minute: int, second: int, nano: int) -> None:
    """Write a time: the zeros at its end are left out."""
    ranged(hour, 0, 23, "hour")
    ranged(minute, 0, 59, "minute")
    ranged(second, 0, 59, "second")
    ranged(nano, 0, BILLION - 1, "number of nanoseconds")
    if nano:
        sink.out += bytes((hour, minute, second))
        sink.varint(nano)
    elif second:
        sink.out += bytes((hour, minute, 0xFF - second))
    elif minute:
        sink.out += bytes((hour, 0xFF - minute))
    else:
        sink.out.append(0xFF - hour)


def read_offset(source: Reader) -> int:
    """Read an offset."""
    byte = signed(source.byte(), 8)
    if byte != 127:
        return ranged(byte, -72, 72, "offset") * 900
    return ranged(int.from_bytes(source.take(4), "little", signed=True), -64800, 64800, "offset")


def write_offset(sink: Writer, seconds: int) -> None:
    """Write an offset: quarters of an hour in a byte, or 127 and seconds."""
    ranged(seconds, -64800, 64800, "offset")
    if seconds % 900 == 0:
        sink.out.append(seconds // 900 & 0xFF)
    else:
        sink.out.append(127)
        sink.out += seconds.to_bytes(4, "little", signed=True)


def offset_of(value: datetime | time) -> int:
    """Return the offset of an aware time."""
    offset = value.utcoffset()
    if offset is None:
        raise Refusal("a time without an offset, where Java has one")
    if offset % SECOND:
        raise Refusal("an offset with a fraction of a second")
    return offset // SECOND


def zone_of(seconds: int) -> timezone:
    """Return the zone with this offset."""
    return timezone(timedelta(seconds=seconds)) if seconds else UTC


def of_date(value: date) -> tuple[int, int, int]:
    """Split a date."""
    return value.year, value.month, value.day


def of_time(value: datetime | time) -> tuple[int, int, int, int]:
    """Split a time."""
    return value.hour, value.minute, value.second, value.microsecond * 1000


def fits(year: int, nano: int) -> bool:
    """Say whether `datetime` can hold it."""
    return 1 <= year <= 9999 and nano % 1000 == 0
