"""The order in which FST writes the fields of a schema's class, and what stands above it.

Sources: `FSTClazzInfo` of FST 2.57, `defFieldComparator` for a class that it writes in one
piece (booleans, other primitives, objects, each by the simple name of their type, then by
their own; superclasses' fields among them) and `createFields` for one that it imitates Java
serialization for, as a class of the JDK above it asks: class by class, then by type only.
"""

from __future__ import annotations

from pyredisson.codecs.java.names import PRIMITIVES, jvm_name
from pyredisson.codecs.java.schema import ClassSchema, SchemaField
from pyredisson.codecs.java.supertypes import jdk_supertypes
from pyredisson.codecs.java_serialization.objects import erased
from pyredisson.codecs.refusal import Refusal

from .layouts import ABOVE, How, LevelLayout, Line

__all__ = ["field_order", "imitated_line", "level_fields"]


def field_order(schema: ClassSchema) -> list[tuple[str, str, str]]:
    """Return attribute, name and type of all fields of a class in FST's order.

    A primitive type is the JVM's letter.
    """
    kept = [(owner, each) for owner, each in schema.all_fields() if not each.transient]

    def order(pair: tuple[ClassSchema, SchemaField]) -> tuple[bool, bool, str, str, str]:
        owner, each = pair
        kind = _type(owner, each)
        simple = _simple(owner, each)
        return kind != "Z", len(kind) > 1, simple, each.name, owner.class_name

    return [
        (each.attribute, each.name, _type(owner, each)) for owner, each in sorted(kept, key=order)
    ]


def level_fields(schema: ClassSchema) -> list[tuple[str, str, str]]:
    """Return the same of the class's own fields, where FST imitates Java serialization."""
    kept = [each for each in schema.fields if not each.transient]

    def order(each: SchemaField) -> tuple[str, str, str]:
        kind = erased(schema, each) + "[]" * each.type.dimensions
        return _simple(schema, each), jvm_name(kind), each.name

    return [(each.attribute, each.name, _type(schema, each)) for each in sorted(kept, key=order)]


def imitated_line(schema: ClassSchema) -> Line | None:
    """Return the classes of the line where FST imitates Java serialization, else None.

    Raises:
        Refusal: it extends a class of the JDK of which FST writes what is not known here.
    """
    own: list[ClassSchema] = []
    each: ClassSchema | None = schema
    while each is not None:
        own.insert(0, each)
        each = each.parent
    above = own[0].extends.name if own[0].extends else "java.lang.Object"
    if above in ABOVE:
        return (*ABOVE[above], *map(_level, own))
    if "java.io.Serializable" in jdk_supertypes(above):
        raise Refusal(
            f"a {schema.class_name}, for what FST writes of a {above} is not known here",
            schema.class_name,
        )
    return None


def _level(schema: ClassSchema) -> LevelLayout:
    pairs = tuple((name, kind) for _, name, kind in level_fields(schema))
    return LevelLayout(schema.class_name, How.BARE, pairs)


def _type(owner: ClassSchema, field: SchemaField) -> str:
    name = erased(owner, field)
    if field.type.dimensions:
        return name + "[]" * field.type.dimensions
    return PRIMITIVES.get(name, name)


def _simple(owner: ClassSchema, field: SchemaField) -> str:
    name = erased(owner, field).rsplit(".", 1)[-1].rsplit("$", 1)[-1]
    return name + "[]" * field.type.dimensions
