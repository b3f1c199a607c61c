"""How to read and write one field of an object, decided by its declared type.

A primitive has no header. If the type, as far as Kryo can resolve it, is a final class, the field
is a body that can also be null. Otherwise a class header comes first. A variable that is bound
outside the class is resolved again for each object. Source: Kryo's `CachedFields` and
`ReflectField`.
"""

from __future__ import annotations

from typing import Any

from pyredisson.codecs.kryo5.kernel.classes import Classes
from pyredisson.codecs.kryo5.kernel.generics import Arguments, Generic, class_name_of, resolve
from pyredisson.codecs.kryo5.kernel.reader import Reader
from pyredisson.codecs.kryo5.kernel.serializer import Serializer
from pyredisson.codecs.kryo5.kernel.writer import Writer
from pyredisson.java.coerce import coerce
from pyredisson.java.names import array_class, component_of
from pyredisson.java.schema import ClassSchema, SchemaField
from pyredisson.java.types import JavaType
from pyredisson.rejection import Rejection, reject_value

__all__ = ["Field", "KnownField", "OpenField", "PrimitiveField", "erase", "make_field"]


class Field:
    """Reads and writes one field."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def read(self, source: Reader) -> Any:
        """Read the value."""
        raise NotImplementedError

    def write(self, sink: Writer, value: Any) -> None:
        """Write the value, None included."""
        raise NotImplementedError


class PrimitiveField(Field):
    """A primitive: its wrapper's body, and no null."""

    __slots__ = ("serializer",)

    def __init__(self, name: str, serializer: Serializer) -> None:
        super().__init__(name)
        self.serializer = serializer

    def read(self, source: Reader) -> Any:
        return self.serializer.read(source)

    def write(self, sink: Writer, value: Any) -> None:
        if value is None:
            raise reject_value(value, "a primitive value")
        self.serializer.write(sink, value)


class KnownField(Field):
    """A field of a final class."""

    __slots__ = ("arguments", "serializer")

    def __init__(self, name: str, serializer: Serializer, arguments: Arguments) -> None:
        super().__init__(name)
        self.serializer = serializer
        self.arguments = arguments

    def read(self, source: Reader) -> Any:
        return self.serializer.read_or_null(source, self.arguments)

    def write(self, sink: Writer, value: Any) -> None:
        self.serializer.write_or_null(sink, value, self.arguments)


class UnwritableField(KnownField):
    """A field of a superclass's variable that is bound to String: Kryo 5.3.0 can only read it."""

    __slots__ = ()

    def write(self, sink: Writer, value: Any) -> None:
        raise Rejection(f"{self.name} is not writable: Redisson 3.19.0 fails to write it, too")


class OpenField(Field):
    """A field of any class that fits the declared type: with a class header."""

    __slots__ = ("accepted", "arguments", "declared", "registry")

    def __init__(self, name: str, declared: str, arguments: Arguments, registry: Classes) -> None:
        super().__init__(name)
        self.declared = declared
        self.arguments = arguments
        self.registry = registry
        self.accepted: set[str] = set()

    def read(self, source: Reader) -> Any:
        data, pos, known = source.data, source.pos, source.known
        index = data[pos + 1] if data[pos] == 1 else 0x80
        serializer = known[index] if index < 0x80 and index < len(known) else None
        if serializer is not None:  # its name occurred before
            source.pos = pos + 2
        else:
            serializer = source.serializer()
            if serializer is None:
                return None
        if serializer.class_name not in self.accepted:
            self._accept(serializer.class_name)
        return serializer.read(source, self.arguments)

    def write(self, sink: Writer, value: Any) -> None:
        if value is None:
            sink.out.append(0)
            return
        serializer = self.registry.of_type(value.__class__)
        if serializer is None or serializer.class_name not in self.accepted:
            serializer, value = self._serializer(value)
        known = sink.names.get(serializer.class_name)
        if known is None:
            sink.class_name(serializer.class_name)
        else:
            sink.out += known
        serializer.write(sink, value, self.arguments)

    def _serializer(self, value: Any) -> tuple[Serializer, Any]:
        try:
            found = self.registry.of(value)
            if found.class_name not in self.accepted:
                self._accept(found.class_name)
        except Rejection:
            first = self.arguments[0].raw if self.arguments else None
            value = coerce(self.declared, value, first)
            if value is None:
                raise
            found = self.registry.of(value)
            self._accept(found.class_name)
        return found, value

    def _accept(self, class_name: str) -> None:
        if not self.registry.accepts(self.declared, class_name):
            raise Rejection(f"a {class_name} is not a {self.declared}", class_name)
        self.accepted.add(class_name)


