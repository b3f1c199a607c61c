"""Reads FST: objects by tag, class number or class name, in FST's order.

Classes that FST registers have numbers from 3 on, classes named in the message from 1000 on. For an
object that occurs again, FST writes the position at which it began. FST writes neither field names
nor lengths, so the reader cannot skip a class that has neither a layout nor a schema: it rejects
the message.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pyredisson.codecs.cursor import Cursor, new_array
from pyredisson.codecs.java_serialization.objects import Maker, make_instance, zero_of
from pyredisson.codecs.java_serialization.sharing import Sharing
from pyredisson.java.jdk import PLAIN
from pyredisson.java.names import component_of
from pyredisson.java.objects import JavaValue
from pyredisson.java.scalars import JLong
from pyredisson.java.schema import ClassSchema
from pyredisson.rejection import Rejection

from .fields import field_order, imitated_hierarchy
from .imitated import Pending, read_imitated, read_plain
from .known import CLASS, KNOWN
from .layouts import IDS, IMITATED, JDK_CONSTANTS, PLAIN_FIELDS
from .numbers import read_char, read_int, read_text, signed

__all__ = ["FstReader"]

_FIRST_NAMED = 1000
_ARRAYS = {"I": "i", "J": "q", "F": "f", "D": "d"}


class FstReader:
    """Reads one message."""

    def __init__(
        self,
        source: Cursor,
        maker: Maker,
        schemas: Mapping[str, ClassSchema],
        sharing: Sharing,
    ) -> None:
        self.source = source
        self.sharing = sharing
        self.maker = maker
        self._schemas = schemas
        self._named: list[str] = []
        self._places: dict[int, Any] = {}
        self._referred: set[int] = set()

    def object(self, declared: str | None = None) -> Any:
        """Read an object; `declared` is the type of its field."""
        place = self.source.pos
        tag = self.source.byte()
        self.source.descend()
        value = self._tagged(tag, place, declared)
        self.source.ascend()
        return value

    def _tagged(self, tag: int, place: int, declared: str | None) -> Any:  # noqa: PLR0911 - a table of tags
        simple = {0xFF: None, 0xF0: True, 0xEF: False}
        if tag in simple:
            return simple[tag]
        if tag == 0xF7:
            return read_int(self.source)
        if tag == 0xF6:
            return JLong(read_int(self.source, long=True))
        if tag == 0xFC:
            return self.keep(place, self.sharing.text(read_text(self.source)))
        if tag == 0xF9:
            return self._handle()
        if tag == 0xFA:
            return self._enum()
        if tag == 0xFB:
            return self._array(self.class_name(), place)
        if tag == 0x00:
            return self._instance(self.class_name(), place)
        if tag == 0xFD and declared is not None:
            return self._instance(declared, place)
        raise Rejection(f"no object begins with 0x{tag:02x}")

    def keep(self, place: int, value: Any) -> Any:
        """Record the object that began at a position, and return it."""
        self._places[place] = value
        return value

    def replace(self, place: int, value: Any) -> Any:
        """Record another object for a position to which nothing has referred yet."""
        if place in self._referred:
            raise Rejection("objects that refer to each other in a circle")
        return self.keep(place, value)

    def _handle(self) -> Any:
        place = read_int(self.source)
        found = self._places.get(place, self)
        if found is self:
            raise Rejection(f"a reference to byte {place}, where no object began")
        if isinstance(found, Pending):
            found = self.keep(place, self.maker.refer(found.class_name))
        self._referred.add(place)
        self.sharing.refer(place)
        return found

    def started(self, place: int) -> Any:
        """Return the object that began at a position; None if nothing referred to it."""
        found = self._places[place]
        return None if isinstance(found, Pending) else found

    def class_name(self) -> str:
        """Read a class: its number, or its name at its first use."""
        number = read_char(self.source)
        if number <= 1:
            name = read_text(self.source)
            self._named.append(self.source.class_name(name))
            return name
        if number in IDS:
            return IDS[number]
        if not _FIRST_NAMED <= number < _FIRST_NAMED + len(self._named):
            raise Rejection(f"class number {number} is unknown")
        return self._named[number - _FIRST_NAMED]

    def _enum(self) -> Any:
        name = self.class_name()
        ordinal = read_int(self.source)
        schema = self._schemas.get(name)
        if schema is None:
            members = JDK_CONSTANTS.get(name)
            if members is None:
                return JavaValue(name, ordinal)
        else:
            members = [getattr(schema.python, each.name) for each in schema.constants]
        if not 0 <= ordinal < len(members):
            raise Rejection(f"{name} has no constant {ordinal}", name)
        return members[ordinal]

    def _array(self, name: str, place: int | None = None) -> Any:
        if not name.startswith("["):
            if read_int(self.source) == -1:
                return None  # the encoding of null in an array of arrays
            raise Rejection(f"an array of class {name}, which is not an array class", name)
        value = self._elements(name, read_int(self.source), place)
        return value if place is None else self.keep(place, value)

    def _elements(self, name: str, count: int, place: int | None) -> Any:
        source = self.source
        source.claim(count)
        code = name[1:]
        if code == "B":
            return source.take(count)
        found = new_array(component_of(name) or "java.lang.Object")
        if place is not None:
            self.keep(place, found)
        if code in _ARRAYS:
            form = f"<{count}{_ARRAYS[code]}"
            found += struct.unpack(form, source.take(struct.calcsize(form)))
        elif code == "Z":
            found += [each != 0 for each in source.take(count)]
        elif code == "C":
            found += [chr(read_char(source)) for _ in range(count)]
        elif code == "S":
            found += [signed(read_char(source)) for _ in range(count)]
        elif code.startswith("["):
            source.descend()
            found += [self._array(self.class_name()) for _ in range(count)]
            source.ascend()
        else:
            plain = PLAIN.get(found.component)
            found += [_unboxed(self.object(), plain) for _ in range(count)]
        return found

    def _instance(self, name: str, place: int) -> Any:
        if name.startswith("["):
            return self._array(name, place)
        if name in KNOWN:
            return KNOWN[name](self, name, place)
        if name in IMITATED:
            return read_imitated(self, name, place, IMITATED[name])
        if name in PLAIN_FIELDS:
            return read_plain(self, name, place)
        if name in self._schemas:
            return self._schema(self._schemas[name], place)
        raise Rejection(f"{name} needs a schema: FST writes no field names", name)

    def _schema(self, schema: ClassSchema, place: int) -> Any:
        if schema.kind == "enum":
            raise Rejection(f"{schema.class_name} is an enum", schema.class_name)
        hierarchy = imitated_hierarchy(schema)
        if hierarchy is not None:
            return read_imitated(self, schema.class_name, place, hierarchy)
        found, put = make_instance(schema)
        self.keep(place, found)
        fields = field_order(schema)
        values = self.fields([kind for _, kind in fields], schema.class_name)
        for (attribute, _), value in zip(fields, values, strict=True):
            put(found, attribute, value)
        for _, each in schema.all_fields():
            if each.transient:
                put(found, each.attribute, zero_of(each))
        return found

    def fields(self, kinds: Sequence[str], name: str) -> list[Any]:
        """Read the fields of a class by their types; booleans at the beginning are bits."""
        count = next((at for at, kind in enumerate(kinds) if kind != "Z"), len(kinds))
        values: list[Any] = []
        for start in range(0, count, 8):
            packed = self.source.byte()
            values += [bool(packed >> 7 - bit & 1) for bit in range(min(8, count - start))]
        values += map(self._field, kinds[count:])
        if self.source.byte() != 0:
            raise Rejection(f"the fields of a {name} do not end where they should", name)
        return values

    def _field(self, kind: str) -> Any:
        read = _PRIMITIVES.get(kind)
        if read is not None:
            return read(self.source)
        value = self.object(kind)
        if kind == CLASS and not (value is None or _is_class(value)):
            raise Rejection("expected a class")
        return _unboxed(value, PLAIN.get(kind))


def _is_class(value: Any) -> bool:
    return isinstance(value, JavaValue) and value.class_name == CLASS


def _unboxed(value: Any, plain: type | None) -> Any:
    return plain(value) if plain is not None and isinstance(value, plain) else value


_PRIMITIVES: dict[str, Callable[[Cursor], Any]] = {
    "Z": lambda source: source.byte() != 0,
    "B": lambda source: source.unpack("b"),
    "C": lambda source: chr(read_char(source)),
    "S": lambda source: signed(read_char(source)),
    "I": read_int,
    "J": lambda source: read_int(source, long=True),
    "F": lambda source: source.unpack("<f"),
    "D": lambda source: source.unpack("<d"),
}
