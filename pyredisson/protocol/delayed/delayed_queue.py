"""RDelayedQueue as commands: the pending items of one queue.

`poll`, `peek`, `size`, `contains`, `remove` and their kin act on the delay
list, in the order in which items were offered, due or not, as in Redisson.
The scripts issue the same commands as `org.redisson.RedissonDelayedQueue` in
the same order (docs/wire-format.md); where Redisson's are a bug, theirs plus
what is missing.
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
    note_quarantined,
)
from pyredisson.protocol.delayed.entry import WireFormat, legacy_id, unpack
from pyredisson.protocol.delayed.pending import Entry, PendingItem, milliseconds, pending_item
from pyredisson.protocol.delayed.receipt import Receipt
from pyredisson.protocol.kernel.command import Arg, Command, Eval
from pyredisson.protocol.kernel.durable import Durable, confirmed
from pyredisson.protocol.kernel.names import ConsumerNames, QueueNames
from pyredisson.protocol.kernel.replies import each, nothing, number, reading, truth
from pyredisson.protocol.kernel.scripts import load
from pyredisson.protocol.objects.encoding import encoder
from pyredisson.protocol.poison.poison_list import keeping

__all__ = ["DelayedQueueProtocol", "Transferred"]

V = TypeVar("V")


class Transferred(NamedTuple):
    """The end of one transfer: the score that is the head now, how many were poison or moved."""

    next_ms: float | None
    poison: int = 0
    moved: int = 0


def _transferred(reply: Any) -> Transferred:
    head, poison, moved = reply if isinstance(reply, list) else (reply, 0, 0)
    return Transferred(None if head is None else float(head), poison, moved)


def heads_of(queues: Sequence[ConsumerNames]) -> Eval[list[float | None]]:
    """When each queue has something to do: an item is due or expires, a lease ends, keys are left.

    In a cluster they must be of one slot.
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


def _raw(member: bytes) -> bytes:
    """Return what an error about a member has: the value's bytes, or all where none are found."""
    try:
        return unpack(member).value
    except WireFormatError:
        return member


