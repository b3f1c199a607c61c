"""Which values Java reads at the root as the class that they had.

Java reads a root as an Object. If the message does not name its class, Java gets a natural value of
the format (`"RED"` is a String), or fails (`[1,2,3]`). Verified with the decoders of 3.19.3, 3.27.2
and 4.7.0: rows of `tests/vectors/Shapes*.json` with `read`.
"""

from __future__ import annotations

import math
from enum import Enum
from typing import Any

from pyredisson.rejection import Rejection

from .format import Format
from .other_jdk import CHARSETS, REFERENCES

__all__ = ["require_readable"]

_INTEGER = "java.lang.Integer"
_WHOLE = {_INTEGER, "java.lang.Long", "java.math.BigInteger"}


def require_readable(fmt: Format[Any], name: str, value: Any, named: bool) -> None:
    """Reject a root of a Java class that Java would read as another class, or not at all.

    `named`: the message names the class.

    Raises:
        Rejection: Java could not read it back.
    """
    scalar = isinstance(value, Enum) or fmt.scalar(name) is not None
    lost = name in CHARSETS or name in REFERENCES or (scalar and not fmt.named_scalars)
    if (named and not lost) or _natural(fmt, name, value):
        return
    if lost:
        raise Rejection(
            f"Java reads a {name} at the root as another class, or not at all; to write it "
            "nevertheless, pass strict=False"
        )
    raise Rejection(
        f"Java writes a {name} at the root without its class, because it is final, and cannot read "
        'that back; put it into a list, or pass typing="everything" if the codec of the service '
        "overrides initTypeInclusion, or pass strict=False"
    )


def _natural(fmt: Format[Any], name: str, value: Any) -> bool:
    if name in _WHOLE:
        return name == _whole_class(value)
    if name == "java.lang.Double":
        return fmt.special_doubles or math.isfinite(value)
    return name in fmt.natural


def _whole_class(value: int) -> str:
    if -(1 << 31) <= value < 1 << 31:
        return _INTEGER
    return "java.lang.Long" if -(1 << 63) <= value < 1 << 63 else "java.math.BigInteger"
