"""The bodies of the JDK's classes, and which classes encode null themselves."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from pyredisson.java.comparators import (
    IGNORING_CASE,
    REVERSE,
    REVERSE_OF,
    check_comparator,
)
from pyredisson.java.containers import JArray
from pyredisson.java.numbers import date_of
from pyredisson.java.scalars import JBigInteger, JByte, JChar, JDate, JFloat, JLong, JShort
from pyredisson.java.values import JText, JValue

from .primitives import Primitives

__all__ = ["ARRAYS", "BODIES", "CODES", "NULLABLE", "PRIMITIVES", "SORTED", "UNBOXED", "same"]

Body = Callable[[Primitives], Any]
ArrayBody = Callable[[Primitives, int], Any]


def same(value: Any) -> Any:
    """Return the value."""
    return value


def _fixed(form: str, make: Callable[[Any], Any]) -> Body:
    return lambda self: make(self.source.unpack(">" + form))


def _packed(component: str, form: str) -> ArrayBody:
    def read(self: Primitives, count: int) -> Any:
        data = self.source.take(count * struct.calcsize(form))
        return JArray(component, struct.unpack(f">{count}{form}", data))

    return read


def _chars(self: Primitives, count: int) -> Any:
    return JArray("char", map(chr, _packed("int", "H")(self, count)))


def _varints(component: str) -> ArrayBody:
    return lambda self, count: JArray(component, [self.zigzag() for _ in range(count)])


def _text_of(name: str) -> Body:
    def read(self: Primitives) -> Any:
        found = self.string()
        return None if found is None else JText(name, found)

    return read


def _millis_of(name: str) -> Body:
    return lambda self: JValue(name, self.millis())


def _date(self: Primitives) -> Any:
    millis = self.millis()
    return date_of(millis) or JDate(millis)


def _big_integer(self: Primitives) -> Any:
    number = self.big()
    return None if number is None else JBigInteger(number)


CODES = dict(
    zip(
        ["boolean", "byte", "char", "short", "int", "long", "float", "double"],
        "ZBCSIJFD",
        strict=True,
    )
)
SORTED = {"java.util.TreeSet", "java.util.TreeMap"}
NULLABLE = {"java.lang.String", "java.math.BigInteger", "java.math.BigDecimal"}
NULLABLE |= {"java.lang.StringBuilder", "java.lang.StringBuffer"}


def _reversed(self: Primitives) -> Any:
    return JValue(REVERSE_OF, check_comparator(self.value(), REVERSE_OF))


def _plain(kind: type) -> Callable[[Any], Any]:
    return lambda value: None if value is None else kind(value)


UNBOXED: dict[str, Callable[[Any], Any]] = {
    **{f"java.lang.{name}": _plain(int) for name in ("Byte", "Short", "Long")},
    "java.lang.Float": _plain(float),
    "java.lang.Character": _plain(str),
}
PRIMITIVES: dict[str, Body] = {
    "boolean": lambda self: self.flag(),
    "byte": _fixed("b", int),
    "char": _fixed("H", chr),
    "short": _fixed("h", int),
    "int": lambda self: self.zigzag(),
    "long": lambda self: self.zigzag(),
    "float": _fixed("f", float),
    "double": _fixed("d", float),
}
ARRAYS: dict[str, ArrayBody] = {
    "B": lambda self, count: self.source.take(count),
    "C": _chars,
    "D": _packed("double", "d"),
    "F": _packed("float", "f"),
    "I": _varints("int"),
    "J": _varints("long"),
    "S": _packed("short", "h"),
    "Z": _packed("boolean", "?"),
}
BODIES: dict[str, Body] = {
    IGNORING_CASE: lambda _: JValue(IGNORING_CASE),
    REVERSE: lambda _: JValue(REVERSE),
    REVERSE_OF: _reversed,
    "java.lang.Boolean": lambda self: self.flag(),
    "java.lang.Byte": _fixed("b", JByte),
    "java.lang.Character": _fixed("H", lambda unit: JChar(chr(unit))),
    "java.lang.Double": _fixed("d", float),
    "java.lang.Float": _fixed("f", JFloat),
    "java.lang.Integer": lambda self: self.zigzag(),
    "java.lang.Long": lambda self: JLong(self.zigzag()),
    "java.lang.Short": _fixed("h", JShort),
    "java.lang.String": lambda self: self.string(),
    "java.lang.StringBuffer": _text_of("java.lang.StringBuffer"),
    "java.lang.StringBuilder": _text_of("java.lang.StringBuilder"),
    "java.math.BigDecimal": lambda self: self.decimal(),
    "java.math.BigInteger": _big_integer,
    "java.net.URI": _text_of("java.net.URI"),
    "java.sql.Date": _millis_of("java.sql.Date"),
    "java.sql.Time": _millis_of("java.sql.Time"),
    "java.sql.Timestamp": _millis_of("java.sql.Timestamp"),
    "java.time.ZoneRegion": _text_of("java.time.ZoneRegion"),
    "java.time.ZonedDateTime": lambda self: self.zoned(),
    "java.util.AbstractMap$SimpleEntry": lambda self: self.entry(),
    "java.util.BitSet": lambda self: self.bits(),
    "java.util.Date": _date,
    "java.util.EnumMap": lambda self: self.enum_map(),
    "java.util.Locale": lambda self: JValue(
        "java.util.Locale", self.text(), self.text(), self.text()
    ),
    "java.util.RegularEnumSet": lambda self: self.enum_set(),
    "java.util.UUID": lambda self: self.uuid(),
}
