"""Converts one item to another format or codec.

The rule: an item changes only if nothing is lost. The new codec must encode the value, and decode
the same value from these bytes. The old codec must encode this value, and decode the same value.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from pyredisson._support.error_text import text_of
from pyredisson.codecs.base import Codec
from pyredisson.errors import WireFormatError
from pyredisson.protocol.consumers.delivery import Delivery
from pyredisson.protocol.delayed.entry import Entry, WireFormat, head, unpack
from pyredisson.protocol.kernel.replies import readable

__all__ = ["Conversion", "Item", "StaysError", "new_id", "same"]

Item = tuple[bytes, bytes, bytes]
"""The words of an item.

Pending: entry, score, dedup key. Ready: value, empty, empty. Dead: id, time of failure, letter.
"""

_LENGTH = struct.Struct(">I")
_FRACTION = (1 << 52) - 1


class StaysError(Exception):
    """An item stays in the queue that it came from; the text is the reason."""


@dataclass(frozen=True, slots=True)
class Conversion:
    """How to convert items.

    Attributes:
        wire_format: the new format of entries; None keeps the format of each entry.
        codecs: the old and the new codec of the values; None keeps the bytes of the values.
    """

    wire_format: WireFormat | None = None
    codecs: tuple[Codec[Any], Codec[Any]] | None = None

    def item(self, kind: str, found: Any) -> Item:
        """Return a converted item; the third word of a pending item, the dedup key, is empty.

        Args:
            kind: "pending", "ready" or "dead".
            found: the item as `MigrationProtocol.read` returns it.

        Raises:
            StaysError: the item cannot be converted without a loss.
        """
        first, *more = found
        if kind == "ready":
            return self.value(first), b"", b""
        if more[0] is None:
            raise StaysError("it is in the delay list only, or there twice")
        if kind == "dead":
            return first, more[0], self._letter(more[1])
        return self.entry(first), more[0], b""

    def entry(self, entry: bytes, salt: int = 0) -> bytes:
        """Return a converted pending entry; each `salt` above 0 gives it another id.

        Raises:
            StaysError: the entry cannot be converted.
        """
        try:
            found = unpack(entry)
        except WireFormatError:
            raise StaysError("no Redisson writes such an entry") from None
        value = self.value(found.value)
        wire_format = self.wire_format or found.wire_format
        if not salt and (value, wire_format) == (found.value, found.wire_format):
            return entry
        item_id = new_id(found, wire_format, salt)
        if wire_format is WireFormat.LEGACY:
            packed = item_id + len(value).to_bytes(8, "little") + value
        else:
            packed = head(item_id, len(value), wire_format) + value
        if unpack(packed) != Entry(item_id, value, wire_format):  # ambiguous, see `delayed/entry`
            return self.entry(entry, salt + 1)
        return packed

    def value(self, raw: bytes) -> bytes:
        """Return the converted bytes of a value.

        Raises:
            StaysError: the old codec cannot decode the bytes, or the new codec cannot encode the
                value, or one of the codecs changes the value.
        """
        if self.codecs is None:
            return raw
        old, new = self.codecs
        value = _decoded(old, raw)
        written = _encoded(new, value)
        again = _decoded(new, written)
        if not same(value, again) or not same(value, _decoded(old, _encoded(old, again))):
            raise StaysError(f"{type(new).__name__} changes it")
        return written

    def _letter(self, letter: bytes | None) -> bytes:
        if letter is None:
            raise StaysError("it has no contents")
        if self.codecs is None:
            return letter
        try:
            start = _LENGTH.size + _LENGTH.unpack_from(letter)[0]
            raw = Delivery.of(b"", letter[start:]).raw
        except struct.error:
            raise StaysError("it is cut short") from None
        return letter[: len(letter) - len(raw)] + self.value(raw)


def _decoded(codec: Codec[Any], raw: bytes) -> Any:
    value, error = readable(codec, raw)
    if error is not None:
        raise StaysError(str(error))
    return value


def _encoded(codec: Codec[Any], value: Any) -> bytes:
    try:
        return codec.encode(value)
    except Exception as error:
        raise StaysError(f"{type(codec).__name__} cannot write it: {text_of(error)}") from error


def new_id(found: Entry, wire_format: WireFormat, salt: int) -> bytes:
    """Return the bytes of a new id, which sorts like the old id if `salt` is 0.

    A legacy id is a double, and 52 of its bits decide the order. The new id gets these bits from
    the old id: the lowest 52 bits of the time in an id of pyredisson, the first 52 bits of another.
    """
    item_id = found.item_id
    if salt:
        data = item_id + found.value + salt.to_bytes(8, "big")
        item_id = hashlib.sha256(data).digest()[: 16 if len(item_id) > 8 else 8]
    if wire_format is WireFormat.CURRENT or (found.wire_format is WireFormat.LEGACY and not salt):
        return item_id
    start = 1 if len(item_id) > 8 and item_id[:1] == b"P" else 0
    number = int.from_bytes(item_id[start : start + 8 - start].ljust(8 - start, b"\0"), "big")
    bits = number & _FRACTION if start else number >> 12
    high, low = divmod(bits, 16)
    return high.to_bytes(6, "big") + bytes((0xD0 | low, 0x43))


def same(one: Any, other: Any) -> bool:
    """Return whether two values are equal and have the same type.

    The same must be true for the items of mappings (in their order), lists and tuples, and for the
    fields of dataclasses. NaN is equal to NaN, and 0.0 is not equal to -0.0.
    """
    if type(one) is not type(other):
        return False
    if isinstance(one, float):
        return repr(one) == repr(other)
    if isinstance(one, Mapping):
        return len(one) == len(other) and all(
            same(*each) for each in zip(one.items(), other.items(), strict=True)
        )
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if is_dataclass(one):
        return all(same(getattr(one, each.name), getattr(other, each.name)) for each in fields(one))
    return bool(one == other)
