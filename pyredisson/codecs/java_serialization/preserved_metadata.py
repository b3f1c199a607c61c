"""Preserved metadata: what a stream has in addition to a value's elements, to write it again.

Examples are the capacity of a Vector, StringBuilder or queue, the array behind `Arrays.asList`, and
the order of an enum without a schema. The values are equal to those without metadata, and have the
same repr. `sharing` has those of strings and numbers.
"""

from __future__ import annotations

from typing import Any

from pyredisson.java.containers import JArray, JEntries, JList, JMap, JSet
from pyredisson.java.values import JEnumSet, JText

__all__ = [
    "LOST",
    "PreservedEntries",
    "PreservedEnumSet",
    "PreservedList",
    "PreservedMap",
    "PreservedSet",
    "PreservedText",
    "old_table",
]


LOST = "__java_lost__"
"""The attribute that describes how the message's class differs from the schema."""


class PreservedList(JList[Any]):
    """A list with the capacity `room`, over this `array`, or the `nullable` `Stream.toList()`."""

    __slots__ = ("array", "nullable", "room")
    array: JArray[Any]
    nullable: bool
    room: int


class PreservedSet(JSet[Any]):
    """A HashSet with a table of another size; `room` is load factor and capacity."""

    __slots__ = ("room",)
    room: tuple[float, int]


class PreservedMap(JMap[Any, Any]):
    """A HashMap or Hashtable with another table; `room` is load factor, threshold, capacity.

    `access_order`: a LinkedHashMap in the order of its last accesses.
    """

    __slots__ = ("access_order", "room")
    access_order: bool
    room: tuple[float, int, int]


class PreservedEntries(JEntries[Any, Any]):
    """A LinkedHashMap in the order of its last accesses, with keys that no dict can hold."""

    __slots__ = ("access_order",)
    access_order: bool


class PreservedText(JText):
    """A StringBuilder or StringBuffer with room for `room` chars, or a URI with its `string`."""

    room: int
    string: str


class PreservedEnumSet(JEnumSet[Any]):
    """An EnumSet that was read; `order` has its elements in the enum's order."""

    __slots__ = ("order",)
    order: tuple[Any, ...]


def old_table(count: int) -> tuple[int, int]:
    """Return the capacity and threshold of a Hashtable after `count` entries were put."""
    capacity = 11
    while count > capacity * 3 // 4:
        capacity = 2 * capacity + 1
    return capacity, capacity * 3 // 4
