"""A delayed queue with a limit on its size, or whose items expire if they are not taken.

The rule: an offer that waits for room tries again after pauses that grow to a second, until
`full_timeout` has passed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar

from pyredisson._async.context import AsyncContext
from pyredisson._async.delayed.batch_sender import AsyncBatchSender
from pyredisson._async.delayed.delayed_queue import AsyncDelayedQueue
from pyredisson._async.queues.queue import AsyncQueue
from pyredisson._runtime.concurrency import monotonic, sleep_async
from pyredisson.errors import NotReplicatedError, QueueFullError, UncertainOfferError
from pyredisson.protocol.delayed.batches import Batch, BatchResult, BatchState
from pyredisson.protocol.delayed.bounded import Bound, Stored
from pyredisson.protocol.delayed.dedup import Dedup, IfExists, offer_once
from pyredisson.protocol.delayed.options import DelayedQueueOptions
from pyredisson.protocol.delayed.receipt import Receipt
from pyredisson.protocol.kernel.backoff import Pauses
from pyredisson.protocol.kernel.confirmation import confirmed
from pyredisson.protocol.kernel.due import Seconds

V = TypeVar("V")

_LONGEST_PAUSE = 1.0


class AsyncBoundedDelayedQueue(AsyncDelayedQueue[V]):
    """A delayed queue with `max_size` or `expire_after`.

    The script that stores an item counts the pending and the ready items. It also records when the
    item expires.
    """

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
        """Store a value as `DelayedQueue.offer` does; if the queue is full, wait for room or raise.

        The delay counts from the start of the call, not from the end of the wait.

        Raises:
            QueueFullError: the queue is full and `when_full` is "raise", or the queue was full for
                the whole `full_timeout`; nothing is stored.
            ValueError: `dedup` or `if_exists` was given, and the queue has `expire_after`.
        """
        if dedup is not None or if_exists is not None:
            if self._bound.expires_ms:
                raise ValueError("dedup= does not go with expire_after= of the delayed queue")
            return await self._offer_once(value, delay, at, Dedup.of(dedup, if_exists))
        receipt = await self._receipt(self._encode(value), delay, at)
        if self._context.carrier is not None:
            return await self._offer_carrying(receipt)
        await self.offer_again(receipt)
        if self._emit is not None:
            self._emit("on_offer", receipt.queue, receipt)
        return receipt

    async def _store_once(self, receipt: Receipt, dedup: Dedup) -> Receipt:
        """Store a value by its dedup key; if the queue is full, wait for room or raise.

        If an item with the key is pending, it stays or is replaced, and no room is needed.
        """
        names = self._protocol.names
        deadline, pauses = monotonic() + self._bound.patience, Pauses(longest=_LONGEST_PAUSE)
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
        """Store an offered item again, unless it is pending; if the queue is full, wait or raise.

        A pending item keeps its due time.

        Raises:
            QueueFullError: the item is not pending, and the queue had no room: at once if
                `when_full` is "raise", otherwise after `full_timeout`.
        """
        stored = await self._store_some([self._own(receipt)])
        if stored.unconfirmed is not None:
            raise stored.unconfirmed
        if self._durable is not None:
            await self._run(self._protocol.touch(receipt))
        if stored.not_notified is not None:
            raise stored.not_notified

    def _sender(self, result: BatchResult) -> AsyncBatchSender:
        return _AsyncBoundedBatchSender(self, result)

    async def _store_some(self, receipts: Sequence[Receipt]) -> Stored:
        """Store the first of these items, as many as there is room for, and at least one.

        Items that are pending count as stored. If there is no room for the first item, wait for
        room, and raise QueueFullError after `full_timeout`.
        """
        names = self._protocol.names
        deadline, pauses = monotonic() + self._bound.patience, Pauses(longest=_LONGEST_PAUSE)

        def unconfirmed(missing: str, stored: Stored) -> NotReplicatedError:
            return self._protocol.unconfirmed(receipts[: stored.count], missing)

        while True:
            stored: Stored | None = None
            try:
                offer = self._bound.offer(names, receipts)
                stored = await self._run(confirmed(offer, self._durable, unconfirmed))
            except NotReplicatedError as error:
                stored = Stored(len(error.receipts), self._bound.most, unconfirmed=error)
            finally:  # also after an error: the items may be stored
                if stored is None or stored.count:
                    due = min(receipt.due_ms for receipt in receipts)
                    self._context.transfers.announced(names, due)
            if stored.not_notified is not None and self._link.rejections.note_notification(
                stored.not_notified
            ):
                stored = replace(stored, not_notified=None)
            if stored.count:
                return stored
            left = deadline - monotonic()
            if left <= 0:
                raise self._bound.full(names, stored)
            await sleep_async(min(pauses.pause(), left))


class _AsyncBoundedBatchSender(AsyncBatchSender):
    """Stores the batches of `offer_many`; it splits a batch for which there is not enough room."""

    def __init__(self, queue: AsyncBoundedDelayedQueue[Any], result: BatchResult) -> None:
        self._queue = queue
        super().__init__(queue._link, queue._protocol, queue._run, lambda _: None, result)

    async def put(self, batch: Batch) -> None:
        """Store a batch; wait up to `full_timeout` for room for each part."""
        rest: Batch | None = batch
        while rest is not None:
            rest.fate = BatchState.UNKNOWN
            try:
                stored = await self._queue._store_some(rest.receipts)
            except UncertainOfferError as error:
                raise error.__cause__ or error from None
            except Exception:
                rest.fate = BatchState.UNSTORED
                raise
            self.not_notified = self.not_notified or stored.not_notified
            rest = self._result.stored_first(rest, stored.count)
            if stored.unconfirmed is not None:
                self.unconfirmed = stored.unconfirmed
                raise self.unconfirmed
