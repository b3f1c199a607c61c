"""The schemas of a codec: collected from modules and classes, by JVM name."""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType
from typing import Any, TypeAlias

from .schema import ClassSchema, schema_of

__all__ = ["Schemas", "collect"]

Schemas: TypeAlias = ModuleType | Iterable[type | ModuleType] | None
"""What `collect` and the codecs take: a module, or classes and modules."""


def collect(schemas: Schemas) -> dict[str, ClassSchema]:
    """Return the schemas of modules and classes, and of their superclasses, by JVM name.

    Raises:
        TypeError: a class has no schema, or the module has no class with one.
    """
    if schemas is None:
        return {}
    given: Any = (schemas,) if isinstance(schemas, ModuleType) else schemas
    if isinstance(given, (type, str, bytes)) or not isinstance(given, Iterable):
        raise TypeError(f"schemas takes modules and classes, or one module, not {given!r}")
    classes: list[Any] = []
    for each in given:
        classes += _classes_in(each) if isinstance(each, ModuleType) else [each]
    found: dict[str, ClassSchema] = {}
    for cls in classes:
        schema = schema_of(cls) if isinstance(cls, type) else None
        if schema is None:
            name = getattr(cls, "__qualname__", repr(cls))
            raise TypeError(f"{name} has no schema; decorate it with java_class")
        above = [each for base in cls.__mro__ if (each := schema_of(base)) is not None]
        found.update((each.class_name, each) for each in above)
    return found


def _classes_in(module: ModuleType) -> list[type]:
    classes = [each for each in vars(module).values() if isinstance(each, type)]
    if not (found := [each for each in classes if schema_of(each) is not None]):
        raise TypeError(f"the module {module.__name__} has no class with a schema")
    return found
