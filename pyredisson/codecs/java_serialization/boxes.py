"""Primitive values in Java's object stream, and the identity of boxed values."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from pyredisson.java.checks import check_char, check_float, check_int
from pyredisson.java.classes import class_of
from pyredisson.java.comparators import FIELDLESS
from pyredisson.java.containers import JList
from pyredisson.java.objects import JavaValue
from pyredisson.java.scalars import JChar
from pyredisson.java.values import JValue
from pyredisson.rejection import reject_value

from .sharing import CACHED, Apart

__all__ = ["CODES", "FORMS", "SINGLE", "identity", "pack_primitive"]

FORMS = {"Z": "?", "B": "b", "C": "H", "S": "h", "I": "i", "J": "q", "F": "f", "D": "d"}
_BITS = {"B": 8, "S": 16, "I": 32, "J": 64, "F": 32, "D": 64}
CODES = {
    "java.lang.Integer": "I",
    "java.lang.Long": "J",
    "java.lang.Short": "S",
    "java.lang.Byte": "B",
    "java.lang.Float": "F",
    "java.lang.Double": "D",
    "java.lang.Boolean": "Z",
    "java.lang.Character": "C",
}
_NONE: Callable[[Any], bool] = lambda _: False  # noqa: E731 - shorter than a def
# Classes whose equal values are one object in Java.
SINGLE = {*FIELDLESS, "java.util.Collections$EmptyList"}


def pack_primitive(value: Any, code: str) -> bytes:
    """Encode a primitive, big-endian.

    Raises:
        Rejection: the value is of another type, or out of range.
    """
    if code == "Z":
        if not isinstance(value, bool):
            raise reject_value(value, "a boolean")
        checked: Any = value
    elif code == "C":
        checked = ord(check_char(value))
    elif code in "FD":
        checked = check_float(value, _BITS[code])
    else:
        checked = check_int(value, _BITS[code], "a number")
    return struct.pack(">" + FORMS[code], checked)


def identity(value: Any, boxed: str | None = None) -> Any:
    """Return the key of an object's identity; None if it is never the same as another.

    The key is the object's `id`, or the class and value of objects that Java shares.
    """
    if isinstance(value, JavaValue):
        return value.class_name, str(value.value)
    if isinstance(value, (JValue, JList)) and value.class_name in SINGLE:
        return value.class_name
    if isinstance(value, Apart) or not (boxed or isinstance(value, (int, float, JChar))):
        return id(value)
    name = boxed or class_of(value)
    if name in CODES and CACHED.get(name, _NONE)(value):
        return name, value
    return None if boxed or type(value) in {int, float} else id(value)
