"""Values that Redisson lets Java serialize inside a Kryo message.

Kryo's `JavaSerializer` writes throwables, addresses (since 3.38.0), EnumMap (since 3.36.0) and the
unmodifiable, synchronized and checked collections (since 3.35.0). Each of Redisson's serializers
has one `ObjectOutputStream` for the whole message, and flushes it after every value. So the second
value continues where the first ended, without a header and with references into the first.

A decoded value keeps its bytes, and also the Python value if the bytes can be read. The codec
writes those bytes again only after the same earlier bytes of that stream. It writes new values as
`SerializationCodec` does, but not after a decoded value: pyredisson does not know to which parts of
it Java would refer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from pyredisson.codecs.cursor import Cursor
from pyredisson.codecs.java_serialization.objects import BlindMaker, Maker
from pyredisson.codecs.java_serialization.reader import StreamReader
from pyredisson.codecs.java_serialization.wrapped import Wrapped
from pyredisson.codecs.java_serialization.writer import StreamWriter
from pyredisson.codecs.kryo5.kernel.generics import Arguments
from pyredisson.codecs.kryo5.kernel.reader import Reader
from pyredisson.codecs.kryo5.kernel.serializer import Serializer
from pyredisson.codecs.kryo5.kernel.writer import Writer
from pyredisson.codecs.kryo5.releases import Release
from pyredisson.java.classes import class_of
from pyredisson.java.jdk import Kind
from pyredisson.java.objects import JavaObject
from pyredisson.java.schema import ClassSchema
from pyredisson.java.supertypes import jdk_supertypes
from pyredisson.java.values import JSerialized
from pyredisson.rejection import Rejection, reject_class, reject_value

__all__ = [
    "InStream",
    "JavaStreamSerializer",
    "OutStream",
    "class_named",
    "old_wrapper_kind",
    "stream_of",
    "stream_since",
]

_WRAPPER = re.compile(
    r"java\.util\.Collections\$(?:Unmodifiable|Synchronized|Checked)"
    r"(?:RandomAccess|Sorted|Navigable|Sequenced)?(List|Set|Map|Collection|Queue)"
)
_EMPTY = re.compile(r"(.*\$UnmodifiableNavigable(Set|Map))\$EmptyNavigable\2")
# Redisson has a serializer of its own for each of these classes and its subclasses, since this
# release. Before 3.38.0 Java lost the content of addresses.
_STREAMS = {
    "java.lang.Throwable": "3.19.0",
    "java.util.EnumMap": "3.36.0",
    "java.net.InetAddress": "3.38.0",
    "java.net.SocketAddress": "3.38.0",
}
_WRAPPERS_SINCE = "3.35.0"
_MAGIC = b"\xac\xed\x00\x05"
Schemas = Mapping[str, ClassSchema]


def stream_of(class_name: str, release: Release, schema: ClassSchema | None = None) -> str | None:
    """Return the stream that has the values of a class; None if Java does not serialize them.

    The name of a stream is the class for which Redisson has the serializer.
    """
    stream, since = _stream(class_name, schema)
    return stream if release.has(since) else None


def stream_since(class_name: str, schema: ClassSchema | None = None) -> str:
    """Return the first release with Java serialization of a class; 3.19.0 for other classes."""
    return _stream(class_name, schema)[1]


def _stream(class_name: str, schema: ClassSchema | None) -> tuple[str | None, str]:
    above = jdk_supertypes(class_name)
    while schema is not None:
        above |= jdk_supertypes(schema.extends.name) if schema.extends else set()
        schema = schema.parent
    for stream, since in _STREAMS.items():
        if stream in above:
            return stream, since
    empty = _EMPTY.fullmatch(class_name)
    outer = empty[1] if empty else class_name
    return (outer, _WRAPPERS_SINCE) if _WRAPPER.fullmatch(outer) else (None, "3.19.0")


def old_wrapper_kind(class_name: str) -> Kind | None:
    """Return the kind of a wrapper that older releases wrote as a plain container."""
    if class_name == "java.util.EnumMap":
        return Kind.MAP
    empty = _EMPTY.fullmatch(class_name)
    match = _WRAPPER.fullmatch(empty[1] if empty else class_name)
    if match is None:
        return None
    return {"Set": Kind.SET, "Map": Kind.MAP}.get(match[1], Kind.LIST)


def class_named(value: Any) -> str:
    """Return the class that a `JavaObject` names; for any other value what `class_of` returns."""
    return value.class_name if isinstance(value, JavaObject) else class_of(value)


class _Stream:
    """The bytes so far of one of a message's streams."""

    def __init__(self) -> None:
        self._digest = sha256()
        self.after = b""

    def add(self, data: bytes) -> None:
        """Add the bytes of one value."""
        self._digest.update(data)
        self.after = self._digest.digest()


