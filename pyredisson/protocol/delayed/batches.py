"""Many offers of one call: checked and encoded, cut into chunks, and what became of each chunk.

The rule: a chunk is one script, so it is stored whole or not at all; nothing of it is sent
before all of it is checked. Its size bounds how long the server is blocked, and the memory of
a call whose items come from an iterator.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from enum import Enum, auto
from math import ceil
from typing import Any, Generic, TypeVar

from pyredisson.errors import PartialOfferError, note_item
from pyredisson.protocol.delayed.delayed_queue import DelayedQueueProtocol
from pyredisson.protocol.delayed.item_id import new_item_ids
from pyredisson.protocol.delayed.offer_packer import Row
from pyredisson.protocol.delayed.receipt import Receipt
from pyredisson.protocol.kernel.due import Due, Seconds

__all__ = ["Batch", "BatchBuilder", "BatchResult", "Fate", "When"]

V = TypeVar("V")

When = Seconds | datetime
"""When an item is due: so long from now on, or an aware datetime."""

_ITEMS = 250
_BYTES = 256 * 1024
_SECONDS = 0.1
_USUAL = 1e9  # seconds of a delay that stays far below the highest score
_FAR = 2.0**42  # epoch milliseconds, in 2109: delays are refused before the time is known


class Fate(Enum):
    """What became of a chunk."""

    UNSTORED = auto()
    STORED = auto()
    UNKNOWN = auto()


class Batch:
    """Items that one script stores.

    Args:
        first: the place of the first one among all items of the call.
        protocol: of the queue.
        rows: when each is due, its id, and its value in bytes.
    """

    __slots__ = ("_protocol", "_receipts", "fate", "first", "rows")

    def __init__(self, first: int, protocol: DelayedQueueProtocol[Any], rows: list[Row]) -> None:
        self.first = first
        self.rows = rows
        self.fate = Fate.UNSTORED
        self._protocol = protocol
        self._receipts: list[Receipt] | None = None

    @property
    def receipts(self) -> list[Receipt]:
        """The receipt of each item, made when it is asked for."""
        if self._receipts is None:
            queue, wire_format = self._protocol.names.name, self._protocol.wire_format
            self._receipts = [
                Receipt(queue, due, item_id, data, wire_format) for due, item_id, data in self.rows
            ]
        return self._receipts

    def split(self, count: int) -> tuple[Batch, Batch]:
        """Return its first items and the others, each as a chunk."""
        return (
            Batch(self.first, self._protocol, self.rows[:count]),
            Batch(self.first + count, self._protocol, self.rows[count:]),
        )

    @property
    def earliest_ms(self) -> int:
        """When the item that is due first is due."""
        return min([row[0] for row in self.rows])


class BatchBuilder(Generic[V]):
    """A chunk to be: its items are checked and encoded, and their delays do not run yet.

    Args:
        encode: encodes a value.
        first: the place of the first item among all of the call.
        clock: monotonic seconds; items of a slow source do not wait for 250.
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
        """The values as they are encoded."""
        return [data for data, _ in self._rows]

    def take(self, items: Iterable[tuple[V, When]]) -> bool:
        """Take items until there are enough for a chunk; False when the items end before that.

        Raises:
            EncodeError, TypeError, ValueError: naming the item's place.
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
                    raise TypeError(f"takes a value and its delay, not {item!r:.80}") from None
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

    def chunk(self, protocol: DelayedQueueProtocol[Any], now_ms: float, random: bytes) -> Batch:
        """Let the delays run from now on.

        Args:
            protocol: of the queue.
            now_ms: the server's time.
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
    """What became of the items of one call.

    Args:
        queue: the target's name in Redis.
        keep: keep the receipts of what is stored; without it memory is bounded.
        emit: gets each receipt that is stored.
    """

    def __init__(
        self, queue: str, *, keep: bool, emit: Callable[[Receipt], None] | None = None
    ) -> None:
        self._emit = emit
        self.count = 0
        self._queue = queue
        self._keep = keep
        self._chunks: list[Batch] = []

    def add(self, chunk: Batch) -> None:
        """Keep a chunk until it is stored, or longer."""
        self._chunks.append(chunk)

    def stored(self, chunk: Batch) -> None:
        """A chunk is stored."""
        chunk.fate = Fate.STORED
        self.count += len(chunk.rows)
        if self._emit is not None:
            for receipt in chunk.receipts:
                self._emit(receipt)
        if not self._keep:
            self._chunks.remove(chunk)

    def stored_first(self, chunk: Batch, count: int) -> Batch | None:
        """The first items of a chunk are stored; return the rest of it, if there is any."""
        if count == len(chunk.rows):
            self.stored(chunk)
            return None
        first, rest = chunk.split(count)
        place = self._chunks.index(chunk)
        self._chunks[place : place + 1] = [first, rest]
        self.stored(first)
        return rest

    @property
    def complete(self) -> bool:
        """Whether all that was added is stored."""
        return all(chunk.fate is Fate.STORED for chunk in self._chunks)

    def receipts(self) -> list[Receipt]:
        """Return the receipts of all chunks, in their order."""
        return [receipt for chunk in self._chunks for receipt in chunk.receipts]

    def error(self, cause: Exception) -> PartialOfferError:
        """Return the error that says what became of each item."""
        return PartialOfferError(
            self._queue,
            cause,
            count=self.count,
            stored=self._of(Fate.STORED),
            unstored=self._of(Fate.UNSTORED),
            unknown=self._of(Fate.UNKNOWN),
        )

    def _of(self, fate: Fate) -> dict[int, Receipt]:
        return {
            place: receipt
            for chunk in self._chunks
            if chunk.fate is fate
            for place, receipt in enumerate(chunk.receipts, chunk.first)
        }
