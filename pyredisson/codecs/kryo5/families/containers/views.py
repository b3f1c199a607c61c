"""Bodies of the JDK's views of lists and maps, and of queues that only Kryo's defaults know.

All are plain containers under names of their own. Java cannot read most of them, so they
are only read here; it reads the immutable lists' `subList` and the queues.
"""

from __future__ import annotations

from typing import Any

from pyredisson.codecs.kryo5.kernel.classes import Classes
from pyredisson.codecs.kryo5.kernel.serializer import Serializer
from pyredisson.java.containers import JList
from pyredisson.java.views import QUEUES, SUB_LIST, VIEWS

from .bodies import CollectionSerializer
from .subclasses import old_wrapper, read_only

__all__ = ["view_serializer"]

_SORTED = "java.util.concurrent.PriorityBlockingQueue"


class _View(CollectionSerializer):
    """A collection of another class than its rules are of."""

    def sorts(self, value: Any) -> bool:
        return self.class_name == _SORTED


def view_serializer(class_name: str, registry: Classes) -> Serializer | None:
    """Return the serializer of a view or queue; None for all other classes."""
    kind = VIEWS.get(class_name)
    if kind is not None:
        return old_wrapper(class_name, kind, registry)
    if class_name != SUB_LIST and class_name not in QUEUES:
        return None

    def build(items: list[Any]) -> JList[Any]:
        return JList(class_name, items)

    if class_name == SUB_LIST:
        return _View(class_name, "java.util.ImmutableCollections$ListN", registry, build)
    if not registry.release.constructors:
        return read_only(class_name, "java.util.ArrayDeque", registry, build)
    return _View(class_name, "java.util.ArrayDeque", registry, build)
