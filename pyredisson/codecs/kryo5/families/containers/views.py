"""Views of lists, and queues that only Kryo's defaults know: containers under names of their own.

Java cannot read most of its views, so they are only read here (`subclasses.old_wrapper`);
it reads the immutable lists' `subList` and the queues.
"""

from __future__ import annotations

from typing import Any

from pyredisson.codecs.kryo5.kernel.classes import Classes
from pyredisson.codecs.kryo5.kernel.serializer import Serializer
from pyredisson.java.containers import JList

from .bodies import CollectionSerializer
from .subclasses import read_only

__all__ = ["View", "old_queue"]


class View(CollectionSerializer):
    """A collection of another class than its rules are of; `ordered` if it sorts by itself."""

    def __init__(
        self, class_name: str, registry: Classes, base: str, *, ordered: bool = False
    ) -> None:
        super().__init__(class_name, registry, base, lambda items: JList(class_name, items))
        self._ordered = ordered

    def sorts(self, value: Any) -> bool:
        return self._ordered


def old_queue(class_name: str, registry: Classes) -> Serializer:
    """Return what reads a queue of releases whose Java could only write it."""
    return read_only(
        class_name, registry, "java.util.ArrayDeque", lambda items: JList(class_name, items)
    )
