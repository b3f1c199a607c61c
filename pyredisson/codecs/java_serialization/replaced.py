"""Objects that stand for a value in a stream: the results of `writeReplace`.

java.time writes a `java.time.Ser`, the immutable collections a `java.util.CollSer`, an EnumSet its
`SerializationProxy`. Their parts are JDK objects, too. `Made` is such an object, or any other JDK
object without a Python type. Numbers out of Java's range are rejected: Java's reader would throw.
Sources: the `writeExternal` methods of java.time and `java.util.ImmutableCollections` of OpenJDK
17, unchanged since 8 and 9.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any

from pyredisson.java.build import entries_of, items_of
from pyredisson.java.containers import JArray
from pyredisson.java.objects import JavaValue
from pyredisson.java.schema import schema_of
from pyredisson.java.times import time_parts
from pyredisson.java.values import JEnumSet, JValue, JZonedDateTime
from pyredisson.rejection import Rejection, reject_value

from .preserved_metadata import PreservedEnumSet
from .sink import Sink

__all__ = ["REPLACED", "EnumClass", "Made", "enum_elements", "enum_name_of", "enum_order"]

_FIXED = re.compile(r"Z|([+-])(\d\d):(\d\d)(?::(\d\d))?")
_REGION = re.compile(r"[A-Za-z][A-Za-z0-9~/._+-]+")
_NO_CONSTANTS: JArray[Any] = JArray("java.lang.Enum")
"""The elements of empty EnumSets, which share one array in Java."""


class Made:
    """An object of a JDK class: its fields, and what its class writes in addition."""

    __slots__ = ("class_name", "fields", "parts")

    def __init__(
        self, class_name: str, fields: dict[str, Any], data: bytes = b"", *items: Any
    ) -> None:
        self.class_name = class_name
        self.fields = fields
        self.parts = [*([(True, data)] if data else []), *((False, each) for each in items)]


class EnumClass:
    """The class object of an enum."""

    __slots__ = ("class_name",)

    def __init__(self, class_name: str) -> None:
        self.class_name = class_name


def _date(year: int, month: int, day: int) -> bytes:
    return struct.pack(">ibb", year, month, day)


def _time(*parts: int) -> bytes:
    """Encode a time of day; the last part before omitted zeros is inverted."""
    if parts[3]:
        return struct.pack(">bbbi", *parts)
    encoded = list(parts[:3])
    while len(encoded) > 1 and not encoded[-1]:
        encoded.pop()
    return struct.pack(f">{len(encoded)}b", *encoded[:-1], ~encoded[-1])


def _offset(seconds: int) -> bytes:
    if seconds % 900:
        return struct.pack(">bi", 127, seconds)
    return struct.pack(">b", seconds // 900)


def _numbers(form: str) -> Callable[..., bytes]:
    return lambda *parts: struct.pack(">" + form, *parts)


_TIMES: dict[str, tuple[int, Callable[..., bytes]]] = {
    "Duration": (1, _numbers("qi")),
    "Instant": (2, _numbers("qi")),
    "LocalDate": (3, _date),
    "LocalTime": (4, _time),
    "LocalDateTime": (5, lambda *parts: _date(*parts[:3]) + _time(*parts[3:])),
    "ZoneOffset": (8, _offset),
    "OffsetTime": (9, lambda *parts: _time(*parts[:4]) + _offset(parts[4])),
    "OffsetDateTime": (
        10,
        lambda *parts: _date(*parts[:3]) + _time(*parts[3:7]) + _offset(parts[7]),
    ),
    "Year": (11, _numbers("i")),
    "YearMonth": (12, _numbers("ib")),
    "MonthDay": (13, _numbers("bb")),
    "Period": (14, _numbers("iii")),
}


def _ser(kind: int, data: bytes) -> Made:
    return Made("java.time.Ser", {}, bytes([kind]) + data)


def _made_time(sink: Sink, value: Any, name: str) -> Made:
    kind, encode = _TIMES[name.removeprefix("java.time.")]
    return _ser(kind, encode(*time_parts(name, value)))


def _zone_region(sink: Sink, value: Any, name: str) -> Made:
    return _ser(7, sink.text(_zone_id(value)))


def _zone_id(value: Any) -> str:
    if not isinstance(value, str) or not _REGION.fullmatch(value):
        raise reject_value(value, "the id of a time zone")
    return str(value)


def _zoned(sink: Sink, value: Any, name: str) -> Made:
    """Return a ZonedDateTime's local time, offset, and zone, which may be an offset, too."""
    if not isinstance(value, JZonedDateTime):
        raise reject_value(value, f"a {name}")
    local = _TIMES["LocalDateTime"][1](*time_parts("java.time.LocalDateTime", value.local))
    fixed = _FIXED.fullmatch(value.zone)
    if fixed is not None:
        sign, *parts = fixed.groups(default="0")
        hours, minutes, seconds = map(int, parts)
        total = (hours * 3600 + minutes * 60 + seconds) * (-1 if sign == "-" else 1)
        offset = _offset(*time_parts("java.time.ZoneOffset", JValue("java.time.ZoneOffset", total)))
        return _ser(6, local + offset + b"\x08" + offset)
    if value.offset is None:
        raise Rejection(
            f"a ZonedDateTime in {value.zone:.60}, whose offset depends on Java's time zone data: "
            "pass it, JZonedDateTime(local, zone, offset=3600), or use JOffsetDateTime"
        )
    zone_offset = JValue("java.time.ZoneOffset", value.offset)
    offset = _offset(*time_parts("java.time.ZoneOffset", zone_offset))
    return _ser(6, local + offset + b"\x07" + sink.text(_zone_id(value.zone)))


