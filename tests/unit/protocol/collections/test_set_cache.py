"""RSetCache: the words of each call, and the value of each reply."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyredisson import UncertainError
from pyredisson.codecs import StringCodec
from pyredisson.protocol.collections.set_cache import SetCacheProtocol
from pyredisson.protocol.kernel.command import Operation
from tests.support.rows import each_row
from tests.unit.protocol.objects.encoding import may_be_sent_twice, words

C: SetCacheProtocol[str] = SetCacheProtocol("c", StringCodec())
Build = Callable[[], Operation[Any]]
A, B = b"a", b"b"


def script(name: str, *args: Any, keys: tuple[str, ...] = ("c",)) -> tuple[Any, ...]:
    return (f"collections/{name}", keys, args)


CALLS: dict[str, tuple[Build, tuple[Any, ...]]] = {
    "add": (lambda: C.add("ab", None, "any"), script("set_cache_add", "", "any", A, B)),
    "add for": (lambda: C.add("a", 5, "less"), script("set_cache_add", 5, "less", A)),
    "contains": (lambda: C.contains("a"), script("set_cache_contains", A)),
    "contains_all": (lambda: C.contains_all("ab"), script("set_cache_contains", A, B)),
    "size": (C.size, script("set_cache_size")),
    "read_all": (C.read_all, script("set_cache_read")),
    "evict": (
        lambda: C.evict(5, 100),
        script(
            "set_cache_evict",
            *("redisson_set_cache_expired:{c}", "PUBLISH", "", 5, 100),
            keys=("c", "redisson__execute_task_once_latch:{c}"),
        ),
    ),
    "scan": (lambda: C.scan(None, 7), script("set_cache_scan", 7, "*", 500)),
    "scan for": (lambda: C.scan("a*", 0), script("set_cache_scan", 0, "a*", 500)),
    "remove_all": (lambda: C.remove_all("ab"), ("ZREM", "c", A, B)),
    "retain_all": (
        lambda: C.retain_all("ab"),
        script("zset_retain_all", A, B, keys=("c", "pyredisson_temporary:{c}")),
    ),
}


@each_row("case", CALLS)
def test_the_words_of_each_call(case: str) -> None:
    build, expected = CALLS[case]
    assert words(build()) == expected


@each_row("case", CALLS)
def test_calls_that_may_be_sent_twice(case: str) -> None:
    operation = CALLS[case][0]()
    assert operation.safe is may_be_sent_twice(operation)
    assert (operation.lost is None) is operation.safe
    if operation.lost is not None:
        assert isinstance(operation.lost(OSError("reset")), UncertainError)


@each_row(
    ("case", "reply", "value"),
    [
        ("add", 2, 2),
        ("contains", [1], True),
        ("contains_all", [1, 0], False),
        ("size", 3, 3),
        ("evict", -1, -1),
        ("read_all", [A], ["a"]),
        ("scan", [b"7", [A]], (7, ["a"])),
        ("remove_all", 1, True),
        ("retain_all", 0, False),
    ],
)
def test_value_of_each_reply(case: str, reply: Any, value: Any) -> None:
    assert CALLS[case][0]().decode(reply) == value
