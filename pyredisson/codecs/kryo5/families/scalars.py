"""Bodies of strings, numbers, booleans, `Date` and `UUID`.

Sources: Kryo's `DefaultSerializers` (the same from 5.3.0 to 5.6.2) and, for UUID, the serializer
that Redisson's `Kryo5Codec` registers since 3.19.1 (two longs, little-endian). Each write checks
type and range, because arrays use these serializers for their elements, too.
"""

from __future__ import annotations

import struct
from typing import Any
from uuid import UUID

from pyredisson.codecs.kryo5.kernel.decimals import are_wide, encode_decimal
from pyredisson.codecs.kryo5.kernel.generics import Arguments
from pyredisson.codecs.kryo5.kernel.reader import Reader
from pyredisson.codecs.kryo5.kernel.serializer import DECIMAL, TEXT, Form, Serializer
from pyredisson.codecs.kryo5.kernel.varints import encode_ints, read_ints
from pyredisson.codecs.kryo5.kernel.writer import Writer
from pyredisson.java.checks import (
    check_big,
    check_char,
    check_date,
    check_decimal,
    check_float,
    check_int,
)
from pyredisson.java.numbers import date_of, decimal_of, unscaled_of
from pyredisson.java.scalars import JBigInteger, JDate
from pyredisson.rejection import Rejection, reject_value

__all__ = [
    "BigDecimal",
    "BigInteger",
    "Boolean",
    "Byte",
    "Character",
    "Date",
    "Floating",
    "Integer",
    "Long",
    "OldUuid",
    "Short",
    "String",
    "Uuid",
]


class String(Serializer):
    """A text: null, or its characters."""

    form = TEXT
    nullable = True
    null = b"\x80"

    def read(self, source: Reader, arguments: Arguments = None) -> str | None:
        return source.string()

    def read_or_null(self, source: Reader, arguments: Arguments = None) -> str | None:
        return source.string()

    def read_many(self, source: Reader, count: int, arguments: Arguments = None) -> list[Any]:
        return source.strings(count)

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        if not isinstance(value, str):
            raise reject_value(value, "a String")
        sink.string(value)

    def write_many(self, sink: Writer, values: list[Any], arguments: Arguments = None) -> None:
        if not sink.strings(values):
            super().write_many(sink, values)


class Boolean(Serializer):
    """A byte."""

    form = Form("Boolean")
    wrapper = True

    def read(self, source: Reader, arguments: Arguments = None) -> bool:
        return source.flag()

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        if not isinstance(value, bool):
            raise reject_value(value, "a boolean")
        sink.out.append(value)


class Integer(Serializer):
    """A varint, zig-zag."""

    form = Form("Integer")
    wrapper = True

    def read(self, source: Reader, arguments: Arguments = None) -> int:
        return source.zigzag()

    def read_many(self, source: Reader, count: int, arguments: Arguments = None) -> list[Any]:
        found, source.pos = read_ints(source.data, source.pos, count)
        return found + [source.zigzag() for _ in range(count - len(found))]

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        sink.zigzag(check_int(value, 32, "an int"))

    def write_many(self, sink: Writer, values: list[Any], arguments: Arguments = None) -> None:
        encoded = encode_ints(values)
        if encoded is None:
            super().write_many(sink, values)
        else:
            sink.out += encoded


class _Boxed(Serializer):
    """A number or character: a plain value where its class is known, a wrapper elsewhere."""

    wrapper = True

    def __init__(self, class_name: str, build: Any) -> None:
        super().__init__(class_name)
        self._build = build


class Long(_Boxed):
    """A varint of up to nine bytes, zig-zag."""

    form = Form("Long")

    def read(self, source: Reader, arguments: Arguments = None) -> int:
        found: int = int.__new__(self._build, source.zigzag_long())
        return found

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        sink.zigzag_long(check_int(value, 64, "a long"))


class Short(_Boxed):
    """Two bytes."""

    smallest = 2

    def read(self, source: Reader, arguments: Arguments = None) -> Any:
        return self._build(int.from_bytes(source.take(2), "little", signed=True))

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        sink.out += check_int(value, 16, "a short").to_bytes(2, "little", signed=True)


class Byte(_Boxed):
    """A byte."""

    def read(self, source: Reader, arguments: Arguments = None) -> Any:
        return self._build(int.from_bytes(source.take(1), "little", signed=True))

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        sink.out.append(check_int(value, 8, "a byte") & 0xFF)


