"""Decides by the schemas and the JDK's tables which class is final, and which fits a field."""

from __future__ import annotations

from collections.abc import Mapping

from pyredisson.java.names import PRIMITIVES, component_of, jvm_name
from pyredisson.java.schema import ClassSchema
from pyredisson.java.supertypes import jdk_final, jdk_supertypes

from .families.custom import Serializer

__all__ = ["TypeTree", "looks_throwable"]

_OF_ARRAYS = {"java.lang.Object", "java.io.Serializable", "java.lang.Cloneable"}
_KINDS = {"enum": "java.lang.Enum", "record": "java.lang.Record"}


def looks_throwable(class_name: str) -> bool:
    """Return whether the name of an unknown class is that of an exception.

    Only the stream of its value can confirm it.
    """
    return class_name.endswith(("Exception", "Error")) and class_name[0] != "["


class TypeTree:
    """The types of one codec."""

    def __init__(
        self,
        schemas: Mapping[str, ClassSchema],
        enums: Mapping[str, ClassSchema],
        custom: Mapping[str, Serializer],
    ) -> None:
        self._schemas = schemas
        self._enums = enums
        self._custom = custom
        self._supertypes: dict[str, frozenset[str]] = {}

    def final(self, class_name: str) -> bool | None:
        """Return whether a class is final (an array: by its element); None if it is unknown."""
        component = component_of(class_name)
        if component is not None:
            return self.final(component.rstrip("[]"))
        if class_name in self._custom:
            return self._custom[class_name].final
        if class_name in self._schemas:
            return self._schemas[class_name].final
        if class_name in self._enums or class_name in PRIMITIVES:
            return True
        return jdk_final(class_name)

    def accepts(self, declared: str, class_name: str) -> bool:
        """Return whether a value of this class fits a field of the declared class."""
        if declared in {class_name, "java.lang.Object"}:
            return True
        component = component_of(class_name)
        if component is None:
            return declared in self.supertypes(class_name)
        wanted = component_of(declared)
        if wanted is None:
            return declared in _OF_ARRAYS
        if wanted in PRIMITIVES or component in PRIMITIVES:
            return False
        return self.accepts(jvm_name(wanted), jvm_name(component))

    def supertypes(self, class_name: str) -> frozenset[str]:
        """Return a class and all its supertypes."""
        found = self._supertypes.get(class_name)
        if found is None:
            self._supertypes[class_name] = found = self._collect(class_name)
        return found

    def _collect(self, class_name: str) -> frozenset[str]:
        if class_name in self._custom:
            own = {class_name, *self._custom[class_name].supertypes}
            return frozenset(own.union(*map(jdk_supertypes, own)))
        schema = self._enums.get(class_name) or self._schemas.get(class_name)
        if schema is None:
            found = jdk_supertypes(class_name)
            if len(found) == 2 and looks_throwable(class_name):
                found |= jdk_supertypes("java.lang.Throwable")
                if class_name.endswith("Exception"):
                    found |= {"java.lang.Exception"}
            return found
        above = [schema.class_name, *schema.interfaces]
        if schema.kind in _KINDS:
            above.append(_KINDS[schema.kind])
        if schema.extends is not None:
            above.append(schema.extends.name)
        others = [self.supertypes(each) for each in above if each != class_name]
        return jdk_supertypes(class_name).union(*others)
