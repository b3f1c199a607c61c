"""Keys of maps as the text that Jackson makes of them, where Python knows it.

The rule: `toString()`, for constants of enums their name in JSON (the writer has that).
A key that the declared type does not allow is refused.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any
from uuid import UUID

from pyredisson.codecs.java.numbers import double_to_string, float_to_string
from pyredisson.codecs.java.scalars import JDate, JFloat
from pyredisson.codecs.java.types import JavaType
from pyredisson.codecs.refusal import refuse_value

from .lexical import integer_text
from .model import Model

__all__ = ["fits_key", "key_text"]


def key_text(value: Any, model: Model) -> str:
    """Return `toString()` of a map's key, where Python knows it."""
    if isinstance(value, JFloat):
        return float_to_string(value)
    if isinstance(value, float):
        return double_to_string(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and not isinstance(value, JDate):
        model.class_of(value)
        return integer_text(value)
    if isinstance(value, (str, Decimal, UUID)):
        return str(value)
    raise refuse_value(value, "a key that Jackson writes by toString()")


_KEY_TYPES: dict[str, tuple[type, int]] = {
    "java.lang.String": (str, 0),
    "java.lang.Boolean": (bool, 0),
    "java.lang.Byte": (int, 8),
    "java.lang.Short": (int, 16),
    "java.lang.Integer": (int, 32),
    "java.lang.Long": (int, 64),
    "java.lang.Character": (str, 0),
    "java.lang.Float": (float, 0),
    "java.lang.Double": (float, 0),
    "java.util.UUID": (UUID, 0),
    "java.math.BigDecimal": (Decimal, 0),
}


def fits_key(value: Any, wanted: str, model: Model, declared: JavaType) -> bool:
    """Say whether a key is a value of the declared type, whose box is `wanted`."""
    found = _KEY_TYPES.get(wanted)
    if found is None:
        return model.accepts(declared, model.class_of(value))
    kind: Any
    kind, bits = found
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        return False
    return not bits or -(1 << bits - 1) <= value < 1 << bits - 1
