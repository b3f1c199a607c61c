"""The events of a map cache: messages on its channels about changes of entries."""

from __future__ import annotations

import struct
from typing import Generic, NamedTuple, TypeVar

from pyredisson.errors import DecodeError

__all__ = ["EntryEvent", "parts"]

K = TypeVar("K")
V = TypeVar("V")

_LENGTH = struct.Struct("<Q")


class EntryEvent(NamedTuple, Generic[K, V]):
    """A change of an entry of a map cache.

    Attributes:
        event: "created", "updated", "removed" or "expired".
        key: the key of the entry.
        value: the value of the entry; for a removed or expired entry, its last value.
        old_value: the previous value of an updated entry; None for other events.
    """

    event: str
    key: K
    value: V
    old_value: V | None


def parts(message: bytes) -> list[bytes]:
    """Split a message into the encoded key and the encoded values.

    Raises:
        DecodeError: the message is not a key with one or two values.
    """
    found, start = [], 0
    while start + _LENGTH.size <= len(message):
        end = start + _LENGTH.size + _LENGTH.unpack_from(message, start)[0]
        found.append(message[start + _LENGTH.size : end])
        start = end
    if start != len(message) or not 2 <= len(found) <= 3:
        raise DecodeError("not an event of a map cache", codec="RMapCache", data=message)
    return found
