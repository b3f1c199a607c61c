"""The codec itself: one stream, whole."""

from __future__ import annotations

from typing import Any

from pyredisson.codecs.cursor import Cursor, MessageCodec

from .objects import Maker
from .reader import StreamReader
from .writer import StreamWriter

__all__ = ["SerializationCodec"]


class SerializationCodec(MessageCodec):
    """Redisson's `org.redisson.codec.SerializationCodec` (since 1.0.0).

    Reads what `ObjectOutputStream` wrote: scalars, strings, arrays, the JDK's collections
    and maps, dates, numbers, enums, `java.time`, and objects of Serializable classes. These
    become their schema class, else a `JavaObject`, which also keeps under ``@data`` what a
    `writeObject` added, and is read only. Writes all else again, and objects of schema
    classes that say their `serial_version_uid`, which `pyredisson schema` writes or computes.

    Args:
        schemas: a module of schema classes, or the classes (`pyredisson.java.schema`).
        limits: bounds of one message.
    """

    def _read(self, source: Cursor) -> Any:
        return StreamReader(source, Maker(self.schemas, self.limits)).read()

    def _write(self, value: Any) -> bytes:
        sink = StreamWriter(self.schemas, self.limits)
        sink.value(value)
        return bytes(sink.out)
