"""Kryo 5's primitives, written to one message.

The counterpart of `input`, byte for byte what `com.esotericsoftware.kryo.io.Output` (5.3.0 to
5.6.2) writes. The callers check the ranges.
"""

from __future__ import annotations

import re
from itertools import accumulate
from typing import Any

from pyredisson.limits import Limits
from pyredisson.rejection import Rejection

__all__ = ["Output", "encode_name", "encode_text", "encode_texts", "put_varint"]

_ASTRAL = re.compile("[\U00010000-\U0010ffff]")
_SHORT_ASCII = frozenset(range(2, 33))


def _pair(match: re.Match[str]) -> str:
    code = ord(match[0]) - 0x10000
    return chr(0xD800 + (code >> 10)) + chr(0xDC00 + (code & 0x3FF))


def put_varint(out: bytearray, value: int) -> None:
    """Append an unsigned number."""
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)


def _flagged(out: bytearray, flag: bool, value: int) -> None:
    first = value & 0x3F | flag << 7
    if value > 0x3F:
        out.append(first | 0x40)
        put_varint(out, value >> 6)
    else:
        out.append(first)


def encode_text(out: bytearray, value: str) -> None:
    """Append a string that is not null."""
    if value.isascii():
        if len(value) not in _SHORT_ASCII:
            _flagged(out, True, len(value) + 1)
            out += value.encode()
        else:
            out += value.encode()
            out[-1] |= 0x80
        return
    units = _ASTRAL.sub(_pair, value)
    _flagged(out, True, len(units) + 1)
    out += units.encode("utf-8", "surrogatepass")


def encode_texts(out: bytearray, values: list[Any]) -> bool:
    """Append strings that are all short ASCII; otherwise return False and append nothing."""
    if set(map(type, values)) != {str}:
        return False
    joined = "".join(values)
    if not joined.isascii() or not _SHORT_ASCII.issuperset(map(len, values)):
        return False
    start = len(out) - 1
    out += joined.encode()
    for end in accumulate(map(len, values)):
        out[start + end] |= 0x80
    return True


def encode_name(out: bytearray, name: str) -> None:
    """Append a class name: in ASCII in one piece, whatever its length."""
    if name.isascii() and len(name) > 1:
        out += name.encode()
        out[-1] |= 0x80
    else:
        encode_text(out, name)


class Output:
    """The bytes of one message so far; `depth` is the number of containers around the position."""

    __slots__ = ("depth", "limits", "out")

    def __init__(self, limits: Limits) -> None:
        self.out = bytearray()
        self.limits = limits
        self.depth = 0

    def varint(self, value: int) -> None:
        """Write an unsigned number of 32 bits, or of 64 bits if 8 bytes are enough."""
        if value < 0x80:
            self.out.append(value)
        else:
            put_varint(self.out, value)

    def varlong(self, value: int) -> None:
        """Write an unsigned number of 64 bits."""
        if value < 1 << 56:
            self.varint(value)
            return
        self.out += bytes(value >> shift & 0x7F | 0x80 for shift in range(0, 56, 7))
        self.out.append(value >> 56)

    def flagged(self, flag: bool, value: int) -> None:
        """Write a varint whose first byte holds a flag."""
        _flagged(self.out, flag, value)

    def zigzag(self, value: int) -> None:
        """Write an `int`."""
        self.varint(value << 1 if value >= 0 else ~value << 1 | 1)

    def zigzag_long(self, value: int) -> None:
        """Write a `long`."""
        self.varlong(value << 1 if value >= 0 else ~value << 1 | 1)

    def descend(self) -> None:
        """Enter a container; the caller resets `depth`."""
        self.depth += 1
        if self.depth > self.limits.max_depth:
            self.descended()

    def descended(self) -> None:
        """Reject the current depth."""
        raise Rejection(f"nested deeper than {self.limits.max_depth}, or contains itself")

    def string(self, value: str) -> None:
        """Write a string that is not null."""
        encode_text(self.out, value)

    def strings(self, values: list[Any]) -> bool:
        """Write strings that are all short ASCII; otherwise return False and write nothing."""
        return encode_texts(self.out, values)
