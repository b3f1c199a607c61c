"""FST, read: objects by tag, class number or class name, in the order that FST fixed.

Classes that FST knows have numbers from 3 on, those named in the message from 1000 on; an
object that occurs again is the position at which it began. The rule: FST writes neither
field names nor lengths, so a class that no layout and no schema describes ends the message.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from typing import Any

from pyredisson.codecs.cursor import Cursor, new_array
from pyredisson.codecs.java.build import make_collection, make_map
from pyredisson.codecs.java.enums import JDK_ENUMS
from pyredisson.codecs.java.names import component_of
from pyredisson.codecs.java.numbers import date_of
from pyredisson.codecs.java.objects import JavaValue
from pyredisson.codecs.java.scalars import JBigInteger, JByte, JChar, JDate, JFloat, JLong, JShort
from pyredisson.codecs.java.schema import ClassSchema, schema_of
from pyredisson.codecs.java.values import JEnumSet, JText
from pyredisson.codecs.java_serialization.objects import Maker, make_instance, zero_of
from pyredisson.codecs.java_serialization.raw import Level, Raw
from pyredisson.codecs.java_serialization.times import read_time
from pyredisson.codecs.refusal import Refusal

from .fields import field_order
from .layouts import IDS, IMITATED, PLAIN_FIELDS, LevelLayout
from .numbers import FstTime, read_char, read_int, read_text

__all__ = ["FstReader"]

_FIRST_NAMED = 1000
_IMITATED, _DEFAULT, _PUT, _NO_METHOD = 55, 99, 77, 66
_OBJECT_MARK = 0xED
_PENDING = object()
_ARRAYS = {"I": "i", "J": "q", "F": "f", "D": "d"}
_JDK: dict[str, list[Any]] = {
    schema.class_name: list(each) for each in JDK_ENUMS if (schema := schema_of(each)) is not None
}


class FstReader:
    """Reads one message."""

    def __init__(self, source: Cursor, maker: Maker, schemas: Mapping[str, ClassSchema]) -> None:
        self._source = source
        self._maker = maker
        self._schemas = schemas
        self._named: list[str] = []
        self._places: dict[int, Any] = {}

    def object(self, declared: str | None = None) -> Any:
        """Read an object; `declared` is the type of the field in which it stands."""
        place = self._source.pos
        tag = self._source.byte()
        self._source.descend()
        value = self._tagged(tag, place, declared)
        self._source.ascend()
        return value

    def _tagged(self, tag: int, place: int, declared: str | None) -> Any:  # noqa: PLR0911 - a table of tags
        simple = {0xFF: None, 0xF0: True, 0xEF: False}
        if tag in simple:
            return simple[tag]
        if tag == 0xF7:
            return read_int(self._source)
        if tag == 0xF6:
            return JLong(read_int(self._source, long=True))
        if tag == 0xFC:
            return self._keep(place, read_text(self._source))
        if tag == 0xF9:
            return self._handle()
        if tag == 0xFA:
            return self._enum()
        if tag == 0xFB:
            return self._array(self._class(), place)
        if tag == 0x00:
            return self._instance(self._class(), place)
        if tag == 0xFD and declared is not None:
            return self._instance(declared, place)
        raise Refusal(f"0x{tag:02x} begins no object")

    def _keep(self, place: int, value: Any) -> Any:
        self._places[place] = value
        return value

    def _handle(self) -> Any:
        found = self._places.get(read_int(self._source), self)
        if found is self:
            raise Refusal("a reference to nothing")
        if found is _PENDING:
            raise Refusal("objects that refer to each other in a circle")
        return found

    def _class(self) -> str:
        number = read_char(self._source)
        if number <= 1:
            name = read_text(self._source)
            self._named.append(self._source.class_name(name))
            return name
        if number in IDS:
            return IDS[number]
        if not _FIRST_NAMED <= number < _FIRST_NAMED + len(self._named):
            raise Refusal(f"class number {number} is none")
        return self._named[number - _FIRST_NAMED]

    def _enum(self) -> Any:
        name = self._class()
        ordinal = read_int(self._source)
        schema = self._schemas.get(name)
        if schema is None:
            members = _JDK.get(name)
            if members is None:
                return JavaValue(name, ordinal)
        else:
            members = [getattr(schema.python, each.name) for each in schema.constants]
        if not 0 <= ordinal < len(members):
            raise Refusal(f"{name} has no constant {ordinal}", name)
        return members[ordinal]

    def _array(self, name: str, place: int) -> Any:
        if not name.startswith("["):
            if read_int(self._source) == -1:
                return None  # how a null stands in an array of arrays
            raise Refusal(f"an array of the class {name}", name)
        count = read_int(self._source)
        value = self._elements(name, count, place)
        return self._keep(place, value)

    def _elements(self, name: str, count: int, place: int) -> Any:
        source = self._source
        source.claim(count)
        code = name[1:]
        if code == "B":
            return source.take(count)
        found = new_array(component_of(name) or "java.lang.Object")
        if code in _ARRAYS:
            form = f"<{count}{_ARRAYS[code]}"
            found += struct.unpack(form, source.take(struct.calcsize(form)))
        elif code == "Z":
            found += [each != 0 for each in source.take(count)]
        elif code == "C":
            found += [chr(read_char(source)) for _ in range(count)]
        elif code == "S":
            found += [_signed(read_char(source)) for _ in range(count)]
        elif code.startswith("["):
            self._keep(place, found)
            source.descend()
            found += [self._array(self._class(), source.pos) for _ in range(count)]
            source.ascend()
        else:
            self._keep(place, found)
            found += [self.object() for _ in range(count)]
        return found

    def _instance(self, name: str, place: int) -> Any:
        if name.startswith("["):
            return self._array(name, place)
        if name in _READERS:
            value = _READERS[name](self)
        elif name in IMITATED:
            value = self._imitated(name, place)
        elif name in PLAIN_FIELDS:
            value = self._plain(name, place)
        elif name in self._schemas:
            return self._schema(self._schemas[name], place)
        else:
            raise Refusal(f"{name} needs a schema: FST writes no field names", name)
        return self._keep(place, value)

    def _schema(self, schema: ClassSchema, place: int) -> Any:
        if schema.kind == "enum":
            raise Refusal(f"{schema.class_name} is an enum", schema.class_name)
        found, put = make_instance(schema)
        self._keep(place, found)
        fields = field_order(schema)
        flags = [each for each in fields if each[2] == "boolean"]
        for start in range(0, len(flags), 8):
            packed = self._source.byte()
            for bit, (attribute, _, _) in enumerate(flags[start : start + 8]):
                put(found, attribute, bool(packed >> 7 - bit & 1))
        for attribute, _, kind in fields[len(flags) :]:
            put(found, attribute, self._declared(kind))
        for _, each in schema.all_fields():
            if each.transient:
                put(found, each.attribute, zero_of(each))
        self._end(schema.class_name)
        return found

    def _declared(self, kind: str) -> Any:
        read = _PRIMITIVES.get(kind)
        if read is not None:
            return read(self._source)
        value = self.object(kind)
        plain = _UNBOXED.get(kind)
        return plain(value) if plain is not None and isinstance(value, plain) else value

    def _end(self, name: str) -> None:
        if self._source.byte() != 0:
            raise Refusal(f"a {name} whose fields do not end where they should", name)

    def _fields(self, layout: LevelLayout, level: Level) -> None:
        for name, code in layout.fields:
            if code == "L":
                level.fields[name] = self.object()
            elif code == "@":
                level.fields[name] = self._class_object()
            else:
                level.fields[name] = read_int(self._source, long=code == "J")
        self._end(layout.class_name)

    def _class_object(self) -> Any:
        if self._source.take(2) != b"\xfd\x00":
            raise Refusal("no class where one belongs")
        return JavaValue("java.lang.Class", self._source.class_name(read_text(self._source)))

    def _plain(self, name: str, place: int) -> Any:
        raw = Raw(name)
        level = raw.levels[name] = Level(name)
        started = self._maker.start(name)
        self._keep(place, _PENDING if started is None else started)
        self._fields(PLAIN_FIELDS[name], level)
        return self._maker.finish(raw, started)

    def _imitated(self, name: str, place: int) -> Any:
        self._keep(place, _PENDING)
        raw = Raw(name)
        for layout in IMITATED[name]:
            level = raw.levels[layout.class_name] = Level(layout.class_name)
            mark = self._source.byte()
            if mark == _IMITATED:
                how = self._source.byte()
                if how == _PUT:
                    level.fields.update(self._put_fields())
                elif how == _DEFAULT:
                    self._fields(layout, level)
                else:
                    raise Refusal(f"a {name} written in an unknown way", name)
            elif mark == _NO_METHOD:
                self._fields(layout, level)
            else:
                raise Refusal(f"a {name} written in an unknown way", name)
            self._data(layout.data, level)
        return self._maker.finish(raw, None)

    def _put_fields(self) -> dict[str, Any]:
        if self._source.byte() != 1:
            raise Refusal("no fields where they belong")
        found = {}
        for _ in range(self._source.claim(read_int(self._source), 2)):
            name = self.object()
            if not isinstance(name, str):
                raise Refusal("a field whose name is no text")
            found[name] = self.object()
        return found

    def _marked(self) -> Any:
        if self._source.byte() != _OBJECT_MARK:
            raise Refusal("no object where one belongs")
        return self.object()

    def _data(self, form: str, level: Level) -> None:
        count = 0
        for code in form:
            if code == "i":
                count = read_int(self._source)
                level.add_block(struct.pack(">i", count))
            elif code == "f":
                level.add_block(struct.pack(">f", self._source.unpack("<f")))
            elif code == "q":
                level.add_block(struct.pack(">q", read_int(self._source, long=True)))
            elif code == "o":
                level.add_object(self._marked())
            elif code == "~":
                self._until_null(level, form)
                return
            else:
                number = level.field("size") if code == "s" else count * (2 if code == "2" else 1)
                for _ in range(self._source.claim(number, 2)):
                    level.add_object(self._marked())

    def _until_null(self, level: Level, form: str) -> None:
        while True:
            value = self._marked()
            level.add_object(value)
            if value is None:
                return
            if form == "~2":
                level.add_object(self._marked())

    def _items(self, each: int = 1) -> list[Any]:
        count = self._source.claim(read_int(self._source))
        return [self.object() for _ in range(count * each)]

    def list_of(self, name: str) -> Any:
        """Read a number of elements and the elements."""
        return make_collection(name, self._items())

    def map_of(self, name: str) -> Any:
        """Read a number of entries and the entries."""
        items = self._items(2)
        return make_map(name, list(zip(items[::2], items[1::2], strict=True)))

    def enum_set(self) -> Any:
        """Read an EnumSet: its size, its enum's class and the constants."""
        count = self._source.claim(read_int(self._source))
        name = self._class()
        try:
            return JEnumSet(name, [self.object() for _ in range(count)])
        except TypeError:  # a list, a dict or a set
            raise Refusal("an EnumSet of no constants") from None

    def big_integer(self) -> Any:
        """Read a BigInteger: its length and its bytes."""
        size = read_int(self._source)
        if not 0 < size <= self._source.limits.max_integer_bytes:
            raise Refusal(f"a number of {size} bytes")
        return JBigInteger(int.from_bytes(self._source.take(size), "big", signed=True))

    def date(self) -> Any:
        """Read a Date: its milliseconds."""
        millis = read_int(self._source, long=True)
        return date_of(millis) or JDate(millis)

    def text(self) -> str:
        """Read a text."""
        return read_text(self._source)

    def number(self, form: str) -> Any:
        """Read a number of fixed size."""
        return self._source.unpack(form)

    def unit(self) -> int:
        """Read a char or a short as its number."""
        return read_char(self._source)

    def time(self) -> Any:
        """Read a `java.time.Ser`."""
        return read_time(FstTime(self._source))


