"""Bodies of collections and maps.

A collection is a flagged length plus one, and the elements. If the type arguments of its position
name a final element class, the flag means that there are nulls, and the elements have no headers.
Otherwise the flag means that all elements are of one class. Its header follows once, then a byte
for whether there are nulls.

A map is a length plus one, then keys and values. Those whose class is known to be final have no
header. Kryo takes type arguments by position, even in subclasses that declare others. Sources:
Kryo's `CollectionSerializer`, `MapSerializer` and `ImmutableCollectionsSerializers`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import NoneType
from typing import Any

from pyredisson.codecs.kryo5.kernel.classes import Classes
from pyredisson.codecs.kryo5.kernel.generics import Arguments, Bindings, Generic
from pyredisson.codecs.kryo5.kernel.reader import Readable, Reader
from pyredisson.codecs.kryo5.kernel.serializer import LIST, MAP, TEXT, Serializer
from pyredisson.codecs.kryo5.kernel.writer import Writer
from pyredisson.java.build import entries_of, items_of, make_collection, make_map
from pyredisson.java.jdk import CONTAINERS, Container, Kind
from pyredisson.java.supertypes import jdk_final
from pyredisson.rejection import Rejection

__all__ = ["CollectionSerializer", "MapSerializer", "container_serializer"]


class _Container(Serializer):
    """The base class of the serializers of collections and maps.

    `base` is the JDK class whose rules apply; `build` makes the value, for an application's
    subclass or a view.
    """

    nullable = True

    def __init__(
        self,
        class_name: str,
        registry: Classes,
        base: str | None = None,
        build: Callable[[Any], Any] | None = None,
    ) -> None:
        super().__init__(class_name)
        self.registry = registry
        self.base = base or class_name
        self.container: Container = CONTAINERS[self.base]
        self.build = build
        self.form = {"java.util.ArrayList": LIST, "java.util.HashMap": MAP}.get(class_name)
        self._plain = self.form is LIST  # a list without any checks

    def read_comparator(self, source: Reader) -> Any:
        if not self.container.comparator:
            return None
        found = source.value()
        if found is not None and not self.registry.is_comparator(found):
            raise Rejection("the comparator is not a java.util.Comparator", self.class_name)
        return found

    def sorts(self, value: Any) -> bool:
        """Return whether Java sorts by the elements' own order."""
        return self.container.comparator and getattr(value, "comparator", None) is None

    def write_comparator(self, sink: Writer, value: Any) -> None:
        comparator = getattr(value, "comparator", None)
        if not self.container.comparator:
            if comparator is not None:
                raise Rejection(f"a {self.class_name} has no comparator")
            return
        if comparator is not None and not self.registry.is_comparator(comparator):
            raise Rejection("the comparator is not a java.util.Comparator", self.class_name)
        sink.value(comparator)


def _check_order(class_name: str, keys: Iterable[Any], registry: Classes) -> None:
    """Reject elements that Java cannot compare: its reader would fail on them.

    An application's own classes pass: a schema does not record whether they are Comparable.
    """
    classes = {None if each is None else registry.of(each).class_name for each in keys}
    for each in classes:
        jdk = each is None or each.startswith("[") or jdk_final(each) is not None
        if each is None or (jdk and not registry.accepts("java.lang.Comparable", each)):
            raise Rejection(f"a {class_name} without a comparator cannot hold a {each or 'null'}")
    if len(classes) > 1 and any(each and jdk_final(each) for each in classes):
        mixed = " with a ".join(sorted(map(str, classes))[:2])
        raise Rejection(f"a {class_name} without a comparator cannot compare a {mixed}")


def _check_elements(argument: Generic, values: Iterable[Any], registry: Classes) -> None:
    """Reject an element that is not of the declared class: Java would fail when it uses it.

    Bound type variables are not checked: in Kryo the binding may belong to another class.
    """
    declared = argument.raw
    if declared is None or argument.variable is not None or declared == "java.lang.Object":
        return
    for kind, each in {type(each): each for each in values if each is not None}.items():
        class_name = (registry.of_type(kind) or registry.of(each)).class_name
        if not registry.accepts(declared, class_name):
            raise Rejection(f"a {class_name} is not a {declared}")


