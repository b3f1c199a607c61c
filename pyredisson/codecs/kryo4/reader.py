"""Reads Kryo 4: class headers, strings, containers, arrays and objects."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from pyredisson.codecs.cursor import Cursor, new_array
from pyredisson.codecs.java_serialization.class_hierarchy import erased
from pyredisson.codecs.java_serialization.objects import make_instance, zero_of
from pyredisson.codecs.java_serialization.times import TimeBlock, read_kind
from pyredisson.java.build import make_collection, make_map
from pyredisson.java.comparators import check_comparator
from pyredisson.java.containers import JEntries, JList, JMap
from pyredisson.java.enums import JDK_ENUMS
from pyredisson.java.jdk import CONTAINERS, Kind
from pyredisson.java.modified_utf8 import utf16_text
from pyredisson.java.names import component_of
from pyredisson.java.numbers import decimal_of
from pyredisson.java.objects import JavaObject
from pyredisson.java.schema import ClassSchema, schema_of
from pyredisson.java.supertypes import jdk_final
from pyredisson.java.values import JEnumSet, JValue, JZonedDateTime
from pyredisson.rejection import Rejection

from .bodies import ARRAYS, BODIES, CODES, NULLABLE, PRIMITIVES, SORTED, UNBOXED, same

__all__ = ["Reader"]

_IDS = {
    each + 2: f"java.lang.{name}"
    for each, name in enumerate(
        ["Integer", "String", "Float", "Boolean", "Byte", "Character", "Short", "Long", "Double"]
    )
}
_ASCII_END = re.compile(rb"[\x80-\xff]")
_MASK = 0xFFFFFFFFFFFFFFFF
_JDK_ENUMS = {each.class_name: each for each in map(schema_of, JDK_ENUMS) if each is not None}
_TIMES = {
    "Duration": 1,
    "Instant": 2,
    "LocalDate": 3,
    "LocalTime": 4,
    "LocalDateTime": 5,
    "ZoneOffset": 8,
    "OffsetTime": 9,
    "OffsetDateTime": 10,
    "Year": 11,
    "YearMonth": 12,
    "MonthDay": 13,
    "Period": 14,
}


class _Time(TimeBlock):
    """Numbers of `java.time` in Kryo: varints, except a Duration's seconds."""

    def __init__(self, reader: Reader, *, fixed: bool) -> None:
        self._reader = reader
        self._fixed = fixed

    def number(self, form: str) -> int:
        if form == "b" or (form == "q" and self._fixed):
            found: int = self._reader.source.unpack(">" + form)
            return found
        return _signed(self._reader.varint(), 64 if form == "q" else 32)

    def seconds(self) -> int:
        found: int = self._reader.source.unpack(">i")
        return found


def _signed(value: int, bits: int) -> int:
    return value - (value >> bits - 1 << bits)


