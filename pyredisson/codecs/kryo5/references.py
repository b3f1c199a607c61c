"""References mode: every object is written once, and then by its number.

After the class header, and in place of the byte that spells null, stands a marker: 0
null, 1 a new object, n the object n-2 of this message. Boxed primitives and enums are
not tracked. Objects are told apart by identity, as in Java; texts and bytes of at
most one character, which Python shares, always count as new. Source: Kryo's
`writeReferenceOrNull` and `readReferenceOrNull`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyredisson.codecs.refusal import Refusal

from .serializer import Serializer

if TYPE_CHECKING:
    from .reader import Reader
    from .writer import Writer

__all__ = ["Tracked"]

_PENDING = object()


class Tracked(Serializer):
    """A serializer with markers around it."""

    def __init__(self, inner: Serializer) -> None:
        super().__init__(inner.class_name)
        self.inner = inner
        self.generic = inner.generic
        self.smallest = inner.smallest if inner.wrapper else 1

    def read(self, source: Reader) -> Any:
        """Read as `Serializer.read` says."""
        if self.inner.wrapper:
            return self._not_null(self.inner.read(source))
        return self._marked(source, source.varint())

    def read_or_null(self, source: Reader) -> Any:
        """Read as `Serializer.read_or_null` says."""
        marker = source.varint()
        if marker == 0:
            return None
        if self.inner.wrapper:
            if marker != 1:
                raise Refusal(f"a reference to a {self.class_name}", self.class_name)
            return self._not_null(self.inner.read(source))
        return self._marked(source, marker)

    def _marked(self, source: Reader, marker: int) -> Any:
        objects = source.objects
        assert objects is not None  # noqa: S101 - the registry of references mode made both
        if marker > 1:
            if marker - 2 >= len(objects):
                raise Refusal(f"object {marker - 2} is used before it is given")
            source.arguments = None
            source.free(1)
            if objects[marker - 2] is _PENDING:
                raise Refusal("a container that is an element of itself")
            return objects[marker - 2]
        if marker == 0:
            raise Refusal("a null where none can be")
        source.slot = slot = len(objects)
        objects.append(_PENDING)
        objects[slot] = found = self._not_null(self.inner.read(source))
        return found

    def _not_null(self, value: Any) -> Any:
        if value is None:
            raise Refusal("a null where none can be")
        return value

    def write(self, sink: Writer, value: Any) -> None:
        """Write as `Serializer.write` says."""
        if not self.inner.wrapper:
            if self._known(sink, value):
                return
            sink.out.append(1)
        self.inner.write(sink, value)

    def write_or_null(self, sink: Writer, value: Any) -> None:
        """Write as `Serializer.write_or_null` says."""
        if value is None:
            sink.out.append(0)
            return
        if self.inner.wrapper:
            sink.out.append(1)
        self.write(sink, value)

    def _known(self, sink: Writer, value: Any) -> bool:
        number = None
        if not (isinstance(value, (str, bytes)) and len(value) < 2):
            number = sink.written.get(id(value))
        if number is None:
            sink.written[id(value)] = sink.count
            sink.count += 1
            sink.kept.append(value)
            return False
        sink.arguments = None
        sink.varint(number + 2)
        return True
