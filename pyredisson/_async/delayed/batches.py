"""`offer_many`: draws items, makes chunks of them, and tells what became of them.

The rule: what cannot be offered is refused before anything of its chunk is sent, and in a
collection before anything is sent at all.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Any, Generic, TypeVar

from pyredisson._async.link.batches import AsyncBatchSender
from pyredisson._async.link.fast_path import fresh_clock
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
        link: leads to the key's server.
        protocol: of the queue.
        chunks: stores them.
        account: knows them.
    """

    def __init__(
        self,
        link: AsyncLink,
        protocol: DelayedQueueProtocol[V],
        chunks: AsyncBatchSender,
        account: BatchResult,
    ) -> None:
        self._link = link
        self._protocol = protocol
        self._chunks = chunks
        self._account = account
        self._drafts: deque[BatchBuilder[V]] = deque()
        self._clock = ServerClock()
        self._place = 0

    async def run(self, items: AsyncMany[tuple[V, When]], ready: Callable[[], Any]) -> None:
        """Store all items.

        Args:
            items: a collection is checked as a whole before anything is sent.
            ready: looks at the types of the keys.

        Raises:
            EncodeError, TypeError, ValueError: a collection holds what cannot be offered.
            PartialOfferError: some items may not be stored.
            NotNotifiedError, NotReplicatedError: all are stored.
        """
        source = AsyncSource(items)
        ended = isinstance(items, Collection)
        if ended:
            while await self._drawn(source):
                pass
        await ready()
        await self._look_at_clock()
        try:
            while self._drafts or await self._drawn(source):
                await self._look_at_clock()
                await self._chunks.put(self._next())
            ended = True
            await self._chunks.finish()
        except Exception as error:
            with suppress(Exception):
                await self._chunks.finish()
            while self._drafts:  # what was drawn has receipts, too
                self._next()
            if ended and error is self._chunks.unconfirmed and self._account.complete:
                raise
            raise self._account.error(error) from error
        finally:
            await self._chunks.leave()
        if self._chunks.unheard is not None:
            self._chunks.unheard.receipts = self._account.receipts()
            raise self._chunks.unheard

    async def _drawn(self, source: AsyncSource[tuple[V, When]]) -> bool:
        """Draw the items of the next chunk; False after the last."""
        await turn_async()
        draft = BatchBuilder(self._protocol.encode, self._place, monotonic)
        self._drafts.append(draft)
        await source.fill(draft.take)
        self._place += len(draft)
        if not draft:
            self._drafts.pop()
        return bool(draft)

    async def _look_at_clock(self) -> None:
        key = self._protocol.names.name
        self._clock = fresh_clock(self._link, key) or await self._link.clock(key)

    def _next(self) -> Batch:
        """Let the delays of the next chunk run from now on."""
        draft = self._drafts.popleft()
        now = self._clock.latest_ms(monotonic())
        chunk = draft.chunk(self._protocol, now, os.urandom(8 * len(draft)))
        self._account.add(chunk)
        return chunk
