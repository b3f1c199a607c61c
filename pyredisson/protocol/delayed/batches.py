"""The offers of one `offer_many`: checks, encodes and batches items, and records each result.

The rule: one script stores a batch, whole or not at all. Only for a queue with a maximum size, the
script stores the first items of a batch, as many as the queue has room for. All items of a batch
are checked before the batch is sent. Batches are small, so that no script blocks the server for
long, and so that a call whose items come from an iterator needs little memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from enum import Enum, auto
from math import ceil
from typing import Any, Generic, TypeVar

from pyredisson.errors import (
    PartialOfferError,
)
from pyredisson.protocol.delayed.delayed_queue import DelayedQueueProtocol
from pyredisson.protocol.delayed.item_id import new_item_ids
from pyredisson.protocol.delayed.offer_packer import Row
from pyredisson.protocol.delayed.receipt import Receipt
from pyredisson.protocol.kernel.due import Due, Seconds
from pyredisson.protocol.kernel.error_notes import note_item

__all__ = ["Batch", "BatchBuilder", "BatchResult", "BatchState", "When"]

V = TypeVar("V")

When = Seconds | datetime
"""When an item is due: a delay from now, or an aware datetime."""

_ITEMS = 250
_BYTES = 256 * 1024
_SECONDS = 0.1
_USUAL = 1e9  # a delay in seconds that stays far below the maximum score
_FAR = 2.0**42  # epoch ms, in 2109: to reject too long delays before the time is known


class BatchState(Enum):
    """The result of a batch; UNKNOWN if the reply of its script was lost."""

    UNSTORED = auto()
    STORED = auto()
    UNKNOWN = auto()


class Batch:
    """The items that one script stores.

    Args:
        first: the position of the first item among all items of the call.
        protocol: the operations of the queue.
        rows: the due time, the id and the encoded value of each item.
    """

    __slots__ = ("_protocol", "_receipts", "fate", "first", "rows")

    def __init__(self, first: int, protocol: DelayedQueueProtocol[Any], rows: list[Row]) -> None:
        self.first = first
        self.rows = rows
        self.fate = BatchState.UNSTORED
        self._protocol = protocol
        self._receipts: list[Receipt] | None = None

    @property
    def receipts(self) -> list[Receipt]:
        """The receipts of the items, made on first use."""
        if self._receipts is None:
            queue, wire_format = self._protocol.names.name, self._protocol.wire_format
            self._receipts = [
                Receipt(queue, due, item_id, data, wire_format) for due, item_id, data in self.rows
            ]
        return self._receipts

    def split(self, count: int) -> tuple[Batch, Batch]:
        """Return the first `count` items and the others as two batches."""
        return (
            Batch(self.first, self._protocol, self.rows[:count]),
            Batch(self.first + count, self._protocol, self.rows[count:]),
        )

    @property
    def earliest_ms(self) -> int:
        """The earliest due time of the items."""
        return min([row[0] for row in self.rows])


class BatchBuilder(Generic[V]):
    """Collects, checks and encodes the items of a batch; the call of `batch` starts their delays.

    Args:
        encode: encodes a value.
        first: the position of the first item among all items of the call.
        clock: returns monotonic seconds. A batch that is 0.1 s old is full after the next item, so
            that the items of a slow iterator are stored before there are 250 items.
    """

    def __init__(
        self, encode: Callable[[V], bytes], first: int, clock: Callable[[], float]
    ) -> None:
        self.first = first
        self._encode = encode
        self._clock = clock
        self._end = clock() + _SECONDS
        self._rows: list[tuple[bytes, int | Due]] = []
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def values(self) -> list[bytes]:
        """The encoded values."""
        return [data for data, _ in self._rows]

    def take(self, items: Iterable[tuple[V, When]]) -> bool:
        """Take items until the batch is full; return False if the items end first.

        Raises:
            EncodeError, TypeError, ValueError: an item is not valid; the error names its position.
        """
        value: V
        when: Any
        due: int | Due
        rows, encode, clock, end = self._rows, self._encode, self._clock, self._end
        for item in items:
            try:
                try:
                    value, when = item
                except (TypeError, ValueError):
                    raise TypeError(f"must be a value and its delay, not {item!r:.80}") from None
                data = encode(value)
                kind = type(when)
                if (kind is float or kind is int) and 0 <= when < _USUAL:
                    due = ceil(when * 1_000_000)
                else:
                    due = _due(when)
            except Exception as error:
                note_item(error, self.first + len(rows))
                raise
            rows.append((data, due))
            self._bytes += len(data)
            if len(rows) >= _ITEMS or self._bytes >= _BYTES or clock() >= end:
                return True
        return False

    def batch(self, protocol: DelayedQueueProtocol[Any], now_ms: float, random: bytes) -> Batch:
        """Return the batch; its delays are counted from `now_ms`.

        Args:
            protocol: the operations of the queue.
            now_ms: the server's time in epoch milliseconds.
            random: 8 bytes for each item.
        """
        start = ceil(now_ms * 1000)
        ids = new_item_ids(start, random, protocol.wire_format)
        rows = [
            (
                -(-(due + start) // 1000) if isinstance(due, int) else due.score(now_ms),
                item_id,
                data,
            )
            for (data, due), item_id in zip(self._rows, ids, strict=True)
        ]
        return Batch(self.first, protocol, rows)


def _due(when: Any) -> Due:
    if when is None:
        raise TypeError("delay must be seconds, a timedelta or an aware datetime, not None")
    due = Due.of(None, when) if isinstance(when, datetime) else Due.of(when, None)
    due.score(_FAR)
    return due


class BatchResult:
    """The results of the items of one call.

    Args:
        queue: the target's name in Redis.
        keep: whether to keep stored batches, so that `receipts` and `error` return their receipts.
            False limits the memory that the call needs.
        emit: a function that is called with the receipt of each stored item.
    """

    def __init__(
        self, queue: str, *, keep: bool, emit: Callable[[Receipt], None] | None = None
    ) -> None:
        self._emit = emit
        self.count = 0
        self._queue = queue
        self._keep = keep
        self._batches: list[Batch] = []

    def add(self, batch: Batch) -> None:
        """Add a batch; without `keep`, `stored` removes it again."""
        self._batches.append(batch)

    def stored(self, batch: Batch) -> None:
        """Record that a batch is stored."""
        batch.fate = BatchState.STORED
        self.count += len(batch.rows)
        if self._emit is not None:
            for receipt in batch.receipts:
                self._emit(receipt)
        if not self._keep:
            self._batches.remove(batch)

    def stored_first(self, batch: Batch, count: int) -> Batch | None:
        """Record that the first `count` items of a batch are stored.

        Return a batch of the other items, or None if all items are stored.
        """
        if count == len(batch.rows):
            self.stored(batch)
            return None
        first, rest = batch.split(count)
        place = self._batches.index(batch)
        self._batches[place : place + 1] = [first, rest]
        self.stored(first)
        return rest

    @property
    def complete(self) -> bool:
        """Whether all added batches are stored."""
        return all(batch.fate is BatchState.STORED for batch in self._batches)

    def receipts(self) -> list[Receipt]:
        """Return the receipts of all items in order; without `keep`, stored items are left out."""
        return [receipt for batch in self._batches for receipt in batch.receipts]

    def error(self, cause: Exception) -> PartialOfferError:
        """Return the error of the call; without `keep`, it has no receipts of stored items."""
        return PartialOfferError(
            self._queue,
            cause,
            count=self.count,
            stored=self._of(BatchState.STORED),
            unstored=self._of(BatchState.UNSTORED),
            unknown=self._of(BatchState.UNKNOWN),
        )

    def _of(self, fate: BatchState) -> dict[int, Receipt]:
        return {
            place: receipt
            for batch in self._batches
            if batch.fate is fate
            for place, receipt in enumerate(batch.receipts, batch.first)
        }
