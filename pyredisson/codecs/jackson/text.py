"""The JSON format of Jackson 2 and 3.

The common cases are fast: a bean's keys are quoted once, and the standard library's C code quotes
plain ASCII text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from json.encoder import encode_basestring
from typing import Any
from uuid import UUID

from pyredisson.java.checks import (
    check_big,
    check_char,
    check_date,
    check_decimal,
    check_float,
    check_int,
)
from pyredisson.limits import Limits
from pyredisson.rejection import Rejection, reject_value

from .dates import date_text
from .format import BeanField, Format, Write, missing, too_deep, values_of
from .lexical import (
    base64_text,
    decimal_text,
    double_text,
    float_text,
    integer_text,
    quote,
    quote_raw,
)
from .mapper import Mapper
from .mapper_times import Tree, date2_text, time_writers
from .other_jdk import MILLIS, Plain, encoded, millis_in
from .typing import TEXTS

__all__ = ["JsonText"]


def _string(value: Any, _: Limits) -> str:
    if type(value) is str and value.isascii() and value.isprintable():
        return encode_basestring(value)
    if not isinstance(value, str):
        raise reject_value(value, "a String")
    return quote(value)


def _boolean(value: Any, _: Limits) -> str:
    if not isinstance(value, bool):
        raise reject_value(value, "a boolean")
    return "true" if value else "false"


def _uuid(value: Any, _: Limits) -> str:
    if not isinstance(value, UUID):
        raise reject_value(value, "a UUID")
    return f'"{value}"'


def _whole(bits: int, wanted: str) -> Callable[[Any, Limits], str]:
    low, high = -(1 << bits - 1), (1 << bits - 1) - 1

    def write(value: Any, _: Limits) -> str:
        if type(value) is int and low <= value <= high:
            return repr(value)
        return int.__repr__(check_int(value, bits, wanted))

    return write


def _plain(value: Plain) -> str:
    if isinstance(value, str):
        return quote_raw(value)
    if isinstance(value, float):
        return double_text(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return "null" if value is None else repr(value)


def _date3(millis: int) -> str:
    return f'"{date_text(millis)}"'


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
    **dict.fromkeys(TEXTS, _string),
    **encoded(_plain, repr, False),
}


def _string3(value: Any, _: Limits) -> str:
    if not isinstance(value, str):
        raise reject_value(value, "a String")
    return quote_raw(value)


_SCALARS3 = _SCALARS | {
    "java.lang.String": _string3,
    "java.math.BigDecimal": lambda value, limits: str(check_decimal(value, limits)),
    "java.util.Date": lambda value, _: _date3(check_date(value)),
    **dict.fromkeys(TEXTS, _string3),
    **encoded(_plain, _date3, True),
}


def _date2(millis: int) -> str:
    return f'"{date2_text(millis)}"'


def _tree(tree: Tree, decimal: Callable[[Decimal], str]) -> str:
    if isinstance(tree, list):
        return f"[{','.join(_tree(each, decimal) for each in tree)}]"
    if isinstance(tree, str):
        return quote(tree)
    return decimal(tree) if isinstance(tree, Decimal) else repr(tree)


def _of_mapper(mapper: Mapper, jackson3: bool) -> dict[str, Callable[[Any, Limits], str]]:
    """Return the encoders of times and dates for the mapper's modules and features."""
    decimal = str if jackson3 else decimal_text

    def encoded_as(write: Callable[[Any], Tree]) -> Callable[[Any, Limits], str]:
        return lambda value, _: _tree(write(value), decimal)

    found = {name: encoded_as(write) for name, write in time_writers(mapper).items()}
    if jackson3 and mapper.java_time == "arrays":
        found |= {name: _SCALARS[name] for name in ("java.util.Date", *MILLIS)}
    if mapper.java_time == "iso":
        found["java.util.Date"] = lambda value, _: _date2(check_date(value))
        found["java.sql.Timestamp"] = lambda value, _: _date2(millis_in(value))
        found["java.sql.Date"] = _local
    return found


def _local(_: Any, __: Limits) -> str:
    raise Rejection("a java.sql.Date, whose day Java writes in the JVM's own time zone")


class JsonText(Format[str]):
    """Compact JSON, of Jackson 2 or 3."""

    null = "null"
    special_doubles = False

    def __init__(self, mapper: Mapper, *, jackson3: bool = False) -> None:
        self._scalars = (_SCALARS3 if jackson3 else _SCALARS) | _of_mapper(mapper, jackson3)
        self._quote = quote_raw if jackson3 else quote

    def scalar(self, class_name: str) -> Callable[[Any, Limits], str] | None:
        """Return the encoder of a scalar class; None for other classes."""
        return self._scalars.get(class_name)

    def text(self, text: str) -> str:
        """Encode a string."""
        return self._quote(text)

    def binary(self, value: bytes) -> str:
        """Encode a `byte[]` in base64."""
        return base64_text(value)

    def array(self, class_name: str | None, parts: Sequence[str]) -> str:
        """Encode an array."""
        body = f"[{','.join(parts)}]"
        return body if class_name is None else f"[{self.text(class_name)},{body}]"

    def object(self, class_name: str | None, members: Sequence[tuple[str | int, str]]) -> str:
        """Encode an object; its class is the member @class, the first one."""
        parts = [f"{self.text(str(key))}:{piece}" for key, piece in members]
        if class_name is not None:
            parts.insert(0, f'"@class":{self.text(class_name)}')
        return f"{{{','.join(parts)}}}"

    def tagged(self, class_name: str, piece: str) -> str:
        """Add the class to a piece that is not an object."""
        return f"[{self.text(class_name)},{piece}]"

    def message(self, piece: str) -> bytes:
        """Return the whole message."""
        return piece.encode()

    def bean(
        self,
        class_name: str | None,
        fields: Sequence[BeanField[str]],
        nulls: bool,
        depth_limit: int,
    ) -> Write[str]:
        """Return the encoder of objects of one class, attribute by attribute."""
        read = values_of([each[1] for each in fields])
        plan = [(f",{self.text(key)}:", w, key if req else None) for key, _, w, req in fields]
        head = "" if class_name is None else f',"@class":{self.text(class_name)}'

        def write_bean(value: Any, depth: int) -> str:
            if depth >= depth_limit:
                raise too_deep(depth_limit)
            depth += 1
            text = head
            for (prefix, write, required), each in zip(plan, read(value)):  # noqa: B905 - hot
                if each is not None:
                    text += prefix + write(each, depth)
                elif required is not None:
                    raise missing(required)
                elif nulls:
                    text += prefix + "null"
            return f"{{{text[1:]}}}"

        return write_bean
