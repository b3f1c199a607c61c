"""Strings and numbers of one message: which of the equal ones are one object, and which several.

Java's streams distinguish them. Python has one object for all equal strings of at most one Latin-1
character, and the writers treat plain numbers as Java's boxing does. Where a message differs from
that, its reader returns a value of a subclass (`Apart`), whose identity the writers use. It equals
the plain value, and has the same repr. Only a Boolean cannot be one.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from decimal import Decimal
from typing import Any

from pyredisson.codecs.cursor import Cursor
from pyredisson.java.scalars import JBigInteger, JByte, JChar, JFloat, JLong, JShort

__all__ = [
    "CACHED",
    "INTEGERS",
    "Apart",
    "ApartBigInteger",
    "ApartDecimal",
    "ApartString",
    "Sharing",
    "read_shared",
]

_SMALL: Callable[[Any], bool] = lambda value: -128 <= value <= 127  # noqa: E731 - shorter than a def
INTEGERS = {number: JBigInteger(number) for number in range(-16, 17)}
"""The numbers for which `BigInteger.valueOf` returns one object: two BigDecimals may share it."""
CACHED: dict[str, Callable[[Any], bool]] = {
    **{f"java.lang.{name}": _SMALL for name in ("Integer", "Long", "Short", "Byte")},
    "java.lang.Character": lambda value: value <= "\x7f",
    "java.lang.Boolean": lambda _: True,
    "java.math.BigInteger": INTEGERS.__contains__,
}
"""The values for which Java's boxing returns the same object: the caches of `valueOf`."""


class Apart:
    """A value that is one object in Java, whatever it equals."""

    __slots__ = ()

    def __repr__(self) -> str:
        plain: Any = type(self).__mro__[2]
        return repr(plain(self))


class ApartString(Apart, str):
    """A String."""

    __slots__ = ()


class ApartInteger(Apart, int):
    """An Integer."""

    __slots__ = ()


class ApartLong(Apart, JLong):
    """A Long."""

    __slots__ = ()


class ApartShort(Apart, JShort):
    """A Short."""

    __slots__ = ()


class ApartByte(Apart, JByte):
    """A Byte."""

    __slots__ = ()


class ApartDouble(Apart, float):
    """A Double."""

    __slots__ = ()


class ApartFloat(Apart, JFloat):
    """A Float."""

    __slots__ = ()


class ApartCharacter(Apart, JChar):
    """A Character."""

    __slots__ = ()


class ApartBigInteger(Apart, JBigInteger):
    """A BigInteger."""

    __slots__ = ()


class ApartDecimal(Decimal):
    """A BigDecimal that shares its `unscaled` value with other objects."""

    unscaled: ApartBigInteger


_APART: dict[str, Callable[[Any], Any]] = {
    "java.lang.Integer": ApartInteger,
    "java.lang.Long": ApartLong,
    "java.lang.Short": ApartShort,
    "java.lang.Byte": ApartByte,
    "java.lang.Double": ApartDouble,
    "java.lang.Float": ApartFloat,
    "java.lang.Character": ApartCharacter,
    "java.math.BigInteger": ApartBigInteger,
}


class Sharing:
    """The strings and numbers that one reader has read.

    `known` has the numbers of the objects to which the message refers again, if a reader has read
    it before; `repeated` collects them.
    """

    def __init__(self, known: Container[Any] = frozenset()) -> None:
        self.repeated: set[Any] = set()
        self._known = known
        self._first: set[tuple[str, Any]] = set()
        self._uncached: set[Any] = set()

    def text(self, text: str) -> str:
        """Return a new String of the message, as a Python object of its own."""
        if len(text) > 1 or text > "\xff":
            return text
        return text if self._is_first("", text) else ApartString(text)

    def number(self, class_name: str, place: Any, value: Any) -> Any:
        """Return the value of a new object, if it is a number, as a Python object of its own."""
        apart = _APART.get(class_name)
        if apart is None or not isinstance(value, (int, float, str)):
            return value
        if CACHED.get(class_name, _never)(value):
            if not self._is_first(class_name, value):
                return apart(value)
            return INTEGERS[int(value)] if apart is ApartBigInteger else value
        self._uncached.add(place)
        return apart(value) if place in self._known else value

    def refer(self, place: Any) -> None:
        """Note that the message refers to an object again."""
        if place in self._uncached:
            self.repeated.add(place)

    def _is_first(self, class_name: str, value: Any) -> bool:
        key = class_name, value
        first = key not in self._first
        self._first.add(key)
        return first


def _never(_: Any) -> bool:
    return False


def read_shared(source: Cursor, read: Callable[[Cursor, Sharing], Any]) -> Any:
    """Return what `read` returns; it reads again if an uncached number occurs again."""
    sharing = Sharing()
    value = read(source, sharing)
    if not sharing.repeated:
        return value
    return read(Cursor(source.data, source.limits), Sharing(sharing.repeated))
