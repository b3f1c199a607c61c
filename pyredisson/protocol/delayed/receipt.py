"""The receipt of an offer, with which any process finds exactly this item again.

A receipt is encoded as text without spaces or quotes, suitable for JSON, URLs and logs, or as the
same text in bytes::

    receipt1.  base64url, unpadded: due ms (8) · 1 for dLc0, else 0 (1) · length of the id (1)
               · length of the queue's name (4) · id · name · value · CRC-32 of all these bytes (4)
    short1.    the same, with the length of the value (8) instead of the value

Numbers are big-endian. The rule: if a text was truncated or changed by accident, `parse` raises an
error and never returns a receipt of another item. For this it checks the CRC-32.
"""

from __future__ import annotations

import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import crc32
from dataclasses import dataclass, field, fields

from pyredisson.protocol.delayed.entry import WireFormat, head, pack

__all__ = ["Receipt", "ShortReceipt"]

_PREFIX = "receipt1."
_SHORT = "short1."
_HEAD = struct.Struct(">QBBI")
_CHECK = struct.Struct(">I")
_SIZE = struct.Struct(">Q")


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Receipt:
    """The receipt of an offer: it identifies exactly one item.

    `str(receipt)` and `bytes(receipt)` encode the receipt for other processes. `parse` decodes it.
    `repr` shows only the length of the value.

    Attributes:
        queue: the mapped name of the target list.
        due_ms: the due time in epoch milliseconds, which is the score of the item.
        item_id: the bytes that distinguish items with equal values. An id has 8 bytes with `dLc0`
            and in items that Java offered, otherwise 16.
        value: the value as the codec has encoded it.
        wire_format: the layout of the entry.
        stored: False if another item with the dedup key of the offer was pending and stays. Then
            the receipt identifies that item. `stored` is neither compared nor encoded, so a parsed
            receipt has True.
    """

    queue: str
    due_ms: int
    item_id: bytes
    value: bytes
    wire_format: WireFormat = WireFormat.CURRENT
    stored: bool = field(default=True, compare=False)

    def __init__(
        self,
        queue: str,
        due_ms: int,
        item_id: bytes,
        value: bytes,
        wire_format: WireFormat = WireFormat.CURRENT,
        *,
        stored: bool = True,
    ) -> None:
        # sets the slots directly, because the __init__ of a frozen dataclass takes twice as long
        _set_queue(self, queue)
        _set_due_ms(self, due_ms)
        _set_item_id(self, item_id)
        _set_value(self, value)
        _set_wire_format(self, wire_format)
        _set_stored(self, stored)

    @property
    def entry(self) -> bytes:
        """The packed entry, as it is in the delay list and the timeout set."""
        return pack(self.item_id, self.value, self.wire_format)

    def short(self) -> Receipt:
        """Return a receipt without the value, for logs and databases that must not contain it.

        A short receipt can cancel and reschedule the item. This is slower, because the item must be
        found first (docs/guarantees.md). Its `value` and `entry` raise `ValueError`, and
        `offer_again` rejects it.
        """
        return ShortReceipt(
            self.queue, self.due_ms, self.item_id, len(self.value), self.wire_format
        )

    def __repr__(self) -> str:
        return self._shown(len(self.value))

    def _shown(self, size: int) -> str:
        return (
            f"{type(self).__name__}(queue={self.queue!r}, due_ms={self.due_ms}, "
            f"item_id={self.item_id!r}, value=<{size} bytes>, "
            f"wire_format={self.wire_format}, stored={self.stored})"
        )

    def __str__(self) -> str:
        return self._encoded(_PREFIX, self.value)

    def _encoded(self, prefix: str, rest: bytes) -> str:
        name = self.queue.encode()
        legacy = self.wire_format is WireFormat.LEGACY
        first = _HEAD.pack(self.due_ms, legacy, len(self.item_id), len(name))
        data = first + self.item_id + name + rest
        encoded = urlsafe_b64encode(data + _CHECK.pack(crc32(data)))
        return prefix + encoded.decode().rstrip("=")

    def __bytes__(self) -> bytes:
        """Return `str(receipt)` as bytes."""
        return str(self).encode()

    @classmethod
    def parse(cls, encoded: str | bytes) -> Receipt:
        """Return the receipt that is encoded in a text or in bytes.

        Args:
            encoded: `str(receipt)` or `bytes(receipt)`; white space around it is ignored.

        Returns:
            The receipt; a short receipt if a short receipt was encoded.

        Raises:
            TypeError: `encoded` is neither str nor bytes.
            ValueError: `encoded` is not a receipt, or was cut off or changed.
        """
        if not isinstance(encoded, str | bytes):
            raise TypeError(f"a receipt must be str or bytes, not {encoded!r}")
        text = (encoded if isinstance(encoded, str) else encoded.decode("latin-1")).strip()
        for prefix in (_PREFIX, _SHORT):
            if text.startswith(prefix):
                try:
                    found = _unpacked(text.removeprefix(prefix), short=prefix == _SHORT)
                    if str(found) == text:  # includes the CRC
                        return found
                except (ValueError, struct.error):
                    pass
                shown = f"{text[:40]!r}, {len(text)} long"
                raise ValueError(f"the receipt was cut off or changed: {shown}")
        raise ValueError(
            f"a receipt of this release must begin with {_PREFIX} or {_SHORT}, not {text[:40]!r}"
        )


