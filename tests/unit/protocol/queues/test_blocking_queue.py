"""Blocking pops: exact words for one slice, and the undo of a reply that came too late."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyredisson import BatchDecodeError, DecodeError
from pyredisson.codecs import LongCodec, StringCodec
from pyredisson.protocol.kernel.command import Command
from pyredisson.protocol.queues.blocking_queue import BlockingProtocol, wire_timeout
from pyredisson.protocol.queues.queue import End
from tests.support.rows import each_row
from tests.unit.protocol.objects.encoding import words

FIRST, LAST = End.FIRST, End.LAST
B = BlockingProtocol("q", StringCodec())
ANY = ("q", "r")

CALLS: dict[str, tuple[Callable[[], Command[Any]], tuple[Any, ...]]] = {
    "take": (lambda: B.pop(FIRST, 2.0), ("BLPOP", "q", "2.000")),
    "take_last": (lambda: B.pop(LAST, 0.5), ("BRPOP", "q", "0.500")),
    "look once": (lambda: B.pop(FIRST, 0.0), ("BLPOP", "q", "0.002")),
    "poll_from_any": (lambda: B.pop_any(ANY, FIRST, 1.5), ("BLPOP", "q", "r", "1.500")),
    "poll_last_from_any": (lambda: B.pop_any(ANY, LAST, 1), ("BRPOP", "q", "r", "1.000")),
    "poll_first_from_any": (
        lambda: B.pop_many_any(ANY, FIRST, 3, 2.0),
        ("BLMPOP", "2.000", 2, "q", "r", "LEFT", "COUNT", 3),
    ),
    "poll_last_from_any(1)": (
        lambda: B.pop_many_any(("q",), LAST, 1, 0.25),
        ("BLMPOP", "0.250", 1, "q", "RIGHT", "COUNT", 1),
    ),
    "poll(3, timeout=2)": (
        lambda: B.pop_many(FIRST, 3, 2.0),
        ("BLMPOP", "2.000", 1, "q", "LEFT", "COUNT", 3),
    ),
    "wait for the last to be there": (
        lambda: B.there(LAST, 2.0),
        ("BLMOVE", "q", "q", "RIGHT", "RIGHT", "2.000"),
    ),
    "a look at one of several": (lambda: B.check_any("q", FIRST), ("LPOP", "q")),
    "a look at the last": (lambda: B.check_any("q", LAST), ("RPOP", "q")),
    "a look at many": (
        lambda: B.check_many_any("q", LAST, 3),
        ("RPOP", "q", 3),
    ),
    "a look in place of a wait": (lambda: B.check(LAST), ("RPOP", "q")),
    "a look whether the first is there": (lambda: B.check_whether(FIRST), ("LINDEX", "q", 0)),
    "a look whether the last is there": (lambda: B.check_whether(LAST), ("LINDEX", "q", -1)),
    "a move in place of a wait": (
        lambda: B.check_move("r", (LAST, FIRST)),
        ("RPOPLPUSH", "q", "r"),
    ),
    "take_last_and_offer_first_to": (
        lambda: B.move("r", (LAST, FIRST), 2.0),
        ("BRPOPLPUSH", "q", "r", "2.000"),
    ),
    "move": (
        lambda: B.move("r", (FIRST, LAST), 2.0),
        ("BLMOVE", "q", "r", "LEFT", "RIGHT", "2.000"),
    ),
}


@each_row("case", CALLS)
def test_the_words_of_each_call(case: str) -> None:
    build, expected = CALLS[case]
    command = build()
    assert words(command) == expected
    assert (command.key, command.safe) == ("q", False)


def test_the_first_of_several_lists_decides_the_node() -> None:
    assert B.pop_any(("other", "q"), FIRST, 1).key == "other"
    assert B.pop_many_any(("other", "q"), FIRST, 1, 1).key == "other"


REPLIES: list[tuple[Command[Any], Any, Any]] = [
    (B.pop(FIRST, 1), None, None),
    (B.pop(FIRST, 1), [b"q", b"a"], "a"),
    (B.pop(FIRST, 1), [b"q", b""], ""),
    (B.pop_any(ANY, FIRST, 1), None, None),
    (B.pop_any(ANY, FIRST, 1), ["\u00e9".encode(), b"a"], ("é", "a")),
    (B.check_any("r", FIRST), None, None),
    (B.check_any("r", FIRST), b"a", ("r", "a")),
    (B.pop_many_any(ANY, LAST, 2, 1), None, None),
    (B.pop_many_any(ANY, LAST, 2, 1), [b"r", [b"b", b"a"]], {"r": ["b", "a"]}),
    (B.pop_many(LAST, 2, 1), None, None),
    (B.pop_many(LAST, 2, 1), [b"q", [b"b", b"a"]], ["b", "a"]),
    (B.there(FIRST, 1), None, None),
    (B.there(FIRST, 1), b"", True),
    (B.check_many_any("r", LAST, 2), None, None),
    (B.check_many_any("r", LAST, 2), [b"b", b"a"], {"r": ["b", "a"]}),
    (B.check(FIRST), b"a", "a"),
    (B.check_whether(FIRST), None, None),
    (B.check_whether(FIRST), b"", True),
    (B.check_move("r", (LAST, FIRST)), b"a", "a"),
    (B.move("r", (LAST, FIRST), 1), None, None),
    (B.move("r", (FIRST, LAST), 1), b"a", "a"),
]


@each_row(("command", "reply", "expected"), REPLIES)
def test_the_value_of_each_reply(command: Command[Any], reply: Any, expected: Any) -> None:
    assert command.decode(reply) == expected


UNDONE: list[tuple[Command[Any], Any, tuple[Any, ...] | None]] = [
    (B.pop(FIRST, 1), None, None),
    (B.pop(FIRST, 1), [b"q", b"a"], ("LPUSH", "q", b"a")),
    (B.pop(LAST, 1), [b"q", b"a"], ("RPUSH", "q", b"a")),
    (B.pop_any(ANY, LAST, 1), None, None),
    (B.pop_any(ANY, LAST, 1), [b"r", b"a"], ("RPUSH", "r", b"a")),
    (B.pop_many(FIRST, 2, 1), [b"q", [b"a", b"b"]], ("LPUSH", "q", b"b", b"a")),
    (B.pop_many_any(ANY, FIRST, 2, 1), None, None),
    (B.pop_many_any(ANY, FIRST, 2, 1), [b"r", [b"a", b"b"]], ("LPUSH", "r", b"b", b"a")),
    (B.pop_many_any(ANY, LAST, 2, 1), [b"r", [b"b", b"a"]], ("RPUSH", "r", b"a", b"b")),
]


@each_row(("command", "reply", "expected"), UNDONE)
def test_undo_of_a_pop_pushes_to_the_list_it_popped_from(
    command: Command[Any], reply: Any, expected: tuple[Any, ...] | None
) -> None:
    assert command.undo is not None
    undo = command.undo(reply)
    assert (undo and undo.args) == expected
    assert undo is None or undo.key == reply[0].decode()


def test_undo_of_a_look_pushes_to_the_list_it_popped_from() -> None:
    undo = B.check_any("r", LAST).undo
    assert undo is not None
    assert undo(None) is None
    given_back = undo(b"a")
    assert given_back is not None
    assert given_back.args == ("RPUSH", "r", b"a")
    undo = B.check_many_any("r", LAST, 2).undo
    assert undo is not None
    assert undo(None) is None
    given_back = undo([b"b", b"a"])
    assert given_back is not None
    assert given_back.args == ("RPUSH", "r", b"a", b"b")


@pytest.mark.parametrize(
    "look", [B.check(LAST), B.check_whether(LAST), B.check_move("r", (LAST, FIRST))]
)
def test_look_in_place_of_a_wait_is_read_to_its_end(look: Command[Any]) -> None:
    assert look.waits == 0


def test_move_has_no_undo() -> None:
    """The moved value is in the other list."""
    assert B.move("r", (LAST, FIRST), 1).undo is None


@each_row(
    ("seconds", "expected"),
    [
        (0, "0.002"),
        (-5, "0.002"),
        (0.0004, "0.002"),
        (1e-300, "0.002"),
        (1, "1.000"),
        (2.0, "2.000"),
    ],
)
def test_a_timeout_is_never_the_zero_that_means_for_ever(seconds: float, expected: str) -> None:
    """It is not 0.001, either, which Redis 6.2 reads as zero."""
    assert wire_timeout(seconds) == expected


@settings(deadline=None)
@given(st.floats(-10, 1e6))
def test_a_timeout_is_what_was_asked_to_two_milliseconds(seconds: float) -> None:
    sent = float(wire_timeout(seconds))
    assert int(sent * 1000) > 0
    assert abs(sent - max(seconds, 0.0)) <= 0.002001


def test_a_value_that_cannot_be_read_keeps_its_bytes() -> None:
    numbers = BlockingProtocol("q", LongCodec())
    with pytest.raises(DecodeError) as caught:
        numbers.pop(FIRST, 1).decode([b"q", b"one"])
    assert caught.value.data == b"one"
    with pytest.raises(BatchDecodeError) as several:
        numbers.pop_many_any(ANY, FIRST, 2, 1).decode([b"r", [b"1", b"two"]])
    assert several.value.values == [1]
    quarantine = numbers.check_many_any("r", FIRST, 2).quarantine
    assert quarantine is not None
    push, rest = quarantine([b"1", b"two"], [b"two"])
    assert push.args == ("RPUSH", "pyredisson_poison:{r}", b"two")
    assert rest == [b"1"]


def test_the_same_list_without_waiting() -> None:
    assert words(B.plain().pop(FIRST)) == ("LPOP", "q")
