"""The codec itself: one message, whole."""

from __future__ import annotations

from typing import Any

from pyredisson.codecs.cursor import Cursor, MessageCodec
from pyredisson.codecs.refusal import Refusal

from .reader import Reader

__all__ = ["KryoCodec"]


class KryoCodec(MessageCodec):
    """`org.redisson.codec.KryoCodec` with Kryo 4 (Redisson 1.1.0 to 3.11.4). Reads only.

    Reads scalars, strings, arrays, collections, maps, dates, numbers, `java.time`, and with
    a schema enums and objects (`FieldSerializer`).

    Args:
        schemas: a module of schema classes, or the classes (`pyredisson.codecs.java.schema`).
        limits: bounds of one message.
    """

    def _read(self, source: Cursor) -> Any:
        return Reader(source, self.schemas).value()

    def _write(self, value: Any) -> bytes:
        raise Refusal("reads only; write with Kryo5Codec, and read both with FallbackCodec")
