"""Redisson's "client" codecs: plain text, whole numbers as text, raw bytes.

Their bytes are the result of `toString()` in UTF-8 (`StringCodec` accepts another charset), so
redis-cli and every other language can read them. The codecs write what Java writes and read
whatever Java's own parser accepts.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE

from pyredisson.errors import DecodeError, EncodeError

from .base import Codec, as_bytes

__all__ = ["ByteArrayCodec", "IntegerCodec", "LongCodec", "StringCodec"]

# Without a byte order mark these are big-endian in Java; Python would use the machine's order.
_MARKED = {"utf16": (BOM_UTF16_BE, "utf-16-be"), "utf32": (b"", "utf-32-be")}
_MARKS = {"utf16": b"\xff\xfe", "utf32": b"\xff\xfe\0\0"}
_INTEGER = re.compile(r"[+-]?[0-9]+")
LONGEST = 4096
"""Maximum number of characters of a number that is decoded."""


class StringCodec(Codec[str]):
    """Text, like `org.redisson.client.codec.StringCodec` (since 2.0).

    Args:
        charset: the name of a Java charset that Python knows, too; default UTF-8.

    Raises:
        LookupError: Python has no such text encoding.
    """

    def __init__(self, charset: str = "UTF-8") -> None:
        "".encode(charset)
        self.charset = charset
        self._kind = re.sub(r"[-_ ]", "", charset.lower())

    def encode(self, value: str) -> bytes:
        """Return the text's bytes.

        Raises:
            EncodeError: the value is not a `str`, or the charset lacks a character (Java writes
                `?`).
        """
        if not isinstance(value, str):
            raise EncodeError(
                f"StringCodec writes str, not {type(value).__qualname__}", codec="StringCodec"
            )
        try:
            if self._kind in _MARKED:
                mark, charset = _MARKED[self._kind]
                return mark + value.encode(charset) if value else b""
            return value.encode(self.charset)
        except UnicodeError as error:
            raise EncodeError(
                f"{value!r} cannot be written in {self.charset}: {error}", codec="StringCodec"
            ) from error

    def decode(self, data: bytes) -> str:
        """Return the text.

        Raises:
            DecodeError: the bytes are not valid in the charset (Java reads U+FFFD).
            TypeError: `data` is not bytes.
        """
        try:
            if self._kind in _MARKED and not data.startswith(_MARKS[self._kind]):
                text = data.decode(_MARKED[self._kind][1])
                return text.removeprefix("\ufeff")
            return data.decode(self.charset)
        except UnicodeError as error:
            raise DecodeError(f"not {self.charset}: {error}", codec="StringCodec", data=data) from (
                error
            )
        except (AttributeError, TypeError):
            return self.decode(as_bytes(data, "StringCodec.decode"))


class _WholeCodec(Codec[int]):
    """A whole number of a Java type, as decimal text."""

    bits: int
    java: str

    def encode(self, value: int) -> bytes:
        """Return the digits.

        Raises:
            EncodeError: the value is not an `int`, is a `bool`, or is out of the Java type's range.
        """
        name = type(self).__name__
        if not is_number(value, int):
            raise EncodeError(f"{name} writes int, not {type(value).__qualname__}", codec=name)
        if not -(1 << self.bits - 1) <= value < 1 << self.bits - 1:
            raise EncodeError(
                f"{name}: {value} is out of the range of a Java {self.java}", codec=name
            )
        return b"%d" % value

    def decode(self, data: bytes) -> int:
        """Return the number; like Java's `valueOf` it accepts a sign, but no spaces and no point.

        Raises:
            DecodeError: the text is not a whole number, or is out of the Java type's range.
            TypeError: `data` is not bytes.
        """
        name = type(self).__name__
        text = digits(data, name)
        if len(text) > LONGEST or not _INTEGER.fullmatch(text):
            raise DecodeError("not a whole number", codec=name, data=data)
        value = int(text)
        if not -(1 << self.bits - 1) <= value < 1 << self.bits - 1:
            raise DecodeError(f"out of the range of a Java {self.java}", codec=name, data=data)
        return value


class IntegerCodec(_WholeCodec):
    """A Java `Integer` as text, like `org.redisson.client.codec.IntegerCodec` (since 2.2.5)."""

    bits = 32
    java = "int"


class LongCodec(_WholeCodec):
    """A Java `Long` as text, like `org.redisson.client.codec.LongCodec` (since 2.0.0)."""

    bits = 64
    java = "long"


def digits(data: bytes, name: str) -> str:
    """Return the text of bytes that may be a number."""
    return as_bytes(data, f"{name}.decode").decode("latin-1")


def is_number(value: object, kinds: type | tuple[type, ...]) -> bool:
    """Return whether a value is of these types, and not a `bool`."""
    return isinstance(value, kinds) and not isinstance(value, bool)


class ByteArrayCodec(Codec[bytes]):
    """The bytes themselves, like `org.redisson.client.codec.ByteArrayCodec` (since 2.1.5)."""

    def encode(self, value: bytes) -> bytes:
        """Return the bytes; other bytes-like objects are copied.

        Raises:
            EncodeError: the value is not bytes-like.
        """
        if not isinstance(value, (bytes, bytearray, memoryview)):
            raise EncodeError(
                f"ByteArrayCodec writes bytes, not {type(value).__qualname__}",
                codec="ByteArrayCodec",
            )
        return bytes(value)

    def decode(self, data: bytes) -> bytes:
        """Return the bytes.

        Raises:
            TypeError: `data` is not bytes.
        """
        return data if type(data) is bytes else as_bytes(data, "ByteArrayCodec.decode")
