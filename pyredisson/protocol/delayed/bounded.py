"""Offers to a delayed queue with a maximum size, or whose items expire.

The rule: the script that stores an item also counts the waiting items: the pending items and the
elements of the target list. Therefore the offers of several producers together do not exceed the
maximum, if each producer uses this maximum.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pyredisson.errors import (
    NotNotifiedError,
    NotReplicatedError,
    QueueFullError,
    UncertainOfferError,
)
from pyredisson.protocol.delayed.receipt import Receipt
from pyredisson.protocol.kernel.choices import require_choice
from pyredisson.protocol.kernel.command import Arg, Eval
from pyredisson.protocol.kernel.due import LONGEST_DELAY, Seconds, positive, seconds
from pyredisson.protocol.kernel.names import ConsumerNames, QueueNames
from pyredisson.protocol.kernel.scripts import load
from pyredisson.protocol.objects.encoding import require_bound

__all__ = ["Bound", "Stored", "WhenExpired", "WhenFull"]

WhenFull = Literal["raise", "wait"]
WhenExpired = Literal["dead", "drop"]

_UNBOUNDED: int = 2**53


@dataclass(frozen=True, slots=True)
class Stored:
    """The result of an offer of several items.

    Attributes:
        count: how many of the offered items, from the first on, are pending after the offer. This
            includes items that were pending before.
        waiting: how many items were pending or in the target list before the offer.
        not_notified: the error if only the notification was rejected, else None.
        unconfirmed: the error if replicas or disks did not confirm the stored items, else None.
    """

    count: int
    waiting: int
    not_notified: NotNotifiedError | None = None
    unconfirmed: NotReplicatedError | None = None


@dataclass(frozen=True, slots=True)
class Bound:
    """The bounds of a queue.

    Attributes:
        most: the maximum number of waiting items, pending and in the target list. Default: 2**53.
        patience: how long an offer waits for room, in seconds. With 0 or less, the offer raises an
            error at once. With infinity, it waits without a limit.
        expires_ms: how long after its due time an item expires, in milliseconds. With 0, items do
            not expire.
        drops: whether expired items are dropped. Otherwise they become dead letters.
    """

    most: int = _UNBOUNDED
    patience: float = 0.0
    expires_ms: int = 0
    drops: bool = False

    @classmethod
    def of(
        cls,
        max_size: int | None = None,
        when_full: WhenFull = "raise",
        full_timeout: Seconds | None = None,
        expire_after: Seconds | None = None,
        when_expired: WhenExpired = "dead",
    ) -> Bound:
        """Check the options of a delayed queue, and return its bounds.

        Raises:
            TypeError, ValueError: an option is not valid, or needs another option that is missing.
        """
        most = require_bound(max_size, "max_size")
        require_choice(when_full, WhenFull, "when_full")
        if when_full == "wait" and most is None:
            raise ValueError("when_full='wait' needs max_size=")
        if full_timeout is not None and when_full != "wait":
            raise ValueError("full_timeout= needs when_full='wait'")
        require_choice(when_expired, WhenExpired, "when_expired")
        if when_expired == "drop" and expire_after is None:
            raise ValueError("when_expired='drop' needs expire_after=")
        patience = 0.0
        if when_full == "wait":
            patience = math.inf if full_timeout is None else seconds(full_timeout, "full_timeout")
        lasts = 0.0
        if expire_after is not None:
            lasts = positive(expire_after, "expire_after", LONGEST_DELAY)
        return cls(most or _UNBOUNDED, patience, math.ceil(lasts * 1000), when_expired == "drop")

    def offer(self, names: QueueNames, receipts: Sequence[Receipt]) -> Eval[Stored]:
        """Store the first of these items, as many as the queue has room for.

        An item that is already pending needs no room and stays unchanged.
        """
        args: list[Arg] = [self.most, self.expires_ms, int(self.drops)]
        for receipt in receipts:
            args += (receipt.due_ms, receipt.entry)
        own = ConsumerNames.of(names.name)
        pending = (names.name, names.timeout_set, names.delay_list, names.channel)
        keys = (*pending, own.expiring, own.expiries)

        def read(reply: Any) -> Stored:
            count, waiting, *rejection = reply
            not_notified = None
            if rejection:
                earliest = min(receipts[:count], key=lambda receipt: receipt.due_ms)
                text = bytes(rejection[0]).decode("utf-8", "replace")
                not_notified = NotNotifiedError(names.channel, text, earliest)
            return Stored(count, waiting, not_notified)

        def lost(error: Exception) -> Exception:
            return UncertainOfferError(names.name, error, receipts[0])

        script = load("delayed/bounded_offer")
        return Eval(script, keys, tuple(args), read, lost=lost)

    def full(self, names: QueueNames, stored: Stored) -> QueueFullError:
        """Return the error of an offer for which the queue had no room."""
        return QueueFullError(names.name, stored.waiting, self.most)
