"""Where Redisson's Jackson 2 writes a class name, and where not.

Default typing is NON_FINAL with exceptions of Redisson's own
(`JsonJacksonCodec.initTypeInclusion`): Long always, UUID since 4.2.0. An object gets
`"@class"` as its first member, anything else becomes `["class", value]`. The rule in
three places: the root goes by the runtime class, an array's element by the declared
component, an element of a collection or map is declared as Object.
"""

from __future__ import annotations

import math
from typing import Any

from pyredisson.codecs.java.jdk import element_class, is_final
from pyredisson.codecs.java.names import component_of

__all__ = ["SCALARS", "declared_typed", "is_natural", "root_typed", "scalar_like"]

_LONG = "java.lang.Long"
_UUID = "java.util.UUID"
_NATURAL = {"java.lang.String", "java.lang.Integer", "java.lang.Boolean"}

# Classes that are one JSON value, apart from the containers and arrays.
SCALARS = frozenset(
    {
        "java.lang.String",
        "java.lang.Boolean",
        "java.lang.Byte",
        "java.lang.Short",
        "java.lang.Character",
        "java.lang.Integer",
        "java.lang.Long",
        "java.lang.Float",
        "java.lang.Double",
        "java.math.BigInteger",
        "java.math.BigDecimal",
        "java.util.Date",
        _UUID,
    }
)


def declared_typed(declared: str) -> bool:
    """Say whether values of this declared type carry their class, natural ones apart.

    Takes the name in Java source form.
    """
    return declared == _UUID or element_class(declared) == _LONG or is_final(declared) is False


def root_typed(class_name: str) -> bool:
    """Say whether a root value of this runtime class carries it."""
    return declared_typed(component_source(class_name))


def component_source(class_name: str) -> str:
    """Spell a class of the JVM as Java source does: `[I` is `int[]`."""
    component = component_of(class_name)
    return class_name if component is None else f"{component}[]"


def is_natural(class_name: str, value: Any) -> bool:
    """Say whether JSON itself tells the class: never typed, whatever is declared."""
    return class_name in _NATURAL or (class_name == "java.lang.Double" and math.isfinite(value))


def scalar_like(text: str) -> bool:
    """Say whether the first of two untyped array elements is meant as a class name."""
    return text in SCALARS or component_of(text) is not None or "." in text.strip(".")
