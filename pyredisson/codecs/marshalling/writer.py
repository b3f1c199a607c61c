"""Writes JBoss River: the counterpart of `reader`.

Strings, arrays, collections and objects have numbers, and so do the names in class descriptions. An
item that occurs again is written as its number, counted back from the end. Numbers, booleans, the
empty string and `emptyList()` have no number and are always written. Classes that River knows have
a tag; any other class is described at its first use, with its fields by name. `java_serialization`
has the data that JDK classes write, for both formats. Source: `RiverMarshaller` of JBoss
Marshalling 2.0.9 to 2.0.11, version 4 as Redisson configures it.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from typing import Any

from pyredisson.codecs.java_serialization.boxes import FORMS, pack_primitive
from pyredisson.codecs.java_serialization.descriptions import KNOWN, Description
from pyredisson.codecs.java_serialization.literals import literal
from pyredisson.codecs.java_serialization.replaced import enum_elements
from pyredisson.codecs.java_serialization.schemas import described
from pyredisson.codecs.java_serialization.stream_writer import BaseStreamWriter, Fields
from pyredisson.codecs.java_serialization.throwables import STACK_ELEMENT, THROWN
from pyredisson.codecs.java_serialization.write_object_cases import enum_map_keys, inside
from pyredisson.java.build import entries_of, items_of
from pyredisson.java.classes import class_of
from pyredisson.java.comparators import REVERSE, REVERSE_OF, check_comparator
from pyredisson.java.modified_utf8 import to_modified
from pyredisson.java.names import PRIMITIVES as PRIMITIVE_NAMES
from pyredisson.java.names import array_class, component_of
from pyredisson.java.scalars import JChar
from pyredisson.java.schema import ClassSchema
from pyredisson.java.supertypes import jdk_final, jdk_supertypes
from pyredisson.java.values import JText
from pyredisson.limits import Limits
from pyredisson.rejection import Rejection, reject_value

from .tags import COLLECTIONS, EMPTY_OBJECTS, PREDEFINED, PRIMITIVES, SCALARS, SINGLE, WRAPPERS

__all__ = ["RiverWriter"]

_SCALARS = {name: (tag, form) for tag, (form, name) in SCALARS.items()}
_CODES = {form: code for code, form in FORMS.items()}
_PRIMITIVE_TAGS = {letter: tag for tag, letter in PRIMITIVES.items()}
_FIELD_TAGS = {**_PRIMITIVE_TAGS, "L": 0x16, "[": 0x16}
_SIZED = {
    name: tag
    for tag, name in COLLECTIONS.items()
    if name.rpartition(".")[2] in {"ArrayList", "LinkedList", "Vector", "Stack", "ArrayDeque"}
}
_EXTERNAL = 4
_IDENTITY, _COPIES, _ENUM_SET, _ENUM_MAP = 0x63, 0x7B, 0x6A, 0x6C
_EMPTY = {name: tag for tag, name in EMPTY_OBJECTS.items()}
_TAGGED: dict[str, tuple[int, Callable[[Any, str], Iterable[Any]]]] = {
    **{f"java.util.Collections$Singleton{what}": (tag, items_of) for what, tag in SINGLE.items()},
    "java.util.Collections$SingletonMap": (0x68, lambda value, name: entries_of(value, name)[0]),
    REVERSE_OF: (0x7A, lambda value, name: [check_comparator(value.parts[0], name)]),
}
_WRAPPED = {
    **{name: tag for tag, name in WRAPPERS.items()},
    "java.util.Collections$UnmodifiableRandomAccessList": 0x7D,
}
# Classes for which Java's writer uses a tag; tags of other classes are only read.
_TAGS = {
    name: tag
    for tag, name in PREDEFINED.items()
    if tag not in COLLECTIONS or name in _SIZED or "IdentityHash" in name or "CopyOn" in name
}
_DESCRIBED = {**KNOWN, **THROWN, STACK_ELEMENT.name: STACK_ELEMENT}
_ENUM_SETS = {"java.util.RegularEnumSet", "java.util.JumboEnumSet"}


class RiverWriter(BaseStreamWriter):
    """Writes one message to `out`."""

    def __init__(self, schemas: Mapping[str, ClassSchema], limits: Limits) -> None:
        super().__init__(schemas, limits)
        self.out.append(4)
        self._objects = 0
        self._classes: dict[str, int] = {}

    def value(self, value: Any, boxed: str | None = None) -> None:
        """Write an object; `boxed` is the class of a plain number if a field determines it.

        Raises:
            Rejection: the writer cannot write such a value.
        """
        if isinstance(value, bool):
            self.out.append(0x50 if value else 0x51)
            return
        name = boxed
        if isinstance(value, (int, float, JChar)) and not isinstance(value, Enum):
            name = name or class_of(value)
        if name in _SCALARS:
            tag, form = _SCALARS[name]
            self.out.append(tag)
            self.out += pack_primitive(value, _CODES[form])
        elif isinstance(value, str) and value == "" and not isinstance(value, (Enum, JText)):
            self.out.append(0x3D)
        else:
            super().value(value, boxed)

    def text(self, text: str) -> bytes:
        """Encode a string with its number of UTF-16 units."""
        units = len(text) + sum(each > "\uffff" for each in text)
        return struct.pack(">i", units) + to_modified(text)

    def _null(self) -> None:
        self.out.append(0x01)

    def _reference(self, number: int) -> None:
        back = number - self._objects
        if back >= -0x100:
            self.out += bytes([0x39, back & 0xFF])
        elif back >= -0x10000:
            self.out += struct.pack(">BH", 0x3A, back & 0xFFFF)
        else:
            self.out += struct.pack(">Bi", 0x02, number)

    def _new(self, key: Any) -> None:
        """Assign the next number to a value, for later references."""
        self._shared.add(key, self._objects)
        self._objects += 1

    def _named(self, value: Any, name: str, key: Any) -> None:
        if name in _EMPTY:
            (entries_of if name.endswith("Map") else items_of)(value, name)
            self.out.append(_EMPTY[name])
        elif name == REVERSE:
            self.out.append(0x79)
        elif name in _ENUM_SETS:
            self._enum_set(value, name, key)
        else:
            tagged = self._tagged(value, name)
            if tagged is None:
                super()._named(value, name, key)
                return
            self._new(key)
            tagged()

    def _tagged(self, value: Any, name: str) -> Callable[[], None] | None:
        """Return the function that writes a value whose class has a tag; None for other classes."""
        if name in _SIZED:
            return lambda: self._sized_parts(_SIZED[name], items_of(value, name))
        if name in _TAGGED:
            tag, parts = _TAGGED[name]
            return lambda: self._parts(tag, parts(value, name))
        if name in _WRAPPED:
            return lambda: self._parts(_WRAPPED[name], [self.keep(inside(value, name))])
        writers = {
            "java.util.IdentityHashMap": self._identity_map,
            "java.util.EnumMap": self._enum_map,
            "java.util.Collections$CopiesList": self._copies,
        }
        found = writers.get(name)
        return None if found is None else lambda: found(value)

    def _parts(self, tag: int, parts: Iterable[Any]) -> None:
        self.out.append(tag)
        for each in parts:
            self.value(each)

    def _sized_parts(self, tag: int, items: list[Any]) -> None:
        self._sized(0x52, len(items))
        self._parts(tag, items)

    def _identity_map(self, value: Any) -> None:
        entries = entries_of(value, "java.util.IdentityHashMap")
        self._sized(0x52, len(entries))
        self._parts(_IDENTITY, [part for entry in entries for part in entry])

    def _copies(self, value: Any) -> None:
        if not value or any(each is not value[0] for each in value):
            raise reject_value(
                value, "a java.util.Collections$CopiesList, which repeats one object"
            )
        self._sized(0x52, len(value))
        self._parts(_COPIES, value[:1])

    def _enum_set(self, value: Any, name: str, key: Any) -> None:
        enum_name, constants = enum_elements(value, name)
        self._sized(0x52, len(constants))
        self.out.append(_ENUM_SET)
        self._enum_class(enum_name)
        self._new(key)
        for each in constants:
            self.value(each)

    def _enum_map(self, value: Any) -> None:
        enum_name, keys = enum_map_keys(value)
        self._sized(0x52, len(keys))
        self.out.append(_ENUM_MAP)
        self._enum_class(enum_name)
        for each in keys:
            self.value(each)
            self.value(value[each])

    def _sized(self, tag: int, size: int) -> None:
        """Write the tag that fits a size, and the size."""
        if size == 0:
            self.out.append(tag)
        elif size <= 0x100:
            self.out += bytes([tag + 1, size & 0xFF])
        elif size <= 0x10000:
            self.out += struct.pack(">BH", tag + 2, size & 0xFFFF)
        else:
            self.out += struct.pack(">Bi", tag + 3, size)

    def _string(self, text: str) -> None:
        data = self.text(text)
        self._sized(0x3D, int.from_bytes(data[:4], "big"))
        self.out += data[4:]
        self._new(id(text))

    def _name(self, name: str) -> None:
        """Write the name of a class or field, which Java interns together with equal literals."""
        self.value(self.keep(literal(name)))

    def _array(self, value: Any, name: str, key: Any) -> None:
        self._sized(0x41, len(value))
        code = name[1:]
        if code in _PRIMITIVE_TAGS:
            self.out.append(_PRIMITIVE_TAGS[code])
            self._new(key)
            self._primitives(value, code)
            return
        component = component_of(name) or ""
        self._class_of(component)
        self._new(key)
        for each in value:
            self.checked(each, component)

    def _primitives(self, value: Any, code: str) -> None:
        if isinstance(value, bytes):
            self.out += value
        elif code == "Z":
            self.out += _bits([pack_primitive(each, code) != b"\0" for each in value])
        else:
            for each in value:
                self.out += pack_primitive(each, code)

    def _begin(self, key: Any, description: Description) -> None:
        self.out.append(0x04)
        if description.name in _TAGS:
            self.out.append(_TAGS[description.name])
        else:
            self._class(description)
        self._new(key)

    def _ordered(self, fields: Fields) -> Iterable[tuple[str, str, str]]:
        return sorted(fields, key=lambda each: each[1])

    def _data(self, data: bytes) -> None:
        self.out += struct.pack(">BB", 0x32, len(data)) + data

    def _end(self) -> None:
        self.out.append(0x35)

    def _constant(self, class_name: str, name: str, key: Any) -> None:
        self.out.append(0x04)
        self._enum_class(class_name)
        self.out += self.text(name)
        self._new(key)

    def _known_class(self, name: str) -> bool:
        """Write a reference to a class that was described before; return False if it was not."""
        if name not in self._classes:
            return False
        index = self._classes[name]
        back = index - len(self._classes)
        if back >= -0x100:
            self.out += bytes([0x3B, back & 0xFF])
        elif back >= -0x10000:
            self.out += struct.pack(">BH", 0x3C, back & 0xFFFF)
        else:
            self.out += struct.pack(">Bi", 0x06, index)
        return True

    def _new_class(self, name: str) -> None:
        self._classes[name] = len(self._classes)

    def _enum_class(self, class_name: str) -> None:
        if not self._known_class(class_name):
            self.out.append(0x0C)
            self.out += self.text(class_name)
            self._new_class(class_name)

    def _class(self, described: Description | None) -> None:
        """Describe a class and its superclasses, up to one that is not serializable."""
        if described is None:
            self.out.append(0x16)
            return
        if self._known_class(described.name):
            return
        uid = struct.pack(">Q", described.uid & 0xFFFFFFFFFFFFFFFF)
        if described.flags & _EXTERNAL:
            self.out.append(0x0A)
            self.out += self.text(described.name) + uid
            self._new_class(described.name)
            return
        self.out.append(0x38 if described.flags & 1 else 0x09)
        self._name(described.name)
        self.out += uid
        self._new_class(described.name)
        self.out += struct.pack(">i", len(described.fields))
        for code, name, _ in self._ordered(described.fields):
            self._name(name)
            self.out += bytes([_FIELD_TAGS[code], 0])
        self._class(described.parent)

    def _class_of(self, name: str) -> None:
        """Write the class of an array's elements, by its name in Java source.

        Raises:
            Rejection: the class is unknown.
        """
        jvm = array_class(name)[1:] if name.endswith("[]") else name
        schema = self._schemas.get(name)
        if jvm in _TAGS or name in PRIMITIVE_NAMES:
            self.out.append(_TAGS[jvm])
        elif self._known_class(jvm):
            return
        elif name.endswith("[]"):
            self.out.append(0x0D)
            self._class_of(name[:-2])
            self._new_class(jvm)
        elif schema is not None and schema.kind == "enum":
            self._enum_class(name)
        elif schema is not None or name in _DESCRIBED:
            self._class(described(schema) if schema else _DESCRIBED[name])
        elif jdk_final(name) is False and "java.io.Serializable" not in jdk_supertypes(name):
            self.out.append(0x07)
            self.out += self.text(name)
            self._new_class(name)
        else:
            raise Rejection(f"an array of {name}, which this codec can only read")

    def _instance(self, value: Any, schema: ClassSchema, key: Any) -> None:
        if schema.kind == "record":
            raise Rejection(
                f"the record {schema.class_name}: JBoss Marshalling cannot write records"
            )
        super()._instance(value, schema, key)


def _bits(values: list[bool]) -> bytes:
    packed = bytearray((len(values) + 7) // 8)
    for place, value in enumerate(values):
        packed[place >> 3] |= value << (place & 7)
    return bytes(packed)
