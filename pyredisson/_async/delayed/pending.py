"""The methods of a delayed queue on one pending item, and the iteration over all pending items.

The rule: each change of an item is one script, and so is each transfer. So a method finds an item
either pending or transferred.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any, TypeVar

from pyredisson._async.objects.collection import AsyncCollectionObject
from pyredisson._runtime.concurrency import monotonic, random_8, wall_ms
from pyredisson.protocol.consumers.cleanup import forget_keys
from pyredisson.protocol.delayed.dedup import Dedup, offer_once, pending_with
from pyredisson.protocol.delayed.delayed_queue import DelayedQueueProtocol
from pyredisson.protocol.delayed.item_id import legacy_item_id, new_item_id
from pyredisson.protocol.delayed.lookup import find, retries, scan
from pyredisson.protocol.delayed.offer_packer import OfferPacker
from pyredisson.protocol.delayed.pending import PendingItem
from pyredisson.protocol.delayed.receipt import Receipt, ShortReceipt
from pyredisson.protocol.kernel.due import Due, Seconds
from pyredisson.protocol.kernel.names import QueueNames

V = TypeVar("V")


class AsyncPending(AsyncCollectionObject[V]):
    """The methods of a delayed queue on single pending items."""

    _protocol: DelayedQueueProtocol[V]
    _offers: OfferPacker
    _emit: Callable[..., None] | None
    _legacy: bool
    _encode: Callable[[V], bytes]

    async def _offer_carrying(self, receipt: Receipt) -> Receipt:
        """Store an item, and the additional bytes that a hook returns for it (`carrying`)."""
        item = (receipt.due_ms, receipt.value)
        await self._carrying([item], partial(self.offer_again, receipt))
        if self._emit is not None:
            self._emit("on_offer", receipt.queue, receipt)
        return receipt

    async def _carrying(self, items: Sequence[tuple[int, bytes]], store: Callable[[], Any]) -> Any:
        if (hooks := self._context.carrier) is None:
            return await store()
        from pyredisson._async.delayed.carrying import carried_async  # noqa: PLC0415 - seldom

        return await carried_async(self._context, hooks, self._redis_name, items, store)

    async def _offer_once(
        self, value: V, delay: Seconds | None, at: datetime | None, dedup: Dedup
    ) -> Receipt:
        """Store a value, or apply `if_exists`; return the receipt of the item that is then pending.

        For the arguments see `offer`.
        """
        names = self._protocol.names
        receipt = await self._receipt(self._encode(value), delay, at)
        await self._ready()
        await self._check_type(names.dedup, "hash")
        try:
            store = partial(self._store_once, receipt, dedup)
            found: Receipt = await self._carrying([(receipt.due_ms, receipt.value)], store)
            if self._durable is not None and not found.stored:
                await self._run(self._protocol.touch(found))
        finally:  # also after an error: the item may be stored
            self._context.transfers.announced(names, receipt.due_ms)
        if found.stored and self._emit is not None:
            self._emit("on_offer", found.queue, found)
        return found

    async def _store_once(self, receipt: Receipt, dedup: Dedup) -> Receipt:
        offer = offer_once(self._protocol.names, receipt, dedup)
        return await self._run(self._protocol.durably(offer, receipt))

    async def delete(self) -> bool:
        """Delete all pending items; return True if there were any (RObject.delete)."""
        done = await super().delete()
        await self._forget_keys(self._protocol.names)
        return done

    async def unlink(self) -> bool:
        """Delete all pending items; the server frees their memory later (RObject.unlink)."""
        done = await super().unlink()
        await self._forget_keys(self._protocol.names)
        return done

    async def rename(self, new_name: str) -> None:
        """Rename the object, and replace any object `new_name`. The items lose their dedup keys."""
        names = self._protocol.names
        await super().rename(new_name)
        await self._forget_keys(names)

    async def renamenx(self, new_name: str) -> bool:
        """Rename the object unless the new name exists; return whether it was renamed.

        If it was renamed, its items lose their dedup keys.
        """
        names = self._protocol.names
        done = await super().renamenx(new_name)
        await self._forget_keys(names)
        return done

    def _came(self, name: str) -> None:
        self._context.transfers.announced(QueueNames.of(self._mapped(name)), 0)

    async def _forget_keys(self, names: QueueNames) -> None:
        """Delete the dedup keys whose items are not pending.

        Do nothing if this client has not used dedup keys of this queue.
        """
        if names.dedup in self._context.checked:
            await self._run(forget_keys(names))

    def _new_item_id(self, now_ms: float) -> bytes:
        random = random_8()
        return legacy_item_id(random) if self._legacy else new_item_id(int(now_ms * 1000), random)

    async def offer_again(self, receipt: Receipt) -> None:
        """Store an offered item again, unless it is pending.

        If the item is pending, its due time becomes that of the receipt. An item that was
        transferred or removed meanwhile is stored again, because a receipt does not show whether
        the offer was lost.

        Raises:
            TypeError, ValueError: `receipt` is no receipt, is short, or is of another queue.
            UncertainOfferError: no reply came; the item may be stored. Call again.
            NotNotifiedError: the item is stored, but the server rejected the notification.
            NotReplicatedError: the item is stored, but not confirmed as `durable` requires.
        """
        receipt = self._own(receipt)
        try:
            await self._run(self._protocol.offer(receipt))
            if self._durable is not None:
                await self._run(self._protocol.touch(receipt))
        finally:
            self._context.transfers.announced(self._protocol.names, receipt.due_ms)

    async def cancel(self, receipt: Receipt) -> bool:
        """Remove exactly the item of a receipt; return False if the item is not pending.

        At most one call returns True for an item; then the item is never delivered. A delivered
        message that waits for a retry is another item: `retries_of` finds it.

        Raises:
            TypeError: `receipt` is no receipt.
            ValueError: `receipt` is of another queue, or is short and several items have its id.
        """
        whole = await self._whole(receipt)
        if whole is None or not await self._run(self._protocol.cancel(whole)):
            return False
        if self._emit is not None:
            self._emit("on_cancel", whole.queue, whole)
        return True

    async def retries_of(self, receipt: Receipt) -> list[Receipt]:
        """Return receipts of messages with the value of a receipt that wait for a retry.

        A message that waits for a retry is pending as a new item, which is found by its value. If
        several messages have equal values, a result may be the retry of another message. At most
        1000 items are examined.

        Raises:
            TypeError, ValueError: `receipt` is no receipt, is short, or is of another queue.
        """
        return await self._run(retries(self._protocol.names, self._own(receipt)))

    async def receipt_of(self, dedup: str) -> Receipt | None:
        """Return the receipt of the item that is pending with a `dedup` key, or None.

        With this receipt, a program that knows only the key can cancel or reschedule the item.

        Raises:
            TypeError, ValueError: `dedup` is not a valid key; nothing was sent.
        """
        key = Dedup.of(dedup, "ignore").key
        await self._ready()
        await self._check_type(self._protocol.names.dedup, "hash")
        return await self._run(pending_with(self._protocol.names, key))

    async def reschedule(
        self, receipt: Receipt, delay: Seconds | None = None, *, at: datetime | None = None
    ) -> Receipt | None:
        """Set another due time, earlier or later, for exactly the item of a receipt.

        Args:
            receipt: the receipt that the offer or an earlier `reschedule` returned.
            delay: seconds or a timedelta from now, as in `offer`.
            at: the due time instead of a delay, an aware datetime.

        Returns:
            The receipt with the new time; None if the item is not pending.

        Raises:
            TypeError, ValueError: an argument is wrong, or `receipt` is short and several items
                have its id; nothing was changed.
            NotNotifiedError: the item has its new time, but the server rejected the notification.
        """
        self._own(receipt)
        _, due = await self._when(delay, at)
        whole = await self._whole(receipt)
        if whole is None:
            return None
        try:
            done = await self._run(self._protocol.reschedule(replace(whole, due_ms=due)))
        finally:  # also if the notification failed
            self._context.transfers.announced(self._protocol.names, due)
        if done is not None and self._emit is not None:
            self._emit("on_reschedule", done.queue, done)
        return done.short() if done and isinstance(receipt, ShortReceipt) else done

    async def remaining_delay(self, receipt: Receipt) -> timedelta | None:
        """Return the time until the item of a receipt is due, by the server's clock.

        The time is zero if the item is due and still pending. The result is None if the item is
        not pending.

        Raises:
            TypeError: `receipt` is no receipt.
            ValueError: `receipt` is of another queue, or is short and several items have its id.
        """
        whole = await self._whole(receipt)
        due = None if whole is None else await self._run(self._protocol.due(whole))
        if due is None:
            return None
        now = (await self._link.clock(self._offers.key)).latest_ms(monotonic())
        return timedelta(milliseconds=max(due - now, 0.0))

    async def items(self) -> AsyncIterator[PendingItem[V]]:
        """Iterate over the pending items, the earliest first, with times and receipts.

        The items are read in pages. An item that stays pending is returned once. An item that is
        offered, transferred or cancelled meanwhile may be missing. A rescheduled item may be
        returned twice or not at all. Entries that neither Redisson nor pyredisson can have written
        are skipped. `check` lists these entries, and a transfer moves them to the poison list when
        they are due.
        """
        async for scored in self._in_order(self._protocol.page):
            if (item := self._protocol.item(scored)) is not None:
                yield item

    def _own(self, receipt: Receipt) -> Receipt:
        """Return the receipt; raise if it is no receipt of this queue."""
        if not isinstance(receipt, Receipt):
            hint = (
                "; Receipt.parse() reads text and bytes" if isinstance(receipt, str | bytes) else ""
            )
            raise TypeError(f"receipt must be what offer() returned, not {receipt!r:.80}{hint}")
        name = self._protocol.names.name
        if receipt.queue != name:
            raise ValueError(f"the receipt is of queue {receipt.queue!r}, not of {name!r}")
        return receipt

    async def _whole(self, receipt: Receipt) -> Receipt | None:
        """Return a whole receipt as it is; for a short receipt, find the whole one.

        Return None if no pending item has the id of the short receipt. Raise ValueError if several
        items have this id.
        """
        own, names = self._own(receipt), self._protocol.names
        if not isinstance(own, ShortReceipt):
            return own
        found = {each.entry: each for each in await self._run(find(names, own))}
        cursor = b"0"
        while not found or cursor != b"0":  # the item was rescheduled, or is not pending
            cursor, some = await self._run(scan(names, own, cursor))
            found.update({each.entry: each for each in some})
            if cursor == b"0":
                break
        if len(found) > 1:
            raise ValueError(
                f"several items of queue {names.name!r} have the id of this short receipt; use "
                "the whole receipt that offer() returned"
            )
        return next(iter(found.values()), None)

    async def _receipt(self, data: bytes, delay: Seconds | None, at: datetime | None) -> Receipt:
        """Return the receipt of an offer, before the item is sent."""
        now, due = await self._when(delay, at)
        return self._protocol.receipt(data, due, self._new_item_id(now))

    async def _when(self, delay: Seconds | None, at: datetime | None) -> tuple[float, int]:
        """Return the server's time and the due time of an item, both in epoch milliseconds.

        With `at`, the first result is this computer's time if the server's time is not known.
        """
        due = Due.of(delay, at)
        self._context.ensure_running()  # before `clock`, which may open the first connection
        key = self._offers.key
        clock = self._link.fresh_clock(key)
        if clock is None and due.from_now:
            clock = await self._link.clock(key)
        now = wall_ms() if clock is None else clock.latest_ms(monotonic())
        return now, due.score(now)
