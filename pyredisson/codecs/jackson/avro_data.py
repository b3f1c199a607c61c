"""Avro's binary data by its schema, with the choices that jackson-dataformat-avro makes.

Arrays and maps are one block; a map's entries are in the order of a `HashMap`. A union with null
and one other branch accepts whatever that branch accepts; any other union uses the branch of the
value's own type. A number is converted to another numeric type if nothing is lost. Source: the
output of AvroJacksonCodec 3.19.3 and 4.7.0, and of AvroJackson3Codec 4.2.0 and 4.7.0.

The codec rejects values that Java writes with a loss (5L << 32 as int, 1.5 as long), or by rules
that were never observed. A piece is a pair of Avro's type name (or "big", "decimal", "object") and
the value.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from pyredisson.codecs.cursor import Cursor
from pyredisson.codecs.varint import read_varint, varint
from pyredisson.java.hashing import put_order
from pyredisson.java.numbers import decimal_of, unscaled_of
from pyredisson.rejection import Rejection

from .binary import utf8

__all__ = ["NULL", "AvroType", "Piece", "compile_schema"]

Piece = tuple[str, Any]
NULL: Piece = ("null", None)
_WHOLE = ("int", "long", "big")
_BITS = {"int": 32, "long": 64}
_PACKED = {"float": "<f", "double": "<d"}


class AvroType:
    """One type of a schema: `name` is its kind, `least` the minimum length of its data in bytes."""

    def __init__(self, name: str, full: str = "") -> None:
        self.name = name
        self.full = full
        self.least = 0
        self.write: Callable[[Piece, bytearray], None]
        self.read: Callable[[Cursor], Any]


def compile_schema(schema: Any) -> AvroType:
    """Return the reader and writer of a schema with full names, as fastavro returns it."""
    return _Compiler().of(schema)


def _reject(piece: Piece, kind: str) -> Rejection:
    return Rejection(f"a value of type {piece[0]} is not of the Avro type {kind}")


def _long(source: Cursor) -> int:
    number = read_varint(source)
    return (number >> 1) ^ -(number & 1)


def _zigzag(value: int) -> bytes:
    return varint((value << 1 ^ value >> 63) & 0xFFFFFFFFFFFFFFFF)


def _read_sized(source: Cursor) -> bytes:
    return source.take(_long(source))


class _Compiler:
    def __init__(self) -> None:
        self._named: dict[str, AvroType] = {}

    def of(self, schema: Any) -> AvroType:
        if isinstance(schema, list):
            return self._union([self.of(each) for each in schema])
        kind = schema if isinstance(schema, str) else schema["type"]
        if kind in self._named:
            return self._named[kind]
        details: Mapping[str, Any] = {} if isinstance(schema, str) else schema
        found = AvroType(kind, details.get("name", ""))
        if found.full:
            self._named[found.full] = found
        make: Callable[[AvroType, Mapping[str, Any]], None] = getattr(self, f"_{kind}")
        make(found, details)
        return found

    def _null(self, made: AvroType, _: Mapping[str, Any]) -> None:
        made.write = _checked(made, lambda value: b"")
        made.read = lambda source: None

    def _boolean(self, made: AvroType, _: Mapping[str, Any]) -> None:
        made.least = 1
        made.write = _checked(made, lambda value: bytes([value]))
        made.read = _flag

    def _int(self, made: AvroType, _: Mapping[str, Any]) -> None:
        bits = _BITS[made.name]
        made.least = 1

        def write(piece: Piece, out: bytearray) -> None:
            kind, value = piece
            if kind not in _WHOLE or not -(1 << bits - 1) <= value < 1 << bits - 1:
                raise _reject(piece, made.name)
            out += _zigzag(value)

        def read(source: Cursor) -> int:
            value = _long(source)
            if not -(1 << bits - 1) <= value < 1 << bits - 1:
                raise Rejection(f"{value} is out of the range of an Avro {made.name}")
            return value

        made.write, made.read = write, read

    _long = _int

    def _float(self, made: AvroType, _: Mapping[str, Any]) -> None:
        form = _PACKED[made.name]
        made.least = struct.calcsize(form)

        def write(piece: Piece, out: bytearray) -> None:
            kind, value = piece
            inexact = made.name == "float" and kind in {*_WHOLE, "decimal"}
            if kind not in {*_WHOLE, "float", "double", "decimal"}:
                raise _reject(piece, made.name)
            try:
                number = float(value)
                data = struct.pack(form, number)
            except OverflowError:
                raise _reject(piece, made.name) from None
            if inexact and struct.unpack(form, data)[0] != value:
                raise _reject(piece, made.name)
            out += data

        made.write = write
        made.read = lambda source: source.unpack(form)

    _double = _float

    def _string(self, made: AvroType, _: Mapping[str, Any]) -> None:
        made.least = 1

        def encode(value: str) -> bytes:
            data = utf8(value)
            return _zigzag(len(data)) + data

        # Java also writes BigIntegers and BigDecimals as strings, which decode cannot convert back.
        made.write = _checked(made, encode)
        made.read = lambda source: _text(_read_sized(source))

    def _bytes(self, made: AvroType, details: Mapping[str, Any]) -> None:
        made.least = 1
        made.write = _octets(made, details, lambda data: _zigzag(len(data)) + data)
        made.read = _number(details, _read_sized)

    def _fixed(self, made: AvroType, details: Mapping[str, Any]) -> None:
        size = made.least = details["size"]

        def whole(data: bytes) -> bytes:
            if len(data) != size:
                raise Rejection(f"{len(data)} bytes for {made.full}, which has {size}")
            return data

        made.write = _octets(made, details, whole, size)
        made.read = _number(details, lambda source: source.take(size))

    def _enum(self, made: AvroType, details: Mapping[str, Any]) -> None:
        symbols = list(details["symbols"])
        made.least = 1

        def write(piece: Piece, out: bytearray) -> None:
            kind, value = piece
            if kind != "string" or value not in symbols:
                raise _reject(piece, made.full)
            out += _zigzag(symbols.index(value))

        def read(source: Cursor) -> str:
            place = _long(source)
            if not 0 <= place < len(symbols):
                raise Rejection(f"{made.full} has no symbol {place}")
            found: str = symbols[place]
            return found

        made.write, made.read = write, read

    def _array(self, made: AvroType, details: Mapping[str, Any]) -> None:
        items = self.of(details["items"])
        made.least = 1

        def write(piece: Piece, out: bytearray) -> None:
            kind, values = piece
            if kind != "array":
                raise _reject(piece, made.name)
            if values:
                out += _zigzag(len(values))
            for each in values:
                items.write(each, out)
            out.append(0)

        made.write = write
        made.read = lambda source: list(_blocks(source, items.least, items.read))

    def _map(self, made: AvroType, details: Mapping[str, Any]) -> None:
        values = self.of(details["values"])
        made.least = 1

        def write(piece: Piece, out: bytearray) -> None:
            members = _members(piece, made.name)
            if members:
                out += _zigzag(len(members))
            keys = list(members)
            for place in put_order(keys) or range(len(keys)):
                key = keys[place]
                data = utf8(key)
                out += _zigzag(len(data)) + data
                values.write(members[key], out)
            out.append(0)

        def entry(source: Cursor) -> tuple[str, Any]:
            return _text(_read_sized(source)), values.read(source)

        made.write = write
        made.read = lambda source: dict(_blocks(source, 1 + values.least, entry))

    def _record(self, made: AvroType, details: Mapping[str, Any]) -> None:
        fields = {each["name"]: self.of(each["type"]) for each in details["fields"]}
        made.least = sum(each.least for each in fields.values())

        def write(piece: Piece, out: bytearray) -> None:
            members = _members(piece, made.full)
            for name in members:
                if name not in fields:
                    raise Rejection(f"{made.full} has no field {name}")
            for name, field in fields.items():
                field.write(members.get(name, NULL), out)

        def read(source: Cursor) -> dict[str, Any]:
            source.descend()
            found = {name: field.read(source) for name, field in fields.items()}
            source.ascend()
            return found

        made.write, made.read = write, read

    def _union(self, branches: list[AvroType]) -> AvroType:
        made = AvroType("union")
        made.least = 1

        def write(piece: Piece, out: bytearray) -> None:
            branch = _branch(piece, branches)
            out += _zigzag(branches.index(branch))
            branch.write(piece, out)

        def read(source: Cursor) -> Any:
            place = _long(source)
            if not 0 <= place < len(branches):
                raise Rejection(f"a union has no branch {place}")
            return branches[place].read(source)

        made.write, made.read = write, read
        return made


def _branch(piece: Piece, branches: list[AvroType]) -> AvroType:
    """Return a union's branch as Jackson chooses it; reject choices that were never observed."""
    kind = piece[0]
    null = [each for each in branches if each.name == "null"]
    others = [each for each in branches if each.name != "null"]
    if kind == "null":
        others = null
    elif len(others) > 1:
        names = {"string": {"string", "enum"}, "object": {"record", "map"}}.get(kind, {kind})
        others = [each for each in others if each.name in names]
        if kind == "object" and len(others) > 1:  # Java then chooses by the record's name
            others = []
    if not others:
        raise _reject(piece, "union, or fits several of its branches")
    return others[0]


