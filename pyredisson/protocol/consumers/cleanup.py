"""The cleanup by transfer tasks: messages of crashed consumers, expired items, unused dedup keys.

The rule: the caller decides nothing. The scripts check which messages, items and keys are in use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from pyredisson.protocol.kernel.command import Eval
from pyredisson.protocol.kernel.names import ConsumerNames, QueueNames
from pyredisson.protocol.kernel.replies import nothing
from pyredisson.protocol.kernel.scripts import load

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyredisson.protocol.consumers.delivery import Ended, Expired

__all__ = ["forget_keys", "reap"]

_REAPED = _CHECKED = 100


class CleanedUp(NamedTuple):
    """The result of one run: ended leases, expired items, and when to run again.

    `next_ms` is the time in epoch ms at which the next lease ends or the next item expires. It is
    None if no other lease will end and no other item will expire.
    """

    next_ms: float | None
    ended: Sequence[Ended]
    expired: Sequence[Expired]


def _reaped(reply: Any) -> CleanedUp:
    moment, *words = reply
    next_ms = None if moment is None else float(moment)
    if not words:
        return CleanedUp(next_ms, (), ())
    from pyredisson.protocol.consumers.delivery import events_of  # noqa: PLC0415 - seldom

    return CleanedUp(next_ms, *events_of(words))


def reap(names: ConsumerNames) -> Eval[CleanedUp]:
    """Requeue messages whose leases have ended, and remove expired items: at most 100 of each.

    The elements of the list `arriving` are requeued as well.
    """
    own = (names.arriving, names.leases, names.taken, names.returned)
    keys = (names.queue.name, *own, names.queue.timeout_set, *names.expiry, names.consumers)
    return Eval(load("consumers/reap"), keys, (_REAPED,), _reaped, safe=True)


def forget_keys(names: QueueNames) -> Eval[None]:
    """Delete dedup keys whose items are no longer pending.

    If no item is pending, all keys are deleted. Otherwise, if there are more keys than pending
    items, the script checks 100 random keys.
    """
    keys = (names.dedup, names.timeout_set)
    return Eval(load("delayed/forget_keys"), keys, (_CHECKED,), nothing, safe=True)
