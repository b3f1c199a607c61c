"""Binds the type variables of the application's classes where a type is declared.

In a field `Crate<Long>` the variable `T` of a Crate is Long, and also in each `LongCrate extends
Crate<Long>`. The bindings are those of Java's compiler. A type that the compiler does not know is
Object.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from .schema import ClassSchema
from .types import OBJECT, JavaType

__all__ = ["Bindings", "bind", "seen_as", "substitute"]

Bindings = Mapping[str, JavaType]


def bind(schema: ClassSchema, declared: JavaType) -> dict[str, JavaType]:
    """Return the types of a runtime class's variables where this type is declared."""
    mine = seen_as(schema, declared.name)
    if mine is None:
        return {}
    found: dict[str, JavaType] = {}
    if len(mine.arguments) == len(declared.arguments):
        for pattern, argument in zip(mine.arguments, declared.arguments, strict=True):
            _unify(pattern, argument, found)
    return found


def seen_as(schema: ClassSchema, name: str) -> JavaType | None:
    """Return the superclass with this name and its arguments, in terms of the class's variables."""
    mine = JavaType(
        schema.class_name, tuple(JavaType(each, variable=True) for each in schema.variables)
    )
    above: ClassSchema | None = schema
    while above is not None and mine.name != name:
        if above.extends is None:
            return None
        bindings = dict(zip(above.variables, mine.arguments, strict=False))
        parent = above.parent
        extends = above.extends
        if parent is not None and len(extends.arguments) != len(parent.variables):
            extends = replace(extends, arguments=(OBJECT,) * len(parent.variables))
        mine = substitute(extends, bindings)
        above = parent
    return None if above is None else mine


def substitute(declared: JavaType, bindings: Bindings) -> JavaType:
    """Replace the variables of a type; an unbound one becomes Object."""
    if declared.variable:
        found = bindings.get(declared.name, OBJECT)
        return replace(found, dimensions=found.dimensions + declared.dimensions)
    arguments = tuple(substitute(each, bindings) for each in declared.arguments)
    return replace(declared, arguments=arguments)


def _unify(pattern: JavaType, argument: JavaType, found: dict[str, JavaType]) -> None:
    if pattern.variable and not pattern.dimensions:
        found.setdefault(pattern.name, argument)
    elif pattern.name == argument.name and len(pattern.arguments) == len(argument.arguments):
        for inner, outer in zip(pattern.arguments, argument.arguments, strict=True):
            _unify(inner, outer, found)
