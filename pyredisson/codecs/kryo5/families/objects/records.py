"""Bodies of records: the components sorted by name, without any type arguments.

A component of a primitive type or of a final class has no header; all others have one. Source:
Kryo's `RecordSerializer`, the same from 5.3.0 to 5.6.2.
"""

from __future__ import annotations

from pyredisson.codecs.kryo5.kernel.classes import Classes
from pyredisson.java.schema import ClassSchema

from .bodies import ObjectSerializer
from .fields import Field, KnownField, OpenField, PrimitiveField, UnknownField, erase

__all__ = ["RecordSerializer"]


class RecordSerializer(ObjectSerializer):
    """A record that has a schema."""

    def __init__(self, schema: ClassSchema, registry: Classes) -> None:
        super().__init__(schema, registry)
        self.variables = False  # even if its position has type arguments

    def _fields(self) -> list[Field]:
        return [self._field(owner, each.name) for owner, each in self._written]

    def _field(self, owner: ClassSchema, name: str) -> Field:
        declared = next(each.type for each in owner.fields if each.name == name)
        if declared.primitive:
            return PrimitiveField(name, self._registry.primitive(declared.name))
        erased = erase(owner, declared)
        final = self._registry.final(erased)
        if final is None:
            return UnknownField(name, erased)
        if final:
            return KnownField(name, self._registry.known(erased), None)
        return OpenField(name, erased, None, self._registry)
