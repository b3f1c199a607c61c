"""RObject and RExpirable over all keys of an object: exact words and values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pyredisson.protocol.kernel.command import Operation
from pyredisson.protocol.objects.expirable import ExpirableProtocol, type_of
from tests.support.rows import each_row
from tests.unit.protocol.objects.encoding import may_be_sent_twice, words

K = ExpirableProtocol(("d", "t"))
NEW = ("d2", "t2")
ALL = ("d", "t", "d2", "t2")
Build = Callable[[], Operation[Any]]

CALLS: dict[str, tuple[Build, tuple[Any, ...]]] = {
    "is_exists": (K.exists, ("EXISTS", "d", "t")),
    "delete": (K.delete, ("DEL", "d", "t")),
    "unlink": (K.unlink, ("UNLINK", "d", "t")),
    "touch": (K.touch, ("TOUCH", "d", "t")),
    "remain_time_to_live": (K.ttl_ms, ("PTTL", "d")),
    "get_expire_time": (K.expire_time_ms, ("PEXPIRETIME", "d")),
    "get_idle_time": (K.idle_seconds, ("OBJECT", "IDLETIME", "d")),
    "expire": (
        lambda: K.expire(1500, absolute=False, condition=""),
        ("objects/expire", ("d", "t"), ("pexpire", 1500, "")),
    ),
    "expire_at if greater": (
        lambda: K.expire(99, absolute=True, condition="GT"),
        ("objects/expire", ("d", "t"), ("pexpireat", 99, "GT")),
    ),
    "clear_expire": (K.persist, ("objects/persist", ("d", "t"), ())),
    "size_in_memory": (K.memory, ("objects/memory", ("d", "t"), ())),
    "copy": (lambda: K.copy(NEW, None, replace=False), ("objects/copy", ALL, ("", ""))),
    "copy to database 0": (lambda: K.copy(NEW, 0, replace=False), ("objects/copy", ALL, (0, ""))),
    "copy_and_replace": (
        lambda: K.copy(NEW, 3, replace=True),
        ("objects/copy", ALL, (3, "replace")),
    ),
    "rename": (lambda: K.rename(NEW, only_new=False), ("objects/rename", ALL, ("",))),
    "renamenx": (lambda: K.rename(NEW, only_new=True), ("objects/rename", ALL, ("nx",))),
    "move_to_database": (lambda: K.move(2), ("objects/move", ("d", "t"), (2,))),
    "migrate": (
        lambda: K.migrate("h", 6380, 1, 5000),
        ("MIGRATE", "h", 6380, "", 1, 5000, "KEYS", "d", "t"),
    ),
    "dump": (lambda: K.dump("d"), ("DUMP", "d")),
    "restore": (lambda: K.restore("d", b"x", 0, replace=False), ("RESTORE", "d", 0, b"x")),
    "restore over": (
        lambda: K.restore("d", b"x", 7, replace=True),
        ("RESTORE", "d", 7, b"x", "REPLACE"),
    ),
    "type": (lambda: type_of("d"), ("TYPE", "d")),
}


@each_row("case", CALLS)
def test_the_words_of_each_call(case: str) -> None:
    build, expected = CALLS[case]
    operation = build()
    assert words(operation) == expected
    assert operation.key == "d"


@each_row("case", CALLS)
def test_only_calls_that_change_nothing_may_be_sent_twice(case: str) -> None:
    operation = CALLS[case][0]()
    assert operation.safe is may_be_sent_twice(operation)


def test_a_dump_goes_to_the_node_of_its_own_key() -> None:
    assert K.dump("t").key == K.restore("t", b"", 0, replace=False).key == "t"


REPLIES: list[tuple[Operation[Any], Any, Any]] = [
    (K.exists(), 2, True),
    (K.delete(), 0, False),
    (K.ttl_ms(), -2, -2),
    (K.expire_time_ms(), 1_700_000_000_000, 1_700_000_000_000),
    (K.idle_seconds(), None, None),
    (K.idle_seconds(), 12, 12),
    (K.expire(1, absolute=False, condition=""), 1, True),
    (K.persist(), 0, False),
    (K.memory(), 312, 312),
    (K.copy(NEW, None, replace=False), 1, True),
    (K.rename(NEW, only_new=True), 0, False),
    (K.move(1), 1, True),
    (K.migrate("h", 1, 0, 1), b"OK", None),
    (K.dump("d"), None, None),
    (K.dump("d"), b"\0\1", b"\0\1"),
    (K.restore("d", b"", 0, replace=False), b"OK", None),
    (type_of("d"), b"none", "none"),
]


@each_row(("operation", "reply", "expected"), REPLIES)
def test_the_value_of_each_reply(operation: Operation[Any], reply: Any, expected: Any) -> None:
    value = operation.decode(reply)
    assert (value, type(value)) == (expected, type(expected))


@pytest.mark.parametrize("condition", ["nx", "LTE", " ", "GT LT"])
def test_another_condition_is_refused(condition: str) -> None:
    with pytest.raises(ValueError, match="condition must be one of"):
        K.expire(1, absolute=False, condition=condition)
