"""Reads bytes that were found in Redis: an entry of a delayed queue, or a value.

The rule: bytes are an entry if the lengths in them fit exactly. All other bytes are a value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from pyredisson import WireFormatError
from pyredisson.admin.codecs import Candidate, candidates, codec_named, likely_codec
from pyredisson.protocol.delayed.entry import WireFormat
from pyredisson.protocol.delayed.pending import receipt_of
from pyredisson.protocol.kernel.replies import readable

__all__ = ["Decoded", "decode"]

_FORMATS = {WireFormat.CURRENT: "Bc0Lc0", WireFormat.LEGACY: "dLc0"}


@dataclass(frozen=True, slots=True)
class Decoded:
    """The kind of some bytes, and their value.

    Attributes:
        kind: "entry" or "value".
        format: "Bc0Lc0" or "dLc0" for an entry, None for a value.
        id: the id of an entry in hex, as `items` shows it.
        raw: the bytes of the value.
        codec: the name that was given, or else the short name of the first of `candidates`.
            Without candidates it is the codec that the value looks like, or None.
        value: the decoded value; None if `codec` cannot decode it.
        error: why `codec` cannot decode it; None if it can.
        candidates: the codecs that can decode it, the most likely first.
    """

    kind: str
    format: str | None
    id: str | None
    raw: bytes
    codec: str | None
    value: Any
    error: str | None
    candidates: Sequence[Candidate]


def decode(
    data: bytes,
    codec: str | None = None,
    release: str | None = None,
    schemas: ModuleType | None = None,
) -> Decoded:
    """Find out whether bytes are an entry or a value, and decode the value.

    Args:
        data: an entry of either format, or a value.
        codec: a name for `codec_named`; None for the most likely one.
        release: the Redisson release of the Java services; None for the newest.
        schemas: the Python classes of Java's classes.

    Raises:
        ValueError: there is no such codec.
    """
    wire_format, item_id, raw = _unpacked(data)
    readers = list(candidates(raw, release, schemas))
    name, value, error = codec or likely_codec(raw), None, None
    if codec is None and readers:
        name, value = readers[0]
    elif name is None:
        error = "no codec reads these bytes"
    else:
        value, reason = readable(codec_named(name, release=release, schemas=schemas), raw)
        error = None if reason is None else str(reason)
    kind = "value" if wire_format is None else "entry"
    return Decoded(kind, wire_format, item_id, raw, name, value, error, readers)


def _unpacked(data: bytes) -> tuple[str | None, str | None, bytes]:
    try:
        found = receipt_of("", (data, b"0"))
    except WireFormatError:
        return None, None, data
    if found.entry != data:
        return None, None, data
    return _FORMATS[found.wire_format], found.item_id.hex(), found.value