@dataclass(frozen=True, slots=True)
class DelayedQueueProtocol(Generic[V]):
    """The operations of one delayed queue."""

    names: QueueNames
    codec: Codec[V]
    wire_format: WireFormat = WireFormat.CURRENT
    keeps: bool = True
    max_bytes: int | None = None
    durable: Durable | None = None

    @property
    def encode(self) -> Callable[[V], bytes]:
        """What encodes the values of offers."""
        return encoder(self.codec, self.names.name, self.max_bytes)

    def receipt(self, data: bytes, due_ms: int, item_id: bytes) -> Receipt:
        """Fix all that an offer will store, before it is sent; `data` is the encoded value."""
        return Receipt(self.names.name, due_ms, item_id, data, self.wire_format)

    def offer(self, receipt: Receipt) -> Eval[None]:
        """Store an item and announce it.

        Sent again for the same receipt it adds nothing as long as the item is pending.
        """
        names = self.names
        item_id: Arg = receipt.item_id
        layout = "Bc0Lc0"
        if receipt.wire_format is WireFormat.LEGACY:
            item_id, layout = legacy_id(receipt.item_id), "dLc0"
        keys = (names.name, names.timeout_set, names.delay_list, names.channel)
        args = (receipt.due_ms, item_id, receipt.value, layout)

        def read(refusal: Any) -> None:
            if refusal is not None:
                raise NotNotifiedError(
                    names.channel, bytes(refusal).decode("utf-8", "replace"), receipt
                )

        def lost(error: Exception) -> Exception:
            return UncertainOfferError(names.name, error, receipt)

        offer = Eval(load("delayed/offer"), keys, args, read, lost=lost)
        return confirmed(offer, self.durable, lambda lack, _: self.unconfirmed([receipt], lack))

    def offer_many(self, receipts: Sequence[Receipt]) -> Eval[None]:
        """Store new items, all of them or none, and announce the earliest."""
        names = self.names
        args: list[Arg] = []
        for receipt in receipts:
            args += (receipt.due_ms, receipt.member)
        keys = (names.name, names.timeout_set, names.delay_list, names.channel)

        def read(refusal: Any) -> None:
            if refusal is not None:
                earliest = min(receipts, key=lambda receipt: receipt.due_ms)
                text = bytes(refusal).decode("utf-8", "replace")
                raise NotNotifiedError(names.channel, text, earliest)

        def lost(error: Exception) -> Exception:
            return UncertainOfferError(names.name, error, receipts[0])

        offer = Eval(load("delayed/offer_many"), keys, tuple(args), read, lost=lost)
        return confirmed(offer, self.durable, lambda lack, _: self.unconfirmed(receipts, lack))

    def unconfirmed(self, receipts: Sequence[Receipt], lack: str) -> NotReplicatedError:
        """Return the error of offers that are stored and not confirmed."""
        what = "the item is" if len(receipts) == 1 else "items are"
        return NotReplicatedError(
            f"{what} stored for queue {self.names.name!r}",
            lack,
            "do not offer again; if that master is lost, offer_again(receipt) for each in "
            "error.receipts makes sure that it is there once, as long as it has not been delivered",
            receipts=receipts,
        )

    def durably(self, offer: Eval[Receipt], receipt: Receipt) -> Eval[Receipt]:
        """Let an offer that returns what is there then wait for its confirmation."""
        return confirmed(
            offer, self.durable, lambda lack, found: self.unconfirmed([found or receipt], lack)
        )

    def touch(self, receipt: Receipt) -> Command[None]:
        """LMOVE of the head to where it is: a write, so that what was there before is confirmed."""
        key = self.names.delay_list
        touch = Command(("LMOVE", key, key, "LEFT", "LEFT"), nothing, key, safe=True)
        return confirmed(touch, self.durable, lambda lack, _: self.unconfirmed([receipt], lack))

    def transfer(
        self, now_ms: int, limit: int, *, counted: bool = False, due_times: bool = False
    ) -> Eval[Transferred]:
        """Move what is due at `now_ms`, at most `limit` items. Safe to send again.

        With `counted` it tells how many, with `due_times` it notes when they were due.
        """
        args = (now_ms, limit, int(counted))
        names = self.names
        due = (names.due,) if due_times else ()
        keys = (names.name, names.timeout_set, names.delay_list, names.poison, *due)
        return Eval(load("delayed/transfer"), keys, args, _transferred, safe=True)

    def _value(self, member: bytes) -> V:
        return reading(self.codec)(unpack(member).value)

    def _optional(self, member: bytes | None) -> V | None:
        return None if member is None else self._value(member)

    @property
    def _pending(self) -> tuple[str, str]:
        return (self.names.delay_list, self.names.timeout_set)

    def poll(self) -> Eval[V | None]:
        """Take the oldest pending item, due or not."""

        def read(reply: Any) -> V | None:
            return self._optional(reply[0] if reply else None)

        return self._poll(1, read)

    def poll_many(self, limit: int) -> Eval[list[V]]:
        """Take up to `limit` of the oldest pending items."""
        return self._poll(limit, each(self._value))

    def _poll(self, limit: int, read: Callable[[Any], Any]) -> Eval[Any]:
        def rest(reply: list[bytes], good: Callable[[bytes], bool]) -> list[bytes]:
            return [member for member in reply if good(_raw(member))]

        keep = keeping(lambda _: self.names.name, rest) if self.keeps else None
        return Eval(load("delayed/poll"), self._pending, (limit,), read, keep=keep)

    def poll_last_and_offer_first_to(self, target: str) -> Eval[V | None]:
        """Take the newest pending item to the head of another list (its name as in Redis)."""
        keys = (*self._pending, target, self.names.poison)

        def read(member: bytes | None) -> V | None:
            try:
                return self._optional(member)
            except WireFormatError as error:
                note_quarantined(error, self.names.poison)  # by the script
                raise

        return Eval(load("delayed/poll_last_and_offer_first_to"), keys, (), read)

    def peek(self) -> Command[V | None]:
        """LINDEX 0: the oldest pending item."""
        key = self.names.delay_list
        return Command(("LINDEX", key, 0), self._optional, key, safe=True)

    def size(self) -> Command[int]:
        """LLEN: how many are pending."""
        return Command(("LLEN", self.names.delay_list), number, self.names.delay_list, safe=True)

    def range(self, start: int, stop: int) -> Command[list[V]]:
        """LRANGE: pending values, both ends included."""
        return self._range(start, stop, each(self._value))

    def members(self, start: int, stop: int) -> Command[list[bytes]]:
        """LRANGE: pending members as they are, both ends included."""
        return self._range(start, stop, list)

    def _range(self, start: int, stop: int, read: Any) -> Command[Any]:
        key = self.names.delay_list
        return Command(("LRANGE", key, start, stop), read, key, safe=True)

    def value_of(self, member: bytes) -> V:
        """Decode one pending member."""
        return self._value(member)

    def _search(self, script: str, values: Iterable[V], *, write: bool) -> Eval[bool]:
        args = tuple(self.codec.encode(value) for value in values)
        keys = self._pending if write else self._pending[:1]
        return Eval(load(f"delayed/{script}"), keys, args, truth, safe=not write)

    def contains(self, value: V) -> Eval[bool]:
        """Is the value pending? Compares the codec's bytes."""
        return self._search("contains", (value,), write=False)

    def contains_all(self, values: Iterable[V]) -> Eval[bool]:
        """Are all the values pending? Not for an empty iterable."""
        return self._search("contains_all", values, write=False)

    def remove(self, value: V) -> Eval[bool]:
        """Remove the first pending item of a value."""
        return self._search("remove", (value,), write=True)

    def remove_all(self, values: Iterable[V]) -> Eval[bool]:
        """Remove all pending items of any of the values. Not for an empty iterable."""
        return self._search("remove_all", values, write=True)

    def retain_all(self, values: Iterable[V]) -> Eval[bool]:
        """Keep only the pending items of the values. Not for an empty iterable."""
        return self._search("retain_all", values, write=True)

    def remove_member(self, member: bytes) -> Eval[bool]:
        """Remove the first of what has exactly this member, also where it has no time."""
        return Eval(load("delayed/remove_member"), self._pending, (member,), truth)

    # what is known of one item, by its receipt

    def cancel(self, receipt: Receipt) -> Eval[bool]:
        """Take back an item; was it pending?"""
        return Eval(load("delayed/cancel"), self._pending, (receipt.member,), truth)

    def reschedule(self, receipt: Receipt) -> Eval[Receipt | None]:
        """Give an item the time that this receipt has; None when it is not pending."""
        channel = self.names.channel

        def read(reply: Any) -> Receipt | None:
            if isinstance(reply, bytes):
                text = reply.decode("utf-8", "replace")
                raise NotNotifiedError(channel, text, receipt, returns=receipt)
            return receipt if reply else None

        keys = (self.names.timeout_set, channel)
        args = (receipt.member, receipt.due_ms)
        return Eval(load("delayed/reschedule"), keys, args, read)

    def due(self, receipt: Receipt) -> Command[int | None]:
        """ZSCORE: when an item is due, in epoch milliseconds; None when it is not pending."""
        key = self.names.timeout_set

        def read(score: Any) -> int | None:
            return None if score is None else milliseconds(float(score))

        return Command(("ZSCORE", key, receipt.member), read, key, safe=True)

    def page(self, after: Entry, limit: int) -> Eval[list[Entry]]:
        """Read what falls due after an item; or, where that is gone, from its time on."""

        def read(reply: list[bytes]) -> list[Entry]:
            return [*zip(reply[::2], reply[1::2], strict=True)]

        keys = (self.names.timeout_set,)
        return Eval(load("delayed/page"), keys, (*after, limit), read, safe=True)

    def item(self, entry: Entry) -> PendingItem[V] | None:
        """Read an item of a page; None of a member that no Redisson writes."""
        return pending_item(self.names.name, self.codec, entry)
