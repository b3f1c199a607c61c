"""A pending item as Redis holds it: the same bytes in the delay list and in the timeout set.

Two layouts exist, told apart by exact length (docs/wire-format.md):

======== ================== ==================================================
format   releases           bytes
======== ================== ==================================================
Bc0Lc0   3.21.1 and newer   id length (1) · id · value length (8, LE) · value
dLc0     up to 3.21.0       id as IEEE double (8, LE) · value length (8, LE) · value
======== ================== ==================================================

The rule: both are read always; a member that is neither raises
`WireFormatError` with its bytes.  Ids of 8 bytes, the only ones that Redisson
writes, are asked for first, then the old format, then ids of other lengths: an
old member may look like one of those, as when its first byte is 15 and its value
ends in the length 0.  Where the first byte is 7 both have the same value, and it is an
old one if Redisson could have written its double.  One member alone stays ambiguous, and is
read as a new one with an empty value: an old one whose first byte is 8 and whose value is one
zero byte.
"""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass
from enum import Enum
from math import isfinite

from pyredisson.errors import WireFormatError
from pyredisson.releases import parse_release

__all__ = ["Member", "WireFormat", "head", "pack", "sha_of", "unpack"]

_ID_BYTES = 8
_LENGTH = struct.Struct("<Q")
_OLD = struct.Struct("<dQ")
_DOUBLE = struct.Struct("<d")


class WireFormat(Enum):
    """How members are written; the value names the release that is its bound."""

    CURRENT = "3.21.1"
    LEGACY = "3.21.0"

    @classmethod
    def of(cls, release: str | WireFormat) -> WireFormat:
        """Return the format that the given Redisson release writes, such as ``"3.19.3"``.

        Raises:
            TypeError: not a text.
            ValueError: not a release number.
        """
        if isinstance(release, WireFormat):
            return release
        number = parse_release(release, "wire_format")
        return cls.CURRENT if number >= (3, 21, 1) else cls.LEGACY


@dataclass(frozen=True, slots=True)
class Member:
    """One unpacked member: `item_id` tells equal values apart, `value` is the codec's bytes."""

    item_id: bytes
    value: bytes
    wire_format: WireFormat


def pack(item_id: bytes, value: bytes, wire_format: WireFormat = WireFormat.CURRENT) -> bytes:
    """Return the member that the offer script writes for an id and a value.

    In the old format the id is the double of the signed number that the bytes
    encode (`legacy_id`), as Java's long went through Lua's ``tonumber``.
    """
    return head(item_id, len(value), wire_format) + value


def head(item_id: bytes, size: int, wire_format: WireFormat) -> bytes:
    """Return what stands before a value of so many bytes."""
    if wire_format is WireFormat.LEGACY:
        return _OLD.pack(float(legacy_id(item_id)), size)
    return bytes((len(item_id),)) + item_id + _LENGTH.pack(size)


def legacy_id(item_id: bytes) -> int:
    """Return the signed 64-bit number that the old format's script is given as its id."""
    return int.from_bytes(item_id[:_ID_BYTES], "little", signed=True)


def item_id_of(double: bytes) -> bytes:
    """Return the 8 bytes that the old format packs as this double, if any do."""
    (number,) = _DOUBLE.unpack(double)
    whole = int(number) if isfinite(number) else 0
    return min(max(whole, -(2**63)), 2**63 - 1).to_bytes(_ID_BYTES, "little", signed=True)


def _is_legacy_id(double: bytes) -> bool:
    return _DOUBLE.pack(float(legacy_id(item_id_of(double)))) == double


def sha_of(value: bytes) -> bytes:
    """Return the SHA1 under which pyredisson keeps what is known of a value."""
    return hashlib.sha1(value, usedforsecurity=False).hexdigest().encode()


def unpack(data: bytes) -> Member:
    """Read a member of either format.

    Raises:
        WireFormatError: neither format fits the length exactly.
    """
    first = data[0] if data else 0
    if first == _ID_BYTES and _sized(data, 1 + first):
        return Member(data[1 : 1 + first], data[9 + first :], WireFormat.CURRENT)
    if _sized(data, 8) and (first != 7 or _is_legacy_id(data[:8])):
        return Member(data[:8], data[16:], WireFormat.LEGACY)
    if _sized(data, 1 + first):
        return Member(data[1 : 1 + first], data[9 + first :], WireFormat.CURRENT)
    raise WireFormatError(data)


def _sized(data: bytes, start: int) -> bool:
    """Tell whether the 8 bytes at `start` are the length of all that follows them."""
    rest = len(data) - start - _LENGTH.size
    return rest >= 0 and bool(_LENGTH.unpack_from(data, start)[0] == rest)
