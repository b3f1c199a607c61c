"""The id of a pyredisson item: it distinguishes equal values and has the approximate offer time.

An id has 16 bytes: ``P``, the microsecond of the offer (7 bytes, big-endian), and 8 random bytes.
Java reads ids of any length in the layout `Bc0Lc0` (see `entry`). In the old layout `dLc0`, an id
has 8 random bytes, and no time. Scripts use the time to guess an item's position in the delay list.
The rule: the scripts verify each position, so a wrong clock only makes them slower.
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
    """Return an id from the microseconds since 1970 and 8 random bytes."""
    return (now_us & MICROSECONDS | P).to_bytes(8, "big") + random


def legacy_item_id(random: bytes) -> bytes:
    """Return the id that is read back from a `dLc0` entry with these 8 random bytes as its id.

    A double keeps only 53 significant bits of the id. With any other bits, the receipt of an offer
    would differ from the receipt of the same item that is read from Redis.
    """
    return item_id_of(_DOUBLE.pack(legacy_id(random)))


def new_item_ids(now_us: int, random: bytes, wire_format: WireFormat) -> list[bytes]:
    """Return ids of successive items, one for each 8 random bytes.

    The time of the first id is `now_us`, and each later id has the next microsecond. Ids for
    `WireFormat.LEGACY` have no time.
    """
    count = len(random) // 8
    parts: tuple[bytes, ...] = struct.unpack("8s" * count, random)
    if wire_format is WireFormat.LEGACY:
        return [*map(legacy_item_id, parts)]
    first = P | (now_us & MICROSECONDS)
    times = struct.pack(f">{count}Q", *range(first, first + count))
    return [*map(add, struct.unpack("8s" * count, times), parts)]
