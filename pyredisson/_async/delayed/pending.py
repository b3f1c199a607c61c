"""What a delayed queue does with one pending item, found by its receipt, and the list of them.

The rule: each is one script, as the transfer is, so an item is found where it is or delivered.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TypeVar

from pyredisson._async.link.fast_path import fresh_clock
from pyredisson._async.objects.collection import AsyncCollectionObject
from pyredisson._runtime.concurrency import monotonic, random_8, wall_ms
from pyredisson.protocol.consumers.cleanup import forget_keys
from pyredisson.protocol.delayed.dedup import Dedup, offer_once, pending_with
from pyredisson.protocol.delayed.delayed_queue import DelayedQueueProtocol
from pyredisson.protocol.delayed.item_id import legacy_item_id, new_item_id
from pyredisson.protocol.delayed.lookup import find, retries, scan
from pyredisson.protocol.delayed.offer_packer import OfferPacker
from pyredisson.protocol.delayed.pending import START, PendingItem, later
from pyredisson.protocol.delayed.receipt import Receipt, ShortReceipt
from pyredisson.protocol.kernel.due import Due, Seconds
from pyredisson.protocol.kernel.names import QueueNames
from pyredisson.protocol.objects.collection import PAGE

V = TypeVar("V")


class AsyncPending(AsyncCollectionObject[V]):
    """The pending items of a delayed queue, each by itself."""

    _protocol: DelayedQueueProtocol[V]
    _offers: OfferPacker
    _emit: Callable[..., None] | None
    _legacy: bool
    _encode: Callable[[V], bytes]

    async def _offer_once(
        self, value: V, delay: Seconds | None, at: datetime | None, dedup: Dedup
    ) -> Receipt:
        """Store a value unless one is pending with its key; the receipt of what is, then."""
        names = self._protocol.names
        receipt = await self._receipt(self._encode(value), delay, at)
        await self._ready()
        await self._check_type(names.dedup, "hash")
        try:
            found = await self._store_once(receipt, dedup)
            if self._durable is not None and not found.stored:
                await self._run(self._protocol.touch(found))
        finally:  # also when it may be stored
            self._context.transfers.announced(names, receipt.due_ms)
        if found.stored and self._emit is not None:
            self._emit("on_offer", found.queue, found)
        return found

    async def _store_once(self, receipt: Receipt, dedup: Dedup) -> Receipt:
        offer = offer_once(self._protocol.names, receipt, dedup)
        return await self._run(self._protocol.durably(offer, receipt))

    async def delete(self) -> bool:
        """Delete what is pending; True when anything was (RObject.delete)."""
        done = await super().delete()
        await self._forget_keys(self._protocol.names)
        return done

    async def unlink(self) -> bool:
        """Delete what is pending, its memory being freed later (RObject.unlink)."""
        done = await super().unlink()
        await self._forget_keys(self._protocol.names)
        return done

    async def rename(self, new_name: str) -> None:
        """Rename the object, replacing what has the new name; dedup keys are free there."""
        names = self._protocol.names
        await super().rename(new_name)
        await self._forget_keys(names)

    async def renamenx(self, new_name: str) -> bool:
        """Rename the object unless the new name exists; dedup keys are free there."""
        names = self._protocol.names
        done = await super().renamenx(new_name)
        await self._forget_keys(names)
        return done

    def _came(self, name: str) -> None:
        self._context.transfers.announced(QueueNames.of(self._mapped(name)), 0)

    async def _forget_keys(self, names: QueueNames) -> None:
        """Leave nothing behind of the keys that this client has used."""
        if names.dedup in self._context.checked:
            await self._run(forget_keys(names))

    def _new_item_id(self, now_ms: float) -> bytes:
        random = random_8()
        return legacy_item_id(random) if self._legacy else new_item_id(int(now_ms * 1000), random)

    async def offer_again(self, receipt: Receipt) -> None:
        """Make sure that an offered item is there once, as long as it is pending.

        An item that has been delivered (or removed) in the meantime is stored
        again: its receipt cannot tell that from a lost offer.

        Raises:
            ValueError: the receipt is another queue's.
            NotReplicatedError: the item is stored, and not confirmed as `durable` asks for.
        """
        receipt = self._own(receipt)
        try:
            await self._run(self._protocol.offer(receipt))
            if self._durable is not None:
                await self._run(self._protocol.touch(receipt))
        finally:
            self._context.transfers.announced(self._protocol.names, receipt.due_ms)

    async def cancel(self, receipt: Receipt) -> bool:
        """Remove exactly the item of a receipt; False when it is not pending any more.

        True to one caller at most, and then the item is never delivered. What was delivered and
        waits for a retry is another item: `retries_of` finds it.

        Raises:
            ValueError: the receipt is another queue's.
        """
        whole = await self._whole(receipt)
        if whole is None or not await self._run(self._protocol.cancel(whole)):
            return False
        if self._emit is not None:
            self._emit("on_cancel", whole.queue, whole)
        return True

    async def retries_of(self, receipt: Receipt) -> list[Receipt]:
        """Return the receipts of messages with this value that wait for a retry.

        A retry is pending as an item of its own, which is known by its value only: where several
        items have equal values, it may be the retry of another one. At most 1000.

        Raises:
            ValueError: the receipt is another queue's, or a short one.
        """
        return await self._run(retries(self._protocol.names, self._own(receipt)))

    async def receipt_of(self, dedup: str) -> Receipt | None:
        """Return the receipt of the item that is pending with a key; None without one.

        So the item can be cancelled or given another time by whoever knows its key alone.

        Raises:
            TypeError, ValueError: it is no key; before anything was sent.
        """
        key = Dedup.of(dedup, "ignore").key
        await self._ready()
        await self._check_type(self._protocol.names.dedup, "hash")
        return await self._run(pending_with(self._protocol.names, key))

    async def reschedule(
        self, receipt: Receipt, delay: Seconds | None = None, *, at: datetime | None = None
    ) -> Receipt | None:
        """Let exactly the item of a receipt be due at another time, earlier or later.

        Args:
            receipt: of the offer, or of an earlier call; both stand for the item.
            delay: from now on, as in `offer`.
            at: instead of a delay the moment.

        Returns:
            The receipt with the new time; None when the item is not pending any more.

        Raises:
            TypeError, ValueError: before anything was sent.
            NotNotifiedError: the item has its new time, the notification was refused.
        """
        self._own(receipt)
        _, due = await self._when(delay, at)
        whole = await self._whole(receipt)
        if whole is None:
            return None
        try:
            done = await self._run(self._protocol.reschedule(replace(whole, due_ms=due)))
        finally:  # also where nobody else was told
            self._context.transfers.announced(self._protocol.names, due)
        if done is not None and self._emit is not None:
            self._emit("on_reschedule", done.queue, done)
        return done.short() if done and isinstance(receipt, ShortReceipt) else done

    async def remaining_delay(self, receipt: Receipt) -> timedelta | None:
        """Return how long the item of a receipt waits yet, by the server's clock.

        Zero when it is due and not moved yet, None when it is not pending any more.

        Raises:
            ValueError: the receipt is another queue's.
        """
        whole = await self._whole(receipt)
        due = None if whole is None else await self._run(self._protocol.due(whole))
        if due is None:
            return None
        now = (await self._link.clock(self._offers.key)).latest_ms(monotonic())
        return timedelta(milliseconds=max(due - now, 0.0))

    async def items(self) -> AsyncIterator[PendingItem[V]]:
        """Iterate over what is pending, the earliest first, with times and receipts.

        It is read in pages. What is pending all the time comes once, whatever else happens
        meanwhile; what is delivered, cancelled or offered meanwhile may come or not, and what is
        given another time may come twice or not at all. A member that no Redisson writes is left
        out: `check` names it, and it goes to the poison list when it is due.
        """
        shown = read = START
        while True:
            page = await self._run(self._protocol.page(read, PAGE))
            for entry in later(page, shown):
                shown = entry
                item = self._protocol.item(entry)
                if item is not None:
                    yield item
            if len(page) < PAGE:
                return
            read = page[-1]

    def _own(self, receipt: Receipt) -> Receipt:
        """Return what is a receipt of this queue."""
        if not isinstance(receipt, Receipt):
            hint = (
                "; Receipt.parse() reads text and bytes" if isinstance(receipt, str | bytes) else ""
            )
            raise TypeError(f"takes a receipt as offer() returns it, not {receipt!r:.80}{hint}")
        name = self._protocol.names.name
        if receipt.queue != name:
            raise ValueError(f"the receipt is of queue {receipt.queue!r}, not of {name!r}")
        return receipt

    async def _whole(self, receipt: Receipt) -> Receipt | None:
        """Return a receipt of this queue with its value; None of a short one that finds nothing."""
        own, names = self._own(receipt), self._protocol.names
        if not isinstance(own, ShortReceipt):
            return own
        found = {each.member: each for each in await self._run(find(names, own))}
        cursor = b"0"
        while not found or cursor != b"0":  # it has another time now, or is not pending
            cursor, some = await self._run(scan(names, own, cursor))
            found.update({each.member: each for each in some})
            if cursor == b"0":
                break
        if len(found) > 1:
            raise ValueError(
                f"several items of queue {names.name!r} have the id of this short receipt; only "
                "the whole one tells them apart"
            )
        return next(iter(found.values()), None)

    async def _receipt(self, data: bytes, delay: Seconds | None, at: datetime | None) -> Receipt:
        """Fix what an offer will store, before anything is sent."""
        now, due = await self._when(delay, at)
        return self._protocol.receipt(data, due, self._new_item_id(now))

    async def _when(self, delay: Seconds | None, at: datetime | None) -> tuple[float, int]:
        """Return the server's time and when the item is due, both in epoch milliseconds."""
        due = Due.of(delay, at)
        self._context.jobs.ensure_running()  # the connection that is opened here may be the first
        key = self._offers.key
        clock = fresh_clock(self._link, key)
        if clock is None and due.from_now:
            clock = await self._link.clock(key)
        now = wall_ms() if clock is None else clock.latest_ms(monotonic())
        return now, due.score(now)