class Reader:
    """Reads one message."""

    def __init__(self, source: Cursor, schemas: Mapping[str, ClassSchema]) -> None:
        self.source: Cursor = source
        self._schemas = schemas
        self._bodies = {
            each.body: schema
            for schema in schemas.values()
            for each in schema.constants
            if each.body
        }
        self._names: list[str] = []

    def varint(self) -> int:
        """Read an unsigned number of up to nine bytes; the ninth has all eight bits."""
        value = shift = 0
        while shift < 56:
            byte = self.source.byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7
        return value | self.source.byte() << 56

    def zigzag(self) -> int:
        """Read an int or a long."""
        value = self.varint()
        return value >> 1 ^ -(value & 1)

    def count(self) -> int | None:
        """Read a length plus one; return None for null."""
        value = self.varint()
        return self.source.claim(value - 1) if value else None

    def string(self) -> str | None:
        """Read a string: ASCII up to a last byte with bit 7, or a length and its chars."""
        source = self.source
        lead = source.byte()
        if lead < 0x80:
            end = _ASCII_END.search(source.data, source.pos)
            if end is None:
                raise Rejection("the message ends early")
            source.pos -= 1
            text = source.take(end.end() - source.pos)
            return (text[:-1] + bytes([text[-1] & 0x7F])).decode("ascii")
        units = lead & 0x3F
        if lead & 0x40:
            units |= self.varint() << 6
        if units == 0:
            return None
        return self._units(source.claim(units - 1))

    def _units(self, count: int) -> str:
        start = self.source.pos
        for _ in range(count):
            lead = self.source.byte()
            self.source.take((lead >= 0xC0) + (lead >= 0xE0))
        try:
            text = self.source.data[start : self.source.pos].decode("utf-8", "surrogatepass")
        except UnicodeDecodeError as error:
            raise Rejection(f"malformed text: {error.reason}") from None
        return utf16_text(text)

    def text(self) -> str:
        """Read a string that is not null."""
        found = self.string()
        if found is None:
            raise Rejection("null where a text is required")
        return found

    def header(self) -> str | None:
        """Read a class header; return None for null."""
        number = self.varint()
        if number == 0:
            return None
        if number != 1:
            if number not in _IDS:
                raise Rejection(f"class id {number - 2} is not one that Kryo registers itself")
            return _IDS[number]
        index = self.varint()
        if index > len(self._names):
            raise Rejection(f"class name {index} is used before it is defined")
        if index == len(self._names):
            self._names.append(self.source.class_name(self.text()))
        return self._names[index]

    def value(self) -> Any:
        """Read a class header and its body."""
        name = self.header()
        return None if name is None else self.body(name)

    def body(self, name: str) -> Any:
        """Read the body after a class name; None if it encodes null."""
        self.source.descend()
        value = self._body(name)
        self.source.ascend()
        return value

    def _body(self, name: str) -> Any:
        if name in BODIES:
            return BODIES[name](self)
        if name in CONTAINERS:
            return self._container(name)
        if name.startswith("["):
            return self._array(name)
        schema = self._schema(name)
        if schema is not None:
            return self._constant(schema) if schema.kind == "enum" else self._object(schema)
        short = name.removeprefix("java.time.")
        if short in _TIMES and short != name:
            return read_kind(_TIMES[short], _Time(self, fixed=short == "Duration"))
        if name.startswith(("java.util.Collections$Unmod", "java.util.Collections$Synch")):
            return self._wrapper(name)
        raise Rejection(f"{name} needs a schema: Kryo writes no field names", name)

    def _schema(self, name: str) -> ClassSchema | None:
        return self._schemas.get(name) or self._bodies.get(name) or _JDK_ENUMS.get(name)

    def known(self, name: str) -> Any:
        """Read a body or null, at a position that fixes the class."""
        schema = self._schema(name)
        if name in NULLABLE or name.startswith("[") or (schema and schema.kind == "enum"):
            return self.body(name)
        return self.body(name) if self.flag() else None

    def flag(self) -> bool:
        """Read a boolean."""
        value = self.source.byte()
        if value > 1:
            raise Rejection(f"0x{value:02x} is not a boolean")
        return value == 1

    def _final(self, component: str) -> bool:
        """Return whether an element's class is known; that of an array's arrays always is."""
        if component.endswith("[]"):
            return True
        schema = self._schema(component)
        if schema is not None:
            return schema.final
        final = jdk_final(component)
        if final is None and not component.startswith("java."):
            raise Rejection(f"{component} needs a schema: Kryo's bytes depend on it", component)
        return bool(final)

    def _container(self, name: str) -> Any:
        container = CONTAINERS[name]
        is_map = container.kind is Kind.MAP
        comparator = check_comparator(self.value(), name) if name in SORTED else None
        fixed = container.size
        size = self.source.claim(self.varint()) if fixed is None else fixed
        if is_map:
            pairs = [(self.value(), self.value()) for _ in range(size)]
            return make_map(name, pairs, comparator)
        if fixed == 0:
            self.source.free()
        return make_collection(name, [self.value() for _ in range(size)], comparator)

    def _wrapper(self, name: str) -> Any:
        size = self.source.claim(self.varint())
        if "Map" not in name:
            return JList(name, [self.value() for _ in range(size)])
        found = make_map(name, [(self.value(), self.value()) for _ in range(size)])
        return found if isinstance(found, JEntries) else JMap(name, found)

    def _array(self, name: str) -> Any:
        count = self.count()
        if count is None:
            return None
        code = name[1:]
        if code in ARRAYS:
            return ARRAYS[code](self, count)
        component = component_of(name)
        if component is None:
            raise Rejection(f"{name} is not an array", name)
        found = new_array(component)
        inner = code[1:-1] if code.startswith("L") else code
        final = self._final(component)
        plain = UNBOXED.get(component, same)
        for _ in range(count):
            found.append(plain(self.known(inner)) if final else self.value())
        return found

    def _constant(self, schema: ClassSchema) -> Any:
        ordinal = self.varint() - 1
        if ordinal < 0:
            return None
        if ordinal >= len(schema.constants):
            raise Rejection(f"{schema.class_name} has no constant {ordinal}", schema.class_name)
        return getattr(schema.python, schema.constants[ordinal].name)

    def enum_set(self) -> Any:
        """Read an EnumSet: its enum's class, its size and the ordinals plus one."""
        name = self.header()
        schema = self._schema(name or "")
        if name is None or schema is None or schema.kind != "enum":
            raise Rejection(
                f"{name} needs a schema: Kryo writes only the numbers of constants", name
            )
        count = self.source.claim(self.varint())
        constants = [self._constant(schema) for _ in range(count)]
        return JEnumSet(schema.class_name, constants)

    def _object(self, schema: ClassSchema) -> Any:
        found, put = make_instance(schema)
        fields = sorted(schema.all_fields(), key=lambda pair: pair[1].name)
        if not fields:
            self.source.free()
        for owner, each in fields:
            kind = each.type
            if each.transient:
                value = zero_of(each)
            elif kind.primitive:
                value = PRIMITIVES[kind.name](self)
            else:
                value = self._field(erased(owner, each), kind.dimensions)
            put(found, each.attribute, value)
        return found

    def _field(self, name: str, dimensions: int) -> Any:
        if dimensions:
            element = CODES.get(name) or f"L{name};"
            if name in CODES or self._final(name):
                return self.known("[" * dimensions + element)
            return self.value()
        if not self._final(name):
            return self.value()
        return UNBOXED.get(name, same)(self.known(name))

    def big(self) -> int | None:
        """Read a whole number: its length plus one and its bytes."""
        size = self.count()
        if size is None:
            return None
        if not 0 < size <= self.source.limits.max_integer_bytes:
            raise Rejection(f"a number of {size} bytes")
        return int.from_bytes(self.source.take(size), "big", signed=True)

    def decimal(self) -> Any:
        """Read a BigDecimal: its digits and its scale."""
        unscaled = self.big()
        if unscaled is None:
            return None
        scale = self.zigzag()
        if abs(scale) > self.source.limits.max_scale:
            raise Rejection(f"a BigDecimal of scale {scale}; limit {self.source.limits.max_scale}")
        return decimal_of(unscaled, scale)

    def uuid(self) -> UUID:
        """Read a UUID: an object with the fields leastSigBits and mostSigBits."""
        low, high = self.zigzag() & _MASK, self.zigzag() & _MASK
        return UUID(int=high << 64 | low)

    def millis(self) -> int:
        """Read a date's milliseconds."""
        return _signed(self.varint(), 64)

    def zoned(self) -> Any:
        """Read a ZonedDateTime: its local time and its zone's name."""
        return JZonedDateTime(read_kind(5, _Time(self, fixed=False)), self.text())

    def enum_map(self) -> Any:
        """Read an EnumMap: entries with their classes."""
        count = self.source.claim(self.varint())
        return make_map("java.util.EnumMap", [(self.value(), self.value()) for _ in range(count)])

    def bits(self) -> Any:
        """Read a BitSet: an object whose one field is a long[]."""
        return JValue("java.util.BitSet", *(self.known("[J") or ()))

    def entry(self) -> Any:
        """Read a SimpleEntry: its key and its value."""
        name = "java.util.AbstractMap$SimpleEntry"
        return JavaObject(name, {"key": self.value(), "value": self.value()})
