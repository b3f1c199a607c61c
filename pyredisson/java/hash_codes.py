"""`hashCode()` of Java's values, if Java's documentation or source fixes it.

Arrays, enum constants and most objects have a hash code of the JVM, which differs in each run. The
application's code defines that of its classes. If the hash code is unknown, the result is None,
never a guess. Records are assumed to have the default `hashCode` of records.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from functools import lru_cache
from operator import mul
from types import NoneType
from typing import Any
from uuid import UUID

from pyredisson.rejection import Rejection

from .numbers import millis_of, unscaled_of
from .scalars import JBigInteger, JByte, JChar, JDate, JDouble, JFloat, JInt, JLong, JShort
from .schema import ClassSchema, schema_of
from .times import time_parts

__all__ = ["java_hash", "string_hash"]

_MASK = 0xFFFFFFFF
_CHUNK = 64
_POWERS = tuple(pow(31, each, 1 << 32) for each in range(_CHUNK, -1, -1))
_CACHED = 40  # hash codes of strings up to this length are cached, because keys repeat


def string_hash(text: str) -> int:
    """Return `String.hashCode()` as an unsigned number."""
    return _cached_hash(text) if len(text) <= _CACHED else _string_hash(text)


def _string_hash(text: str) -> int:
    units: Any = text.encode("utf-16-le", "surrogatepass")
    units = units[::2] if text.isascii() else struct.unpack(f"<{len(units) // 2}H", units)
    found = 0
    for start in range(0, len(units), _CHUNK):
        part = units[start : start + _CHUNK]
        place = _CHUNK - len(part)
        found = found * _POWERS[place] + sum(map(mul, part, _POWERS[place + 1 :])) & _MASK
    return found


_cached_hash = lru_cache(maxsize=4096)(_string_hash)


def _long_hash(value: int) -> int:
    return (value ^ value >> 32) & _MASK


def _int_hash(value: int) -> int:
    return value & _MASK if -(1 << 31) <= value < 1 << 31 else _long_hash(value)


def _big_hash(value: int) -> int:
    digits = abs(value)
    found = 0
    for shift in range(digits.bit_length() // 32 * 32, -1, -32):
        found = 31 * found + (digits >> shift & _MASK) & _MASK
    return (-found if value < 0 else found) & _MASK


def _decimal_hash(value: Decimal) -> int | None:
    if not value.is_finite():
        return None
    unscaled, scale = unscaled_of(value)
    return 31 * _big_hash(unscaled) + scale & _MASK


def _double_hash(value: float) -> int:
    if math.isnan(value):
        return 0x7FF80000
    return _long_hash(int.from_bytes(struct.pack(">d", value), "big"))


def _float_hash(value: float) -> int | None:
    if math.isnan(value):
        return 0x7FC00000
    try:
        return int.from_bytes(struct.pack(">f", value), "big")
    except OverflowError:
        return None


def _uuid_hash(value: UUID) -> int:
    return _long_hash((value.int >> 64) ^ value.int & 0xFFFFFFFFFFFFFFFF)


def _rotated(value: int, places: int) -> int:
    value &= _MASK
    return value << places | value >> 32 - places


def _seconds_hash(seconds: int, nanos: int) -> int:
    return _long_hash(seconds) + 51 * nanos & _MASK


def _date_hash(year: int, month: int, day: int) -> int:
    return (year & 0xFFFFF800) ^ ((year << 11) + (month << 6) + day) & _MASK


def _time_hash(hour: int, minute: int, second: int, nanos: int) -> int:
    return _long_hash(((hour * 60 + minute) * 60 + second) * 10**9 + nanos)


def _local_hash(*parts: int) -> int:
    return _date_hash(*parts[:3]) ^ _time_hash(*parts[3:7])


def _of_time(value: Any, class_name: str) -> int | None:
    try:
        return _TIMES[class_name](*time_parts(class_name, value))
    except Rejection:  # the writer rejects it
        return None


def _of_clock(value: time) -> int | None:
    return _of_time(value, f"java.time.{'Local' if value.tzinfo is None else 'Offset'}Time")


def _of_date_time(value: datetime) -> int | None:
    return None if value.tzinfo is None else _long_hash(millis_of(value))


def _list_hash(values: Iterable[Any]) -> int | None:
    found = 1
    for each in values:
        code = java_hash(each)
        if code is None:
            return None
        found = 31 * found + code & _MASK
    return found


def _set_hash(values: Iterable[Any]) -> int | None:
    found = 0
    for each in values:
        code = java_hash(each)
        if code is None:
            return None
        found += code
    return found & _MASK


def _map_hash(value: Mapping[Any, Any]) -> int | None:
    found = 0
    for key, each in value.items():
        codes = java_hash(key), java_hash(each)
        if codes[0] is None or codes[1] is None:
            return None
        found += codes[0] ^ codes[1]
    return found & _MASK


def _record_hash(value: Any, schema: ClassSchema) -> int | None:
    found = 0
    for each in schema.fields:
        kind = each.type
        part = getattr(value, each.attribute, None)
        code = None if kind.dimensions else java_hash(part, _BOXES.get(kind.name, kind.name))
        if part is not None and code is None:
            return None
        found = 31 * found + (code or 0) & _MASK
    return found


_BOXES = {"long": "java.lang.Long", "float": "java.lang.Float"}

_BY_TYPE: dict[type, Callable[[Any], int | None]] = {
    NoneType: lambda _: 0,
    str: string_hash,
    bool: lambda value: 1231 if value else 1237,
    int: _int_hash,
    JByte: _int_hash,
    JShort: _int_hash,
    JInt: _int_hash,
    JLong: _long_hash,
    JDate: _long_hash,
    JBigInteger: _big_hash,
    JChar: ord,
    float: _double_hash,
    JDouble: _double_hash,
    JFloat: _float_hash,
    Decimal: _decimal_hash,
    UUID: _uuid_hash,
    datetime: _of_date_time,
    date: lambda value: _of_time(value, "java.time.LocalDate"),
    time: _of_clock,
    timedelta: lambda value: _of_time(value, "java.time.Duration"),
    list: _list_hash,
    frozenset: _set_hash,
    set: _set_hash,
    dict: _map_hash,
}
# Declared types that change the class of a plain value.
_DECLARED: dict[tuple[type, str], Callable[[Any], int | None]] = {
    (int, "java.lang.Long"): _long_hash,
    (int, "java.math.BigInteger"): _big_hash,
    (float, "java.lang.Float"): _float_hash,
}
_TIMES: dict[str, Callable[..., int]] = {
    "java.time.Instant": _seconds_hash,
    "java.time.Duration": _seconds_hash,
    "java.time.LocalDate": _date_hash,
    "java.time.LocalTime": _time_hash,
    "java.time.LocalDateTime": _local_hash,
    "java.time.OffsetDateTime": lambda *parts: _local_hash(*parts[:7]) ^ parts[7] & _MASK,
    "java.time.OffsetTime": lambda *parts: _time_hash(*parts[:4]) ^ parts[4] & _MASK,
    "java.time.ZoneOffset": _int_hash,
    "java.time.Year": _int_hash,
    "java.time.YearMonth": lambda year, month: (year ^ month << 27) & _MASK,
    "java.time.MonthDay": lambda month, day: (month << 6) + day,
    "java.time.Period": lambda years, months, days: (
        years + _rotated(months, 8) + _rotated(days, 16) & _MASK
    ),
}
_PARTS: dict[str, Callable[..., int | None]] = {
    "java.util.Optional": lambda *parts: java_hash(*parts) if parts else 0,
    "java.util.OptionalInt": lambda *parts: _int_hash(*parts) if parts else 0,
    "java.util.OptionalLong": lambda *parts: _long_hash(*parts) if parts else 0,
    "java.util.OptionalDouble": lambda *parts: _double_hash(*parts) if parts else 0,
}


def java_hash(value: Any, declared: str = "") -> int | None:
    """Return `hashCode()` as an unsigned number; None if it is unknown.

    `declared` is the class of a plain value, if its position fixes it.
    """
    kind = type(value)
    if declared in _TIMES and isinstance(value, datetime):
        return _of_time(value, declared)
    known = _DECLARED.get((kind, declared)) or _BY_TYPE.get(kind)
    return known(value) if known else _rarer(value)


def _rarer(value: Any) -> int | None:
    schema = schema_of(type(value))
    if schema is not None:
        return _record_hash(value, schema) if schema.kind == "record" else None
    name = getattr(value, "class_name", "")
    if name in _PARTS and hasattr(value, "parts"):
        try:
            return _PARTS[name](*value.parts)
        except TypeError:  # the value has the wrong number of parts: the writer rejects it
            return None
    if name in _TIMES:
        return _of_time(value, name)
    return string_hash(value) if name == "java.time.ZoneRegion" else None
