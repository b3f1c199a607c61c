"""Bulk lists: lists of texts and of numbers, read and written in a few calls.

The functions handle only plain lists of few short texts or of 32-bit numbers. For anything else
they return None or False, and the serializers do the work.
"""

from __future__ import annotations

import re
from typing import Any

from pyredisson.codecs.kryo5.kernel.ids import INTEGER, STRING
from pyredisson.codecs.kryo5.kernel.input import short_texts
from pyredisson.codecs.kryo5.kernel.output import encode_text, encode_texts
from pyredisson.codecs.kryo5.kernel.varints import encode_ints, read_ints

__all__ = ["ListMessage", "put_ints", "put_texts", "read_some_ints"]

_INTS, _TEXTS = bytes((INTEGER, 0)), bytes((STRING, 0))  # the class, and a byte for "no nulls"
_MOST = 62  # the maximum number of elements that fits one byte


def read_some_ints(data: bytes, pos: int, count: int) -> tuple[list[int], int] | None:
    """Return `count` numbers and the position after them; None if one is malformed."""
    found = read_ints(data, pos, count)
    return found if len(found[0]) == count else None


def put_ints(out: bytearray, values: list[Any]) -> bool:
    """Append 32-bit numbers; if there are other values, return False and append nothing."""
    encoded = encode_ints(values)
    out += encoded or b""
    return encoded is not None


def put_texts(out: bytearray, values: list[Any]) -> bool:
    """Append texts; return False, with `out` in any state, if there are other values."""
    if encode_texts(out, values):
        return True
    for each in values:
        if each.__class__ is not str:
            return False
        encode_text(out, each)
    return True


class ListMessage:
    """The fast path of a message that is a list of texts or of numbers."""

    depth = 1
    names = 1

    def __init__(self, head: bytes) -> None:
        rest = rb"([\x82-\xbf])(%b|%b)" % (_INTS, _TEXTS)
        self._head = re.compile(re.escape(head) + rest).match

    def match(self, data: bytes) -> list[Any] | None:
        """Return the elements of a whole message; None if it is something else."""
        start = self._head(data)
        if start is None:
            return None
        read = short_texts if start[2] == _TEXTS else read_some_ints
        found = read(data, start.end(), start[1][0] - 129)
        return found[0] if found is not None and found[1] == len(data) else None

    @staticmethod
    def make(value: list[Any]) -> list[Any]:
        """Return what `match` returned."""
        return value

    @staticmethod
    def write(out: bytearray, values: list[Any]) -> bool:
        """Append the body of a list; return False, with `out` in any state, for anything else."""
        if not 0 < len(values) <= _MOST:
            return False
        out.append(len(values) + 129)
        if values[0].__class__ is str:
            out += _TEXTS
            return put_texts(out, values)
        out += _INTS
        return put_ints(out, values)
