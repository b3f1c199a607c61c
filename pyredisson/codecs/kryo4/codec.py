"""`KryoCodec`: reads one whole message."""

from __future__ import annotations

from typing import Any

from pyredisson.codecs.cursor import Cursor, MessageCodec
from pyredisson.rejection import Rejection

from .reader import Reader

__all__ = ["KryoCodec"]


class KryoCodec(MessageCodec):
    """`org.redisson.codec.KryoCodec` with Kryo 4 (Redisson 3.6.2 to 3.11.4). Reads only.

    Older releases have Kryo 3, whose java.time values and fields with type arguments, as
    `List<String>`, have other bytes; all others are the same (288 values run with 2.0.0, 3.0.0
    and 3.5.0). From 3.11.5 to 3.18.1 it is Kryo 5 and demands that classes are registered;
    without any it writes what `Kryo5Codec` of 3.19.0 does (run with 3.11.5, 3.14.0, 3.16.0
    and 3.18.1).

    Reads scalars, strings, arrays, collections, maps, dates, numbers, `java.time`, and with
    a schema enums and objects (`FieldSerializer`).

    Args:
        schemas: a module of schema classes, or the classes (`pyredisson.java.schema`).
        limits: bounds of one message.
    """

    def _read(self, source: Cursor) -> Any:
        return Reader(source, self.schemas).value()

    def _write(self, value: Any) -> bytes:
        raise Rejection("reads only; write with Kryo5Codec, and read both with FallbackCodec")
