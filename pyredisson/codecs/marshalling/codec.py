"""`MarshallingCodec`: reads and writes one whole message."""

from __future__ import annotations

from typing import Any

from pyredisson.codecs.cursor import Cursor, MessageCodec
from pyredisson.codecs.java_serialization.objects import Maker
from pyredisson.codecs.java_serialization.sharing import Sharing

from .reader import RiverReader
from .writer import RiverWriter

__all__ = ["MarshallingCodec"]


class MarshallingCodec(MessageCodec):
    """`org.redisson.codec.MarshallingCodec` (3.11.3 to 4.0.x), the default in 3.13.0-3.18.1.

    The bytes are the same in all these releases (verified with 3.11.4, 3.13.0, 3.13.6, 3.14.0,
    3.16.0, 3.18.1, 3.27.2 and 4.0.0). Java's codec cannot write records.

    Reads and writes the same values as `SerializationCodec`, except records: scalars, strings,
    arrays, collections, maps, dates, numbers, enums, `java.time` and objects of Serializable
    classes. Objects become their schema class; without a schema they become a `JavaObject`.

    Args:
        schemas: a module, or modules and classes (`pyredisson.java.schema`).
        root: the class of the values that Java's consumer takes, or several, as for `Kryo5Codec`.
        limits: bounds of one message.
    """

    def _read(self, source: Cursor) -> Any:
        maker = Maker(self.schemas, self.limits)
        reader = RiverReader(source, maker, Sharing())
        value = reader.read()
        if reader.literals or reader.sharing.repeated:
            again, sharing = Cursor(source.data, self.limits), Sharing(reader.sharing.repeated)
            value = RiverReader(again, maker, sharing, reader.literals).read()
        return value

    def _write(self, value: Any) -> bytes:
        writer = RiverWriter(self.schemas, self.limits)
        writer.value(value)
        return bytes(writer.out)
