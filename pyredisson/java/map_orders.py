"""The iteration order of each of Java's maps and sets, for a plain dict or set.

`HashMap` is in `hashing`. This module has the sorted classes and the two other hash tables, filled
by `put`: `ConcurrentHashMap` (also inside a `Properties`), which reverses parts of a bucket when it
grows, and `Hashtable`, which iterates in reverse. A `LinkedHashMap` and unknown classes keep
Python's order. Sources: OpenJDK 9 to 21, `ConcurrentHashMap.transfer` and `TreeBin.putTreeVal`,
`Hashtable.rehash` and `addEntry`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pyredisson.rejection import Rejection

from .hashing import java_order, put_order, spreads_of
from .tree_bins import CROWDED

__all__ = ["map_order", "set_order", "sort_order"]

_TREES = 64  # the minimum size of a table with trees
_UNTREE = 6


class _Bucket(list[tuple[int, int]]):
    """Pairs of hash and index; a tree has the newest entry first."""

    tree = False


def _moved(bucket: _Bucket, size: int) -> tuple[_Bucket, _Bucket]:
    """Split a bucket of a table of this size as `ConcurrentHashMap.transfer` does."""
    parts = _Bucket(), _Bucket()
    if bucket.tree:
        for each in bucket:
            parts[bool(each[0] & size)].append(each)
        for part in parts:
            part.tree = len(part) > _UNTREE
        return parts
    run = len(bucket) - 1  # where the last run of entries that stay together begins
    while run > 0 and not (bucket[run][0] ^ bucket[run - 1][0]) & size:
        run -= 1
    if bucket:
        parts[bool(bucket[run][0] & size)].extend(bucket[run:])
    for each in bucket[:run]:
        parts[bool(each[0] & size)].insert(0, each)
    return parts


def _grown(table: list[_Bucket]) -> list[_Bucket]:
    pairs = [_moved(bucket, len(table)) for bucket in table]
    return [low for low, _ in pairs] + [high for _, high in pairs]


def _concurrent_order(keys: Sequence[Any], declared: str) -> Sequence[int] | None:
    spreads = spreads_of(keys, declared)
    if spreads is None:
        return None
    table = [_Bucket() for _ in range(16)]
    for place, spread in enumerate(spreads):
        bucket = table[spread & len(table) - 1]
        if bucket.tree:
            bucket.insert(0, (spread, place))
        else:
            bucket.append((spread, place))
            if len(bucket) >= CROWDED and len(table) >= _TREES:
                bucket.tree = True
            elif len(bucket) >= CROWDED:
                wanted = len(table) * 4
                while wanted > len(table) // 4 * 3:
                    table = _grown(table)
        while place + 1 >= len(table) // 4 * 3:
            table = _grown(table)
    return [place for bucket in table for _, place in bucket]


def _hashtable_order(keys: Sequence[Any], declared: str) -> Sequence[int] | None:
    spreads = spreads_of(keys, declared)
    if spreads is None:
        return None
    # A Hashtable does not spread hash codes; spreading twice undoes it.
    codes = [(spread ^ spread >> 16) & 0x7FFFFFFF for spread in spreads]
    table: list[list[int]] = [[] for _ in range(11)]
    for place, code in enumerate(codes):
        if place >= len(table) * 3 // 4:
            larger: list[list[int]] = [[] for _ in range(2 * len(table) + 1)]
            for bucket in reversed(table):
                for each in bucket:
                    larger[codes[each] % len(larger)].insert(0, each)
            table = larger
        table[code % len(table)].insert(0, place)
    return [place for bucket in reversed(table) for place in bucket]


def sort_order(keys: Sequence[Any], _: str = "") -> Sequence[int]:
    """Return the indexes of the keys in the order of a `TreeMap`.

    Raises:
        Rejection: Python cannot sort them.
    """
    texts = all(isinstance(each, str) for each in keys)
    units = [each.encode("utf-16-be", "surrogatepass") for each in keys] if texts else keys
    try:
        return sorted(range(len(keys)), key=units.__getitem__)
    except TypeError as error:
        raise Rejection(
            f"Python cannot compare the elements of a sorted set or map: {error}; "
            "pass a JMap or JSet that is in Java's order"
        ) from None


_ORDERS: dict[str, Callable[[Sequence[Any], str], Sequence[int] | None]] = {
    "java.util.HashMap": put_order,
    "java.util.Hashtable": _hashtable_order,
    "java.util.Properties": _concurrent_order,
    "java.util.concurrent.ConcurrentHashMap": _concurrent_order,
    "java.util.TreeMap": sort_order,
    "java.util.concurrent.ConcurrentSkipListMap": sort_order,
}
_SORTED_SETS = {"java.util.TreeSet", "java.util.concurrent.ConcurrentSkipListSet"}


def map_order(class_name: str, keys: Sequence[Any], declared: str = "") -> Sequence[int] | None:
    """Return the indexes of the keys in the order of this class; None if they are in that order.

    `declared` is the class of plain keys, if the map's type fixes it.
    """
    order = _ORDERS.get(class_name)
    return order(keys, declared) if order and len(keys) > 1 else None


def set_order(class_name: str, values: Any, declared: str = "") -> list[Any]:
    """Return the elements of a plain set in the order of this class."""
    items = java_order(values, declared)
    if class_name in _SORTED_SETS:
        return [items[each] for each in sort_order(items)]
    return items
