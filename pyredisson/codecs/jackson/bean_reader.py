"""Reads the objects of one class of the schemas.

If a field has a class name where Java would write none, it is read again with a lenient reader, and
the object is marked (`mismatch`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyredisson.java.arguments import bind
from pyredisson.java.schema import ClassSchema
from pyredisson.java.types import JavaType
from pyredisson.rejection import Rejection, reject_value

from .bean_introspection import comparing, computed_keys
from .mismatch import TypingMismatch
from .model import Model
from .other_jdk import EMPTY
from .parser import Members

__all__ = ["bean_reader"]

Read = Callable[[Any, int], Any]
Slot = Callable[[JavaType], Read]
_ZERO: dict[str, Any] = {"boolean": False, "char": "\0", "float": 0.0, "double": 0.0}
# Types whose values the JSON parser already returns as the right Python type.
_QUICK: dict[str, type] = {
    "java.lang.String": str,
    "boolean": bool,
    "java.lang.Boolean": bool,
    "double": float,
    "java.lang.Double": float,
}


def bean_reader(
    schema: ClassSchema, declared: JavaType, model: Model, slot: Slot, lenient: Slot, *, limit: int
) -> Read:
    """Return the reader of objects of a class; `slot` and `lenient` make those of its members."""
    name, cls = schema.class_name, schema.python
    properties = model.properties(schema, bind(schema, declared))
    plan = [
        (each.key, each.attribute, slot(each.type), _default_of(each.type)) for each in properties
    ]
    blank = {f.attribute: _default_of(f.type) for _, f in reversed(schema.all_fields())}
    computed = computed_keys(cls, properties, blank)
    types = {each.key: each.type for each in properties}
    known = {*types, "@class"} if model.rules.typing else set(types)
    derived = [each[:3] for each in plan if each[0] in computed]
    compare, covers = comparing(known, derived, model.rules), known.issuperset
    kinds = {key: _QUICK.get(type_.name) for key, type_ in types.items() if not type_.dimensions}
    stored = [each for each in plan if each[0] not in computed]
    steps = [(key, name, kinds.get(key), read, zero) for key, name, read, zero in stored]
    empties = [(p.key, p.attribute, EMPTY[p.type.name]) for p in properties if p.type.name in EMPTY]
    again = _lenient_fields(name, stored, types, lenient)
    new: Any = cls.__new__
    put, slotted = object.__setattr__, _slotted(cls)

    def read(tree: Any, depth: int) -> Any:
        if depth >= limit:
            raise Rejection(f"nested deeper than {limit}")
        tree = tree if isinstance(tree, dict) else _members(tree, name)
        depth += 1
        values = blank.copy()
        get = tree.get
        mismatch = None
        try:
            for key, attribute, kind, each, default in steps:
                found = get(key)
                if type(found) is kind:
                    values[attribute] = found
                else:
                    values[attribute] = default if found is None else each(found, depth)
        except TypingMismatch as error:
            mismatch = error.mark(repr(key))
            values |= again(tree, depth)
        except Rejection as error:
            error.place = error.place or f"{name}.{key}"
            raise
        for key, attribute, empty in empties:
            if values.get(attribute) is None and key in tree:
                values[attribute] = empty
        made = new(cls)
        if slotted:
            for attribute, value in values.items():
                put(made, attribute, value)
        else:
            made.__dict__.update(values)
        if derived or mismatch or not covers(tree):
            compare(made, tree, depth, mismatch)
        return made

    return read


def _lenient_fields(
    name: str, plan: list[tuple[str, str, Read, Any]], types: dict[str, JavaType], lenient: Slot
) -> Callable[[dict[str, Any], int], dict[str, Any]]:
    """Return the reader of attributes some of which have class names where none belong."""

    def again(tree: dict[str, Any], depth: int) -> dict[str, Any]:
        values = {}
        for key, attribute, read, default in plan:
            found = tree.get(key)
            try:
                try:
                    values[attribute] = default if found is None else read(found, depth)
                except TypingMismatch:
                    values[attribute] = lenient(types[key])(found, depth)
            except Rejection as error:
                error.place = error.place or f"{name}.{key}"
                raise
        return values

    return again


def _members(tree: Any, name: str) -> dict[str, Any]:
    if not isinstance(tree, Members):
        raise reject_value(tree, f"a {name}")
    return dict(tree)


def _default_of(declared: JavaType) -> Any:
    return _ZERO.get(declared.name, 0) if declared.primitive else None


def _slotted(cls: type) -> bool:
    return not hasattr(cls, "__dict__") or "__dict__" not in dir(cls)
