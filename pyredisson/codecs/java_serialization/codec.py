"""`SerializationCodec`: reads and writes one whole stream."""

from __future__ import annotations

from typing import Any

from pyredisson.codecs.cursor import Cursor, MessageCodec

from .objects import Maker
from .reader import StreamReader
from .sharing import read_shared
from .writer import StreamWriter

__all__ = ["SerializationCodec"]


class SerializationCodec(MessageCodec):
    """Redisson's `org.redisson.codec.SerializationCodec` (since 1.0.0).

    Reads what `ObjectOutputStream` wrote: scalars, strings, arrays, the JDK's collections and maps,
    dates, numbers, enums, `java.time`, and objects of Serializable classes. Objects become their
    schema class. Without a schema they become a `JavaObject`, whose field ``@data`` has what a
    `writeObject` added; the codec cannot write such an object. It can write all other values, and
    objects of schema classes with a `serial_version_uid`, which `pyredisson schema` declares or
    computes.

    Args:
        schemas: a module, or modules and classes (`pyredisson.java.schema`).
        root: the class of the values that Java's consumer takes, or several, as for `Kryo5Codec`.
        limits: bounds of one message.
    """

    def _read(self, source: Cursor) -> Any:
        maker = Maker(self.schemas, self.limits)
        return read_shared(
            source, lambda cursor, sharing: StreamReader(cursor, maker, sharing).read()
        )

    def _write(self, value: Any) -> bytes:
        writer = StreamWriter(self.schemas, self.limits)
        writer.value(value)
        return bytes(writer.out)
