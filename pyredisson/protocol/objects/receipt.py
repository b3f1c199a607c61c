"""What an offer stored, so that exactly this item is found again: also from another process.

A receipt is spelled as text without spaces or quotes, fit for JSON, URLs and logs, or as the same
in bytes::

    receipt1.  base64url, unpadded: due ms (8) · 1 for dLc0 (1) · length of the id (1)
               · length of the queue's name (4) · id · name · value · CRC-32 of all that (4)

Numbers are big-endian. The rule: what was cut off or changed is an error, never another receipt.
"""

from __future__ import annotations

import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import crc32
from dataclasses import dataclass, field, fields

from pyredisson.protocol.objects.member import WireFormat, pack

__all__ = ["Receipt"]

_PREFIX = "receipt1."
_HEAD = struct.Struct(">QBBI")
_CHECK = struct.Struct(">I")


@dataclass(frozen=True, slots=True, init=False)
class Receipt:
    """What an offer stored: enough to look for the item again, exactly.

    `queue` is the mapped name of the target list, `due_ms` the score in epoch
    milliseconds, `identity` the bytes that tell equal values apart (16; of
    `dLc0` 8), `value` the codec's bytes.  `str(receipt)` and `bytes(receipt)` are for other
    processes, which `parse` them.

    `stored` is False where an offer with a dedup key left the item that was pending: then the
    receipt is of that item. It says what the offer did and is no part of the receipt: it is not
    compared, and a receipt that was parsed has True.
    """

    queue: str
    due_ms: int
    identity: bytes
    value: bytes
    wire_format: WireFormat = WireFormat.CURRENT
    stored: bool = field(default=True, compare=False)

    def __init__(
        self,
        queue: str,
        due_ms: int,
        identity: bytes,
        value: bytes,
        wire_format: WireFormat = WireFormat.CURRENT,
        *,
        stored: bool = True,
    ) -> None:
        # by the slots: a frozen dataclass's own takes twice as long, at each offer
        _set_queue(self, queue)
        _set_due_ms(self, due_ms)
        _set_identity(self, identity)
        _set_value(self, value)
        _set_wire_format(self, wire_format)
        _set_stored(self, stored)

    @property
    def member(self) -> bytes:
        """The packed member, as both structures hold it."""
        return pack(self.identity, self.value, self.wire_format)

    def __str__(self) -> str:
        name = self.queue.encode()
        legacy = self.wire_format is WireFormat.LEGACY
        head = _HEAD.pack(self.due_ms, legacy, len(self.identity), len(name))
        data = head + self.identity + name + self.value
        spelled = urlsafe_b64encode(data + _CHECK.pack(crc32(data)))
        return _PREFIX + spelled.decode().rstrip("=")

    def __bytes__(self) -> bytes:
        """Return the text in bytes."""
        return str(self).encode()

    @classmethod
    def parse(cls, spelled: str | bytes) -> Receipt:
        """Return the receipt that was spelled as text or bytes.

        Raises:
            TypeError: neither text nor bytes.
            ValueError: no receipt, or one that was cut off or changed.
        """
        if not isinstance(spelled, str | bytes):
            raise TypeError(f"a receipt is parsed from text or bytes, not from {spelled!r}")
        text = (spelled if isinstance(spelled, str) else spelled.decode("latin-1")).strip()
        if not text.startswith(_PREFIX):
            raise ValueError(
                f"no receipt of this release, which begins with {_PREFIX}: {text[:40]!r}"
            )
        try:
            found = cls._unpacked(text.removeprefix(_PREFIX))
            if str(found) == text:  # and so its CRC
                return found
        except (ValueError, struct.error):
            pass
        raise ValueError(f"a receipt that was cut off or changed: {text[:40]!r}, {len(text)} long")

    @classmethod
    def _unpacked(cls, text: str) -> Receipt:
        data = urlsafe_b64decode(text + "=" * (-len(text) % 4))
        due_ms, legacy, identity, name = _HEAD.unpack_from(data)
        start = _HEAD.size + identity
        value = start + name
        return cls(
            data[start:value].decode(),
            due_ms,
            data[_HEAD.size : start],
            data[value : -_CHECK.size],
            WireFormat.LEGACY if legacy else WireFormat.CURRENT,
        )


SETTERS = tuple(vars(Receipt)[each.name].__set__ for each in fields(Receipt))
"""How each field is set, in their order; for `Offers`, which makes a receipt at each offer."""
_set_queue, _set_due_ms, _set_identity, _set_value, _set_wire_format, _set_stored = SETTERS
