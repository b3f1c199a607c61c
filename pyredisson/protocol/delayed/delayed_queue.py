"""RDelayedQueue as commands: the pending items of one queue.

`poll`, `peek`, `size`, `contains`, `remove` and similar methods find items in the delay list, as in
Redisson. The list is in the order of the offers, and has all pending items, due or not. For each
method of `org.redisson.RedissonDelayedQueue`, the script sends the same commands in the same order
(docs/wire-format.md has the exceptions). It also sends the ZREM that is missing in `retainAll`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from pyredisson.codecs.base import Codec
from pyredisson.errors import (
    NotNotifiedError,
    NotReplicatedError,
    UncertainOfferError,
    WireFormatError,
)
from pyredisson.protocol.delayed.entry import WireFormat, legacy_id, unpack
from pyredisson.protocol.delayed.pending import PendingItem, milliseconds, pending_item
from pyredisson.protocol.delayed.receipt import Receipt
from pyredisson.protocol.kernel.command import Arg, Command, Eval
from pyredisson.protocol.kernel.confirmation import confirmed, touch
from pyredisson.protocol.kernel.durable import Durable
from pyredisson.protocol.kernel.error_notes import note_quarantined
from pyredisson.protocol.kernel.names import ConsumerNames, QueueNames
from pyredisson.protocol.kernel.replies import each, number, reading, truth
from pyredisson.protocol.kernel.scripts import load
from pyredisson.protocol.objects.encoding import encoder
from pyredisson.protocol.objects.pages import Page, Scored
from pyredisson.protocol.poison.undecodable import quarantining

__all__ = ["DelayedQueueProtocol", "Transferred", "offer_of"]

V = TypeVar("V")


class Transferred(NamedTuple):
    """The result of a transfer.

    `next_ms` is the score of the new head in epoch milliseconds, or None without a head. `poison`
    is the number of entries that were moved to the poison list. `moved` is the number of items that
    were moved to the target queue. The script counts them only if the caller requests the number or
    an entry was poison; otherwise `moved` is 0.
    """

    next_ms: float | None
    poison: int = 0
    moved: int = 0


def _transferred(reply: Any) -> Transferred:
    head, poison, moved = reply if isinstance(reply, list) else (reply, 0, 0)
    return Transferred(None if head is None else float(head), poison, moved)


def heads_of(queues: Sequence[ConsumerNames]) -> Eval[list[float | None]]:
    """Read when the transfer task has work in each queue: an item is due or expires, a lease ends.

    The result has the earliest of these times for each queue, in epoch milliseconds. None means
    that no such time exists. 0 means that work exists now: the list `arriving` has elements, or
    dedup keys exist and no item is pending. In a cluster, the queues must be in one slot.
    """
    keys = tuple(
        key
        for names in queues
        for n in [names.queue]
        for key in (n.timeout_set, names.leases, names.arriving, n.dedup, names.expiring)
    )

    def scores(reply: Any) -> list[float | None]:
        return [None if score is None else float(score) for score in reply]

    return Eval(load("delayed/heads"), keys, (), scores, safe=True)


def _raw(entry: bytes) -> bytes:
    """Return the encoded value of an entry, or the whole entry if unpacking fails."""
    try:
        return unpack(entry).value
    except WireFormatError:
        return entry


def offer_of(names: QueueNames, receipt: Receipt) -> Eval[None]:
    """Store an item, without WAIT or WAITAOF. Publish its score if the item is the head."""
    item_id: Arg = receipt.item_id
    layout = "Bc0Lc0"
    if receipt.wire_format is WireFormat.LEGACY:
        item_id, layout = legacy_id(receipt.item_id), "dLc0"
    keys = (names.name, names.timeout_set, names.delay_list, names.channel)
    args = (receipt.due_ms, item_id, receipt.value, layout)

    def read(rejection: Any) -> None:
        if rejection is not None:
            raise NotNotifiedError(
                names.channel, bytes(rejection).decode("utf-8", "replace"), receipt
            )

    def lost(error: Exception) -> Exception:
        return UncertainOfferError(names.name, error, receipt)

    return Eval(load("delayed/offer"), keys, args, read, lost=lost)


@dataclass(frozen=True, slots=True)
class DelayedQueueProtocol(Generic[V]):
    """The operations of one delayed queue."""

    names: QueueNames
    codec: Codec[V]
    wire_format: WireFormat = WireFormat.CURRENT
    quarantines: bool = True
    max_bytes: int | None = None
    durable: Durable | None = None

    @property
    def encode(self) -> Callable[[V], bytes]:
        """The encoder for the values of offers."""
        return encoder(self.codec, self.names.name, self.max_bytes)

    def receipt(self, data: bytes, due_ms: int, item_id: bytes) -> Receipt:
        """Return the receipt of an offer before it is sent; `data` is the encoded value."""
        return Receipt(self.names.name, due_ms, item_id, data, self.wire_format)

    def offer(self, receipt: Receipt) -> Eval[None]:
        """Store an item, and publish its score if the item is the head.

        If the item is already pending, the script adds nothing. It sets the due time to that of the
        receipt.
        """
        offer = offer_of(self.names, receipt)
        return confirmed(offer, self.durable, lambda lack, _: self.unconfirmed([receipt], lack))

    def offer_many(self, receipts: Sequence[Receipt]) -> Eval[None]:
        """Store new items, all or none; publish the earliest score if its item is the new head."""
        names = self.names
        args: list[Arg] = []
        for receipt in receipts:
            args += (receipt.due_ms, receipt.entry)
        keys = (names.name, names.timeout_set, names.delay_list, names.channel)

        def read(rejection: Any) -> None:
            if rejection is not None:
                earliest = min(receipts, key=lambda receipt: receipt.due_ms)
                text = bytes(rejection).decode("utf-8", "replace")
                raise NotNotifiedError(names.channel, text, earliest)

        def lost(error: Exception) -> Exception:
            return UncertainOfferError(names.name, error, receipts[0])

        offer = Eval(load("delayed/offer_many"), keys, tuple(args), read, lost=lost)
        return confirmed(offer, self.durable, lambda lack, _: self.unconfirmed(receipts, lack))

    def unconfirmed(self, receipts: Sequence[Receipt], lack: str) -> NotReplicatedError:
        """Return the error of offers that are stored but not confirmed."""
        what = "the item is" if len(receipts) == 1 else "items are"
        return NotReplicatedError(
            f"{what} stored for queue {self.names.name!r}",
            lack,
            "do not offer again; if that master is lost, call offer_again(receipt) for each of "
            "error.receipts (an item that was delivered already is then delivered again)",
            receipts=receipts,
        )

    def durably(self, offer: Eval[Receipt], receipt: Receipt) -> Eval[Receipt]:
        """Add a confirmation to an offer that returns the receipt of the pending item."""
        return confirmed(
            offer, self.durable, lambda lack, found: self.unconfirmed([found or receipt], lack)
        )

    def touch(self, receipt: Receipt) -> Command[None]:
        """Confirm an earlier offer of an item, whether the item is still pending or not."""
        write = touch(self.names.name, None)
        return confirmed(write, self.durable, lambda lack, _: self.unconfirmed([receipt], lack))

    def transfer(
        self, now_ms: int, limit: int, *, counted: bool = False, due_times: bool = False
    ) -> Eval[Transferred]:
        """Move up to `limit` items that are due at `now_ms`. The script is safe to send again.

        With `counted`, the result has the number of moved items. With `due_times`, the script
        stores the due times for consumers.
        """
        args = (now_ms, limit, int(counted))
        names = self.names
        due = (names.due,) if due_times else ()
        keys = (names.name, names.timeout_set, names.delay_list, names.poison, *due)
        return Eval(load("delayed/transfer"), keys, args, _transferred, safe=True)

    def _value(self, entry: bytes) -> V:
        return reading(self.codec)(unpack(entry).value)

    def _optional(self, entry: bytes | None) -> V | None:
        return None if entry is None else self._value(entry)

    @property
    def _pending(self) -> tuple[str, str]:
        return (self.names.delay_list, self.names.timeout_set)

    def poll(self) -> Eval[V | None]:
        """Pop the oldest pending item, due or not."""

        def read(reply: Any) -> V | None:
            return self._optional(reply[0] if reply else None)

        return self._poll(1, read)

    def poll_many(self, limit: int) -> Eval[list[V]]:
        """Pop up to `limit` of the oldest pending items."""
        return self._poll(limit, each(self._value))

    def _poll(self, limit: int, read: Callable[[Any], Any]) -> Eval[Any]:
        def rest(reply: list[bytes], good: Callable[[bytes], bool]) -> list[bytes]:
            return [entry for entry in reply if good(_raw(entry))]

        quarantine = quarantining(lambda _: self.names.name, rest) if self.quarantines else None
        return Eval(load("delayed/poll"), self._pending, (limit,), read, quarantine=quarantine)

    def poll_last_and_offer_first_to(self, target: str) -> Eval[V | None]:
        """Move the value of the newest pending item to the head of `target`, a mapped name."""
        keys = (*self._pending, target, self.names.poison)

        def read(entry: bytes | None) -> V | None:
            try:
                return self._optional(entry)
            except WireFormatError as error:
                note_quarantined(error, self.names.poison)  # by the script
                raise

        return Eval(load("delayed/poll_last_and_offer_first_to"), keys, (), read)

    def peek(self) -> Command[V | None]:
        """LINDEX 0: the value of the oldest pending item, due or not."""
        key = self.names.delay_list
        return Command(("LINDEX", key, 0), self._optional, key, safe=True)

    def size(self) -> Command[int]:
        """LLEN: the number of pending items."""
        return Command(("LLEN", self.names.delay_list), number, self.names.delay_list, safe=True)

    def range(self, start: int, stop: int) -> Command[list[V]]:
        """LRANGE: pending values from `start` to `stop` inclusive."""
        return self._range(start, stop, each(self._value))

    def entries(self, start: int, stop: int) -> Command[list[bytes]]:
        """LRANGE: packed entries from `start` to `stop` inclusive."""
        return self._range(start, stop, list)

    def _range(self, start: int, stop: int, read: Any) -> Command[Any]:
        key = self.names.delay_list
        return Command(("LRANGE", key, start, stop), read, key, safe=True)

    def value_of(self, entry: bytes) -> V:
        """Decode the value of a pending entry."""
        return self._value(entry)

    def _search(self, script: str, values: Iterable[V], *, write: bool) -> Eval[bool]:
        args = tuple(self.codec.encode(value) for value in values)
        keys = self._pending if write else self._pending[:1]
        return Eval(load(f"delayed/{script}"), keys, args, truth, safe=not write)

    def contains(self, value: V) -> Eval[bool]:
        """Return whether the value is pending; values are compared by the codec's bytes."""
        return self._search("contains", (value,), write=False)

    def contains_all(self, values: Iterable[V]) -> Eval[bool]:
        """Return whether all values are pending; the iterable must not be empty."""
        return self._search("contains_all", values, write=False)

    def remove(self, value: V) -> Eval[bool]:
        """Remove the first pending item with the value."""
        return self._search("remove", (value,), write=True)

    def remove_all(self, values: Iterable[V]) -> Eval[bool]:
        """Remove all pending items with any of the values; the iterable must not be empty."""
        return self._search("remove_all", values, write=True)

    def retain_all(self, values: Iterable[V]) -> Eval[bool]:
        """Remove all pending items whose value is none of these; the iterable must not be empty."""
        return self._search("retain_all", values, write=True)

    def remove_entry(self, entry: bytes) -> Eval[bool]:
        """Remove one item with exactly this entry, even if only the list or only the set has it."""
        return Eval(load("delayed/remove_entry"), self._pending, (entry,), truth)

    # one item, by its receipt

    def cancel(self, receipt: Receipt) -> Eval[bool]:
        """Remove a pending item; return whether it was pending."""
        return Eval(load("delayed/cancel"), self._pending, (receipt.entry,), truth)

    def reschedule(self, receipt: Receipt) -> Eval[Receipt | None]:
        """Set an item's due time to that of this receipt.

        Return the receipt, or None if the item is not pending.
        """
        channel = self.names.channel

        def read(reply: Any) -> Receipt | None:
            if isinstance(reply, bytes):
                text = reply.decode("utf-8", "replace")
                raise NotNotifiedError(channel, text, receipt, returns=receipt)
            return receipt if reply else None

        keys = (self.names.timeout_set, channel)
        args = (receipt.entry, receipt.due_ms)
        return Eval(load("delayed/reschedule"), keys, args, read)

    def due(self, receipt: Receipt) -> Command[int | None]:
        """ZSCORE: the due time of an item in epoch milliseconds; None if it is not pending."""
        key = self.names.timeout_set

        def read(score: Any) -> int | None:
            return None if score is None else milliseconds(float(score))

        return Command(("ZSCORE", key, receipt.entry), read, key, safe=True)

    def page(self, after: Scored, limit: int) -> Eval[Page[Scored]]:
        """Read the items that follow the item `after`, in the order of their due times.

        If `after` is not pending, or has another due time than before, read from its old time on.
        """

        def read(reply: Any) -> Page[Scored]:
            more, steps = reply
            found = [pair for step in steps for pair in zip(step[::2], step[1::2], strict=True)]
            return Page(found, more=more == 1)

        keys = (self.names.timeout_set,)
        return Eval(load("delayed/page"), keys, (*after, limit), read, safe=True)

    def item(self, scored: Scored) -> PendingItem[V] | None:
        """Read an item of a page; return None for bytes that no offer has written."""
        return pending_item(self.names.name, self.codec, scored)
