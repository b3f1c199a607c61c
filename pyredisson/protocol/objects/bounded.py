"""Offers to a delayed queue that may hold so many items, pending and in the target list.

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
from pyredisson.protocol.command import Arg, Eval
from pyredisson.protocol.due import Seconds, seconds
from pyredisson.protocol.names import QueueNames
from pyredisson.protocol.objects.receipt import Receipt
from pyredisson.protocol.objects.spelling import require_bound
from pyredisson.protocol.scripts import load

__all__ = ["Bound", "Stored", "WhenFull"]

WhenFull = Literal["refuse", "wait"]


@dataclass(frozen=True, slots=True)
class Stored:
    """How many of some items are stored, and how many others waited before them."""

    count: int
    waiting: int
    unheard: NotNotifiedError | None = None
    unconfirmed: NotReplicatedError | None = None


@dataclass(frozen=True, slots=True)
class Bound:
    """How many may wait, and for how many seconds an offer waits for room."""

    most: int
    patience: float

    @classmethod
    def of(cls, max_size: int | None, when_full: WhenFull, timeout: Seconds | None) -> Bound | None:
        """Return the bound of what a handle was given, None without one.

        Raises:
            TypeError, ValueError: it was given something else, or what goes with a bound alone.
        """
        most = require_bound(max_size, "max_size")
        if when_full not in get_args(WhenFull):
            raise ValueError(f"when_full must be 'refuse' or 'wait', not {when_full!r}")
        if when_full == "wait" and most is None:
            raise ValueError("when_full='wait' goes with max_size=")
        if timeout is not None and when_full != "wait":
            raise ValueError("timeout= goes with when_full='wait'")
        if most is None:
            return None
        if when_full == "refuse":
            return cls(most, 0.0)
        return cls(most, math.inf if timeout is None else seconds(timeout))

    def offer(self, names: QueueNames, receipts: Sequence[Receipt]) -> Eval[Stored]:
        """Store the first of these items, as many as there is room for."""
        args: list[Arg] = [self.most]
        for receipt in receipts:
            args += (receipt.due_ms, receipt.member)
        keys = (names.name, names.timeout_set, names.delay_list, names.channel)

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

        script = load("delayed_queue/bounded_offer")
        return Eval(script, keys, tuple(args), read, lost=lost)

    def full(self, names: QueueNames, stored: Stored) -> QueueFullError:
        """Return the error of an offer for which there was no room."""
        return QueueFullError(names.name, stored.waiting, self.most)
