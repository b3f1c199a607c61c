"""The schemas of a codec: collected from modules and classes, by JVM name; and its root classes."""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType
from typing import Any, TypeAlias

from .schema import ClassSchema, schema_of

__all__ = ["Root", "Schemas", "collect", "roots_of"]

Schemas: TypeAlias = ModuleType | Iterable[type | ModuleType] | None
"""What `collect` and the codecs take: a module, or classes and modules."""

Root: TypeAlias = type | Iterable[type] | None
"""What `root=` of a codec takes: a class, or several."""


def roots_of(root: Root) -> tuple[type, ...]:
    """Return the classes of a codec's `root=`; none if every value may be written.

    Raises:
        TypeError: it is neither a class nor several classes.
    """
    if root is None:
        return ()
    given: Any = (root,) if isinstance(root, type) else root
    roots = tuple(given) if isinstance(given, Iterable) else ()
    if not roots or not all(isinstance(each, type) for each in roots):
        raise TypeError(f"root takes a class, or a tuple or list of classes, not {root!r}")
    return roots


def collect(schemas: Schemas, roots: tuple[type, ...] = ()) -> dict[str, ClassSchema]:
    """Return the schemas of modules and classes, and of their superclasses, by JVM name.

    The classes in `roots` may have no schema.

    Raises:
        TypeError: a class has no schema, or the module has no class with one.
    """
    given: Any = () if schemas is None else schemas
    if isinstance(given, ModuleType):
        given = (given,)
    if isinstance(given, (type, str, bytes)) or not isinstance(given, Iterable):
        raise TypeError(f"schemas takes modules and classes, or one module, not {given!r}")
    classes: list[Any] = []
    for each in given:
        classes += _classes_in(each) if isinstance(each, ModuleType) else [each]
    for cls in classes:
        if not isinstance(cls, type) or schema_of(cls) is None:
            name = getattr(cls, "__qualname__", repr(cls))
            raise TypeError(f"{name} has no schema; decorate it with java_class")
    found: dict[str, ClassSchema] = {}
    for cls in (*classes, *roots):
        above = [each for base in cls.__mro__ if (each := schema_of(base)) is not None]
        found.update((each.class_name, each) for each in above)
    return found


def _classes_in(module: ModuleType) -> list[type]:
    classes = [each for each in vars(module).values() if isinstance(each, type)]
    if not (found := [each for each in classes if schema_of(each) is not None]):
        raise TypeError(f"the module {module.__name__} has no class with a schema")
    return found
