"""`MsgPackJacksonCodec`: the tree of `JsonJacksonCodec` in MessagePack.

Byte arrays are binary and are decoded as `bytes`. A `BigDecimal` is a whole number or a double, so
Java already loses its scale. Strings and numbers have their shortest form. Source: Redisson's
`MsgPackJacksonCodec` with jackson-dataformat-msgpack 0.9.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import msgpack  # type: ignore[import-untyped] # it has no stubs

from pyredisson.java.scalars import JFloat
from pyredisson.rejection import Rejection
from pyredisson.releases import Number

from .bases import NamingCodec
from .binary import BinaryFormat, utf8
from .parser import Members

__all__ = ["MsgPackJacksonCodec"]


class _Format(BinaryFormat[bytes]):
    """MessagePack in the shortest forms."""

    null = b"\xc0"

    def boolean(self, value: bool) -> bytes:
        """Encode true or false."""
        return b"\xc3" if value else b"\xc2"

    def whole(self, value: int, bits: int) -> bytes:
        """Encode a whole number in as few bytes as possible."""
        packed: bytes = msgpack.packb(value)
        return packed

    def single(self, value: float) -> bytes:
        """Encode a float of 32 bits."""
        return struct.pack(">Bf", 0xCA, value)

    def double(self, value: float) -> bytes:
        """Encode a double."""
        return struct.pack(">Bd", 0xCB, value)

    def big(self, value: int) -> bytes:
        """Encode a BigInteger of at most 64 bits; Java rejects longer ones, too."""
        if not -(1 << 63) <= value < 1 << 64:
            raise Rejection("MessagePack has no BigInteger of more than 64 bits")
        return self.whole(value, 64)

    def decimal(self, value: Decimal) -> bytes:
        """Encode a BigDecimal: a whole number, or the double that is equal to it."""
        whole = int(value) if value == value.to_integral_value() else None
        if whole is not None and -(1 << 63) <= whole < 1 << 64:
            return self.whole(whole, 64)
        number = float(value)
        if Decimal(repr(number)) != value:
            raise Rejection("a BigDecimal that no double is equal to: MessagePack has no decimals")
        return self.double(number)

    def text(self, text: str) -> bytes:
        """Encode a string."""
        data = utf8(text)
        return _head(len(data), 0xA0, 32, (0xD9, 0xDA, 0xDB)) + data

    def binary(self, value: bytes) -> bytes:
        """Encode a `byte[]`."""
        return _head(len(value), 0, 0, (0xC4, 0xC5, 0xC6)) + value

    def array(self, class_name: str | None, parts: Sequence[bytes]) -> bytes:
        """Encode an array."""
        body = _head(len(parts), 0x90, 16, (0, 0xDC, 0xDD)) + b"".join(parts)
        return body if class_name is None else self.tagged(class_name, body)

    def object(self, class_name: str | None, members: Sequence[tuple[str | int, bytes]]) -> bytes:
        """Encode an object; its class is the member @class, the first one."""
        parts = [self.text(str(key)) + piece for key, piece in members]
        if class_name is not None:
            parts.insert(0, b"\xa6@class" + self.text(class_name))
        return _head(len(parts), 0x80, 16, (0, 0xDE, 0xDF)) + b"".join(parts)

    def tagged(self, class_name: str, piece: bytes) -> bytes:
        """Add the class to a piece that is not an object."""
        return b"\x92" + self.text(class_name) + piece

    def message(self, piece: bytes) -> bytes:
        """Return the whole message."""
        return piece


def _head(size: int, small: int, below: int, codes: tuple[int, int, int]) -> bytes:
    """Return the head of an item with a length: one byte, or a code and the length."""
    if size < below:
        return bytes([small + size])
    if size < 256 and codes[0]:
        return bytes([codes[0], size])
    if size < 65536:
        return struct.pack(">BH", codes[1], size)
    return struct.pack(">BI", codes[2], size)


class MsgPackJacksonCodec(NamingCodec):
    """Redisson's `org.redisson.codec.MsgPackJacksonCodec`, since 2.1.4.

    `decode` returns the floats of a `float[]` at the root, and of classes without a schema, as
    doubles. The arguments are those of `NamingCodec`.
    """

    name = "MsgPackJacksonCodec"

    def _make_format(self, release: Number) -> _Format:
        return _Format()

    def _parse(self, data: bytes) -> Any:
        try:
            tree = msgpack.unpackb(data, object_pairs_hook=_members, strict_map_key=False)
        except (ValueError, msgpack.UnpackException) as error:
            raise Rejection(f"not MessagePack: {error or type(error).__name__}") from None
        return JFloat(tree) if data[0] == 0xCA and isinstance(tree, float) else _checked(tree)


def _members(pairs: list[tuple[Any, Any]]) -> Members:
    if not all(type(key) is str for key, _ in pairs):
        raise Rejection("a key that is not a string")
    return Members(pairs)


def _checked(tree: Any) -> Any:
    if isinstance(tree, (msgpack.ExtType, msgpack.Timestamp)):
        raise Rejection("an extension type, which Java's codec does not write")
    return tree
