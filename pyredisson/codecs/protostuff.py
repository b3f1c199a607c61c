"""Protostuff's runtime schemas: what `ProtobufCodec` writes for classes that protoc did not make.

Fields are numbered in the order of their declaration, those of superclasses first, and
written with Protobuf's wire types; nulls and empty collections are left out. Elements of a
collection are repeated fields, without its nulls. Nested objects, and maps as a message of
repeated entries (key 1, value 2), are groups. Enums are ordinals, `byte`, `short` and `char`
unsigned numbers of 32 bits, a `Date` is a fixed64, a `BigDecimal` its text, a `UUID` an
object of two longs. Source: protostuff-runtime 1.8.0, `RuntimeSchema` and its field
factories with the default flags, and Redisson 3.23.4 and 4.7.0 running.

The rule: where protostuff names classes inside of a message (fields of open types, nested
collections, arrays) it has formats of its own, and such a class is refused beforehand.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID

from .cursor import Cursor
from .java.build import entries_of, items_of, make_collection, make_map
from .java.checks import (
    check_big,
    check_char,
    check_date,
    check_decimal,
    check_float,
    check_int,
)
from .java.classes import class_of
from .java.coerce import coerce
from .java.numbers import date_of, decimal_of, exact_decimal, unscaled_of
from .java.scalars import JDate
from .java.schema import ClassSchema
from .java.supertypes import jdk_supertypes
from .java.types import JavaType, Wildcard
from .limits import Limits
from .refusal import Refusal, refuse_value
from .varint import read_varint, varint

__all__ = ["Protostuff"]

_VARINT, _FIXED64, _BYTES, _GROUP, _END, _FIXED32 = range(6)
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


def _sized(data: bytes) -> bytes:
    return varint(len(data)) + data


@dataclass(frozen=True)
class _Kind:
    """How values of one Java type stand after their tag, which has this wire type.

    `write` takes the value and the depth, `read` the position and the number of the field.
    """

    wire: int
    write: Callable[[Any, int], bytes]
    read: Callable[[Cursor, int], Any]

    def part(self, number: int, value: Any, depth: int) -> bytes:
        """Return a value with its tag, nothing for a null."""
        if value is None:
            return b""
        end = varint(number << 3 | _END) if self.wire == _GROUP else b""
        return varint(number << 3 | self.wire) + self.write(value, depth) + end


def _parts(source: Cursor, group: int) -> Iterator[tuple[int, int]]:
    """Yield numbers and wire types of fields up to the group's end; group 0 is the message."""
    while group or source.pos < len(source.data):
        number, wire = divmod(read_varint(source), 8)
        if wire == _END:
            if number != group or not group:
                raise Refusal(f"the end of group {number}, which did not begin here")
            return
        if not number or wire > _FIXED32:
            raise Refusal(f"no field: number {number} of wire type {wire}")
        yield number, wire


def _skip(source: Cursor, number: int, wire: int) -> None:
    """Step over a field that the class does not have."""
    if wire == _GROUP:
        source.descend()
        for each in _parts(source, number):
            _skip(source, *each)
        source.ascend()
    elif wire == _VARINT:
        read_varint(source)
    else:
        source.take({_FIXED64: 8, _FIXED32: 4}.get(wire) or read_varint(source))


@dataclass(frozen=True)
class _Field:
    """One field: its attribute, its elements' kind, how a collection is taken apart and made."""

    attribute: str
    kind: _Kind
    split: Callable[[Any], list[Any]] | None = None
    collect: Callable[[list[Any]], Any] | None = None


