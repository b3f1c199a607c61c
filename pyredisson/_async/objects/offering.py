"""`offer_many`: draws items, makes chunks of them, and tells what became of them.

The rule: what cannot be offered is refused before anything of its chunk is sent, and in a
collection before anything is sent at all.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Any, Generic, TypeVar

from pyredisson._async.link.chunks import AsyncChunks
from pyredisson._async.link.link import AsyncLink
from pyredisson._async.link.quick import fresh_clock
from pyredisson._compat import AsyncMany, AsyncSource, monotonic, sleep_async
from pyredisson.protocol.clock import ServerClock
from pyredisson.protocol.objects.delayed_queue import DelayedQueueProtocol
from pyredisson.protocol.objects.offering import Account, Chunk, Draft, When

V = TypeVar("V")


class AsyncOffering(Generic[V]):
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
        chunks: AsyncChunks,
        account: Account,
    ) -> None:
        self._link = link
        self._protocol = protocol
        self._chunks = chunks
        self._account = account
        self._draft: Draft[V] | None = None
        self._place = 0

    async def run(self, items: AsyncMany[tuple[V, When]], ready: Callable[[], Any]) -> None:
        """Store all items.

        Args:
            items: a collection is checked as a whole before anything is sent.
            ready: looks at the types of the keys.

        Raises:
            EncodeError, TypeError, ValueError: a collection holds what cannot be offered.
            PartialOfferError: some items may not be stored.
            NotNotifiedError: all are stored.
        """
        source = AsyncSource(items)
        drafts = []
        if isinstance(items, Collection):
            while draft := await self._drawn(source):
                drafts.append(draft)
        await ready()
        clock = await self._clock()
        try:
            for chunk in [self._chunk(draft, clock) for draft in drafts]:
                await self._chunks.put(chunk)
            while draft := await self._drawn(source):
                clock = await self._clock()
                await self._chunks.put(self._chunk(draft, clock))
            await self._chunks.finish()
        except Exception as error:
            with suppress(Exception):
                await self._chunks.finish()
            if self._draft:
                self._chunk(self._draft, clock)  # what was drawn has receipts, too
            raise self._account.error(error) from error
        finally:
            await self._chunks.leave()
        if self._chunks.unheard is not None:
            self._chunks.unheard.receipts = self._account.receipts()
            raise self._chunks.unheard

    async def _drawn(self, source: AsyncSource[tuple[V, When]]) -> Draft[V]:
        """Return the next items; an empty draft after the last."""
        await sleep_async(0)  # others have their turn
        self._draft = Draft(self._protocol.codec, self._place, monotonic)
        await source.fill(self._draft.take)
        self._place += len(self._draft)
        return self._draft

    async def _clock(self) -> ServerClock:
        key = self._protocol.names.name
        return fresh_clock(self._link, key) or await self._link.clock(key)

    def _chunk(self, draft: Draft[V], clock: ServerClock) -> Chunk:
        self._draft = None
        now = clock.latest_ms(monotonic())
        chunk = draft.chunk(self._protocol, now, os.urandom(8 * len(draft)))
        self._account.add(chunk)
        return chunk
