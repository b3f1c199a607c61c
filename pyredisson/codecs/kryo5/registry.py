"""Which serializer belongs to a class name, to a registered id and to a value.

The rule: the table decides. A name that is not in it (or is not an array of such)
is refused with what to do about it; nothing is imported by name.
"""

from __future__ import annotations

from typing import Any

from pyredisson.codecs.java.classes import class_of
from pyredisson.codecs.java.jdk import element_class
from pyredisson.codecs.java.names import component_of
from pyredisson.codecs.refusal import Refusal

from .arrays import array_serializer
from .containers import CONTAINER_SERIALIZERS
from .scalars import SCALARS
from .serializer import Serializer

__all__ = ["Registry"]

# The ids that every Kryo 5 starts with; a primitive shares its wrapper's.
_IDS = ["Integer", "String", "Float", "Boolean", "Byte", "Character", "Short", "Long", "Double"]


class Registry:
    """The classes that one codec knows."""

    def __init__(self) -> None:
        known = (*SCALARS, *CONTAINER_SERIALIZERS)
        self.ids = {f"java.lang.{name}": number for number, name in enumerate(_IDS)}
        self._by_name = {each.class_name: each for each in known}
        self._by_id = [self._by_name[name] for name in self.ids]

    def by_id(self, number: int) -> Serializer:
        """Return the serializer of a registered class."""
        if number >= len(self._by_id):
            raise Refusal(
                f"class id {number} is not registered; is the Java codec made with allowedClasses?"
            )
        return self._by_id[number]

    def by_name(self, class_name: str) -> Serializer:
        """Return the serializer of a class by the JVM's name of it.

        Raises:
            Refusal: with the class name, if nothing here describes it.
        """
        found = self._by_name.get(class_name)
        if found is not None:
            return found
        component = component_of(class_name)
        array = array_serializer(component, self) if component else None
        if array is None:
            name = element_class(component) if component else class_name
            raise Refusal(
                f"the Java class {name} is not known here, and Kryo cannot skip a value; "
                "register a schema for it, or let Java send a String, number, list or map",
                name,
            )
        self._by_name[class_name] = array
        return array

    def of(self, value: Any) -> Serializer:
        """Return the serializer of a value that is not None."""
        return self.by_name(class_of(value))
