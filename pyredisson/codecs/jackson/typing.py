"""Tables of Redisson's default typing: natural values, boxes, and Java's default classes.

Default typing is NON_FINAL with Redisson's exceptions (`JsonJacksonCodec.initTypeInclusion`): Long
always, UUID since 4.2.0. An object gets `"@class"` as its first member, anything else becomes
`["class", value]`. `model.typed` holds the rule for declared types; String, Integer, Boolean and
finite Doubles never carry a class.
"""

from __future__ import annotations

import math
from datetime import datetime
from decimal import Decimal
from typing import Any

from pyredisson.java.names import component_of
from pyredisson.java.types import JavaType

__all__ = ["BOXES", "DEFAULTS", "SCALARS", "TEXTS", "arguments_of", "is_natural", "scalar_like"]

_NATURAL = {"java.lang.String", "java.lang.Integer", "java.lang.Boolean"}

# Classes whose values are one JSON value each; no containers or arrays.
SCALARS = frozenset(
    {
        "java.lang.String",
        "java.lang.Boolean",
        "java.lang.Byte",
        "java.lang.Short",
        "java.lang.Character",
        "java.lang.Integer",
        "java.lang.Long",
        "java.lang.Float",
        "java.lang.Double",
        "java.math.BigInteger",
        "java.math.BigDecimal",
        "java.util.Date",
        "java.util.UUID",
    }
)
BOXES = {
    "boolean": "java.lang.Boolean",
    "byte": "java.lang.Byte",
    "char": "java.lang.Character",
    "short": "java.lang.Short",
    "int": "java.lang.Integer",
    "long": "java.lang.Long",
    "float": "java.lang.Float",
    "double": "java.lang.Double",
}
# Final classes that Jackson writes as a string; in Python a `JText`.
TEXTS = frozenset(
    {
        "java.lang.StringBuilder",
        "java.lang.StringBuffer",
        "java.net.URI",
        "java.net.URL",
        "java.util.Currency",
        "java.util.Locale",
        "java.util.regex.Pattern",
    }
)
# Declared type -> the class that a plain Python value of a type gets there.
DEFAULTS: dict[str, dict[type, str]] = {
    "java.math.BigInteger": {int: "java.math.BigInteger"},
    "java.math.BigDecimal": {Decimal: "java.math.BigDecimal"},
    "java.util.Date": {datetime: "java.util.Date"},
    **{
        f"java.util.{name}": {list: f"java.util.{name}"}
        for name in ("LinkedList", "Vector", "Stack", "ArrayDeque", "PriorityQueue")
    },
    "java.util.Queue": {list: "java.util.LinkedList"},
    "java.util.Deque": {list: "java.util.LinkedList"},
    **{
        f"java.util.{name}": {set: f"java.util.{name}", frozenset: f"java.util.{name}"}
        for name in ("LinkedHashSet", "TreeSet")
    },
    **{
        f"java.util.{name}": {set: "java.util.TreeSet", frozenset: "java.util.TreeSet"}
        for name in ("SortedSet", "NavigableSet")
    },
    **{
        f"java.util.{name}": {dict: f"java.util.{name}"}
        for name in ("LinkedHashMap", "TreeMap", "Hashtable", "WeakHashMap", "EnumMap")
    },
    **{f"java.util.{name}": {dict: "java.util.TreeMap"} for name in ("SortedMap", "NavigableMap")},
    **{
        f"java.util.concurrent.{name}": {dict: "java.util.concurrent.ConcurrentHashMap"}
        for name in ("ConcurrentMap", "ConcurrentHashMap")
    },
    "java.util.TimeZone": {str: "sun.util.calendar.ZoneInfo"},
    "java.time.ZoneId": {str: "java.time.ZoneRegion"},
    "java.util.EnumSet": {set: "java.util.EnumSet", frozenset: "java.util.EnumSet"},
}


_STRING = JavaType("java.lang.String")


def arguments_of(name: str, declared: JavaType) -> tuple[JavaType, ...]:
    """Return the type arguments of a container in a slot; those of Properties are fixed."""
    return (_STRING, _STRING) if name == "java.util.Properties" else declared.arguments


def is_natural(class_name: str, value: Any) -> bool:
    """Return whether JSON itself determines the class; such values never carry a class name."""
    return class_name in _NATURAL or (class_name == "java.lang.Double" and math.isfinite(value))


def scalar_like(text: str) -> bool:
    """Return whether the first of two untyped array elements could be a class name."""
    return text in SCALARS or component_of(text) is not None or "." in text.strip(".")
