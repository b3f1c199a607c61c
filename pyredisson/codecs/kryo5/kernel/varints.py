"""Whole numbers by lookup tables, which are fast for many numbers at once.

`LAST` and `MORE` have the bytes of 14 bits of a varint: at its end, or before its end. `INTS` has
the signed numbers of one byte, `_SIGNED` those of one or two bytes; `_ENCODED` is its inverse. This
module has only the cases that need no check of the message; `input` and `output` have all cases.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from functools import cache
from typing import Any

__all__ = ["INTS", "LAST", "MORE", "encode_ints", "number", "put_unsigned", "read_ints"]

_HALF = 1 << 14
_MAX = (1 << 31) - 1
LAST = [bytes([n]) if n < 128 else bytes([n & 127 | 128, n >> 7]) for n in range(_HALF)]
MORE = [bytes([n & 127 | 128, n >> 7 | 128]) for n in range(_HALF)]
_VALUES = [two & 127 | two >> 1 & 0x3F80 for two in range(1 << 16)]
_PARTS: list[Any] = [struct.Struct("<" + "H" * (n >> 1) + "B" * (n & 1)).unpack for n in range(9)]
INTS = {bytes([byte]): byte >> 1 ^ -(byte & 1) for byte in range(128)}
_ONE = [byte >> 1 ^ -(byte & 1) for byte in range(128)]
_INT = rb"([\x80-\xff]{0,3}+[\0-\x7f]|[\x80-\xff]{4}[\0-\x0f])"
_BATCH = 32


def number(group: bytes) -> int:
    """Return the signed number of a varint of at most eight bytes."""
    size, found = len(group), _PARTS[len(group)](group)
    n: int = _VALUES[found[0]]
    if size > 2:
        n += _VALUES[found[1]] << 14
        if size > 4:
            n += _VALUES[found[2]] << 28
            if size > 6:
                n += _VALUES[found[3]] << 42
    return n >> 1 ^ -(n & 1)


@cache
def _match(count: int) -> Callable[[bytes, int], re.Match[bytes] | None]:
    return re.compile(_INT * count, re.DOTALL).match


class _Numbers(dict[bytes, int]):
    """The signed numbers by their bytes; those of more than two bytes are computed, not stored."""

    def __missing__(self, group: bytes) -> int:
        if len(group) != 3:  # also of two bytes where one would be enough
            return number(group)
        low = _VALUES[group[0] | group[1] << 8] | group[2] << 14
        return low >> 1 ^ -(low & 1)


class _Encodings(dict[int, bytes]):
    """The bytes of signed numbers; those of more than two bytes are computed, not stored."""

    def __missing__(self, value: int) -> bytes:
        value = value << 1 if value >= 0 else ~value << 1 | 1
        if value < 268435456:
            return MORE[value & 16383] + LAST[value >> 14]
        return MORE[value & 16383] + MORE[value >> 14 & 16383] + LAST[value >> 28]


_SIGNED = _Numbers({each: n >> 1 ^ -(n & 1) for n, each in enumerate(LAST)})
_ENCODED = _Encodings({value: each for each, value in _SIGNED.items()})


def read_ints(data: bytes, pos: int, count: int) -> tuple[list[int], int]:
    """Return `count` 32-bit numbers and the position after them; fewer if one is malformed."""
    found: list[int] = []
    while count > len(found):
        batch = min(count - len(found), _BATCH)
        match = _match(batch)(data, pos)
        if match is None:
            break
        if match.end() - pos == batch:  # of one byte each
            found += map(_ONE.__getitem__, match[0])
        else:
            found += map(_SIGNED.__getitem__, match.groups())
        pos = match.end()
    return found, pos


def encode_ints(values: list[Any]) -> bytes | None:
    """Return the bytes of plain numbers of 32 bits; None if there are other values."""
    if {*map(type, values)} != {int} or max(values) > _MAX or min(values) < ~_MAX:
        return None
    return b"".join(map(_ENCODED.__getitem__, values))


def put_unsigned(out: bytearray, value: int) -> None:
    """Append an unsigned number."""
    while value > 16383:
        out += MORE[value & 16383]
        value >>= 14
    out += LAST[value]
