"""The order in which a Java `HashSet` gives its elements.

A Python `set` has no order of its own, yet Redisson compares values by their bytes
(`remove`, `contains`), so a plain `set` is written as Java writes a `HashSet` that
was filled by `add`: by bucket, after `HashMap.hash` and its table size. Elements of
one bucket, which Java keeps in insertion order, are sorted.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from .checks import check_float
from .numbers import millis_of
from .scalars import JByte, JChar, JDate, JDouble, JFloat, JInt, JLong, JShort

T = TypeVar("T")

__all__ = ["hash_order", "java_hash", "java_order"]

_MASK = 0xFFFFFFFF


def _long_hash(value: int) -> int:
    return (value ^ value >> 32) & _MASK


def _int_hash(value: int) -> int:
    return value & _MASK if -(1 << 31) <= value < 1 << 31 else _long_hash(value)


def _string_hash(value: str) -> int:
    units = value.encode("utf-16-le", "surrogatepass")
    result = 0
    for (unit,) in struct.iter_unpack("<H", units):
        result = (31 * result + unit) & _MASK
    return result


def _double_hash(value: float) -> int:
    return _long_hash(int.from_bytes(struct.pack(">d", check_float(value, 64)), "big"))


def _set_hash(value: Iterable[Any]) -> int:
    return sum(map(java_hash, value)) & _MASK


_HASHES: dict[type, Callable[[Any], int]] = {
    str: _string_hash,
    bool: lambda value: 1231 if value else 1237,
    int: _int_hash,
    JByte: _int_hash,
    JShort: _int_hash,
    JInt: _int_hash,
    JLong: _long_hash,
    JDate: _long_hash,
    JChar: ord,
    float: _double_hash,
    JDouble: _double_hash,
    JFloat: lambda value: int.from_bytes(struct.pack(">f", check_float(value, 32)), "big"),
    UUID: lambda value: _long_hash((value.int >> 64) ^ value.int & 0xFFFFFFFFFFFFFFFF),
    frozenset: _set_hash,
    datetime: lambda value: _long_hash(millis_of(value)),
}


def _label(value: Any) -> str:
    """Tell apart the elements of one bucket, the same in every process."""
    if isinstance(value, frozenset):
        return repr([_label(each) for each in java_order(value)])
    return f"{value:x}" if isinstance(value, int) else repr(value)


def java_hash(value: object) -> int:
    """Return `hashCode()` as an unsigned number; 0 where we do not know it."""
    known = _HASHES.get(type(value))
    return known(value) if known else 0


def java_order(values: Iterable[T]) -> list[T]:
    """Sort the elements of a set as a Java `HashSet` with them would give them."""
    return hash_order(sorted(values, key=_label))


def hash_order(values: Iterable[T]) -> list[T]:
    """Sort as `java_order` does, but those of one bucket in the order in which they were put in."""
    items = list(values)
    size = 16
    while len(items) * 4 > size * 3:
        size *= 2

    def bucket(value: T) -> int:
        spread = java_hash(value)
        return (spread ^ spread >> 16) & size - 1

    return sorted(items, key=bucket)
