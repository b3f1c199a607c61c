"""Numbers as Redisson writes them: BigDecimal.toPlainString() of Java's text for the number.

Java's text of a double is the shortest one that Java reads as the same double. `toPlainString`
writes this text without an exponent. Redis reads the same double from both texts.
"""

from __future__ import annotations

from decimal import Decimal
from math import isfinite

__all__ = ["double_text", "number_text"]


def double_text(value: float, what: str) -> str:
    """Return the text of a Java double; the sign of -0.0 is lost, as in Java.

    Args:
        value: a finite number; an int becomes the nearest float.
        what: the name of the argument, for the error.

    Raises:
        TypeError: the value is not a number.
        ValueError: the value is NaN, infinite, or an int that is too large for a float.
    """
    number = _finite(value, what)
    if number == 0:
        return "0.0"
    if 1e-3 <= abs(number) < 1e7:
        return repr(number)
    two_digits = f"{number:.1e}"  # Java uses at least two digits: 4.9E-324, where repr is 5e-324
    digits = two_digits if float(two_digits) == number else repr(number)
    return format(Decimal(digits), "f").removesuffix(".0")


def number_text(value: float, what: str) -> str:
    """Return the text of a Java long for an int, and the text of a Java double for a float.

    Args:
        value: a finite number.
        what: the name of the argument, for the error.

    Raises:
        TypeError, ValueError: as `double_text`.
    """
    text = double_text(value, what)
    return str(value) if isinstance(value, int) else text


def _finite(value: float, what: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{what} must be a number, not {value!r}")
    try:
        number = float(value)
    except OverflowError:
        raise ValueError(f"{what} is too large") from None
    if not isfinite(number):
        raise ValueError(f"{what} must be finite, not {value!r}")
    return number
