"""A pending item as Redis holds it: the same bytes in the delay list and in the timeout set.

Two layouts exist, told apart by exact length (docs/wire-format.md):

======== ================== ==================================================
format   releases           bytes
======== ================== ==================================================
Bc0Lc0   3.21.1 and newer   id length (1) · id · value length (8, LE) · value
dLc0     up to 3.21.0       id as IEEE double (8, LE) · value length (8, LE) · value
======== ================== ==================================================

The rule: both are read always; a member that is neither raises
`WireFormatError` with its bytes.  A member that happens to be both (an old one
whose first byte is 7) has the same value in both readings.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import Enum

from pyredisson.errors import WireFormatError

__all__ = ["Member", "WireFormat", "pack", "unpack"]

_ID_BYTES = 8
_LENGTH = struct.Struct("<Q")
_OLD = struct.Struct("<dQ")


class WireFormat(Enum):
    """How members are written; the value names the release that is its bound."""

    CURRENT = "3.21.1"
    LEGACY = "3.21.0"

    @classmethod
    def of(cls, release: str | WireFormat) -> WireFormat:
        """Return the format that the given Redisson release writes, such as ``"3.19.3"``.

        Raises:
            ValueError: not a release number.
        """
        if isinstance(release, WireFormat):
            return release
        try:
            numbers = tuple(int(part) for part in release.split("."))
        except (ValueError, AttributeError):
            raise ValueError(
                f"wire_format must be a Redisson release such as '3.21.0' or '4.7.0', "
                f"not {release!r}"
            ) from None
        return cls.CURRENT if numbers >= (3, 21, 1) else cls.LEGACY


@dataclass(frozen=True, slots=True)
class Member:
    """One unpacked member: `identity` tells equal values apart, `value` is the codec's bytes."""

    identity: bytes
    value: bytes
    wire_format: WireFormat


def pack(identity: bytes, value: bytes, wire_format: WireFormat = WireFormat.CURRENT) -> bytes:
    """Return the member that the offer script writes for 8 random bytes and a value.

    In the old format the id is the double of the signed number that the bytes
    spell (`legacy_id`), as Java's long went through Lua's ``tonumber``.
    """
    if wire_format is WireFormat.LEGACY:
        return _OLD.pack(float(legacy_id(identity)), len(value)) + value
    return bytes((len(identity),)) + identity + _LENGTH.pack(len(value)) + value


def legacy_id(identity: bytes) -> int:
    """Return the signed 64-bit number that the old format's script is given as its id."""
    return int.from_bytes(identity[:_ID_BYTES], "little", signed=True)


def unpack(data: bytes) -> Member:
    """Read a member of either format.

    Raises:
        WireFormatError: neither format fits the length exactly.
    """
    if data:
        start = 1 + data[0]
        body = start + _LENGTH.size
        if len(data) >= body and _LENGTH.unpack_from(data, start)[0] == len(data) - body:
            return Member(data[1:start], data[body:], WireFormat.CURRENT)
    if len(data) >= _OLD.size and _LENGTH.unpack_from(data, 8)[0] == len(data) - _OLD.size:
        return Member(data[:8], data[_OLD.size :], WireFormat.LEGACY)
    raise WireFormatError(data)
