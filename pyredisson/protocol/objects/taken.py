"""A message while somebody has it: the record that the scripts of ``consumer/`` keep of it."""

from __future__ import annotations

import struct
from dataclasses import dataclass

__all__ = ["RECORD", "Taken"]

RECORD = struct.Struct(">16sIQQQ")
"""Id, attempt, first taken, taken, due: what stands before the value."""


@dataclass(frozen=True, slots=True)
class Taken:
    """One delivery; times are epoch milliseconds of the server, `due_ms` 0 if it is unknown."""

    token: bytes
    identity: bytes
    attempt: int
    first_ms: int
    taken_ms: int
    due_ms: int
    raw: bytes

    @classmethod
    def of(cls, token: bytes, record: bytes) -> Taken:
        """Read a record."""
        identity, attempt, first, taken, due = RECORD.unpack_from(record)
        return cls(token, identity, attempt, first, taken, due, record[RECORD.size :])
