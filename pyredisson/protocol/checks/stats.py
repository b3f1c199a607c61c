"""How many items a queue has in each state, counted by one script.

The rule: the cost does not grow with the length of the queue, except for one binary search.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pyredisson.protocol.kernel.command import Eval
from pyredisson.protocol.kernel.names import ConsumerNames
from pyredisson.protocol.kernel.scripts import load

__all__ = ["QueueStats", "stats_of"]


@dataclass(frozen=True, slots=True)
class QueueStats:
    """The counts of a queue at one moment, by the server's clock.

    A count is -1 if its key has the wrong type.

    Attributes:
        name: the queue's name in Redis.
        pending: items that are not transferred yet.
        due: pending items whose time has come.
        oldest_overdue: seconds since the first pending item became due; 0 if no item is due.
        ready: elements of the target list and of the in-transit list. The in-transit list has
            elements that ended the wait of a consumer and are not leased yet. If only the key of
            the in-transit list has the wrong type, this list counts as empty.
        in_progress: messages with a lease, also with a lease that has ended.
        dead: dead letters.
        poison: elements of the poison list.
        paused: whether consumers take nothing until `resume()`.
        subscribers: the number of transfer tasks that are subscribed to the channel, Java's and
            Python's; None if the number is unknown.
    """

    name: str
    pending: int
    due: int
    oldest_overdue: float
    ready: int
    in_progress: int
    dead: int
    poison: int
    paused: bool
    subscribers: int | None = None


def stats_of(names: ConsumerNames) -> Eval[QueueStats]:
    """Count the items of a queue; `subscribers` stays None."""
    q, n = names.queue, names

    def read(reply: Any) -> QueueStats:
        now, pending, due, first, ready, arriving, held, dead, poison, paused = reply
        late = 0.0 if first is None else max(now - float(first), 0.0) / 1000
        ready += max(arriving, 0) if ready >= 0 else 0
        return QueueStats(q.name, pending, due, late, ready, held, dead, poison, paused=paused == 1)

    keys = (q.name, q.timeout_set, n.arriving, n.leases, n.dead, q.poison, n.paused)
    return Eval(load("checks/stats"), keys, (), read, safe=True)
