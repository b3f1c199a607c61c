"""Script calls of sets and lists: each row has a call, the keys before it, and a label."""

from typing import Any

from pyredisson.codecs import StringCodec
from pyredisson.protocol.collections.list import ListProtocol
from pyredisson.protocol.collections.scored_sorted_set import ScoredSortedSetProtocol
from pyredisson.protocol.collections.set import SetProtocol
from pyredisson.protocol.collections.set_cache import SetCacheProtocol
from pyredisson.protocol.collections.values import temporary
from pyredisson.protocol.kernel.command import Eval
from pyredisson.protocol.queues.queue import End

S = SetProtocol("s", StringCodec())
Z = ScoredSortedSetProtocol("z s", StringCodec())
C = SetCacheProtocol("c s", StringCodec())
L = ListProtocol("l s", StringCodec(), quarantines=False)
MEMBERS = (("s", frozenset([b"a", b"b", b"c"])),)

ELEMENTS = (("l s", [b"a", b"DELETED_BY_REDISSON", b"c"]),)
LONG = (("l s", [b"%d" % number for number in range(210)]),)
EXPIRING = (("c s", {b"dead": 1, b"live": 2**52}),)
LATCH = "redisson__execute_task_once_latch:{c s}"
SCORED = (("z s", {b"a": 1, b"b": 2, b"c": 3}),)

Stored = tuple[tuple[str, Any], ...]
COLLECTIONS: tuple[tuple[Eval[Any], Stored, str], ...] = (
    (S.try_add("xy"), MEMBERS, ""),
    (S.try_add("xa"), MEMBERS, " in vain"),
    (S.retain_all("ax"), MEMBERS, ""),
    (S.retain_all("x"), MEMBERS, " of none"),
    (S.retain_all("x"), (), " of nothing"),
    (Z.add_and_rank("b", 5, by=False, end=End.FIRST), SCORED, ""),
    (Z.add_and_rank("b", 5, by=True, end=End.LAST), SCORED, " from the last"),
    (Z.replace("b", "d"), SCORED, ""),
    (Z.replace("b", "a"), SCORED, " by another"),
    (Z.replace("b", "b"), SCORED, " by itself"),
    (Z.retain_all("ax"), SCORED, ""),
    (Z.retain_all("x"), SCORED, " of none"),
    (Z.poll_many(End.LAST, 2), SCORED, ""),
    (Z.poll(End.FIRST), (), " of nothing"),
    (C.add(("dead", "live", "new"), 60_000, "any"), EXPIRING, ""),
    (C.add(("new", "live"), None, "none"), EXPIRING, " in vain"),
    (C.contains_all(("dead", "live", "new")), EXPIRING, ""),
    (C.evict(5, 100), EXPIRING, ""),
    (C.evict(5, 100), (*EXPIRING, (LATCH, "1")), " too early"),
    (C.size(), EXPIRING, ""),
    (C.read_all(), EXPIRING, ""),
    (C.scan(None, 0), EXPIRING, ""),
    (L.get_many([0, 9]), ELEMENTS, ""),
    (L.set(-1, "x"), ELEMENTS, ""),
    (L.insert(1, "xy"), ELEMENTS, ""),
    (L.insert(3, "xy"), ELEMENTS, " at the end"),
    (L.insert(200, "x" * 60), LONG, " far from the start"),
    (L.insert(4, "xy"), ELEMENTS, " out of range"),
    (L.remove_at(2), ELEMENTS, ""),
    (L.remove_at(0), (("l s", [b"a"]),), " the only one"),
)
KINDS = {
    "c s": "zset",
    LATCH: "string",
    "z s": "zset",
    temporary("z s"): "zset",
    "l s": "list",
    "s": "set",
    temporary("s"): "set",
}
