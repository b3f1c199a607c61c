"""The bytes of a pending item, which are the same in the delay list and in the timeout set.

There are two layouts, distinguished by their exact length (docs/wire-format.md):

======== ================== ==================================================
format   releases           bytes
======== ================== ==================================================
Bc0Lc0   3.21.1 and newer   id length (1) · id · value length (8, LE) · value
dLc0     up to 3.21.0       id as IEEE double (8, LE) · value length (8, LE) · value
======== ================== ==================================================

The rule: both layouts are always read; bytes in neither layout raise `WireFormatError` with these
bytes. The layouts are tried in this order: `Bc0Lc0` with an id of 8 bytes, as Redisson writes it;
`dLc0`; `Bc0Lc0` with an id of another length. The reason: some old entries are also valid as
`Bc0Lc0` with an id of another length. An example is an old entry whose first byte is 15 and whose
value is 8 zero bytes. If the first byte is 7, the value is the same in both layouts. Such an entry
counts as old if Redisson could have written its double. One case stays ambiguous: an old entry
whose first byte is 8 and whose value is one zero byte. This entry is read as a `Bc0Lc0` entry with
an empty value.
"""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass
from enum import Enum
from math import isfinite

from pyredisson.errors import WireFormatError
from pyredisson.releases import parse_release

__all__ = ["Entry", "WireFormat", "head", "pack", "sha_of", "unpack"]

_ID_BYTES = 8
_LENGTH = struct.Struct("<Q")
_OLD = struct.Struct("<dQ")
_DOUBLE = struct.Struct("<d")


class WireFormat(Enum):
    """The layout of entries.

    The value of `CURRENT` is the first release that writes `Bc0Lc0`. The value of `LEGACY` is the
    last release that writes `dLc0`.
    """

    CURRENT = "3.21.1"
    LEGACY = "3.21.0"

    @classmethod
    def of(cls, release: str | WireFormat) -> WireFormat:
        """Return the format that a Redisson release such as ``"3.19.3"`` writes.

        Raises:
            TypeError: `release` is neither a str nor a `WireFormat`, which is returned unchanged.
            ValueError: `release` is not a release number.
        """
        if isinstance(release, WireFormat):
            return release
        number = parse_release(release, "wire_format")
        return cls.CURRENT if number >= (3, 21, 1) else cls.LEGACY


@dataclass(frozen=True, slots=True)
class Entry:
    """An unpacked entry: `item_id` distinguishes equal values, `value` is the codec's bytes.

    With `dLc0`, `item_id` has the bytes of the double. To pack such an entry again, pass
    `item_id_of(item_id)` to `pack`.
    """

    item_id: bytes
    value: bytes
    wire_format: WireFormat


def pack(item_id: bytes, value: bytes, wire_format: WireFormat = WireFormat.CURRENT) -> bytes:
    """Return the entry that the offer script writes for an id and a value.

    In the old format, the id is the signed number of its bytes (`legacy_id`) as a double, because
    Redisson's script converts Java's long with Lua's ``tonumber``.
    """
    return head(item_id, len(value), wire_format) + value


def head(item_id: bytes, size: int, wire_format: WireFormat) -> bytes:
    """Return the bytes before a value of `size` bytes."""
    if wire_format is WireFormat.LEGACY:
        return _OLD.pack(float(legacy_id(item_id)), size)
    return bytes((len(item_id),)) + item_id + _LENGTH.pack(size)


def legacy_id(item_id: bytes) -> int:
    """Return the signed 64-bit number that the script of the old format gets as the id."""
    return int.from_bytes(item_id[:_ID_BYTES], "little", signed=True)


def item_id_of(double: bytes) -> bytes:
    """Return 8 bytes that the old format packs as this double.

    If no such bytes exist, return bytes that the old format packs as another double.
    """
    (number,) = _DOUBLE.unpack(double)
    whole = int(number) if isfinite(number) else 0
    return min(max(whole, -(2**63)), 2**63 - 1).to_bytes(_ID_BYTES, "little", signed=True)


def _is_legacy_id(double: bytes) -> bool:
    return _DOUBLE.pack(float(legacy_id(item_id_of(double)))) == double


def sha_of(value: bytes) -> bytes:
    """Return the hexadecimal SHA1 under which pyredisson stores the record of a value."""
    return hashlib.sha1(value, usedforsecurity=False).hexdigest().encode()


def unpack(data: bytes) -> Entry:
    """Read an entry of either format.

    Raises:
        WireFormatError: the length fits neither format exactly.
    """
    first = data[0] if data else 0
    if first == _ID_BYTES and _sized(data, 1 + first):
        return Entry(data[1 : 1 + first], data[9 + first :], WireFormat.CURRENT)
    if _sized(data, 8) and (first != 7 or _is_legacy_id(data[:8])):
        return Entry(data[:8], data[16:], WireFormat.LEGACY)
    if _sized(data, 1 + first):
        return Entry(data[1 : 1 + first], data[9 + first :], WireFormat.CURRENT)
    raise WireFormatError(data)


def _sized(data: bytes, start: int) -> bool:
    """Return whether the number in the 8 bytes at `start` is the length of the bytes after them."""
    rest = len(data) - start - _LENGTH.size
    return rest >= 0 and bool(_LENGTH.unpack_from(data, start)[0] == rest)
