"""Lists of texts and of numbers, each read and written at once.

The rule: as in `runs`, only the straight way. What is not a plain list of few short texts
or of numbers of 32 bits is None or False, and the serializers do the work.
"""

from __future__ import annotations

import re
from typing import Any

from pyredisson.codecs.kryo5.kernel.ids import INTEGER, STRING
from pyredisson.codecs.kryo5.kernel.input import short_texts
from pyredisson.codecs.kryo5.kernel.output import encode_text, encode_texts
from pyredisson.codecs.kryo5.kernel.varints import encode_ints, read_ints

__all__ = ["ListMessage", "put_ints", "put_texts", "read_some_ints"]

_INTS, _TEXTS = bytes((INTEGER, 0)), bytes((STRING, 0))  # the class, and that none is null
_MOST = 62  # elements of which a byte tells the number


def read_some_ints(data: bytes, pos: int, count: int) -> tuple[list[int], int] | None:
    """Return so many numbers and where they end; None if one is malformed."""
    found = read_ints(data, pos, count)
    return found if len(found[0]) == count else None


def put_ints(out: bytearray, values: list[Any]) -> bool:
    """Append numbers; otherwise return False and append nothing."""
    encoded = encode_ints(values)
    out += encoded or b""
    return encoded is not None


def put_texts(out: bytearray, values: list[Any]) -> bool:
    """Append texts; False, and anything, where there are others."""
    if encode_texts(out, values):
        return True
    for each in values:
        if each.__class__ is not str:
            return False
        encode_text(out, each)
    return True


class ListMessage:
    """The short way of a message that is a list of texts or of numbers."""

    depth = 1
    names = 1

    def __init__(self, head: bytes) -> None:
        rest = rb"([\x82-\xbf])(%b|%b)" % (_INTS, _TEXTS)
        self._head = re.compile(re.escape(head) + rest).match

    def match(self, data: bytes) -> list[Any] | None:
        """Return the elements of a whole message; None where it is something else."""
        begun = self._head(data)
        if begun is None:
            return None
        read = short_texts if begun[2] == _TEXTS else read_some_ints
        found = read(data, begun.end(), begun[1][0] - 129)
        return found[0] if found is not None and found[1] == len(data) else None

    @staticmethod
    def make(value: list[Any]) -> list[Any]:
        """Return what `match` did."""
        return value

    @staticmethod
    def write(out: bytearray, values: list[Any]) -> bool:
        """Append the body of a list; False, and anything, if it is something else."""
        if not 0 < len(values) <= _MOST:
            return False
        out.append(len(values) + 129)
        if values[0].__class__ is str:
            out += _TEXTS
            return put_texts(out, values)
        out += _INTS
        return put_ints(out, values)
