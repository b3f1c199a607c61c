"""RDelayedQueue: pending items, which a transfer moves to the target queue when they are due."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

from pyredisson._async.context import AsyncContext
from pyredisson._async.delayed.pending import AsyncPending
from pyredisson._async.queues.queue import AsyncQueue
from pyredisson._runtime.concurrency import monotonic, random_8
from pyredisson._runtime.iterables import AsyncMany
from pyredisson.protocol.delayed.dedup import Dedup, IfExists
from pyredisson.protocol.delayed.delayed_queue import DelayedQueueProtocol
from pyredisson.protocol.delayed.entry import WireFormat
from pyredisson.protocol.delayed.offer_packer import Offer, OfferPacker
from pyredisson.protocol.delayed.options import DelayedQueueOptions
from pyredisson.protocol.delayed.receipt import Receipt
from pyredisson.protocol.kernel.command import Operation
from pyredisson.protocol.kernel.due import Seconds
from pyredisson.protocol.kernel.durable import require_durable
from pyredisson.protocol.kernel.names import ConsumerNames, QueueNames
from pyredisson.protocol.objects.collection import CollectionProtocol
from pyredisson.protocol.queues.queue import require_count
from pyredisson.server_errors import ReplyError

if TYPE_CHECKING:
    from pyredisson._async.delayed.batch_sender import AsyncBatchSender
    from pyredisson.protocol.checks.finding import Finding, Orphans
    from pyredisson.protocol.delayed.batches import BatchResult, When

V = TypeVar("V")

_NOTHING = object()


class AsyncDelayedQueue(AsyncPending[V]):
    """The pending items of a target queue; Java sees them as RDelayedQueue.

    `poll`, `peek`, `size`, `read_all`, `contains`, `remove` and iteration see *pending* items
    only, in the order of the offers, due or not. Consumers take due items from the target queue.
    """

    def __init__(
        self, context: AsyncContext, target: AsyncQueue[V], options: DelayedQueueOptions
    ) -> None:
        self._target = target
        self._max_bytes = context.max_bytes if options.max_bytes is None else options.max_bytes
        self._durable = require_durable(options.durable)
        self._wire_format = options.wire_format
        self._legacy = options.wire_format is WireFormat.LEGACY
        self._emit = context.emit
        self._plain = not self._legacy and self._durable is None
        self._transfers = False
        super().__init__(context, target.name)
        if options.transfer:
            self._transfer()

    def _keys_of(self, name: str) -> dict[str, str]:
        names = QueueNames.of(name)
        return {names.delay_list: "list", names.timeout_set: "zset"}

    def _others_of(self, name: str) -> dict[str, str]:
        return {name: "list"}

    def _one_slot(self, name: str) -> Iterable[str]:
        return QueueNames.of(name).keys()

    def _bind(self, name: str) -> None:
        transferring = self._transfers
        self.destroy()
        super()._bind(name)
        names = QueueNames.of(self._redis_name)
        keeps = self._target.on_undecodable == "poison"
        self._protocol = DelayedQueueProtocol(
            names, self._target.codec, self._wire_format, keeps, self._max_bytes, self._durable
        )
        self._encode = self._protocol.encode
        self._offers = OfferPacker(names)
        if name != self._target.name:
            self._target = type(self._target)(
                self._context, name, self._target.codec, self._target.on_undecodable
            )
        if transferring:
            self._transfer()

    def _transfer(self) -> None:
        self._transfers = True
        self._context.transfers.acquire(self._protocol.names)

    @property
    def _values(self) -> CollectionProtocol[V]:
        return self._protocol

    def __repr__(self) -> str:
        state = "transferring" if self._transfers else "not transferring"
        return (
            f"<{type(self).__name__} {self._protocol.names.name!r} "
            f"codec={self._protocol.codec!r} {state}>"
        )

    @property
    def target(self) -> AsyncQueue[V]:
        """The queue to which a transfer moves due items."""
        return self._target

    # -------------------------------------------------------------- offering

    async def offer(
        self,
        value: V,
        delay: Seconds | None = None,
        *,
        at: datetime | None = None,
        dedup: str | None = None,
        if_exists: IfExists | None = None,
    ) -> Receipt:
        """Store a value as a pending item, for example ``await delayed.offer("order 7", 5)``.

        Args:
            value: any value that the codec can encode.
            delay: seconds or a timedelta from now on, by the server's clock.
            at: the due time instead of a delay, an aware datetime; a past time is due at once.
            dedup: a key; at most one item with this key is pending at a time.
            if_exists: if an item with the key is pending, "ignore" (default) leaves it, "replace"
                replaces it, "extend" sets the later of both due times, "earliest" the earlier one.

        Returns:
            The receipt; its text or bytes serve in other processes. With `dedup`, it is that of the
            item that is now pending; `stored` is False if another call stored this item.

        Raises:
            EncodeError, TypeError, ValueError: an argument is wrong; nothing was sent.
            UncertainOfferError: no reply came; the item may be stored.
            NotNotifiedError: the item is stored, but the server rejected the notification.
            NotReplicatedError: the item is stored, but not confirmed as `durable` requires.
        """
        if dedup is not None or if_exists is not None:
            return await self._offer_once(value, delay, at, Dedup.of(dedup, if_exists))
        data, offers, receipt = self._encode(value), self._offers, None
        server = self._link.at_hand(offers.key) if self._plain and self._checked else None
        if server is not None and at is None:
            receipt = offers.receipt(data, delay, server.clock, monotonic(), random_8())
        if receipt is None:
            receipt, server = await self._receipt(data, delay, at), None
        if self._context.carrier is not None:
            return await self._offer_carrying(receipt)
        try:
            if server is not None:
                offer = Offer(offers, receipt)
                try:  # as `AsyncLink.request`; another coroutine would cost 5 % of an offer
                    reply = await server.pool.request(offer)
                except Exception as error:
                    reply = error
                if isinstance(reply, Exception):
                    await self._link.failed(offer, server, reply)
                elif reply is not None or server.demoted:
                    await self._link.answered(offer, server, reply)
            else:
                await self._run(self._operation(receipt))
        except ReplyError as error:
            await self._explain(error)
            raise
        finally:  # also after an error: the item may be stored
            self._context.transfers.announced(self._protocol.names, receipt.due_ms)
        if self._emit is not None:
            self._emit("on_offer", receipt.queue, receipt)
        return receipt

    def _operation(self, receipt: Receipt) -> Offer | Operation[None]:
        return Offer(self._offers, receipt) if self._plain else self._protocol.offer(receipt)

    @overload
    async def offer_many(
        self, items: AsyncMany[tuple[V, When]], *, receipts: Literal[True] = True
    ) -> list[Receipt]: ...

    @overload
    async def offer_many(
        self, items: AsyncMany[tuple[V, When]], *, receipts: Literal[False]
    ) -> int: ...

    async def offer_many(
        self, items: AsyncMany[tuple[V, When]], *, receipts: bool = True
    ) -> list[Receipt] | int:
        """Store many values in their order, each as `offer` does, up to 250 in one script.

        Args:
            items: pairs of a value and its delay (seconds or a timedelta) or its due time (an aware
                datetime). All items of a collection are checked before anything is sent. An
                iterator is read, checked and sent up to 250 items at a time.
            receipts: if False, the call keeps no receipts. Then it needs memory only for some
                hundred items, also if an iterator has many more.

        Returns:
            The receipts in the order of the items; with ``receipts=False`` their number.

        Raises:
            EncodeError, TypeError, ValueError: an item of a collection cannot be offered; nothing
                was sent. The text names the item.
            PartialOfferError: an error ended the call. Its `stored`, `unstored` and `unknown` have
                the receipts of the items that were read.
            NotNotifiedError: all items are stored, but the server rejected a notification.
            NotReplicatedError: all items are stored, but some are unconfirmed (`durable`).
        """
        from pyredisson._async.delayed.batches import AsyncBatchOffers  # noqa: PLC0415 - seldom
        from pyredisson.protocol.delayed.batches import BatchResult  # noqa: PLC0415 - seldom

        name, emit = self._protocol.names.name, self._emit
        on_offer = None if emit is None else partial(emit, "on_offer", name)
        result = BatchResult(name, keep=receipts, emit=on_offer)
        sender = self._sender(result)
        carrying = None if self._context.carrier is None else self._carrying
        offers = AsyncBatchOffers(self._link, self._protocol, sender, result, carrying)
        await offers.run(items, self._ready)
        return result.receipts() if receipts else result.count

    def _sender(self, result: BatchResult) -> AsyncBatchSender:
        from pyredisson._async.delayed.batch_sender import AsyncBatchSender  # noqa: PLC0415 - seldom

        announce = partial(self._context.transfers.announced, self._protocol.names)
        return AsyncBatchSender(self._link, self._protocol, self._run, announce, result)

    # -------------------------------------------------------------- taking pending items

    @overload
    async def poll(self) -> V | None: ...

    @overload
    async def poll(self, limit: int) -> list[V]: ...

    async def poll(self, limit: int | None = None) -> V | list[V] | None:
        """Take the oldest pending value, due or not; None if nothing is pending.

        Args:
            limit: take up to this many values, and return a list. `poll(5)` does not wait 5 s.
        """
        if limit is None:
            return await self._run(self._protocol.poll())
        if require_count(limit) <= 0:
            return []
        return await self._run(self._protocol.poll_many(limit))

    @overload
    async def remove(self) -> V: ...

    @overload
    async def remove(self, value: V) -> bool: ...

    async def remove(self, value: Any = _NOTHING) -> V | bool:
        """Take the oldest pending value; with `value`, remove the oldest item with this value.

        Returns:
            The value that was taken; with `value`, whether an item was removed.

        Raises:
            EmptyQueueError: no `value` is given, and no item is pending.
        """
        if value is _NOTHING:
            return self._required(await self.poll())
        return await self._run(self._protocol.remove(value))

    async def remove_if(self, predicate: Callable[[V], bool]) -> bool:
        """Remove pending items whose values match a predicate; return True if any was removed."""
        removed = 0
        async for entry in self._paged(self._protocol.entries, self._protocol.size()):
            if predicate(self._protocol.value_of(entry)):
                removed += await self._run(self._protocol.remove_entry(entry))
        return removed > 0

    async def poll_last_and_offer_first_to(self, target: str) -> V | None:
        """Move the newest pending value to the head of another queue, and return the value.

        Return None if nothing is pending.

        Raises:
            KeyTypeError: the other key exists and is not a list; nothing is moved.
        """
        name = self._mapped(target)
        await self._ready()
        await self._check_type(name, "list")
        return await self._run(self._protocol.poll_last_and_offer_first_to(name))

    # -------------------------------------------------------------- check and repair

    async def check(self) -> list[Finding]:
        """Check the queue, its target, and its companion keys, such as those of leases and groups.

        The check reads all keys in pages. Other clients may use the queue meanwhile.

        Returns:
            The findings; an empty list if all is well.
        """
        return await self._checked_by("deliver", repair=False)

    async def repair(self, *, dry_run: bool = True, orphans: Orphans = "deliver") -> list[Finding]:
        """Repair what `check` finds; each step is one script or command.

        If a call ends half-way, the next call continues. Nothing is lost or doubled.

        Args:
            dry_run: True (the default) changes nothing, and returns what would be repaired.
            orphans: what to do with entries that only the timeout set has. "deliver" adds them to
                the delay list, and they are transferred when they are due. "drop" removes them, as
                Java's `retainAll` should have done.

        Returns:
            The findings that were repaired; with `dry_run`, those that can be repaired.
        """
        found = await self._checked_by(orphans, repair=not dry_run)
        return [each for each in found if each.repairable]

    async def _checked_by(self, orphans: Orphans, *, repair: bool) -> list[Finding]:
        from pyredisson._async.checks.check import AsyncCheck  # noqa: PLC0415 - seldom

        names = ConsumerNames.of(self._protocol.names.name)
        codec = self._target.codec
        try:
            return await AsyncCheck(self._link, names, codec, orphans, repair=repair).run()
        finally:
            if repair:
                self._came(self.name)

    # -------------------------------------------------------------- the transfer task

    def destroy(self) -> None:
        """Release this object's share in the transfer task; a second call does nothing.

        The task continues while another object of this client needs it. No item changes.
        """
        if self._transfers:
            self._transfers = False
            self._context.transfers.release(self._protocol.names)
