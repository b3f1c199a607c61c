"""Plain values whose class comes from type arguments: `5` in a `List<Long>` is a Long.

Java's streams contain the class of each element, and Java does not check it against the field. But
a Java lookup does not find an Integer key in a `Map<Long, ...>`. A value that has a class of its
own keeps it (Java's own lists may hold elements that their type forbids). The elements of a
container get their classes when it is written, from the first declared type under which it occurs.
The container stays the same object, so one that occurs twice is still written once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from typing import Any

from pyredisson.java.arguments import bind, seen_as, substitute
from pyredisson.java.classes import class_of
from pyredisson.java.coerce import coerce
from pyredisson.java.containers import JEntries, JSet
from pyredisson.java.scalars import JByte, JChar, JDouble, JFloat, JInt, JLong, JShort
from pyredisson.java.schema import ClassSchema, SchemaField, schema_of
from pyredisson.java.types import JavaType, Wildcard
from pyredisson.java.values import JValue

from .boxes import CODES, pack_primitive
from .schemas import fits

__all__ = ["Typed"]

_BOXES: dict[str, Callable[[Any], Any]] = {
    each.class_name: each for each in (JByte, JChar, JDouble, JFloat, JInt, JLong, JShort)
}
_HOLDERS = {"java.util.Optional", "java.util.concurrent.atomic.AtomicReference"}
_PLAIN = {bool, int, float, str}
_WRAPPERS = "java.util.Collections$"


class Typed:
    """The types with arguments under which the objects of one message first occur."""

    def __init__(self, keep: Callable[[Any], Any]) -> None:
        self._keep = keep
        self._declared: dict[int, JavaType] = {}

    def member(
        self, value: Any, schema: ClassSchema, owner: ClassSchema, field: SchemaField, found: Any
    ) -> Any:
        """Return an object's value in a field of `owner`, a class of its hierarchy.

        Raises:
            Rejection: the value does not fit the type arguments.
        """
        declared, mine = self._declared.get(id(value)), seen_as(schema, owner.class_name)
        bound = {} if declared is None else bind(schema, declared)
        arguments = () if mine is None else mine.arguments
        inside = {
            name: substitute(each, bound)
            for name, each in zip(owner.variables, arguments, strict=False)
        }
        return self._coerced(substitute(field.type, inside), found)

    def elements(self, value: Any) -> Any:
        """Return a container with its elements converted as its type arguments require."""
        declared = self._declared.get(id(value))
        if declared is None or schema_of(type(value)) is not None:
            return value
        if isinstance(value, JValue):
            return self._parts(value, declared)
        types = (declared.component,) if declared.dimensions else declared.arguments
        if len(types) == 2 and isinstance(value, (dict, JEntries)):
            key, inside = types
            entries = list(value.items() if isinstance(value, dict) else value)
            items = [
                (self._coerced(key, one), self._coerced(inside, other)) for one, other in entries
            ]
            pairs = zip(entries, items, strict=True)
            changed = any(old[0] is not new[0] or old[1] is not new[1] for old, new in pairs)
            return self._keep(_rebuilt(value, items)) if changed else value
        if len(types) == 1 and isinstance(value, (list, set, frozenset)):
            items = [self._coerced(types[0], each) for each in value]
            return value if _same(value, items) else self._keep(_rebuilt(value, items))
        return value

    def _parts(self, value: JValue, declared: JavaType) -> JValue:
        if value.class_name in _HOLDERS:
            declared = declared.arguments[0]
        elif not value.class_name.startswith(_WRAPPERS):
            return value
        parts = [self._coerced(declared, each) for each in value.parts]
        return value if _same(value.parts, parts) else self._keep(JValue(value.class_name, *parts))

    def _coerced(self, declared: JavaType, value: Any) -> Any:
        if value is None or declared.wildcard is Wildcard.SUPER or declared.primitive:
            return value
        name = declared.name
        if not declared.dimensions:
            if name in CODES:
                if type(value) not in _PLAIN or class_of(value) == name:
                    return value
                pack_primitive(value, CODES[name])
                return self._keep(_BOXES[name](value))
            if not fits(value, name):
                enum = declared.arguments[0].name if declared.arguments else None
                found = coerce(name, value, enum)
                value = value if found is None else found
        if declared.arguments:
            self._declared.setdefault(id(self._keep(value)), declared)
        return value


def _same(before: Iterable[Any], after: list[Any]) -> bool:
    return all(one is other for one, other in zip(before, after, strict=True))


def _rebuilt(value: Any, items: list[Any]) -> Any:
    """Return a container of the same class with other elements."""
    if isinstance(value, JSet):
        return JSet(value.class_name, items, value.comparator)
    if isinstance(value, (set, frozenset)):
        return type(value)(items)
    made = copy(value)
    if isinstance(value, dict):
        made.clear()
        made.update(items)
    else:
        made[:] = items
    return made
