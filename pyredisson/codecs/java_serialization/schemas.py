"""Schemas as `ObjectStreamClass` describes their classes.

The rule: fields without the transient ones, primitives first, each kind by name; the
serialVersionUID is what the schema says. Source: `java.io.ObjectStreamClass` of OpenJDK 17.
"""

from __future__ import annotations

from pyredisson.codecs.java.names import PRIMITIVES
from pyredisson.codecs.java.schema import ClassSchema, SchemaField
from pyredisson.codecs.java.supertypes import jdk_supertypes
from pyredisson.codecs.refusal import Refusal

from .descriptions import Description
from .objects import erased
from .throwables import THROWN

__all__ = ["described"]

_SERIALIZABLE = "java.io.Serializable"


def described(schema: ClassSchema) -> Description:
    """Describe a schema's class that is no enum; a record has the UID 0 unless it says one.

    Raises:
        Refusal: it or a superclass has no serialVersionUID, or it extends a class of the
            JDK that writes what is not known here.
    """
    uid = 0 if schema.kind == "record" else None
    if schema.serial_version_uid is not None:
        uid = schema.serial_version_uid
    if uid is None:
        message = f"{schema.class_name} is written with serial_version_uid only"
        raise Refusal(message, schema.class_name)
    own = [_field(schema, each) for each in schema.fields if not each.transient]
    own.sort(key=lambda each: (each[0] in "[L", each[1]))
    return Description(schema.class_name, uid, 2, tuple(own), _parent(schema))


def _parent(schema: ClassSchema) -> Description | None:
    if schema.parent is not None:
        return described(schema.parent)
    above = schema.extends.name if schema.extends else "java.lang.Object"
    if above not in THROWN and _SERIALIZABLE in jdk_supertypes(above):
        message = f"a {schema.class_name}, for what Java writes of a {above} is not known here"
        raise Refusal(message, schema.class_name)
    return THROWN.get(above)


def _field(schema: ClassSchema, field: SchemaField) -> tuple[str, str, str]:
    kind = field.type
    name = erased(schema, field)
    code = PRIMITIVES.get(name)
    if code is not None and not kind.dimensions:
        return code, field.name, ""
    element = code or f"L{name.replace('.', '/')};"
    return ("[" if kind.dimensions else "L"), field.name, "[" * kind.dimensions + element
