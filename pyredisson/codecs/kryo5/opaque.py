"""Values that Redisson lets Java serialize inside a Kryo message.

Throwables, addresses, EnumMap (since 3.36.0) and the unmodifiable, synchronized and
checked collections (since 3.35.0) are written by Kryo's `JavaSerializer`. Each of
Redisson's serializers has one `ObjectOutputStream` for the whole message, flushed after
every value: the second value goes on where the first ended, without a header and with
references into it. The rule: a value is its bytes, and what they stand for beside them if
they can be read; they are written again only where the stream before them is the same.
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from pyredisson.codecs.cursor import Cursor
from pyredisson.codecs.java.jdk import Kind
from pyredisson.codecs.java.schema import ClassSchema
from pyredisson.codecs.java.supertypes import jdk_supertypes
from pyredisson.codecs.java.throwables import THROWABLES
from pyredisson.codecs.java.values import JSerialized
from pyredisson.codecs.java_serialization.objects import BlindMaker, Maker
from pyredisson.codecs.java_serialization.reader import StreamReader
from pyredisson.codecs.refusal import Refusal, refuse_class, refuse_value

from .serializer import Serializer

if TYPE_CHECKING:
    from .reader import Reader
    from .releases import Release
    from .writer import Writer

__all__ = ["InStream", "OpaqueSerializer", "OutStream", "old_wrapper_kind", "stream_of"]

_WRAPPER = re.compile(
    r"java\.util\.Collections\$(?:Unmodifiable|Synchronized|Checked)"
    r"(?:RandomAccess|Sorted|Navigable|Sequenced)?(List|Set|Map|Collection|Queue)"
)
_ADDRESSES = {"java.net.InetAddress", "java.net.SocketAddress"}
_MAGIC = b"\xac\xed\x00\x05"


def stream_of(class_name: str, release: Release, schema: ClassSchema | None = None) -> str | None:
    """Return which stream the values of a class are in; None if Java does not serialize them.

    A stream is named by the class for which Redisson has the serializer.
    """
    above = jdk_supertypes(class_name)
    while schema is not None:
        above |= jdk_supertypes(schema.extends.name) if schema.extends else set()
        schema = schema.parent
    if not THROWABLES.keys().isdisjoint(above):
        return "java.lang.Throwable"
    if "java.util.EnumMap" in above:
        return "java.util.EnumMap" if release.serialized_enum_maps else None
    if _WRAPPER.fullmatch(class_name) is not None and release.serialized_collections:
        return class_name
    found = _ADDRESSES & above if release.serialized_addresses else None
    return found.pop() if found else None


def old_wrapper_kind(class_name: str) -> Kind | None:
    """Return what a wrapper is to older releases, which wrote it as a plain container."""
    if class_name == "java.util.EnumMap":
        return Kind.MAP
    if class_name == "java.util.concurrent.ConcurrentHashMap$KeySetView":
        return Kind.SET
    match = _WRAPPER.fullmatch(class_name)
    if match is None:
        return None
    return {"Set": Kind.SET, "Map": Kind.MAP}.get(match[1], Kind.LIST)


class _Stream:
    """What has gone through one of a message's streams."""

    def __init__(self) -> None:
        self._digest = sha256()
        self.after = b""

    def add(self, data: bytes) -> None:
        """Count in the bytes of one value."""
        self._digest.update(data)
        self.after = self._digest.digest()


class InStream(_Stream):
    """A stream that is read."""

    def __init__(self, source: Reader) -> None:
        super().__init__()
        self._cursor = Cursor(source.data, source.limits)
        maker = Maker(source.registry.schemas, source.limits)
        self._reader = StreamReader(self._cursor, maker)
        self._blind: BlindMaker | None = None

    def read(self, source: Reader) -> Any:
        """Read the next value, or pass over it: then, and for all that follow, it is None."""
        self._cursor.pos = source.pos if self.after else source.pos + len(_MAGIC)
        self._cursor.depth = source.depth
        try:
            value = self._reader.next()
        except Refusal:
            self._blind = BlindMaker(source.registry.schemas, source.limits)
            self._reader.skip(self._blind)
        source.pos = self._cursor.pos
        return value if self._blind is None else None


class OutStream(_Stream):
    """A stream that is written."""


class OpaqueSerializer(Serializer):
    """A value between others of its stream.

    Args:
        class_name: the Java class.
        stream: which stream it is in.
        sure: it is known that Java serializes the class; if not, the stream must say so.
    """

    smallest = 4

    def __init__(self, class_name: str, stream: str, *, sure: bool = True) -> None:
        super().__init__(class_name)
        self._stream = stream
        self._sure = sure

    def read(self, source: Reader) -> Any:
        """Read as `Serializer.read` says."""
        streams = source.streams
        if streams is None:
            source.streams = streams = {}
        stream = streams.get(self._stream)
        if stream is None:
            if not source.data.startswith(_MAGIC, source.pos):
                raise self._no_stream()
            streams[self._stream] = stream = InStream(source)
        start, after = source.pos, stream.after
        value = stream.read(source)
        if not self._sure and getattr(value, "class_name", None) != self.class_name:
            raise self._no_stream()
        data = bytes(source.data[start : source.pos])
        stream.add(data)
        return JSerialized(self.class_name, data, value, after=after)

    def _no_stream(self) -> Refusal:
        if not self._sure:
            return refuse_class(self.class_name)
        return Refusal("no Java serialization stream", self.class_name)

    def write(self, sink: Writer, value: Any) -> None:
        """Write as `Serializer.write` says."""
        if not isinstance(value, JSerialized) or value.class_name != self.class_name:
            raise refuse_value(value, f"a {self.class_name} that Java has serialized")
        streams = sink.streams
        if streams is None:
            sink.streams = streams = {}
        stream = streams.setdefault(self._stream, OutStream())
        if value.after != stream.after:
            raise Refusal(
                f"this {self.class_name} is part of a stream that began with other values; "
                "it can only be written after them"
            )
        if value.data.startswith(_MAGIC) == bool(stream.after):
            raise Refusal("no Java serialization stream")
        stream.add(value.data)
        sink.out += value.data
