"""`offer_many`: reads items, sends them in batches, and reports which items are stored.

The rule: all items of a batch are checked before the batch is sent. If the items are a list or
another `Collection`, and no iterator, all items are checked before the first batch is sent.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Generic, TypeVar

from pyredisson._async.delayed.batch_sender import AsyncBatchSender
from pyredisson._async.link.link import AsyncLink
from pyredisson._runtime.concurrency import monotonic, turn_async
from pyredisson._runtime.iterables import AsyncMany, AsyncSource
from pyredisson.protocol.delayed.batches import Batch, BatchBuilder, BatchResult, When
from pyredisson.protocol.delayed.delayed_queue import DelayedQueueProtocol
from pyredisson.protocol.kernel.clock import ServerClock

V = TypeVar("V")


class AsyncBatchOffers(Generic[V]):
    """One call of `offer_many`.

    Args:
        link: finds the key's server.
        protocol: the queue's operations.
        sender: stores the batches.
        result: collects the batches and their receipts.
        carrying: None, or a function that stores bytes of the hooks with each item, such as the
            context of a trace (`carrying.py`). Its arguments are the due times and values of the
            items, and the function that sends the items.
    """

    def __init__(
        self,
        link: AsyncLink,
        protocol: DelayedQueueProtocol[V],
        sender: AsyncBatchSender,
        result: BatchResult,
        carrying: Callable[[Sequence[tuple[int, bytes]], Callable[[], Any]], Any] | None,
    ) -> None:
        self._link = link
        self._protocol = protocol
        self._sender = sender
        self._result = result
        self._carrying = carrying
        self._builders: deque[BatchBuilder[V]] = deque()
        self._clock = ServerClock()
        self._place = 0

    async def run(self, items: AsyncMany[tuple[V, When]], ready: Callable[[], Any]) -> None:
        """Store all items.

        Args:
            items: pairs of a value, and its delay or due time.
            ready: checks the types of the queue's keys, and that the server supports `durable`.

        Raises:
            EncodeError, TypeError, ValueError: an item of a collection cannot be offered.
            PartialOfferError: the call ended early; the error lists the items by their state.
            NotNotifiedError, NotReplicatedError: all items are stored.
        """
        source = AsyncSource(items)
        ended = isinstance(items, Collection)
        if ended:
            while await self._drawn(source):
                pass
        await ready()
        await self._check_clock()
        try:
            while self._builders or await self._drawn(source):
                await self._check_clock()
                batch = self._next()
                put = partial(self._sender.put, batch)
                if self._carrying is None:
                    await put()
                else:
                    await self._carrying([(due, data) for due, _, data in batch.rows], put)
            ended = True
            await self._sender.finish()
        except Exception as error:
            with suppress(Exception):
                await self._sender.finish()
            while self._builders:  # the error needs receipts of all items that were read
                self._next()
            if ended and error is self._sender.unconfirmed and self._result.complete:
                raise
            raise self._result.error(error) from error
        finally:
            await self._sender.leave()
        if (not_notified := self._sender.not_notified) is not None:
            not_notified.receipts = self._result.receipts() or not_notified.receipts
            raise not_notified

    async def _drawn(self, source: AsyncSource[tuple[V, When]]) -> bool:
        """Read the items of the next batch; return False if there are no more items."""
        await turn_async()
        builder = BatchBuilder(self._protocol.encode, self._place, monotonic)
        self._builders.append(builder)
        await source.fill(builder.take)
        self._place += len(builder)
        if not builder:
            self._builders.pop()
        return bool(builder)

    async def _check_clock(self) -> None:
        key = self._protocol.names.name
        self._clock = self._link.fresh_clock(key) or await self._link.clock(key)

    def _next(self) -> Batch:
        """Return the next batch; its delays count from now."""
        builder = self._builders.popleft()
        now = self._clock.latest_ms(monotonic())
        batch = builder.batch(self._protocol, now, os.urandom(8 * len(builder)))
        self._result.add(batch)
        return batch