class InStream(_Stream):
    """A stream being read."""

    def __init__(self, source: Reader, schemas: Schemas) -> None:
        super().__init__()
        self._cursor = Cursor(source.data, source.limits)
        self._schemas = schemas
        self._reader = StreamReader(self._cursor, Maker(schemas, source.limits))
        self._blind: BlindMaker | None = None

    def read(self, source: Reader, arguments: Arguments = None) -> Any:
        """Read the next value; after one that cannot be read, all values are None."""
        self._cursor.pos = source.pos if self.after else source.pos + len(_MAGIC)
        self._cursor.depth = source.depth
        try:
            value = self._reader.next()
        except Rejection:
            self._blind = BlindMaker(self._schemas, source.limits)
            self._reader.skip(self._blind)
        source.pos = self._cursor.pos
        return value if self._blind is None else None


class OutStream(_Stream):
    """A stream being written."""

    def __init__(self, sink: Writer, schemas: Schemas) -> None:
        super().__init__()
        self._writer: StreamWriter | None = StreamWriter(schemas, sink.limits, named=True)

    def write_read(self, value: JSerialized) -> bytes:
        """Return the bytes of a decoded value."""
        if value.after != self.after:
            raise Rejection(
                f"this {value.class_name} is part of a stream that began with other values; "
                "it can only be written after them"
            )
        if value.data.startswith(_MAGIC) == bool(self.after):
            raise Rejection("not a Java serialization stream")
        self._writer = None
        return value.data

    def write_new(self, value: Any, class_name: str) -> bytes:
        """Return the bytes of a new value."""
        if self._writer is None:
            raise Rejection(f"a new {class_name} cannot follow a value that Java has serialized")
        start = len(self._writer.out) if self.after else 0
        self._writer.value(self._writer.keep(value))
        return bytes(self._writer.out[start:])


class JavaStreamSerializer(Serializer):
    """A value that Java serializes, in a stream that it may share with others.

    Args:
        class_name: the Java class.
        stream: the name of its stream.
        schemas: the codec's schemas.
        sure: whether Java is known to serialize the class; otherwise the stream must confirm it.
    """

    smallest = 4

    def __init__(
        self, class_name: str, stream: str, schemas: Schemas, *, sure: bool = True
    ) -> None:
        super().__init__(class_name)
        self._stream = stream
        self._schemas = schemas
        self._sure = sure

    def read(self, source: Reader, arguments: Arguments = None) -> Any:
        streams = source.streams
        if streams is None:
            source.streams = streams = {}
        stream = streams.get(self._stream)
        if stream is None:
            if not source.data.startswith(_MAGIC, source.pos):
                raise self._no_stream()
            streams[self._stream] = stream = InStream(source, self._schemas)
        start, after = source.pos, stream.after
        value = stream.read(source)
        if not self._sure and getattr(value, "class_name", None) != self.class_name:
            raise self._no_stream()
        wrapper = isinstance(value, Wrapped)
        if wrapper:  # the stream's class may lack RandomAccess in its name
            value.class_name = self.class_name
        data = bytes(source.data[start : source.pos])
        stream.add(data)
        return JSerialized(self.class_name, data, value, after=after)

    def _no_stream(self) -> Rejection:
        if not self._sure:
            return reject_class(self.class_name)
        return Rejection("not a Java serialization stream", self.class_name)

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        if class_named(value) != self.class_name:
            raise reject_value(value, f"a {self.class_name}")
        streams = sink.streams
        if streams is None:
            sink.streams = streams = {}
        stream = streams.get(self._stream)
        if stream is None:
            streams[self._stream] = stream = OutStream(sink, self._schemas)
        if isinstance(value, JSerialized):
            data = stream.write_read(value)
        else:
            data = stream.write_new(value, self.class_name)
        stream.add(data)
        sink.out += data
