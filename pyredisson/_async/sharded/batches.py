"""`offer_many` of a queue with shards: each shard gets its items, and the places stay the caller's.

The rule: all items are checked before anything is sent, and a shard whose node is gone keeps none
of the others from theirs.
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
from pyredisson.errors import NotNotifiedError, NotReplicatedError, PartialOfferError
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
        name: of the queue.
        delayed: of its shards.
        shard_of: chooses the shard of a value.
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
        self._gone: dict[Address | None, Exception] = {}
        self._cause: Exception | None = None
        self._unheard: NotNotifiedError | None = None
        self._unconfirmed: NotReplicatedError | None = None
        self._doubtful: list[Receipt] = []

    async def run(self, items: AsyncMany[tuple[V, When]]) -> list[Receipt]:
        """Store all items; their receipts in their order.

        Raises:
            EncodeError, TypeError, ValueError: before anything is sent.
            PartialOfferError: some items may not be stored.
            NotNotifiedError, NotReplicatedError: all are stored.
        """
        shards: dict[int, list[int]] = {}
        drawn, data = await self._drawn(items)
        for place, (value, _) in enumerate(drawn):
            shards.setdefault(self._shard_of(value), []).append(place)
        for number in shards:
            await self._check(self._delayed[number])
        for number, places in shards.items():
            rows = [(data[place], drawn[place][1]) for place in places]
            await self._offer(self._delayed[number], places, rows)
        receipts = [self._stored[place] for place in sorted(self._stored)]
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
            self._unconfirmed.receipts = self._doubtful
            raise self._unconfirmed
        if self._unheard is not None:
            self._unheard.receipts = receipts
            raise self._unheard
        return receipts

    def _home(self, delayed: AsyncDelayedQueue[Any]) -> Address | None:
        return delayed._link.topology.home(delayed._main_key)

    async def _check(self, delayed: AsyncDelayedQueue[V]) -> None:
        """Look at the types of a shard's keys, unless its node is gone."""
        if self._home(delayed) not in self._gone:
            try:
                await delayed._check_types()
            except (ServerError, OSError) as error:
                self._gone[self._home(delayed)] = error

    async def _drawn(
        self, items: AsyncMany[tuple[V, When]]
    ) -> tuple[list[tuple[V, When]], list[bytes]]:
        """Return the items, and their values as they are encoded."""
        drawn: list[tuple[V, When]] = []

        def take(some: Iterable[tuple[V, When]]) -> bool:
            drawn.extend(some)
            return False

        await AsyncSource(items).fill(take)
        left, data, more = iter(drawn), list[bytes](), True
        while more:
            draft = BatchBuilder(self._delayed[0]._encode, len(data), monotonic)
            more = draft.take(left)
            data += draft.values
            await turn_async()
        return drawn, data

    async def _offer(
        self, delayed: AsyncDelayedQueue[V], places: list[int], rows: list[tuple[bytes, When]]
    ) -> None:
        """Store what one shard gets, and note what became of each item."""
        context, name = delayed._context, delayed.target.name
        encoded = AsyncDelayedQueue(
            context,
            AsyncQueue(context, name, ByteArrayCodec()),
            DelayedQueueOptions(False, delayed._wire_format, durable=delayed._durable),
        )
        tell = context.tell
        heard = None if tell is None else partial(tell, "on_offer", encoded._protocol.names.name)
        account = BatchResult(name, keep=True, emit=heard)
        offering = AsyncBatchOffers(
            delayed._link, encoded._protocol, encoded._chunks(account), account
        )
        home = self._home(delayed)
        try:
            if home in self._gone:
                raise self._gone[home]
            await offering.run(rows, encoded._ready)
        except PartialOfferError as error:
            self._gone[home] = error.cause
            self._cause = self._cause or error.cause
            for mine, theirs in (
                (self._stored, error.stored),
                (self._unstored, error.unstored),
                (self._unknown, error.unknown),
            ):
                mine.update({places[place]: receipt for place, receipt in theirs.items()})
            return
        except NotNotifiedError as error:
            self._unheard = error
        except NotReplicatedError as error:
            self._unconfirmed = self._unconfirmed or error
            self._doubtful += error.receipts
        except (ServerError, OSError) as error:  # before anything of it was sent
            self._gone[home] = error
            self._cause = self._cause or error
            unsent = [_unsent(encoded, data, when) for data, when in rows]
            self._unstored.update(zip(places, unsent, strict=True))
            return
        self._stored.update(zip(places, account.receipts(), strict=True))


def _unsent(delayed: AsyncDelayedQueue[bytes], data: bytes, when: When) -> Receipt:
    """Return the receipt of an item whose server could not be asked for the time."""
    now = wall_ms()
    due = Due.of(None, when) if isinstance(when, datetime) else Due.of(when, None)
    return delayed._protocol.receipt(data, due.score(now), delayed._new_item_id(now))
