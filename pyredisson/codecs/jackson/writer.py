"""A Python value as the JSON text that Redisson's Jackson 2 writes.

The rule: `tagged` writes a value where it may carry its class, `bare` where it
never does. With `typing=False` (TypedJsonJacksonCodec) nothing carries one.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from enum import Enum
from typing import Any
from uuid import UUID

from pyredisson.codecs.java.build import entries_of, items_of
from pyredisson.codecs.java.checks import (
    check_big,
    check_char,
    check_date,
    check_decimal,
    check_float,
    check_int,
)
from pyredisson.codecs.java.classes import class_of
from pyredisson.codecs.java.containers import JArray
from pyredisson.codecs.java.jdk import CONTAINERS, Kind, accepts, is_final
from pyredisson.codecs.java.names import component_of
from pyredisson.codecs.java.numbers import double_to_string, float_to_string
from pyredisson.codecs.java.scalars import JDate, JFloat
from pyredisson.codecs.limits import Limits
from pyredisson.codecs.refusal import Refusal, refuse_value

from .lexical import base64_text, decimal_text, double_text, float_text, integer_text, quote
from .typing import declared_typed, is_natural, root_typed

__all__ = ["TreeWriter"]


def _string(value: Any, _: Limits) -> str:
    if not isinstance(value, str):
        raise refuse_value(value, "a String")
    return quote(value)


def _boolean(value: Any, _: Limits) -> str:
    if not isinstance(value, bool):
        raise refuse_value(value, "a boolean")
    return "true" if value else "false"


def _uuid(value: Any, _: Limits) -> str:
    if not isinstance(value, UUID):
        raise refuse_value(value, "a UUID")
    return f'"{value}"'


def _whole(bits: int, wanted: str) -> Callable[[Any, Limits], str]:
    return lambda value, _: int.__repr__(check_int(value, bits, wanted))


_SCALARS: dict[str, Callable[[Any, Limits], str]] = {
    "java.lang.String": _string,
    "java.lang.Boolean": _boolean,
    "java.lang.Byte": _whole(8, "a byte"),
    "java.lang.Short": _whole(16, "a short"),
    "java.lang.Integer": _whole(32, "an int"),
    "java.lang.Long": _whole(64, "a long"),
    "java.lang.Character": lambda value, _: quote(check_char(value)),
    "java.lang.Float": lambda value, _: float_text(check_float(value, 32)),
    "java.lang.Double": lambda value, _: double_text(check_float(value, 64)),
    "java.math.BigInteger": lambda value, limits: integer_text(check_big(value, limits)),
    "java.math.BigDecimal": lambda value, limits: decimal_text(check_decimal(value, limits)),
    "java.util.Date": lambda value, _: str(check_date(value)),
    "java.util.UUID": _uuid,
}
_BOXES = {
    "boolean": "Boolean",
    "short": "Short",
    "int": "Integer",
    "long": "Long",
    "float": "Float",
    "double": "Double",
}
_SCALARS.update({name: _SCALARS[f"java.lang.{box}"] for name, box in _BOXES.items()})


def _key(value: Any) -> str:
    """Return `toString()` of a map's key, where Python knows it."""
    if isinstance(value, JFloat):
        return float_to_string(value)
    if isinstance(value, float):
        return double_to_string(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and not isinstance(value, JDate):
        class_of(value)
        return integer_text(value)
    if isinstance(value, (str, Decimal, UUID)) and not isinstance(value, Enum):
        return str(value)
    raise refuse_value(value, "a key that Jackson writes by toString()")


class TreeWriter:
    """The JSON text of one message so far."""

    __slots__ = ("_depth", "_limits", "_typing", "out")

    def __init__(self, typing: bool, limits: Limits) -> None:
        self.out: list[str] = []
        self._typing = typing
        self._limits = limits
        self._depth = 0

    def root(self, value: Any) -> None:
        """Write the whole message."""
        if value is None:
            self.out.append("null")
            return
        class_name = class_of(value)
        if self._typing and root_typed(class_name):
            self._tagged(class_name, value)
        else:
            self._bare(class_name, value)

    def _slot(self, value: Any) -> None:
        """Write an element of a collection or a map's value: declared as Object."""
        if value is None:
            self.out.append("null")
        elif self._typing:
            self._tagged(class_of(value), value)
        else:
            self._bare(class_of(value), value)

    def _tagged(self, class_name: str, value: Any) -> None:
        container = CONTAINERS.get(class_name)
        if container is not None and container.kind is Kind.MAP:
            self._map(class_name, value, tagged=True)
        elif is_natural(class_name, value):
            self._bare(class_name, value)
        else:
            self.out.append(f'["{class_name}",')
            self._bare(class_name, value)
            self.out.append("]")

    def _bare(self, class_name: str, value: Any) -> None:
        scalar = _SCALARS.get(class_name)
        container = CONTAINERS.get(class_name)
        if scalar is not None:
            self.out.append(scalar(value, self._limits))
        elif container is None:
            self._array(class_name, value)
        elif container.kind is Kind.MAP:
            self._map(class_name, value, tagged=False)
        else:
            self._many(items_of(value, class_name), self._slot)

    def _many(self, values: list[Any], write: Callable[[Any], None]) -> None:
        self._descend()
        self.out.append("[")
        for number, value in enumerate(values):
            if number:
                self.out.append(",")
            write(value)
        self.out.append("]")
        self._depth -= 1

    def _map(self, class_name: str, value: Any, *, tagged: bool) -> None:
        self._descend()
        self.out.append(f'{{"@class":"{class_name}"' if tagged else "{")
        comma = tagged
        for key, each in entries_of(value, class_name):
            name = _key(key)
            if name == "@class" and self._typing:
                raise Refusal('a map with the key "@class", which Java would read as its class')
            if each is None:  # Redisson's mapper leaves them out
                continue
            self.out.append(f",{quote(name)}:" if comma else f"{quote(name)}:")
            comma = True
            self._slot(each)
        self.out.append("}")
        self._depth -= 1

    def _array(self, class_name: str, value: Any) -> None:
        component = component_of(class_name)
        if component is None or (is_final(component) is None):
            raise Refusal(f"the Java class {class_name} is not known here", class_name)
        if not isinstance(value, (bytes, JArray)):
            raise refuse_value(value, f"a {component}[]")
        if isinstance(value, bytes):
            self.out.append(base64_text(value))
        elif component == "byte":
            packed = bytes(check_int(each, 8, "a byte") & 0xFF for each in value)
            self.out.append(base64_text(packed))
        elif component == "char":
            self.out.append(quote("".join(check_char(each) for each in value)))
        else:
            self._many(list(value), lambda each: self._element(component, each))

    def _element(self, component: str, value: Any) -> None:
        """Write an array's element."""
        if value is None and component not in _BOXES:
            self.out.append("null")
            return
        class_name = component
        if component not in _SCALARS or not is_final(component):
            class_name = class_of(value)
            if not accepts(component, class_name):
                raise Refusal(f"a {class_name} is no element of a {component}[]")
        if self._typing and declared_typed(component):
            self._tagged(class_name, value)
        else:
            self._bare(class_name, value)

    def _descend(self) -> None:
        self._depth += 1
        if self._depth > self._limits.max_depth:
            raise Refusal(f"nested deeper than {self._limits.max_depth}, or in itself")
