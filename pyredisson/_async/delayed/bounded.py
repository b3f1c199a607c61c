"""A delayed queue that may hold so many items, or whose items expire when nobody takes them.

The rule: whoever waits looks again after pauses that grow to a second, and ends by his timeout.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar

from pyredisson._async.context import AsyncContext
from pyredisson._async.delayed.delayed_queue import AsyncDelayedQueue
from pyredisson._async.link.batches import AsyncBatchSender
from pyredisson._async.queues.queue import AsyncQueue
from pyredisson._runtime.concurrency import monotonic, sleep_async
from pyredisson.errors import NotReplicatedError, QueueFullError, UncertainOfferError
from pyredisson.protocol.delayed.batches import Batch, BatchResult, Fate
from pyredisson.protocol.delayed.bounded import Bound, Stored
from pyredisson.protocol.delayed.dedup import Dedup, IfExists, offer_once
from pyredisson.protocol.delayed.options import DelayedQueueOptions
from pyredisson.protocol.delayed.receipt import Receipt
from pyredisson.protocol.kernel.backoff import Backoff
from pyredisson.protocol.kernel.due import Seconds
from pyredisson.protocol.kernel.durable import confirmed

V = TypeVar("V")

_LONGEST = 1.0


class AsyncBoundedDelayedQueue(AsyncDelayedQueue[V]):
    """A delayed queue whose offers count what waits, and note when their items expire."""

    def __init__(
        self,
        context: AsyncContext,
        target: AsyncQueue[V],
        options: DelayedQueueOptions,
        bound: Bound,
    ) -> None:
        self._bound = bound
        super().__init__(context, target, options)

    async def offer(
        self,
        value: V,
        delay: Seconds | None = None,
        *,
        at: datetime | None = None,
        dedup: str | None = None,
        if_exists: IfExists | None = None,
    ) -> Receipt:
        """Store a value as any delayed queue does, if there is room, or as soon as there is.

        The delay runs from the call on, also while it waits for room.

        Raises:
            QueueFullError: there was no room; nothing is stored.
            ValueError: an item with a key of `dedup` cannot expire.
        """
        if dedup is not None or if_exists is not None:
            if self._bound.expires_ms:
                raise ValueError("dedup= does not go with expire_after= of the delayed queue")
            return await self._offer_once(value, delay, at, Dedup.of(dedup, if_exists))
        receipt = await self._receipt(self._encode(value), delay, at)
        await self.offer_again(receipt)
        if self._emit is not None:
            self._emit("on_offer", receipt.queue, receipt)
        return receipt

    async def _store_once(self, receipt: Receipt, dedup: Dedup) -> Receipt:
        """What is pending with the key needs no room, nor does what takes its place."""
        names = self._protocol.names
        deadline, pauses = monotonic() + self._bound.patience, Backoff(longest=_LONGEST)
        while True:
            try:
                offer = offer_once(names, receipt, dedup, self._bound.most)
                return await self._run(self._protocol.durably(offer, receipt))
            except QueueFullError:
                left = deadline - monotonic()
                if left <= 0:
                    raise
            await sleep_async(min(pauses.pause(), left))

    async def offer_again(self, receipt: Receipt) -> None:
        """Make sure that an offered item is there once, as long as it is pending; if there is room.

        Raises:
            QueueFullError: it is not pending, and there was no room.
        """
        stored = await self._store_some([self._own(receipt)])
        if stored.unconfirmed is not None:
            raise stored.unconfirmed
        if self._durable is not None:
            await self._run(self._protocol.touch(receipt))
        if stored.unheard is not None:
            raise stored.unheard

    def _chunks(self, account: BatchResult) -> AsyncBatchSender:
        return _AsyncBoundedBatchSender(self, account)

    async def _store_some(self, receipts: Sequence[Receipt]) -> Stored:
        """Store the first of these items, one at least."""
        names = self._protocol.names
        deadline, pauses = monotonic() + self._bound.patience, Backoff(longest=_LONGEST)

        def unconfirmed(lack: str, stored: Stored) -> NotReplicatedError:
            return self._protocol.unconfirmed(receipts[: stored.count], lack)

        while True:
            stored: Stored | None = None
            try:
                offer = self._bound.offer(names, receipts)
                stored = await self._run(confirmed(offer, self._durable, unconfirmed))
            except NotReplicatedError as error:
                stored = Stored(len(error.receipts), self._bound.most, unconfirmed=error)
            finally:  # also when they may be stored
                if stored is None or stored.count:
                    due = min(receipt.due_ms for receipt in receipts)
                    self._context.transfers.announced(names, due)
            if stored.unheard is not None and self._link.lacking.notification(stored.unheard):
                stored = replace(stored, unheard=None)
            if stored.count:
                return stored
            left = deadline - monotonic()
            if left <= 0:
                raise self._bound.full(names, stored)
            await sleep_async(min(pauses.pause(), left))


class _AsyncBoundedBatchSender(AsyncBatchSender):
    """The chunks of `offer_many`: each is stored in parts, as there is room."""

    def __init__(self, queue: AsyncBoundedDelayedQueue[Any], account: BatchResult) -> None:
        self._queue = queue
        super().__init__(queue._link, queue._protocol, queue._run, lambda _: None, account)

    async def put(self, chunk: Batch) -> None:
        """Store a chunk, waiting for room as long as is allowed each time."""
        rest: Batch | None = chunk
        while rest is not None:
            rest.fate = Fate.UNKNOWN
            try:
                stored = await self._queue._store_some(rest.receipts)
            except UncertainOfferError as error:
                raise error.__cause__ or error from None
            except Exception:
                rest.fate = Fate.UNSTORED
                raise
            self.unheard = self.unheard or stored.unheard
            rest = self._account.stored_first(rest, stored.count)
            if stored.unconfirmed is not None:
                self.unconfirmed = stored.unconfirmed
                raise self.unconfirmed
