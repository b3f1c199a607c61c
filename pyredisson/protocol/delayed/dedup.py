"""Offers with a key, at most one of which is pending: deduplication and debounce.

A hash has the member that was offered last with each key. The rule: a key means something as long
as that member is pending, so whoever delivers or removes an item, Java as well, frees its key
without knowing of it. What means nothing any more goes little by little, with each new item that
has a key and by transfer tasks.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from pyredisson.errors import NotNotifiedError, QueueFullError, UncertainOfferError
from pyredisson.protocol.delayed.pending import receipt_of
from pyredisson.protocol.delayed.receipt import Receipt
from pyredisson.protocol.kernel.command import Eval
from pyredisson.protocol.kernel.names import QueueNames
from pyredisson.protocol.kernel.scripts import load

__all__ = ["Dedup", "IfExists", "offer_once", "pending_with"]

IfExists: TypeAlias = Literal["ignore", "replace", "extend", "earliest"]
"""What an offer does where an item with its key is pending."""


class Dedup(NamedTuple):
    """A key, and what to do where an item with it is pending."""

    key: bytes
    if_exists: IfExists

    @classmethod
    def of(cls, dedup: Any, if_exists: Any) -> Dedup:
        """Check what the caller gave.

        Raises:
            TypeError: the key is no text; `if_exists` without a key.
            ValueError: an empty key, or one that UTF-8 cannot encode; another `if_exists`.
        """
        if dedup is None:
            raise TypeError(f"if_exists={if_exists!r} needs a key: dedup=")
        if not isinstance(dedup, str):
            raise TypeError(f"dedup must be str, not {dedup!r}")
        if not dedup:
            raise ValueError("dedup is empty; a key that all offers share would keep one of them")
        rules = get_args(IfExists)
        if if_exists is None:
            if_exists = rules[0]
        if if_exists not in rules:
            raise ValueError(f"if_exists must be one of {rules}, not {if_exists!r}")
        return cls(dedup.encode(), if_exists)


def offer_once(
    names: QueueNames, receipt: Receipt, dedup: Dedup, most: int | None = None
) -> Eval[Receipt]:
    """Store an item, unless one with its key is pending; the receipt of what is afterwards.

    With `most` it raises `QueueFullError` where the item would be one too many.
    """

    def read(reply: Any) -> Receipt:
        if most is not None and len(reply) == 1:
            raise QueueFullError(names.name, reply[0], most)
        member, score, *refusal = reply
        found = receipt
        if member is not None:
            stored = member == receipt.member
            found = replace(receipt_of(names.name, (member, score)), stored=stored)
        if refusal:
            text = refusal[0].decode("utf-8", "replace")
            raise NotNotifiedError(names.channel, text, found, returns=found)
        return found

    def lost(error: Exception) -> Exception:
        return UncertainOfferError(names.name, error, None)

    keys = (names.name, names.timeout_set, names.delay_list, names.channel, names.dedup)
    bound = "inf" if most is None else most
    args = (receipt.due_ms, receipt.member, dedup.key, dedup.if_exists, bound)
    return Eval(load("delayed/keyed_offer"), keys, args, read, lost=lost)


def pending_with(names: QueueNames, key: bytes) -> Eval[Receipt | None]:
    """Find the item that is pending with a key."""

    def read(reply: Any) -> Receipt | None:
        return None if reply is None else receipt_of(names.name, (reply[0], reply[1]))

    keys = (names.dedup, names.timeout_set)
    return Eval(load("delayed/keyed"), keys, (key,), read, safe=True)
