"""What a stream says beside a value's elements, kept so that it is written again.

The room in a Vector or a StringBuilder, the bound of a queue, the array behind
`Arrays.asList`, the order of an enum that has no schema. The rule: the values equal those
that lack it, and print alike.
"""

from __future__ import annotations

from typing import Any

from pyredisson.codecs.java.containers import JList
from pyredisson.codecs.java.values import JEnumSet, JText

__all__ = ["ORDER", "KeptEnumSet", "KeptList", "KeptText"]


ORDER = "__java_order__"
"""The attribute in which a set of an application's class keeps Java's order."""


class KeptList(JList[Any]):
    """A list whose class has `room` for more, or an array of this `component` inside."""

    __slots__ = ("component", "room")
    component: str
    room: int


class KeptText(JText):
    """A StringBuilder or StringBuffer with `room` for more."""

    room: int


class KeptEnumSet(JEnumSet[Any]):
    """An EnumSet as it was read: in its enum's order."""

    __slots__ = ("order",)
    order: tuple[Any, ...]
