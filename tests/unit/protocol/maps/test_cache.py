"""RMapCache: the words of each call, and the value of each reply."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pyredisson import BatchDecodeError, DecodeError, EntryEvent, UncertainError
from pyredisson.codecs import LongCodec, StringCodec
from pyredisson.protocol.kernel.command import Operation
from pyredisson.protocol.maps.cache import Count, Limits, MapCacheProtocol
from pyredisson.protocol.maps.map import START
from pyredisson.protocol.maps.names import CacheNames
from tests.support.maps import packed
from tests.support.rows import each_row
from tests.unit.protocol.objects.encoding import words

C: MapCacheProtocol[str, int] = MapCacheProtocol("m", StringCodec(), LongCodec())
SHARDED = MapCacheProtocol("a{m}", StringCodec(), StringCodec(), ("PUBLISH", "SPUBLISH"))
KEYS = (
    "m",
    "redisson__timeout__set:{m}",
    "redisson__idle__set:{m}",
    "redisson__map_cache__last_access__set:{m}",
    "{m}:redisson_options",
)
LATCH = "redisson__execute_task_once_latch:{m}"
OUT = ("{m}", "PUBLISH", "")
LIMITS = Limits(60, 30)
Build = Callable[[], Operation[Any]]

CALLS: dict[str, tuple[Build, tuple[Any, ...], bool]] = {
    "get": (lambda: C.get("k"), ("maps/cache_get", KEYS, ("value", b"k")), True),
    "contains_key": (
        lambda: C.contains_key("k"),
        ("maps/cache_get", KEYS, ("exists", b"k")),
        True,
    ),
    "peek": (
        lambda: C.get_all("k", peek=True),
        ("maps/cache_get", KEYS, ("peek", b"k")),
        True,
    ),
    "get_all": (lambda: C.get_all("kl"), ("maps/cache_get", KEYS, ("value", b"k", b"l")), True),
    "value_size": (lambda: C.value_size("k"), ("HSTRLEN", "m", b"k"), True),
    "put": (
        lambda: C.put("k", 5),
        ("maps/cache_put", KEYS, (*OUT, "", b"", 0, 0, "old", b"k", b"5")),
        False,
    ),
    "put for a while": (
        lambda: C.put("k", 5, LIMITS),
        ("maps/cache_put", KEYS, (*OUT, "", b"", 60, 30, "old", b"k", b"5")),
        False,
    ),
    "fast_put": (
        lambda: C.fast_put("k", 5),
        ("maps/cache_put", KEYS, (*OUT, "", b"", "", 0, "", b"k", b"5")),
        False,
    ),
    "fast_put for a while": (
        lambda: C.fast_put("k", 5, LIMITS),
        ("maps/cache_put", KEYS, (*OUT, "", b"", 60, 30, "", b"k", b"5")),
        False,
    ),
    "put_all": (
        lambda: C.put_all({"k": 5, "l": 6}, LIMITS),
        ("maps/cache_put", KEYS, (*OUT, "", b"", 60, 30, "", b"k", b"5", b"l", b"6")),
        False,
    ),
    "put_if_absent": (
        lambda: C.put_if_absent("k", 5, LIMITS),
        ("maps/cache_put", KEYS, (*OUT, "absent", b"", 60, 30, "old", b"k", b"5")),
        False,
    ),
    "fast_put_if_absent": (
        lambda: C.fast_put_if_absent("k", 5),
        ("maps/cache_put", KEYS, (*OUT, "absent", b"", 0, 0, "", b"k", b"5")),
        False,
    ),
    "put_if_exists": (
        lambda: C.put_if_exists("k", 5),
        ("maps/cache_put", KEYS, (*OUT, "present", b"", "", "", "old", b"k", b"5")),
        False,
    ),
    "fast_put_if_exists": (
        lambda: C.fast_put_if_exists("k", 5),
        ("maps/cache_put", KEYS, (*OUT, "present", b"", "", "", "", b"k", b"5")),
        False,
    ),
    "replace": (
        lambda: C.replace("k", 4, 5),
        ("maps/cache_put", KEYS, (*OUT, "equal", b"4", "", "", "", b"k", b"5")),
        False,
    ),
    "remove": (
        lambda: C.remove("k"),
        ("maps/cache_remove", KEYS, (*OUT, "", b"", "old", b"k")),
        False,
    ),
    "remove_value": (
        lambda: C.remove_value("k", 5),
        ("maps/cache_remove", KEYS, (*OUT, "equal", b"5", "", b"k")),
        False,
    ),
    "fast_remove": (
        lambda: C.fast_remove("kl"),
        ("maps/cache_remove", KEYS, (*OUT, "", b"", "", b"k", b"l")),
        False,
    ),
    "add_and_get": (
        lambda: C.add_and_get("k", 5),
        ("maps/cache_add", KEYS, (*OUT, b"k", "5")),
        False,
    ),
    "remaining_ms": (lambda: C.remaining_ms("k"), ("maps/cache_remaining", KEYS, (b"k",)), True),
    "expire": (
        lambda: C.expire("k", LIMITS, if_not_set=True),
        ("maps/cache_expire", KEYS, (*OUT, b"k", 60, 30, "nx")),
        False,
    ),
    "count": (lambda: C.count(500), ("maps/cache_size", KEYS, (500, 500)), True),
    "clear": (C.clear, ("DEL", *KEYS[:4]), False),
    "scan": (
        lambda: C.scan(START, None, C.read_entry),
        ("maps/cache_scan", KEYS, (b"0", "*", 500)),
        True,
    ),
    "scan some": (
        lambda: C.scan(b"7", "a*", C.read_bytes),
        ("maps/cache_scan", KEYS, (b"7", "a*", 500)),
        True,
    ),
    "set_max_size": (
        lambda: C.set_max_size(5, "LRU"),
        ("HMSET", KEYS[4], "max-size", 5, "mode", "LRU"),
        True,
    ),
    "try_set_max_size": (
        lambda: C.try_set_max_size(5, "LFU"),
        ("maps/cache_try_set_max_size", (KEYS[4],), (5, "LFU")),
        False,
    ),
    "track": (lambda: C.track(START), ("maps/cache_track", KEYS, (b"0", 500)), True),
    "listen": (C.listen, ("HSET", KEYS[4], "has-listeners", "1"), True),
    "evict": (
        lambda: C.evict(5, 100),
        ("maps/cache_evict", (*KEYS, LATCH), (*OUT, 5, 100)),
        False,
    ),
    "in a cluster": (
        lambda: SHARDED.remove("k"),
        (
            "maps/cache_remove",
            CacheNames.of("a{m}").own,
            ("a{m}", "PUBLISH", "SPUBLISH", "", b"", "old", b"k"),
        ),
        False,
    ),
}


@each_row("case", CALLS)
def test_the_words_of_each_call(case: str) -> None:
    build, expected, safe = CALLS[case]
    operation = build()
    assert words(operation) == expected
    assert operation.safe is safe


V = packed(b"5", 30)
REPLIES: list[tuple[str, Any, Any]] = [
    ("get", [V], 5),
    ("get", [None], None),
    ("contains_key", [1], True),
    ("get_all", [None, V], {"l": 5}),
    ("value_size", 17, 1),
    ("value_size", 0, 0),
    ("put", [1, V], 5),
    ("put", [1, None], None),
    ("fast_put", [1, None], True),
    ("fast_put", [1, 1], False),
    ("put_all", [1, 1, 1, None], None),
    ("put_if_absent", [0, V], 5),
    ("fast_put_if_absent", [0, 1], False),
    ("put_if_exists", [0, None], None),
    ("fast_put_if_exists", [1, 1], True),
    ("replace", [1, 1], True),
    ("remove", [V], 5),
    ("remove_value", [0], False),
    ("fast_remove", [1, 0], 1),
    ("add_and_get", b"6.5", 6.5),
    ("remaining_ms", -1, -1),
    ("expire", 0, False),
    ("count", [7, 2, 1], Count(7, 2, more=True)),
    ("clear", 1, None),
    ("scan", [b"7", [b"k", V]], (b"7", [("k", 5)])),
    ("scan some", [b"0", [b"k", V]], (START, [b"5"])),
    ("set_max_size", b"OK", None),
    ("try_set_max_size", 1, True),
    ("track", b"7", b"7"),
    ("listen", 1, None),
    ("evict", -1, -1),
]


@each_row(("case", "reply", "value"), REPLIES)
def test_each_reply(case: str, reply: Any, value: Any) -> None:
    assert CALLS[case][0]().decode(reply) == value


@pytest.mark.parametrize("data", [b"5", bytes(16) + b"5", packed(b"5")[:-1]])
def test_a_value_that_is_not_packed(data: bytes) -> None:
    """The error has the other values of the same reply."""
    with pytest.raises(DecodeError, match="not packed as RMapCache packs values") as caught:
        C.get("k").decode([data])
    assert caught.value.raw == data
    with pytest.raises(BatchDecodeError) as several:
        C.get_all("kl").decode([data, V])
    assert several.value.values == [("l", 5)]


def test_a_value_that_the_codec_cannot_read() -> None:
    with pytest.raises(DecodeError) as caught:
        C.get("k").decode([packed(b"text")])
    assert (caught.value.data, caught.value.raw) == (b"text", packed(b"text"))


def test_a_lost_reply() -> None:
    for operation in (C.put("k", 5), C.try_set_max_size(5, "LRU")):
        assert operation.lost is not None
        assert isinstance(operation.lost(ConnectionError("closed")), UncertainError)


def test_events() -> None:
    """The messages are those that Redisson 4.7.0 published."""
    created = b"\1\0\0\0\0\0\0\0a\1\0\0\0\0\0\0\x001"
    assert C.names.channel("created") == "redisson_map_cache_created:{m}"
    assert C.event("created", created) == EntryEvent("created", "a", 1, None)
    updated = b"\1\0\0\0\0\0\0\0a\1\0\0\0\0\0\0\x002\1\0\0\0\0\0\0\x001"
    assert C.event("updated", updated) == EntryEvent("updated", "a", 2, 1)
    for message in (b"", b"text", created[:9], created[:-1], updated + created):
        with pytest.raises(DecodeError, match="not an event of a map cache") as caught:
            C.event("created", message)
        assert caught.value.raw == message
