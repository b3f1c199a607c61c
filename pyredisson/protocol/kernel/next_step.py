"""The next step of an operation: a table of (operation, outcome, attempt).

The link sends an operation, passes the outcome to `decide`, and carries out the step. The rule: an
operation that has possibly been executed is sent again only if it is `safe`. The interruption of a
caller is not an outcome: if the operation `takes`, the link reads its reply and undoes it. A reply
needs no decision.

=========== ========================================= ===============================
outcome     meaning                                   step
=========== ========================================= ===============================
NO_SCRIPT   the server does not know the digest       LOAD: again with the script's text
MOVED, ASK  another node serves the key               REDIRECT, at most 5 in a row
TRY_AGAIN   the slot's keys are on two nodes          PAUSE; RAISE if the operation waits
NO_MASTER   the server rejects writes, or is loading  AGAIN once, at the current master
REFUSED     any other error reply                     RAISE
UNREACHED   no connection, nothing was sent           AGAIN once in a cluster
LOST        sent, but no reply came                   AGAIN once if safe
=========== ========================================= ===============================

AGAIN happens only once for NO_MASTER, UNREACHED and LOST together.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Any, NamedTuple

from pyredisson.protocol.kernel.command import Operation

__all__ = ["LOOK_AROUND", "REDIRECTS", "Attempt", "Outcome", "Step", "decide", "takes"]

REDIRECTS = 5


class Outcome(Enum):
    """The result of sending an operation."""

    REPLY = auto()
    NO_SCRIPT = auto()
    MOVED = auto()
    ASK = auto()
    TRY_AGAIN = auto()
    NO_MASTER = auto()
    REFUSED = auto()
    UNREACHED = auto()
    LOST = auto()


LOOK_AROUND = frozenset({Outcome.NO_MASTER, Outcome.UNREACHED, Outcome.LOST})
"""Outcomes after which it is possible that another server serves the key."""


class Step(Enum):
    """What the link does next."""

    AGAIN = auto()
    PAUSE = auto()
    REDIRECT = auto()
    LOAD = auto()
    RAISE = auto()


class Attempt(NamedTuple):
    """What was tried so far.

    Attributes:
        clustered: whether the server is a node of a cluster, so that the key can move to another.
        redirects: how many redirections were followed since the start or the last pause.
        loads: more than `redirects` after the script's text was sent to the current node. Then the
            text is not sent to this node again.
        repeats: how often the operation was sent again after LOST, NO_MASTER or UNREACHED.
        asking: whether to send ASKING first.
    """

    clustered: bool = False
    redirects: int = 0
    loads: int = 0
    repeats: int = 0
    asking: bool = False


def takes(operation: Operation[Any]) -> bool:
    """Return whether the link must read the reply of an interrupted operation.

    True for an operation that blocks, and for one that the link must undo.
    """
    return operation.undo is not None or operation.waits is not None


def decide(operation: Operation[Any], outcome: Outcome, attempt: Attempt) -> tuple[Step, Attempt]:
    """Return the step after an outcome that is not REPLY, and the attempt that the step begins."""
    step, changed = Step.RAISE, attempt
    if outcome is Outcome.NO_SCRIPT:
        if operation.fallback() is not None and attempt.loads <= attempt.redirects:
            step, changed = Step.LOAD, attempt._replace(loads=attempt.redirects + 1)
    elif outcome in (Outcome.MOVED, Outcome.ASK):
        if attempt.redirects < REDIRECTS:
            asking = outcome is Outcome.ASK
            changed = attempt._replace(redirects=attempt.redirects + 1, asking=asking)
            step = Step.REDIRECT
    elif outcome is Outcome.TRY_AGAIN:
        step = Step.PAUSE if operation.waits is None else Step.RAISE
        changed = attempt._replace(asking=False, loads=0, redirects=0)
    elif attempt.repeats == 0 and _may_repeat(operation, outcome, attempt):
        changed = attempt._replace(
            repeats=1, asking=False, loads=min(attempt.loads, attempt.redirects)
        )
        step = Step.AGAIN
    return step, changed


def _may_repeat(operation: Operation[Any], outcome: Outcome, attempt: Attempt) -> bool:
    if outcome is Outcome.UNREACHED:
        return attempt.clustered
    return outcome is Outcome.NO_MASTER or (outcome is Outcome.LOST and operation.safe)
