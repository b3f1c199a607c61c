"""Converts numbers and dates between their Java and Python forms.

`Double.toString` and `Float.toString` are those of JDK 19 and newer: the shortest text that parses
to the same number. Older JDKs write a longer one for some numbers, such as 2.0E23. A `BigDecimal`
is an unscaled value and a scale, a `Date` is milliseconds.
"""

from __future__ import annotations

import math
import struct
from datetime import UTC, datetime, timedelta
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal

__all__ = [
    "date_of",
    "decimal_of",
    "double_to_string",
    "exact_decimal",
    "float_to_string",
    "millis_of",
    "unscaled_of",
]

_EXACT = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN, clamp=0, traps=[])
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLI = timedelta(milliseconds=1)


def _encode(value: float, digits: str, exponent: int) -> str:
    """Format ±d.ddd × 10^exponent as Java does: without an exponent from 1e-3 up to 1e7."""
    sign = "-" if value < 0 else ""
    if 0 <= exponent < 7:
        padded = digits.ljust(exponent + 2, "0")
        return f"{sign}{padded[: exponent + 1]}.{padded[exponent + 1 :]}"
    if -3 <= exponent < 0:
        return f"{sign}0.{'0' * (-exponent - 1)}{digits}"
    return f"{sign}{digits[0]}.{digits[1:] or '0'}E{exponent}"


def _special(value: float) -> str | None:
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if value == 0:
        return "-0.0" if math.copysign(1, value) < 0 else "0.0"
    return None


def _split(text: str) -> tuple[str, int]:
    """Split `1.25e-05` into its digits and its exponent."""
    mantissa, _, exponent = text.lstrip("-").partition("e")
    return mantissa.replace(".", "").rstrip("0") or "0", int(exponent)


def double_to_string(value: float) -> str:
    """Return `Double.toString(value)`."""
    if 1e-3 <= abs(value) < 1e7:
        return float.__repr__(value)
    special = _special(value)
    if special is not None:
        return special
    # For one-digit numbers Java uses the nearest text with two digits: 4.9E-324, not 5.0E-324.
    text = f"{value:.1e}"
    if float(text) != value:
        text = f"{Decimal(float.__repr__(value)):e}"
    return _encode(value, *_split(text))


def float_to_string(value: float) -> str:
    """Return `Float.toString(value)` of a number that fits 32 bits."""
    special = _special(value)
    if special is not None:
        return special
    wanted = struct.pack("<f", value)
    places = next(each for each in range(1, 9) if _packed(f"{value:.{each}e}") == wanted)
    return _encode(value, *_split(f"{value:.{places}e}"))


def _packed(text: str) -> bytes:
    try:
        return struct.pack("<f", float(text))
    except OverflowError:  # rounded up beyond Float.MAX_VALUE
        return b""


def decimal_of(unscaled: int, scale: int) -> Decimal:
    """Return the `BigDecimal` of this unscaled value and scale."""
    return _EXACT.scaleb(unscaled, -scale)


def exact_decimal(text: str) -> Decimal:
    """Return the number exactly; NaN or an infinity if its exponent is too large."""
    return _EXACT.create_decimal(text)


def unscaled_of(value: Decimal) -> tuple[int, int]:
    """Split a finite decimal into unscaled value and scale; zero loses its sign, as in Java."""
    exponent = int(value.as_tuple().exponent)
    return int(_EXACT.scaleb(value, -exponent)), -exponent


def date_of(millis: int) -> datetime | None:
    """Return the UTC time of a `Date`; None outside of the years 1 to 9999."""
    try:
        return _EPOCH + timedelta(milliseconds=millis)
    except OverflowError:
        return None


def millis_of(value: datetime) -> int:
    """Return the milliseconds of a `Date`, rounded down as `Date.from(instant)` does."""
    return (value - _EPOCH) // _MILLI
