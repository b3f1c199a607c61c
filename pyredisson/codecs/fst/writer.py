"""Writes FST: the same bytes as Java, for the classes that the reader knows.

For a text, an array, a container or an object that occurs again, FST writes the position at which
it began. It always writes numbers, enums, dates and arrays within an array again. This module
encodes the classes for which FST has a serializer. For the others it writes the class data of
Java's own stream, in FST's order. Sources: `FSTObjectOutput` and `FSTObjectRegistry` of FST 2.57;
the serializers that `alwaysCopy`.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from pyredisson.codecs.java_serialization.boxes import CODES, pack_primitive
from pyredisson.codecs.java_serialization.class_data_writers import CLASS_DATA_WRITERS
from pyredisson.codecs.java_serialization.descriptions import KNOWN, Description
from pyredisson.codecs.java_serialization.objects import DATA
from pyredisson.codecs.java_serialization.replaced import EnumClass, Made, enum_elements
from pyredisson.codecs.java_serialization.schemas import fits
from pyredisson.codecs.java_serialization.stream_model import ClassData
from pyredisson.codecs.java_serialization.stream_writer import BaseStreamWriter
from pyredisson.codecs.java_serialization.throwable_writer import fill_thrown
from pyredisson.codecs.java_serialization.throwables import STACK_ELEMENT, THROWN
from pyredisson.codecs.java_serialization.times import read_time
from pyredisson.codecs.java_serialization.write_object_cases import WRITE_OBJECT_CASES
from pyredisson.java.build import entries_of, items_of
from pyredisson.java.checks import check_big, check_int
from pyredisson.java.classes import class_of
from pyredisson.java.modified_utf8 import to_modified
from pyredisson.java.names import component_of
from pyredisson.java.objects import JavaObject, JavaValue
from pyredisson.java.schema import ClassSchema
from pyredisson.limits import Limits
from pyredisson.rejection import Rejection, reject_value

from .encoding import COPIED, ELEMENTS, FIELDS, FORMS, Parts, TimeWriter, packed
from .fields import field_of, field_order, imitated_hierarchy, own_fields
from .imitated import BARE, MAP, OBJECT, OWN, PUT, SYNCHRONIZED_RANDOM
from .known import CLASS, COLLECTIONS, ENUM_SETS, MAPS, TEXTS, UNTYPED, is_primitive
from .layouts import IMITATED, JDK_CONSTANTS, NUMBERS, PLAIN_FIELDS, ClassDataLayout, Hierarchy, How
from .numbers import put_char, put_int, put_text

__all__ = ["FstWriter"]

_SYNCHRONIZED = SYNCHRONIZED_RANDOM.replace("RandomAccess", "")
_TIME = "java.time.Ser"
# FST writes the locks of these classes, which the writing thread holds.
_READ_ONLY = {f"java.util.concurrent.LinkedBlocking{each}" for each in ("Queue", "Deque")}
_MARKS = {How.OWN: OWN, How.PUT: PUT, How.BARE: BARE}
_BOXED = {code: name for name, code in CODES.items()}


class FstWriter(BaseStreamWriter):
    """The bytes of one message so far."""

    def __init__(self, schemas: Mapping[str, ClassSchema], limits: Limits) -> None:
        super().__init__(schemas, limits)
        self._names: dict[str, int] = {}
        self._kind: str | None = None  # the type of the field that is written next
        self._declared: str | None = None  # the type of the field that is being written

    def value(self, value: Any, boxed: str | None = None) -> None:
        """Write an object; `boxed` is the class of a plain number if the field fixes it.

        Raises:
            Rejection: the writer does not know such a value.
        """
        self._declared, self._kind = self._kind, None
        if isinstance(value, bool):
            self.out.append(0xF0 if value else 0xEF)
            return
        name = boxed
        if name is None and isinstance(value, (int, float, str, datetime)):
            name = class_of(value)
        if name == "java.lang.Integer":
            self.out += b"\xf7" + put_int(check_int(value, 32, "an Integer"))
        elif name == "java.lang.Long":
            self.out += b"\xf6" + put_int(check_int(value, 64, "a Long"), long=True)
        elif name in COPIED:
            body = COPIED[name](value)
            self._head(None, name)
            self.out += body
        else:
            super().value(_class_of(value), boxed)

    def checked(self, value: Any, kind: str) -> None:
        """Write a value in a field whose Java type is `kind`.

        Raises:
            Rejection: the value does not fit.
        """
        self._kind = kind
        super().checked(_class_of(value), kind)

    def text(self, text: str) -> bytes:
        """Encode a text within data, as Java does; `_time` encodes it as FST does."""
        data = to_modified(text)
        return struct.pack(">H", len(data)) + data

    def _null(self) -> None:
        self.out.append(0xFF)

    def _reference(self, number: int) -> None:
        self.out += b"\xf9" + put_int(number)

    def _string(self, text: str) -> None:
        self._note(id(text))
        self.out += b"\xfc" + put_text(text)

    def _note(self, key: Any) -> None:
        if key is not None:
            self._shared.add(key, len(self.out))

    def _head(self, key: Any, name: str) -> None:
        """Start an object of a class; without a `key` nothing can refer to it."""
        self._note(key)
        if name == self._declared and name not in UNTYPED and name not in IMITATED:
            self.out.append(0xFD)
            return
        self.out.append(0)
        self._class_name(name)

    def _class_name(self, name: str, *, short: bool = True) -> None:
        """Write a class: its number, or its name at its first use."""
        if name in NUMBERS:
            self.out += put_char(NUMBERS[name])
        elif name in self._names:
            self.out += put_char(1000 + self._names[name])
        else:
            self._names[name] = len(self._names)
            self.out.append(short and len(name) < 127 and name.isascii())
            self.out += put_text(name)

    def _object(self, value: Any, boxed: str | None, key: Any) -> None:
        if isinstance(value, JavaObject):
            self._members(value, key)
        elif isinstance(value, JavaValue):
            self._named_value(value, key)
        else:
            super()._object(value, boxed, key)

    def _named_value(self, value: JavaValue, key: Any) -> None:
        """Write a class, or a constant of an enum that has no schema: its ordinal."""
        name, content = value.class_name, value.value
        if name == CLASS:
            if not isinstance(content, str):
                raise reject_value(content, "a class's name")
            self._head(key, CLASS)
            self.out += bytes([is_primitive(content)]) + put_text(content)
            return
        if isinstance(content, str):
            raise Rejection(
                f"the constant {content[:60]} of {name}, of which FST writes the ordinal: pass the "
                "enum's schema in schemas=, or use JavaValue(class, ordinal)",
                name,
            )
        self.out.append(0xFA)
        self._class_name(name)
        self.out += put_int(check_int(content, 32, "the ordinal of a constant"))

    def _constant(self, class_name: str, name: str, key: Any) -> None:
        schema = self._schemas.get(class_name)
        if schema is None:
            names, body = [each.name for each in JDK_CONSTANTS[class_name]], None
        else:
            names = [each.name for each in schema.constants]
            body = schema.constants[names.index(name)].body
        self.out.append(0xFA)
        self._class_name(class_name, short=body is None)
        self.out += put_int(names.index(name))

    def _named(self, value: Any, name: str, key: Any) -> None:
        if name in COLLECTIONS:
            self._items(key, name, items_of(value, name), 1)
        elif name in MAPS:
            entries = entries_of(value, name)
            self._items(key, name, [part for entry in entries for part in entry], 2)
        elif name in ENUM_SETS:
            self._enum_set(value, name, key)
        elif name in TEXTS:
            if not isinstance(value, str):
                raise reject_value(value, f"a {name}")
            self._head(key, name)
            self.out += put_text(value)
        elif name == "java.math.BigInteger":
            number = check_big(value, self.limits)
            size = (number if number >= 0 else ~number).bit_length() // 8 + 1
            self._head(key, name)
            self.out += put_int(size) + number.to_bytes(size, "big", signed=True)
        elif name == SYNCHRONIZED_RANDOM:
            self._whole(key, KNOWN[_SYNCHRONIZED], self.keep(_synchronized(self, value)))
        else:
            super()._named(value, name, key)

    def _items(self, key: Any, name: str, items: list[Any], each: int) -> None:
        self._head(key, name)
        self.out += put_int(len(items) // each)
        for item in items:
            self.value(item)

    def _enum_set(self, value: Any, name: str, key: Any) -> None:
        enum, constants = enum_elements(value, name)
        self._head(key, name)
        self.out += put_int(len(constants))
        self._class_name(enum, short=False)
        for each in constants:
            self.value(each)

    def _array(self, value: Any, name: str, key: Any) -> None:
        self._note(key)
        self.out.append(0xFB)
        self._elements(value, name)

    def _elements(self, value: Any, name: str) -> None:
        self._class_name(name, short=False)
        self.out += put_int(len(value))
        code = name[1:]
        if code in ELEMENTS:
            self.out += value if isinstance(value, bytes) else ELEMENTS[code](value)
            return
        component = component_of(name) or ""
        for each in value:
            self._element(each, component, code)

    def _element(self, value: Any, component: str, code: str) -> None:
        """Write an element; FST never refers to an array within an array, so it has no mark."""
        if value is not None and component in CODES:
            pack_primitive(value, CODES[component])
            self.value(value, component)
            return
        if value is not None and not fits(value, component):
            raise reject_value(value, f"a {component}")
        if not code.startswith("["):
            self.value(value)
        elif value is None:
            self._class_name("java.lang.Object")
            self.out += put_int(-1)
        else:
            self._elements(value, code)

    def _instance(self, value: Any, schema: ClassSchema, key: Any) -> None:
        name = schema.class_name
        if schema.kind == "record":
            raise Rejection(f"the record {name}: Java cannot read records that FST wrote", name)
        hierarchy = imitated_hierarchy(schema)
        if hierarchy is not None:
            self._declared = None  # imitated classes are always named
            self._head(key, name)
            self._write_hierarchy(hierarchy, value)
            return
        self._head(key, name)
        fields = field_order(schema)
        values = {
            each.attribute: self.member(value, owner, each, field_of(value, each.attribute, schema))
            for owner, each in schema.all_fields()
            if not each.transient
        }
        self._fields(fields, values, name)

    def _whole(self, key: Any, description: Description, value: Any) -> None:
        """Write an object of the JDK: in one piece, or class by class as Java's stream does."""
        name = description.name
        if name in _READ_ONLY:
            raise Rejection(f"a {name}, which this codec can only read", name)
        if name == _TIME:
            self._head(key, name)
            read_time(TimeWriter(value.parts[0][1], self.out))
        elif name in IMITATED:
            self._begin(key, description)
            self._write_hierarchy(IMITATED[name], value)
        elif name in PLAIN_FIELDS:
            self._begin(key, description)
            fields = self._filled(PLAIN_FIELDS[name], value, last=True).fields
            self._fields(PLAIN_FIELDS[name].fields, fields, name)
        else:
            raise Rejection(f"a {name}, which this codec can only read", name)

    def _members(self, value: JavaObject, key: Any) -> None:
        """Write an object of the JDK that is given as a `JavaObject`."""
        name = value.class_name
        if name not in IMITATED and name not in PLAIN_FIELDS:
            raise Rejection(f"a {name}, which this codec can only read", name)
        hierarchy = IMITATED.get(name) or (PLAIN_FIELDS[name],)
        known = {each for layout in hierarchy for each, _ in layout.fields} | {DATA}
        if not known >= value.fields.keys():
            raise reject_value(value, f"a {name}: its fields are {sorted(known)}")
        self._whole(key, Description(name, 0), value)

    def _write_hierarchy(self, hierarchy: Hierarchy, value: Any) -> None:
        for layout in hierarchy:
            class_data = self._filled(layout, value, last=layout is hierarchy[-1])
            self.out += _MARKS[layout.how]
            if layout.how is How.PUT:
                _put(self, layout, class_data)
            else:
                self._fields(layout.fields, class_data.fields, layout.class_name)
            _add(self, layout, class_data)

    def _filled(self, layout: ClassDataLayout, value: Any, *, last: bool) -> ClassData:
        """Return the data of one class of the hierarchy."""
        name = layout.class_name
        class_data: ClassData = self.keep(ClassData(name))
        schema = self._schemas.get(name)
        if schema is not None:
            class_data.fields = self.members(value, schema, own_fields(value, schema))
        elif isinstance(value, Made):
            class_data.fields, class_data.parts = value.fields, value.parts if last else []
        elif name in THROWN or name == STACK_ELEMENT.name:
            fill_thrown(value, class_data)
        elif isinstance(value, JavaObject):
            class_data.fields = value.fields
            class_data.parts = [(False, each) for each in value.fields.get(DATA, ()) if layout.data]
        else:
            CLASS_DATA_WRITERS[name](self, value, class_data)
        return class_data

    def _fields(
        self, fields: Iterable[tuple[str, str]], values: Mapping[str, Any], name: str
    ) -> None:
        """Write the fields of a class; booleans at the beginning are bits."""
        bits: list[bool] = []
        at_once = True
        for each, kind in fields:
            if each not in values:
                raise Rejection(f"a {name} without its {each}", name)
            at_once = at_once and kind == "Z"
            if at_once:
                bits.append(FIELDS["Z"](values[each]) != b"\0")
                continue
            self.out += packed(bits)
            bits.clear()
            self._field(values[each], kind)
        self.out += packed(bits)
        self._end()

    def _field(self, value: Any, kind: str) -> None:
        if kind == "L":
            self.value(value)
        elif kind in FIELDS:
            self.out += FIELDS[kind](value)
        else:
            self.checked(value, kind)

    def _begin(self, key: Any, description: Description) -> None:
        self._head(key, description.name)

    def _data(self, data: bytes) -> None:
        self.out += data

    def _end(self) -> None:
        self.out.append(0)


