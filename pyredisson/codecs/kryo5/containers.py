"""Bodies of collections and maps whose element types are not declared.

A collection is a flagged length plus one; the flag says that all elements are of
one class, whose header follows once, with a byte that says whether nulls are among
them. A map is a length plus one and a header for each key and value. Sources: Kryo's
`CollectionSerializer`, `MapSerializer`, `ImmutableCollectionsSerializers` and the
singletons and empties of `DefaultSerializers`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from pyredisson.codecs.java.build import entries_of, items_of, make_collection, make_map
from pyredisson.codecs.java.jdk import CONTAINERS, Container, Kind
from pyredisson.codecs.refusal import Refusal

from .serializer import Serializer

if TYPE_CHECKING:
    from .reader import Reader
    from .writer import Writer

__all__ = ["CONTAINER_SERIALIZERS"]


def _read_comparator(source: Reader) -> None:
    found = source.serializer()
    if found is not None:
        raise Refusal(f"{found.class_name} is no comparator", found.class_name)


class _Collection(Serializer):
    nullable = True

    def __init__(self, class_name: str, container: Container) -> None:
        super().__init__(class_name)
        self._container = container

    def read(self, source: Reader) -> Any:
        same, count = source.flagged()
        count -= 1
        if count < 0:
            return None
        if self._container.comparator:
            _read_comparator(source)
        source.descend()
        items = self._same(source, count) if same and count else self._mixed(source, count)
        source.depth -= 1
        self._check(items)
        return make_collection(self.class_name, items)

    def _check(self, items: list[Any]) -> None:
        if self._container.final and any(each is None for each in items):
            raise Refusal(f"a {self.class_name} takes no null")

    def _mixed(self, source: Reader, count: int) -> list[Any]:
        return [source.value() for _ in range(source.claim(count, 1))]

    def _same(self, source: Reader, count: int) -> list[Any]:
        serializer = source.serializer()
        if serializer is None:
            source.free(count)
            return [None] * count
        if not self._container.final and source.flag():
            return [serializer.read_or_null(source) for _ in range(source.claim(count, 1))]
        if serializer.smallest == 0:
            source.free(count)
        read = serializer.read
        return [read(source) for _ in range(source.claim(count, serializer.smallest))]

    def write(self, sink: Writer, value: Any) -> None:
        items = items_of(value, self.class_name)
        self._check(items)
        sink.descend()
        serializers = [None if each is None else sink.registry.of(each) for each in items]
        classes = {each for each in serializers if each is not None}
        sink.flagged(bool(items) and len(classes) < 2, len(items) + 1)
        if self._container.comparator:
            sink.out.append(0)
        if len(classes) == 1:
            self._write_same(sink, items, classes.pop())
        elif classes:
            for item in items:
                sink.value(item)
        elif items:
            sink.out.append(0)
        sink.depth -= 1

    def _write_same(self, sink: Writer, items: list[Any], serializer: Serializer) -> None:
        sink.header(serializer)
        nulls = any(each is None for each in items)
        if not self._container.final:
            sink.out.append(nulls)
        if nulls:
            for item in items:
                serializer.write_or_null(sink, item)
            return
        for item in items:
            serializer.write(sink, item)


class _Map(Serializer):
    nullable = True

    def __init__(self, class_name: str, container: Container) -> None:
        super().__init__(class_name)
        self._container = container

    def read(self, source: Reader) -> Any:
        count = source.count()
        if count < 0:
            return None
        if self._container.comparator:
            _read_comparator(source)
        source.descend()
        entries = [(source.value(), source.value()) for _ in range(source.claim(count, 2))]
        source.depth -= 1
        return make_map(self.class_name, entries)

    def write(self, sink: Writer, value: Any) -> None:
        entries = entries_of(value, self.class_name)
        sink.descend()
        sink.varint(len(entries) + 1)
        if self._container.comparator:
            sink.out.append(0)
        _write_entries(sink, entries)
        sink.depth -= 1


def _write_entries(sink: Writer, entries: Iterable[tuple[Any, Any]]) -> None:
    for key, value in entries:
        sink.value(key)
        sink.value(value)


class _FixedSize(Serializer):
    """Empty and singleton collections and maps: no length."""

    def __init__(self, class_name: str, container: Container) -> None:
        super().__init__(class_name)
        self._map = container.kind is Kind.MAP
        self.smallest = container.size or 0

    def read(self, source: Reader) -> Any:
        source.descend()
        count = range(self.smallest)
        if self._map:
            found = make_map(self.class_name, [(source.value(), source.value()) for _ in count])
        else:
            found = make_collection(self.class_name, [source.value() for _ in count])
        source.depth -= 1
        return found

    def write(self, sink: Writer, value: Any) -> None:
        sink.descend()
        if self._map:
            _write_entries(sink, entries_of(value, self.class_name))
        else:
            for item in items_of(value, self.class_name):
                sink.value(item)
        sink.depth -= 1


def _serializer(class_name: str, container: Container) -> Serializer:
    if container.size is not None:
        return _FixedSize(class_name, container)
    shape = _Map if container.kind is Kind.MAP else _Collection
    return shape(class_name, container)


CONTAINER_SERIALIZERS: list[Serializer] = [
    _serializer(name, container) for name, container in CONTAINERS.items()
]
