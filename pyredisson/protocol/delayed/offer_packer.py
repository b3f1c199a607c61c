"""Packs offers as bytes that are ready to send: one offer, or several offers in one request.

The rule: the request of one offer is the call of ``offer.lua`` that `offer_of` describes. Several
offers become one call of ``offer_many.lua``, with the same end state as single offers. The bytes
that all offers of a queue have in common are packed once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta
from itertools import repeat
from math import ceil
from typing import Any

from pyredisson.protocol.delayed.delayed_queue import offer_of
from pyredisson.protocol.delayed.entry import WireFormat
from pyredisson.protocol.delayed.item_id import MICROSECONDS, P
from pyredisson.protocol.delayed.receipt import SETTERS, Receipt
from pyredisson.protocol.kernel.clock import ServerClock
from pyredisson.protocol.kernel.command import Eval
from pyredisson.protocol.kernel.due import MAX_MS, Seconds
from pyredisson.protocol.kernel.names import QueueNames
from pyredisson.protocol.kernel.scripts import load

__all__ = ["Offer", "OfferPacker", "Row"]

_set_queue, _set_due_ms, _set_item_id, _set_value, _set_wire_format, _set_stored = SETTERS
_SOON = 10**9  # seconds, 31 years: up to it, a float is exact to 1 microsecond

Row = tuple[int, bytes, bytes]
"""An item: its due time (epoch ms), its id, and its encoded value."""


def _bulk(word: bytes) -> bytes:
    return b"$%d\r\n%b\r\n" % (len(word), word)


class OfferPacker:
    """Packs the offers of one queue, as `Bc0Lc0` with ids as in `new_item_id`."""

    def __init__(self, names: QueueNames) -> None:
        keys = (names.name, names.timeout_set, names.delay_list, names.channel)
        words = b"$1\r\n4\r\n" + b"".join(_bulk(key.encode()) for key in keys)
        one, many = load("delayed/offer"), load("delayed/offer_many")
        self.names = names
        self.key = names.name
        self._one = b"*11\r\n$7\r\nEVALSHA\r\n" + _bulk(one.sha.encode()) + words
        self._many = b"$7\r\nEVALSHA\r\n" + _bulk(many.sha.encode()) + words
        self._text = b"$4\r\nEVAL\r\n" + _bulk(many.text.encode()) + words

    def receipt(
        self, data: bytes, delay: Seconds | None, clock: ServerClock, now: float, random: bytes
    ) -> Receipt | None:
        """Return the receipt of an offer; None for an unusual delay, or if the clock is stale.

        Usual is an int or a float from 0 up to 10**9 seconds, or a timedelta of 0 or more, with a
        due time up to `MAX_MS`. `now` is in monotonic seconds; `random` has 8 bytes. The function
        is not divided, because each call of a Python function would make every offer slower.
        """
        taken = clock.taken
        if taken is None or not 0 <= now - taken < clock.refresh_after:
            return None
        if (type(delay) is float or type(delay) is int) and 0 <= delay < _SOON:  # rejects a bool
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

    def several(self, offers: Sequence[Offer], /, *, text: bool = False) -> bytes:
        """Return one request for several offers.

        The request is EVALSHA with the script's digest; with `text`, EVAL with the script's text.
        """
        rows = [
            (receipt.due_ms, receipt.item_id, receipt.value)
            for offer in offers
            for receipt in (offer.receipt,)
        ]
        return self.many(rows, text=text)

    def split(self, offers: Sequence[Offer], rejection: Any, /) -> Iterable[Any]:
        """Return the reply of each offer, and maybe more.

        If the server rejected the notification, only the offer with the earliest due time gets the
        `rejection`.
        """
        if rejection is None:
            return repeat(None)
        first = min(offers, key=lambda offer: offer.receipt.due_ms)
        return [rejection if each is first else None for each in offers]

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
        """Return the request that stores several items; `text` as in `several`."""
        words = [b"*%d\r\n" % (7 + 2 * len(rows)), self._text if text else self._many]
        last = -1
        for due_ms, each, value in rows:
            size = len(value)
            if size != last:  # often all have the same length
                last, start, length = size, b"$%d\r\n\x10" % (size + 25), size.to_bytes(8, "little")
            due = b"%d\r\n" % due_ms
            words.append(b"$%d\r\n%b%b%b%b%b\r\n" % (len(due) - 2, due, start, each, length, value))
        return b"".join(words)


class Offer:
    """The offer of one item: a `Packed` operation (`pyredisson.protocol.kernel.command`)."""

    __slots__ = ("packer", "receipt", "size")

    def __init__(self, packer: OfferPacker, receipt: Receipt) -> None:
        self.packer = packer
        self.receipt = receipt
        self.size = len(receipt.value)

    @property
    def key(self) -> str:
        """The key that decides the node."""
        return self.packer.key

    def packed(self) -> bytes:
        """Return the request."""
        return self.packer.one(self.receipt)

    def decode(self, rejection: Any, /) -> None:
        """Read the raw reply.

        Raises:
            NotNotifiedError: the item is stored, but the notification was rejected.
        """
        if rejection is not None:
            self.whole().decode(rejection)

    def whole(self) -> Eval[None]:
        """Return the same offer as an `Eval`."""
        return offer_of(self.packer.names, self.receipt)
