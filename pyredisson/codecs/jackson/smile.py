"""`SmileJacksonCodec` and `SmileJackson3Codec`: the tree of the JSON codecs in Smile.

Smile is a binary JSON: a header of four bytes, one byte for each value's kind, and references to
names that occurred before. Redisson writes it with Smile's defaults: shared names, no shared
strings, byte arrays in 7-bit groups. A piece is a list of bytes and names; names become references
only when the whole message is known.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from pyredisson.java.numbers import unscaled_of
from pyredisson.releases import Number

from .bases import NamelessCodec, NamingCodec
from .binary import BinaryFormat, utf8
from .smile_parser import HEADER, SmileParser

__all__ = ["SmileJackson3Codec", "SmileJacksonCodec"]

Piece = list[Any]  # of `bytes`, `_Name` and pieces
_MAX_NAMES = 1024
_BUFFER = 8000  # of Jackson's generator: it marks longer strings as Unicode without a check


class _Name(str):
    """A member's name, not yet replaced by a reference."""

    __slots__ = ()


def vint(value: int) -> bytes:
    """Return a number in groups of 7 bits, the last of 6 with the high bit set."""
    groups = [0x80 | value & 0x3F]
    value >>= 6
    while value:
        groups.append(value & 0x7F)
        value >>= 7
    return bytes(reversed(groups))


def zigzag(value: int) -> int:
    """Fold the sign into the lowest bit."""
    return value << 1 if value >= 0 else (~value << 1) | 1


def seven(data: bytes) -> bytes:
    """Return bytes in groups of 7 bits; the last group holds the rest, right-aligned."""
    bits = len(data) * 8
    number = int.from_bytes(data, "big")
    rest = bits % 7
    groups = []
    if rest:
        groups.append(number & (1 << rest) - 1)
        number >>= rest
    for _ in range(bits // 7):
        groups.append(number & 0x7F)
        number >>= 7
    return bytes(reversed(groups))


class _Format(BinaryFormat[Piece]):
    """Smile as Jackson writes it."""

    natural = BinaryFormat.natural | {"java.lang.Float"}

    def __init__(
        self, *, jackson3: bool = False, binary_uuid: bool = False, signed: bool = False
    ) -> None:
        super().__init__(jackson3=jackson3, binary_uuid=binary_uuid)
        self._sign = 0x70 if signed else 0
        self.null: Piece = [b"\x21"]

    def boolean(self, value: bool) -> Piece:
        """Encode true or false."""
        return [b"\x23" if value else b"\x22"]

    def whole(self, value: int, bits: int) -> Piece:
        """Encode a whole number."""
        folded = zigzag(value)
        if folded < 32:
            return [bytes([0xC0 + folded])]
        return [(b"\x24" if folded < 1 << 32 else b"\x25") + vint(folded)]

    def single(self, value: float) -> Piece:
        """Encode a float of 32 bits."""
        (bits,) = struct.unpack(">I", struct.pack(">f", value))
        groups = [bits >> shift & 0x7F for shift in range(28, -1, -7)]
        if bits >> 31:
            groups[0] |= self._sign  # Jackson before 2.19 extended the sign
        return [bytes([0x28, *groups])]

    def double(self, value: float) -> Piece:
        """Encode a double."""
        (bits,) = struct.unpack(">Q", struct.pack(">d", value))
        return [bytes([0x29, *(bits >> shift & 0x7F for shift in range(63, -1, -7))])]

    def big(self, value: int) -> Piece:
        """Encode a BigInteger as `BigInteger.toByteArray` has it."""
        return [b"\x26" + _safe(_big_bytes(value))]

    def decimal(self, value: Decimal) -> Piece:
        """Encode a BigDecimal: its scale and its unscaled value."""
        unscaled, scale = unscaled_of(value)
        return [b"\x2a" + vint(zigzag(scale)) + _safe(_big_bytes(unscaled))]

    def text(self, text: str) -> Piece:
        """Encode a string."""
        data = utf8(text)
        units = len(text.encode("utf-16-le")) // 2
        size = len(data)
        if not size:
            return [b"\x20"]
        if units <= 65 and size <= 64:
            return [bytes([(0x3F if size == units else 0x7E) + size]) + data]
        plain = size == units and units * 3 + 2 <= _BUFFER
        return [(b"\xe0" if plain else b"\xe4") + data + b"\xfc"]

    def binary(self, value: bytes) -> Piece:
        """Encode a `byte[]`."""
        return [b"\xe8" + _safe(value)]

    def array(self, class_name: str | None, parts: Sequence[Piece]) -> Piece:
        """Encode an array."""
        body = [b"\xf8", *parts, b"\xf9"]
        return body if class_name is None else self.tagged(class_name, body)

    def object(self, class_name: str | None, members: Sequence[tuple[str | int, Piece]]) -> Piece:
        """Encode an object; its class is the member @class, the first one."""
        piece: Piece = [b"\xfa"]
        if class_name is not None:
            piece += [_Name("@class"), self.text(class_name)]
        for key, each in members:
            piece += [_Name(key), each]
        return [*piece, b"\xfb"]

    def tagged(self, class_name: str, piece: Piece) -> Piece:
        """Add the class to a piece that is not an object."""
        return [b"\xf8", self.text(class_name), piece, b"\xf9"]

    def message(self, piece: Piece) -> bytes:
        """Return the whole message, with references for names that occurred before."""
        out = bytearray(HEADER)
        _flatten(piece, out, _Names())
        return bytes(out)


class _Names:
    """The names so far; after 1024 names Jackson begins a new table."""

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}
        self._count = 0

    def encode(self, name: str) -> bytes:
        if not name:
            return b"\x20"
        found = self._seen.get(name)
        if found is not None:
            return bytes([0x40 + found]) if found < 64 else bytes([0x30 | found >> 8, found & 0xFF])
        data = utf8(name)
        units = len(name.encode("utf-16-le")) // 2
        self._add(name)
        if len(data) == units <= 64:
            return bytes([0x7F + len(data)]) + data
        if len(data) <= 57:
            return bytes([0xBE + len(data)]) + data
        return b"\x34" + data + b"\xfc"

    def _add(self, name: str) -> None:
        if self._count == _MAX_NAMES:
            self._seen.clear()
            self._count = 0
        if self._count & 0xFF < 0xFE:  # 0xFE and 0xFF are end markers
            self._seen[name] = self._count
        self._count += 1