class _Message:
    """Objects of one class; `blank` has what its attributes are where no field is."""

    def __init__(self, schema: ClassSchema, limits: Limits) -> None:
        self.schema = schema
        self.fields: dict[int, _Field] = {}
        self.blank: dict[str, Any] = {}
        self._limits = limits

    def write(self, value: Any, depth: int) -> bytes:
        """Return an object's fields.

        Raises:
            Refusal: another object, or a value that its field does not take.
        """
        if type(value) is not self.schema.python:
            raise refuse_value(value, f"a {self.schema.class_name} and none of its subclasses")
        if depth >= self._limits.max_depth:
            raise Refusal(f"nested deeper than {self._limits.max_depth}")
        out = []
        for number, field in self.fields.items():
            found = getattr(value, field.attribute, None)
            if found is None and self.blank[field.attribute] is not None:
                raise refuse_value(found, f"a {self.schema.class_name}.{field.attribute}")
            items = [found] if found is None or field.split is None else field.split(found)
            out += [field.kind.part(number, each, depth + 1) for each in items]
        return b"".join(out)

    def read(self, source: Cursor, group: int = 0) -> Any:
        """Return an object; fields that the class does not have are skipped, as in Java."""
        source.descend()
        start = source.pos
        found = dict(self.blank)
        lists: dict[int, list[Any]] = {}
        for number, wire in _parts(source, group):
            field = self.fields.get(number)
            if field is None:
                _skip(source, number, wire)
                continue
            if wire != field.kind.wire:
                raise Refusal(f"{self.schema.class_name}.{field.attribute} has wire type {wire}")
            value = field.kind.read(source, number)
            if field.collect is None:
                found[field.attribute] = value
            else:
                lists.setdefault(number, []).append(value)
        for number, items in lists.items():
            collect = self.fields[number].collect
            found[self.fields[number].attribute] = collect and collect(items)
        if source.pos - start < 3:
            source.free()  # an object as short as its end
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
        self._kinds = _scalars(limits)

    def message(self, schema: ClassSchema) -> _Message:
        """Return what reads and writes objects of a class.

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
        message.blank = {each.attribute: _ZEROS.get(str(each.type)) for each in every}

    def _field(self, attribute: str, declared: JavaType, schema: ClassSchema) -> _Field:
        name, inner = declared.name, [self._kind(each) for each in declared.arguments]
        elements = [each for each in inner if each is not None]
        many = declared.dimensions == 0 and len(inner) == len(elements)
        if many and name in _COLLECTIONS and elements:
            return _Field(attribute, elements[0], *_collection(name))
        if many and name in _MAPS and len(elements) == 2 and elements[0].wire != _GROUP:
            return _Field(attribute, _map(name, *elements))
        kind = self._kind(declared)
        if kind is None:
            raise TypeError(
                f"{schema.class_name}.{attribute} is a {declared}, which protostuff writes "
                "in a format of its own"
            )
        return _Field(attribute, kind)

    def _kind(self, declared: JavaType) -> _Kind | None:
        """Return how values of a type are written, None where that names their class."""
        if declared.variable or declared.wildcard is not Wildcard.NONE:
            return None
        known = self._kinds.get(str(declared))
        schema = self._schemas.get(declared.name)
        if known is not None or schema is None or declared.dimensions:
            return known
        if schema.kind == "enum":
            return _enum(schema)
        if schema.kind == "record" or schema.abstract:
            return None
        message = self.message(schema)
        return _Kind(_GROUP, message.write, message.read)


_ZEROS: dict[str, Any] = {
    **dict.fromkeys(("byte", "short", "int", "long"), 0),
    **dict.fromkeys(("float", "double"), 0.0),
    "boolean": False,
    "char": "\0",
}
_DECIMAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,10})?", re.ASCII)


def _whole(bits: int, written: int) -> _Kind:
    """Return a whole number, written with so many bits."""

    def write(value: Any, _: int) -> bytes:
        return varint(check_int(value, bits, "a number") & (1 << written) - 1)

    def read(source: Cursor, _: int) -> int:
        number = read_varint(source)
        value = number - (1 << written) if number >> written - 1 else number
        return check_int(value, bits, "a number")

    return _Kind(_VARINT, write, read)


def _packed(wire: int, form: str, check: Callable[[Any], Any], make: Callable[[Any], Any]) -> _Kind:
    return _Kind(
        wire,
        lambda value, _: struct.pack(form, check(value)),
        lambda source, _: make(source.unpack(form)),
    )


def _bytes(write: Callable[[Any], bytes], read: Callable[[bytes], Any]) -> _Kind:
    return _Kind(
        _BYTES,
        lambda value, _: _sized(write(value)),
        lambda source, _: read(source.take(read_varint(source))),
    )


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise refuse_value(value, "a boolean")
    return value


def _read_flag(source: Cursor, _: int) -> bool:
    value = read_varint(source)
    if value > 1:
        raise Refusal(f"{value} is no boolean")
    return value == 1


def _read_char(source: Cursor, _: int) -> str:
    value = read_varint(source)
    if value > 0xFFFF:
        raise Refusal(f"{value} is no char")
    return chr(value)


def _text(value: Any) -> bytes:
    if not isinstance(value, str):
        raise refuse_value(value, "a String")
    try:
        return value.encode()
    except UnicodeEncodeError:
        raise Refusal("a text with a lone surrogate, which UTF-8 cannot hold") from None


def _read_text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise Refusal("a text that is not UTF-8") from None


def _octets(value: Any) -> bytes:
    if not isinstance(value, bytes):
        raise refuse_value(value, "a byte[]")
    return value


def _scalars(limits: Limits) -> dict[str, _Kind]:
    """Return the kinds of the JDK's types that have one value each."""

    def big(value: Any) -> bytes:
        number = check_big(value, limits)
        length = (number if number >= 0 else ~number).bit_length() // 8 + 1
        return number.to_bytes(length, "big", signed=True)

    def read_big(data: bytes) -> int:
        if not 0 < len(data) <= limits.max_integer_bytes:
            raise Refusal(f"a BigInteger of {len(data)} bytes")
        return int.from_bytes(data, "big", signed=True)

    def decimal(value: Any) -> bytes:
        return str(decimal_of(*unscaled_of(check_decimal(value, limits)))).encode()

    def read_decimal(data: bytes) -> Decimal:
        text = _read_text(data)
        if len(data) > 3 * limits.max_integer_bytes or not _DECIMAL.fullmatch(text):
            raise Refusal("no BigDecimal")
        return check_decimal(exact_decimal(text), limits)

    single = _packed(_FIXED32, "<f", lambda value: check_float(value, 32), float)
    double = _packed(_FIXED64, "<d", lambda value: check_float(value, 64), float)
    numbers = {
        "byte": _whole(8, 32),
        "short": _whole(16, 32),
        "int": _whole(32, 64),
        "long": _whole(64, 64),
        "float": single,
        "double": double,
        "boolean": _Kind(_VARINT, lambda value, _: bytes([_flag(value)]), _read_flag),
        "char": _Kind(_VARINT, lambda value, _: varint(ord(check_char(value))), _read_char),
    }
    boxed = {"int": "Integer", "char": "Character"}
    return {
        **numbers,
        **{f"java.lang.{boxed.get(k, k.capitalize())}": each for k, each in numbers.items()},
        "java.lang.String": _bytes(_text, _read_text),
        "byte[]": _bytes(_octets, bytes),
        "java.math.BigInteger": _bytes(big, read_big),
        "java.math.BigDecimal": _bytes(decimal, read_decimal),
        "java.util.Date": _packed(_FIXED64, "<q", check_date, lambda ms: date_of(ms) or JDate(ms)),
        "java.util.UUID": _Kind(_GROUP, _write_uuid, _read_uuid),
    }


