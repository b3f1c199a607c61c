"""Offers as bytes that are ready to send: one, or those that wait at the same moment.

The rule: a lone offer is the script of `DelayedQueueProtocol.offer`, word for word; several go
in one call of ``offer_many.lua``, whose end state is theirs. What is the same for all offers of
a queue is packed once.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from math import ceil

from pyredisson.protocol.delayed.entry import WireFormat
from pyredisson.protocol.delayed.item_id import MICROSECONDS, P
from pyredisson.protocol.delayed.receipt import SETTERS, Receipt
from pyredisson.protocol.kernel.clock import ServerClock
from pyredisson.protocol.kernel.due import MAX_MS, Seconds
from pyredisson.protocol.kernel.names import QueueNames
from pyredisson.protocol.kernel.scripts import load

__all__ = ["OfferPacker", "Row"]

_set_queue, _set_due_ms, _set_item_id, _set_value, _set_wire_format, _set_stored = SETTERS
_SOON = 10**9  # seconds: more than a life, and far from where a float loses microseconds

Row = tuple[int, bytes, bytes]
"""When an item is due, its id, and its value."""


def _bulk(word: bytes) -> bytes:
    return b"$%d\r\n%b\r\n" % (len(word), word)


class OfferPacker:
    """The offers of one queue: `Bc0Lc0`, and ids as `new_item_id` makes them."""

    def __init__(self, names: QueueNames) -> None:
        keys = (names.name, names.timeout_set, names.delay_list, names.channel)
        words = b"$1\r\n4\r\n" + b"".join(_bulk(key.encode()) for key in keys)
        one, many = load("delayed/offer"), load("delayed/offer_many")
        self.key = names.name
        self._one = b"*11\r\n$7\r\nEVALSHA\r\n" + _bulk(one.sha.encode()) + words
        self._many = b"$7\r\nEVALSHA\r\n" + _bulk(many.sha.encode()) + words
        self._text = b"$4\r\nEVAL\r\n" + _bulk(many.text.encode()) + words

    def receipt(
        self, data: bytes, delay: Seconds | None, clock: ServerClock, now: float, random: bytes
    ) -> Receipt | None:
        """Fix what an offer will store; None for an unusual delay, or when the clock is stale.

        `now` is in monotonic seconds. All is in one piece: a call would cost as much as what it
        does.
        """
        taken = clock.taken
        if taken is None or not 0 <= now - taken < clock.refresh_after:
            return None
        if (type(delay) is float or type(delay) is int) and 0 <= delay < _SOON:  # a bool is neither
            length = ceil(delay * 1_000_000)
        elif type(delay) is timedelta and delay.days >= 0:
            length = (delay.days * 86_400 + delay.seconds) * 1_000_000 + delay.microseconds
        else:
            return None
        now_us = ceil((now * 1000 + clock.high_ms) * 1000)
        due_ms = -(-(length + now_us) // 1000)
        if not 0 <= due_ms <= MAX_MS:
            return None
        receipt: Receipt = object.__new__(Receipt)
        _set_queue(receipt, self.key)
        _set_due_ms(receipt, due_ms)
        _set_item_id(receipt, (now_us & MICROSECONDS | P).to_bytes(8, "big") + random)
        _set_value(receipt, data)
        _set_wire_format(receipt, WireFormat.CURRENT)
        _set_stored(receipt, True)
        return receipt

    def one(self, receipt: Receipt) -> bytes:
        """Return the request that stores one item."""
        due = b"%d" % receipt.due_ms
        value = receipt.value
        return b"%b$%d\r\n%b\r\n$16\r\n%b\r\n$%d\r\n%b\r\n$6\r\nBc0Lc0\r\n" % (
            self._one,
            len(due),
            due,
            receipt.item_id,
            len(value),
            value,
        )

    def many(self, rows: Sequence[Row], *, text: bool = False) -> bytes:
        """Return the request that stores several; with the script's text after NOSCRIPT."""
        words = [b"*%d\r\n" % (7 + 2 * len(rows)), self._text if text else self._many]
        last = -1
        for due_ms, each, value in rows:
            size = len(value)
            if size != last:  # often all are as long
                last, start, length = size, b"$%d\r\n\x10" % (size + 25), size.to_bytes(8, "little")
            due = b"%d\r\n" % due_ms
            words.append(b"$%d\r\n%b%b%b%b%b\r\n" % (len(due) - 2, due, start, each, length, value))
        return b"".join(words)
