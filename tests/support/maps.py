"""Script calls of maps: each row has a call, the keys before it, and a label."""

import struct
from typing import Any

from pyredisson.codecs import StringCodec
from pyredisson.protocol.kernel.command import Operation
from pyredisson.protocol.maps.cache import Limits, MapCacheProtocol
from pyredisson.protocol.maps.map import START, MapProtocol
from pyredisson.protocol.maps.names import CacheNames
from tests.support.groups import Fields

M = MapProtocol("m", StringCodec(), StringCodec())
C = MapCacheProtocol("c", StringCodec(), StringCodec())
N = CacheNames.of("c")
LATE = 2**52
"""A time in the far future, epoch ms."""
FOR_LONG = Limits(2**52, 2**52)


def packed(value: bytes, idle: float = 0) -> bytes:
    """Return a value as RMapCache stores it."""
    return struct.pack("<dQ", idle, len(value)) + value


STORED = (("m", Fields(k=b"v")),)
ENTRIES = Fields(
    k=packed(b"v", 2**52), l=packed(b"5"), gone=packed(b"w"), plain=b"v", h=packed(b"x")
)
CACHED = (
    (N.name, ENTRIES),
    (N.expires, {b"k": LATE, b"gone": 1, b"lost": 2}),
    (N.idles, {b"k": LATE, b"h": 5, b"gone": 6}),
    (N.used, {b"k": 1, b"l": 2, b"gone": 3, b"lost": 4}),
    (N.options, Fields({"max-size": b"9", "mode": b"LRU", "has-listeners": b"1"})),
    (N.latch, b"1"),
)
FEW = (*CACHED[:4], (N.options, Fields({"max-size": b"2", "mode": b"LFU"})))

Stored = tuple[tuple[str, Any], ...]
MAPS: tuple[tuple[Operation[Any], Stored, str], ...] = (
    (M.put("k", "w"), STORED, ""),
    (M.put("l", "w"), STORED, " a new key"),
    (M.put_if_absent("k", "w"), STORED, ""),
    (M.put_if_absent("l", "w"), STORED, " a new key"),
    (M.put_if_exists("k", "w"), STORED, ""),
    (M.fast_put_if_exists("k", "w"), STORED, ""),
    (M.replace("k", "v", "w"), STORED, ""),
    (M.remove("k"), STORED, ""),
    (M.remove_value("k", "v"), STORED, ""),
    (M.contains_value("v", START), STORED, ""),
    (C.get_all("klx"), CACHED, ""),
    (C.contains_key("k"), FEW, " least used"),
    (C.put("k", "w"), CACHED, ""),
    (C.put("k", "w", FOR_LONG), CACHED, " for long"),
    (C.put("x", "w"), FEW, " into a full one"),
    (C.put("x", "w"), (*CACHED[:4], (N.options, Fields({"max-size": b"2"}))), " into another"),
    (C.put_all({"k": "w", "x": "w", "gone": "w"}), CACHED, " several"),
    (C.put_if_exists("k", "w"), CACHED, " if it exists"),
    (C.put_if_absent("k", "w"), CACHED, " in vain"),
    (C.replace("k", "v", "w"), CACHED, " the expected"),
    (C.add_and_get("l", 5), CACHED, ""),
    (C.add_and_get("x", 5), CACHED, " a new one"),
    (C.add_and_get("gone", 5), CACHED, " an expired one"),
    (C.fast_remove(["k", "x", "gone", "k"]), CACHED, ""),
    (C.remove_value("k", "w"), CACHED, " another value"),
    (C.scan(START, None, C.read_entry), CACHED, ""),
    (C.count(0), CACHED, ""),
    (C.remaining_ms("l"), CACHED, ""),
    (C.expire("k", FOR_LONG, if_not_set=False), CACHED, ""),
    (C.expire("k", Limits(0, 0), if_not_set=False), CACHED, " never"),
    (C.evict(5, 100), CACHED[:5], ""),
    (C.evict(5, 100), CACHED, " latched"),
    (C.try_set_max_size(5, "LRU"), (), ""),
    (C.try_set_max_size(5, "LRU"), CACHED, " in vain"),
    (C.track(START), CACHED, ""),
)
KINDS = {
    "m": "hash",
    **dict(zip(N, ("hash", "zset", "zset", "zset", "hash", "string"), strict=True)),
}
