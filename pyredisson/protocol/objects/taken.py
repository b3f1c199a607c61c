"""A message while somebody has it: the record that the scripts of ``consumer/`` keep of it."""

from __future__ import annotations

import struct
from dataclasses import dataclass

__all__ = ["RECORD", "Taken"]

RECORD = struct.Struct(">16sIQQQ")
"""Id, attempt, first taken, taken, due: what stands before the value.

The highest bit of the attempt says that 8 bytes more stand there: when it expires, negative where
it is dropped then.
"""

_EXPIRES = 1 << 31
_MOMENT = struct.Struct(">q")


@dataclass(frozen=True, slots=True)
class Taken:
    """One delivery; times are epoch milliseconds of the server.

    `due_ms` is 0 if it is unknown, `expires_ms` 0 if it does not.
    """

    token: bytes
    identity: bytes
    attempt: int
    first_ms: int
    taken_ms: int
    due_ms: int
    raw: bytes
    expires_ms: int = 0

    @classmethod
    def of(cls, token: bytes, record: bytes) -> Taken:
        """Read a record."""
        identity, attempt, first, taken, due = RECORD.unpack_from(record)
        start, expires = RECORD.size, 0
        if attempt & _EXPIRES:
            attempt ^= _EXPIRES
            (expires,) = _MOMENT.unpack_from(record, start)
            start += _MOMENT.size
        return cls(token, identity, attempt, first, taken, due, record[start:], abs(expires))
