"""RList: the words of each call, and the value of each reply."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyredisson import UncertainError
from pyredisson.codecs import StringCodec
from pyredisson.protocol.collections.list import ListProtocol
from pyredisson.protocol.kernel.command import Operation
from pyredisson.protocol.queues.queue import End
from tests.support.rows import each_row
from tests.unit.protocol.objects.encoding import may_be_sent_twice, words

L: ListProtocol[str] = ListProtocol("l", StringCodec(), quarantines=False)
Build = Callable[[], Operation[Any]]
A, B = b"a", b"b"

CALLS: dict[str, tuple[Build, tuple[Any, ...]]] = {
    "push": (lambda: L.push(End.LAST, "ab"), ("RPUSH", "l", A, B)),
    "remove": (lambda: L.remove("a", -2), ("LREM", "l", -2, A)),
    "remove_all": (lambda: L.remove_all("ab"), ("queues/remove_all", ("l",), (A, B))),
    "retain_all": (lambda: L.retain_all("ab"), ("queues/retain_all", ("l",), (A, B))),
    "pop_at": (lambda: L.pop_at(End.LAST), ("RPOP", "l")),
    "get_many": (lambda: L.get_many([0, -2]), ("collections/list_get", ("l",), (0, -2))),
    "set": (lambda: L.set(3, "a"), ("collections/list_set", ("l",), (3, A))),
    "fast_set": (lambda: L.fast_set(3, "a"), ("LSET", "l", 3, A)),
    "insert": (lambda: L.insert(3, "ab"), ("collections/list_insert", ("l",), (3, A, B))),
    "before": (lambda: L.insert_beside("BEFORE", "a", "b"), ("LINSERT", "l", "BEFORE", A, B)),
    "remove_at": (lambda: L.remove_at(3), ("collections/list_remove", ("l",), (3,))),
    "fast_remove": (lambda: L.fast_remove(3), ("collections/list_remove", ("l",), (3,))),
    "position": (lambda: L.position("a"), ("LPOS", "l", A)),
    "last_position": (lambda: L.last_position("a"), ("LPOS", "l", A, "RANK", -1)),
    "trim": (lambda: L.trim(1, -2), ("LTRIM", "l", 1, -2)),
}


@each_row("case", CALLS)
def test_the_words_of_each_call(case: str) -> None:
    build, expected = CALLS[case]
    assert words(build()) == expected


@each_row("case", CALLS)
def test_calls_that_may_be_sent_twice(case: str) -> None:
    operation = CALLS[case][0]()
    assert operation.safe is may_be_sent_twice(operation)
    if operation.safe:
        assert operation.lost is None
    else:
        assert operation.lost is not None
        assert isinstance(operation.lost(OSError("reset")), UncertainError)


REPLIES: list[tuple[str, Any, Any]] = [
    ("push", 2, 2),
    ("remove", 2, 2),
    ("remove_all", 2, True),
    ("pop_at", A, "a"),
    ("pop_at", None, None),
    ("get_many", [A, None], ["a", None]),
    ("set", A, "a"),
    ("fast_set", b"OK", None),
    ("insert", 0, False),
    ("before", -1, -1),
    ("remove_at", A, "a"),
    ("fast_remove", A, None),
    ("last_position", None, None),
    ("trim", b"OK", None),
]


@each_row(("case", "reply", "value"), REPLIES)
def test_value_of_each_reply(case: str, reply: Any, value: Any) -> None:
    assert CALLS[case][0]().decode(reply) == value


def test_undo_of_an_interrupted_pop_pushes_its_value() -> None:
    undo = L.pop_at(End.FIRST).undo
    assert undo is not None
    operation = undo(A)
    assert operation is not None
    assert words(operation) == ("LPUSH", "l", A)
