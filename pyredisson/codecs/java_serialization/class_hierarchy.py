"""The class hierarchy of a schema, for Java's streams.

Python cannot write a class whose own methods decide what Java writes, because it cannot run them.
Methods that only read (`readObject`, `readResolve`) do not change the bytes of Java's own stream
and of JBoss River.
"""

from __future__ import annotations

from pyredisson.java.schema import ClassSchema, SchemaField
from pyredisson.rejection import Rejection

__all__ = ["base_of", "check_written_by_fields", "erased"]

_EXTERNALIZABLE = "java.io.Externalizable"
_WRITES = ("writeObject", "writeReplace", "writeExternal")
_OF_RECORDS = ("writeReplace",)


def erased(owner: ClassSchema, field: SchemaField) -> str:
    """Return the erased class of a field's type, without dimensions."""
    kind = field.type
    return owner.variables[kind.name].name if kind.variable else kind.name


def base_of(schema: ClassSchema) -> str:
    """Return the superclass of the topmost class that has a schema."""
    while schema.parent is not None:
        schema = schema.parent
    return schema.extends.name if schema.extends is not None else "java.lang.Object"


def check_written_by_fields(schema: ClassSchema) -> None:
    """Check that Java writes only the fields of a class.

    Raises:
        Rejection: a method of the class decides what Java writes.
    """
    own = set(schema.own_serialization)
    if _EXTERNALIZABLE in schema.interfaces:
        own.add("writeExternal")
    for each in _OF_RECORDS if schema.kind == "record" else _WRITES:
        if each in own:
            raise Rejection(
                f"a {schema.class_name}, whose own {each}() decides what Java writes: Python "
                "cannot run it. Send a class without it, or use Kryo5Codec or a JSON codec, which "
                "do not call it",
                schema.class_name,
            )
