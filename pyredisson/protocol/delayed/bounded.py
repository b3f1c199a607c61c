"""Offers to a delayed queue that may hold so many items, or whose items expire.

The rule: the script that stores also counts, so that no number of producers exceeds the bound.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from pyredisson.errors import (
    NotNotifiedError,
    NotReplicatedError,
    QueueFullError,
    UncertainOfferError,
)
from pyredisson.protocol.delayed.receipt import Receipt
from pyredisson.protocol.kernel.command import Arg, Eval
from pyredisson.protocol.kernel.due import Seconds, positive, seconds
from pyredisson.protocol.kernel.names import ConsumerNames, QueueNames
from pyredisson.protocol.kernel.scripts import load
from pyredisson.protocol.objects.encoding import require_bound

__all__ = ["Bound", "Stored", "WhenExpired", "WhenFull"]

WhenFull = Literal["raise", "wait"]
WhenExpired = Literal["dead", "drop"]

_UNBOUNDED: int = 2**53


@dataclass(frozen=True, slots=True)
class Stored:
    """How many of some items are stored, and how many others waited before them."""

    count: int
    waiting: int
    unheard: NotNotifiedError | None = None
    unconfirmed: NotReplicatedError | None = None


@dataclass(frozen=True, slots=True)
class Bound:
    """How many may wait, for how many seconds an offer waits for room, and when items expire."""

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
        """Return the bounds of what a handle was given.

        Raises:
            TypeError, ValueError: it was given something else, or what goes with a bound alone.
        """
        most = require_bound(max_size, "max_size")
        if when_full not in get_args(WhenFull):
            raise ValueError(f"when_full must be 'raise' or 'wait', not {when_full!r}")
        if when_full == "wait" and most is None:
            raise ValueError("when_full='wait' goes with max_size=")
        if full_timeout is not None and when_full != "wait":
            raise ValueError("full_timeout= goes with when_full='wait'")
        if when_expired not in get_args(WhenExpired):
            raise ValueError(f"when_expired must be 'dead' or 'drop', not {when_expired!r}")
        if when_expired == "drop" and expire_after is None:
            raise ValueError("when_expired='drop' goes with expire_after=")
        patience = 0.0
        if when_full == "wait":
            patience = math.inf if full_timeout is None else seconds(full_timeout)
        lasts = 0.0 if expire_after is None else positive(expire_after, "expire_after")
        return cls(most or _UNBOUNDED, patience, math.ceil(lasts * 1000), when_expired == "drop")

    def offer(self, names: QueueNames, receipts: Sequence[Receipt]) -> Eval[Stored]:
        """Store the first of these items, as many as there is room for."""
        args: list[Arg] = [self.most, self.expires_ms, int(self.drops)]
        for receipt in receipts:
            args += (receipt.due_ms, receipt.member)
        own = ConsumerNames.of(names.name)
        pending = (names.name, names.timeout_set, names.delay_list, names.channel)
        keys = (*pending, own.expiring, own.expiries)

        def read(reply: Any) -> Stored:
            count, waiting, *refusal = reply
            unheard = None
            if refusal:
                earliest = min(receipts[:count], key=lambda receipt: receipt.due_ms)
                text = bytes(refusal[0]).decode("utf-8", "replace")
                unheard = NotNotifiedError(names.channel, text, earliest)
            return Stored(count, waiting, unheard)

        def lost(error: Exception) -> Exception:
            return UncertainOfferError(names.name, error, receipts[0])

        script = load("delayed/bounded_offer")
        return Eval(script, keys, tuple(args), read, lost=lost)

    def full(self, names: QueueNames, stored: Stored) -> QueueFullError:
        """Return the error of an offer for which there was no room."""
        return QueueFullError(names.name, stored.waiting, self.most)
