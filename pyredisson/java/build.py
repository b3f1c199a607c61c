"""Builds collections and maps from decoded elements, and returns the elements to encode.

`ArrayList` and `HashMap` become a plain `list` and `dict`. A set becomes a `JSet`, which keeps
Java's order. Any other class becomes a `JList` or `JMap` that names it. A `HashMap` becomes a
`JMap` if filling one in that order would give another order. If Python cannot hash an element, or
treats two as equal, the value becomes a `JList` or `JEntries` of the same class. Only a `JMap` has
Java's order; another `dict` is sorted when it is written.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pyredisson.rejection import Rejection, reject_value

from .containers import JEntries, JList, JMap, JSet
from .hashing import put_order
from .jdk import CONTAINERS, Kind
from .map_orders import map_order, set_order

__all__ = [
    "check_nulls",
    "check_size",
    "entries_of",
    "items_of",
    "keep_order",
    "make_collection",
    "make_map",
]

_HASH_MAP = "java.util.HashMap"
_ORDER = "__java_order__"
"""The attribute for Java's order in an object of an application's class that extends a set or
map."""


def make_collection(class_name: str, items: list[Any], comparator: Any = None) -> Any:
    """Return the elements as a collection of this class, in its order."""
    if class_name == "java.util.ArrayList":
        return items
    if CONTAINERS[class_name].kind is Kind.SET:
        try:
            found: JSet[Any] = JSet(class_name, items, comparator)
        except TypeError:  # an element is a list, a dict or a set
            return JList(class_name, items, comparator)
        if len(found) == len(items):
            return found
    return JList(class_name, items, comparator)


def make_map(class_name: str, entries: list[tuple[Any, Any]], comparator: Any = None) -> Any:
    """Return the entries as a map of this class, in its order."""
    try:
        found = dict(entries)
    except TypeError:  # a key is a list, a dict or a set
        return JEntries(class_name, entries, comparator)
    if len(found) != len(entries):
        return JEntries(class_name, entries, comparator)
    if class_name == _HASH_MAP and (len(found) < 2 or put_order(list(found)) is None):
        return found
    return JMap(class_name, found, comparator)


def keep_order(found: Any, content: Any) -> Any:
    """Store the order in an object of a class that extends a set or map; return the object.

    Raises:
        Rejection: the class has no attribute for it.
    """
    unlike_dict = isinstance(content, JMap) and content.class_name != "java.util.LinkedHashMap"
    if unlike_dict or isinstance(found, set):
        try:
            object.__setattr__(found, _ORDER, tuple(content))
        except AttributeError:
            raise Rejection(
                f"{type(found).__qualname__} has __slots__ without {_ORDER}, so the order of its "
                "elements cannot be stored"
            ) from None
    return found


def _kept_order(value: Any) -> list[Any] | None:
    """Return the elements or keys in the stored order; None if they changed."""
    order = getattr(value, _ORDER, None)
    if order is None or len(order) != len(value) or not all(each in value for each in order):
        return None
    return list(order)


def check_nulls(values: Iterable[Any], class_name: str) -> None:
    """Reject a null if the Java class does not permit it.

    Immutable lists are exempt, because JSON encodes an `Integer[]` with nulls like one.
    """
    container = CONTAINERS[class_name]
    spared = container.nulls or (container.final and container.kind is not Kind.MAP)
    if not spared and any(each is None for each in values):
        raise Rejection(f"a {class_name} takes no null")


def items_of(value: Any, class_name: str, element: str = "") -> list[Any]:
    """Return the elements of a collection in the order in which Java would write them.

    `element` is the class of plain elements, if their position fixes it.

    Raises:
        Rejection: the value is not a collection, has another size than the class permits, or has a
            null that the class does not permit.
    """
    if isinstance(value, (list, JSet)):
        items = list(value)
    elif isinstance(value, (set, frozenset)):
        kept = _kept_order(value)
        items = set_order(class_name, value, element) if kept is None else kept
    else:
        raise reject_value(value, f"a {class_name}")
    check_size(items, class_name)
    check_nulls(items, class_name)
    return items


def entries_of(value: Any, class_name: str, key: str = "") -> list[tuple[Any, Any]]:
    """Return the entries of a map in the order in which Java would write them.

    `key` is the class of plain keys, if their position fixes it.

    Raises:
        Rejection: as in `items_of`, for a map.
    """
    if isinstance(value, dict):
        kept = None if type(value) is dict else _kept_order(value)
        entries = list(value.items()) if kept is None else [(each, value[each]) for each in kept]
        if len(entries) > 1 and kept is None and not isinstance(value, JMap):
            order = map_order(class_name, list(value), key)
            if order is not None:
                entries = [entries[each] for each in order]
    elif isinstance(value, JEntries):
        entries = list(value)
    else:
        raise reject_value(value, f"a {class_name}")
    check_size(entries, class_name)
    check_nulls((part for entry in entries for part in entry), class_name)
    return entries


def check_size(items: list[Any], class_name: str) -> None:
    """Reject a size that the class cannot have, for example 2 in a `singletonList`."""
    container = CONTAINERS[class_name]
    if container.size is not None and len(items) != container.size:
        raise Rejection(f"a {class_name} has {container.size} elements, not {len(items)}")