def _checked(made: AvroType, encode: Callable[[Any], bytes]) -> Callable[[Piece, bytearray], None]:
    def write(piece: Piece, out: bytearray) -> None:
        if piece[0] != made.name:
            raise _reject(piece, made.name)
        out += encode(piece[1])

    return write


def _members(piece: Piece, name: str) -> Mapping[str, Piece]:
    if piece[0] != "object":
        raise _reject(piece, name)
    members: Mapping[str, Piece] = piece[1]
    return members


def _flag(source: Cursor) -> bool:
    value = source.byte()
    if value > 1:
        raise Rejection(f"{value} is not a boolean")
    return value == 1


def _text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise Rejection("a string that is not UTF-8") from None


def _blocks(source: Cursor, least: int, read: Callable[[Cursor], Any]) -> Iterator[Any]:
    """Yield the elements of all blocks; a negative count precedes the block's length in bytes."""
    source.descend()
    while count := _long(source):
        if count < 0:
            count = -count
            _long(source)
        if least:
            source.claim(count, least)
        else:
            source.free(count)
        for _ in range(count):
            yield read(source)
    source.ascend()


def _octets(
    made: AvroType,
    details: Mapping[str, Any],
    encode: Callable[[bytes], bytes],
    size: int | None = None,
) -> Callable[[Piece, bytearray], None]:
    """Return the writer of bytes, and of numbers that the schema declares as decimals."""

    def write(piece: Piece, out: bytearray) -> None:
        kind, value = piece
        if kind == "decimal" and details.get("logicalType") == "decimal":
            value = _unscaled(value, details, size)
        elif kind != "bytes":
            raise _reject(piece, made.name)
        out += encode(value)

    return write


def _unscaled(value: Decimal, details: Mapping[str, Any], size: int | None) -> bytes:
    """Return a decimal's digits at the scale of the schema."""
    scale = details.get("scale", 0)
    number, own = unscaled_of(value)
    if own > scale:
        raise Rejection(f"a BigDecimal of scale {own} where the schema has {scale}")
    number *= 10 ** (scale - own)
    if len(str(abs(number))) > details["precision"]:
        raise Rejection(f"a BigDecimal of more than {details['precision']} digits")
    length = (number if number >= 0 else ~number).bit_length() // 8 + 1
    data: bytes = number.to_bytes(size or length, "big", signed=True)
    return data


def _number(details: Mapping[str, Any], read: Callable[[Cursor], bytes]) -> Callable[[Cursor], Any]:
    if details.get("logicalType") != "decimal":
        return read
    scale = details.get("scale", 0)

    def decimal(source: Cursor) -> Decimal:
        data = read(source)
        if not 0 < len(data) <= source.limits.max_integer_bytes:
            raise Rejection(f"a BigDecimal of {len(data)} bytes")
        return decimal_of(int.from_bytes(data, "big", signed=True), scale)

    return decimal
