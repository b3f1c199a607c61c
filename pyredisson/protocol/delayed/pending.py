"""What is pending with its times: pages in the order in which it falls due.

The rule: a page begins behind the item that was read last, found by its bytes and not by a number,
so that what is delivered in the meantime does not hide what is behind it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from typing import Generic, TypeVar

from pyredisson.codecs.base import Codec
from pyredisson.errors import DecodeError, WireFormatError
from pyredisson.protocol.delayed.entry import WireFormat, item_id_of, unpack
from pyredisson.protocol.delayed.receipt import Receipt
from pyredisson.protocol.kernel.due import from_epoch_ms
from pyredisson.protocol.kernel.replies import readable

__all__ = [
    "LAST_MS",
    "START",
    "Entry",
    "PendingItem",
    "later",
    "milliseconds",
    "pending_item",
    "receipt_of",
]

V = TypeVar("V")

Entry = tuple[bytes, bytes]
"""A member and its score as Redis encodes it."""

START: Entry = (b"", b"-inf")
"""Before the first page."""

LAST_MS = 253_402_300_799_999  # the last that a datetime has
_MAX_MS = 2**53


@dataclass(frozen=True, slots=True)
class PendingItem(Generic[V]):
    """An item that waits for its time.

    `raw` are the value's bytes, `value` what the queue's codec reads of them, None with an `error`
    where it cannot.  `receipt` stands for the item as that of its offer does, and Java's items
    have one, too (of `dLc0` its id has as many bits as Redis keeps of it).  `due_at` is the end
    of the year 9999 for what is due later.
    """

    value: V | None
    raw: bytes
    receipt: Receipt
    due_at: datetime
    error: DecodeError | None


def later(page: Sequence[Entry], shown: Entry) -> list[Entry]:
    """Return what of a page stands behind what was shown."""
    return [entry for entry in page if _order(entry) > _order(shown)]


def _order(entry: Entry) -> tuple[float, bytes]:
    return float(entry[1]), entry[0]


def pending_item(queue: str, codec: Codec[V], entry: Entry) -> PendingItem[V] | None:
    """Read an item; None of a member that no Redisson writes.

    Args:
        queue: the target's name in Redis.
        codec: reads the value.
        entry: the member and its score.
    """
    try:
        receipt = receipt_of(queue, entry)
    except WireFormatError:
        return None
    if receipt.member != entry[0]:
        return None
    value, error = readable(codec, receipt.value)
    due_at = from_epoch_ms(min(receipt.due_ms, LAST_MS))
    return PendingItem(value, receipt.value, receipt, due_at, error)


def receipt_of(queue: str, entry: Entry) -> Receipt:
    """Return the receipt of a pending member; one that Redisson writes has that again.

    Raises:
        WireFormatError: it is none.
    """
    member, score = entry
    found = unpack(member)
    legacy = found.wire_format is WireFormat.LEGACY
    item_id = item_id_of(found.item_id) if legacy else found.item_id
    due_ms = milliseconds(float(score))
    return Receipt(queue, due_ms, item_id, found.value, found.wire_format)


def milliseconds(score: float) -> int:
    """Return a score in the range of ours, whatever it is."""
    return ceil(min(max(score, 0.0), _MAX_MS))
