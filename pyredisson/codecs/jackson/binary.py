"""The base of the binary formats: Java's scalars as the few types that the formats have.

A format encodes numbers, strings and byte strings. Which Java class becomes which of these is the
same in all formats: a `Date` is milliseconds in Jackson 2 and an ISO string in 3, a `Character` a
string, a `UUID` a string or 16 bytes.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from decimal import Decimal
from typing import Any, TypeVar
from uuid import UUID

from pyredisson.java.checks import (
    check_big,
    check_char,
    check_date,
    check_decimal,
    check_float,
    check_int,
)
from pyredisson.limits import Limits
from pyredisson.rejection import Rejection, reject_value

from .dates import date_text
from .format import Format
from .other_jdk import Plain, encoded
from .parser import IonSymbol
from .typing import TEXTS

F = TypeVar("F")

__all__ = ["BinaryFormat", "utf8"]

_BITS = {"Byte": 8, "Short": 16, "Integer": 32, "Long": 64}


def utf8(text: str) -> bytes:
    """Return a string in UTF-8.

    Raises:
        Rejection: the string has a lone surrogate, which UTF-8 cannot hold.
    """
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise Rejection("a string with a lone surrogate, which UTF-8 cannot hold") from None


class BinaryFormat(Format[F]):
    """A binary format; `jackson3`: dates are strings, `binary_uuid`: UUIDs are 16 bytes."""

    natural = Format.natural | {"[B"}

    def __init__(self, *, jackson3: bool = False, binary_uuid: bool = False) -> None:
        self._jackson3 = jackson3
        self._binary_uuid = binary_uuid
        self._scalars: dict[str, Callable[[Any, Limits], F]] = {
            "java.lang.String": self._string,
            "java.lang.Boolean": self._boolean,
            "java.lang.Character": lambda value, _: self.text(check_char(value)),
            "java.lang.Float": lambda value, _: self.single(check_float(value, 32)),
            "java.lang.Double": lambda value, _: self.double(check_float(value, 64)),
            "java.math.BigInteger": lambda value, limits: self.big(check_big(value, limits)),
            "java.math.BigDecimal": lambda v, limits: self.decimal(check_decimal(v, limits)),
            "java.util.Date": self._date,
            "java.util.UUID": self._uuid,
            **{f"java.lang.{name}": self._whole(name, bits) for name, bits in _BITS.items()},
            **dict.fromkeys(TEXTS, self._string),
            **encoded(self._plain, self.date, jackson3),
        }

    @abstractmethod
    def boolean(self, value: bool) -> F:
        """Encode true or false."""

    @abstractmethod
    def whole(self, value: int, bits: int) -> F:
        """Encode a whole number of a Java type of `bits` bits."""

    @abstractmethod
    def single(self, value: float) -> F:
        """Encode a float of 32 bits."""

    @abstractmethod
    def double(self, value: float) -> F:
        """Encode a double."""

    @abstractmethod
    def big(self, value: int) -> F:
        """Encode a BigInteger."""

    @abstractmethod
    def decimal(self, value: Decimal) -> F:
        """Encode a BigDecimal."""

    def date(self, millis: int) -> F:
        """Encode a Date."""
        return self.text(date_text(millis)) if self._jackson3 else self.whole(millis, 64)

    def scalar(self, class_name: str) -> Callable[[Any, Limits], F] | None:
        """Return the encoder of a scalar class; None for other classes."""
        return self._scalars.get(class_name)

    def _string(self, value: Any, _: Limits) -> F:
        if not isinstance(value, str):
            raise reject_value(value, "a String")
        return self.constant(value) if type(value) is IonSymbol else self.text(value)

    def _boolean(self, value: Any, _: Limits) -> F:
        if not isinstance(value, bool):
            raise reject_value(value, "a boolean")
        return self.boolean(value)

    def _whole(self, name: str, bits: int) -> Callable[[Any, Limits], F]:
        return lambda value, _: self.whole(check_int(value, bits, f"a Java {name}"), bits)

    def _date(self, value: Any, _: Limits) -> F:
        return self.date(check_date(value))

    def _plain(self, value: Plain) -> F:
        if value is None:
            return self.null
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, bool):
            return self.boolean(value)
        return self.whole(value, 64) if isinstance(value, int) else self.double(value)

    def _uuid(self, value: Any, _: Limits) -> F:
        if not isinstance(value, UUID):
            raise reject_value(value, "a UUID")
        return self.binary(value.bytes) if self._binary_uuid else self.text(str(value))