def _put(sink: FstWriter, layout: ClassDataLayout, class_data: ClassData) -> None:
    """Write fields as a map by name."""
    sink.out.append(MAP)
    sink.out += put_int(len(layout.fields))
    for name, kind in layout.fields:
        if name not in class_data.fields:
            raise Rejection(f"a {layout.class_name} without its {name}", layout.class_name)
        sink.value(name)
        sink.value(class_data.fields[name], _BOXED.get(kind))


def _add(sink: FstWriter, layout: ClassDataLayout, class_data: ClassData) -> None:
    """Write the data that a writeObject adds, object by object and number by number."""
    parts = Parts(class_data)
    count = 0
    for code in layout.data:
        if code in FORMS:
            form, kind = FORMS[code]
            count = parts.number(form)
            sink.out += FIELDS[kind](count)
        elif code == "b":
            sink._data(parts.data(count))
        else:
            size = class_data.fields.get("size")
            wanted = {"o": 1, "*": count, "2": 2 * count, "s": size, "~": None}
            for each in parts.objects(wanted[code]):
                sink.out.append(OBJECT)
                sink.value(each)
            if code == "~":
                break
    parts.check_end()


def _class_of(value: Any) -> Any:
    return JavaValue(CLASS, value.class_name) if isinstance(value, EnumClass) else value


def _synchronized(sink: FstWriter, value: Any) -> Made:
    """Return a synchronized list of an ArrayList; FST writes another list as its mutex."""
    made: Made = WRITE_OBJECT_CASES[SYNCHRONIZED_RANDOM](sink, value, SYNCHRONIZED_RANDOM)
    mutex = sink.keep(Made(_SYNCHRONIZED, dict(made.fields)))
    mutex.fields["mutex"] = mutex
    made.fields["mutex"] = mutex
    return made
