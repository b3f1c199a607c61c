"""The stream model: an object is, per class, its fields and what `writeObject` added.

Java's own stream and JBoss River share it; they differ only in encoding. The levels (one
`ClassData` per class) are in the order of the message, superclass first; classes without data are
left out.
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

    `how`: codec-specific flags of how objects are written. `adds`: its `writeObject` may have added
    data. `fields`: type code, name and, if the message has it, the signature.
    """

    name: str
    how: int = 0
    uid: int = 0
    adds: bool = False
    fields: list[tuple[str, str, str]] = field(default_factory=list)
    parent: ClassDescription | None = None

    def line(self) -> list[ClassDescription]:
        """Return the class hierarchy: the class and its superclasses, the topmost first."""
        found: list[ClassDescription] = []
        each: ClassDescription | None = self
        while each is not None:
            found.append(each)
            if len(found) > _MAX_LINE:
                raise Rejection(f"a class with more than {_MAX_LINE} superclasses")
            each = each.parent
        return found[::-1]


class ClassData:
    """The data that one class of an object's hierarchy wrote.

    `fields` are by name. `parts` are blocks of bytes (adjacent ones joined) and objects, in their
    order, each with a flag: True for a block.
    """

    __slots__ = ("_at", "class_name", "fields", "parts")

    def __init__(self, class_name: str) -> None:
        self.class_name = class_name
        self.fields: dict[str, Any] = {}
        self.parts: list[tuple[bool, Any]] = []
        self._at = 0

    def add_block(self, data: bytes) -> None:
        """Add bytes; adjacent bytes become one block."""
        if self.parts and self.parts[-1][0]:
            data = self.parts.pop()[1] + data
        self.parts.append((True, data))

    def add_object(self, value: Any) -> None:
        """Add an object."""
        self.parts.append((False, value))

    def numbers(self, form: str) -> tuple[Any, ...]:
        """Return the next part, which must be a block of this big-endian `struct` format."""
        block = self.block()
        if len(block) != struct.calcsize(">" + form):
            raise Rejection(f"unexpected data of a {self.class_name}")
        return struct.unpack(">" + form, block)

    def block(self) -> bytes:
        """Return the next part, which must be a block."""
        is_block, value = self._next()
        if not is_block:
            raise Rejection(f"unexpected data of a {self.class_name}")
        data: bytes = value
        return data

    def object(self) -> Any:
        """Return the next part, which must be an object."""
        is_block, value = self._next()
        if is_block:
            raise Rejection(f"unexpected data of a {self.class_name}")
        return value

    def rest(self) -> list[Any]:
        """Return all remaining parts, which must be objects."""
        return [self.object() for _ in range(len(self.parts) - self._at)]

    def counted(self, count: int) -> list[Any]:
        """Return all remaining parts, which must be `count` objects."""
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
    """An object: its levels by class, superclass first, and the descriptions of the classes."""

    __slots__ = ("class_name", "levels", "line")

    def __init__(self, class_name: str, line: Sequence[ClassDescription] = ()) -> None:
        self.class_name = class_name
        self.line = line
        self.levels: dict[str, ClassData] = {}

    def level(self, class_name: str | None = None) -> ClassData:
        """Return the data of a class of the hierarchy; by default the object's own."""
        found = self.levels.get(class_name or self.class_name)
        return ClassData(class_name or self.class_name) if found is None else found

    def of(self, class_name: str) -> StreamObject:
        """Return the data of a superclass as an object of that class."""
        found = StreamObject(class_name)
        found.levels = self.levels
        return found

    def field(self, name: str) -> Any:
        """Return a field from the first class that has it, subclasses first."""
        for level in reversed(self.levels.values()):
            if name in level.fields:
                return level.fields[name]
        raise Rejection(f"a {self.class_name} without its field {name}")
