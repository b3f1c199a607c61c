"""A queue with shards: one logical queue, spread over the slots, and so the nodes, of a cluster.

It consists of a blocking queue and a delayed queue for each shard, and has no keys of its own. The
rule: a call that concerns one shard goes to that shard. Java uses a shard as an ordinary queue,
under the shard's own name.
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
    """Several queues that are used as one; only items of the same shard keep their order.

    `queues` and `delayed_queues` are the queues of the shards. They have further methods.
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
        self._poll = AsyncPoll(context.link, [queue._list.size() for queue in queues])
        for each in delayed_queues:
            context.transfers.watch(each._protocol.names, self._poll.announce)

    def __repr__(self) -> str:
        codec = self.queues[0].codec
        return f"<{type(self).__name__} {self._name!r} shards={self.shard_count} codec={codec!r}>"

    @property
    def name(self) -> str:
        """The name of the logical queue, as the program gave it."""
        return self._name

    @property
    def shard_count(self) -> int:
        """The number of shards."""
        return len(self.queues)

    @property
    def names(self) -> list[str]:
        """The names of the shards."""
        return [queue.name for queue in self.queues]

    def shard_of(self, key: str | bytes) -> int:
        """Return the number (from 0) of a key's shard, computed from `key` and `shard_count`."""
        return shard_of(key, self.shard_count)

    def _chosen(self, key: str | bytes | None) -> int:
        """Return the number of a key's shard; if `key` is None, of the next shard in turn."""
        return next(self._next) % self.shard_count if key is None else self.shard_of(key)

    # -------------------------------------------------------------- adding

    async def add(self, value: V, *, key: str | bytes | None = None) -> bool:
        """Append a value, and return True.

        The value goes to the shard of `key`. Without `key`, it goes to the next shard in turn.
        """
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
        """Store a value, which a transfer moves to its shard's queue when it is due.

        Args:
            value: any value that the codec can encode.
            delay: seconds or a timedelta from now, by the clock of the shard's server.
            key: chooses the shard, the same for equal keys; without `key` and `dedup`, the next
                shard in turn.
            at: the due time instead of a delay, an aware datetime; a past time is due at once.
            dedup: a key; at most one item with this key is pending at a time. Without `key`,
                `dedup` chooses the shard. Otherwise, offers with equal `dedup` must have equal
                `key`.
            if_exists: as in `DelayedQueue.offer`.

        Returns:
            The receipt, as `DelayedQueue.offer` returns it.

        Raises:
            EncodeError, TypeError, ValueError: the item cannot be offered; nothing was sent.
            UncertainOfferError: no reply came; the item may be stored.
            NotNotifiedError: the item is stored, but the server rejected the notification.
            NotReplicatedError: the item is stored, but not confirmed as `durable` requires.
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
        """Store many values, shard by shard; the values of a shard keep their order.

        Args:
            items: pairs of a value and its delay (seconds or a timedelta), or its due time (an
                aware datetime). An iterator is read to its end before anything is sent.
            key: a function that returns the key of a value; with None, the default, each value
                goes to the next shard in turn.

        Returns:
            The receipts in the order of the items.

        Raises:
            EncodeError, TypeError, ValueError: an item cannot be offered; nothing was sent.
            PartialOfferError: a shard has failed; the error lists which items are stored, which are
                not, and which have an unknown outcome.
            NotNotifiedError: all items are stored, but the server rejected a notification.
            NotReplicatedError: all items are stored, but some are unconfirmed (`durable`).
        """
        if not (key is None or callable(key)):
            raise TypeError(f"key must be a function that returns the key of a value, not {key!r}")

        def chosen(value: V) -> int:
            return self._chosen(None if key is None else key(value))

        return await AsyncShardedBatchOffers(self._name, self.delayed_queues, chosen).run(items)

    # -------------------------------------------------------------- taking

    async def take(self) -> V:
        """Take a value of any shard; wait without a limit."""
        return await self._first(None)  # type: ignore[return-value]  # without a timeout there is a value

    async def poll(self, timeout: Seconds = 0) -> V | None:
        """Take a value of any shard; return None if none arrives in `timeout`.

        `timeout` is in seconds or a timedelta; 0, the default, does not wait.
        """
        return await self._first(seconds(timeout))

    async def _first(self, timeout: float | None) -> V | None:
        for queue in self.queues:
            if not queue._checked:
                await queue._ready()
        return await self._poll.first(self._polled, timeout)

    async def _polled(self, number: int) -> V | None:
        return await self.queues[number].poll()

    async def size(self) -> int:
        """Return the number of ready values in all shards."""
        return sum([await queue.size() for queue in self.queues])

    async def delayed_size(self) -> int:
        """Return the number of pending values in all shards."""
        return sum([await each.size() for each in self.delayed_queues])

    async def pause(self) -> None:
        """Stop consumers and workers of all processes from taking (`Queue.pause`)."""
        for queue in self.queues:
            await queue.pause()

    async def resume(self) -> None:
        """Let consumers and workers take from all shards again (`Queue.resume`)."""
        for queue in self.queues:
            await queue.resume()

    async def in_flight(self, limit: int = 1000) -> list[InFlight[V]]:
        """Return up to `limit` messages that consumers hold, shard by shard (`Queue.in_flight`)."""
        found: list[InFlight[V]] = []
        for queue in self.queues:
            found += await queue.in_flight(limit - len(found))
        return found

    # -------------------------------------------------------------- pending items

    def _of(self, receipt: Receipt) -> AsyncDelayedQueue[V]:
        """Return the delayed queue of a receipt."""
        number = self._by_name.get(getattr(receipt, "queue", self.queues[0]._main_key))
        if number is None:
            raise ValueError(
                f"the receipt is of queue {receipt.queue!r}, "
                f"none of the {self.shard_count} shards of {self._name!r}"
            )
        return self.delayed_queues[number]  # its methods reject an object that is no receipt

    async def offer_again(self, receipt: Receipt) -> None:
        """Store an offered item again, unless it is pending (`DelayedQueue.offer_again`)."""
        await self._of(receipt).offer_again(receipt)

    async def cancel(self, receipt: Receipt) -> bool:
        """Remove exactly a receipt's item; return False if not pending (`DelayedQueue.cancel`)."""
        return await self._of(receipt).cancel(receipt)

    async def retries_of(self, receipt: Receipt) -> list[Receipt]:
        """Return receipts of pending retries of a receipt's value (`DelayedQueue.retries_of`)."""
        return await self._of(receipt).retries_of(receipt)

    async def receipt_of(self, dedup: str, *, key: str | bytes | None = None) -> Receipt | None:
        """Return the receipt of the item that is pending with a `dedup` key, or None.

        `key` is required if the offer had a `key`, and must be the same.
        """
        chosen = Dedup.of(dedup, "ignore").key if key is None else key
        return await self.delayed_queues[self.shard_of(chosen)].receipt_of(dedup)

    async def reschedule(
        self, receipt: Receipt, delay: Seconds | None = None, *, at: datetime | None = None
    ) -> Receipt | None:
        """Set another due time for the item of a receipt (`DelayedQueue.reschedule`)."""
        return await self._of(receipt).reschedule(receipt, delay, at=at)

    async def remaining_delay(self, receipt: Receipt) -> timedelta | None:
        """Return the time until the item of a receipt is due; None if it is not pending."""
        return await self._of(receipt).remaining_delay(receipt)

    async def items(self) -> AsyncIterator[PendingItem[V]]:
        """Iterate over the pending items, shard by shard, and by due time in each shard."""
        for delayed in self.delayed_queues:
            async for item in delayed.items():
                yield item

    # -------------------------------------------------------------- check and repair

    async def check(self) -> list[Finding]:
        """Check all shards (`DelayedQueue.check`)."""
        return [finding for each in self.delayed_queues for finding in await each.check()]

    async def repair(self, *, dry_run: bool = True, orphans: Orphans = "deliver") -> list[Finding]:
        """Repair what `check` finds; by default only list it (`DelayedQueue.repair`)."""
        return [
            finding
            for each in self.delayed_queues
            for finding in await each.repair(dry_run=dry_run, orphans=orphans)
        ]

    # -------------------------------------------------------------- making and destroying

    def _consumer(self, options: ConsumerOptions) -> AsyncShardedConsumer[V]:
        consumers = [AsyncConsumer(self._context, queue, options) for queue in self.queues]
        return AsyncShardedConsumer(self._context, self._name, consumers)

    def _dead_letters(self) -> AsyncShardedDeadLetters[V]:
        letters = [AsyncDeadLetters(self._context, queue) for queue in self.queues]
        return AsyncShardedDeadLetters(self._name, letters)

    def destroy(self) -> None:
        """Release this object's share in the transfer tasks; no item changes."""
        for each in self.delayed_queues:
            self._context.transfers.unwatch(each._protocol.names, self._poll.announce)
            each.destroy()
