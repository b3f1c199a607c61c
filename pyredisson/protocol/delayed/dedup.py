"""Offers with a key, for deduplication and debounce: at most one item with a key is pending.

A hash maps each key to the entry that was last stored with it. The rule: a key is in use as long
as this entry is pending. Therefore each client that transfers or removes an item frees the item's
key, also a Java client, which never uses the hash. Keys that are no longer in use are deleted by
offers with a key, by transfer tasks, and by calls that delete or rename the delayed queue.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal, NamedTuple, TypeAlias

from pyredisson.errors import NotNotifiedError, QueueFullError, UncertainOfferError
from pyredisson.protocol.delayed.pending import receipt_of
from pyredisson.protocol.delayed.receipt import Receipt
from pyredisson.protocol.kernel.choices import require_choice
from pyredisson.protocol.kernel.command import Eval
from pyredisson.protocol.kernel.names import QueueNames
from pyredisson.protocol.kernel.scripts import load

__all__ = ["Dedup", "IfExists", "offer_once", "pending_with"]

IfExists: TypeAlias = Literal["ignore", "replace", "extend", "earliest"]
"""The action of an offer if an item with the same key is pending.

With "replace", the new item replaces the pending item. With the other words, the pending item
stays: "ignore" keeps its due time, "extend" and "earliest" give it the later or the earlier of both
due times.
"""


class Dedup(NamedTuple):
    """A key, and the action if an item with this key is pending."""

    key: bytes
    if_exists: IfExists

    @classmethod
    def of(cls, dedup: Any, if_exists: Any) -> Dedup:
        """Check the caller's arguments; if `if_exists` is None, it becomes "ignore".

        Raises:
            TypeError: the key is None or not a str.
            ValueError: the key is empty or not valid in UTF-8, or `if_exists` is unknown.
        """
        if dedup is None:
            raise TypeError(f"if_exists={if_exists!r} needs a key: dedup=")
        if not isinstance(dedup, str):
            raise TypeError(f"dedup must be str, not {dedup!r}")
        if not dedup:
            raise ValueError("dedup is empty; only one item with the same key can be pending")
        if if_exists is None:
            if_exists = "ignore"
        return cls(dedup.encode(), require_choice(if_exists, IfExists, "if_exists"))


def offer_once(
    names: QueueNames, receipt: Receipt, dedup: Dedup, most: int | None = None
) -> Eval[Receipt]:
    """Store an item; if an item with the same key is pending, apply `if_exists`.

    The result is the receipt of the item that has the key after the call. If another item than the
    offered one has the key, the `stored` of this receipt is False.

    Args:
        names: the keys of the queue.
        receipt: the receipt of the offered item.
        dedup: the key and `if_exists`.
        most: the maximum number of waiting items, pending and in the target list. If the queue has
            no room, decoding the reply raises `QueueFullError`. With None, there is no maximum.
    """

    def read(reply: Any) -> Receipt:
        if most is not None and len(reply) == 1:
            raise QueueFullError(names.name, reply[0], most)
        entry, score, *rejection = reply
        found = receipt
        if entry is not None:
            stored = entry == receipt.entry
            found = replace(receipt_of(names.name, (entry, score)), stored=stored)
        if rejection:
            text = rejection[0].decode("utf-8", "replace")
            raise NotNotifiedError(names.channel, text, found, returns=found)
        return found

    def lost(error: Exception) -> Exception:
        return UncertainOfferError(names.name, error, None)

    keys = (names.name, names.timeout_set, names.delay_list, names.channel, names.dedup)
    bound = "inf" if most is None else most
    args = (receipt.due_ms, receipt.entry, dedup.key, dedup.if_exists, bound)
    return Eval(load("delayed/keyed_offer"), keys, args, read, lost=lost)


def pending_with(names: QueueNames, key: bytes) -> Eval[Receipt | None]:
    """Find the pending item with a key; the result is None if no such item exists."""

    def read(reply: Any) -> Receipt | None:
        return None if reply is None else receipt_of(names.name, (reply[0], reply[1]))

    keys = (names.dedup, names.timeout_set)
    return Eval(load("delayed/keyed"), keys, (key,), read, safe=True)
