"""Reads the classes for which FST has a serializer of its own.

Lists and maps are created before their elements are read, because elements may refer to them.
Sources: the serializers that `FSTConfiguration` of FST 2.57 registers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyredisson.codecs.java_serialization.times import read_time
from pyredisson.java.build import make_collection, make_map
from pyredisson.java.containers import JEntries, JList, JMap
from pyredisson.java.names import PRIMITIVES
from pyredisson.java.numbers import date_of
from pyredisson.java.objects import JavaValue
from pyredisson.java.scalars import JBigInteger, JByte, JChar, JDate, JFloat, JShort
from pyredisson.java.values import JEnumSet, JText
from pyredisson.rejection import Rejection

from .numbers import FstTime, read_char, read_int, read_text, signed
from .object_reader import ObjectReader

__all__ = [
    "CLASS",
    "COLLECTIONS",
    "ENUM_SETS",
    "KNOWN",
    "LISTS",
    "MAPS",
    "TEXTS",
    "UNTYPED",
    "is_primitive",
]

Read = Callable[[ObjectReader, str, int], Any]
CLASS = "java.lang.Class"
LISTS = tuple(f"java.util.{each}" for each in ("ArrayList", "LinkedList", "Vector", "Stack"))
COLLECTIONS = (*LISTS, "java.util.HashSet")
MAPS = (
    *(f"java.util.{each}" for each in ("HashMap", "LinkedHashMap", "Hashtable")),
    "java.util.concurrent.ConcurrentHashMap",
)
ENUM_SETS = ("java.util.RegularEnumSet", "java.util.JumboEnumSet")
TEXTS = ("java.lang.StringBuffer", "java.lang.StringBuilder")
UNTYPED = {
    *(f"java.util.{name}" for name in ("ArrayList", "HashMap", "LinkedList", "Vector")),
    *("java.util.Hashtable", "java.util.concurrent.ConcurrentHashMap", "java.util.Date"),
    "java.math.BigInteger",
    *TEXTS,
    *ENUM_SETS,
}
"""Classes that FST names even in a field of exactly that class.

FST registers them before their serializers, so it treats them like imitated classes.
"""


def is_primitive(name: str) -> bool:
    """Return whether a class is that of a primitive or of void."""
    return name in PRIMITIVES or name == "void"


def _items(reader: ObjectReader, each: int = 1) -> list[Any]:
    count = reader.source.claim(read_int(reader.source))
    return [reader.object() for _ in range(count * each)]


def _list(reader: ObjectReader, name: str, place: int) -> Any:
    found: list[Any] = [] if name == "java.util.ArrayList" else JList(name)
    reader.keep(place, reader.maker.begin(found))
    found += _items(reader)
    reader.maker.end(found)
    return found


def _set(reader: ObjectReader, name: str, place: int) -> Any:
    return reader.keep(place, make_collection(name, _items(reader)))


def _map(reader: ObjectReader, name: str, place: int) -> Any:
    found: dict[Any, Any] = {} if name == "java.util.HashMap" else JMap(name)
    reader.keep(place, reader.maker.begin(found))
    items = _items(reader, 2)
    reader.maker.end(found)
    made = make_map(name, list(zip(items[::2], items[1::2], strict=True)))
    # Python cannot hash the keys, or their order differs from that of a filled HashMap.
    if isinstance(made, JEntries) or type(made) is not type(found):
        return reader.replace(place, made)
    found.update(made)
    return found


def _enum_set(reader: ObjectReader, name: str, place: int) -> Any:
    count = reader.source.claim(read_int(reader.source))
    enum = reader.class_name()
    try:
        found = JEnumSet(enum, [reader.object() for _ in range(count)], jumbo="Jumbo" in name)
    except TypeError:  # a list, a dict or a set
        raise Rejection("an EnumSet of values that are not constants") from None
    return reader.keep(place, found)


def _class(reader: ObjectReader, name: str, place: int) -> Any:
    primitive = reader.source.byte()
    named = reader.source.class_name(read_text(reader.source))
    if primitive != is_primitive(named):
        kind = "primitive" if primitive else "not primitive"
        raise Rejection(f"the class {named[:60]} is marked as {kind}")
    return reader.keep(place, JavaValue(name, named))


def _big_integer(reader: ObjectReader, name: str, place: int) -> Any:
    size = read_int(reader.source)
    if not 0 < size <= reader.source.limits.max_integer_bytes:
        raise Rejection(f"a number of {size} bytes")
    number = int.from_bytes(reader.source.take(size), "big", signed=True)
    return reader.keep(place, reader.sharing.number(name, place, JBigInteger(number)))


def _date(reader: ObjectReader, name: str, place: int) -> Any:
    millis = read_int(reader.source, long=True)
    return date_of(millis) or JDate(millis)


def _text(reader: ObjectReader, name: str, place: int) -> Any:
    return reader.keep(place, JText(name, read_text(reader.source)))


def _time(reader: ObjectReader, name: str, place: int) -> Any:
    return reader.keep(place, read_time(FstTime(reader.source)))


KNOWN: dict[str, Read] = {
    "java.lang.Byte": lambda reader, *_: JByte(reader.source.unpack("b")),
    "java.lang.Short": lambda reader, *_: JShort(signed(read_char(reader.source))),
    "java.lang.Character": lambda reader, *_: JChar(chr(read_char(reader.source))),
    CLASS: _class,
    "java.lang.Float": lambda reader, *_: JFloat(reader.source.unpack("<f")),
    "java.lang.Double": lambda reader, *_: float(reader.source.unpack("<d")),
    "java.math.BigInteger": _big_integer,
    "java.time.Ser": _time,
    "java.util.Date": _date,
    "java.util.HashSet": _set,
    "java.util.Properties": _map,
    **dict.fromkeys(ENUM_SETS, _enum_set),
    **dict.fromkeys(LISTS, _list),
    **dict.fromkeys(MAPS, _map),
    **dict.fromkeys(TEXTS, _text),
}
