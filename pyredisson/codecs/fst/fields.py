"""The order in which FST writes the fields of a schema class and of its superclasses.

The order is: booleans, other primitives, objects, each by the simple name of their type, then by
their own name. If FST writes an object in one piece, the fields of superclasses are among them. If
FST imitates Java serialization, it writes the fields class by class. Source:
`FSTClazzInfo.defFieldComparator` of FST 2.57.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pyredisson.codecs.java_serialization.class_hierarchy import check_written_by_fields, erased
from pyredisson.java.names import PRIMITIVES
from pyredisson.java.schema import ClassSchema, SchemaField
from pyredisson.java.supertypes import jdk_supertypes
from pyredisson.rejection import Rejection

from .layouts import ABOVE, ClassDataLayout, Hierarchy, How

__all__ = ["field_of", "field_order", "imitated_hierarchy", "own_fields"]

Pair = tuple[ClassSchema, SchemaField]
_IMITATED = {"readObject", "readResolve"}  # methods because of which FST imitates Java's stream


def field_order(schema: ClassSchema) -> list[tuple[str, str]]:
    """Return the attribute and type of all fields of a class in FST's order.

    A primitive type is the JVM's letter.
    """
    return [(each.attribute, _type(owner, each)) for owner, each in _sorted(schema.all_fields())]


def _sorted(fields: Iterable[Pair]) -> list[Pair]:
    def order(pair: Pair) -> tuple[bool, bool, str, str, str]:
        owner, each = pair
        kind = _type(owner, each)
        return kind != "Z", len(kind) > 1, _simple(owner, each), each.name, owner.class_name

    return sorted((pair for pair in fields if not pair[1].transient), key=order)


def imitated_hierarchy(schema: ClassSchema) -> Hierarchy | None:
    """Return the class hierarchy if FST imitates Java serialization, else None.

    Raises:
        Rejection: the class extends a JDK class whose FST data pyredisson does not know, or a
            method of its own writes its data.
    """
    own: list[ClassSchema] = []
    each: ClassSchema | None = schema
    while each is not None:
        check_written_by_fields(each)
        own.insert(0, each)
        each = each.parent
    above = own[0].extends.name if own[0].extends else "java.lang.Object"
    if above in ABOVE:
        return (*ABOVE[above], *map(_layout, own))
    if "java.io.Serializable" in jdk_supertypes(above):
        raise Rejection(
            f"a {schema.class_name}: what FST writes of a {above} is not known here",
            schema.class_name,
        )
    if any(_IMITATED.intersection(each.own_serialization) for each in own):
        return tuple(map(_layout, own))
    return None


def _layout(schema: ClassSchema) -> ClassDataLayout:
    pairs = _sorted((schema, each) for each in schema.fields)
    fields = tuple((each.name, _type(schema, each)) for _, each in pairs)
    return ClassDataLayout(schema.class_name, How.BARE, fields)


def _type(owner: ClassSchema, field: SchemaField) -> str:
    name = erased(owner, field)
    if field.type.dimensions:
        return name + "[]" * field.type.dimensions
    return PRIMITIVES.get(name, name)


def _simple(owner: ClassSchema, field: SchemaField) -> str:
    name = erased(owner, field).rsplit(".", 1)[-1].rsplit("$", 1)[-1]
    return name + "[]" * field.type.dimensions


def field_of(value: Any, attribute: str, schema: ClassSchema) -> Any:
    """Return an object's value in a field.

    Raises:
        Rejection: the object lacks the attribute.
    """
    try:
        return getattr(value, attribute)
    except AttributeError:
        raise Rejection(
            f"a {schema.class_name} lacks the attribute {attribute!r}; set it"
        ) from None


def own_fields(value: Any, schema: ClassSchema) -> dict[str, Any]:
    """Return the values of the fields of one class of the hierarchy, by name."""
    written = (each for each in schema.fields if not each.transient)
    return {each.name: field_of(value, each.attribute, schema) for each in written}
