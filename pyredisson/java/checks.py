"""Checks of values whose Java type is fixed: a primitive or its wrapper.

All codecs share them, and so reject the same values. Each check returns the plain Python value or
raises `Rejection`.
"""

from __future__ import annotations

import math
from datetime import datetime
from decimal import Decimal
from typing import Any

from pyredisson.limits import Limits
from pyredisson.rejection import Rejection, reject_value

from .numbers import millis_of
from .scalars import JDate

__all__ = ["check_big", "check_char", "check_date", "check_decimal", "check_float", "check_int"]

_FLOAT_END = 2.0**128 - 2.0**103  # from here on Java's (float) cast gives Infinity


def check_int(value: Any, bits: int, wanted: str) -> int:
    """Return a whole number that fits `bits` bits; a `bool` is rejected."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise reject_value(value, wanted)
    if not -(1 << bits - 1) <= value < 1 << bits - 1:
        raise reject_value(value, f"{wanted} ({bits} bits)")
    return int(value)


def check_float(value: Any, bits: int) -> float:
    """Return a `float`; with 32 bits it must be in the range of a Java float."""
    if not isinstance(value, float):
        raise reject_value(value, "a float or double")
    if bits == 32 and math.isfinite(value) and abs(value) >= _FLOAT_END:
        raise reject_value(value, "in the range of a Java float")
    return math.nan if math.isnan(value) else float(value)  # Java writes only one NaN


def check_char(value: Any) -> str:
    """Return a `str` of one UTF-16 unit."""
    if not isinstance(value, str) or len(value) != 1 or value > "\uffff":
        raise reject_value(value, "a char")
    return str(value)


def check_big(value: Any, limits: Limits) -> int:
    """Return a whole number of any size within the limits."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise reject_value(value, "a BigInteger")
    if (value if value >= 0 else ~value).bit_length() // 8 >= limits.max_integer_bytes:
        raise Rejection(f"a number of more than {limits.max_integer_bytes} bytes")
    return int(value)


def check_decimal(value: Any, limits: Limits) -> Decimal:
    """Return a finite decimal whose scale and digits are within the limits."""
    if not isinstance(value, Decimal) or not value.is_finite():
        raise reject_value(value, "a BigDecimal")
    parts = value.as_tuple()
    if abs(int(parts.exponent)) > limits.max_scale:
        raise Rejection(f"a BigDecimal of scale {-int(parts.exponent)}; limit {limits.max_scale}")
    if len(parts.digits) * 0.4152 > limits.max_integer_bytes:  # log(10) / log(256) bytes a digit
        raise Rejection(f"a number of more than {limits.max_integer_bytes} bytes")
    return value


def check_date(value: Any) -> int:
    """Return the milliseconds of a `JDate` or an aware `datetime`.

    A naive time is rejected: its zone is unknown.
    """
    if isinstance(value, JDate):
        return int(value)
    if not isinstance(value, datetime):
        raise reject_value(value, "a Date")
    if value.utcoffset() is None:
        raise Rejection(
            f"{value!r} is a naive datetime: pass JLocalDateTime(...) for a "
            "java.time.LocalDateTime, or give it a tzinfo for a java.util.Date"
        )
    return millis_of(value)
