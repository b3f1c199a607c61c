"""A queue with shards: one logical queue that is spread over the slots, and so nodes, of a cluster.

It is made of a blocking queue and a delayed queue for each shard and has no state of its own. The
rule: what can be asked of one shard is asked of that, under its own name, as Java does.
"""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import datetime, timedelta
from typing import Generic, TypeVar

from pyredisson._async.consumers.consumer import AsyncConsumer
from pyredisson._async.consumers.message_source import AsyncMessageSource
from pyredisson._async.context import AsyncContext
from pyredisson._async.dead_letters.dead_letters import AsyncDeadLetters
from pyredisson._async.delayed.delayed_queue import AsyncDelayedQueue
from pyredisson._async.queues.blocking_queue import AsyncBlockingQueue
from pyredisson._async.sharded.batches import AsyncShardedBatchOffers
from pyredisson._async.sharded.consumer import AsyncShardedConsumer
from pyredisson._async.sharded.dead_letters import AsyncShardedDeadLetters
from pyredisson._async.waits.poll import AsyncPoll
from pyredisson._runtime.concurrency import random_8
from pyredisson._runtime.iterables import AsyncMany
from pyredisson._support.unpicklable import Unpicklable
from pyredisson.protocol.checks.finding import Finding, Orphans
from pyredisson.protocol.consumers.in_flight import InFlight
from pyredisson.protocol.consumers.options import ConsumerOptions
from pyredisson.protocol.delayed.batches import When
from pyredisson.protocol.delayed.dedup import Dedup, IfExists
from pyredisson.protocol.delayed.pending import PendingItem
from pyredisson.protocol.delayed.receipt import Receipt
from pyredisson.protocol.kernel.due import Seconds, seconds
from pyredisson.protocol.kernel.shards import require_spread, shard_of

V = TypeVar("V")


