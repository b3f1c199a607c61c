"""Numbers and characters of a certain Java type: `JLong(5)`, `JFloat(0.5)`, `JChar("x")`.

Each is a subclass of `int`, `float` or `str`, equal to the plain value and with the same `str()`.
The constructors check the range, so that codecs need not.
"""

from __future__ import annotations

import math
import struct
from typing import ClassVar, SupportsFloat, SupportsInt

__all__ = [
    "JBigInteger",
    "JByte",
    "JChar",
    "JDate",
    "JDouble",
    "JFloat",
    "JInt",
    "JLong",
    "JShort",
]


class _JavaInt(int):
    """An `int` with a Java class, whose range it checks."""

    __slots__ = ()
    class_name: ClassVar[str]
    bits: ClassVar[int]

    def __new__(cls, value: SupportsInt) -> _JavaInt:
        number = int.__new__(cls, value)
        if cls.bits and not -(1 << cls.bits - 1) <= number < 1 << cls.bits - 1:
            raise OverflowError(f"{int(number)} is out of the range of {cls.class_name}")
        return number

    def __repr__(self) -> str:
        return f"{type(self).__name__}({int(self)})"

    def __str__(self) -> str:
        return int.__repr__(self)


class JByte(_JavaInt):
    """A `java.lang.Byte`: -128 to 127."""

    __slots__ = ()
    class_name = "java.lang.Byte"
    bits = 8


class JShort(_JavaInt):
    """A `java.lang.Short`: 16 bits, signed."""

    __slots__ = ()
    class_name = "java.lang.Short"
    bits = 16


class JInt(_JavaInt):
    """A `java.lang.Integer`; a plain `int` of 32 bits is one, too."""

    __slots__ = ()
    class_name = "java.lang.Integer"
    bits = 32


class JLong(_JavaInt):
    """A `java.lang.Long`, even if the number fits an Integer."""

    __slots__ = ()
    class_name = "java.lang.Long"
    bits = 64


class JBigInteger(_JavaInt):
    """A `java.math.BigInteger` of any size."""

    __slots__ = ()
    class_name = "java.math.BigInteger"
    bits = 0


class JDate(_JavaInt):
    """A `java.util.Date` as milliseconds since 1970, for years that `datetime` lacks."""

    __slots__ = ()
    class_name = "java.util.Date"
    bits = 64


class JDouble(float):
    """A `java.lang.Double`; a plain `float` is one, too. `JDouble(5)` is 5.0."""

    __slots__ = ()
    class_name: ClassVar[str] = "java.lang.Double"

    def __repr__(self) -> str:
        return f"JDouble({float(self)!r})"

    def __str__(self) -> str:
        return float.__repr__(self)


class JFloat(float):
    """A `java.lang.Float`; the value is rounded to the nearest number of 32 bits."""

    __slots__ = ()
    class_name: ClassVar[str] = "java.lang.Float"

    def __new__(cls, value: SupportsFloat | str) -> JFloat:
        """Round to 32 bits.

        Raises:
            OverflowError: the number is out of the range of 32 bits.
        """
        number = float(value)
        if not math.isfinite(number):
            return float.__new__(cls, number)
        return float.__new__(cls, struct.unpack("<f", struct.pack("<f", number))[0])

    def __repr__(self) -> str:
        return f"JFloat({float(self)!r})"

    def __str__(self) -> str:
        return float.__repr__(self)


class JChar(str):
    """A `java.lang.Character`: one UTF-16 unit, so nothing beyond U+FFFF."""

    __slots__ = ()
    class_name: ClassVar[str] = "java.lang.Character"

    def __new__(cls, value: str) -> JChar:
        """Check the text.

        Raises:
            ValueError: it is not one UTF-16 unit.
        """
        if len(value) != 1 or value > "\uffff":
            raise ValueError(f"{value!r} is not one UTF-16 unit")
        return str.__new__(cls, value)

    def __repr__(self) -> str:
        return f"JChar({str(self)!r})"
