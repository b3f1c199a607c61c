"""Java's object stream, written: the counterpart of `reader`.

An object that occurs twice (the same one, not an equal one) is written once and referred
to, as Java does. Of numbers the wrappers are objects; plain ones are shared where Java's
boxing shares them (`Integer.valueOf`: -128 to 127), for Python keeps no others apart. The
rule: only classes of `descriptions` and schemas, and each value is checked against its
field's type first.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from enum import Enum
from typing import Any
from uuid import UUID

from pyredisson.codecs.java.build import entries_of, items_of
from pyredisson.codecs.java.checks import (
    check_big,
    check_date,
    check_decimal,
)
from pyredisson.codecs.java.classes import class_of
from pyredisson.codecs.java.comparators import FIELDLESS, REVERSE_OF, check_comparator
from pyredisson.codecs.java.enums import JDK_ENUMS
from pyredisson.codecs.java.hashing import table_size
from pyredisson.codecs.java.names import PRIMITIVES, component_of
from pyredisson.codecs.java.numbers import unscaled_of
from pyredisson.codecs.java.objects import JavaObject, JavaValue
from pyredisson.codecs.java.scalars import JBigInteger
from pyredisson.codecs.java.schema import ClassSchema, SchemaField, schema_of
from pyredisson.codecs.java.shared import Shared
from pyredisson.codecs.limits import Limits
from pyredisson.codecs.refusal import Refusal, refuse_value

from .boxes import CODES, FORMS, identity, pack_primitive
from .descriptions import ENUM, KNOWN, Description, array_description
from .modified_utf8 import to_modified
from .objects import erased
from .schemas import described, fits
from .specials import SPECIAL
from .throwables import THROWABLE
from .thrown import vars_of, write_object, write_thrown

__all__ = ["StreamWriter"]

_NO_ENUMS = {"java.lang.Class", "java.io.ObjectStreamClass"}
_COUNTED = ("LinkedList", "ArrayDeque", "concurrent.CopyOnWriteArrayList")


class StreamWriter:
    """The bytes of one stream so far; `named`: what reads it is told the class of a value first."""

    def __init__(
        self, schemas: Mapping[str, ClassSchema], limits: Limits, *, named: bool = False
    ) -> None:
        self.named = named
        self.out = bytearray(b"\xac\xed\x00\x05")
        self._schemas = schemas
        self._limits = limits
        self._handles = 0
        self._described: dict[str, int] = {}
        self._texts: dict[str, int] = {}
        self._shared = Shared(limits)
        self._kept: list[Any] = []

    def value(self, value: Any, boxed: str | None = None) -> None:
        """Write an object; `boxed` is the class of a plain number where a field fixes it.

        Raises:
            Refusal: no value that this writer knows.
        """
        if value is None:
            self.out.append(0x70)
            return
        key = identity(value, boxed)
        number = self._shared.number(key)
        if number is not None:
            self.reference(number)
            return
        self._shared.enter(key)
        self._object(value, boxed)
        self._shared.leave(key)

    def reference(self, number: int) -> None:
        """Refer to the object with this handle."""
        self.out += struct.pack(">Bi", 0x71, 0x7E0000 + number)

    def _object(self, value: Any, boxed: str | None) -> None:
        schema = self._schemas.get(getattr(schema_of(type(value)), "class_name", ""))
        if isinstance(value, JavaObject):
            write_object(self, value)
        elif isinstance(value, JavaValue):
            self._constant(value, value.class_name, value.value)
        elif isinstance(value, Enum) and (schema is not None or type(value) in JDK_ENUMS):
            found = schema_of(type(value))
            self._constant(value, "" if found is None else found.class_name, value.name)
        elif schema is not None:
            self._instance(value, schema)
        else:
            name = boxed or class_of(value)
            key = identity(value, boxed)
            if name == "java.lang.String":
                self._string(value)
            elif name.startswith("["):
                self._array(value, name, key)
            elif name in KNOWN:
                self._known(value, name, key)
            elif name in SPECIAL:
                SPECIAL[name](self, value, name)
            else:
                raise Refusal(f"a {name}, which this codec reads only")

    def _new(self, key: Any = None) -> None:
        if key is not None:
            self._shared.add(key, self._handles)
        self._handles += 1

    def _utf(self, text: str) -> None:
        data = to_modified(text)
        self.out += struct.pack(">H", len(data)) + data

    def _string(self, text: str) -> None:
        data = to_modified(text)
        if len(data) < 0x10000:
            self.out += struct.pack(">BH", 0x74, len(data)) + data
        else:
            self.out += struct.pack(">Bq", 0x7C, len(data)) + data
        self._new(id(text))

    def _signature(self, text: str) -> None:
        if text in self._texts:
            self.reference(self._texts[text])
            return
        self._texts[text] = self._handles
        self._new()
        self.out.append(0x74)
        self._utf(text)

    def _class(self, described: Description | None) -> None:
        if described is None:
            self.out.append(0x70)
            return
        known = self._described.get(described.name)
        if known is not None:
            self.reference(known)
            return
        self.out.append(0x72)
        self._utf(described.name)
        self._described[described.name] = self._handles
        self._new()
        uid = described.uid & 0xFFFFFFFFFFFFFFFF
        self.out += struct.pack(">QBH", uid, described.flags, len(described.fields))
        for code, name, signature in described.fields:
            self.out.append(ord(code))
            self._utf(name)
            if signature:
                self._signature(signature)
        self.out.append(0x78)
        self._class(described.parent)

    def begin(self, key: Any, described: Description) -> int:
        """Begin an object and return its handle; without a `key` nothing can refer to it."""
        self.out.append(0x73)
        self._class(described)
        self._new(key)
        return self._handles - 1

    def block(self, form: str, *numbers: Any) -> None:
        """Write numbers as data of a `writeObject`."""
        data = struct.pack(">" + form, *numbers)
        self.out += struct.pack(">BB", 0x77, len(data)) + data

    def enum_class(self, class_name: str) -> None:
        """Write the class object of an enum."""
        key = Description, class_name
        number = self._shared.number(key)
        if number is not None:
            self.reference(number)
            return
        self.out.append(0x76)
        self._class(_enum(class_name))
        self._new(key)

    def keep(self, made: Any) -> Any:
        """Return a value that lives as long as the stream, which knows it by its `id`."""
        self._kept.append(made)
        return made

    def _constant(self, value: Any, class_name: str, name: Any) -> None:
        if not isinstance(name, str):
            raise refuse_value(name, "an enum constant's name")
        if class_name in _NO_ENUMS:
            raise Refusal(f"a {class_name}, which this codec reads only")
        self.out.append(0x7E)
        self._class(_enum(class_name))
        self._new(identity(value))
        self._string(name)  # never a reference: Java reads none there

    def _known(self, value: Any, name: str, key: Any) -> None:
        self.begin(key, KNOWN[name])
        if name in CODES:
            self.out += pack_primitive(value, CODES[name])
        elif name.endswith(("Map", "Set", "List", "Deque", "Queue")):
            self._container(value, name)
        else:
            _SCALARS[name](self, value)

    def _container(self, value: Any, name: str) -> None:
        if name.endswith("Map"):
            entries = entries_of(value, name)
            items = [part for entry in entries for part in entry]
            self._map_head(value, name, len(entries))
        else:
            items = items_of(value, name)
            self._head(value, name, len(items), items)
        for each in items:
            self.value(each)
        self.out.append(0x78)
        if name == "java.util.LinkedHashMap":
            self.out.append(0)  # in the order of insertion

    def _comparator(self, value: Any, name: str) -> None:
        self.value(check_comparator(getattr(value, "comparator", None), name))

    def comparator(self, value: Any) -> None:
        """Write what a comparator adds: the one that it reverses."""
        if value.class_name == REVERSE_OF:
            self.value(check_comparator(value.parts[0] if value.parts else None, REVERSE_OF))

    def _head(self, value: Any, name: str, count: int, items: list[Any]) -> None:
        if name == "java.util.ArrayList":
            self.out += struct.pack(">i", count)
            self.block("i", count)
        elif name.removeprefix("java.util.") in _COUNTED:
            self.block("i", count)
        elif name == "java.util.TreeSet":
            self._comparator(value, name)
            self.block("i", count)
        elif name == "java.util.PriorityQueue":
            self.out += struct.pack(">i", count)
            self._comparator(value, name)
            self.block("i", max(2, count + 1))
        else:
            self.block("ifi", table_size(count, items), 0.75, count)

    def _map_head(self, value: Any, name: str, count: int) -> None:
        if name == "java.util.TreeMap":
            self._comparator(value, name)
            self.block("i", count)
            return
        capacity = table_size(count, list(value) if isinstance(value, dict) else ())
        self.out += struct.pack(">fi", 0.75, capacity * 3 // 4 if count else 0)
        self.block("ii", capacity, count)

    def date(self, value: Any) -> None:
        """Write what a Date adds: its milliseconds."""
        self.block("q", check_date(value))
        self.out.append(0x78)

    def uuid(self, value: UUID) -> None:
        """Write a UUID's fields."""
        self.out += struct.pack(">QQ", value.int & 0xFFFFFFFFFFFFFFFF, value.int >> 64)

    def big_integer(self, value: Any) -> None:
        """Write a BigInteger's fields: sign and magnitude; the others are unused caches."""
        number = check_big(value, self._limits)
        signum = (number > 0) - (number < 0)
        self.out += struct.pack(">5i", -1, -1, -2, -2, signum)
        size = (abs(number).bit_length() + 7) // 8
        self._array(abs(number).to_bytes(size, "big"), "[B", None)
        self.out.append(0x78)

    def decimal(self, value: Any) -> None:
        """Write a BigDecimal's fields: its scale and its digits."""
        unscaled, scale = unscaled_of(check_decimal(value, self._limits))
        self.out += struct.pack(">i", scale)
        self.out.append(0x73)
        self._class(KNOWN["java.math.BigInteger"])
        self._new()
        self.big_integer(JBigInteger(unscaled))
        self.out.append(0x78)

    def _array(self, value: Any, name: str, key: Any) -> None:
        self.out.append(0x75)
        self._class(array_description(name))
        self._new(key)
        self.out += struct.pack(">i", len(value))
        code = name[1:]
        if code in FORMS:
            if isinstance(value, bytes):
                self.out += value
                return
            for each in value:
                self.out += pack_primitive(each, code)
            return
        component = component_of(name) or ""
        for each in value:
            self.checked(each, component)

    def checked(self, value: Any, kind: str) -> None:
        """Write a value where Java's type is declared.

        Raises:
            Refusal: a value that does not fit.
        """
        if value is not None and kind in CODES:
            pack_primitive(value, CODES[kind])
            self.value(value, kind)
            return
        if value is not None and not fits(value, kind):
            raise refuse_value(value, f"a {kind}")
        self.value(value)

    def _instance(self, value: Any, schema: ClassSchema) -> None:
        unsure = schema.kind == "record" and schema.serial_version_uid is None
        if self.named and unsure and "java.io.Serializable" not in schema.interfaces:
            told = f"the record {schema.class_name}, whose schema does not say java.io.Serializable"
            raise Refusal(told, schema.class_name)
        description = described(schema)
        handle = self.begin(id(value), description)
        if THROWABLE in description.line():
            write_thrown(self, handle, value, vars_of(value, schema))
        line = []
        each: ClassSchema | None = schema
        while each is not None:
            line.append(each)
            each = each.parent
        for part in reversed(line):
            self._fields(value, part)

    def _fields(self, value: Any, schema: ClassSchema) -> None:
        fields = [each for each in schema.fields if not each.transient]
        fields.sort(key=lambda each: (not each.type.primitive, each.name))
        for each in fields:
            try:
                self._field(getattr(value, each.attribute), each, schema)
            except AttributeError:
                raise Refusal(f"a {schema.class_name} without {each.attribute}") from None
            except Refusal as error:
                if error.place is None:
                    error.place = f"{schema.class_name}.{each.name}"
                raise

    def _field(self, value: Any, field: SchemaField, schema: ClassSchema) -> None:
        kind = field.type
        if kind.primitive:
            self.out += pack_primitive(value, PRIMITIVES[kind.name])
            return
        self.checked(value, erased(schema, field) + "[]" * kind.dimensions)


_SCALARS: dict[str, Any] = {
    "java.util.Date": StreamWriter.date,
    "java.util.UUID": StreamWriter.uuid,
    "java.math.BigInteger": StreamWriter.big_integer,
    "java.math.BigDecimal": StreamWriter.decimal,
    **dict.fromkeys([*FIELDLESS, REVERSE_OF], StreamWriter.comparator),
}


def _enum(class_name: str) -> Description:
    return Description(class_name, 0, 0x12, (), ENUM)
