"""What is left beside a queue, for which transfer tasks look: consumers' messages, dedup keys.

The rule: who clears up decides nothing; the script looks whether anybody still has it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from pyredisson.protocol.kernel.command import Eval
from pyredisson.protocol.kernel.names import ConsumerNames, QueueNames
from pyredisson.protocol.kernel.replies import nothing
from pyredisson.protocol.kernel.scripts import load

if TYPE_CHECKING:
    from pyredisson.protocol.consumers.delivery import Expired

__all__ = ["forget_keys", "reap"]

REAPED = 100
"""Messages that one script puts back, at most."""

_LOOKED_AT = 100


class CleanedUp(NamedTuple):
    """The end of one round: when there is more to do (ms), and the items that have expired."""

    next_ms: float | None
    expired: list[Expired]


def _reaped(reply: Any) -> CleanedUp:
    moment, *gone = reply
    next_ms, expired = None if moment is None else float(moment), []
    if gone:
        from pyredisson.protocol.consumers.delivery import expired_of  # noqa: PLC0415 - seldom

        expired = expired_of(gone)
    return CleanedUp(next_ms, expired)


def reap(names: ConsumerNames) -> Eval[CleanedUp]:
    """Put back what is left of consumers that are gone, and remove what has expired."""
    own = (names.arriving, names.leases, names.taken, names.returned)
    keys = (names.queue.name, *own, names.queue.timeout_set, *names.expiry)
    return Eval(load("consumers/reap"), keys, (REAPED,), _reaped, safe=True)


def forget_keys(names: QueueNames) -> Eval[None]:
    """Forget keys of deduplication whose items are gone."""
    keys = (names.dedup, names.timeout_set)
    return Eval(load("delayed/forget_keys"), keys, (_LOOKED_AT,), nothing, safe=True)
