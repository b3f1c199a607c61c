"""The values of `java.time` and of the immutable collections, which stand in for themselves.

Their classes serialize a `java.time.Ser` or `java.util.CollSer` in their place: a type
byte and numbers, or a tag and elements. Sources: the `writeExternal` methods of the
classes in OpenJDK 17, unchanged since 8 and 9. Values beyond Python's types (years after
9999, nanoseconds) become a `JValue`, as in Kryo5Codec.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta, timezone
from typing import Any

from pyredisson.codecs.java.values import (
    JInstant,
    JLocalDateTime,
    JOffsetDateTime,
    JText,
    JValue,
    JZonedDateTime,
)
from pyredisson.codecs.refusal import Refusal

from .modified_utf8 import from_modified

__all__ = ["TimeBlock", "read_kind", "read_time"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class TimeBlock:
    """The bytes of one `java.time.Ser`; other codecs spell its numbers their own way."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def number(self, form: str) -> int:
        """Read a number, of a form as in `struct`."""
        size = struct.calcsize(form)
        if self._at + size > len(self._data):
            raise Refusal("a java.time value that ends early")
        found: int = struct.unpack_from(">" + form, self._data, self._at)[0]
        self._at += size
        return found

    def text(self) -> str:
        """Read a text."""
        size = self.number("H") or self.number("H")  # River writes 32 bits
        self._at += size
        return from_modified(self._data[self._at - size : self._at])

    def seconds(self) -> int:
        """Read an offset that is no multiple of a quarter of an hour."""
        return self.number("i")

    def check_end(self) -> None:
        """Refuse bytes that are left over."""
        if self._at != len(self._data):
            raise Refusal("a java.time value of another length")


def _duration(block: TimeBlock) -> Any:
    seconds, nano = block.number("q"), block.number("i")
    if nano % 1000 == 0 and abs(seconds) <= 86_399_999_999_999:
        return timedelta(seconds=seconds, microseconds=nano // 1000)
    return JValue("java.time.Duration", seconds, nano)


def _instant(block: TimeBlock) -> Any:
    seconds, nano = block.number("q"), block.number("i")
    try:
        found = _EPOCH + timedelta(seconds=seconds, microseconds=nano // 1000)
    except OverflowError:
        return JValue("java.time.Instant", seconds, nano)
    if nano % 1000:
        return JValue("java.time.Instant", seconds, nano)
    return JInstant(*found.timetuple()[:6], found.microsecond, UTC)


def _date_parts(block: TimeBlock) -> tuple[int, int, int]:
    return block.number("i"), block.number("b"), block.number("b")


def _time_parts(block: TimeBlock) -> tuple[int, int, int, int]:
    """Hour, minute, second; whichever is the last before zeros stands inverted."""
    parts = [0, 0, 0]
    for place in range(3):
        parts[place] = block.number("b")
        if parts[place] < 0:
            parts[place] = ~parts[place]
            return parts[0], parts[1], parts[2], 0
    return parts[0], parts[1], parts[2], block.number("i")


def _offset(block: TimeBlock) -> int:
    quarters = block.number("b")
    return block.seconds() if quarters == 127 else quarters * 900


def _zone(offset: int) -> timezone:
    return timezone(timedelta(seconds=offset))


def _local_date(block: TimeBlock) -> Any:
    parts = _date_parts(block)
    return date(*parts) if 1 <= parts[0] <= 9999 else JValue("java.time.LocalDate", *parts)


def _local_time(block: TimeBlock) -> Any:
    hour, minute, second, nano = _time_parts(block)
    if nano % 1000:
        return JValue("java.time.LocalTime", hour, minute, second, nano)
    return time(hour, minute, second, nano // 1000)


def _offset_time(block: TimeBlock) -> Any:
    hour, minute, second, nano = _time_parts(block)
    offset = _offset(block)
    if nano % 1000:
        return JValue("java.time.OffsetTime", hour, minute, second, nano, offset)
    return time(hour, minute, second, nano // 1000, _zone(offset))


def _local(block: TimeBlock) -> Any:
    parts = (*_date_parts(block), *_time_parts(block))
    if 1 <= parts[0] <= 9999 and parts[6] % 1000 == 0:
        return JLocalDateTime(*parts[:6], parts[6] // 1000)
    return JValue("java.time.LocalDateTime", *parts)


def _offset_date_time(block: TimeBlock) -> Any:
    parts = (*_date_parts(block), *_time_parts(block))
    offset = _offset(block)
    if 1 <= parts[0] <= 9999 and parts[6] % 1000 == 0:
        return JOffsetDateTime(*parts[:6], parts[6] // 1000, _zone(offset))
    return JValue("java.time.OffsetDateTime", *parts, offset)


def _zoned(block: TimeBlock) -> Any:
    local = _local(block)
    seconds = _offset(block)
    kind = block.number("b")
    if kind == 8:
        seconds = _offset(block)
        sign, rest = "+" if seconds >= 0 else "-", abs(seconds)
        tail = f":{rest % 60:02}" if rest % 60 else ""
        text = f"{sign}{rest // 3600:02}:{rest // 60 % 60:02}{tail}" if rest else "Z"
        return JZonedDateTime(local, text)
    if kind != 7:
        raise Refusal("a ZonedDateTime without a zone")
    return JZonedDateTime(local, block.text())


def _numbers(class_name: str, *forms: str) -> Callable[[TimeBlock], Any]:
    return lambda block: JValue(class_name, *(block.number(form) for form in forms))


_TYPES: dict[int, Callable[[TimeBlock], Any]] = {
    1: _duration,
    2: _instant,
    3: _local_date,
    4: _local_time,
    5: _local,
    6: _zoned,
    7: lambda block: JText("java.time.ZoneRegion", block.text()),
    8: lambda block: JValue("java.time.ZoneOffset", _offset(block)),
    9: _offset_time,
    10: _offset_date_time,
    11: _numbers("java.time.Year", "i"),
    12: _numbers("java.time.YearMonth", "i", "b"),
    13: _numbers("java.time.MonthDay", "b", "b"),
    14: _numbers("java.time.Period", "i", "i", "i"),
}


def read_time(block: TimeBlock) -> Any:
    """Return the value that a `java.time.Ser` stands for.

    Raises:
        Refusal: no such value, as month 13.
    """
    kind = block.number("b")
    found = read_kind(kind, block)
    block.check_end()
    return found


def read_kind(kind: int, block: TimeBlock) -> Any:
    """Return the value of a `java.time.Ser` of this type.

    Raises:
        Refusal: as `read_time` does.
    """
    if kind not in _TYPES:
        raise Refusal(f"java.time value of an unknown type {kind}")
    try:
        found = _TYPES[kind](block)
    except ValueError as error:
        raise Refusal(f"no java.time value: {error}") from None
    return found
