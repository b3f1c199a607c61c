"""Reads classes for which FST has no serializer, by their layout.

The data of an object becomes a `StreamObject`, as in Java's own stream, so one table
(`java_serialization/jdk`) converts both to Python values.
"""

from __future__ import annotations

import struct
from typing import Any

from pyredisson.codecs.java_serialization.stream_model import ClassData, StreamObject
from pyredisson.codecs.java_serialization.wrapped import Wrapped
from pyredisson.rejection import Rejection

from .layouts import PLAIN_FIELDS, ClassDataLayout, Hierarchy
from .numbers import read_char, read_int
from .object_reader import ObjectReader

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
"""The bytes before the fields of a class: of its writeObject as in Java, of its writeObject as a
map, without a writeObject."""
OBJECT = 0xED
"""The byte before each object in the data that a writeObject adds."""
SYNCHRONIZED_RANDOM = "java.util.Collections$SynchronizedRandomAccessList"
MAP = 1
"""The byte before fields that a writeObject writes as a map."""


class Pending:
    """Stands for an object until it is complete, or referred to."""

    __slots__ = ("class_name",)

    def __init__(self, class_name: str) -> None:
        self.class_name = class_name


def read_plain(reader: ObjectReader, name: str, place: int) -> Any:
    """Read an object of which FST writes all fields."""
    stream_object = StreamObject(name)
    class_data = stream_object.levels[name] = ClassData(name)
    _begin(reader, name, place)
    _fields(reader, PLAIN_FIELDS[name], class_data)
    return reader.keep(place, reader.maker.finish(stream_object, reader.started(place)))


def read_imitated(reader: ObjectReader, name: str, place: int, hierarchy: Hierarchy) -> Any:
    """Read an object for which FST imitates Java serialization."""
    _begin(reader, name, place)
    stream_object = StreamObject(name)
    for layout in hierarchy:
        class_data = stream_object.levels[layout.class_name] = ClassData(layout.class_name)
        mark = reader.source.take(1)
        if mark == OWN[:1]:
            mark += reader.source.take(1)
        if mark == PUT:
            class_data.fields.update(_put_fields(reader))
        elif mark in {OWN, BARE}:
            _fields(reader, layout, class_data)
        else:
            raise Rejection(f"a {name} that is written in an unknown way", name)
        _data(reader, layout.data, class_data)
    found = reader.maker.finish(stream_object, reader.started(place))
    if isinstance(found, Wrapped) and not found.locked:
        _lock(found, stream_object.field("mutex"))
    return reader.keep(place, found)


def _lock(found: Any, mutex: Any) -> None:
    """Recognize a synchronized list of an ArrayList: its mutex is a wrapper of the same list."""
    if isinstance(mutex, Wrapped) and mutex.inside is found.inside:
        found.class_name = SYNCHRONIZED_RANDOM
        found.locked = True


def _begin(reader: ObjectReader, name: str, place: int) -> None:
    started = reader.maker.start(name)
    reader.keep(place, Pending(name) if started is None else started)


def _fields(reader: ObjectReader, layout: ClassDataLayout, class_data: ClassData) -> None:
    values = reader.fields([kind for _, kind in layout.fields], layout.class_name)
    class_data.fields.update(zip((name for name, _ in layout.fields), values, strict=True))


def _put_fields(reader: ObjectReader) -> dict[str, Any]:
    if reader.source.byte() != MAP:
        raise Rejection("expected a map of fields")
    found = {}
    for _ in range(reader.source.claim(read_int(reader.source), 2)):
        name = reader.object()
        if not isinstance(name, str):
            raise Rejection("a field whose name is not a text")
        found[name] = reader.object()
    return found


def _marked(reader: ObjectReader) -> Any:
    if reader.source.byte() != OBJECT:
        raise Rejection("expected an object")
    return reader.object()


def _data(reader: ObjectReader, form: str, class_data: ClassData) -> None:
    source, count = reader.source, 0
    for code in form:
        if code == "i":
            count = read_int(source)
            class_data.add_block(struct.pack(">i", count))
        elif code == "f":
            class_data.add_block(struct.pack(">f", source.unpack("<f")))
        elif code == "q":
            class_data.add_block(struct.pack(">q", read_int(source, long=True)))
        elif code == "c":
            class_data.add_block(struct.pack(">H", read_char(source)))
        elif code == "b":
            class_data.add_block(source.take(count))
        elif code == "o":
            class_data.add_object(_marked(reader))
        elif code == "~":
            _until_null(reader, class_data, form)
            return
        else:
            number = class_data.field("size") if code == "s" else count * (2 if code == "2" else 1)
            for _ in range(source.claim(number, 2)):
                class_data.add_object(_marked(reader))


def _until_null(reader: ObjectReader, class_data: ClassData, form: str) -> None:
    while True:
        value = _marked(reader)
        class_data.add_object(value)
        if value is None:
            return
        if form == "~2":
            class_data.add_object(_marked(reader))
