"""`CborJacksonCodec` and `CborJackson3Codec`: the tree of the JSON codecs in CBOR.

Jackson 2 writes every value with a class with indefinite length, and a negative `BigInteger` off by
one from the standard (tag 3 with the magnitude), so the codec has its own writer and reader.
Jackson 3 writes no class names at all; Java reads objects back as maps. Source: Redisson's codecs
with jackson-dataformat-cbor 2.14 to 3.1.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from pyredisson.java.numbers import decimal_of, unscaled_of
from pyredisson.java.scalars import JBigInteger, JFloat
from pyredisson.limits import Limits
from pyredisson.rejection import Rejection
from pyredisson.releases import Number

from .bases import NamelessCodec, NamingCodec
from .binary import BinaryFormat, utf8
from .format import Write
from .parser import Members, Nothing

__all__ = ["CborJackson3Codec", "CborJacksonCodec"]


def _head(major: int, value: int) -> bytes:
    """Return a CBOR head: the major type and a number in as few bytes as possible."""
    if value < 24:
        return bytes([major << 5 | value])
    if value < 1 << 8:
        return bytes([major << 5 | 24, value])
    if value < 1 << 16:
        return struct.pack(">BH", major << 5 | 25, value)
    if value < 1 << 32:
        return struct.pack(">BI", major << 5 | 26, value)
    return struct.pack(">BQ", major << 5 | 27, value)


class _Format(BinaryFormat[bytes]):
    """CBOR as Jackson writes it."""

    null = b"\xf6"
    integer_keys = True
    natural = BinaryFormat.natural | {"java.lang.Float"}

    def boolean(self, value: bool) -> bytes:
        """Encode true or false."""
        return b"\xf5" if value else b"\xf4"

    def whole(self, value: int, bits: int) -> bytes:
        """Encode a whole number."""
        return _head(0, value) if value >= 0 else _head(1, ~value)

    def single(self, value: float) -> bytes:
        """Encode a float of 32 bits."""
        return struct.pack(">Bf", 0xFA, value)

    def double(self, value: float) -> bytes:
        """Encode a double."""
        return struct.pack(">Bd", 0xFB, value)

    def big(self, value: int) -> bytes:
        """Encode a BigInteger: a tagged byte string, as `BigInteger.toByteArray` has it."""
        if value >= 0:
            magnitude, tag = value, b"\xc2"
        else:
            magnitude, tag = (~value if self._jackson3 else -value), b"\xc3"
        data = magnitude.to_bytes(magnitude.bit_length() // 8 + 1, "big")
        return tag + _head(2, len(data)) + data

    def decimal(self, value: Decimal) -> bytes:
        """Encode a BigDecimal: exponent and unscaled value."""
        unscaled, scale = unscaled_of(value)
        body = self._unscaled(unscaled)
        return b"\xc4\x82" + self.whole(-scale, 32) + body

    def _unscaled(self, value: int) -> bytes:
        if -(1 << 31) <= value < 1 << 31:
            return self.whole(value, 32)
        if -(1 << 63) <= value < 1 << 63:  # other than a Long, always in eight bytes
            return struct.pack(">BQ", 0x1B if value >= 0 else 0x3B, max(value, ~value))
        return self.big(value)

    def text(self, text: str) -> bytes:
        """Encode a string; Jackson cuts long ones into pieces."""
        data = utf8(text)
        if len(text) <= _LONGEST:
            return _head(3, len(data)) + data
        parts = []
        for piece in _pieces(text):
            part = utf8(piece)
            parts.append(_head(3, len(part)) + part)
        return b"\x7f" + b"".join(parts) + b"\xff"

    def binary(self, value: bytes) -> bytes:
        """Encode a `byte[]`."""
        return _head(2, len(value)) + value

    def array(self, class_name: str | None, parts: Sequence[bytes]) -> bytes:
        """Encode an array, with its length if it has no class, else with indefinite length."""
        if class_name is None:
            return _head(4, len(parts)) + b"".join(parts)
        return self.tagged(class_name, b"\x9f" + b"".join(parts) + b"\xff")

    def object(self, class_name: str | None, members: Sequence[tuple[str | int, bytes]]) -> bytes:
        """Encode an object; its class is the member @class, the first one."""
        parts = [b"\xbf"]
        if class_name is not None:
            parts.append(b"\x66@class" + self.text(class_name))
        for key, piece in members:
            parts.append(self.whole(key, 64) if isinstance(key, int) else self.text(key))
            parts.append(piece)
        return b"".join(parts) + b"\xff"

    def bean(
        self, class_name: str | None, fields: Sequence[Any], nulls: bool, depth_limit: int
    ) -> Write[bytes]:
        """Return the encoder of one class; Jackson 3 writes an empty object with its size."""
        if self._jackson3 and not fields:
            return lambda value, depth: b"\xa0"
        return super().bean(class_name, fields, nulls, depth_limit)

    def tagged(self, class_name: str, piece: bytes) -> bytes:
        """Add the class to a piece that is not an object."""
        return b"\x9f" + self.text(class_name) + piece + b"\xff"

    def message(self, piece: bytes) -> bytes:
        """Return the whole message."""
        return piece


_LONGEST = 3996


def _pieces(text: str) -> list[str]:
    """Cut a string into pieces of `_LONGEST` characters."""
    return [text[at : at + _LONGEST] for at in range(0, len(text), _LONGEST)]


class _Parser:
    """Reads one CBOR item, and checks every length against the remaining bytes."""

    def __init__(self, data: bytes, limits: Limits, standard: bool) -> None:
        self._data = data
        self._at = 0
        self._limits = limits
        self._standard = standard

    def message(self) -> Any:
        """Read the whole message."""
        tree = self._item(0)
        if self._at != len(self._data):
            raise Rejection(f"{len(self._data) - self._at} bytes are left over")
        return tree

    def _take(self, size: int) -> bytes:
        end = self._at + size
        if end > len(self._data):
            raise Rejection("not CBOR: it ends early")
        data = self._data[self._at : end]
        self._at = end
        return data

    def _argument(self, info: int) -> int:
        if info < 24:
            return info
        if info > 27:
            raise Rejection(f"not CBOR: a head with {info}")
        return int.from_bytes(self._take(1 << info - 24), "big")

    def _item(self, depth: int) -> Any:
        if depth > 2 * self._limits.max_depth:
            raise Rejection(f"nested deeper than {self._limits.max_depth}")
        head = self._take(1)[0]
        major, info = head >> 5, head & 31
        if major == 7:
            return self._simple(info)
        if info == 31 and 2 <= major <= 5:
            return self._endless(major, depth)
        value = self._argument(info)
        if major < 2:
            return value if major == 0 else ~value
        if major in {2, 3}:
            data = self._take(value)
            return data if major == 2 else _text(data)
        return self._nested(major, value, depth)

    def _nested(self, major: int, value: int, depth: int) -> Any:
        if major == 6:
            return self._tag(value, depth)
        if value > len(self._data) - self._at:
            raise Rejection("not CBOR: it ends early")
        if major == 4:
            return [self._item(depth + 1) for _ in range(value)]
        if not value and self._standard:
            return Nothing()
        return Members((self._key(depth), self._item(depth + 1)) for _ in range(value))

    def _endless(self, major: int, depth: int) -> Any:
        if major == 5:
            members = Members()
            while not self._end():
                members.append((self._key(depth), self._item(depth + 1)))
            return members
        items = []
        while not self._end():
            items.append(self._item(depth + 1))
        if major == 4:
            return items
        wanted: type = str if major == 3 else bytes
        if any(type(each) is not wanted for each in items):
            raise Rejection("not CBOR: a string in pieces of another type")
        return wanted().join(items)

    def _end(self) -> bool:
        if self._at >= len(self._data):
            raise Rejection("not CBOR: it ends early")
        if self._data[self._at] != 0xFF:
            return False
        self._at += 1
        return True

    def _key(self, depth: int) -> Any:
        key = self._item(depth + 1)
        if type(key) is not str and type(key) is not int:
            raise Rejection("a key that is neither a string nor a number")
        return key

    def _simple(self, info: int) -> Any:
        if info == 26:
            return JFloat(struct.unpack(">f", self._take(4))[0])
        if info == 27:
            return struct.unpack(">d", self._take(8))[0]
        if info == 25:
            return JFloat(struct.unpack(">e", self._take(2))[0])
        try:
            return {20: False, 21: True, 22: None}[info]
        except KeyError:
            raise Rejection(f"not CBOR that Java writes: simple value {info}") from None

    def _tag(self, tag: int, depth: int) -> Any:
        value = self._item(depth + 1)
        if tag in {2, 3} and type(value) is bytes:
            if len(value) > self._limits.max_integer_bytes:
                raise Rejection(f"a number of more than {self._limits.max_integer_bytes} bytes")
            number = int.from_bytes(value, "big")
            if tag == 3:
                number = ~number if self._standard else -number
            return JBigInteger(number)
        if tag == 4 and type(value) is list and len(value) == 2:
            exponent, unscaled = value
            if type(exponent) is int and isinstance(unscaled, int):
                if abs(exponent) > self._limits.max_scale:
                    raise Rejection(f"a BigDecimal whose scale is beyond {self._limits.max_scale}")
                return decimal_of(int(unscaled), -exponent)
        if tag == 55799:
            return value
        raise Rejection(f"not CBOR that Java writes: tag {tag}")


def _text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise Rejection(f"not UTF-8: {error.reason}") from None


class CborJacksonCodec(NamingCodec):
    """Redisson's `org.redisson.codec.CborJacksonCodec`, since 2.1.4.

    Before 4.2.0 a UUID is 16 bytes, since then a string with its class. Before 3.11.6 (Jackson
    2.9) the exponent of a BigDecimal has the other sign, which this codec neither reads nor
    writes. The arguments are those of `NamingCodec`.
    """

    name = "CborJacksonCodec"

    def _make_format(self, release: Number) -> _Format:
        return _Format(binary_uuid=self._binary_uuid(release))

    def _parse(self, data: bytes) -> Any:
        return _Parser(data, self.limits, False).message()


class CborJackson3Codec(NamelessCodec):
    """Redisson's `org.redisson.codec.CborJackson3Codec`, since 4.2.0.

    The arguments are those of `NamelessCodec`.
    """

    name = "CborJackson3Codec"

    def _make_format(self, release: Number) -> _Format:
        return _Format(jackson3=True, binary_uuid=True)

    def _parse(self, data: bytes) -> Any:
        return _Parser(data, self.limits, True).message()
