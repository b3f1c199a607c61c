"""Protostuff's runtime schemas: what `ProtobufCodec` writes for classes that protoc did not make.

Fields are numbered in the order of their declaration, those of superclasses first, and
written with Protobuf's wire types; nulls and empty collections are left out. Elements of a
collection are repeated fields, without its nulls. Nested objects, and maps as a message of
repeated entries (key 1, value 2), are groups. Source: protostuff-runtime 1.8.0,
`RuntimeSchema` and its field factories with the default flags, and Redisson 3.23.4 and
4.7.0 running.

Where protostuff names classes inside a message (fields of open types, nested collections, arrays)
it has formats of its own; the codec rejects such a class when it is created.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pyredisson.java.build import entries_of, items_of, make_collection, make_map
from pyredisson.java.classes import class_of
from pyredisson.java.coerce import coerce
from pyredisson.java.schema import ClassSchema
from pyredisson.java.supertypes import jdk_supertypes
from pyredisson.java.types import JavaType, Wildcard
from pyredisson.limits import Limits
from pyredisson.rejection import Rejection, reject_value

from .cursor import Cursor
from .protostuff_kinds import GROUP, ZEROS, Kind, enum_kind, parts, scalar_kinds, skip

__all__ = ["Protostuff"]

_COLLECTIONS = {
    "java.util.Collection": "java.util.ArrayList",
    "java.util.List": "java.util.ArrayList",
    "java.util.Set": "java.util.HashSet",
    "java.util.SortedSet": "java.util.TreeSet",
    **{
        name: name
        for name in (
            *("java.util.ArrayList", "java.util.LinkedList", "java.util.HashSet"),
            *("java.util.LinkedHashSet", "java.util.TreeSet"),
        )
    },
}
_MAPS = {
    "java.util.Map": "java.util.HashMap",
    "java.util.SortedMap": "java.util.TreeMap",
    **{
        f"java.util.{name}": f"java.util.{name}" for name in ("HashMap", "LinkedHashMap", "TreeMap")
    },
}


@dataclass(frozen=True)
class _Field:
    """One field: its attribute, its elements' kind, and how to split and build a collection."""

    attribute: str
    kind: Kind
    split: Callable[[Any], list[Any]] | None = None
    collect: Callable[[list[Any]], Any] | None = None


class _Message:
    """Objects of one class; `blank` has the attribute values of missing fields."""

    def __init__(self, schema: ClassSchema, limits: Limits) -> None:
        self.schema = schema
        self.fields: dict[int, _Field] = {}
        self.blank: dict[str, Any] = {}
        self._limits = limits

    def write(self, value: Any, depth: int) -> bytes:
        """Return an object's fields.

        Raises:
            Rejection: the object is of another class, or a field does not accept its value.
        """
        if type(value) is not self.schema.python:
            raise reject_value(value, f"a {self.schema.class_name} and none of its subclasses")
        if depth >= self._limits.max_depth:
            raise Rejection(f"nested deeper than {self._limits.max_depth}")
        out = []
        for number, field in self.fields.items():
            found = getattr(value, field.attribute, None)
            if found is None and self.blank[field.attribute] is not None:
                raise reject_value(found, f"a {self.schema.class_name}.{field.attribute}")
            items = [found] if found is None or field.split is None else field.split(found)
            out += [field.kind.part(number, each, depth + 1) for each in items]
        return b"".join(out)

    def read(self, source: Cursor, group: int = 0) -> Any:
        """Return an object; skip fields that the class does not have, as Java does."""
        source.descend()
        start = source.pos
        found = dict(self.blank)
        lists: dict[int, list[Any]] = {}
        for number, wire in parts(source, group):
            field = self.fields.get(number)
            if field is None:
                skip(source, number, wire)
                continue
            if wire != field.kind.wire:
                raise Rejection(f"{self.schema.class_name}.{field.attribute} has wire type {wire}")
            value = field.kind.read(source, number)
            if field.collect is None:
                found[field.attribute] = value
            else:
                lists.setdefault(number, []).append(value)
        for number, items in lists.items():
            collect = self.fields[number].collect
            found[self.fields[number].attribute] = collect and collect(items)
        if source.pos - start < 3:
            source.free()  # an object of only its end tag
        source.ascend()
        cls: Any = self.schema.python
        made = cls.__new__(cls)
        for attribute, value in found.items():
            object.__setattr__(made, attribute, value)
        return made