def _known(argument: Generic, bindings: Bindings, registry: Classes) -> Serializer | None:
    raw = argument.resolve(bindings)
    return None if raw is None else registry.element(raw)


class CollectionSerializer(_Container):
    """Any collection."""

    def read(self, source: Reader, arguments: Arguments = None) -> Any:
        known = inner = None
        if arguments:
            known = _known(arguments[0], source.bindings, self.registry)
            inner = arguments[-1].arguments
        if known is not None and self.container.final:
            flag, count = False, source.count()
        else:
            flag, count = source.flagged()
            count -= 1
        if count < 0:
            return None
        source.depth += 1
        if source.depth > source.deepest:
            source.descended()
        comparator = self.read_comparator(source) if self.container.comparator else None
        if known is not None:
            items = self._read_known(source, count, known, inner, flag)
        elif flag and count:
            items = self._read_same(source, count, inner)
        else:
            value = source.value
            items = [value(inner) for _ in range(source.claim(count, 1))]
        source.depth -= 1
        if self._plain:
            return items
        if self.container.final and any(each is None for each in items):
            raise Rejection(f"a {self.class_name} takes no null")
        if self.build is not None:
            return self.build(items)
        return make_collection(self.class_name, items, comparator)

    def _read_same(self, source: Reader, count: int, inner: Arguments) -> list[Any]:
        serializer = source.serializer()
        if serializer is None:
            source.free(count)
            return [None] * count
        nulls = not self.container.final and source.flag()
        return self._read_known(source, count, serializer, inner, nulls)

    def _read_known(
        self, source: Reader, count: int, each: Readable, inner: Arguments, nulls: bool
    ) -> list[Any]:
        smallest = 1 if nulls else each.smallest
        if smallest == 0:
            source.free(count)
        if count * smallest > len(source.data) - source.pos:
            raise IndexError
        if not nulls:
            return each.read_many(source, count, inner)
        read = each.read_or_null
        return [read(source, inner) for _ in range(count)]

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        known = inner = None
        if arguments:
            known = _known(arguments[0], sink.bindings, self.registry)
            inner = arguments[-1].arguments
        if self._plain and value.__class__ is list:
            items = value
        else:
            items = items_of(value, self.base, known.class_name if known else "")
        if self.container.final and any(each is None for each in items):
            raise Rejection(f"a {self.class_name} takes no null")
        sink.descend()
        if not items:
            sink.out.append(1)
            self.write_comparator(sink, value)
        elif known is not None:
            self._write_known(sink, value, items, known, inner)
        else:
            if arguments and self.base == self.class_name:
                _check_elements(arguments[0], items, self.registry)
            self._write_unknown(sink, value, items, inner)
        sink.depth -= 1

    def _write_known(
        self, sink: Writer, value: Any, items: list[Any], known: Serializer, inner: Arguments
    ) -> None:
        nulls = NoneType in map(type, items)
        if self.container.final:
            sink.varint(len(items) + 1)
        else:
            sink.flagged(nulls, len(items) + 1)
        self.write_comparator(sink, value)
        self._write_items(sink, items, known, inner, nulls)

    def _write_unknown(self, sink: Writer, value: Any, items: list[Any], inner: Arguments) -> None:
        kinds = set(map(type, items))
        same = self.registry.of_all(kinds, items)
        of = self.registry.of
        classes = {same} if same else {of(each) for each in items if each is not None}
        sink.flagged(len(classes) < 2, len(items) + 1)
        if not self._plain:
            self.write_comparator(sink, value)
            if self.sorts(value):
                _check_order(self.class_name, items, self.registry)
        if not classes:
            sink.out.append(0)
        elif len(classes) == 1:
            serializer = classes.pop()
            sink.class_name(serializer.class_name)
            nulls = NoneType in kinds
            if not self.container.final:
                sink.out.append(nulls)
            self._write_items(sink, items, serializer, inner, nulls)
        else:
            for item in items:
                sink.value(item, inner)

    @staticmethod
    def _write_items(
        sink: Writer, items: list[Any], serializer: Serializer, inner: Arguments, nulls: bool
    ) -> None:
        if not nulls:
            serializer.write_many(sink, items, inner)
            return
        write = serializer.write_or_null
        for item in items:
            write(sink, item, inner)


