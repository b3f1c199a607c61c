"""The types that protostuff writes as one field: their wire types, readers and writers.

`byte`, `short` and `char` are unsigned numbers of 32 bits; `int`, `long` and an enum's ordinal are
unsigned numbers of 64. A `Date` is a fixed64, a `BigDecimal` its text, a `UUID` an object of two
longs. Source: protostuff-runtime 1.8.0, `RuntimeUnsafeFieldFactory` and `EnumIO`.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
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
from pyredisson.java.numbers import date_of, decimal_of, exact_decimal, unscaled_of
from pyredisson.java.scalars import JDate
from pyredisson.java.schema import ClassSchema
from pyredisson.limits import Limits
from pyredisson.rejection import Rejection, reject_value

from .cursor import Cursor
from .varint import read_varint, varint

__all__ = ["GROUP", "ZEROS", "Kind", "enum_kind", "parts", "scalar_kinds", "skip"]

_VARINT, _FIXED64, _BYTES, GROUP, _END, _FIXED32 = range(6)


def _sized(data: bytes) -> bytes:
    return varint(len(data)) + data


@dataclass(frozen=True)
class Kind:
    """The format of one Java type's values: the wire type of the tag, and what follows it.

    `write` takes the value and the depth, `read` the cursor and the field number.
    """

    wire: int
    write: Callable[[Any, int], bytes]
    read: Callable[[Cursor, int], Any]

    def part(self, number: int, value: Any, depth: int) -> bytes:
        """Return a value with its tag; no bytes for a null."""
        if value is None:
            return b""
        end = varint(number << 3 | _END) if self.wire == GROUP else b""
        return varint(number << 3 | self.wire) + self.write(value, depth) + end


def parts(source: Cursor, group: int) -> Iterator[tuple[int, int]]:
    """Yield numbers and wire types of fields up to the group's end; group 0 is the message."""
    while group or source.pos < len(source.data):
        number, wire = divmod(read_varint(source), 8)
        if wire == _END:
            if number != group or not group:
                raise Rejection(f"the end of group {number}, which did not begin here")
            return
        if not number or wire > _FIXED32:
            raise Rejection(f"not a field: number {number} of wire type {wire}")
        yield number, wire


def skip(source: Cursor, number: int, wire: int) -> None:
    """Step over a field that the class does not have."""
    if wire == GROUP:
        source.descend()
        for each in parts(source, number):
            skip(source, *each)
        source.ascend()
    elif wire == _VARINT:
        read_varint(source)
    else:
        source.take({_FIXED64: 8, _FIXED32: 4}.get(wire) or read_varint(source))


ZEROS: dict[str, Any] = {
    **dict.fromkeys(("byte", "short", "int", "long"), 0),
    **dict.fromkeys(("float", "double"), 0.0),
    "boolean": False,
    "char": "\0",
}
_DECIMAL = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,10})?", re.ASCII)


def _whole(bits: int, written: int) -> Kind:
    """Return the kind of a whole number that is written with `bits` bits."""

    def write(value: Any, _: int) -> bytes:
        return varint(check_int(value, bits, "a number") & (1 << written) - 1)

    def read(source: Cursor, _: int) -> int:
        number = read_varint(source)
        value = number - (1 << written) if number >> written - 1 else number
        return check_int(value, bits, "a number")

    return Kind(_VARINT, write, read)


def _packed(wire: int, form: str, check: Callable[[Any], Any], make: Callable[[Any], Any]) -> Kind:
    return Kind(
        wire,
        lambda value, _: struct.pack(form, check(value)),
        lambda source, _: make(source.unpack(form)),
    )


def _bytes(write: Callable[[Any], bytes], read: Callable[[bytes], Any]) -> Kind:
    return Kind(
        _BYTES,
        lambda value, _: _sized(write(value)),
        lambda source, _: read(source.take(read_varint(source))),
    )


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise reject_value(value, "a boolean")
    return value


def _read_flag(source: Cursor, _: int) -> bool:
    value = read_varint(source)
    if value > 1:
        raise Rejection(f"{value} is not a boolean")
    return value == 1


def _read_char(source: Cursor, _: int) -> str:
    value = read_varint(source)
    if value > 0xFFFF:
        raise Rejection(f"{value} is not a char")
    return chr(value)