class Protostuff:
    """Messages of the classes of some schemas.

    Args:
        schemas: by JVM name.
        limits: bounds of one message.
    """

    def __init__(self, schemas: Mapping[str, ClassSchema], limits: Limits) -> None:
        self._schemas = schemas
        self._limits = limits
        self._messages: dict[str, _Message] = {}
        self._kinds = scalar_kinds(limits)

    def message(self, schema: ClassSchema) -> _Message:
        """Return the reader and writer of objects of a class.

        Raises:
            TypeError: a class or a field that protostuff writes in another way.
        """
        found = self._messages.get(schema.class_name)
        if found is None:
            if schema.kind != "class" or schema.abstract:
                raise TypeError(f"protostuff makes no objects of {schema.class_name}")
            found = self._messages[schema.class_name] = _Message(schema, self._limits)
            self._describe(found)
        return found

    def _describe(self, message: _Message) -> None:
        schema: ClassSchema | None = message.schema
        lineage: list[ClassSchema] = []
        while schema is not None:
            lineage.insert(0, schema)
            above, schema = schema, schema.parent
            if schema is None and above.extends is not None:
                raise TypeError(f"{above.class_name} extends {above.extends}, without a schema")
        every = [each for owner in lineage for each in owner.fields]
        # A field that hides another takes its place: protostuff knows fields by their names.
        written = {each.name: each for each in every if not each.transient}
        for number, each in enumerate(written.values(), 1):
            message.fields[number] = self._field(each.attribute, each.type, message.schema)
        message.blank = {each.attribute: ZEROS.get(str(each.type)) for each in every}

    def _field(self, attribute: str, declared: JavaType, schema: ClassSchema) -> _Field:
        name, inner = declared.name, [self._kind(each) for each in declared.arguments]
        elements = [each for each in inner if each is not None]
        many = declared.dimensions == 0 and len(inner) == len(elements)
        if many and name in _COLLECTIONS and elements:
            return _Field(attribute, elements[0], *_collection(declared))
        if many and name in _MAPS and len(elements) == 2 and elements[0].wire != GROUP:
            return _Field(attribute, _map(declared, *elements))
        kind = self._kind(declared)
        if kind is None:
            raise TypeError(
                f"{schema.class_name}.{attribute} is a {declared}, which protostuff writes "
                "in a format of its own"
            )
        return _Field(attribute, kind)

    def _kind(self, declared: JavaType) -> Kind | None:
        """Return the kind of a type's values; None if their format names the class."""
        if declared.variable or declared.wildcard is not Wildcard.NONE:
            return None
        known = self._kinds.get(str(declared))
        schema = self._schemas.get(declared.name)
        if known is not None or schema is None or declared.dimensions:
            return known
        if schema.kind == "enum":
            return enum_kind(schema)
        if schema.kind == "record" or schema.abstract:
            return None
        message = self.message(schema)
        return Kind(GROUP, message.write, message.read)


def _fitting(value: Any, declared: str) -> Any:
    """Return a collection or map as the class that its field declares."""
    found = coerce(declared, value)
    found = value if found is None else found
    if declared not in jdk_supertypes(class_of(found)):
        raise reject_value(value, f"a {declared}")
    return found


def _collection(
    declared: JavaType,
) -> tuple[Callable[[Any], list[Any]], Callable[[list[Any]], Any]]:
    """Return the function that splits a collection, and the one that builds Java's class of it."""

    def split(value: Any) -> list[Any]:
        found = _fitting(value, declared.name)
        return items_of(found, class_of(found), declared.arguments[0].name)

    return split, lambda items: make_collection(_COLLECTIONS[declared.name], items)


def _map(declared: JavaType, key: Kind, value: Kind) -> Kind:
    """Return a map: an object whose field 1 are the entries, each an object of two fields."""

    def entry(pair: tuple[Any, Any], depth: int) -> bytes:
        return key.part(1, pair[0], depth) + value.part(2, pair[1], depth)

    def read_entry(source: Cursor, group: int) -> tuple[Any, Any]:
        found: dict[int, Any] = {1: None, 2: None}
        for number, wire in parts(source, group):
            kind = {1: key, 2: value}.get(number)
            if kind is None or wire != kind.wire or found[number] is not None:
                raise Rejection("no entry of a map")
            found[number] = kind.read(source, number)
        return found[1], found[2]

    entries = Kind(GROUP, entry, read_entry)

    def write(whole: Any, depth: int) -> bytes:
        found = _fitting(whole, declared.name)
        pairs = entries_of(found, class_of(found), declared.arguments[0].name)
        return b"".join(entries.part(1, pair, depth + 1) for pair in pairs)

    def read(source: Cursor, group: int) -> Any:
        pairs = []
        for number, wire in parts(source, group):
            if (number, wire) != (1, GROUP):
                raise Rejection("no entry of a map")
            pairs.append(entries.read(source, number))
        return make_map(_MAPS[declared.name], pairs)

    return Kind(GROUP, write, read)
