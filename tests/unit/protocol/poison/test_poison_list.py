"""The poison list: values that an operation pushes, the rest for its caller, and requeuing."""

from __future__ import annotations

from typing import Any

import pytest

from pyredisson import BatchDecodeError, DecodeError, WireFormatError
from pyredisson.codecs import LongCodec
from pyredisson.protocol.delayed.delayed_queue import DelayedQueueProtocol
from pyredisson.protocol.delayed.entry import pack
from pyredisson.protocol.kernel.command import Operation
from pyredisson.protocol.kernel.names import QueueNames
from pyredisson.protocol.poison.poison_list import PoisonProtocol
from pyredisson.protocol.queues.blocking_queue import BlockingProtocol
from pyredisson.protocol.queues.queue import End, QueueProtocol
from tests.support.rows import each_row
from tests.unit.protocol.objects.encoding import words

FIRST, LAST = End.FIRST, End.LAST
LONGS = LongCodec()
Q, QUIET = (QueueProtocol("q", LONGS, quarantines) for quarantines in (True, False))
B, QUIET_B = (BlockingProtocol("q", LONGS, quarantines) for quarantines in (True, False))
D, QUIET_D = (
    DelayedQueueProtocol(QueueNames.of("q"), LONGS, quarantines=quarantines)
    for quarantines in (True, False)
)
P = PoisonProtocol("q", LONGS)
ONE, TWO, X = pack(bytes(8), b"1"), pack(bytes(8), b"2"), pack(bytes(8), b"x")
LIST = "pyredisson_poison:{q}"

KEPT: list[tuple[Operation[Any], Any, tuple[Any, ...], Any]] = [
    (Q.pop(FIRST), b"x", (LIST, b"x"), None),
    (Q.pop_many(LAST, 4), [b"1", b"x", b"2", b"y"], (LIST, b"x", b"y"), [b"1", b"2"]),
    (Q.drain(None), [b"x", b"1", b"x"], (LIST, b"x", b"x"), [b"1"]),
    (B.pop(FIRST, 1), [b"q", b"x"], (LIST, b"x"), None),
    (B.pop_any(("q", "r"), FIRST, 1), [b"r", b"x"], ("pyredisson_poison:{r}", b"x"), None),
    (
        B.pop_many_any(("q", "{r}"), LAST, 3, 1),
        [b"{r}", [b"x", b"1"]],
        ("pyredisson_poison:{r}", b"x"),
        [b"{r}", [b"1"]],
    ),
    (D.poll(), [X], (LIST, b"x"), []),
    (D.poll(), [b"junk"], (LIST, b"junk"), []),
    (D.poll_many(4), [ONE, X, TWO, b"junk"], (LIST, b"x", b"junk"), [ONE, TWO]),
]


@each_row(("operation", "reply", "pushed", "rest"), KEPT)
def test_bad_values_are_pushed_and_the_rest_is_returned(
    operation: Operation[Any], reply: Any, pushed: tuple[Any, ...], rest: Any
) -> None:
    with pytest.raises(ValueError, match=r"whole number|entry of a delayed queue") as caught:
        operation.decode(reply)
    error: Any = caught.value
    errors = error.errors if isinstance(error, BatchDecodeError) else [error]
    assert operation.quarantine is not None
    push, left = operation.quarantine(reply, [each.raw for each in errors])
    assert (words(push), push.key, left) == (("RPUSH", *pushed), pushed[0], rest)
    operation.decode(left)


def test_undo_of_an_interrupted_pop_pushes_the_rest() -> None:
    undo = Q.drain(None).undo
    assert undo is not None
    back = undo([b"1", b"2"])
    assert back is not None
    assert words(back) == ("LPUSH", "q", b"2", b"1")
    for operation, reply, _pushed, rest in KEPT[:1] + KEPT[3:5]:
        assert operation.undo is not None
        assert operation.undo(reply) is not None
        assert operation.undo(rest) is None


def test_script_keeps_an_entry_that_it_cannot_move() -> None:
    with pytest.raises(WireFormatError) as caught:
        D.poll_last_and_offer_first_to("r").decode(b"bad")
    assert (caught.value.raw, caught.value.kept_in) == (b"bad", LIST)


def test_operations_without_quarantine() -> None:
    """Either `quarantines` is False, or the operation loses no value."""
    for operation in (
        *(QUIET.pop(FIRST), QUIET.pop_many(LAST, 4), QUIET.drain(None)),
        *(QUIET_B.pop(FIRST, 1), QUIET_B.pop_any(("q",), FIRST, 1)),
        *(QUIET_B.pop_many_any(("q",), FIRST, 3, 1), QUIET_D.poll(), QUIET_D.poll_many(3)),
        *(Q.peek(), Q.range(0, 1), Q.move("r", LAST, FIRST), B.move("r", (LAST, FIRST), 1)),
        *(D.peek(), D.range(0, 1), D.poll_last_and_offer_first_to("r")),
    ):
        assert operation.quarantine is None


@each_row(
    ("operation", "expected"),
    [
        (P.size(), ("LLEN", LIST)),
        (P.range(0, 9), ("LRANGE", LIST, 0, 9)),
        (P.requeue(b"x"), ("poison/requeue", (LIST, "q"), (b"x",))),
        (P.drop(7), ("LPOP", LIST, 7)),
        (P.drop_one(b"x"), ("LREM", LIST, 1, b"x")),
    ],
)
def test_the_words_of_each_call(operation: Operation[Any], expected: tuple[Any, ...]) -> None:
    assert words(operation) == expected
    assert operation.key == LIST


def test_poison_is_decoded_with_the_current_codec() -> None:
    one, x = P.range(0, 9).decode([b"1", b"x"])
    assert (one.raw, one.value, one.error) == (b"1", 1, None)
    assert (x.raw, x.value) == (b"x", None)
    assert isinstance(x.error, DecodeError)


@pytest.mark.parametrize(
    ("reply", "expected"), [(None, []), ([], []), ([b"a", b"b"], [b"a", b"b"])]
)
def test_drop_returns_the_dropped_bytes(reply: Any, expected: list[bytes]) -> None:
    assert P.drop(5).decode(reply) == expected
