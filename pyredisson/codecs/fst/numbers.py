"""FST's numbers and texts: small ones are a byte, all others little-endian.

An int or long of one byte is that byte; -128 announces two bytes, -127 four, -126 eight. A short or
char below 255 is a byte, otherwise 255 and two bytes. A text is its length and chars. Source:
`org.nustaq.serialization.coders.FSTStreamDecoder` and `FSTStreamEncoder` 2.57.
"""

from __future__ import annotations

import struct

from pyredisson.codecs.cursor import Cursor
from pyredisson.codecs.java_serialization.times import TimeBlock
from pyredisson.java.modified_utf8 import utf16_text

__all__ = [
    "FstTime",
    "put_char",
    "put_int",
    "put_text",
    "read_char",
    "read_int",
    "read_text",
    "signed",
]

_WIDE = {0x80: "<h", 0x81: "<i", 0x82: "<q"}


def read_int(source: Cursor, *, long: bool = False) -> int:
    """Read an int, or a long."""
    head = source.byte()
    if head not in _WIDE or (head == 0x82 and not long):
        return head - 0x100 if head >= 0x80 else head
    found: int = source.unpack(_WIDE[head])
    return found


def read_char(source: Cursor) -> int:
    """Read a char as its number, or a short as an unsigned number."""
    head = source.byte()
    if head < 255:
        return head
    found: int = source.unpack("<H")
    return found


def signed(value: int) -> int:
    """Return an unsigned short as a signed one."""
    return value - 0x10000 if value >= 0x8000 else value


def read_text(source: Cursor) -> str:
    """Read a text."""
    count = source.claim(read_int(source))
    piece = source.data[source.pos : source.pos + count]
    if b"\xff" not in piece:
        return source.take(count).decode("latin-1")
    return utf16_text("".join(chr(read_char(source)) for _ in range(count)))


class FstTime(TimeBlock):
    """A `java.time.Ser` whose numbers are FST's."""

    def __init__(self, source: Cursor) -> None:
        self._source = source

    def number(self, form: str) -> int:
        """Read a number of a `struct` format."""
        if form == "b":
            found: int = self._source.unpack("b")
            return found
        return read_int(self._source, long=form == "q")

    def text(self) -> str:
        """Read a text."""
        return read_text(self._source)

    def check_end(self) -> None:
        """Check nothing: FST writes no length."""


def put_int(value: int, *, long: bool = False) -> bytes:
    """Encode an int, or a long."""
    if (-126 if not long else -125) <= value <= 127:
        return bytes([value & 0xFF])
    if -0x8000 <= value <= 0x7FFF:
        return b"\x80" + struct.pack("<h", value)
    if -0x80000000 <= value <= 0x7FFFFFFF:
        return b"\x81" + struct.pack("<i", value)
    return b"\x82" + struct.pack("<q", value)


def put_char(value: int) -> bytes:
    """Encode a char's number, or a short as an unsigned number."""
    return bytes([value]) if value < 255 else b"\xff" + struct.pack("<H", value)


def put_text(text: str) -> bytes:
    """Encode a text."""
    data = text.encode("utf-16-le", "surrogatepass")
    units = struct.unpack(f"<{len(data) // 2}H", data)
    return put_int(len(units)) + b"".join(map(put_char, units))