class MapSerializer(_Container):
    """Any map."""

    def _parts(
        self, arguments: Arguments, bindings: Bindings
    ) -> tuple[tuple[Serializer | None, Arguments], tuple[Serializer | None, Arguments]]:
        """Return for keys and values the serializer, if known, and their own type arguments."""
        if not arguments:
            return (None, None), (None, None)
        if len(arguments) < 2:
            raise Rejection(f"Java fails on a {self.class_name} with one type argument")
        key, value = arguments[0], arguments[1]
        return (
            (_known(key, bindings, self.registry), key.arguments),
            (_known(value, bindings, self.registry), arguments[-1].arguments),
        )

    def read(self, source: Reader, arguments: Arguments = None) -> Any:
        count = source.count()
        if count < 0:
            return None
        source.descend()
        comparator = self.read_comparator(source)
        entries: list[tuple[Any, Any]] = []
        if count:
            keys, values = self._parts(arguments, source.bindings)
            source.claim(count, 2)
            if keys == values == (None, None):
                read = source.value
                entries = [(read(), read()) for _ in range(count)]
            else:
                key, value = self._reader(*keys), self._reader(*values)
                entries = [(key(source), value(source)) for _ in range(count)]
        source.depth -= 1
        if self.build is not None:
            return self.build(entries)
        return make_map(self.class_name, entries, comparator)

    def _reader(self, known: Serializer | None, inner: Arguments) -> Callable[[Reader], Any]:
        if known is None:
            return lambda source: source.value(inner)
        read = known.read if self.container.final else known.read_or_null
        if inner is None:
            return Reader.string if known.form is TEXT else read
        return lambda source: read(source, inner)

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        typed = arguments if value else None  # Java uses them only if there are entries
        keys, values = self._parts(typed, sink.bindings)
        entries = entries_of(value, self.base, keys[0].class_name if keys[0] else "")
        sink.descend()
        sink.varint(len(entries) + 1)
        self.write_comparator(sink, value)
        if entries:
            if self.sorts(value) and (keys[0] is None or any(key is None for key, _ in entries)):
                _check_order(self.class_name, [key for key, _ in entries], self.registry)
            if arguments and self.base == self.class_name:
                for place, (known, _) in enumerate((keys, values)):
                    if known is None and arguments[place].raw != "java.lang.Object":
                        parts = [entry[place] for entry in entries]
                        _check_elements(arguments[place], parts, self.registry)
            write_key, write_value = self._writer(*keys), self._writer(*values)
            for key, each in entries:
                write_key(sink, key)
                write_value(sink, each)
        sink.depth -= 1

    def _writer(
        self, known: Serializer | None, inner: Arguments
    ) -> Callable[[Writer, Any], object]:
        if known is None:
            return lambda sink, value: sink.value(value, inner)
        write = known.write if self.container.final else known.write_or_null
        return write if inner is None else lambda sink, value: write(sink, value, inner)


class _FixedSize(Serializer):
    """Empty and singleton collections and maps: no length."""

    def __init__(self, class_name: str, container: Container) -> None:
        super().__init__(class_name)
        self._map = container.kind is Kind.MAP
        self._size = container.size or 0
        self.smallest = self._size * (2 if self._map else 1)

    def read(self, source: Reader, arguments: Arguments = None) -> Any:
        source.descend()
        count = range(self._size)
        if self._map:
            found = make_map(self.class_name, [(source.value(), source.value()) for _ in count])
        else:
            found = make_collection(self.class_name, [source.value() for _ in count])
        source.depth -= 1
        return found

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        sink.descend()
        if self._map:
            for key, each in entries_of(value, self.class_name):
                sink.value(key)
                sink.value(each)
        else:
            for item in items_of(value, self.class_name):
                sink.value(item)
        sink.depth -= 1


def container_serializer(class_name: str, registry: Classes) -> Serializer:
    """Return the serializer of a container of the JDK."""
    container = CONTAINERS[class_name]
    if container.size is not None:
        return _FixedSize(class_name, container)
    if container.kind is Kind.MAP:
        return MapSerializer(class_name, registry)
    return CollectionSerializer(class_name, registry)
