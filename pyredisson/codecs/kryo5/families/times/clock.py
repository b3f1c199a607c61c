"""The parts of times: dates, times of day, offsets.

A date is (year, month, day), a time (hour, minute, second, nano), an offset is in seconds. Parts
that were read may be out of range until `make_time` has checked them; parts to write are in range.
Source: Kryo's `TimeSerializers`.
"""

from __future__ import annotations

from typing import Any

from pyredisson.codecs.kryo5.kernel.reader import Reader
from pyredisson.codecs.kryo5.kernel.writer import Writer
from pyredisson.java.values import JValue
from pyredisson.rejection import Rejection, reject_value

__all__ = [
    "MASK",
    "MASK64",
    "parts_of",
    "ranged",
    "read_date",
    "read_offset",
    "read_time",
    "signed",
    "write_date",
    "write_offset",
    "write_time",
]

MASK = 0xFFFFFFFF
MASK64 = 0xFFFFFFFFFFFFFFFF


def ranged(number: Any, low: int, high: int, what: str) -> int:
    """Return the number if it is in the range from `low` to `high`."""
    if not isinstance(number, int) or isinstance(number, bool) or not low <= number <= high:
        raise Rejection(f"{number!r:.40} is not a {what}")
    return int(number)


def signed(value: int, bits: int) -> int:
    """Return an unsigned number of `bits` bits as the signed number with the same bits."""
    return value - (value >> bits - 1 << bits)


def parts_of(value: Any, class_name: str, count: int) -> tuple[Any, ...]:
    """Return the parts of a `JValue` of this class, of which there are `count`."""
    if not isinstance(value, JValue) or value.class_name != class_name:
        raise reject_value(value, f"a {class_name}")
    if len(value.parts) != count:
        raise Rejection(f"a {class_name} has {count} parts, not {len(value.parts)}")
    return value.parts


def read_date(source: Reader) -> tuple[int, int, int]:
    """Read a date."""
    return signed(source.varint(), 32), source.byte(), source.byte()


def write_date(sink: Writer, year: int, month: int, day: int) -> None:
    """Write a date."""
    sink.varint(year & MASK)
    sink.out += bytes((month, day))


def read_time(source: Reader) -> tuple[int, int, int, int]:
    """Read a time: the last byte before omitted zeros is inverted."""
    found = [0, 0, 0]
    for place in range(3):
        byte = source.byte()
        if byte >= 0x80:
            found[place] = 0xFF - byte
            return found[0], found[1], found[2], 0
        found[place] = byte
    nano = ranged(source.varint(), 1, 999_999_999, "number of nanoseconds")
    return found[0], found[1], found[2], nano


def write_time(sink: Writer, hour: int, minute: int, second: int, nano: int) -> None:
    """Write a time: zeros at its end are omitted."""
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
        return byte * 900
    return int.from_bytes(source.take(4), "little", signed=True)


def write_offset(sink: Writer, seconds: int) -> None:
    """Write an offset: quarters of an hour in a byte, or 127 and seconds."""
    if seconds % 900 == 0:
        sink.out.append(seconds // 900 & 0xFF)
    else:
        sink.out.append(127)
        sink.out += seconds.to_bytes(4, "little", signed=True)
