"""A pause of a queue: no pyredisson consumer takes a message from a paused queue.

The rule: the pause is a key, so it continues without the client that started it, until any client
ends it.
"""

from __future__ import annotations

from typing import Any

from pyredisson.protocol.kernel.command import Command, Eval
from pyredisson.protocol.kernel.names import ConsumerNames
from pyredisson.protocol.kernel.replies import truth
from pyredisson.protocol.kernel.scripts import load

__all__ = ["pause", "paused", "resume"]

_WAKING_MS = 1000
"""The time to live, in ms, of the list that wakes the consumers at the end of a pause."""


def _nothing(_reply: Any) -> None:
    return None


def pause(names: ConsumerNames) -> Eval[None]:
    """Start a pause; a paused queue stays paused."""
    return Eval(load("queues/pause"), (names.paused, names.resumed), (), _nothing, safe=True)


def resume(names: ConsumerNames) -> Eval[None]:
    """End a pause, and wake the consumers that wait for its end; without a pause, do nothing."""
    keys = (names.paused, names.resumed)
    return Eval(load("queues/resume"), keys, (_WAKING_MS,), _nothing, safe=True)


def paused(names: ConsumerNames) -> Command[bool]:
    """EXISTS: return whether the queue is paused."""
    return Command(("EXISTS", names.paused), truth, names.paused, safe=True)
