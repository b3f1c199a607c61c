"""Offers as bytes that are ready to send: one, or those that wait at the same moment.

The rule: a lone offer is the script of `DelayedQueueProtocol.offer`, word for word; several go
in one call of ``offer_many.lua``, whose end state is theirs. What is the same for all offers of
a queue is packed once.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyredisson.protocol.names import QueueNames
from pyredisson.protocol.objects.receipt import Receipt
from pyredisson.protocol.scripts import load

__all__ = ["Offers", "Row"]

Row = tuple[int, bytes, bytes]
"""When an item is due, its id, and its value."""


def _bulk(word: bytes) -> bytes:
    return b"$%d\r\n%b\r\n" % (len(word), word)


class Offers:
    """The offers of one queue: `Bc0Lc0`, and ids as `identity` makes them."""

    def __init__(self, names: QueueNames) -> None:
        keys = (names.name, names.timeout_set, names.delay_list, names.channel)
        words = b"$1\r\n4\r\n" + b"".join(_bulk(key.encode()) for key in keys)
        one, many = load("delayed_queue/offer"), load("delayed_queue/offer_many")
        self.key = names.name
        self._one = b"*11\r\n$7\r\nEVALSHA\r\n" + _bulk(one.sha.encode()) + words
        self._many = b"$7\r\nEVALSHA\r\n" + _bulk(many.sha.encode()) + words
        self._text = b"$4\r\nEVAL\r\n" + _bulk(many.text.encode()) + words

    def one(self, receipt: Receipt) -> bytes:
        """Return the request that stores one item."""
        due = b"%d" % receipt.due_ms
        value = receipt.value
        return b"%b$%d\r\n%b\r\n$16\r\n%b\r\n$%d\r\n%b\r\n$6\r\nBc0Lc0\r\n" % (
            self._one,
            len(due),
            due,
            receipt.identity,
            len(value),
            value,
        )

    def many(self, rows: Sequence[Row], *, text: bool = False) -> bytes:
        """Return the request that stores several; with the script's text after NOSCRIPT."""
        words = [b"*%d\r\n" % (7 + 2 * len(rows)), self._text if text else self._many]
        for due_ms, identity, value in rows:
            due = b"%d" % due_ms
            size = len(value)
            words.append(
                b"$%d\r\n%b\r\n$%d\r\n\x10%b%b%b\r\n"
                % (len(due), due, size + 25, identity, size.to_bytes(8, "little"), value)
            )
        return b"".join(words)