_LONG = _whole(64, 64)


def _write_uuid(value: Any, depth: int) -> bytes:
    if not isinstance(value, UUID):
        raise refuse_value(value, "a UUID")
    halves = struct.unpack(">qq", value.bytes)
    return b"".join(_LONG.part(number, each, depth) for number, each in enumerate(halves, 1))


def _read_uuid(source: Cursor, group: int) -> UUID:
    halves = {1: 0, 2: 0}
    for number, wire in _parts(source, group):
        if number not in halves or wire != _VARINT:
            raise Refusal("no UUID")
        halves[number] = _LONG.read(source, number)
    return UUID(bytes=struct.pack(">qq", *halves.values()))


def _enum(schema: ClassSchema) -> _Kind:
    """Return an enum: its ordinal as an int."""
    members: list[Any] = list(schema.python.__members__.values())  # type: ignore[attr-defined] # an Enum, says its kind
    ordinals = {each: number for number, each in enumerate(members)}
    number = _whole(32, 64)

    def write(value: Any, depth: int) -> bytes:
        if not isinstance(value, schema.python):
            raise refuse_value(value, f"a {schema.class_name}")
        return number.write(ordinals[value], depth)

    def read(source: Cursor, group: int) -> Any:
        place = number.read(source, group)
        if not 0 <= place < len(members):
            raise Refusal(f"{place} is no ordinal of {schema.class_name}")
        return members[place]

    return _Kind(_VARINT, write, read)


def _fitting(value: Any, declared: str) -> Any:
    """Return a collection or map as the class that its field means."""
    found = coerce(declared, value)
    found = value if found is None else found
    if declared not in jdk_supertypes(class_of(found)):
        raise refuse_value(value, f"a {declared}")
    return found


def _collection(declared: str) -> tuple[Callable[[Any], list[Any]], Callable[[list[Any]], Any]]:
    """Return what takes a collection apart, and what makes it of the class that Java takes."""

    def split(value: Any) -> list[Any]:
        found = _fitting(value, declared)
        return items_of(found, class_of(found))

    return split, lambda items: make_collection(_COLLECTIONS[declared], items)


def _map(declared: str, key: _Kind, value: _Kind) -> _Kind:
    """Return a map: an object whose field 1 are the entries, each an object of two fields."""

    def entry(pair: tuple[Any, Any], depth: int) -> bytes:
        return key.part(1, pair[0], depth) + value.part(2, pair[1], depth)

    def read_entry(source: Cursor, group: int) -> tuple[Any, Any]:
        found: dict[int, Any] = {1: None, 2: None}
        for number, wire in _parts(source, group):
            kind = {1: key, 2: value}.get(number)
            if kind is None or wire != kind.wire or found[number] is not None:
                raise Refusal("no entry of a map")
            found[number] = kind.read(source, number)
        return found[1], found[2]

    entries = _Kind(_GROUP, entry, read_entry)

    def write(whole: Any, depth: int) -> bytes:
        found = _fitting(whole, declared)
        pairs = entries_of(found, class_of(found))
        return b"".join(entries.part(1, pair, depth + 1) for pair in pairs)

    def read(source: Cursor, group: int) -> Any:
        pairs = []
        for number, wire in _parts(source, group):
            if (number, wire) != (1, _GROUP):
                raise Refusal("no entry of a map")
            pairs.append(entries.read(source, number))
        return make_map(_MAPS[declared], pairs)

    return _Kind(_GROUP, write, read)
