"""RLocalCachedMap: the words of each write, and the value of each reply."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyredisson.codecs import StringCodec
from pyredisson.errors import UncertainError
from pyredisson.protocol.kernel.command import Operation
from pyredisson.protocol.kernel.highway_hash import hash_bytes
from pyredisson.protocol.local_maps.map import Change, Changes, LocalMapProtocol
from pyredisson.protocol.local_maps.messages import CLEAR, invalidation, update
from tests.support.rows import each_row
from tests.unit.protocol.objects.encoding import words

CODECS = (StringCodec(), StringCodec())
M: LocalMapProtocol[str, str] = LocalMapProtocol("m", *CODECS)
U: LocalMapProtocol[str, str] = LocalMapProtocol("m", *CODECS, ("PUBLISH", "SPUBLISH"), "update")
N: LocalMapProtocol[str, str] = LocalMapProtocol("m", *CODECS, sync_strategy="none")
LOG = "redisson__cache_updates_log:{m}"
KEYS = ("m", "{m}:topic", LOG)
HASH = hash_bytes(b"k")
NOTE, ALL = HASH + b":" + bytes(8), bytes(16) + b":" + bytes(8)
DROP = invalidation([HASH])
SET = (b"k", b"v", NOTE)
GONE = (b"k", b"", NOTE)
Build = Callable[[], Operation[Any]]


def change(*args: Any, told: bytes = DROP, drop: bytes = DROP) -> tuple[Any, ...]:
    return ("local_maps/change", KEYS, ("PUBLISH", "", told, drop, *args))


CALLS: dict[str, tuple[Build, tuple[Any, ...]]] = {
    "put": (lambda: M.put("k", "v"), change("hset", "", b"", *SET)),
    "fast_put": (lambda: M.fast_put("k", "v"), change("hset", "", b"", *SET)),
    "put_if_absent": (lambda: M.put_if_absent("k", "v"), change("hset", "absent", b"", *SET)),
    "fast_put_if_absent": (
        lambda: M.fast_put_if_absent("k", "v"),
        change("hset", "absent", b"", *SET),
    ),
    "put_if_exists": (lambda: M.put_if_exists("k", "v"), change("hset", "present", b"", *SET)),
    "fast_put_if_exists": (
        lambda: M.fast_put_if_exists("k", "v"),
        change("hset", "present", b"", *SET),
    ),
    "replace": (lambda: M.replace("k", "u", "v"), change("hset", "equal", b"u", *SET)),
    "remove": (lambda: M.remove("k"), change("hdel", "", b"", *GONE)),
    "remove_value": (lambda: M.remove_value("k", "v"), change("hdel", "equal", b"v", *GONE)),
    "fast_remove": (lambda: M.fast_remove(["k", "k"]), change("hdel", "", b"", *GONE)),
    "put_all": (lambda: M.put_all({"k": "v"}), change("hset", "", b"", *SET)),
    "put and send the value": (
        lambda: U.put("k", "v"),
        (
            "local_maps/change",
            KEYS,
            ("PUBLISH", "SPUBLISH", update([(b"k", b"v")]), DROP, "hset", "", b"", *SET),
        ),
    ),
    "remove where values are sent": (
        lambda: U.remove("k"),
        ("local_maps/change", KEYS, ("PUBLISH", "SPUBLISH", DROP, DROP, "hdel", "", b"", *GONE)),
    ),
    "put and tell nobody": (
        lambda: N.put("k", "v"),
        change("hset", "", b"", *SET, told=b"", drop=b""),
    ),
    "add_and_get": (
        lambda: M.add_and_get("k", 5),
        ("local_maps/add_and_get", KEYS, ("PUBLISH", "", DROP, b"k", "5", NOTE)),
    ),
    "clear": (M.clear, ("local_maps/clear", KEYS, ("PUBLISH", "", CLEAR, ALL, "del"))),
    "clear and tell nobody": (
        N.clear,
        ("local_maps/clear", KEYS, ("PUBLISH", "", b"", ALL, "del")),
    ),
    "drop_copies": (N.drop_copies, ("local_maps/clear", KEYS, ("PUBLISH", "", CLEAR, ALL, ""))),
    "acknowledge": (lambda: U.acknowledge("ab"), ("PUBLISH", "{m}:ab:topic", b"\4")),
    "answer": (
        lambda: U.answer("ab"),
        (
            "local_maps/answer",
            ("m:clear:ab", "redisson_sc:{m:clear:ab}"),
            ("PUBLISH", "SPUBLISH"),
        ),
    ),
    "changes": (lambda: M.changes(9), ("local_maps/changes", ("m", LOG), (9, 5000))),
}


@each_row("case", CALLS)
def test_the_words_of_each_call(case: str) -> None:
    build, expected = CALLS[case]
    operation = build()
    assert words(operation) == expected
    assert operation.safe is (case in ("acknowledge", "answer", "changes"))
    if isinstance(operation, Change):
        assert operation.hashes == (None if expected[0] == "local_maps/clear" else [HASH])
        assert operation.lost is not None
        assert isinstance(operation.lost(OSError()), UncertainError)


NEW, OLD, KEPT, NONE = [0, 1, None], [1, 1, b"o"], [1, 0, b"o"], [0, 0, None]
REPLIES: dict[str, tuple[Build, Any, Any]] = {
    "put new": (lambda: M.put("k", "v"), NEW, None),
    "put": (lambda: M.put("k", "v"), OLD, "o"),
    "fast_put new": (lambda: M.fast_put("k", "v"), NEW, True),
    "fast_put": (lambda: M.fast_put("k", "v"), OLD, False),
    "put_if_absent": (lambda: M.put_if_absent("k", "v"), KEPT, "o"),
    "fast_put_if_absent": (lambda: M.fast_put_if_absent("k", "v"), KEPT, False),
    "fast_put_if_exists": (lambda: M.fast_put_if_exists("k", "v"), NONE, False),
    "replace": (lambda: M.replace("k", "o", "v"), OLD, True),
    "remove": (lambda: M.remove("k"), OLD, "o"),
    "remove_value": (lambda: M.remove_value("k", "v"), KEPT, False),
    "fast_remove": (lambda: M.fast_remove(["k", "l"]), [2, 1, b"o"], 2),
    "put_all": (lambda: M.put_all({"k": "v"}), OLD, None),
    "add_and_get": (lambda: M.add_and_get("k", 5), b"7.5", 7.5),
    "clear": (M.clear, 1, True),
    "changes": (lambda: M.changes(9), [5, 1, [NOTE]], Changes(5, [HASH])),
    "all changes": (lambda: M.changes(9), [5, 1, [NOTE, ALL]], Changes(5, None)),
    "too many changes": (lambda: M.changes(9), [5, 1, [NOTE] * 5000], Changes(5, None)),
    "no map": (lambda: M.changes(9), [5, 0, []], Changes(5, None)),
}


@each_row("case", REPLIES)
def test_each_reply(case: str) -> None:
    build, reply, expected = REPLIES[case]
    assert build().decode(reply) == expected