class VariableField(Field):
    """A type variable, or an array of it: its binding is looked up for each object."""

    __slots__ = ("array", "generic", "open", "registry")

    def __init__(
        self, name: str, generic: Generic, declared: str, array: bool, registry: Classes
    ) -> None:
        super().__init__(name)
        self.generic = generic
        self.array = array
        self.registry = registry
        self.open = OpenField(name, declared, None, registry)

    def _known(self, raw: str | None) -> Serializer | None:
        if raw is None or not self.registry.final(raw):
            return None
        if self.array and self.registry.release.generic_arrays:
            component = component_of(raw)
            return self.registry.known(array_class(f"{component}[]" if component else raw))
        return self.registry.known(raw)

    def read(self, source: Reader) -> Any:
        known = self._known(self.generic.resolve(source.bindings))
        return self.open.read(source) if known is None else known.read_or_null(source)

    def write(self, sink: Writer, value: Any) -> None:
        known = self._known(self.generic.resolve(sink.bindings))
        if known is None:
            self.open.write(sink, value)
        else:
            known.write_or_null(sink, value)


class UnknownField(Field):
    """A field of an unknown class: only null, which every such class encodes as `00`."""

    __slots__ = ("declared",)

    def __init__(self, name: str, declared: str) -> None:
        super().__init__(name)
        self.declared = declared

    def _rejection(self) -> Rejection:
        jdk = self.declared.startswith(("java.", "javax."))
        instead = "only null is supported" if jdk else "pyredisson schema writes it"
        return Rejection(
            f"the field {self.name} is a {self.declared}, for which there is no schema; {instead}",
            self.declared,
        )

    def read(self, source: Reader) -> Any:
        if source.byte():
            raise self._rejection()

    def write(self, sink: Writer, value: Any) -> None:
        if value is not None:
            raise self._rejection()
        sink.out.append(0)


def erase(schema: ClassSchema, declared: JavaType) -> str:
    """Return the JVM's name of the field's runtime class."""
    name, seen = declared.name, 0
    if declared.variable:
        bound = schema.variables[name]
        while bound.variable and seen < len(schema.variables):
            bound, seen = schema.variables[bound.name], seen + 1
        name = bound.name
    return class_name_of(name, declared.dimensions)


def make_field(owner: ClassSchema, to: ClassSchema, field: SchemaField, registry: Classes) -> Field:
    """Return the reader and writer of a field of `owner` in objects of class `to`."""
    if field.type.primitive:
        return PrimitiveField(field.name, registry.primitive(field.type.name))
    generic = resolve(owner, to, field.type)
    erased = erase(owner, field.type)
    declared = erased if generic.raw is None else generic.raw
    final = registry.final(declared)
    if final is None:
        return UnknownField(field.name, declared)
    if final:
        bound = field.type.variable and declared == "java.lang.String"
        kind = UnwritableField if bound and not registry.release.bound_strings else KnownField
        return kind(field.name, registry.known(declared), generic.arguments)
    if generic.raw is None:
        array = field.type.dimensions > 0
        return VariableField(field.name, generic, erased, array, registry)
    return OpenField(field.name, declared, generic.arguments, registry)
