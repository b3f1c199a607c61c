"""One message, read: class headers, and what stands for each class in them.

A class is announced by its id, by its name, or by the number of a name that was here
before. Source: Kryo's `DefaultClassResolver`, 5.3.0 to 5.6.2.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pyredisson.java.names import is_class_name
from pyredisson.limits import Limits
from pyredisson.refusal import Refusal, refuse_name

from .input import Input
from .references import Objects

if TYPE_CHECKING:
    from pyredisson.codecs.kryo5.families.enums import EnumSerializer
    from pyredisson.codecs.kryo5.families.opaque import InStream
    from pyredisson.codecs.kryo5.registry import Registry

    from .generics import Bindings, Generic
    from .serializer import Serializer

__all__ = ["Reader"]

_NAME = re.compile(rb"([\0-\x7f]++[\x80-\xff])", re.DOTALL).match


class Reader(Input):
    """A position in one message, and the classes so far.

    `arguments` and `bindings` are as in `Writer`; `objects` are those read so far in
    references mode, and `slot` is the place of the one that is being read; `streams` are
    those of Java serialization; `known` has the serializers of the class names so far, where
    they were asked for.
    """

    __slots__ = (
        "_most_names",
        "_names",
        "arguments",
        "bindings",
        "known",
        "objects",
        "registry",
        "slot",
        "streams",
    )

    def __init__(self, data: bytes, registry: Registry, limits: Limits) -> None:
        super().__init__(data, limits)
        self.registry = registry
        self.arguments: tuple[Generic, ...] | None = None
        self.bindings: Bindings = []
        self.objects = Objects() if registry.references else None
        self.slot = 0
        self.streams: dict[str, InStream] | None = None
        self._names: list[str] = []
        self._most_names = min(limits.max_class_names, 0x80)
        self.known: list[Serializer | None] = []

    def class_name(self) -> str | None:
        """Read a class header; None is null."""
        number = self.varint()
        if number == 0:
            return None
        return self._names[self._named()] if number == 1 else self.registry.name_of(number - 2)

    def _named(self) -> int:
        """Read a class that is announced by its name, or by the name's number."""
        index = self.varint()
        if index < len(self._names):
            return index
        if index > len(self._names):
            raise Refusal(f"class name {index} is used before it is given")
        if index >= self.limits.max_class_names:
            raise Refusal(f"more than {self.limits.max_class_names} class names")
        name = self.string()
        if name is None or not is_class_name(name):
            raise refuse_name(name or "")
        self.registry.check_allowed(name)
        self._names.append(name)
        self.known.append(None)
        return index

    def serializer(self) -> Serializer | None:
        """Read a class header and find its serializer; None is null."""
        data, pos, known = self.data, self.pos, self.known
        first = data[pos]
        if first == 1:  # the usual ways: a name that was here before, or that is known
            index = data[pos + 1]
            if index < len(known) and index < 0x80:
                found = known[index]
                if found is not None:
                    self.pos = pos + 2
                    return found
            elif index == len(known) < self._most_names:
                match = _NAME(data, pos + 2)
                found = self.registry.spelled.get(match[0]) if match else None
                if match is not None and found is not None:
                    self.pos = match.end()
                    self._names.append(found.class_name)
                    known.append(found)
                    return found
        elif first == 0:
            self.pos = pos + 1
            return None
        return self._serializer()

    def start(self, name: str, serializer: Serializer, pos: int) -> None:
        """Begin after the header of a message, which names this class."""
        self._names.append(name)
        self.known.append(serializer)
        self.pos = pos

    def _serializer(self) -> Serializer | None:
        number = self.varint()
        if number != 1:
            return self.registry.by_name(self.registry.name_of(number - 2))
        start = self.pos + 1
        index = self._named()
        self.known[index] = found = self.registry.by_name(self._names[index])
        if index < 0x80:
            self.registry.learn(self.data[start : self.pos], found)
        return found

    def enum(self) -> EnumSerializer:
        """Read the class header of an enum."""
        name = self.class_name()
        if name is None:
            raise Refusal("a null where an enum must be")
        return self.registry.enum(name)

    def value(self, arguments: tuple[Generic, ...] | None = None) -> Any:
        """Read a class header and the body that it announces; `arguments` as in `Writer`."""
        quick = self.registry.readers.get(self.data[self.pos])
        if quick is not None:
            self.pos += 1
            return quick(self)
        serializer = self.serializer()
        if serializer is None:
            return None
        if serializer.generic:
            self.arguments = arguments
        return serializer.read(self)
