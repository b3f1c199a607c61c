"""What is left beside a queue, for which transfer tasks look: consumers' messages, dedup keys.

The rule: who clears up decides nothing; the script looks whether anybody still has it.
"""

from __future__ import annotations

from typing import Any

from pyredisson.protocol.command import Eval
from pyredisson.protocol.names import ConsumerNames, QueueNames
from pyredisson.protocol.replies import nothing
from pyredisson.protocol.scripts import load

__all__ = ["forget_keys", "reap"]

REAPED = 100
"""Messages that one script puts back, at most."""

_LOOKED_AT = 100


def _end(reply: Any) -> float | None:
    return None if reply is None else float(reply)


def reap(names: ConsumerNames) -> Eval[float | None]:
    """Put back what is left of consumers that are gone; when is there more to do (ms)?"""
    own = (names.arriving, names.leases, names.taken, names.returned)
    keys = (names.queue.name, *own, names.queue.timeout_set, *names.expiry)
    return Eval(load("consumer/reap"), keys, (REAPED,), _end, safe=True)


def forget_keys(names: QueueNames) -> Eval[None]:
    """Forget keys of deduplication whose items are gone."""
    keys = (names.dedup, names.timeout_set)
    return Eval(load("delayed_queue/forget_keys"), keys, (_LOOKED_AT,), nothing, safe=True)
