"""Pending items with their due times, read from entries and their scores."""

from __future__ import annotations

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
from pyredisson.protocol.objects.pages import Scored

__all__ = ["PendingItem", "milliseconds", "pending_item", "receipt_of"]

V = TypeVar("V")

_MAX_MS = 2**53


@dataclass(frozen=True, slots=True)
class PendingItem(Generic[V]):
    """An item that is offered and not yet transferred.

    Attributes:
        value: the value as the queue's codec decodes it; None if the codec cannot decode it.
        raw: the value's bytes.
        receipt: can be used like the receipt that the offer returned, also for an item that Java
            offered. With `dLc0`, its id has only the bits that Redis stores.
        due_at: the due time, an aware datetime; at most the end of the year 9999.
        error: why the value cannot be decoded; None if the value is decoded.
    """

    value: V | None
    raw: bytes
    receipt: Receipt
    due_at: datetime
    error: DecodeError | None


def pending_item(queue: str, codec: Codec[V], scored: Scored) -> PendingItem[V] | None:
    """Read an item; return None for bytes that no offer has written.

    Args:
        queue: the target's name in Redis.
        codec: decodes the value.
        scored: the entry and its score.
    """
    try:
        receipt = receipt_of(queue, scored)
    except WireFormatError:
        return None
    if receipt.entry != scored[0]:
        return None
    value, error = readable(codec, receipt.value)
    due_at = from_epoch_ms(receipt.due_ms)
    return PendingItem(value, receipt.value, receipt, due_at, error)


def receipt_of(queue: str, scored: Scored) -> Receipt:
    """Return the receipt of a pending entry.

    The receipt's `entry` has the same bytes, if Redisson or pyredisson wrote them.

    Raises:
        WireFormatError: the bytes have neither layout of an entry.
    """
    entry, score = scored
    found = unpack(entry)
    legacy = found.wire_format is WireFormat.LEGACY
    item_id = item_id_of(found.item_id) if legacy else found.item_id
    due_ms = milliseconds(float(score))
    return Receipt(queue, due_ms, item_id, found.value, found.wire_format)


def milliseconds(score: float) -> int:
    """Return a score as whole milliseconds, rounded up and limited to 0 to 2**53."""
    return ceil(min(max(score, 0.0), _MAX_MS))
