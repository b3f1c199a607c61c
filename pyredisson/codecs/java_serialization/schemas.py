"""Describes schema classes as `ObjectStreamClass` does, and checks which values fit a field.

A description has the fields without the transient ones: primitives first, each kind by name. The
serialVersionUID is the schema's. Source: `java.io.ObjectStreamClass` of OpenJDK 17.
"""

from __future__ import annotations

from typing import Any

from pyredisson.java.classes import class_of
from pyredisson.java.names import PRIMITIVES, array_class
from pyredisson.java.objects import JavaObject, JavaValue
from pyredisson.java.schema import ClassSchema, SchemaField, schema_of
from pyredisson.java.supertypes import jdk_supertypes
from pyredisson.rejection import Rejection

from .class_data_writers import CLASS_DATA_WRITERS
from .class_hierarchy import check_written_by_fields, erased
from .descriptions import KNOWN, Description
from .throwables import THROWN

__all__ = ["described", "fits", "serialized"]

_SERIALIZABLE = "java.io.Serializable"


def described(schema: ClassSchema) -> Description:
    """Return the description of a class that is not an enum; a record's UID is 0 by default.

    Raises:
        Rejection: the class or a superclass has no serialVersionUID, it extends a JDK class whose
            data pyredisson does not know, or a method of its own decides what Java writes.
    """
    check_written_by_fields(schema)
    uid = 0 if schema.kind == "record" else None
    if schema.serial_version_uid is not None:
        uid = schema.serial_version_uid
    if uid is None:
        message = f"{schema.class_name} lacks the serial_version_uid that its bytes need"
        raise Rejection(message, schema.class_name)
    own = [_field(schema, each) for each in serialized(schema)]
    own.sort(key=lambda each: (each[0] in "[L", each[1]))
    return Description(schema.class_name, uid, 2, tuple(own), _parent(schema))


def serialized(schema: ClassSchema) -> list[SchemaField]:
    """Return the fields that Java serializes, including an inner class's outer object."""
    found = [each for each in schema.fields if not each.transient]
    return found if schema.outer is None else [schema.outer, *found]


def _parent(schema: ClassSchema) -> Description | None:
    if schema.parent is not None:
        return described(schema.parent)
    above = schema.extends.name if schema.extends else "java.lang.Object"
    found = THROWN.get(above) or (KNOWN[above] if above in CLASS_DATA_WRITERS else None)
    if found is None and _SERIALIZABLE in jdk_supertypes(above):
        message = f"a {schema.class_name}: what Java writes for a {above} is not known here"
        raise Rejection(message, schema.class_name)
    return found


def _field(schema: ClassSchema, field: SchemaField) -> tuple[str, str, str]:
    kind = field.type
    name = erased(schema, field)
    code = PRIMITIVES.get(name)
    if code is not None and not kind.dimensions:
        return code, field.name, ""
    element = code or f"L{name.replace('.', '/')};"
    return ("[" if kind.dimensions else "L"), field.name, "[" * kind.dimensions + element


def fits(value: Any, kind: str) -> bool:  # noqa: PLR0911 - one rule after another
    """Return whether a value fits a field that Java's source declares with this type."""
    if kind in {"java.lang.Object", "java.io.Serializable"}:
        return True
    if isinstance(value, JavaValue):
        return kind in {value.class_name, "java.lang.Enum", "java.lang.Comparable"}
    if isinstance(value, JavaObject):
        return kind in jdk_supertypes(value.class_name)
    schema = schema_of(type(value))
    if schema is None:
        name = class_of(value)
        if kind.endswith("[]"):
            return name == array_class(kind[:-2])
        return kind in jdk_supertypes(name)
    if kind in schema.interfaces:
        return True
    each: ClassSchema | None = schema
    while each is not None:
        above = jdk_supertypes(each.extends.name) if each.extends else frozenset[str]()
        if kind == each.class_name or kind in above - {each.class_name}:
            return True
        each = each.parent
    return kind in {"java.lang.Enum", "java.lang.Comparable"} and schema.kind == "enum"
