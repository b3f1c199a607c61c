"""Returns the Python type of a Java type for annotations. Programmers read it, the codec does not.

For a JDK type, codecs return a value of this Python type, or one that is equal. For a time outside
of Python's years they return a `JValue` or `JDate`.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from pyredisson.java.types import JavaType, Wildcard

__all__ = ["ANY", "container_base", "default_of", "python_type", "quoted"]

ANY = "Any"
_LONGEST = 60

_SIMPLE = {
    "boolean": "bool",
    "byte": "int",
    "short": "int",
    "int": "int",
    "long": "int",
    "char": "str",
    "float": "float",
    "double": "float",
    "java.lang.Boolean": "bool",
    "java.lang.Byte": "int",
    "java.lang.Short": "int",
    "java.lang.Integer": "int",
    "java.lang.Long": "int",
    "java.lang.Character": "str",
    "java.lang.Float": "float",
    "java.lang.Double": "float",
    "java.lang.Number": "int | float | Decimal",
    "java.lang.String": "str",
    "java.lang.CharSequence": "str",
    "java.lang.StringBuilder": "str",
    "java.lang.StringBuffer": "str",
    "java.math.BigInteger": "int",
    "java.math.BigDecimal": "Decimal",
    "java.util.UUID": "UUID",
    "java.util.Date": "dt.datetime",
    "java.net.URI": "str",
    "java.net.URL": "str",
    "java.util.Currency": "str",
    "java.time.Instant": "dt.datetime",
    "java.time.LocalDateTime": "dt.datetime",
    "java.time.OffsetDateTime": "dt.datetime",
    "java.time.LocalDate": "dt.date",
    "java.time.LocalTime": "dt.time",
    "java.time.OffsetTime": "dt.time",
    "java.time.Duration": "dt.timedelta",
    "java.time.ZonedDateTime": "JZonedDateTime",
    "java.time.ZoneId": "str | JValue",
    "java.time.ZoneOffset": "JValue",
    "java.time.Year": "JValue",
    "java.time.YearMonth": "JValue",
    "java.time.MonthDay": "JValue",
    "java.time.Period": "JValue",
}
_LISTS = frozenset(
    [
        *("java.lang.Iterable", "java.util.Collection", "java.util.List", "java.util.ArrayList"),
        *("java.util.AbstractCollection", "java.util.AbstractList", "java.util.LinkedList"),
        *("java.util.Vector", "java.util.Stack", "java.util.Queue", "java.util.Deque"),
        *("java.util.ArrayDeque", "java.util.AbstractQueue", "java.util.PriorityQueue"),
        "java.util.AbstractSequentialList",
        "java.util.concurrent.CopyOnWriteArrayList",
        "java.util.concurrent.ConcurrentLinkedQueue",
        "java.util.concurrent.ConcurrentLinkedDeque",
        "java.util.concurrent.LinkedBlockingQueue",
        "java.util.concurrent.LinkedBlockingDeque",
    ]
)
_SETS = frozenset(
    [
        *("java.util.Set", "java.util.HashSet", "java.util.LinkedHashSet", "java.util.SortedSet"),
        *("java.util.NavigableSet", "java.util.TreeSet", "java.util.AbstractSet"),
        *("java.util.EnumSet", "java.util.concurrent.CopyOnWriteArraySet"),
        "java.util.concurrent.ConcurrentSkipListSet",
    ]
)
_MAPS = frozenset(
    [
        *("java.util.Map", "java.util.HashMap", "java.util.LinkedHashMap", "java.util.TreeMap"),
        *("java.util.SortedMap", "java.util.NavigableMap", "java.util.AbstractMap"),
        *("java.util.EnumMap", "java.util.Hashtable", "java.util.Properties"),
        *("java.util.WeakHashMap", "java.util.IdentityHashMap"),
        "java.util.concurrent.ConcurrentMap",
        "java.util.concurrent.ConcurrentHashMap",
        "java.util.concurrent.ConcurrentSkipListMap",
    ]
)

_DEFAULTS = {"boolean": "False", "char": '"\\x00"', "float": "0.0", "double": "0.0"}
_BYTE = JavaType("byte")

Known = Callable[[str], str | None]


def python_type(found: JavaType, known: Known, *, nullable: bool = True) -> str:
    """Return a type's text; `known` returns the Python name of a class, or None.

    Example:
        ``List<String>`` is ``list[str] | None``.
    """
    text = _type(found, known)
    if len(text) > _LONGEST:
        text = _type(found, lambda _name: None)
    if len(text) > _LONGEST:
        text = ANY
    return text if text == ANY or found.primitive or not nullable else f"{text} | None"


def container_base(found: JavaType) -> str | None:
    """Return ``list[...]``, ``set[...]`` or ``dict[...]`` for the JDK's collections, else None."""
    if found.name not in _LISTS | _SETS | _MAPS:
        return None
    return _container(found, lambda _name: None)


def default_of(found: JavaType, constant: int | float | str | None) -> str:
    """Return the source of a field's default: Java's, or the constant of a final field."""
    if found.primitive and constant is None:
        return _DEFAULTS.get(found.name, "0")
    if found.primitive and found.name == "boolean":
        return repr(bool(constant))
    if found.primitive and found.name == "char" and isinstance(constant, int):
        constant = chr(constant)
    if isinstance(constant, str):
        return quoted(constant)
    if isinstance(constant, float) and not math.isfinite(constant):
        return f'float("{constant}")'
    return repr(constant)


def quoted(text: str) -> str:
    """Return a text as a Python literal, with the quotes that ruff prefers."""
    shown = repr(text)
    return shown if '"' in text or shown[0] == '"' else f'"{shown[1:-1]}"'


def _type(found: JavaType, known: Known) -> str:
    if found.dimensions:
        bare = found.component
        return "bytes" if bare == _BYTE else f"list[{_type(bare, known)}]"
    if found.variable or found.wildcard in {Wildcard.ANY, Wildcard.SUPER}:
        return ANY
    container = _container(found, known)
    if container is not None:
        return container
    return _SIMPLE.get(found.name) or known(found.name) or ANY


def _container(found: JavaType, known: Known) -> str | None:
    arguments = [_type(each, known) for each in found.arguments]
    if found.name in _MAPS:
        key, value = arguments if len(arguments) == 2 else (ANY, ANY)
        return f"dict[{key}, {value}]"
    element = arguments[0] if len(arguments) == 1 else ANY
    if found.name in _LISTS:
        return f"list[{element}]"
    return f"set[{element}]" if found.name in _SETS else None
