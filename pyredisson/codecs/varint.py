"""Unsigned numbers of one to ten bytes, seven bits each, the lowest first (Protobuf, Avro)."""

from __future__ import annotations

from pyredisson.rejection import Rejection

from .cursor import Cursor

__all__ = ["read_varint", "varint"]

_MASK = (1 << 64) - 1


def varint(value: int) -> bytes:
    """Return the bytes of a number that is not negative."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def read_varint(source: Cursor) -> int:
    """Read a number of 64 bits.

    Raises:
        Rejection: the number has more than ten bytes, or the message ends inside it.
    """
    value = shift = 0
    while True:
        byte = source.byte()
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & _MASK
        shift += 7
        if shift > 63:
            raise Rejection("a number of more than ten bytes")
