"""The next step of each kind of operation, after each outcome and at each attempt."""

from __future__ import annotations

from typing import Any

import pytest

from pyredisson.codecs import StringCodec
from pyredisson.protocol.kernel.command import Command, Operation
from pyredisson.protocol.kernel.next_step import (
    LOOK_AROUND,
    REDIRECTS,
    Attempt,
    Outcome,
    Step,
    decide,
    takes,
)
from pyredisson.protocol.queues.blocking_queue import BlockingProtocol
from pyredisson.protocol.queues.queue import End, QueueProtocol
from tests.support.rows import each_row

QUEUE = QueueProtocol("q", StringCodec())
WRITE: Operation[Any] = QUEUE.push(End.LAST, ["a"])
READ: Operation[Any] = QUEUE.size()
POP: Operation[Any] = QUEUE.pop(End.FIRST)
SCRIPT: Operation[Any] = QUEUE.remove_all(["a"])
SAFE: Operation[Any] = QUEUE.contains_all(["a"])
WAIT: Operation[Any] = BlockingProtocol("q", StringCodec()).pop(End.FIRST, 2.0)
MOVE: Operation[Any] = BlockingProtocol("q", StringCodec()).move("r", (End.LAST, End.LAST), 2.0)

FIRST, CLUSTER = Attempt(), Attempt(clustered=True)
REPEATED = Attempt(clustered=True, repeats=1)

TABLE: list[tuple[Operation[Any], Outcome, Attempt, Step, Attempt]] = [
    # the script's text is sent once to each node
    (SCRIPT, Outcome.NO_SCRIPT, FIRST, Step.LOAD, Attempt(loads=1)),
    (SCRIPT, Outcome.NO_SCRIPT, Attempt(loads=1), Step.RAISE, Attempt(loads=1)),
    (
        SCRIPT,
        Outcome.NO_SCRIPT,
        Attempt(loads=1, redirects=1, asking=True),
        Step.LOAD,
        Attempt(loads=2, redirects=1, asking=True),
    ),
    (WRITE, Outcome.NO_SCRIPT, FIRST, Step.RAISE, FIRST),
    # a repeated operation starts again: the script's text may not have arrived
    (SAFE, Outcome.LOST, Attempt(loads=1), Step.AGAIN, Attempt(repeats=1)),
    (
        SAFE,
        Outcome.TRY_AGAIN,
        Attempt(loads=2, redirects=1),
        Step.PAUSE,
        FIRST,
    ),
    # redirections
    (WRITE, Outcome.MOVED, FIRST, Step.REDIRECT, Attempt(redirects=1)),
    (WRITE, Outcome.ASK, FIRST, Step.REDIRECT, Attempt(redirects=1, asking=True)),
    (WAIT, Outcome.ASK, FIRST, Step.REDIRECT, Attempt(redirects=1, asking=True)),
    (
        WRITE,
        Outcome.MOVED,
        Attempt(redirects=1, asking=True),
        Step.REDIRECT,
        Attempt(redirects=2),
    ),
    (WRITE, Outcome.MOVED, Attempt(redirects=REDIRECTS), Step.RAISE, Attempt(redirects=REDIRECTS)),
    (WRITE, Outcome.ASK, Attempt(redirects=REDIRECTS), Step.RAISE, Attempt(redirects=REDIRECTS)),
    # keys that are on two nodes; a caller that waits repeats the operation itself
    (WRITE, Outcome.TRY_AGAIN, Attempt(redirects=1, asking=True), Step.PAUSE, FIRST),
    (WAIT, Outcome.TRY_AGAIN, FIRST, Step.RAISE, FIRST),
    # nothing was executed: any operation is repeated once
    (WRITE, Outcome.NO_MASTER, FIRST, Step.AGAIN, Attempt(repeats=1)),
    (WAIT, Outcome.NO_MASTER, Attempt(asking=True), Step.AGAIN, Attempt(repeats=1)),
    (WRITE, Outcome.NO_MASTER, REPEATED, Step.RAISE, REPEATED),
    (WRITE, Outcome.UNREACHED, FIRST, Step.RAISE, FIRST),
    (WRITE, Outcome.UNREACHED, CLUSTER, Step.AGAIN, REPEATED),
    (WRITE, Outcome.UNREACHED, REPEATED, Step.RAISE, REPEATED),
    # it may have been executed
    (WRITE, Outcome.LOST, CLUSTER, Step.RAISE, CLUSTER),
    (POP, Outcome.LOST, CLUSTER, Step.RAISE, CLUSTER),
    (WAIT, Outcome.LOST, CLUSTER, Step.RAISE, CLUSTER),
    (READ, Outcome.LOST, FIRST, Step.AGAIN, Attempt(repeats=1)),
    (READ, Outcome.LOST, REPEATED, Step.RAISE, REPEATED),
    # refused by the server
    (READ, Outcome.REFUSED, CLUSTER, Step.RAISE, CLUSTER),
]


@each_row(("operation", "outcome", "attempt", "step", "then"), TABLE)
def test_the_next_step(
    operation: Operation[Any], outcome: Outcome, attempt: Attempt, step: Step, then: Attempt
) -> None:
    assert decide(operation, outcome, attempt) == (step, then)


def test_every_outcome_has_a_row() -> None:
    assert {row[1] for row in TABLE} == set(Outcome) - {Outcome.REPLY}
    assert {row[3] for row in TABLE} == set(Step)


def test_outcomes_after_which_the_server_may_have_changed() -> None:
    assert set(LOOK_AROUND) == {Outcome.NO_MASTER, Outcome.UNREACHED, Outcome.LOST}


@each_row("outcome", sorted(set(Outcome) - {Outcome.REPLY, Outcome.TRY_AGAIN}, key=str), ids=str)
@each_row("operation", [WRITE, READ, POP, SCRIPT, WAIT, MOVE])
def test_each_operation_ends(operation: Operation[Any], outcome: Outcome) -> None:
    """It ends although a server repeats its reply. Only the caller's timeout limits TRYAGAIN."""
    attempt = CLUSTER
    for _ in range(10):
        step, attempt = decide(operation, outcome, attempt)
        if step is Step.RAISE:
            return
    pytest.fail(f"{step} for ever")


def test_operation_says_for_how_long_it_waits() -> None:
    assert (WAIT.waits, MOVE.waits, POP.waits, SCRIPT.waits) == (2.0, 2.0, None, None)
    assert Command(("PING",), bytes, "q").waits is None


def test_only_pops_and_waits_need_a_reply_after_an_interrupt() -> None:
    takers = [each for each in (WRITE, READ, POP, SCRIPT, WAIT, MOVE) if takes(each)]
    assert takers == [POP, WAIT, MOVE]
