"""Reads one message: class headers, and values by the serializers of their classes.

A class header is an id, a name, or the number of a name that occurred before. Source: Kryo's
`DefaultClassResolver`, 5.3.0 to 5.6.2.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Protocol

from pyredisson.java.names import is_class_name
from pyredisson.limits import Limits
from pyredisson.rejection import Rejection, reject_name

from .generics import Arguments, Bindings
from .input import Input
from .references import Objects

__all__ = ["Readable", "ReadableClasses", "Reader"]

_NAME = re.compile(rb"([\0-\x7f]++[\x80-\xff])", re.DOTALL).match


class Readable(Protocol):
    """Reads the bodies of a class: the reading half of a serializer."""

    class_name: str
    smallest: int

    def read(self, source: Reader, arguments: Arguments = None) -> Any:
        """Read a body."""

    def read_or_null(self, source: Reader, arguments: Arguments = None) -> Any:
        """Read a body or null."""

    def read_many(self, source: Reader, count: int, arguments: Arguments = None) -> list[Any]:
        """Read `count` bodies."""


class ReadableClasses(Protocol):
    """The part of `Classes` that a reader needs.

    Attributes:
        references: references mode: an object is written once, then by its number.
        readers: by the byte of a class header, the function that reads the value.
        encoded: by a class name's bytes in messages, the serializer.
        most_names: how many class names of one message may be looked up in `encoded`.
    """

    references: bool
    readers: dict[int, Callable[[Reader], Any]]
    encoded: dict[bytes, Readable]
    most_names: int

    def name_of(self, number: int) -> str:
        """Return the name of the class with this id."""

    def check_allowed(self, class_name: str) -> None:
        """Reject an unregistered class if the codec has `allowed_classes`."""

    def by_name(self, class_name: str) -> Readable:
        """Return the serializer of a class."""


class Reader(Input):
    """A position in one message, and the class names so far.

    Attributes:
        registry: the codec's classes.
        bindings: the type variables that are bound.
        objects: the objects read so far, in references mode; otherwise None.
        slot: the index in `objects` of the object that is being read.
        streams: the message's streams of Java serialization, by name.
        known: the serializer of each class name so far; None if it was not looked up.
    """

    __slots__ = ("_names", "bindings", "known", "objects", "registry", "slot", "streams")

    def __init__(self, data: bytes, registry: ReadableClasses, limits: Limits) -> None:
        Input.__init__(self, data, limits)  # runs for each message; super() costs more
        self.registry = registry
        self.bindings: Bindings = []
        self.objects = Objects() if registry.references else None
        self.slot = 0
        self.streams: dict[str, Any] | None = None
        self._names: list[str] = []
        self.known: list[Readable | None] = []

    def class_name(self) -> str | None:
        """Read a class header; None is null."""
        number = self.varint()
        if number == 0:
            return None
        return self._names[self._named()] if number == 1 else self.registry.name_of(number - 2)

    def _named(self) -> int:
        """Read a class header that is a name, or the name's number."""
        index = self.varint()
        if index < len(self._names):
            return index
        if index > len(self._names):
            raise Rejection(f"class name {index} is used before it is defined")
        if index >= self.limits.max_class_names:
            raise Rejection(f"more than {self.limits.max_class_names} class names")
        name = self.string()
        if name is None or not is_class_name(name):
            raise reject_name(name or "")
        self.registry.check_allowed(name)
        self._names.append(name)
        self.known.append(None)
        return index

    def serializer(self) -> Readable | None:
        """Read a class header and find its serializer; None is null."""
        data, pos, known = self.data, self.pos, self.known
        first = data[pos]
        if first == 1:  # the common cases: a name that occurred before, or a known one
            index = data[pos + 1]
            if index < len(known) and index < 0x80:
                found = known[index]
                if found is not None:
                    self.pos = pos + 2
                    return found
            elif index == len(known) < self.registry.most_names:
                match = _NAME(data, pos + 2)
                found = self.registry.encoded.get(match[0]) if match else None
                if match is not None and found is not None:
                    self.pos = match.end()
                    self._names.append(found.class_name)
                    known.append(found)
                    return found
        elif first == 0:
            self.pos = pos + 1
            return None
        return self._serializer()

    def start(self, name: str, serializer: Readable, pos: int) -> None:
        """Start after the class header of a message, which names this class."""
        self._names.append(name)
        self.known.append(serializer)
        self.pos = pos

    def _serializer(self) -> Readable | None:
        number = self.varint()
        if number != 1:
            return self.registry.by_name(self.registry.name_of(number - 2))
        start = self.pos + 1
        index = self._named()
        self.known[index] = found = self.registry.by_name(self._names[index])
        encoded = self.data[start : self.pos]
        if index < 0x80 and encoded and encoded[0] < 0x80 <= encoded[-1]:  # one piece of ASCII
            self.registry.encoded[encoded] = found
        return found

    def value(self, arguments: Arguments = None) -> Any:
        """Read a class header and its body; `arguments` are the type arguments of the position."""
        read = self.registry.readers.get(self.data[self.pos])
        if read is not None:
            self.pos += 1
            return read(self)
        serializer = self.serializer()
        return None if serializer is None else serializer.read(self, arguments)
