"""Parses Smile to a tree, and checks every length against the remaining bytes.

The tree is that of `parser`, with `bytes`, `JFloat`, `JBigInteger` and `Decimal` where Smile
distinguishes them. Shared strings and raw binary, which Redisson does not write, are rejected.
"""

from __future__ import annotations

import struct
from typing import Any

from pyredisson.java.numbers import decimal_of
from pyredisson.java.scalars import JBigInteger, JFloat
from pyredisson.limits import Limits
from pyredisson.rejection import Rejection

from .parser import Members

__all__ = ["HEADER", "SmileParser"]

HEADER = b":)\n\x01"
_SIMPLE = {0x20: "", 0x21: None, 0x22: False, 0x23: True}
_MAX_NAMES = 1024


class SmileParser:
    """Reads one message."""

    def __init__(self, data: bytes, limits: Limits) -> None:
        self._data = data
        self._at = 0
        self._limits = limits
        self._names: list[str] = []

    def message(self) -> Any:
        """Read the whole message.

        Raises:
            Rejection: the message is not Smile as Redisson writes it.
        """
        if self._take(4) != HEADER:
            raise Rejection("not Smile with shared names only, whose header is 3a290a01")
        tree = self._value(self._byte(), 0)
        if self._at != len(self._data):
            raise Rejection(f"{len(self._data) - self._at} bytes are left over")
        return tree

    def _take(self, size: int) -> bytes:
        end = self._at + size
        if end > len(self._data):
            raise Rejection("not Smile: it ends early")
        data = self._data[self._at : end]
        self._at = end
        return data

    def _byte(self) -> int:
        return self._take(1)[0]

    def _value(self, mark: int, depth: int) -> Any:
        if mark in _SIMPLE:
            return _SIMPLE[mark]
        if 0xC0 <= mark < 0xE0:
            return _unfold(mark - 0xC0)
        if 0x40 <= mark < 0xC0:
            return self._text(mark - (0x3F if mark < 0x80 else 0x7E))
        if 0x24 <= mark <= 0x2A:
            return self._number(mark)
        return self._longer(mark, depth)

    def _longer(self, mark: int, depth: int) -> Any:
        if mark in {0xE0, 0xE4}:
            return self._long_text()
        if mark == 0xE8:
            return self._safe(len(self._data))
        if depth > 2 * self._limits.max_depth:
            raise Rejection(f"nested deeper than {self._limits.max_depth}")
        if mark == 0xF8:
            items = []
            while (mark := self._byte()) != 0xF9:
                items.append(self._value(mark, depth + 1))
            return items
        if mark == 0xFA:
            members = Members()
            while (mark := self._byte()) != 0xFB:
                key = self._name(mark)
                members.append((key, self._value(self._byte(), depth + 1)))
            return members
        raise Rejection(f"not Smile that Java writes: a value with {mark:#x}")

    def _number(self, token: int) -> Any:
        if token in {0x24, 0x25}:
            return _unfold(self._vint(10))
        if token == 0x26:
            return JBigInteger(self._big())
        if token == 0x28:
            return JFloat(struct.unpack(">f", self._bits(5, 32))[0])
        if token == 0x29:
            return struct.unpack(">d", self._bits(10, 64))[0]
        if token == 0x2A:
            scale = _unfold(self._vint(5))
            if abs(scale) > self._limits.max_scale:
                raise Rejection(f"a BigDecimal whose scale is beyond {self._limits.max_scale}")
            return decimal_of(self._big(), scale)
        raise Rejection(f"not Smile that Java writes: a number with {token:#x}")

    def _bits(self, groups: int, bits: int) -> bytes:
        number = 0
        for each in self._take(groups):
            if each > 0x7F:
                raise Rejection("not Smile: a number with a high bit")
            number = number << 7 | each
        return (number & (1 << bits) - 1).to_bytes(bits // 8, "big")

    def _vint(self, longest: int) -> int:
        value = 0
        for _ in range(longest):
            each = self._byte()
            if each & 0x80:
                return value << 6 | each & 0x3F
            value = value << 7 | each
        raise Rejection("not Smile: a number without end")

    def _big(self) -> int:
        return int.from_bytes(self._safe(self._limits.max_integer_bytes), "big", signed=True)

    def _safe(self, most: int) -> bytes:
        size = self._vint(5)
        if size > most:
            raise Rejection(f"a number of more than {most} bytes")
        full, rest = divmod(size * 8, 7)
        data = self._take(full + (rest > 0))
        out = bytearray()
        number = bits = 0
        for place, each in enumerate(data):
            width = 7 if place < full else rest
            if each >> width:
                raise Rejection("not Smile: a byte with too many bits")
            number = number << width | each
            bits += width
            if bits >= 8:
                bits -= 8
                out.append(number >> bits)
                number &= (1 << bits) - 1
        return bytes(out)

    def _text(self, size: int) -> str:
        try:
            return self._take(size).decode()
        except UnicodeDecodeError as error:
            raise Rejection(f"not UTF-8: {error.reason}") from None

    def _long_text(self) -> str:
        end = self._data.find(b"\xfc", self._at)
        if end < 0:
            raise Rejection("not Smile: a string without end")
        text = self._text(end - self._at)
        self._at = end + 1
        return text

    def _name(self, token: int) -> str:
        if token == 0x20:
            return ""
        if 0x30 <= token <= 0x33:
            return self._seen((token & 3) << 8 | self._byte())
        if 0x40 <= token < 0x80:
            return self._seen(token - 0x40)
        if token == 0x34:
            name = self._long_text()
        elif 0x80 <= token < 0xC0:
            name = self._text(token - 0x7F)
        elif 0xC0 <= token < 0xF8:
            name = self._text(token - 0xBE)
        else:
            raise Rejection(f"not Smile: a name with {token:#x}")
        self._add(name)
        return name

    def _add(self, name: str) -> None:
        if len(self._names) == _MAX_NAMES:
            self._names.clear()
        self._names.append(name)

    def _seen(self, number: int) -> str:
        if number >= len(self._names):
            raise Rejection("not Smile: a reference to an unknown name")
        return self._names[number]


def _unfold(value: int) -> int:
    return ~(value >> 1) if value & 1 else value >> 1
