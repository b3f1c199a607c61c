"""`offer_many` of a queue with shards: sends each shard its items, and joins the results.

The receipts are in the order of the caller's items; a PartialOfferError has the indexes of these
items. The rule: all items are checked before anything is sent. After a failure at one shard,
nothing is sent to the later shards of the same node. Shards of other nodes still get their items.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Generic, TypeVar

from pyredisson._async.delayed.batches import AsyncBatchOffers
from pyredisson._async.delayed.delayed_queue import AsyncDelayedQueue
from pyredisson._async.queues.queue import AsyncQueue
from pyredisson._runtime.concurrency import monotonic, turn_async, wall_ms
from pyredisson._runtime.iterables import AsyncMany, AsyncSource
from pyredisson.codecs import ByteArrayCodec
from pyredisson.errors import ClosedError, NotNotifiedError, NotReplicatedError, PartialOfferError
from pyredisson.protocol.delayed.batches import BatchBuilder, BatchResult, When
from pyredisson.protocol.delayed.options import DelayedQueueOptions
from pyredisson.protocol.delayed.receipt import Receipt
from pyredisson.protocol.kernel.cluster import Address
from pyredisson.protocol.kernel.due import Due
from pyredisson.server_errors import ServerError

V = TypeVar("V")


class AsyncShardedBatchOffers(Generic[V]):
    """One call of `offer_many`.

    Args:
        name: the queue's name.
        delayed: the delayed queues of its shards.
        shard_of: returns the shard number of a value.
    """

    def __init__(
        self, name: str, delayed: Sequence[AsyncDelayedQueue[V]], shard_of: Callable[[V], int]
    ) -> None:
        self._name = name
        self._delayed = delayed
        self._shard_of = shard_of
        self._stored: dict[int, Receipt] = {}
        self._unstored: dict[int, Receipt] = {}
        self._unknown: dict[int, Receipt] = {}
        self._failed: dict[Address | None, Exception] = {}
        self._cause: Exception | None = None
        self._not_notified: NotNotifiedError | None = None
        self._unconfirmed: NotReplicatedError | None = None
        self._unconfirmed_receipts: list[Receipt] = []

    async def run(self, items: AsyncMany[tuple[V, When]]) -> list[Receipt]:
        """Store all items; return their receipts in order.

        Raises:
            EncodeError, TypeError, ValueError: an item cannot be offered; nothing was sent.
            ClosedError: the client is closed; no item was stored.
            PartialOfferError: a shard has failed. Some items are not stored, or have an unknown
                outcome.
            NotNotifiedError, NotReplicatedError: all items are stored.
        """
        shards: dict[int, list[int]] = {}
        pairs, data = await self._read(items)
        for place, (value, _) in enumerate(pairs):
            shards.setdefault(self._shard_of(value), []).append(place)
        for number in shards:
            await self._check(self._delayed[number])
        for number, places in shards.items():
            rows = [(data[place], pairs[place][1]) for place in places]
            await self._offer(self._delayed[number], places, rows)
        receipts = [self._stored[place] for place in sorted(self._stored)]
        if isinstance(self._cause, ClosedError) and not (self._stored or self._unknown):
            raise self._cause
        if self._cause is not None:
            raise PartialOfferError(
                self._name,
                self._cause,
                count=len(receipts),
                stored=self._stored,
                unstored=self._unstored,
                unknown=self._unknown,
            ) from self._cause
        if self._unconfirmed is not None:
            self._unconfirmed.receipts = self._unconfirmed_receipts
            raise self._unconfirmed
        if self._not_notified is not None:
            self._not_notified.receipts = receipts
            raise self._not_notified
        return receipts

    def _home(self, delayed: AsyncDelayedQueue[Any]) -> Address | None:
        return delayed._link.topology.home(delayed._main_key)

    async def _check(self, delayed: AsyncDelayedQueue[V]) -> None:
        """Check the types of a shard's keys, unless the shard's node has failed."""
        if self._home(delayed) not in self._failed:
            try:
                await delayed._check_types()
            except (ServerError, OSError) as error:
                self._failed[self._home(delayed)] = error

    async def _read(
        self, items: AsyncMany[tuple[V, When]]
    ) -> tuple[list[tuple[V, When]], list[bytes]]:
        """Return all items, and their encoded values."""
        pairs: list[tuple[V, When]] = []

        def take(some: Iterable[tuple[V, When]]) -> bool:
            pairs.extend(some)
            return False

        await AsyncSource(items).fill(take)
        left, data, more = iter(pairs), list[bytes](), True
        while more:
            builder = BatchBuilder(self._delayed[0]._encode, len(data), monotonic)
            more = builder.take(left)
            data += builder.values
            await turn_async()
        return pairs, data

    async def _offer(
        self, delayed: AsyncDelayedQueue[V], places: list[int], rows: list[tuple[bytes, When]]
    ) -> None:
        """Store the items of one shard, and note the outcome of each."""
        context, name = delayed._context, delayed.target.name
        encoded = AsyncDelayedQueue(
            context,
            AsyncQueue(context, name, ByteArrayCodec()),
            DelayedQueueOptions(False, delayed._wire_format, durable=delayed._durable),
        )
        emit = context.emit
        on_offer = None if emit is None else partial(emit, "on_offer", encoded._protocol.names.name)
        carrying = None if delayed._context.carrier is None else encoded._carrying
        result = BatchResult(name, keep=True, emit=on_offer)
        offering = AsyncBatchOffers(
            delayed._link, encoded._protocol, encoded._sender(result), result, carrying
        )
        home = self._home(delayed)
        failed = self._failed.get(home)
        try:
            if failed is None:
                await offering.run(rows, encoded._ready)
        except PartialOfferError as error:
            self._failed[home] = error.cause
            self._cause = self._cause or error.cause
            for mine, theirs in (
                (self._stored, error.stored),
                (self._unstored, error.unstored),
                (self._unknown, error.unknown),
            ):
                mine.update({places[place]: receipt for place, receipt in theirs.items()})
            return
        except NotNotifiedError as error:
            self._not_notified = error
        except NotReplicatedError as error:
            self._unconfirmed = self._unconfirmed or error
            self._unconfirmed_receipts += error.receipts
        except (ServerError, OSError, ClosedError) as error:
            failed = self._failed[home] = error
        if failed is None:
            self._stored.update(zip(places, result.receipts(), strict=True))
        else:  # nothing of this shard was sent
            self._cause = self._cause or failed
            unsent = [_unsent(encoded, data, when) for data, when in rows]
            self._unstored.update(zip(places, unsent, strict=True))


def _unsent(delayed: AsyncDelayedQueue[bytes], data: bytes, when: When) -> Receipt:
    """Return a receipt for an item that was not sent; a delay counts by this machine's clock."""
    now = wall_ms()
    due = Due.of(None, when) if isinstance(when, datetime) else Due.of(when, None)
    return delayed._protocol.receipt(data, due.score(now), delayed._new_item_id(now))
