"""A delayed queue that only records offers, without a server.

The rule: it rejects the same times and dedup arguments as a real queue. It rejects values only if
it has a codec. No item is ever transferred.
"""

from __future__ import annotations

import os
import time
from collections.abc import AsyncIterable, Iterable
from datetime import datetime, timedelta
from typing import Generic, NamedTuple, TypeVar

from pyredisson._runtime.iterables import AsyncMany, Many
from pyredisson.codecs.base import Codec
from pyredisson.protocol.delayed.batches import When
from pyredisson.protocol.delayed.dedup import Dedup, IfExists
from pyredisson.protocol.delayed.item_id import new_item_id
from pyredisson.protocol.delayed.receipt import Receipt
from pyredisson.protocol.kernel.due import Due, Seconds

__all__ = ["AsyncOfferRecorder", "OfferRecorder", "Offered"]

V = TypeVar("V")


class Offered(NamedTuple, Generic[V]):
    """An offer: the arguments of `offer`, and the receipt that it returned.

    `delay` is a timedelta, or None if `at` was given.
    """

    value: V
    delay: timedelta | None
    at: datetime | None
    dedup: str | None
    if_exists: IfExists | None
    receipt: Receipt


class _Recorder(Generic[V]):
    """The common part of both variants."""

    def __init__(self, name: str = "queue", codec: Codec[V] | None = None) -> None:
        self._name = name
        self._codec = codec
        self.offered: list[Offered[V]] = []
        """All offers in their order, also those that were cancelled."""
        self.cancelled: list[Receipt] = []
        """The receipts of the cancelled items, in the order of their cancellation."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._name!r}, {len(self.offered)} offers>"

    def _offer(
        self,
        value: V,
        delay: Seconds | None,
        at: datetime | None,
        dedup: str | None = None,
        if_exists: IfExists | None = None,
    ) -> Receipt:
        due = Due.of(delay, at)
        if dedup is not None or if_exists is not None:
            Dedup.of(dedup, if_exists)
        data = b"" if self._codec is None else self._codec.encode(value)
        now_ms = time.time() * 1000
        item_id = new_item_id(int(now_ms * 1000), os.urandom(8))
        receipt = Receipt(self._name, due.score(now_ms), item_id, data)
        length = timedelta(microseconds=due.microseconds) if due.from_now else None
        self.offered.append(Offered(value, length, at, dedup, if_exists, receipt))
        return receipt

    def _offer_all(self, items: Iterable[tuple[V, When]]) -> list[Receipt]:
        return [
            self._offer(value, None, when)
            if isinstance(when, datetime)
            else self._offer(value, when, None)
            for value, when in items
        ]

    def _cancel(self, receipt: Receipt) -> bool:
        pending = any(each.receipt == receipt for each in self.offered)
        if not pending or receipt in self.cancelled:
            return False
        self.cancelled.append(receipt)
        return True


class OfferRecorder(_Recorder[V]):
    """Takes the place of a `DelayedQueue` where a program only offers and cancels.

    No item is transferred. `dedup` and `if_exists` are checked and recorded, and have no effect.

    Args:
        name: the name of the queue in the receipts.
        codec: encodes the values, and rejects values that it cannot encode. By default, values are
            not encoded, and the receipts have no bytes of a value.
    """

    def offer(
        self,
        value: V,
        delay: Seconds | None = None,
        *,
        at: datetime | None = None,
        dedup: str | None = None,
        if_exists: IfExists | None = None,
    ) -> Receipt:
        """Record an offer; see `DelayedQueue.offer`."""
        return self._offer(value, delay, at, dedup, if_exists)

    def offer_many(self, items: Many[tuple[V, When]]) -> list[Receipt]:
        """Record many offers; see `DelayedQueue.offer_many`."""
        return self._offer_all(items)

    def cancel(self, receipt: Receipt) -> bool:
        """Cancel an item; return whether it was offered here and not cancelled before."""
        return self._cancel(receipt)


class AsyncOfferRecorder(_Recorder[V]):
    """Takes the place of an `AsyncDelayedQueue`; its arguments are those of `OfferRecorder`."""

    async def offer(
        self,
        value: V,
        delay: Seconds | None = None,
        *,
        at: datetime | None = None,
        dedup: str | None = None,
        if_exists: IfExists | None = None,
    ) -> Receipt:
        """Record an offer; see `AsyncDelayedQueue.offer`."""
        return self._offer(value, delay, at, dedup, if_exists)

    async def offer_many(self, items: AsyncMany[tuple[V, When]]) -> list[Receipt]:
        """Record many offers; see `AsyncDelayedQueue.offer_many`."""
        if isinstance(items, AsyncIterable):
            return self._offer_all([item async for item in items])
        return self._offer_all(items)

    async def cancel(self, receipt: Receipt) -> bool:
        """Cancel an item; return whether it was offered here and not cancelled before."""
        return self._cancel(receipt)
