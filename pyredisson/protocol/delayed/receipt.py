"""What an offer stored, so that exactly this item is found again: also from another process.

A receipt is encoded as text without spaces or quotes, fit for JSON, URLs and logs, or as the same
in bytes::

    receipt1.  base64url, unpadded: due ms (8) · 1 for dLc0 (1) · length of the id (1)
               · length of the queue's name (4) · id · name · value · CRC-32 of all that (4)
    short1.    the same with the length of the value (8) in its place

Numbers are big-endian. The rule: what was cut off or changed is an error, never another receipt.
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
    """What an offer stored: enough to look for the item again, exactly.

    `queue` is the mapped name of the target list, `due_ms` the score in epoch
    milliseconds, `item_id` the bytes that tell equal values apart (16; of
    `dLc0` 8), `value` the codec's bytes.  `str(receipt)` and `bytes(receipt)` are for other
    processes, which `parse` them. `repr` shows nothing of the value but its length.

    `stored` is False where an offer with a dedup key left the item that was pending: then the
    receipt is of that item. It says what the offer did and is no part of the receipt: it is not
    compared, and a receipt that was parsed has True.
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
        # by the slots: a frozen dataclass's own takes twice as long, at each offer
        _set_queue(self, queue)
        _set_due_ms(self, due_ms)
        _set_item_id(self, item_id)
        _set_value(self, value)
        _set_wire_format(self, wire_format)
        _set_stored(self, stored)

    @property
    def member(self) -> bytes:
        """The packed member, as both structures hold it."""
        return pack(self.item_id, self.value, self.wire_format)

    def short(self) -> Receipt:
        """Return a receipt without the value, for logs and databases that are not to have it.

        It cancels and reschedules as this one does, but the item has to be looked for first
        (docs/guarantees.md). It has no `value` and no `member`, and `offer_again` refuses it.
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
        return self._spelled(_PREFIX, self.value)

    def _spelled(self, prefix: str, rest: bytes) -> str:
        name = self.queue.encode()
        legacy = self.wire_format is WireFormat.LEGACY
        first = _HEAD.pack(self.due_ms, legacy, len(self.item_id), len(name))
        data = first + self.item_id + name + rest
        encoded = urlsafe_b64encode(data + _CHECK.pack(crc32(data)))
        return prefix + encoded.decode().rstrip("=")

    def __bytes__(self) -> bytes:
        """Return the text in bytes."""
        return str(self).encode()

    @classmethod
    def parse(cls, encoded: str | bytes) -> Receipt:
        """Return the receipt that was encoded as text or bytes; a short one as such.

        Raises:
            TypeError: neither text nor bytes.
            ValueError: no receipt, or one that was cut off or changed.
        """
        if not isinstance(encoded, str | bytes):
            raise TypeError(f"a receipt is parsed from text or bytes, not from {encoded!r}")
        text = (encoded if isinstance(encoded, str) else encoded.decode("latin-1")).strip()
        for prefix in (_PREFIX, _SHORT):
            if text.startswith(prefix):
                try:
                    found = _unpacked(text.removeprefix(prefix), short=prefix == _SHORT)
                    if str(found) == text:  # and so its CRC
                        return found
                except (ValueError, struct.error):
                    pass
                shown = f"{text[:40]!r}, {len(text)} long"
                raise ValueError(f"a receipt that was cut off or changed: {shown}")
        raise ValueError(
            f"no receipt of this release, which begins with {_PREFIX} or {_SHORT}: {text[:40]!r}"
        )


SETTERS = tuple(vars(Receipt)[each.name].__set__ for each in fields(Receipt))
"""How each field is set, in their order; for `OfferPacker`, which makes a receipt at each offer."""
_set_queue, _set_due_ms, _set_item_id, _set_value, _set_wire_format, _set_stored = SETTERS


class ShortReceipt(Receipt):
    """A receipt without the value, of which it has the length."""

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
        """Raise an error: only the whole receipt has it.

        Raises:
            ValueError: always.
        """
        raise ValueError(
            f"a short receipt of queue {self.queue!r} has no value: this takes the one that the "
            "offer returned"
        )

    @property
    def head(self) -> bytes:
        """What stands before the value in the packed member."""
        return head(self.item_id, self.size, self.wire_format)

    def whole(self, member: bytes, due_ms: int) -> Receipt:
        """Return the receipt with the value of a packed member."""
        value = member[len(self.head) :]
        return Receipt(self.queue, due_ms, self.item_id, value, self.wire_format)

    def short(self) -> Receipt:
        """Return this one."""
        return self

    def _parts(self) -> tuple[object, ...]:
        return self.queue, self.due_ms, self.item_id, self.size, self.wire_format

    def __eq__(self, other: object) -> bool:
        """Tell whether it is the same item with the same time."""
        return isinstance(other, ShortReceipt) and self._parts() == other._parts()

    def __hash__(self) -> int:
        """Return a hash of its parts."""
        return hash(self._parts())

    def __repr__(self) -> str:
        return self._shown(self.size)

    def __str__(self) -> str:
        return self._spelled(_SHORT, _SIZE.pack(self.size))

    def __reduce__(self) -> tuple[object, ...]:
        """Copy and pickle it by its parts."""
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
