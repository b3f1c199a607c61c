"""Bodies of java.time and of the older dates.

`java/times` makes the values and splits them; this module encodes the parts. Sources: Kryo's
`TimeSerializers`, `DateSerializer` and `CalendarSerializer`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from pyredisson.codecs.kryo5.kernel.generics import Arguments
from pyredisson.codecs.kryo5.kernel.reader import Reader
from pyredisson.codecs.kryo5.kernel.serializer import Form, Serializer
from pyredisson.codecs.kryo5.kernel.writer import Writer
from pyredisson.java.checks import check_int
from pyredisson.java.times import make_time, time_parts
from pyredisson.java.values import JText, JValue, JZonedDateTime
from pyredisson.rejection import Rejection, reject_value

from .clock import (
    MASK,
    MASK64,
    parts_of,
    ranged,
    read_date,
    read_offset,
    read_time,
    signed,
    write_date,
    write_offset,
    write_time,
)

__all__ = [
    "DATE",
    "DATE_TIME",
    "DURATION",
    "INSTANT",
    "MONTH_DAY",
    "OFFSET",
    "OFFSET_DATE_TIME",
    "OFFSET_TIME",
    "PERIOD",
    "TIME",
    "YEAR",
    "YEAR_MONTH",
    "Calendar",
    "Millis",
    "Time",
    "TimeFormat",
    "Zone",
    "ZonedDateTime",
]


_ZONE = re.compile(r"[A-Za-z+-][A-Za-z0-9~/._+:-]*")


class TimeFormat(NamedTuple):
    """How to read and write the parts of a value.

    Attributes:
        read: reads the parts.
        write: writes the parts.
        smallest: the minimum length of the body in bytes.
    """

    read: Callable[[Reader], Iterable[int]]
    write: Callable[..., None]
    smallest: int = 1


class Time(Serializer):
    """A value of `java.time`, by its parts."""

    def __init__(self, class_name: str, parts: TimeFormat, form: Form | None = None) -> None:
        super().__init__(class_name)
        self._read_parts, self._write_parts, self.smallest = parts
        self.form = form

    def read(self, source: Reader, arguments: Arguments = None) -> Any:
        return make_time(self.class_name, *self._read_parts(source))

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        self._write_parts(sink, *time_parts(self.class_name, value))


def _read_instant(source: Reader) -> tuple[int, int]:
    return signed(source.varlong(), 64), source.varint()


def _write_instant(sink: Writer, seconds: int, nano: int) -> None:
    sink.varlong(seconds & MASK64)
    sink.varint(nano)


def _read_duration(source: Reader) -> tuple[int, int]:
    return int.from_bytes(source.take(8), "little", signed=True), source.varint()


def _write_duration(sink: Writer, seconds: int, nano: int) -> None:
    sink.out += seconds.to_bytes(8, "little", signed=True)
    sink.varint(nano)


def _read_offset_time(source: Reader) -> tuple[int, ...]:
    return (*read_time(source), read_offset(source))


def _write_offset_time(sink: Writer, *parts: int) -> None:
    write_time(sink, *parts[:4])
    write_offset(sink, parts[4])


def _read_local(source: Reader) -> tuple[int, ...]:
    return (*read_date(source), *read_time(source))


def _write_local(sink: Writer, *parts: int) -> None:
    write_date(sink, *parts[:3])
    write_time(sink, *parts[3:])


def _read_offset_date_time(source: Reader) -> tuple[int, ...]:
    return (*_read_local(source), read_offset(source))


def _write_offset_date_time(sink: Writer, *parts: int) -> None:
    _write_local(sink, *parts[:7])
    write_offset(sink, parts[7])


def _numbers(*bits: int) -> TimeFormat:
    """Return the format of parts that are each a raw varint (32 bits) or a byte (8 bits)."""

    def read(source: Reader) -> list[int]:
        return [source.byte() if each == 8 else signed(source.varint(), 32) for each in bits]

    def write(sink: Writer, *parts: int) -> None:
        for part in parts:
            sink.varint(part & MASK)

    return TimeFormat(read, write, len(bits))


INSTANT = TimeFormat(_read_instant, _write_instant, 2)
DURATION = TimeFormat(_read_duration, _write_duration, 9)
DATE = TimeFormat(read_date, write_date, 3)
TIME = TimeFormat(read_time, write_time)
DATE_TIME = TimeFormat(_read_local, _write_local, 4)
OFFSET_TIME = TimeFormat(_read_offset_time, _write_offset_time, 2)
OFFSET_DATE_TIME = TimeFormat(_read_offset_date_time, _write_offset_date_time, 5)
OFFSET = TimeFormat(lambda source: (read_offset(source),), write_offset)
YEAR = _numbers(32)
YEAR_MONTH = _numbers(32, 8)
MONTH_DAY = _numbers(8, 8)
PERIOD = _numbers(32, 32, 32)
_LOCAL = Time("java.time.LocalDateTime", DATE_TIME)


class ZonedDateTime(Serializer):
    """The local time, then the zone's id."""

    smallest = 5

    def read(self, source: Reader, arguments: Arguments = None) -> Any:
        return JZonedDateTime(_LOCAL.read(source), source.text())

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        if not isinstance(value, JZonedDateTime) or not _ZONE.fullmatch(value.zone):
            raise reject_value(value, f"a {self.class_name}")
        _LOCAL.write(sink, value.local)
        sink.string(value.zone)


class Millis(Serializer):
    """java.sql.Date, Time and Timestamp: `DateSerializer`, without nanoseconds."""

    def read(self, source: Reader, arguments: Arguments = None) -> Any:
        return JValue(self.class_name, signed(source.varlong(), 64))

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        (millis,) = parts_of(value, self.class_name, 1)
        sink.varlong(check_int(millis, 64, f"a {self.class_name}") & MASK64)


class Calendar(Serializer):
    """Zone id, milliseconds, lenient, first day of week, minimal days, Gregorian change."""

    smallest = 6

    def read(self, source: Reader, arguments: Arguments = None) -> Any:
        zone, millis = source.text(), signed(source.varlong(), 64)
        lenient, first, minimal = source.flag(), source.varint(), source.varint()
        ranged(first, 1, 7, "first day of a week")
        ranged(minimal, 1, 7, "number of days of a first week")
        change = source.zigzag_long()
        return JValue(self.class_name, zone, millis, lenient, first, minimal, change)

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        zone, millis, lenient, first, minimal, change = parts_of(value, self.class_name, 6)
        if not isinstance(zone, str) or not isinstance(lenient, bool):
            raise Rejection(
                f"the parts of a {self.class_name} are its zone's id (a str), the milliseconds, "
                "lenient (a bool), and three numbers"
            )
        sink.string(zone)
        sink.varlong(check_int(millis, 64, "a long") & MASK64)
        sink.out.append(lenient)
        sink.varint(ranged(first, 1, 7, "first day of a week"))
        sink.varint(ranged(minimal, 1, 7, "number of days of a first week"))
        sink.zigzag_long(check_int(change, 64, "a long"))


class Zone(Serializer):
    """A zone id as text."""

    def read(self, source: Reader, arguments: Arguments = None) -> Any:
        return JText(self.class_name, source.text())

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        if not isinstance(value, str) or not _ZONE.fullmatch(value):
            raise reject_value(value, f"a {self.class_name}")
        sink.string(str(value))
