"""A pause of a queue: while it lasts, no consumer of ours takes anything from it.

The rule: the pause is a key, so it lasts until somebody ends it, whatever restarts meanwhile.
"""

from __future__ import annotations

from typing import Any

from pyredisson.protocol.kernel.command import Command, Eval
from pyredisson.protocol.kernel.names import ConsumerNames
from pyredisson.protocol.kernel.replies import truth
from pyredisson.protocol.kernel.scripts import load

__all__ = ["pause", "paused", "resume"]

_WAKING_MS = 1000
"""So long the list is there that wakes those who wait for the end of a pause."""


def _nothing(_reply: Any) -> None:
    return None


def pause(names: ConsumerNames) -> Eval[None]:
    """Begin it, unless it has begun."""
    return Eval(load("queues/pause"), (names.paused, names.resumed), (), _nothing, safe=True)


def resume(names: ConsumerNames) -> Eval[None]:
    """End it, and wake those who wait for that."""
    keys = (names.paused, names.resumed)
    return Eval(load("queues/resume"), keys, (_WAKING_MS,), _nothing, safe=True)


def paused(names: ConsumerNames) -> Command[bool]:
    """EXISTS: does it last?"""
    return Command(("EXISTS", names.paused), truth, names.paused, safe=True)
