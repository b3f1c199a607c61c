"""The iteration order of a Java `HashMap` or `HashSet`.

Redisson compares values by their bytes (`remove`, `contains`). So a plain `dict` is written as Java
writes a `HashMap` that was filled by `put` in the dict's order. Its order is by bucket, which
depends on `HashMap.hash` and the table size; in one bucket it is the order of the `put` calls. A
`set` has no order, so elements of one bucket are sorted. If nine keys share a bucket, Java enlarges
the table or makes the bucket a tree: see `tree_bins`.

If the hash code of one key is unknown, all keys stay in Python's order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from .hash_codes import java_hash, string_hash
from .tree_bins import CROWDED, bins_order

T = TypeVar("T")
_FEW = 16
_SHORT = 40

__all__ = ["java_order", "put_order", "spreads_of", "table_size"]


def put_order(keys: Sequence[Any], declared: str = "") -> Sequence[int] | None:
    """Return the indexes of the keys in the order of a `HashMap`; None if they are in that order.

    `declared` is the class of plain keys, if the map's type fixes it.
    """
    count = len(keys)
    if count < 2:
        return None
    if count <= _FEW and type(keys[0]) is str:
        try:
            return _order_of_texts(*keys)
        except TypeError:
            return _put_order(keys, declared)
    return _put_order(keys, declared)


@lru_cache(maxsize=1024, typed=True)  # the same keys repeat
def _order_of_texts(*keys: str) -> Sequence[int] | None:
    """Return the order of short strings; raise `TypeError` for other keys, which are not cached."""
    if any(type(key) is not str or len(key) > _SHORT for key in keys):
        raise TypeError
    return _put_order(keys, "")


def _put_order(keys: Sequence[Any], declared: str) -> Sequence[int] | None:
    count = len(keys)
    spreads = spreads_of(keys, declared)
    if spreads is None:
        return None
    if count >= CROWDED and _crowded(spreads):
        order = bins_order(keys, spreads)[0]
        return None if order == list(range(count)) else order
    mask = table_size(count) - 1
    buckets = [spread & mask for spread in spreads]
    return None if sorted(buckets) == buckets else sorted(range(count), key=buckets.__getitem__)


def table_size(count: int, keys: Sequence[Any] = ()) -> int:
    """Return the table size of a `HashMap` with `count` entries, or with these keys."""
    if len(keys) >= CROWDED:
        spreads = spreads_of(keys, "")
        if spreads is not None and _crowded(spreads):
            return bins_order(keys, spreads)[1]
    size = 16
    while count * 4 > size * 3:
        size *= 2
    return size


def java_order(values: Iterable[T], declared: str = "") -> list[T]:
    """Sort the elements of a set in the iteration order of a Java `HashSet` of them."""
    items = list(values)
    kinds = set(map(type, items))
    items.sort(key=None if kinds in ({str}, {int}) else _label)
    order = put_order(items, declared)
    return items if order is None else [items[each] for each in order]


def spreads_of(keys: Sequence[Any], declared: str) -> list[int] | None:
    """Apply `HashMap.hash` to the hash codes."""
    found = []
    for key in keys:
        code = string_hash(key) if type(key) is str else java_hash(key, declared)
        if code is None:
            return None
        found.append(code ^ code >> 16)
    return found


def _crowded(spreads: list[int]) -> bool:
    """Return whether a bucket had too many keys for a list at any size of the growing table."""
    size = 16
    while True:
        held = spreads[: size // 4 * 3 + 1]
        mask = size - 1
        if max(Counter([spread & mask for spread in held]).values()) >= CROWDED:
            return True
        if len(held) == len(spreads):
            return False
        size *= 2


def _label(value: Any) -> str:
    """Return a sort key for the elements of one bucket, the same in every process."""
    if isinstance(value, frozenset):
        return repr([_label(each) for each in java_order(value)])
    return f"{value:x}" if isinstance(value, int) else repr(value)
