"""Reads one JSON token as a value of a named Java class.

Typed wrappers (`["java.lang.Long",1]`), array elements and `TypedJsonJacksonCodec(cls)` use these
readers. A value that the class cannot hold is rejected.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable
from decimal import Decimal
from typing import Any
from uuid import UUID

from pyredisson.java.checks import check_big
from pyredisson.java.containers import JArray
from pyredisson.java.numbers import date_of, exact_decimal
from pyredisson.java.scalars import (
    JBigInteger,
    JByte,
    JChar,
    JDate,
    JFloat,
    JInt,
    JLong,
    JShort,
)
from pyredisson.java.values import JText
from pyredisson.limits import Limits
from pyredisson.rejection import Rejection, reject_value

from .dates import millis_of_text
from .lexical import read_base64
from .parser import IonTimestamp, Real
from .typing import TEXTS

__all__ = ["READERS", "double_of", "integer_of"]

_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_TEXTS = (str, IonTimestamp)
_NUMBERS = (Real, int, float, JFloat, Decimal, JBigInteger)
_SPECIAL = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


def _text(tree: Any, wanted: str) -> str:
    if type(tree) is not str:
        raise reject_value(tree, wanted)
    return tree


def _whole(tree: Any, wanted: str) -> int:
    if type(tree) is not int and type(tree) is not JBigInteger:
        raise reject_value(tree, wanted)
    return int(tree)


def _ranged(build: type[int], wanted: str) -> Callable[[Any, Limits], Any]:
    def read(tree: Any, _: Limits) -> Any:
        try:
            return build(_whole(tree, wanted))
        except OverflowError as error:
            raise Rejection(str(error)) from None

    return read


def integer_of(tree: int) -> int:
    """Return a bare whole number: an Integer or Long, or else a `JBigInteger`."""
    return tree if -(1 << 63) <= tree < 1 << 63 else JBigInteger(tree)


def double_of(tree: Any, _: Limits | None = None) -> float:
    """Return a double; NaN and the infinities are strings."""
    if type(tree) is str and tree in _SPECIAL:
        return _SPECIAL[tree]
    if type(tree) not in _NUMBERS:
        raise reject_value(tree, "a double")
    try:
        return float(tree)
    except OverflowError:
        raise reject_value(tree, "in the range of a double") from None


def _float(tree: Any, _: Limits) -> JFloat:
    try:
        return JFloat(double_of(tree))
    except (OverflowError, struct.error):
        raise reject_value(tree, "in the range of a float") from None


def _boolean(tree: Any, _: Limits) -> bool:
    if type(tree) is not bool:
        raise reject_value(tree, "a boolean")
    return tree


def _character(tree: Any, _: Limits) -> JChar:
    try:
        return JChar(_text(tree, "a char"))
    except ValueError as error:
        raise Rejection(str(error)) from None


def _decimal(tree: Any, limits: Limits) -> Decimal:
    if type(tree) not in _NUMBERS:
        raise reject_value(tree, "a BigDecimal")
    value = exact_decimal(str(tree))
    if not value.is_finite() or abs(int(value.as_tuple().exponent)) > limits.max_scale:
        raise Rejection(f"a BigDecimal whose scale is beyond {limits.max_scale}")
    return value


def _date(tree: Any, _: Limits) -> Any:
    millis = millis_of_text(tree) if type(tree) in _TEXTS else _whole(tree, "a Date")
    try:
        return date_of(millis) or JDate(millis)
    except OverflowError as error:
        raise Rejection(str(error)) from None


def _uuid(tree: Any, _: Limits) -> UUID:
    if type(tree) is bytes and len(tree) == 16:
        return UUID(bytes=tree)
    text = _text(tree, "a UUID")
    if not _UUID.fullmatch(text):
        raise reject_value(tree, "a UUID")
    return UUID(text)


def _chars(tree: Any, _: Limits) -> JArray[str]:
    units = _text(tree, "a char[]").encode("utf-16-le", "surrogatepass")
    return JArray("char", [chr(unit) for (unit,) in struct.iter_unpack("<H", units)])


def _text_of(name: str) -> Callable[[Any, Limits], JText]:
    return lambda tree, _: JText(name, _text(tree, f"a {name}"))


_read_int = _ranged(JInt, "an int")

READERS: dict[str, Callable[[Any, Limits], Any]] = {
    "java.lang.String": lambda tree, _: _text(tree, "a String"),
    "java.lang.Boolean": _boolean,
    "java.lang.Byte": _ranged(JByte, "a byte"),
    "java.lang.Short": _ranged(JShort, "a short"),
    "java.lang.Integer": lambda tree, limits: int(_read_int(tree, limits)),
    "java.lang.Long": _ranged(JLong, "a long"),
    "java.lang.Character": _character,
    "java.lang.Float": _float,
    "java.lang.Double": double_of,
    "java.math.BigInteger": lambda tree, limits: JBigInteger(
        check_big(_whole(tree, "a BigInteger"), limits)
    ),
    "java.math.BigDecimal": _decimal,
    "java.util.Date": _date,
    "java.util.UUID": _uuid,
    **{name: _text_of(name) for name in TEXTS},
    "[B": lambda tree, _: tree if type(tree) is bytes else read_base64(_text(tree, "a byte[]")),
    "[C": _chars,
}
