"""The codec itself: one message, whole."""

from __future__ import annotations

from typing import Any

from pyredisson.codecs.cursor import Cursor, MessageCodec
from pyredisson.codecs.java_serialization.objects import Maker

from .reader import FstReader
from .writer import FstWriter

__all__ = ["FstCodec"]


class FstCodec(MessageCodec):
    """`org.redisson.codec.FstCodec` (3.0.0 to 4.0.x), the default in 3.10.0-3.12.5.

    FST wrote the same bytes from 2.47 (3.0.0) to 2.57 (3.27.2), but for a `Stack` before 2.54
    (3.6.0). FST 2.42 (2.2.5) numbers named classes otherwise and is not read.

    Reads what Java wrote: scalars, strings, arrays, collections, maps, dates, numbers,
    enums, `java.time` and, with a schema, objects of Serializable classes that have no
    `writeObject`. Enums without a schema come back as a `JavaValue` with the ordinal.
    Writes null, boxed values, strings, `Date`, `BigInteger`, the lists, sets and maps that
    FST has a serializer for, and arrays of primitives.

    Args:
        schemas: a module of schema classes, or the classes (`pyredisson.codecs.java.schema`).
        limits: bounds of one message.
    """

    def _read(self, source: Cursor) -> Any:
        return FstReader(source, Maker(self.schemas, self.limits), self.schemas).object()

    def _write(self, value: Any) -> bytes:
        sink = FstWriter(self.limits)
        sink.value(value)
        return bytes(sink.out)