def _signed(value: int) -> int:
    return value - 0x10000 if value >= 0x8000 else value


_PRIMITIVES: dict[str, Callable[[Cursor], Any]] = {
    "byte": lambda source: source.unpack("b"),
    "char": lambda source: chr(read_char(source)),
    "short": lambda source: _signed(read_char(source)),
    "int": read_int,
    "long": lambda source: read_int(source, long=True),
    "float": lambda source: source.unpack("<f"),
    "double": lambda source: source.unpack("<d"),
}
_UNBOXED: dict[str, Any] = {
    **{f"java.lang.{name}": int for name in ("Byte", "Short", "Long")},
    "java.lang.Float": float,
    "java.lang.Character": str,
}
_LISTS = [f"java.util.{each}" for each in ("ArrayList", "LinkedList", "Vector", "Stack", "HashSet")]
_MAPS = [f"java.util.{each}" for each in ("HashMap", "LinkedHashMap", "Hashtable")]
_MAPS += ["java.util.concurrent.ConcurrentHashMap"]


def _list_reader(name: str) -> Callable[[FstReader], Any]:
    return lambda self: self.list_of(name)


def _map_reader(name: str) -> Callable[[FstReader], Any]:
    return lambda self: self.map_of(name)


_READERS: dict[str, Callable[[FstReader], Any]] = {
    "java.lang.Byte": lambda self: JByte(self.number("b")),
    "java.lang.Short": lambda self: JShort(_signed(self.unit())),
    "java.lang.Character": lambda self: JChar(chr(self.unit())),
    "java.lang.Float": lambda self: JFloat(self.number("<f")),
    "java.lang.Double": lambda self: float(self.number("<d")),
    "java.lang.StringBuffer": lambda self: JText("java.lang.StringBuffer", self.text()),
    "java.lang.StringBuilder": lambda self: JText("java.lang.StringBuilder", self.text()),
    "java.math.BigInteger": FstReader.big_integer,
    "java.time.Ser": FstReader.time,
    "java.util.Date": FstReader.date,
    "java.util.RegularEnumSet": FstReader.enum_set,
    **{name: _list_reader(name) for name in _LISTS},
    **{name: _map_reader(name) for name in _MAPS},
}
