"""Kryo 5's primitives, read from one message with limits.

Numbers are little-endian. Varints hold 7 bits per byte, low ones first; the ninth byte of a long
holds 8. A string is ASCII with bit 7 set on the last byte, or a length and one to three bytes per
UTF-16 unit (CESU-8). Source: `com.esotericsoftware.kryo.io.Input` 5.3.0 to 5.6.2.

The bytes may end anywhere. Reading beyond the end raises `IndexError`, which the codec reports as a
message that ends early. A slice would not raise, so slices go through `take`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

from pyredisson.limits import Limits
from pyredisson.rejection import Rejection

__all__ = ["SHORT_TEXT", "STRIPPED", "Input", "odd_text", "short_texts"]

# Removes bit 7, which marks a text's last byte.
STRIPPED = bytes(byte & 0x7F for byte in range(256))
# A text in the common case: ASCII of 2 to 32 characters, null, empty, or one character.
SHORT_TEXT = rb"[\0-\x7f]++[\x80-\xff]|[\x80\x81]|\x82[\0-\x7f]"
_TEXT = re.compile(b"(%b)" % SHORT_TEXT).match
_ASCII = rb"([\0-\x7f]++[\x80-\xff])"
_BATCH = 32
_CONTINUATION = bytes(range(0x80, 0xC0))
_SURROGATE = re.compile("[\ud800-\udfff]")
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


@cache
def _asciis(count: int) -> Callable[[bytes, int], re.Match[bytes] | None]:
    return re.compile(_ASCII * count).match


@cache
def _shorts(count: int) -> Callable[[bytes, int], re.Match[bytes] | None]:
    return re.compile(b"(%b)" % SHORT_TEXT * count).match


def short_texts(data: bytes, pos: int, count: int) -> tuple[list[Any], int] | None:
    """Return `count` texts and the position after them, if they are few and all short."""
    if not 0 <= count <= _BATCH:
        return None
    match = _asciis(count)(data, pos)
    if match is not None:
        texts = b"\0".join(match.groups()).translate(STRIPPED).decode().split("\0")
        if len(texts) == count:  # none holds a zero character
            return texts, match.end()
    match = _shorts(count)(data, pos)
    return None if match is None else ([_text(each) for each in match.groups()], match.end())


def _text(data: bytes) -> Any:
    return data.translate(STRIPPED).decode() if data[0] < 0x80 else odd_text(data)


def odd_text(data: bytes) -> str | None:
    """Return the value of a short text that is null, or has less than two characters."""
    return None if data == b"\x80" else data[1:].decode()


class Input:
    """A position in one message.

    Attributes:
        data: the message.
        pos: the index of the next byte.
        depth: the number of containers around the position.
        deepest: the maximum of `depth`.
        limits: the limits of the message.
    """

    __slots__ = ("_free", "data", "deepest", "depth", "limits", "pos")

    def __init__(self, data: bytes, limits: Limits) -> None:
        self.data = data
        self.pos = 0
        self.limits = limits
        self.depth = 0
        self.deepest = limits.max_depth
        self._free = limits.max_free

    def byte(self) -> int:
        """Read one byte, unsigned."""
        value = self.data[self.pos]
        self.pos += 1
        return value

    def take(self, count: int) -> bytes:
        """Read `count` bytes."""
        end = self.pos + count
        if end > len(self.data):
            raise IndexError
        piece = self.data[self.pos : end]
        self.pos = end
        return piece

    def flag(self) -> bool:
        """Read a boolean: 0 or 1."""
        value = self.data[self.pos]
        self.pos += 1
        if value > 1:
            raise Rejection(f"0x{value:02x} is not a boolean")
        return value == 1

    def varint(self) -> int:
        """Read a varint of up to 5 bytes as an unsigned number of 32 bits."""
        value = self.data[self.pos]
        self.pos += 1
        return value if value < 0x80 else self._more(value & 0x7F, 7)

    def flagged(self) -> tuple[bool, int]:
        """Read a varint whose first byte holds a flag beside 6 bits of the number."""
        first = self.data[self.pos]
        self.pos += 1
        value = first & 0x3F
        return first >= 0x80, self._more(value, 6) if first & 0x40 else value

    def _more(self, value: int, shift: int) -> int:
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                break
            shift += 7
            if shift > 28:
                raise Rejection("a varint of more than 5 bytes")
        if value > 0xFFFFFFFF:
            raise Rejection("a varint of more than 32 bits")
        return value

    def varlong(self) -> int:
        """Read a varint of up to 9 bytes as an unsigned number of 64 bits."""
        value = shift = 0
        while shift < 56:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7
        return value | self.byte() << 56

    def zigzag(self) -> int:
        """Read an `int`."""
        value = self.varint()
        return value >> 1 ^ -(value & 1)

    def zigzag_long(self) -> int:
        """Read a `long`."""
        value = self.varlong()
        return value >> 1 ^ -(value & 1)

    def count(self) -> int:
        """Read a length plus one; -1 is null."""
        value = self.varint()
        if value >= 1 << 31:
            raise Rejection("a negative length")
        return value - 1

    def claim(self, count: int, each: int) -> int:
        """Check that the remaining bytes can hold `count` elements of at least `each` bytes."""
        if count * each > len(self.data) - self.pos:
            raise IndexError
        return count

    def free(self, count: int) -> None:
        """Count elements that occupy no bytes against `Limits.max_free`."""
        self._free -= count
        if self._free < 0:
            raise Rejection(f"more than {self.limits.max_free} elements that occupy no bytes")

    def descend(self) -> None:
        """Enter a container; the caller resets `depth`."""
        self.depth += 1
        if self.depth > self.deepest:
            self.descended()

    def descended(self) -> None:
        """Reject the current depth."""
        raise Rejection(f"nested deeper than {self.limits.max_depth}")

    def string(self) -> str | None:
        """Read a string."""
        match = _TEXT(self.data, self.pos)
        if match is not None:
            self.pos = match.end()
            text = match[1]
            return text.translate(STRIPPED).decode() if text[0] < 0x80 else odd_text(text)
        if self.data[self.pos] < 0x80:
            raise IndexError
        return self._cesu(self.flagged()[1] - 1)

    def strings(self, count: int) -> list[str | None]:
        """Read `count` strings, adjacent short ASCII ones in one step."""
        found: list[Any] = []
        short = short_texts(self.data, self.pos, count)
        if short is not None:
            found, self.pos = short
        while count > len(found):
            pieces = self._asciis(count - len(found))
            # In one step, unless one holds a zero character.
            texts = b"\0".join(pieces).translate(STRIPPED).decode().split("\0")
            if len(texts) != len(pieces):
                texts = [each.translate(STRIPPED).decode() for each in pieces]
            found += texts
            if count > len(found):
                found.append(self.string())
        return found

    def _asciis(self, count: int) -> list[bytes]:
        pieces: list[bytes] = []
        while count > len(pieces):
            match = _asciis(min(count - len(pieces), _BATCH))(self.data, self.pos)
            if match is None:
                break
            self.pos = match.end()
            pieces += match.groups()
        return pieces

    def _cesu(self, units: int) -> str:
        start = self.pos
        text = self.take(units)
        if text.isascii():
            return text.decode("ascii")
        missing = units - len(text.translate(None, _CONTINUATION))
        while missing:
            missing -= len(self.take(missing).translate(None, _CONTINUATION))
        # The last `take` read only first bytes of characters, so just the last one is incomplete.
        last = self.data[self.pos - 1]
        self.take((last >= 0xC0) + (last >= 0xE0))
        try:
            encoded = self.data[start : self.pos].decode("utf-8", "surrogatepass")
        except UnicodeDecodeError as error:
            raise Rejection(f"malformed text: {error.reason}") from None
        if _ASTRAL.search(encoded):
            raise Rejection("malformed text: a character of four bytes")
        if _SURROGATE.search(encoded):
            both = encoded.encode("utf-16-le", "surrogatepass")
            return both.decode("utf-16-le", "surrogatepass")
        return encoded

    def text(self) -> str:
        """Read a string that is not null."""
        found = self.string()
        if found is None:
            raise Rejection("null where null is not allowed")
        return found
