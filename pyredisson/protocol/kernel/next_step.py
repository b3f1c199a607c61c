"""What becomes of one operation: (operation, outcome, attempt) gives the next step.

A link sends an operation, tells here what came of it, and does what it is told. The
rule: what was not done is done again by itself, what may have been done is not, unless
it is safe to do twice.

=========== ========================================= ===============================
outcome     means                                     step
=========== ========================================= ===============================
REPLY       the server answered                       RETURN
NO_SCRIPT   it does not know the script's digest      LOAD: the same with its text
MOVED, ASK  another node serves the key               REDIRECT, at most 5 in a row
TRY_AGAIN   the slot's keys are at two nodes          PAUSE; RAISE for what waits
NO_MASTER   the server takes no writes, or loads      AGAIN once, at the master of then
REFUSED     any other error reply                     RAISE
UNREACHED   no connection, nothing was sent           AGAIN once in a cluster
LOST        sent, and no reply came                   AGAIN once when safe
INTERRUPTED the caller left before the reply          UNDO what takes, else RAISE
=========== ========================================= ===============================
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Any, NamedTuple

from pyredisson.protocol.kernel.command import Operation

__all__ = ["LOOK_AROUND", "REDIRECTS", "Attempt", "Outcome", "Step", "decide", "takes"]

REDIRECTS = 5


class Outcome(Enum):
    """What came of sending an operation."""

    REPLY = auto()
    NO_SCRIPT = auto()
    MOVED = auto()
    ASK = auto()
    TRY_AGAIN = auto()
    NO_MASTER = auto()
    REFUSED = auto()
    UNREACHED = auto()
    LOST = auto()
    INTERRUPTED = auto()


LOOK_AROUND = frozenset({Outcome.NO_MASTER, Outcome.UNREACHED, Outcome.LOST})
"""After these the key's server may be another one."""


class Step(Enum):
    """What to do then."""

    RETURN = auto()
    AGAIN = auto()
    PAUSE = auto()
    REDIRECT = auto()
    LOAD = auto()
    UNDO = auto()
    RAISE = auto()


class Attempt(NamedTuple):
    """What was tried so far.

    Attributes:
        clustered: the key may have moved to another node.
        redirects: how many redirections were followed.
        loads: how often the script's text was sent.
        repeats: how often it was sent again after LOST, NO_MASTER or UNREACHED.
        asking: the server must be told ASKING first.
    """

    clustered: bool = False
    redirects: int = 0
    loads: int = 0
    repeats: int = 0
    asking: bool = False


def takes(operation: Operation[Any]) -> bool:
    """Tell whether what an interrupted operation did has to be learned, and may be undone."""
    return operation.undo is not None or operation.waits is not None


def decide(operation: Operation[Any], outcome: Outcome, attempt: Attempt) -> tuple[Step, Attempt]:
    """Return what to do, and what was tried by then."""
    step, changed = Step.RAISE, attempt
    if outcome is Outcome.REPLY:
        step = Step.RETURN
    elif outcome is Outcome.NO_SCRIPT:
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
    elif outcome is Outcome.INTERRUPTED:
        step = Step.UNDO if takes(operation) else Step.RAISE
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
