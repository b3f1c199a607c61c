"""Bodies of java.time and of the older dates.

A Python value where `datetime`, `date`, `time` or `timedelta` can hold it, a `JValue`
of the parts where not. Sources: Kryo's `TimeSerializers`, `DateSerializer` and
`CalendarSerializer`.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any

from pyredisson.codecs.java.checks import check_int
from pyredisson.codecs.java.values import (
    JInstant,
    JLocalDateTime,
    JOffsetDateTime,
    JText,
    JValue,
    JZonedDateTime,
)
from pyredisson.codecs.refusal import Refusal, refuse_value

from .clock import (
    BILLION,
    EPOCH,
    MASK,
    MASK64,
    MAX_YEAR,
    SECOND,
    check_day,
    fits,
    of_date,
    of_time,
    offset_of,
    parts_of,
    ranged,
    read_date,
    read_offset,
    read_time,
    signed,
    write_date,
    write_offset,
    write_time,
    zone_of,
)
from .serializer import Serializer

if TYPE_CHECKING:
    from .reader import Reader
    from .writer import Writer

__all__ = ["TIMES"]


class _Instant(Serializer):
    smallest = 2

    def read(self, source: Reader) -> Any:
        seconds = signed(source.varlong(), 64)
        nano = ranged(source.varint(), 0, BILLION - 1, "number of nanoseconds")
        ranged(seconds, -31557014167219200, 31556889864403199, "second of an Instant")
        if nano % 1000 == 0 and -62135596800 <= seconds <= 253402300799:
            found = EPOCH + timedelta(seconds=seconds, microseconds=nano // 1000)
            return JInstant.combine(found.date(), found.time(), UTC)
        return JValue(self.class_name, seconds, nano)

    def write(self, sink: Writer, value: Any) -> None:
        if isinstance(value, datetime) and value.utcoffset() is not None:
            span = value - EPOCH
            seconds, nano = span // SECOND, span % SECOND // timedelta(microseconds=1) * 1000
        else:
            seconds, nano = parts_of(value, self.class_name, 2)
        ranged(seconds, -31557014167219200, 31556889864403199, "second of an Instant")
        sink.varlong(seconds & MASK64)
        sink.varint(ranged(nano, 0, BILLION - 1, "number of nanoseconds"))


class _Duration(Serializer):
    smallest = 9

    def read(self, source: Reader) -> Any:
        seconds = int.from_bytes(source.take(8), "little", signed=True)
        nano = ranged(source.varint(), 0, BILLION - 1, "number of nanoseconds")
        if nano % 1000 == 0 and abs(seconds) <= 86_399_999_999_999:
            return timedelta(seconds=seconds, microseconds=nano // 1000)
        return JValue(self.class_name, seconds, nano)

    def write(self, sink: Writer, value: Any) -> None:
        if isinstance(value, timedelta):
            seconds = value // SECOND
            nano = value % SECOND // timedelta(microseconds=1) * 1000
        else:
            seconds, nano = parts_of(value, self.class_name, 2)
        sink.out += check_int(seconds, 64, "a Duration's seconds").to_bytes(
            8, "little", signed=True
        )
        sink.varint(ranged(nano, 0, BILLION - 1, "number of nanoseconds"))


class _LocalDate(Serializer):
    smallest = 3

    def read(self, source: Reader) -> Any:
        parts = read_date(source)
        return date(*parts) if 1 <= parts[0] <= 9999 else JValue(self.class_name, *parts)

    def write(self, sink: Writer, value: Any) -> None:
        plain = isinstance(value, date) and not isinstance(value, datetime)
        write_date(sink, *(of_date(value) if plain else parts_of(value, self.class_name, 3)))


class _LocalTime(Serializer):
    def read(self, source: Reader) -> Any:
        hour, minute, second, nano = parts = read_time(source)
        if nano % 1000:
            return JValue(self.class_name, *parts)
        return time(hour, minute, second, nano // 1000)

    def write(self, sink: Writer, value: Any) -> None:
        plain = isinstance(value, time) and value.tzinfo is None
        write_time(sink, *(of_time(value) if plain else parts_of(value, self.class_name, 4)))


class _OffsetTime(Serializer):
    smallest = 2

    def read(self, source: Reader) -> Any:
        hour, minute, second, nano = parts = read_time(source)
        offset = read_offset(source)
        if nano % 1000:
            return JValue(self.class_name, *parts, offset)
        return time(hour, minute, second, nano // 1000, zone_of(offset))

    def write(self, sink: Writer, value: Any) -> None:
        if isinstance(value, time):
            parts: tuple[Any, ...] = (*of_time(value), offset_of(value))
        else:
            parts = parts_of(value, self.class_name, 5)
        write_time(sink, *parts[:4])
        write_offset(sink, parts[4])


def _read_local(source: Reader) -> Any:
    year, month, day = read_date(source)
    hour, minute, second, nano = read_time(source)
    if fits(year, nano):
        return JLocalDateTime(year, month, day, hour, minute, second, nano // 1000)
    return JValue(JLocalDateTime.class_name, year, month, day, hour, minute, second, nano)


def _write_local(sink: Writer, value: Any) -> None:
    if isinstance(value, datetime) and value.tzinfo is None:
        parts: tuple[Any, ...] = (*of_date(value), *of_time(value))
    else:
        parts = parts_of(value, JLocalDateTime.class_name, 7)
    write_date(sink, *parts[:3])
    write_time(sink, *parts[3:])


class _LocalDateTime(Serializer):
    smallest = 4

    def read(self, source: Reader) -> Any:
        return _read_local(source)

    def write(self, sink: Writer, value: Any) -> None:
        _write_local(sink, value)


class _OffsetDateTime(Serializer):
    smallest = 5

    def read(self, source: Reader) -> Any:
        year, month, day = read_date(source)
        hour, minute, second, nano = read_time(source)
        offset = read_offset(source)
        if fits(year, nano):
            micro = nano // 1000
            return JOffsetDateTime(year, month, day, hour, minute, second, micro, zone_of(offset))
        return JValue(self.class_name, year, month, day, hour, minute, second, nano, offset)

    def write(self, sink: Writer, value: Any) -> None:
        if isinstance(value, datetime):
            parts: tuple[Any, ...] = (*of_date(value), *of_time(value), offset_of(value))
        else:
            parts = parts_of(value, self.class_name, 8)
        write_date(sink, *parts[:3])
        write_time(sink, *parts[3:7])
        write_offset(sink, parts[7])


class _ZonedDateTime(Serializer):
    smallest = 5

    def read(self, source: Reader) -> Any:
        local = _read_local(source)
        return JZonedDateTime(local, source.text())

    def write(self, sink: Writer, value: Any) -> None:
        if not isinstance(value, JZonedDateTime) or not _ZONE.fullmatch(value.zone):
            raise refuse_value(value, f"a {self.class_name}")
        _write_local(sink, value.local)
        sink.string(value.zone)


class _ZoneOffset(Serializer):
    def read(self, source: Reader) -> Any:
        return JValue(self.class_name, read_offset(source))

    def write(self, sink: Writer, value: Any) -> None:
        write_offset(sink, *parts_of(value, self.class_name, 1))


class _Numbers(Serializer):
    """Year, YearMonth, MonthDay, Period: a few numbers, each a raw varint or a byte."""

    def __init__(self, class_name: str, *limits: tuple[int, int, bool]) -> None:
        super().__init__(class_name)
        self.smallest = len(limits)
        self._limits = limits

    def read(self, source: Reader) -> Any:
        parts = [
            ranged(source.byte() if byte else signed(source.varint(), 32), low, high, "part")
            for low, high, byte in self._limits
        ]
        return JValue(self.class_name, *self._checked(parts))

    def write(self, sink: Writer, value: Any) -> None:
        parts = parts_of(value, self.class_name, len(self._limits))
        for part, (low, high, byte) in zip(self._checked(parts), self._limits, strict=True):
            number = ranged(part, low, high, f"part of a {self.class_name}")
            sink.varint(number if byte else number & MASK)

    def _checked(self, parts: Any) -> Any:
        if self.class_name == "java.time.MonthDay":
            check_day(2000, parts[0], parts[1])
        return parts


class _Millis(Serializer):
    """java.sql.Date, Time and Timestamp: `DateSerializer`, without nanoseconds."""

    def read(self, source: Reader) -> Any:
        return JValue(self.class_name, signed(source.varlong(), 64))

    def write(self, sink: Writer, value: Any) -> None:
        (millis,) = parts_of(value, self.class_name, 1)
        sink.varlong(check_int(millis, 64, f"a {self.class_name}") & MASK64)


class _Calendar(Serializer):
    """Zone id, milliseconds, lenient, first day of week, minimal days, Gregorian change."""

    smallest = 6

    def read(self, source: Reader) -> Any:
        zone, millis = source.text(), signed(source.varlong(), 64)
        lenient, first, minimal = source.flag(), source.varint(), source.varint()
        ranged(first, 1, 7, "first day of a week")
        ranged(minimal, 1, 7, "number of days of a first week")
        change = source.zigzag_long()
        return JValue(self.class_name, zone, millis, lenient, first, minimal, change)

    def write(self, sink: Writer, value: Any) -> None:
        zone, millis, lenient, first, minimal, change = parts_of(value, self.class_name, 6)
        if not isinstance(zone, str) or not isinstance(lenient, bool):
            raise Refusal("a calendar starts with its zone's id, and is lenient or not")
        sink.string(zone)
        sink.varlong(check_int(millis, 64, "a long") & MASK64)
        sink.out.append(lenient)
        sink.varint(ranged(first, 1, 7, "first day of a week"))
        sink.varint(ranged(minimal, 1, 7, "number of days of a first week"))
        sink.zigzag_long(check_int(change, 64, "a long"))


class _Zone(Serializer):
    """A zone id as text."""

    def read(self, source: Reader) -> Any:
        return JText(self.class_name, source.text())

    def write(self, sink: Writer, value: Any) -> None:
        if not isinstance(value, str) or not _ZONE.fullmatch(value):
            raise refuse_value(value, f"a {self.class_name}")
        sink.string(str(value))


_ZONE = re.compile(r"[A-Za-z+-][A-Za-z0-9~/._+:-]*")
_YEAR = (-MAX_YEAR, MAX_YEAR, False)
_MONTH = (1, 12, True)
_ANY = (-(1 << 31), (1 << 31) - 1, False)

TIMES: list[Serializer] = [
    _Instant("java.time.Instant"),
    _Duration("java.time.Duration"),
    _LocalDate("java.time.LocalDate"),
    _LocalTime("java.time.LocalTime"),
    _LocalDateTime("java.time.LocalDateTime"),
    _OffsetTime("java.time.OffsetTime"),
    _OffsetDateTime("java.time.OffsetDateTime"),
    _ZonedDateTime("java.time.ZonedDateTime"),
    _ZoneOffset("java.time.ZoneOffset"),
    _Zone("java.time.ZoneRegion"),
    _Numbers("java.time.Year", _YEAR),
    _Numbers("java.time.YearMonth", _YEAR, _MONTH),
    _Numbers("java.time.MonthDay", _MONTH, (1, 31, True)),
    _Numbers("java.time.Period", _ANY, _ANY, _ANY),
    *(_Millis(f"java.sql.{name}") for name in ("Date", "Time", "Timestamp")),
    _Calendar("java.util.GregorianCalendar"),
]
