"""Converts plain Python values where a field's declared type permits only one class.

`[1]` in a `LinkedList` field is a LinkedList, `5` in a `BigInteger` field a BigInteger. A value
that already has a permitted class is never changed.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from .checks import check_date
from .containers import JList, JMap, JSet
from .durations import rest_of
from .jdk import CONTAINERS, Kind
from .map_orders import map_order, set_order
from .nanos import JInstant, JLocalDateTime, JOffsetDateTime
from .scalars import JBigInteger
from .values import JEnumMap, JText, JValue

__all__ = ["coerce"]

_DEFAULTS = {
    "java.util.SortedSet": "java.util.TreeSet",
    "java.util.NavigableSet": "java.util.TreeSet",
    "java.util.SortedMap": "java.util.TreeMap",
    "java.util.NavigableMap": "java.util.TreeMap",
    "java.util.Queue": "java.util.LinkedList",
    "java.util.Deque": "java.util.LinkedList",
    "java.util.concurrent.ConcurrentMap": "java.util.concurrent.ConcurrentHashMap",
}
_PLAIN = {"java.util.ArrayList", "java.util.HashMap", "java.util.HashSet"}  # unchanged
_CHARSETS = {
    "UTF-8": "sun.nio.cs.UTF_8",
    "US-ASCII": "sun.nio.cs.US_ASCII",
    "ISO-8859-1": "sun.nio.cs.ISO_8859_1",
    "UTF-16": "sun.nio.cs.UTF_16",
    "UTF-16BE": "sun.nio.cs.UTF_16BE",
    "UTF-16LE": "sun.nio.cs.UTF_16LE",
}


def _charset(value: str) -> Any:
    name = _CHARSETS.get(value)
    return JText(name, value) if name else None


_MOMENTS: dict[str, Any] = {
    each.class_name: each for each in (JInstant, JLocalDateTime, JOffsetDateTime)
}
_TEXTS: dict[str, Callable[[str], Any]] = {
    "java.util.TimeZone": lambda value: JText("sun.util.calendar.ZoneInfo", value),
    "java.nio.charset.Charset": _charset,
    "java.time.ZoneId": lambda value: JText("java.time.ZoneRegion", value),
}


def coerce(declared: str, value: Any, enum_name: str | None = None) -> Any:
    """Return the value as the only class that the declared type permits; None if there is none.

    `enum_name` is the first type argument, if known: the enum of an EnumMap.
    """
    kind = type(value)
    if kind is dict and declared == "java.util.EnumMap":
        return JEnumMap(enum_name, value) if enum_name else JMap(declared, value)
    if kind in {list, dict, set, frozenset}:
        return _container(_DEFAULTS.get(declared, declared), value)
    if kind is int and declared == "java.math.BigInteger":
        return JBigInteger(value)
    if kind is str and declared in _TEXTS:
        return _TEXTS[declared](value)
    return _moment(declared, value) if isinstance(value, datetime) else None


def _moment(declared: str, value: datetime) -> Any:
    if declared in _MOMENTS:
        return _MOMENTS[declared].of(value, rest_of(value))
    return JValue(declared, check_date(value)) if declared.startswith("java.sql.") else None


def _container(class_name: str, value: Any) -> Any:
    container = CONTAINERS.get(class_name)
    if container is None or class_name in _PLAIN:
        return None
    if isinstance(value, dict):
        if container.kind is not Kind.MAP:
            return None
        entries = list(value.items())
        order = map_order(class_name, list(value))
        return JMap(class_name, entries if order is None else [entries[each] for each in order])
    if isinstance(value, list):
        return JList(class_name, value) if container.kind in {Kind.LIST, Kind.QUEUE} else None
    if container.kind is not Kind.SET:
        return None
    return JSet(class_name, set_order(class_name, value))
