"""References mode: the codec writes each object once, then its number.

A marker replaces the byte that encodes null: 0 is null, 1 a new object, n the object n-2 of this
message. It follows the class header. Boxed primitives and enums are not tracked. Source:
Kryo's `writeReferenceOrNull` and `readReferenceOrNull`.

The codec compares objects by identity, as Java does, except where the two languages share objects
differently. Values of which Java has only one object (an empty Optional, a Currency, a whole hour)
count as one object, whichever Python objects they are. Python has only one object of each text and
bytes of at most one character. Such a text counts as one object, as a literal does in Java; such
bytes count as new each time, as an array does. If a message differs from that, the codec reads its
texts and bytes as separate objects, so that it can write them again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyredisson.codecs.java_serialization.objects import STARTED, fill
from pyredisson.java.containers import JArray
from pyredisson.java.names import PRIMITIVES, component_of
from pyredisson.rejection import Rejection

from .generics import Arguments
from .reader import Reader
from .serializer import Serializer
from .writer import Writer

__all__ = ["Tracked", "untracked"]


class _Pending:
    """Stands for an object until it is complete, or until something in it refers to it."""

    __slots__ = ("class_name",)

    def __init__(self, class_name: str) -> None:
        self.class_name = class_name


def _unfinished(class_name: str) -> Any:
    """Create the container that is being read, because something in it refers to it."""
    made, component = STARTED.get(class_name), component_of(class_name)
    if made is not None:
        return made()
    if component is None or component in PRIMITIVES:
        raise Rejection(f"a {class_name} that contains itself", class_name)
    return JArray(component)


class Tracked(Serializer):
    """A serializer that reads and writes the markers around another one.

    Args:
        inner: the other serializer.
        single: returns for a body whether Java has only one object of the value.
        single_empty: whether Java has only one empty object of the class.
    """

    def __init__(
        self,
        inner: Serializer,
        single: Callable[[bytes], bool] | None = None,
        *,
        single_empty: bool = False,
    ) -> None:
        super().__init__(inner.class_name)
        self.inner = inner
        self._pending = _Pending(inner.class_name)
        self.smallest = inner.smallest if inner.wrapper else 1
        self._single = single
        self._single_empty = single_empty

    def read(self, source: Reader, arguments: Arguments = None) -> Any:
        """Read a body; see `Serializer.read`."""
        if self.inner.wrapper:
            return self._not_null(self.inner.read(source))
        return self._marked(source, source.varint(), arguments)

    def read_or_null(self, source: Reader, arguments: Arguments = None) -> Any:
        """Read a body or null; see `Serializer.read_or_null`."""
        marker = source.varint()
        if marker == 0:
            return None
        if self.inner.wrapper:
            if marker != 1:
                raise Rejection(f"a reference to a {self.class_name}", self.class_name)
            return self._not_null(self.inner.read(source))
        return self._marked(source, marker, arguments)

    def _marked(self, source: Reader, marker: int, arguments: Arguments) -> Any:
        objects = source.objects
        assert objects is not None  # noqa: S101 - the registry of references mode made both
        if marker > 1:
            if marker - 2 >= len(objects):
                raise Rejection(f"object {marker - 2} is used before it is defined")
            source.free(1)
            if isinstance(objects[marker - 2], _Pending):
                objects[marker - 2] = _unfinished(objects[marker - 2].class_name)
            return objects[marker - 2]
        if marker == 0:
            raise Rejection("null where null is not allowed")
        source.slot = slot = len(objects)
        objects.append(self._pending)
        found = objects.own(self._not_null(self.inner.read(source, arguments)))
        started = objects[slot]
        if started is not self._pending and started is not found:
            found = fill(started, found)
        objects[slot] = found
        return found

    def _not_null(self, value: Any) -> Any:
        if value is None:
            raise Rejection("null where null is not allowed")
        return value

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        """Write a body; see `Serializer.write`."""
        if not self.inner.wrapper:
            if self._known(sink, value):
                return
            sink.out.append(1)
        self.inner.write(sink, value, arguments)

    def write_or_null(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        """Write a body or null; see `Serializer.write_or_null`."""
        if value is None:
            sink.out.append(0)
            return
        if self.inner.wrapper:
            sink.out.append(1)
        self.write(sink, value, arguments)

    def _known(self, sink: Writer, value: Any) -> bool:
        written = sink.written
        assert written is not None  # noqa: S101 - the registry of references mode made both
        key = self._key(sink, value)
        number = written.numbers.get(key)
        if number is None:
            written.numbers[key] = len(written.objects)
            written.objects.append(value)
            return False
        sink.varint(number + 2)
        return True

    def _key(self, sink: Writer, value: Any) -> object:
        """Return a key that two values of a class share if they are one object to Java."""
        kind = type(value)
        if kind is str and len(value) < 2:
            return self.class_name, value
        if kind is bytes and len(value) < 2:
            return object()
        if self._single_empty:
            # A list without elements, a JValue without parts.
            return self.class_name, id(value) if getattr(value, "parts", value) else None
        if self._single is not None:
            separate = Writer(sink.registry, sink.limits)
            self.inner.write(separate, value)
            body = bytes(separate.out)
            if self._single(body):
                return self.class_name, body
        return self.class_name, id(value)


def untracked(serializer: Serializer) -> Serializer:
    """Return a serializer without markers around it."""
    return serializer.inner if isinstance(serializer, Tracked) else serializer