SETTERS = tuple(vars(Receipt)[each.name].__set__ for each in fields(Receipt))
"""The setters of the fields, in order; `OfferPacker` also uses them."""
_set_queue, _set_due_ms, _set_item_id, _set_value, _set_wire_format, _set_stored = SETTERS


class ShortReceipt(Receipt):
    """A receipt with the length of the value instead of the value."""

    __slots__ = ("size",)
    size: int

    def __init__(
        self, queue: str, due_ms: int, item_id: bytes, size: int, wire_format: WireFormat
    ) -> None:
        _set_queue(self, queue)
        _set_due_ms(self, due_ms)
        _set_item_id(self, item_id)
        _set_wire_format(self, wire_format)
        _set_stored(self, True)
        object.__setattr__(self, "size", size)

    @property
    def value(self) -> bytes:
        """Raise an error, because only the whole receipt has the value.

        Raises:
            ValueError: always.
        """
        raise ValueError(
            f"a short receipt of queue {self.queue!r} has no value: use the receipt that the "
            "offer returned"
        )

    @property
    def head(self) -> bytes:
        """The bytes before the value in the packed entry."""
        return head(self.item_id, self.size, self.wire_format)

    def whole(self, entry: bytes, due_ms: int) -> Receipt:
        """Return the whole receipt, with the value in `entry` and with this due time."""
        value = entry[len(self.head) :]
        return Receipt(self.queue, due_ms, self.item_id, value, self.wire_format)

    def short(self) -> Receipt:
        """Return this receipt."""
        return self

    def _parts(self) -> tuple[object, ...]:
        return self.queue, self.due_ms, self.item_id, self.size, self.wire_format

    def __eq__(self, other: object) -> bool:
        """Return whether `other` is a short receipt of the same item, with the same due time."""
        return isinstance(other, ShortReceipt) and self._parts() == other._parts()

    def __hash__(self) -> int:
        """Return the hash of the parts that `__eq__` compares."""
        return hash(self._parts())

    def __repr__(self) -> str:
        return self._shown(self.size)

    def __str__(self) -> str:
        return self._encoded(_SHORT, _SIZE.pack(self.size))

    def __reduce__(self) -> tuple[object, ...]:
        """Make copies and pickles from the parts, because a short receipt has no value."""
        return type(self), self._parts()


def _unpacked(text: str, *, short: bool) -> Receipt:
    data = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    due_ms, legacy, id_length, name = _HEAD.unpack_from(data)
    start = _HEAD.size + id_length
    rest = data[start + name : -_CHECK.size]
    queue = data[start : start + name].decode()
    wire_format = WireFormat.LEGACY if legacy else WireFormat.CURRENT
    item = data[_HEAD.size : start]
    if short:
        (size,) = _SIZE.unpack(rest)
        return ShortReceipt(queue, due_ms, item, size, wire_format)
    return Receipt(queue, due_ms, item, rest, wire_format)
