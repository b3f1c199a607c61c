"""`KryoCodec`: reads one whole message."""

from __future__ import annotations

from typing import Any

from pyredisson.codecs.cursor import Cursor, MessageCodec
from pyredisson.rejection import Rejection

from .reader import Reader

__all__ = ["KryoCodec"]


class KryoCodec(MessageCodec):
    """`org.redisson.codec.KryoCodec` with Kryo 4 (Redisson 3.6.2 to 3.11.4). Reads only.

    Older releases have Kryo 3. Its bytes of java.time values and of fields with type arguments
    (`List<String>`) differ; all others are the same (288 values run with 2.0.0, 3.0.0 and 3.5.0).
    From 3.11.5 to 3.18.1 Java's codec runs on Kryo 5 and requires that classes are registered;
    without any it writes what `Kryo5Codec` of 3.19.0 does (run with 3.11.5, 3.14.0, 3.16.0 and
    3.18.1).

    Reads scalars, strings, arrays, collections, maps, dates, numbers and `java.time`; with a
    schema, enums and objects (`FieldSerializer`), too.

    Args:
        schemas: a module, or modules and classes (`pyredisson.java.schema`); by default none.
        limits: the limits of one message. Default: `DEFAULT_LIMITS`.
    """

    def _read(self, source: Cursor) -> Any:
        return Reader(source, self.schemas).value()

    def _write(self, value: Any) -> bytes:
        raise Rejection("reads only; write with Kryo5Codec, and read both with FallbackCodec")
