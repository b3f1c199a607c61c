"""Reads the objects that stand for `java.time` values and for immutable collections.

Java serializes a `java.time.Ser` or `java.util.CollSer` in their place: a type byte and numbers, or
a tag and elements. Sources: the `writeExternal` methods of the classes in OpenJDK 17, unchanged
since 8 and 9. `java/times` makes the values of the parts.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from pyredisson.java.modified_utf8 import from_modified
from pyredisson.java.times import make_time
from pyredisson.java.values import JText, JZonedDateTime
from pyredisson.rejection import Rejection

__all__ = ["TimeBlock", "read_kind", "read_time"]


class TimeBlock:
    """The bytes of one `java.time.Ser`; subclasses read the encodings of other codecs."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def number(self, form: str) -> int:
        """Read a number of a `struct` format."""
        size = struct.calcsize(form)
        if self._at + size > len(self._data):
            raise Rejection("a java.time value that ends early")
        found: int = struct.unpack_from(">" + form, self._data, self._at)[0]
        self._at += size
        return found

    def text(self) -> str:
        """Read a string."""
        size = self.number("H") or self.number("H")  # River writes 32 bits
        self._at += size
        return from_modified(self._data[self._at - size : self._at])

    def seconds(self) -> int:
        """Read an offset that is not a multiple of 15 minutes, in seconds."""
        return self.number("i")

    def check_end(self) -> None:
        """Reject bytes that are left over."""
        if self._at != len(self._data):
            raise Rejection("a java.time value of another length")


def _date_parts(block: TimeBlock) -> tuple[int, int, int]:
    return block.number("i"), block.number("b"), block.number("b")


def _time_parts(block: TimeBlock) -> tuple[int, int, int, int]:
    """Read hour, minute, second, nanosecond; the last part before omitted zeros is inverted."""
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


def _local(block: TimeBlock) -> tuple[int, ...]:
    return *_date_parts(block), *_time_parts(block)


def _zoned(block: TimeBlock) -> Any:
    local = make_time("java.time.LocalDateTime", *_local(block))
    seconds = _offset(block)
    kind = block.number("b")
    if kind == 8:
        seconds = _offset(block)
        sign, rest = "+" if seconds >= 0 else "-", abs(seconds)
        tail = f":{rest % 60:02}" if rest % 60 else ""
        text = f"{sign}{rest // 3600:02}:{rest // 60 % 60:02}{tail}" if rest else "Z"
        return JZonedDateTime(local, text, seconds)
    if kind != 7:
        raise Rejection("a ZonedDateTime without a zone")
    return JZonedDateTime(local, block.text(), seconds)


def _numbers(*forms: str) -> Callable[[TimeBlock], tuple[int, ...]]:
    return lambda block: tuple(block.number(form) for form in forms)


_PARTS: dict[int, tuple[str, Callable[[TimeBlock], tuple[int, ...]]]] = {
    1: ("Duration", _numbers("q", "i")),
    2: ("Instant", _numbers("q", "i")),
    3: ("LocalDate", _date_parts),
    4: ("LocalTime", _time_parts),
    5: ("LocalDateTime", _local),
    8: ("ZoneOffset", lambda block: (_offset(block),)),
    9: ("OffsetTime", lambda block: (*_time_parts(block), _offset(block))),
    10: ("OffsetDateTime", lambda block: (*_local(block), _offset(block))),
    11: ("Year", _numbers("i")),
    12: ("YearMonth", _numbers("i", "b")),
    13: ("MonthDay", _numbers("b", "b")),
    14: ("Period", _numbers("i", "i", "i")),
}


def read_time(block: TimeBlock) -> Any:
    """Return the value that a `java.time.Ser` stands for.

    Raises:
        Rejection: Java has no such value, for example month 13.
    """
    kind = block.number("b")
    found = read_kind(kind, block)
    block.check_end()
    return found


def read_kind(kind: int, block: TimeBlock) -> Any:
    """Return the value of a `java.time.Ser` of this type.

    Raises:
        Rejection: as in `read_time`.
    """
    if kind == 6:
        return _zoned(block)
    if kind == 7:
        return JText("java.time.ZoneRegion", block.text())
    if kind not in _PARTS:
        raise Rejection(f"a java.time value of the unknown type {kind}")
    name, parts = _PARTS[kind]
    return make_time(f"java.time.{name}", *parts(block))