def _text(value: Any) -> bytes:
    if not isinstance(value, str):
        raise reject_value(value, "a String")
    try:
        return value.encode()
    except UnicodeEncodeError:
        raise Rejection("a string with a lone surrogate, which UTF-8 cannot hold") from None


def _read_text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise Rejection("a string that is not UTF-8") from None


def _octets(value: Any) -> bytes:
    if not isinstance(value, bytes):
        raise reject_value(value, "a byte[]")
    return value


def scalar_kinds(limits: Limits) -> dict[str, Kind]:
    """Return the kinds of JDK types that are written as one value, by Java type."""

    def big(value: Any) -> bytes:
        number = check_big(value, limits)
        length = (number if number >= 0 else ~number).bit_length() // 8 + 1
        return number.to_bytes(length, "big", signed=True)

    def read_big(data: bytes) -> int:
        if not 0 < len(data) <= limits.max_integer_bytes:
            raise Rejection(f"a BigInteger of {len(data)} bytes")
        return int.from_bytes(data, "big", signed=True)

    def decimal(value: Any) -> bytes:
        return str(decimal_of(*unscaled_of(check_decimal(value, limits)))).encode()

    def read_decimal(data: bytes) -> Decimal:
        text = _read_text(data)
        if len(data) > 3 * limits.max_integer_bytes or not _DECIMAL.fullmatch(text):
            raise Rejection("not a BigDecimal")
        return check_decimal(exact_decimal(text), limits)

    single = _packed(_FIXED32, "<f", lambda value: check_float(value, 32), float)
    double = _packed(_FIXED64, "<d", lambda value: check_float(value, 64), float)
    numbers = {
        "byte": _whole(8, 32),
        "short": _whole(16, 32),
        "int": _whole(32, 64),
        "long": _whole(64, 64),
        "float": single,
        "double": double,
        "boolean": Kind(_VARINT, lambda value, _: bytes([_flag(value)]), _read_flag),
        "char": Kind(_VARINT, lambda value, _: varint(ord(check_char(value))), _read_char),
    }
    boxed = {"int": "Integer", "char": "Character"}
    return {
        **numbers,
        **{f"java.lang.{boxed.get(k, k.capitalize())}": each for k, each in numbers.items()},
        "java.lang.String": _bytes(_text, _read_text),
        "byte[]": _bytes(_octets, bytes),
        "java.math.BigInteger": _bytes(big, read_big),
        "java.math.BigDecimal": _bytes(decimal, read_decimal),
        "java.util.Date": _packed(_FIXED64, "<q", check_date, lambda ms: date_of(ms) or JDate(ms)),
        "java.util.UUID": Kind(GROUP, _write_uuid, _read_uuid),
    }


_LONG = _whole(64, 64)


def _write_uuid(value: Any, depth: int) -> bytes:
    if not isinstance(value, UUID):
        raise reject_value(value, "a UUID")
    halves = struct.unpack(">qq", value.bytes)
    return b"".join(_LONG.part(number, each, depth) for number, each in enumerate(halves, 1))


def _read_uuid(source: Cursor, group: int) -> UUID:
    halves = {1: 0, 2: 0}
    for number, wire in parts(source, group):
        if number not in halves or wire != _VARINT:
            raise Rejection("not a UUID")
        halves[number] = _LONG.read(source, number)
    return UUID(bytes=struct.pack(">qq", *halves.values()))


def enum_kind(schema: ClassSchema) -> Kind:
    """Return the kind of an enum: its ordinal as an int."""
    members: list[Any] = list(schema.python.__members__.values())  # type: ignore[attr-defined] # its kind is enum
    ordinals = {each: number for number, each in enumerate(members)}
    number = _whole(32, 64)

    def write(value: Any, depth: int) -> bytes:
        if not isinstance(value, schema.python):
            raise reject_value(value, f"a {schema.class_name}")
        return number.write(ordinals[value], depth)

    def read(source: Cursor, group: int) -> Any:
        place = number.read(source, group)
        if not 0 <= place < len(members):
            raise Rejection(f"{place} is not an ordinal of {schema.class_name}")
        return members[place]

    return Kind(_VARINT, write, read)
