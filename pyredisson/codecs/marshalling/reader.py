"""Reads JBoss River: version 4, as Redisson 3.13.0 to 3.18.1 writes it.

Strings, arrays, objects and collections get the next number when they begin; classes have their own
numbers. Later references use these numbers, mostly counted back from the end. Data that classes
write in addition to their fields is in blocks. Names in the message are looked up only in tables
and schemas.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import Any

from pyredisson.codecs.cursor import Cursor, new_array
from pyredisson.codecs.java_serialization.jdk import entries_pairs
from pyredisson.codecs.java_serialization.literals import literal
from pyredisson.codecs.java_serialization.objects import Maker, fill
from pyredisson.codecs.java_serialization.preserved_metadata import PreservedEnumSet
from pyredisson.codecs.java_serialization.reader import Pending, read_primitives
from pyredisson.codecs.java_serialization.sharing import ApartString, Sharing
from pyredisson.codecs.java_serialization.stream_model import (
    ClassData,
    ClassDescription,
    StreamObject,
)
from pyredisson.codecs.java_serialization.wrapped import wrap
from pyredisson.java.build import make_collection, make_map
from pyredisson.java.comparators import REVERSE, check_comparator
from pyredisson.java.containers import JEntries, JList, JMap
from pyredisson.java.jdk import CONTAINERS, Kind
from pyredisson.java.modified_utf8 import from_modified
from pyredisson.java.names import component_of
from pyredisson.java.objects import JavaValue
from pyredisson.java.scalars import JByte, JChar, JFloat, JLong, JShort
from pyredisson.java.values import JEnumMap, JValue
from pyredisson.rejection import Rejection

from .tags import (
    BLOCKS,
    COLLECTIONS,
    EMPTY_OBJECTS,
    PREDEFINED,
    PRIMITIVES,
    SCALARS,
    SIZES,
    WRAPPERS,
)

__all__ = ["RiverReader"]

_FORMS = {"Z": "?", "B": "b", "C": "H", "S": "h", "I": "i", "J": "q", "F": "f", "D": "d"}
_MAKE: dict[str, Any] = {
    "java.lang.Byte": JByte,
    "java.lang.Short": JShort,
    "java.lang.Integer": int,
    "java.lang.Long": JLong,
    "java.lang.Character": lambda unit: JChar(chr(unit)),
    "java.lang.Float": JFloat,
    "java.lang.Double": float,
}
_SIMPLE = {0x01: None, 0x50: True, 0x51: False, 0x79: JValue(REVERSE)}
_PARTS: dict[int, Callable[[str, Callable[[], Any]], Any]] = {
    0x5C: lambda name, read: make_collection(name, [read()]),
    0x61: lambda name, read: make_collection(name, [read()]),
    0x68: lambda name, read: make_map(name, [(read(), read())]),
    0x7A: lambda name, read: JValue(name, check_comparator(read(), name)),
}
_SERIALIZABLE, _WRITE, _EXTERNAL, _ENUM = 0x09, 0x38, 0x0A, 0x0C
_ENUMS = {0x6A: "java.util.EnumSet$SerializationProxy", 0x6C: "java.util.EnumMap"}


class RiverReader:
    """Reads one message.

    `literals` has the numbers of strings that are also names of fields or classes: Java interns
    each literal. If these numbers are known from the start, the reader returns Python's interned
    strings for them, and the writer writes the same references.
    """

    def __init__(
        self,
        source: Cursor,
        maker: Maker,
        sharing: Sharing,
        literals: Container[int] = frozenset(),
    ) -> None:
        self.sharing = sharing
        self.literals: set[int] = set()
        self._known_literals = literals
        self._source = source
        self._maker = maker
        self._objects: list[Any] = []
        self._classes: list[ClassDescription] = []

    def read(self) -> Any:
        """Read the version and the one object of a message."""
        version = self._source.byte()
        if version not in {2, 3, 4}:
            raise Rejection(f"River version {version}, not 4")
        return self.object()

    def object(self, tag: int | None = None) -> Any:
        """Read an object, whose tag may have been read already."""
        if tag is None:
            tag = self._source.byte()
        self._source.descend()
        value = self._tagged(tag)
        self._source.ascend()
        return value

    def _tagged(self, tag: int) -> Any:  # noqa: PLR0911 - a table of tags
        if tag in SCALARS:
            form, name = SCALARS[tag]
            return _MAKE[name](self._source.unpack(">" + form))
        if 0x3D <= tag <= 0x40:
            return self._string(tag - 0x3D)
        if 0x41 <= tag <= 0x48:
            return self._array((tag - 0x41) % 4)
        if 0x52 <= tag <= 0x59:
            return self._collection((tag - 0x52) % 4)
        if tag in EMPTY_OBJECTS:
            name = EMPTY_OBJECTS[tag]
            return make_map(name, []) if name.endswith("Map") else make_collection(name, [])
        if tag in _SIMPLE:
            return _SIMPLE[tag]
        return self._other(tag)

    def _other(self, tag: int) -> Any:
        if tag in {0x04, 0x05}:
            return self._new_object()
        if tag in {0x02, 0x39, 0x3A}:
            return self._repeated(tag)
        if tag in _PARTS:
            return self._later(PREDEFINED[tag], lambda: _PARTS[tag](PREDEFINED[tag], self.object))
        if tag in WRAPPERS:
            return self._later(WRAPPERS[tag], lambda: self._wrapped(WRAPPERS[tag]))
        if tag in PREDEFINED or tag in PRIMITIVES:
            return JavaValue("java.lang.Class", self._class(tag).name)
        raise Rejection(f"no object begins with 0x{tag:02x}")

    def _add(self, value: Any) -> int:
        self._objects.append(value)
        return len(self._objects) - 1

    def _later(self, name: str, read: Callable[[], Any]) -> Any:
        """Read a container; its elements may refer to it."""
        pending = Pending(name)
        place = self._add(pending)
        value = read()
        if pending.started is not None:
            self._maker.end(pending.started)
            value = fill(pending.started, value)
        self._objects[place] = value
        return value

    def _back(self, tag: int, near: int, nearish: int, known: list[Any]) -> Any:
        """Resolve a reference: a number, absolute or counted back from the end."""
        if tag == near:
            number = self._source.byte() - 0x100 + len(known)
        elif tag == nearish:
            number = self._source.unpack(">H") - 0x10000 + len(known)
        else:
            number = self._source.unpack(">i")
        if not 0 <= number < len(known):
            raise Rejection("a reference to an unknown object")
        self._referred = number
        if known is self._objects:
            self.sharing.refer(number)
        return known[number]

    def _repeated(self, tag: int) -> Any:
        found = self._back(tag, 0x39, 0x3A, self._objects)
        if isinstance(found, Pending):
            return found.refer(self._maker)
        return found

    def _size(self, kind: int) -> int:
        form, most = SIZES[kind]
        if not form:
            return 0
        size: int = self._source.unpack(form) or most
        return size

    def _string(self, kind: int) -> str:
        if kind == 0:
            return ""
        text = self._units(self._source.claim(self._size(kind)))
        if len(self._objects) in self._known_literals:
            text = literal(text)
        text = self.sharing.text(text)
        self._add(text)
        return text

    def _units(self, units: int) -> str:
        """Read `units` UTF-16 units of modified UTF-8."""
        start = self._source.pos
        missing = units
        while missing:
            lead = self._source.byte()
            self._source.take((lead >= 0xC0) + (lead >= 0xE0))
            missing -= 1
        return from_modified(self._source.data[start : self._source.pos])

    def _text(self) -> str:
        """Read the name of a class or field, which has a number like an object."""
        place = len(self._objects)
        found = self.object()
        if type(found) not in {str, ApartString}:  # a char is a str, too, but has no number
            raise Rejection("a name that is not a string")
        name = literal(found)
        if place < len(self._objects):
            self._objects[place] = name
        elif found is not name:
            self.literals.add(self._referred)
        return name

    def _plain_text(self) -> str:
        return self._units(self._source.claim(self._source.unpack(">i")))

    def _array(self, kind: int) -> Any:
        size = self._size(kind)
        tag = self._source.byte()
        if tag == 0x20:
            value: Any = new_array("boolean", self._bits(size))
            self._add(value)
            return value
        if tag in PRIMITIVES:
            value = read_primitives(self._source, PRIMITIVES[tag], size)
            if not isinstance(value, bytes):
                value = new_array(component_of("[" + PRIMITIVES[tag]) or "", value)
            self._add(value)
            return value
        found = self._maker.begin(new_array(_source_name(self._class(tag).name)))
        self._add(found)
        for _ in range(self._source.claim(size)):
            found.append(self.object())
        self._maker.end(found)
        return found

    def _bits(self, count: int) -> list[bool]:
        """Read booleans, eight to a byte, the lowest bit first."""
        packed = self._source.take((count + 7) // 8)
        return [bool(packed[place >> 3] >> (place & 7) & 1) for place in range(count)]

    def _collection(self, kind: int) -> Any:
        size = self._size(kind)
        tag = self._source.byte()
        if tag == 0x7B:
            self._source.free(size)
            name = "java.util.Collections$CopiesList"
            return self._later(name, lambda: JList(name, [self.object()] * size))
        if tag in {0x6A, 0x6C}:
            return self._later(_ENUMS[tag], lambda: self._enums(tag, size))
        if tag not in COLLECTIONS:
            raise Rejection(f"0x{tag:02x} is not the tag of a collection")
        name = COLLECTIONS[tag]
        self._source.claim(size)
        return self._later(name, lambda: self._elements(name, size))

    def _elements(self, name: str, size: int) -> Any:
        container = CONTAINERS[name]
        comparator = check_comparator(self.object(), name) if container.comparator else None
        if container.kind is Kind.MAP:
            pairs = entries_pairs([self.object() for _ in range(2 * size)])
            return make_map(name, pairs, comparator)
        return make_collection(name, [self.object() for _ in range(size)], comparator)

    def _enums(self, tag: int, size: int) -> Any:
        """Read an EnumSet or EnumMap: its enum's class, then the elements or entries."""
        name = self._class(self._source.byte()).name
        items = [self.object() for _ in range(size if tag == 0x6A else 2 * size)]
        return _enum_container(tag, name, items)

    def _wrapped(self, name: str) -> Any:
        found = self.object()
        fits = (dict, JEntries) if "Map" in name else (list, set)
        if not isinstance(found, fits):
            raise Rejection(f"a {name} around an object of another kind")
        return wrap(name, self._maker.check_complete(found, name))

    def _class(self, tag: int) -> ClassDescription:
        if tag == 0x73:
            return ClassDescription(PREDEFINED[tag], _WRITE)
        if tag == 0x74:
            return ClassDescription(PREDEFINED[tag], _SERIALIZABLE, fields=[("L", "al", "")])
        if tag in PREDEFINED:
            return ClassDescription(PREDEFINED[tag])
        if tag in PRIMITIVES:
            return ClassDescription(component_of("[" + PRIMITIVES[tag]) or "")
        if tag in {0x06, 0x3B, 0x3C}:
            found: ClassDescription = self._back(tag, 0x3B, 0x3C, self._classes)
            return found
        self._source.descend()
        found = self._described(tag)
        self._source.ascend()
        return found

    def _described(self, tag: int) -> ClassDescription:
        if tag == 0x0D:
            found = ClassDescription(
                new_array(_source_name(self._class(self._source.byte()).name)).class_name
            )
            self._classes.append(found)
            return found
        if tag in {_SERIALIZABLE, _WRITE}:
            return self._serializable(tag)
        if tag not in {0x07, _EXTERNAL, _ENUM}:
            raise Rejection(f"no class begins with 0x{tag:02x}")
        name = self._source.class_name(self._plain_text())
        if tag == _EXTERNAL:
            self._source.take(8)
        found = ClassDescription(name, 0 if tag == 0x07 else tag)
        self._classes.append(found)
        return found

    def _serializable(self, tag: int) -> ClassDescription:
        found = ClassDescription("", tag, adds=tag == _WRITE)
        self._classes.append(found)
        found.name = self._source.class_name(self._text())
        found.uid = self._source.unpack(">q")
        for _ in range(self._source.claim(self._source.unpack(">i"), 3)):
            name = self._text()
            kind = self._source.byte()
            self._class(kind)
            self._source.byte()  # the flag of unshared fields
            found.fields.append((PRIMITIVES.get(kind, "L"), name, ""))
        above = self._class(self._source.byte())
        found.parent = above if above.how else None
        return found

    def _new_object(self) -> Any:
        found = self._class(self._source.byte())
        if found.name == "java.lang.Class":
            return JavaValue(found.name, self._class(self._source.byte()).name)
        if found.how == _ENUM:
            value = self._maker.constant(found.name, self._plain_text())
            self._add(value)
            return value
        if found.how == 0:
            raise Rejection(f"an object of {found.name}, which is not serializable", found.name)
        pending = Pending(found.name)
        place = self._add(pending)
        raw = StreamObject(found.name, found.line())
        for each in raw.line:
            level = ClassData(each.name)
            self._level(each, level)
            if level.fields or level.parts:
                raw.levels[each.name] = level
        value = self._maker.finish(raw, pending.started)
        value = self._objects[place] = self.sharing.number(found.name, place, value)
        return value

    def _level(self, described: ClassDescription, level: ClassData) -> None:
        for code, name, _ in described.fields:
            if code == "L":
                level.fields[name] = self.object()
            else:
                value = self._source.unpack(">" + _FORMS[code])
                level.fields[name] = chr(value) if code == "C" else value
        if described.how != _SERIALIZABLE:
            self._blocks(level)

    def _blocks(self, level: ClassData) -> None:
        """Read the data that a class wrote in addition to its fields, up to the end mark."""
        while (tag := self._source.byte()) != 0x35:
            if tag in BLOCKS:
                level.add_block(self._source.take(self._source.unpack(BLOCKS[tag])))
            else:
                level.add_object(self.object(tag))


def _source_name(name: str) -> str:
    """Return the name of an array class as in Java source."""
    component = component_of(name)
    return name if component is None else component + "[]"


def _enum_container(tag: int, name: str, items: list[Any]) -> Any:
    try:
        if tag == 0x6A:
            found = PreservedEnumSet(name, items)
            found.order = tuple(items)
            return found
        entries = dict(entries_pairs(items))
    except TypeError:  # a list, a dict or a set
        raise Rejection("an EnumSet or EnumMap with elements that are not constants") from None
    return JMap("java.util.EnumMap", entries) if entries else JEnumMap(name)