def enum_order(enum_name: str, constants: Iterable[Any]) -> list[Any]:
    """Return constants of an enum in the enum's order.

    Raises:
        Rejection: a value is not a constant of the enum, or there are several of an enum without a
            schema.
    """
    found = list(constants)
    if any(enum_name_of(each) != enum_name for each in found):
        raise Rejection(f"a value that is not a constant of {enum_name}", enum_name)
    if len(found) > 1:
        if any(isinstance(each, JavaValue) for each in found):
            raise Rejection(
                f"several constants of {enum_name}, whose order is unknown: pass its schema",
                enum_name,
            )
        found.sort(key=list(type(found[0]).__members__.values()).index)
    return found


def enum_name_of(value: Any) -> str | None:
    """Return the Java enum of a constant; None for other values."""
    if isinstance(value, JavaValue):
        return value.class_name
    schema = schema_of(type(value)) if isinstance(value, Enum) else None
    return None if schema is None else schema.class_name


def enum_elements(value: Any, name: str) -> tuple[str, list[Any]]:
    """Return the enum of an EnumSet, and the constants in the enum's order.

    Raises:
        Rejection: the constants are of another enum, or of one whose order is unknown.
    """
    if not isinstance(value, JEnumSet):
        raise reject_value(value, f"a {name}: use a JEnumSet, which names its enum")
    constants = list(value)
    if isinstance(value, PreservedEnumSet) and constants == list(value.order):
        return value.enum_name, constants
    return value.enum_name, enum_order(value.enum_name, constants)


def _enum_set(sink: Sink, value: Any, name: str) -> Made:
    enum_name, constants = enum_elements(value, name)
    fields = {
        "elementType": EnumClass(enum_name),
        "elements": JArray("java.lang.Enum", constants) if constants else _NO_CONSTANTS,
    }
    return Made("java.util.EnumSet$SerializationProxy", fields)


_COLLECTION = {"List12": 1, "ListN": 1, "Set12": 2, "SetN": 2, "Map1": 3, "MapN": 3}
_SIZES = {"List12": (1, 2), "Set12": (1, 2), "Map1": (1, 1)}


def _immutable(sink: Sink, value: Any, name: str) -> Made:
    """Return the object that stands for a `List.of`, `Set.of` or `Map.of`."""
    short = name.rpartition("$")[2]
    tag = _COLLECTION[short]
    if tag == 3:
        items = [part for entry in entries_of(value, name) for part in entry]
        size = len(items) // 2
    else:
        items = items_of(value, name)
        size = len(items)
    low, high = _SIZES.get(short, (0, size))
    if not low <= size <= high:
        raise Rejection(f"a {name} of {size} elements")
    nulls = any(each is None for each in items)
    if nulls and (tag != 1 or short != "ListN"):
        raise Rejection(f"a {name} takes no null")
    if nulls or getattr(value, "nullable", False):
        tag = 4  # the result of Stream.toList()
    return Made("java.util.CollSer", {"tag": tag}, struct.pack(">i", len(items)), *items)


REPLACED: dict[str, Callable[[Any, Any, str], Made]] = {
    **{f"java.time.{name}": _made_time for name in _TIMES},
    "java.time.ZoneRegion": _zone_region,
    "java.time.ZonedDateTime": _zoned,
    **{f"java.util.ImmutableCollections${name}": _immutable for name in _COLLECTION},
    "java.util.RegularEnumSet": _enum_set,
    "java.util.JumboEnumSet": _enum_set,
}
"""The functions that make the object that stands for a value of a class, by class name."""
