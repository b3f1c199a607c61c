"""RSet: the words of each call, and the value of each reply."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pyredisson import BatchDecodeError, DecodeError, EncodeError, UncertainError
from pyredisson.codecs import LongCodec, StringCodec
from pyredisson.protocol.collections.set import SetProtocol
from pyredisson.protocol.collections.values import require_limit, temporary
from pyredisson.protocol.kernel.command import Operation
from tests.support.rows import each_row
from tests.unit.protocol.objects.encoding import may_be_sent_twice, words

S: SetProtocol[str] = SetProtocol("s", StringCodec())
Build = Callable[[], Operation[Any]]
A, B = b"a", b"b"

CALLS: dict[str, tuple[Build, tuple[Any, ...]]] = {
    "add": (lambda: S.add("ab"), ("SADD", "s", A, B)),
    "try_add": (lambda: S.try_add("ab"), ("collections/try_add", ("s",), (A, B))),
    "remove": (lambda: S.remove("ab"), ("SREM", "s", A, B)),
    "remove_all": (lambda: S.remove_all("ab"), ("SREM", "s", A, B)),
    "retain_all": (
        lambda: S.retain_all("ab"),
        ("collections/set_retain_all", ("s", "pyredisson_temporary:{s}"), (A, B)),
    ),
    "contains": (lambda: S.contains("a"), ("SISMEMBER", "s", A)),
    "contains_all": (lambda: S.contains_all("ab"), ("SMISMEMBER", "s", A, B)),
    "contains_each": (lambda: S.contains_each(["a", "b"]), ("SMISMEMBER", "s", A, B)),
    "size": (S.size, ("SCARD", "s")),
    "read_all": (S.read_all, ("SMEMBERS", "s")),
    "scan": (lambda: S.scan(None, 7), ("SSCAN", "s", 7, "COUNT", 500)),
    "scan for": (lambda: S.scan("a*", 0), ("SSCAN", "s", 0, "MATCH", "a*", "COUNT", 500)),
    "random": (S.random, ("SRANDMEMBER", "s")),
    "random_many": (lambda: S.random_many(2), ("SRANDMEMBER", "s", 2)),
    "pop": (S.pop, ("SPOP", "s")),
    "pop_many": (lambda: S.pop_many(2), ("SPOP", "s", 2)),
    "move": (lambda: S.move("t", "a"), ("SMOVE", "s", "t", A)),
    "combined": (lambda: S.combined("SDIFF", ["t", "u"]), ("SDIFF", "s", "t", "u")),
    "store": (lambda: S.store("SUNION", ["t", "u"]), ("SUNIONSTORE", "s", "t", "u")),
    "count": (lambda: S.count_intersection(["t"], 0), ("SINTERCARD", 2, "s", "t")),
    "count to": (lambda: S.count_intersection([], 5), ("SINTERCARD", 1, "s", "LIMIT", 5)),
}


@each_row("case", CALLS)
def test_the_words_of_each_call(case: str) -> None:
    build, expected = CALLS[case]
    assert words(build()) == expected
    assert build().key == "s"


@each_row("case", CALLS)
def test_calls_that_may_be_sent_twice(case: str) -> None:
    operation = CALLS[case][0]()
    assert operation.safe is may_be_sent_twice(operation)
    if not operation.safe:
        assert operation.lost is not None
        assert isinstance(operation.lost(OSError("reset")), UncertainError)


REPLIES: list[tuple[str, Any, Any]] = [
    ("add", 2, 2),
    ("try_add", 0, False),
    ("remove", 2, 2),
    ("remove_all", 2, True),
    ("retain_all", 0, False),
    ("contains", 1, True),
    ("contains_all", [1, 1], True),
    ("contains_all", [1, 0], False),
    ("contains_each", [0, 1], ["b"]),
    ("size", 3, 3),
    ("read_all", [A, B], ["a", "b"]),
    ("scan", [b"17179869184", [A]], (17179869184, ["a"])),
    ("scan for", [b"0", []], (0, [])),
    ("random", None, None),
    ("random", A, "a"),
    ("random_many", [A], ["a"]),
    ("pop", A, "a"),
    ("pop_many", [], []),
    ("move", 1, True),
    ("combined", [B], ["b"]),
    ("store", 4, 4),
    ("count", 3, 3),
]


@each_row(("case", "reply", "value"), REPLIES)
def test_value_of_each_reply(case: str, reply: Any, value: Any) -> None:
    assert CALLS[case][0]().decode(reply) == value


def test_undo_of_an_interrupted_pop_adds_its_values() -> None:
    for pop, taken, undone in (
        (S.pop(), None, None),
        (S.pop(), A, ("SADD", "s", A)),
        (S.pop_many(2), [], None),
        (S.pop_many(2), [A, B], ("SADD", "s", A, B)),
    ):
        assert pop.undo is not None
        operation = pop.undo(taken)
        assert (operation and words(operation)) == undone


def test_values_that_cannot_be_encoded_or_decoded() -> None:
    numbers = SetProtocol("s", LongCodec())
    with pytest.raises(EncodeError):
        numbers.add(["text"])  # type: ignore[list-item]  # on purpose
    with pytest.raises(DecodeError) as caught:
        numbers.pop().decode(b"text")
    assert caught.value.raw == b"text"
    with pytest.raises(BatchDecodeError) as several:
        numbers.scan(None, 0).decode([b"0", [b"5", b"text"]])
    assert several.value.values == [5]


@pytest.mark.parametrize(
    ("value", "error"), [(-1, ValueError), ("1", TypeError), (True, TypeError)]
)
def test_invalid_limits_are_rejected(value: Any, error: type[Exception]) -> None:
    assert (require_limit(0), require_limit(5)) == (0, 5)
    with pytest.raises(error, match="limit must be"):
        require_limit(value)


def test_the_temporary_key_is_in_the_slot_of_the_set() -> None:
    assert temporary("a{b}") == "pyredisson_temporary:a{b}"
