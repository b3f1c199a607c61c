"""Readers of values with a declared Java type: fields, elements of `List<X>`, keys of maps.

There is one reader per declared type, created once. Readers are tolerant if the meaning is clear (a
class name where Java would write none, or a missing one). They are strict about ranges and about
classes that do not fit the declared type. A class name where Java would write none raises a
`TypingMismatch`. The reader of the object around it reads that field again with a lenient reader
(`_lenient`), and marks the object.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from copy import copy
from enum import Enum
from functools import cached_property
from typing import Any, Self

from pyredisson.java.build import keep_order
from pyredisson.java.enums import Month
from pyredisson.java.jdk import CONTAINERS, PLAIN
from pyredisson.java.objects import JavaObject, JavaValue
from pyredisson.java.schema import ClassSchema
from pyredisson.java.types import OBJECT, JavaType
from pyredisson.java.values import JValue
from pyredisson.limits import Limits
from pyredisson.rejection import Rejection, reject_value

from .bean_reader import bean_reader
from .keys import read_key
from .mapper_times import time_readers
from .mismatch import TypingMismatch, missed
from .model import Model
from .other_jdk import OTHERS, OTHERS3, REFERENCES
from .parser import Members
from .scalars import READERS
from .typing import BOXES, TEXTS, is_natural

__all__ = ["DeclaredReader"]

Read = Callable[[Any, int], Any]
_FINAL = {"java.lang.String", "java.util.UUID"}
_TAGS = {
    "java.util.EnumSet": "java.util.EnumSet<{}>",
    "java.util.EnumMap": "java.util.EnumMap<{},java.lang.Object>",
}
_SPECIAL = ("NaN", "Infinity", "-Infinity")
_BITS = {"byte": 8, "short": 16, "int": 32, "long": 64}
_CLASSES = {
    "java.lang.Iterable": "java.util.ArrayList",
    "java.util.Collection": "java.util.ArrayList",
    "java.util.List": "java.util.ArrayList",
    "java.util.Set": "java.util.HashSet",
    "java.util.SortedSet": "java.util.TreeSet",
    "java.util.NavigableSet": "java.util.TreeSet",
    "java.util.Queue": "java.util.LinkedList",
    "java.util.Deque": "java.util.LinkedList",
    "java.util.Map": "java.util.HashMap",
    "java.util.SortedMap": "java.util.TreeMap",
    "java.util.NavigableMap": "java.util.TreeMap",
    "java.util.concurrent.ConcurrentMap": "java.util.concurrent.ConcurrentHashMap",
}


class DeclaredReader(ABC):
    """The readers of one codec, by declared type."""

    def __init__(self, model: Model, limits: Limits) -> None:
        self._model = model
        self._typing = model.rules.typing
        self._scalars = READERS | (OTHERS3 if model.rules.times else OTHERS)
        self._scalars |= time_readers(model.rules.mapper)
        self._limits = limits
        self._slots: dict[JavaType, Read] = {}
        self._exact: dict[tuple[str, JavaType], Read] = {}
        self._origin: Self | None = None  # of a lenient reader: the strict one

    @cached_property
    def _lenient(self) -> Self:
        """The same reader, which ignores class names where Java would write none.

        Objects of schema classes are still read by the strict reader, which marks them.
        """
        made = copy(self)
        made._slots, made._exact, made._origin = {}, {}, self
        return made

    def _lenient_slot(self, declared: JavaType) -> Read:
        return self._lenient.slot(declared)

    def _unexpected(self, name: str) -> None:
        if self._origin is None:
            raise TypingMismatch(name, self._model.rules)

    @abstractmethod
    def any(self, tree: Any, depth: int) -> Any:
        """Read a value that Java declares as Object."""

    @abstractmethod
    def tagged(self, name: str, tree: Any, declared: JavaType, depth: int) -> Any:
        """Read a value with the name of its class."""

    @abstractmethod
    def container(self, name: str, tree: Any, declared: JavaType, depth: int) -> Any:
        """Read a collection or map of the JDK."""

    @abstractmethod
    def array(self, declared: JavaType, tree: Any, depth: int) -> Any:
        """Read a value that Java declares as this array type."""

    def deeper(self, depth: int) -> int:
        """Return the depth inside a container; reject it if it is too deep."""
        if depth >= self._limits.max_depth:
            raise Rejection(f"nested deeper than {self._limits.max_depth}")
        return depth + 1

    def _items(self, trees: list[Any], read: Read, depth: int) -> list[Any]:
        depth = self.deeper(depth)
        return [read(each, depth) for each in trees]

    def split(self, tree: Any) -> tuple[str | None, Any]:
        """Remove the class name from an object and return it; None if it has none.

        Raises:
            Rejection: there are several class names, or one that is not a string.
        """
        if not self._typing:
            return None, tree
        if isinstance(tree, dict):
            rest: Any = dict(tree)
            names = [rest.pop("@class")] if "@class" in rest else []
        else:
            names = [value for key, value in tree if key == "@class"]
            rest = Members(each for each in tree if each[0] != "@class") if names else tree
        if not names:
            return None, rest
        if len(names) != 1 or type(names[0]) is not str:
            raise Rejection("an object without exactly one @class")
        return names[0], rest

    def slot(self, declared: JavaType) -> Read:
        """Return the reader of values of a declared type; null is None."""
        found = self._slots.get(declared)
        if found is None:
            self._slots[declared] = self._later(self._slots, declared)
            found = self._slots[declared] = self._make(declared)
        return found

    @staticmethod
    def _later(table: dict[Any, Read], key: Any) -> Read:
        """Return a reader that looks up the real one at each call: a class may refer to itself."""

        def read(tree: Any, depth: int) -> Any:
            return table[key](tree, depth)

        return read

    def _make(self, declared: JavaType) -> Read:
        name = declared.name
        if declared == OBJECT:
            return self.any
        if declared.dimensions:
            array = self.array
            return lambda tree, depth: None if tree is None else array(declared, tree, depth)
        if declared.primitive:
            return self._scalar(BOXES[name], _BITS.get(name, 0), False)
        if name in REFERENCES:
            return self._reference(declared)
        if name in BOXES.values() or name in TEXTS or name in _FINAL:
            bits = next((_BITS.get(p, 0) for p, box in BOXES.items() if box == name), 0)
            return self._scalar(name, bits, self._model.typed(declared))
        return self._open(declared)

    def _scalar(self, name: str, bits: int, typed: bool) -> Read:
        reader, limits = self._scalars[name], self._limits
        plain: Any = PLAIN.get(name)
        quick = {"java.lang.String": str, "java.lang.Boolean": bool, "java.lang.Double": float}
        kind = quick.get(name, int if bits else None)
        span: Any = (-(1 << bits - 1), (1 << bits - 1) - 1) if bits else (0, 0)
        low, high = span

        def read(tree: Any, _: int) -> Any:
            if type(tree) is kind and (not bits or low <= tree <= high):
                return tree
            if tree is None:  # also for a primitive: its owner has the default value
                return None
            if type(tree) is list and len(tree) == 2 and tree[0] == name:
                found = reader(tree[1], limits)
                if not typed or is_natural(name, found):
                    self._unexpected(name)
            else:
                found = reader(tree, limits)
            return found if plain is None else plain(found)

        return read

    def _reference(self, declared: JavaType) -> Read:
        """Return the reader of a reference type, which is written as its content; null is None."""
        content = self.slot(declared.arguments[0] if declared.arguments else OBJECT)
        name = declared.name
        return lambda tree, depth: None if tree is None else JValue(name, content(tree, depth))

    def _fallback(self, declared: JavaType) -> Read | None:
        """Return the reader of values without a class name, if the declared type is enough."""
        name = declared.name
        schema = self._model.by_name.get(name)
        if schema is not None and not schema.abstract:
            return self.exact(name, declared)
        if name in self._scalars:
            return lambda tree, _: self._scalars[name](tree, self._limits)
        if name in _TAGS and declared.arguments:
            kind = _TAGS[name].format(declared.arguments[0].name)
            return lambda tree, depth: self.tagged(kind, tree, declared, depth)
        own = _CLASSES.get(name, name)
        if own in CONTAINERS:
            return lambda tree, depth: self.container(own, tree, declared, depth)
        return None

    def _open(self, declared: JavaType) -> Read:
        """Return the reader of a type whose values may name a class of their own."""
        name, model = declared.name, self._model
        fallback = self._fallback(declared)
        checked = self._checked if model.typed(declared) else self._checked_unexpected

        def read(tree: Any, depth: int) -> Any:
            if tree is None:
                return None
            if isinstance(tree, (Members, dict)):
                found, tree = self.split(tree)
            else:
                found, tree = self._wrapper(tree, declared)
            if found is not None:
                return checked(self.tagged(found, tree, declared, depth), found, declared)
            if fallback is not None:
                return fallback(tree, depth)
            if name in model.by_name:
                raise Rejection(
                    f"{name} is abstract in Java, and the message does not name the class of the "
                    "value; Java cannot read it back either, unless it has @JsonTypeInfo",
                    name,
                )
            value = self.any(tree, depth)
            if name == "java.lang.Number" and value in _SPECIAL:
                return READERS["java.lang.Double"](value, self._limits)
            return self._checked(value, model.class_of(value), declared)

        return read

    def _wrapper(self, tree: Any, declared: JavaType) -> tuple[str | None, Any]:
        if not isinstance(tree, list) or len(tree) != 2 or type(tree[0]) is not str:
            return None, tree
        name = tree[0]
        if not self._typing and name != declared.name:  # a list that Java wrote without a class
            return None, tree
        listed = _CLASSES.get(declared.name, declared.name) in CONTAINERS
        if listed and not (isinstance(tree[1], (list, dict)) and "." in name):
            return None, tree
        if listed and not self._typing:
            self._unexpected(name)
            return None, tree[1]
        return name, tree[1]

    def _checked_unexpected(self, value: Any, found: str, declared: JavaType) -> Any:
        made = self._checked(value, found, declared)
        self._unexpected(found)
        return made

    def _checked(self, value: Any, found: str, declared: JavaType) -> Any:
        if isinstance(value, (JavaObject, JavaValue)) and not self._model.is_enum(declared.name):
            return value
        name = found if found in _CLASSES else self._model.class_of(value)
        if name != declared.name and not self._model.accepts(declared, name):
            raise Rejection(f"a {found} is not a {declared}")
        return value

    def exact(self, name: str, declared: JavaType) -> Read:
        """Return the reader of values of exactly this class of the schemas."""
        key = (name, declared)
        found = self._exact.get(key)
        if found is None:
            schema = self._model.by_name[name]
            if self._origin is not None and schema.kind != "enum":
                return self._origin.exact(name, declared)
            self._exact[key] = self._later(self._exact, key)
            container = self._model.container_of(schema)
            if schema.kind == "enum":
                found = self._enum(schema)
            elif container is not None:
                found = self._own_container(schema, container)
            else:
                found = bean_reader(
                    schema,
                    declared,
                    self._model,
                    self.slot,
                    self._lenient_slot,
                    limit=self._limits.max_depth,
                )
            self._exact[key] = found
        return found

    def _own_container(self, schema: ClassSchema, container: JavaType) -> Read:
        """Return the reader of a class that extends a collection or map of the JDK."""
        cls: Any = schema.python
        base = next((each for each in (list, set, dict) if issubclass(cls, each)), None)
        if base is None:
            name = schema.python.__qualname__
            raise Rejection(f"{name} is not a list, set or dict, as a {container.name} must be")

        def read(tree: Any, depth: int) -> Any:
            made = cls.__new__(cls)
            try:
                found = self.container(container.name, tree, container, depth)
            except TypingMismatch as error:
                found = self._lenient.container(container.name, tree, container, depth)
                missed(made, *error.mark("an element"))
            fill: Any = base.extend if base is list else base.update  # type: ignore[union-attr] # by its base
            fill(made, found)
            return keep_order(made, found)

        return read

    def _enum(self, schema: ClassSchema) -> Read:
        members: dict[str, Enum] = schema.python.__members__  # type: ignore[attr-defined] # its kind is enum
        table = dict(members)
        for constant in schema.constants:
            for text in (constant.text, constant.json):
                if text is not None:
                    table.setdefault(text, members[constant.name])
        numbers: dict[Any, Enum] = {}
        if schema.python is Month and self._model.rules.times:
            numbers = {each.value: each for each in members.values()}

        def read(tree: Any, _: int) -> Any:
            if type(tree) is list and len(tree) == 2 and tree[0] == schema.class_name:
                tree = tree[1]
            found = table.get(tree) if isinstance(tree, str) else None
            if found is None and type(tree) is int:
                found = numbers.get(tree)
            if found is None:
                raise reject_value(tree, f"a constant of {schema.class_name}")
            return found

        return read

    def key(self, declared: JavaType) -> Callable[[Any], Any]:
        """Return the function that converts a member's name (in CBOR also a number) to a key."""
        name = declared.name
        schema = self._model.by_name.get(name)
        if schema is not None and schema.kind == "enum":
            read = self.exact(name, declared)
            return lambda text: read(text, 0)
        return read_key(declared)
