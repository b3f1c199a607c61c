"""The order in which FST writes the fields of a class, and which types are how.

Source: `FSTClazzInfo.defFieldComparator` of FST 2.57: booleans, other primitives, objects,
each by the simple name of their type, then by their own; superclasses' fields among them.
"""

from __future__ import annotations

from typing import Any

from pyredisson.codecs.java.schema import ClassSchema
from pyredisson.codecs.java_serialization.objects import erased

__all__ = ["field_order"]


def field_order(schema: ClassSchema) -> list[tuple[str, str, str]]:
    """Return attribute, name and type of all fields of a class in FST's order."""
    kept = [(owner, each) for owner, each in schema.all_fields() if not each.transient]

    def order(pair: Any) -> tuple[bool, bool, str, str, str]:
        owner, each = pair
        kind = each.type
        simple = erased(owner, each).rsplit(".", 1)[-1].rsplit("$", 1)[-1] + "[]" * kind.dimensions
        is_boolean = kind.primitive and kind.name == "boolean"
        return not is_boolean, not kind.primitive, simple, each.name, owner.class_name

    return [
        (each.attribute, each.name, erased(owner, each) + "[]" * each.type.dimensions)
        for owner, each in sorted(kept, key=order)
    ]
