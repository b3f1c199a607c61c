"""Texts, numbers and booleans with their class header: one call reads or writes each.

They are the most frequent values where no class is declared. The registry uses a function only
outside references mode, and only if the application has no serializer of its own for the class. A
function that cannot write a value returns False.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from math import isnan
from typing import Any

from .ids import BOOLEAN, DOUBLE, INTEGER, LONG, STRING
from .output import encode_text
from .reader import Reader
from .varints import put_unsigned

__all__ = ["READERS", "WRITERS"]

_DOUBLE = struct.Struct("<d").pack
_FALSE, _TRUE = bytes((BOOLEAN, 0)), bytes((BOOLEAN, 1))

# By the simple name of the class.
READERS: dict[str, Callable[[Reader], Any]] = {
    "String": Reader.string,
    "Boolean": Reader.flag,
    "Integer": Reader.zigzag,
}


def _text(out: bytearray, value: str) -> bool:
    out.append(STRING)
    if value.isascii() and 1 < len(value) < 33:
        out += value.encode()
        out[-1] |= 0x80
    else:
        encode_text(out, value)
    return True


def _truth(out: bytearray, value: bool) -> bool:
    out += _TRUE if value else _FALSE
    return True


def _number(out: bytearray, value: int) -> bool:
    if -0x80000000 <= value < 0x80000000:
        out.append(INTEGER)
    elif -0x80000000000000 <= value < 0x80000000000000:
        out.append(LONG)
    else:
        return False
    put_unsigned(out, value << 1 if value >= 0 else ~value << 1 | 1)
    return True


def _real(out: bytearray, value: float) -> bool:
    if isnan(value):
        return False
    out.append(DOUBLE)
    out += _DOUBLE(value)
    return True


# By the Python type: the serializers that it may need, and the function.
WRITERS: dict[type, tuple[str, Callable[[bytearray, Any], bool]]] = {
    str: ("String", _text),
    bool: ("Boolean", _truth),
    int: ("Integer Long", _number),
    float: ("Double", _real),
}
