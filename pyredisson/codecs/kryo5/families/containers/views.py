"""Views of lists, and queues for which Kryo has only its default serializer.

Java cannot read most of its views, so the codec never writes them (`subclasses.old_wrapper`). Java
does read the `subList` of immutable lists, and the queues.
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
    """A collection with the rules of another class, `base`; `ordered`: it sorts its elements."""

    def __init__(
        self, class_name: str, registry: Classes, base: str, *, ordered: bool = False
    ) -> None:
        super().__init__(class_name, registry, base, lambda items: JList(class_name, items))
        self._ordered = ordered

    def sorts(self, value: Any) -> bool:
        return self._ordered


def old_queue(class_name: str, registry: Classes) -> Serializer:
    """Return a read-only serializer of a queue, for releases that could write but not read it."""
    return read_only(
        class_name, registry, "java.util.ArrayDeque", lambda items: JList(class_name, items)
    )
