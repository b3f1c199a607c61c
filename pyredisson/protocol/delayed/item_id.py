"""The id of an item of ours: what tells equal values apart, and about when it was offered.

16 bytes: ``P``, the microsecond of the offer (7 bytes, big-endian), 8 random ones. Java reads an
id of any length. The transfer script guesses from the time where in the delay list an item stands;
the rule is that it looks, so that a wrong clock costs time and nothing else.
"""

from __future__ import annotations

import struct
from operator import add

from pyredisson.protocol.delayed.entry import WireFormat, item_id_of, legacy_id

__all__ = ["legacy_item_id", "new_item_id", "new_item_ids"]

MICROSECONDS = (1 << 56) - 1
P = ord("P") << 56
_DOUBLE = struct.Struct("<d")


def new_item_id(now_us: int, random: bytes) -> bytes:
    """Return an id of the microsecond since 1970 and 8 random bytes."""
    return (now_us & MICROSECONDS | P).to_bytes(8, "big") + random


def legacy_item_id(random: bytes) -> bytes:
    """Return an id of `dLc0` of 8 random bytes: the one that is read back from a member.

    A double keeps 53 of its bits, so that receipts of one item would differ in the others.
    """
    return item_id_of(_DOUBLE.pack(legacy_id(random)))


def new_item_ids(now_us: int, random: bytes, wire_format: WireFormat) -> list[bytes]:
    """Return ids of items that are offered one after the other: one for each 8 random bytes."""
    count = len(random) // 8
    parts: tuple[bytes, ...] = struct.unpack("8s" * count, random)
    if wire_format is WireFormat.LEGACY:
        return [*map(legacy_item_id, parts)]
    first = P | (now_us & MICROSECONDS)
    times = struct.pack(f">{count}Q", *range(first, first + count))
    return [*map(add, struct.unpack("8s" * count, times), parts)]
