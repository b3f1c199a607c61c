"""Reads, by their layout, classes for which FST has no serializer.

The data of a class becomes a `StreamObject`, as in Java's own stream, so that one table
(`java_serialization/jdk`) maps both to Python values.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

from pyredisson.codecs.java_serialization.stream_model import ClassData, StreamObject
from pyredisson.codecs.java_serialization.wrapped import Wrapped
from pyredisson.rejection import Rejection

from .layouts import PLAIN_FIELDS, ClassDataLayout, Line
from .numbers import read_char, read_int

if TYPE_CHECKING:
    from .reader import FstReader

__all__ = [
    "BARE",
    "MAP",
    "OBJECT",
    "OWN",
    "PUT",
    "SYNCHRONIZED_RANDOM",
    "Pending",
    "read_imitated",
    "read_plain",
]

OWN, PUT, BARE = b"\x37\x63", b"\x37\x4d", b"\x42"
"""How a class's fields begin: written by writeObject as in Java, as a map, without writeObject."""
OBJECT = 0xED
"""The byte before each object that a writeObject adds."""
SYNCHRONIZED_RANDOM = "java.util.Collections$SynchronizedRandomAccessList"
MAP = 1
"""The byte before the fields that a writeObject puts as a map."""


class Pending:
    """Stands for an object until it is complete, or referred to."""

    __slots__ = ("class_name",)

    def __init__(self, class_name: str) -> None:
        self.class_name = class_name


def read_plain(reader: FstReader, name: str, place: int) -> Any:
    """Read an object whose fields FST writes all."""
    raw = StreamObject(name)
    level = raw.levels[name] = ClassData(name)
    _begin(reader, name, place)
    _fields(reader, PLAIN_FIELDS[name], level)
    return reader.keep(place, reader.maker.finish(raw, reader.begun(place)))


def read_imitated(reader: FstReader, name: str, place: int, line: Line) -> Any:
    """Read an object for which FST writes what Java serialization does."""
    _begin(reader, name, place)
    raw = StreamObject(name)
    for layout in line:
        level = raw.levels[layout.class_name] = ClassData(layout.class_name)
        mark = reader.source.take(1)
        if mark == OWN[:1]:
            mark += reader.source.take(1)
        if mark == PUT:
            level.fields.update(_put_fields(reader))
        elif mark in {OWN, BARE}:
            _fields(reader, layout, level)
        else:
            raise Rejection(f"a {name} written in an unknown way", name)
        _data(reader, layout.data, level)
    found = reader.maker.finish(raw, reader.begun(place))
    if isinstance(found, Wrapped) and not found.locked:
        _lock(found, raw.field("mutex"))
    return reader.keep(place, found)


def _lock(found: Any, mutex: Any) -> None:
    """Return a synchronized list of an ArrayList: FST uses another list as its mutex."""
    if isinstance(mutex, Wrapped) and mutex.inside is found.inside:
        found.class_name = SYNCHRONIZED_RANDOM
        found.locked = True


def _begin(reader: FstReader, name: str, place: int) -> None:
    started = reader.maker.start(name)
    reader.keep(place, Pending(name) if started is None else started)


def _fields(reader: FstReader, layout: ClassDataLayout, level: ClassData) -> None:
    values = reader.fields([kind for _, kind in layout.fields], layout.class_name)
    level.fields.update(zip((name for name, _ in layout.fields), values, strict=True))


def _put_fields(reader: FstReader) -> dict[str, Any]:
    if reader.source.byte() != MAP:
        raise Rejection("no fields where they belong")
    found = {}
    for _ in range(reader.source.claim(read_int(reader.source), 2)):
        name = reader.object()
        if not isinstance(name, str):
            raise Rejection("a field whose name is no text")
        found[name] = reader.object()
    return found


def _marked(reader: FstReader) -> Any:
    if reader.source.byte() != OBJECT:
        raise Rejection("no object where one belongs")
    return reader.object()


def _data(reader: FstReader, form: str, level: ClassData) -> None:
    source, count = reader.source, 0
    for code in form:
        if code == "i":
            count = read_int(source)
            level.add_block(struct.pack(">i", count))
        elif code == "f":
            level.add_block(struct.pack(">f", source.unpack("<f")))
        elif code == "q":
            level.add_block(struct.pack(">q", read_int(source, long=True)))
        elif code == "c":
            level.add_block(struct.pack(">H", read_char(source)))
        elif code == "b":
            level.add_block(source.take(count))
        elif code == "o":
            level.add_object(_marked(reader))
        elif code == "~":
            _until_null(reader, level, form)
            return
        else:
            number = level.field("size") if code == "s" else count * (2 if code == "2" else 1)
            for _ in range(source.claim(number, 2)):
                level.add_object(_marked(reader))


def _until_null(reader: FstReader, level: ClassData, form: str) -> None:
    while True:
        value = _marked(reader)
        level.add_object(value)
        if value is None:
            return
        if form == "~2":
            level.add_object(_marked(reader))