class AsyncShardedQueue(
    AsyncMessageSource[AsyncShardedConsumer[V], AsyncShardedDeadLetters[V]], Unpicklable, Generic[V]
):
    """Several queues that are used as one; there is an order within a shard only.

    `queues` and `delayed_queues` are those of the shards, for what this one has no method for.
    """

    def __init__(
        self,
        context: AsyncContext,
        name: str,
        queues: Sequence[AsyncBlockingQueue[V]],
        delayed_queues: Sequence[AsyncDelayedQueue[V]],
    ) -> None:
        require_spread([queue._main_key for queue in queues])
        self._context = context
        self._name = name
        self.queues = tuple(queues)
        self.delayed_queues = tuple(delayed_queues)
        self._by_name = {queue._main_key: n for n, queue in enumerate(queues)}
        self._next = itertools.count(random_8()[0])
        self._sweep = AsyncPoll(context.link, [queue._list.size() for queue in queues])
        for each in delayed_queues:
            context.transfers.watch(each._protocol.names, self._sweep.announce)

    def __repr__(self) -> str:
        codec = self.queues[0].codec
        return f"<{type(self).__name__} {self._name!r} shards={self.shard_count} codec={codec!r}>"

    @property
    def name(self) -> str:
        """The name of the whole, as the program gave it."""
        return self._name

    @property
    def shard_count(self) -> int:
        """How many there are."""
        return len(self.queues)

    @property
    def names(self) -> list[str]:
        """What the shards are called."""
        return [queue.name for queue in self.queues]

    def shard_of(self, key: str | bytes) -> int:
        """Return the number of the shard to which a key belongs, the same for everybody."""
        return shard_of(key, self.shard_count)

    def _chosen(self, key: str | bytes | None) -> int:
        """Return the shard of a key; without one each in turn."""
        return next(self._next) % self.shard_count if key is None else self.shard_of(key)

    # -------------------------------------------------------------- adding

    async def add(self, value: V, *, key: str | bytes | None = None) -> bool:
        """Add a value that can be taken at once, to the shard of its key or any; always True."""
        return await self.queues[self._chosen(key)].add(value)

    async def offer(
        self,
        value: V,
        delay: Seconds | None = None,
        *,
        key: str | bytes | None = None,
        at: datetime | None = None,
        dedup: str | None = None,
        if_exists: IfExists | None = None,
    ) -> Receipt:
        """Store a value that can be taken when it is due.

        Args:
            value: what the codec can encode.
            delay: from now on, by the clock of the shard's server; seconds or a timedelta.
            key: what has the same key is in the same shard; without one each has its turn.
            at: instead of a delay the moment, an aware datetime.
            dedup: a key, with which at most one item is pending; it decides the shard, too, unless
                there is another `key`, which must then always be the same.
            if_exists: as in `DelayedQueue.offer`.

        Raises:
            EncodeError, TypeError, ValueError: before anything was sent.
            UncertainOfferError: no reply came; the item may be stored.
            NotNotifiedError: the item is stored, the notification was refused.
        """
        if key is None and dedup is not None:
            key = Dedup.of(dedup, if_exists).key
        delayed = self.delayed_queues[self._chosen(key)]
        return await delayed.offer(value, delay, at=at, dedup=dedup, if_exists=if_exists)

    async def offer_many(
        self,
        items: AsyncMany[tuple[V, When]],
        *,
        key: Callable[[V], str | bytes] | None = None,
    ) -> list[Receipt]:
        """Store many values: those of each shard in one go, in their order.

        Args:
            items: pairs of a value and its delay, or the moment when it is due. An iterator is
                read to its end before anything is sent.
            key: makes the key of a value.

        Returns:
            The receipts in the order of the items.

        Raises:
            EncodeError, TypeError, ValueError: there is what cannot be offered; nothing was sent.
            PartialOfferError: some items may not be stored; it says which.
            NotNotifiedError: all items are stored, a notification was refused.
            NotReplicatedError: all items are stored, and some not confirmed as `durable` asks for.
        """
        if not (key is None or callable(key)):
            raise TypeError(f"key is a function that makes the key of a value, not {key!r}")

        def chosen(value: V) -> int:
            return self._chosen(None if key is None else key(value))

        return await AsyncShardedBatchOffers(self._name, self.delayed_queues, chosen).run(items)

    # -------------------------------------------------------------- taking

    async def take(self) -> V:
        """Take a value of any shard, waiting for it as long as it takes."""
        return await self._first(None)  # type: ignore[return-value]  # without a timeout there is a value

    async def poll(self, timeout: Seconds = 0) -> V | None:
        """Take a value of any shard, waiting so long for it; None when there is none by then."""
        return await self._first(seconds(timeout))

    async def _first(self, timeout: float | None) -> V | None:
        for queue in self.queues:
            if not queue._checked:
                await queue._ready()
        return await self._sweep.first(self._polled, timeout)

    async def _polled(self, number: int) -> V | None:
        return await self.queues[number].poll()

    async def size(self) -> int:
        """Return how many values can be taken now."""
        return sum([await queue.size() for queue in self.queues])

    async def delayed_size(self) -> int:
        """Return how many values are pending."""
        return sum([await each.size() for each in self.delayed_queues])

    async def pause(self) -> None:
        """Let consumers and workers take nothing more, in all processes (`Queue.pause`)."""
        for queue in self.queues:
            await queue.pause()

    async def resume(self) -> None:
        """Let consumers and workers take again."""
        for queue in self.queues:
            await queue.resume()

    async def in_flight(self, limit: int = 1000) -> list[InFlight[V]]:
        """Return the messages that consumers have in hand, shard by shard (`Queue.in_flight`)."""
        found: list[InFlight[V]] = []
        for queue in self.queues:
            found += await queue.in_flight(limit - len(found))
        return found

    # -------------------------------------------------------------- what is pending

    def _of(self, receipt: Receipt) -> AsyncDelayedQueue[V]:
        """Return where the item of a receipt is."""
        number = self._by_name.get(getattr(receipt, "queue", self.queues[0]._main_key))
        if number is None:
            raise ValueError(
                f"the receipt is of queue {receipt.queue!r}, "
                f"none of the {self.shard_count} shards of {self._name!r}"
            )
        return self.delayed_queues[number]  # which refuses what is no receipt

    async def offer_again(self, receipt: Receipt) -> None:
        """Make sure that an offered item is there once (`DelayedQueue.offer_again`)."""
        await self._of(receipt).offer_again(receipt)

    async def cancel(self, receipt: Receipt) -> bool:
        """Remove exactly the item of a receipt; False when it is not pending any more."""
        return await self._of(receipt).cancel(receipt)

    async def retries_of(self, receipt: Receipt) -> list[Receipt]:
        """Return the receipts of messages with this value that wait for a retry."""
        return await self._of(receipt).retries_of(receipt)

    async def receipt_of(self, dedup: str, *, key: str | bytes | None = None) -> Receipt | None:
        """Return the receipt of the item that is pending with a `dedup` key; None without one.

        `key` is that of the offer, where it had one.
        """
        chosen = Dedup.of(dedup, "ignore").key if key is None else key
        return await self.delayed_queues[self.shard_of(chosen)].receipt_of(dedup)

    async def reschedule(
        self, receipt: Receipt, delay: Seconds | None = None, *, at: datetime | None = None
    ) -> Receipt | None:
        """Let exactly the item of a receipt be due at another time; None when it is not pending."""
        return await self._of(receipt).reschedule(receipt, delay, at=at)

    async def remaining_delay(self, receipt: Receipt) -> timedelta | None:
        """Return how long the item of a receipt waits yet; None when it is not pending."""
        return await self._of(receipt).remaining_delay(receipt)

    async def items(self) -> AsyncIterator[PendingItem[V]]:
        """Iterate over what is pending, shard after shard, the earliest of each first."""
        for delayed in self.delayed_queues:
            async for item in delayed.items():
                yield item

    # -------------------------------------------------------------- what is wrong

    async def check(self) -> list[Finding]:
        """Look for what is wrong with any of the shards (`DelayedQueue.check`)."""
        return [finding for each in self.delayed_queues for finding in await each.check()]

    async def repair(self, *, dry_run: bool = True, orphans: Orphans = "deliver") -> list[Finding]:
        """Repair what `check` finds (`DelayedQueue.repair`)."""
        return [
            finding
            for each in self.delayed_queues
            for finding in await each.repair(dry_run=dry_run, orphans=orphans)
        ]

    # -------------------------------------------------------------- the handle

    def _consumer(self, options: ConsumerOptions) -> AsyncShardedConsumer[V]:
        consumers = [AsyncConsumer(self._context, queue, options) for queue in self.queues]
        return AsyncShardedConsumer(self._context, self._name, consumers)

    def _dead_letters(self) -> AsyncShardedDeadLetters[V]:
        letters = [AsyncDeadLetters(self._context, queue) for queue in self.queues]
        return AsyncShardedDeadLetters(self._name, letters)

    def destroy(self) -> None:
        """Give up this handle's share in the transfer tasks; no item is touched."""
        for each in self.delayed_queues:
            self._context.transfers.unwatch(each._protocol.names, self._sweep.announce)
            each.destroy()
