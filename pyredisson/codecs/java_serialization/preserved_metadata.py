"""Preserved metadata: what a stream has beside a value's elements, so that it can be written again.

The room in a Vector or a StringBuilder, the bound of a queue, the array behind `Arrays.asList`, the
order of an enum that has no schema. The values are equal to those without it, and have the same
repr.
"""

from __future__ import annotations

from typing import Any

from pyredisson.java.containers import JList, JMap, JSet
from pyredisson.java.values import JEnumSet, JText

__all__ = [
    "LOST",
    "PreservedEnumSet",
    "PreservedList",
    "PreservedMap",
    "PreservedSet",
    "PreservedText",
    "old_table",
]


LOST = "__java_lost__"
"""The attribute for what the message has of the class, but not its schema."""


class PreservedList(JList[Any]):
    """A list whose class has `room` for more, or an array of this `component` inside."""

    __slots__ = ("component", "room")
    component: str
    room: int


class PreservedSet(JSet[Any]):
    """A HashSet with a table of another size: load factor and capacity."""

    __slots__ = ("room",)
    room: tuple[float, int]


class PreservedMap(JMap[Any, Any]):
    """A HashMap or Hashtable with a table of another size: load factor, threshold, capacity."""

    __slots__ = ("room",)
    room: tuple[float, int, int]


class PreservedText(JText):
    """A StringBuilder or StringBuffer with `room` for more."""

    room: int


class PreservedEnumSet(JEnumSet[Any]):
    """An EnumSet as it was read: in its enum's order."""

    __slots__ = ("order",)
    order: tuple[Any, ...]


def old_table(count: int) -> tuple[int, int]:
    """Return the capacity and threshold of a Hashtable after `count` entries were put."""
    capacity = 11
    while count > capacity * 3 // 4:
        capacity = 2 * capacity + 1
    return capacity, capacity * 3 // 4
