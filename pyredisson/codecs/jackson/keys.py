"""Map keys as the strings that Jackson makes of them, if Python knows these.

The string is `toString()`; for an enum's constant it is its name in JSON (see `constants`). A key
that does not fit the declared type is rejected.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from typing import Any
from uuid import UUID

from pyredisson.java.numbers import double_to_string, exact_decimal, float_to_string
from pyredisson.java.scalars import JDate, JFloat
from pyredisson.java.types import OBJECT, JavaType
from pyredisson.rejection import Rejection, reject_value

from .lexical import integer_text
from .model import Model

__all__ = ["fits_key", "key_text", "read_key"]


def key_text(value: Any, model: Model) -> str:
    """Return `toString()` of a map's key, if Python knows it."""
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
    raise reject_value(value, "a key that Jackson writes by toString()")


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
    """Return whether a key is a value of the declared type, whose wrapper is `wanted`."""
    found = _KEY_TYPES.get(wanted)
    if found is None:
        return model.accepts(declared, model.class_of(value))
    kind: Any
    kind, bits = found
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        return False
    return not bits or -(1 << bits - 1) <= value < 1 << bits - 1


def _boolean(text: str) -> bool:
    if text not in {"true", "false"}:
        raise ValueError(text)
    return text == "true"


_KEYS: dict[str, Callable[[str], Any]] = {
    "java.lang.Boolean": _boolean,
    **{f"java.lang.{name}": int for name in ("Byte", "Short", "Integer", "Long")},
    "java.lang.Float": float,
    "java.lang.Double": float,
    "java.math.BigDecimal": exact_decimal,
    "java.math.BigInteger": int,
    "java.util.UUID": UUID,
}


def read_key(declared: JavaType) -> Callable[[Any], Any]:
    """Return the function that converts a member's name (in CBOR also a number) to a key."""
    made = _KEYS.get(declared.name)
    if made is None:
        return lambda key: key if declared == OBJECT else str(key)
    wanted = made

    def parse(key: Any) -> Any:
        text = str(key)
        if len(text) > 1000:
            raise Rejection("a key of more than 1000 characters")
        try:
            return wanted(text)
        except (ValueError, InvalidOperation):
            raise reject_value(text, f"a {declared} as key") from None

    return parse
