"""Decides the Java class of a Python value.

The type decides, not the position; only for a plain `int` the value decides (Integer or Long).
Subclasses are treated as their base, but an `Enum` member is never a number or a string. A value
without a Java class is rejected, with the name of its type, before a byte is written.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from typing import Any
from uuid import UUID

from pyredisson.rejection import Rejection, reject_value

from .containers import JArray, JEntries, JList, JMap, JSet
from .durations import JDuration
from .nanos import JInstant, JLocalDateTime, JOffsetDateTime
from .scalars import JBigInteger, JByte, JChar, JDate, JDouble, JFloat, JInt, JLong, JShort
from .schema import schema_of
from .values import (
    JSerialized,
    JText,
    JValue,
    JZonedDateTime,
)

__all__ = ["class_of", "fits", "fixed_class_of", "require_root"]

_NAMED: dict[type, str] = {
    str: "java.lang.String",
    bool: "java.lang.Boolean",
    float: "java.lang.Double",
    bytes: "[B",
    list: "java.util.ArrayList",
    dict: "java.util.HashMap",
    set: "java.util.HashSet",
    frozenset: "java.util.HashSet",
    Decimal: "java.math.BigDecimal",
    UUID: "java.util.UUID",
    datetime: "java.util.Date",
    date: "java.time.LocalDate",
    timedelta: "java.time.Duration",
    **{
        each: each.class_name
        for each in (JBigInteger, JByte, JDate, JInt, JLong, JShort, JDouble, JFloat, JChar)
    },
    **{
        each: each.class_name
        for each in (JDuration, JInstant, JLocalDateTime, JOffsetDateTime, JZonedDateTime)
    },
}
_NAMING = (JArray, JList, JSet, JMap, JEntries, JText, JValue, JSerialized)

_APART: dict[type, tuple[type, ...]] = {
    int: (bool, JByte, JShort, JBigInteger, JDate, Enum),
    float: (JFloat, Enum),
    str: (JChar, JText, Enum),
    date: (datetime,),
    datetime: (JInstant, JLocalDateTime, JOffsetDateTime),
    list: (JArray, JEntries),
}
"""Subclasses in Python whose classes in Java are no subclasses."""


def class_of(value: Any) -> str:
    """Return the JVM's name of the class of a value that is not None.

    Raises:
        Rejection: no Java class corresponds to the type, or the number needs more than 64 bits.
    """
    name = _NAMED.get(type(value))
    if name is not None:
        return name
    if isinstance(value, _NAMING):
        return value.class_name
    for base in type(value).__mro__:
        schema = schema_of(base)
        if schema is not None:
            return schema.class_name
    if isinstance(value, Enum):
        raise Rejection(
            f"{value!r} is a member of a Python enum that names no Java enum; "
            "name one with java_enum"
        )
    for base in type(value).__mro__:
        if base in _NAMED:
            return _NAMED[base]
    if isinstance(value, int):
        return _integer(value)
    if isinstance(value, time):
        return "java.time.LocalTime" if value.tzinfo is None else "java.time.OffsetTime"
    raise Rejection(
        f"no Java class corresponds to the type {type(value).__qualname__}; {_instead(value)}"
    )


def _instead(value: Any) -> str:
    if isinstance(value, (bytearray, memoryview)):
        return "use bytes"
    if isinstance(value, Iterable):
        return "use a list, set or dict"
    return "name one with java_class, or use the class that pyredisson schema wrote"


def fixed_class_of(cls: type) -> str | None:
    """Return the class of all values of a type; None if the value decides, or there is none."""
    name = _NAMED.get(cls)
    if name is not None or issubclass(cls, (*_NAMING, Enum)):
        return name
    for base in cls.__mro__:
        schema = schema_of(base)
        if schema is not None:
            return schema.class_name
    return None


def fits(cls: type, roots: tuple[type, ...]) -> bool:
    """Return whether the objects of a class are, in Java, instances of one of the root classes."""
    return any(
        issubclass(cls, each) and not issubclass(cls, _APART.get(each, ())) for each in roots
    )


def require_root(value: Any, roots: tuple[type, ...]) -> None:
    """Reject a value that is no instance of the root classes; without any, accept every value.

    Raises:
        Rejection: it is none.
    """
    if roots and not fits(type(value), roots):
        names = " or ".join(each.__qualname__ for each in roots)
        raise reject_value(
            value,
            f"an instance of {names} in Java, as root= requires; Java's consumer would fail with a "
            "ClassCastException: pass such an instance, or name the class of this value in root=, "
            "too",
        )


def _integer(value: int) -> str:
    bits = value.bit_length() if value >= 0 else (~value).bit_length()
    if bits < 32:
        return "java.lang.Integer"
    if bits < 64:
        return "java.lang.Long"
    raise Rejection(f"an int of {bits} bits does not fit a Java long; wrap it: JBigInteger(...)")
