"""The cleanup by transfer tasks: messages of crashed consumers, expired items, leftover dedup keys.

The rule: the caller decides nothing; the script checks whether something is still in use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from pyredisson.protocol.kernel.command import Eval
from pyredisson.protocol.kernel.names import ConsumerNames, QueueNames
from pyredisson.protocol.kernel.replies import nothing
from pyredisson.protocol.kernel.scripts import load

if TYPE_CHECKING:
    from pyredisson.protocol.consumers.delivery import Expired

__all__ = ["REAPED", "forget_keys", "reap"]

REAPED = 100
"""Messages that one script requeues, at most."""

_CHECKED = 100


class CleanedUp(NamedTuple):
    """The result of one run: when to run again (epoch ms), and the items that have expired."""

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
    """Requeue the messages of crashed consumers, and remove expired items."""
    own = (names.arriving, names.leases, names.taken, names.returned)
    keys = (names.queue.name, *own, names.queue.timeout_set, *names.expiry)
    return Eval(load("consumers/reap"), keys, (REAPED,), _reaped, safe=True)


def forget_keys(names: QueueNames) -> Eval[None]:
    """Delete dedup keys whose items are no longer pending."""
    keys = (names.dedup, names.timeout_set)
    return Eval(load("delayed/forget_keys"), keys, (_CHECKED,), nothing, safe=True)
