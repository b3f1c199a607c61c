"""`FstCodec`: reads and writes one whole message."""

from __future__ import annotations

from typing import Any

from pyredisson.codecs.cursor import Cursor, MessageCodec
from pyredisson.codecs.java_serialization.objects import Maker
from pyredisson.codecs.java_serialization.sharing import read_shared

from .reader import FstReader
from .writer import FstWriter

__all__ = ["FstCodec"]


class FstCodec(MessageCodec):
    """`org.redisson.codec.FstCodec` (3.0.0 to 4.0.x), the default in 3.10.0-3.12.5.

    FST wrote the same bytes from 2.47 (3.0.0) to 2.57 (3.27.2), except for a `Stack` before 2.54
    (3.6.0). FST 2.42 (2.2.5) numbers named classes differently; the codec does not read it.

    Reads and writes scalars, dates, arrays, enums, the JDK's collections and other classes with a
    known layout. With a schema, it also reads and writes objects of Serializable classes that have
    no `writeObject`, `readObject`, `writeReplace` or `readResolve`. An object of a JDK class
    without a Python type is a `JavaObject` of its fields. A constant of an enum without a schema is
    a `JavaValue` with the ordinal. The codec reads records but does not write them, because Java
    cannot read records that FST wrote.

    Args:
        schemas: a module, or modules and classes (`pyredisson.java.schema`); by default none.
        root: the class of the values that Java's consumer takes, or several, as for `Kryo5Codec`.
        limits: the limits of one message. Default: `DEFAULT_LIMITS`.
    """

    def _read(self, source: Cursor) -> Any:
        maker = Maker(self.schemas, self.limits)
        return read_shared(
            source,
            lambda cursor, sharing: FstReader(cursor, maker, self.schemas, sharing).object(),
        )

    def _write(self, value: Any) -> bytes:
        sink = FstWriter(self.schemas, self.limits)
        sink.value(value)
        return bytes(sink.out)
