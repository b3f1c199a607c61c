"""Script calls of local cached maps: each row has a call, the keys before it, and a label."""

from typing import Any

from pyredisson.codecs import StringCodec
from pyredisson.protocol.kernel.command import Operation
from pyredisson.protocol.kernel.highway_hash import hash_bytes
from pyredisson.protocol.local_maps.map import LocalMapProtocol
from tests.support.groups import Fields

M: LocalMapProtocol[str, str] = LocalMapProtocol("lm", StringCodec(), StringCodec())
REQUEST = "ab" * 16
HELD = (("lm", Fields(k=b"v", n=b"5", other=b"o")),)
LOGGED = (*HELD, (M.log, {hash_bytes(b"k") + b":" + bytes(8): 5, b"old": 6}))

Stored = tuple[tuple[str, Any], ...]
LOCAL_MAPS: tuple[tuple[Operation[Any], Stored, str], ...] = (
    (M.put("k", "w"), HELD, ""),
    (M.put("new", "w"), LOGGED, " of a new key"),
    (M.put_all({"k": "w", "l": "x"}), LOGGED, " of many"),
    (M.put_if_absent("k", "w"), HELD, " in vain"),
    (M.remove("k"), LOGGED, " that removes"),
    (M.fast_remove(["k", "none", "n"]), HELD, " that removes many"),
    (M.add_and_get("n", 5), LOGGED, ""),
    (M.clear(), LOGGED, ""),
    (M.drop_copies(), HELD, " of copies"),
    (M.answer(REQUEST), (), ""),
    (M.changes(0), LOGGED, ""),
)
KINDS = {"lm": "hash", M.log: "zset"} | dict.fromkeys((M.topic, *M.answer(REQUEST).keys), "string")