def _flatten(piece: Piece, out: bytearray, names: _Names) -> None:
    for each in piece:
        if isinstance(each, bytes):
            out += each
        elif isinstance(each, _Name):
            out += names.encode(each)
        else:
            _flatten(each, out, names)


def _big_bytes(value: int) -> bytes:
    size = (value if value >= 0 else ~value).bit_length() // 8 + 1
    return value.to_bytes(size, "big", signed=True)


def _safe(data: bytes) -> bytes:
    return vint(len(data)) + seven(data)


class SmileJacksonCodec(NamingCodec):
    """Redisson's `org.redisson.codec.SmileJacksonCodec`, since 2.3.0.

    Before 4.2.0 a UUID is 16 bytes, since then a string with its class. Before 3.51.0
    (Jackson 2.19) the spare bits of a negative float are ones. The arguments are those of
    `NamingCodec`.
    """

    name = "SmileJacksonCodec"

    def _make_format(self, release: Number) -> _Format:
        return _Format(binary_uuid=self._binary_uuid(release), signed=release < (3, 51, 0))

    def _parse(self, data: bytes) -> Any:
        return SmileParser(data, self.limits).message()


class SmileJackson3Codec(NamelessCodec):
    """Redisson's `org.redisson.codec.SmileJackson3Codec`, since 4.2.0.

    The arguments are those of `NamelessCodec`.
    """

    name = "SmileJackson3Codec"

    def _make_format(self, release: Number) -> _Format:
        return _Format(jackson3=True, binary_uuid=True)

    def _parse(self, data: bytes) -> Any:
        return SmileParser(data, self.limits).message()
