"""An object as Java serialization sees it: per class its fields and what `writeObject` added.

Shared by Java's own stream and JBoss River, which differ in encoding only. The rule:
the levels are those of the message, superclass first; classes without anything are left out.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pyredisson.rejection import Rejection

__all__ = ["ClassData", "ClassDescription", "StreamObject"]

_MAX_LINE = 64


@dataclass(slots=True)
class ClassDescription:
    """A class as the message describes it.

    `how` is the codec's own mark of how objects are written, `adds` says that its
    `writeObject` may have added data; `fields` are type code, name and, where the message
    says it, the signature.
    """

    name: str
    how: int = 0
    uid: int = 0
    adds: bool = False
    fields: list[tuple[str, str, str]] = field(default_factory=list)
    parent: ClassDescription | None = None

    def line(self) -> list[ClassDescription]:
        """Return the class and its superclasses, the topmost first."""
        found: list[ClassDescription] = []
        each: ClassDescription | None = self
        while each is not None:
            found.append(each)
            if len(found) > _MAX_LINE:
                raise Rejection(f"a class with more than {_MAX_LINE} superclasses")
            each = each.parent
        return found[::-1]


class ClassData:
    """What one class of an object's line wrote.

    `fields` by name; `parts` are blocks of bytes (`bytes` between objects, joined) and
    objects, in their order, each with a mark of which it is.
    """

    __slots__ = ("_at", "class_name", "fields", "parts")

    def __init__(self, class_name: str) -> None:
        self.class_name = class_name
        self.fields: dict[str, Any] = {}
        self.parts: list[tuple[bool, Any]] = []
        self._at = 0

    def add_block(self, data: bytes) -> None:
        """Add bytes; those that follow each other are one block."""
        if self.parts and self.parts[-1][0]:
            data = self.parts.pop()[1] + data
        self.parts.append((True, data))

    def add_object(self, value: Any) -> None:
        """Add an object."""
        self.parts.append((False, value))

    def numbers(self, form: str) -> tuple[Any, ...]:
        """Take the next part, a block that is exactly of this form, big-endian."""
        block = self.block()
        if len(block) != struct.calcsize(">" + form):
            raise Rejection(f"unusual data of a {self.class_name}")
        return struct.unpack(">" + form, block)

    def block(self) -> bytes:
        """Take the next part, a block."""
        is_block, value = self._next()
        if not is_block:
            raise Rejection(f"unusual data of a {self.class_name}")
        data: bytes = value
        return data

    def object(self) -> Any:
        """Take the next part, an object."""
        is_block, value = self._next()
        if is_block:
            raise Rejection(f"unusual data of a {self.class_name}")
        return value

    def rest(self) -> list[Any]:
        """Take all parts that are left, objects all."""
        return [self.object() for _ in range(len(self.parts) - self._at)]

    def counted(self, count: int) -> list[Any]:
        """Take so many objects, after which nothing may follow."""
        found = self.rest()
        if len(found) != count:
            raise Rejection(f"{len(found)} elements of a {self.class_name}, not {count}")
        return found

    def field(self, name: str) -> Any:
        """Return a field's value."""
        if name not in self.fields:
            raise Rejection(f"a {self.class_name} without its field {name}")
        return self.fields[name]

    def _next(self) -> tuple[bool, Any]:
        if self._at >= len(self.parts):
            raise Rejection(f"a {self.class_name} without its data")
        self._at += 1
        return self.parts[self._at - 1]


class StreamObject:
    """An object of a class: its levels, superclass first, and how these were described."""

    __slots__ = ("class_name", "levels", "line")

    def __init__(self, class_name: str, line: Sequence[ClassDescription] = ()) -> None:
        self.class_name = class_name
        self.line = line
        self.levels: dict[str, ClassData] = {}

    def level(self, class_name: str | None = None) -> ClassData:
        """Return what a class of the line wrote, the object's own unless named."""
        found = self.levels.get(class_name or self.class_name)
        return ClassData(class_name or self.class_name) if found is None else found

    def of(self, class_name: str) -> StreamObject:
        """Return what a superclass wrote, as an object of its own."""
        found = StreamObject(class_name)
        found.levels = self.levels
        return found

    def field(self, name: str) -> Any:
        """Return a field of whichever class has it, subclasses first."""
        for level in reversed(self.levels.values()):
            if name in level.fields:
                return level.fields[name]
        raise Rejection(f"a {self.class_name} without its field {name}")