class Character(_Boxed):
    """Two bytes."""

    smallest = 2

    def read(self, source: Reader, arguments: Arguments = None) -> Any:
        return self._build(chr(int.from_bytes(source.take(2), "little")))

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        sink.out += ord(check_char(value)).to_bytes(2, "little")


class Floating(_Boxed):
    """A `float` or a `double`."""

    def __init__(self, class_name: str, form: str, build: type[float]) -> None:
        super().__init__(class_name, build)
        self._struct = struct.Struct(form)
        self.smallest = self._struct.size
        if class_name == "java.lang.Double":
            self.form = Form("Double")

    def read(self, source: Reader, arguments: Arguments = None) -> float:
        number: float = self._struct.unpack(source.take(self._struct.size))[0]
        found: float = float.__new__(self._build, number)
        return found

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        sink.out += self._struct.pack(check_float(value, self.smallest * 8))


class BigInteger(Serializer):
    """A length plus one, and the bytes, high ones first."""

    nullable = True

    def read(self, source: Reader, arguments: Arguments = None) -> Any:
        number = _read_big(source)
        return None if number is None else JBigInteger(number)

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        _write_big(sink, check_big(value, sink.limits))


class BigDecimal(Serializer):
    """The unscaled number as a `BigInteger`, and the scale."""

    form = DECIMAL
    nullable = True

    def read(self, source: Reader, arguments: Arguments = None) -> Any:
        data, start, limits = source.data, source.pos + 1, source.limits
        end = start - 1 + data[start - 1]  # of a length plus one
        if start < end <= start + 8 and end - start <= limits.max_integer_bytes:
            scale = data[end]
            if scale < 0x80 and limits.max_scale > 0x40:
                source.pos = end + 1
                unscaled = int.from_bytes(data[start:end], "big", signed=True)
                return decimal_of(unscaled, scale >> 1 ^ -(scale & 1))
        return self._read(source)

    def _read(self, source: Reader) -> Any:
        unscaled = _read_big(source)
        if unscaled is None:
            return None
        scale = source.zigzag()
        if abs(scale) > source.limits.max_scale:
            raise Rejection(f"a BigDecimal of scale {scale}; limit {source.limits.max_scale}")
        return decimal_of(unscaled, scale)

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        if are_wide(sink.limits) and encode_decimal(sink.out, value):
            return
        unscaled, scale = unscaled_of(check_decimal(value, sink.limits))
        _write_big(sink, unscaled)
        sink.zigzag(scale)


def _read_big(source: Reader) -> int | None:
    size = source.count()
    if size < 0:
        return None
    if size > source.limits.max_integer_bytes:
        raise Rejection(f"a number of more than {source.limits.max_integer_bytes} bytes")
    if size == 0:
        raise Rejection("a number of 0 bytes")
    return int.from_bytes(source.take(size), "big", signed=True)


def _write_big(sink: Writer, value: int) -> None:
    size = (value if value >= 0 else ~value).bit_length() // 8 + 1
    sink.varint(size + 1)
    sink.out += value.to_bytes(size, "big", signed=True)


class Date(Serializer):
    """Milliseconds, as an unsigned varint."""

    def read(self, source: Reader, arguments: Arguments = None) -> Any:
        millis = source.varlong()
        millis -= millis >> 63 << 64
        return date_of(millis) or JDate(millis)

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        sink.varlong(check_date(value) & 0xFFFFFFFFFFFFFFFF)


class Uuid(Serializer):
    """Two numbers of 64 bits, the upper first."""

    smallest = 16
    _form = struct.Struct("<QQ")

    def read(self, source: Reader, arguments: Arguments = None) -> UUID:
        high, low = self._form.unpack(source.take(16))
        return UUID(int=high << 64 | low)

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        if not isinstance(value, UUID):
            raise reject_value(value, "a UUID")
        sink.out += self._form.pack(value.int >> 64, value.int & 0xFFFFFFFFFFFFFFFF)


class OldUuid(Uuid):
    """Up to 3.19.0 a UUID was an object: two varints, the lower bits first."""

    smallest = 2

    def read(self, source: Reader, arguments: Arguments = None) -> UUID:
        low, high = source.zigzag_long(), source.zigzag_long()
        mask = 0xFFFFFFFFFFFFFFFF
        return UUID(int=(high & mask) << 64 | low & mask)

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        if not isinstance(value, UUID):
            raise reject_value(value, "a UUID")
        for bits in (value.int & 0xFFFFFFFFFFFFFFFF, value.int >> 64):
            sink.zigzag_long(bits - (bits >> 63 << 64))
