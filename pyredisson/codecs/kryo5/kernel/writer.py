"""Writes one message: class headers, and values by the serializers of their classes.

The counterpart of `reader`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from pyredisson.limits import Limits

from .generics import Arguments, Bindings
from .output import Output, put_varint
from .references import Written

__all__ = ["Writable", "WritableClasses", "Writer"]

_NUMBERS = [bytes((1, number)) for number in range(0x80)]


def _long(number: int) -> bytes:
    out = bytearray(b"\1")
    put_varint(out, number)
    return bytes(out)


class Writable(Protocol):
    """Writes the bodies of a class: the writing half of a serializer."""

    class_name: str

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        """Write a body."""


class WritableClasses(Protocol):
    """The part of `Classes` that a writer needs.

    Attributes:
        references: references mode: an object is written once, then by its number.
        writers: by a Python type, the function that writes a value with its class header; it
            returns False if it cannot write the value.
    """

    references: bool
    writers: dict[type, Callable[[bytearray, Any], bool]]

    def head(self, class_name: str) -> tuple[bool, bytes]:
        """Return whether the class header is a name, and the bytes of the name or of the id."""

    def of(self, value: Any) -> Writable:
        """Return the serializer of a value that is not None."""


class Writer(Output):
    """The bytes of one message so far, and its class names.

    Attributes:
        registry: the codec's classes.
        bindings: the type variables that are bound.
        written: the objects written so far, in references mode; otherwise None.
        streams: the message's streams of Java serialization, by name.
        names: the bytes of each class name so far, from its second use on.
    """

    __slots__ = ("bindings", "names", "registry", "streams", "written")

    def __init__(self, registry: WritableClasses, limits: Limits) -> None:
        Output.__init__(self, limits)  # runs for each message; super() costs more
        self.registry = registry
        self.bindings: Bindings = []
        self.written = Written() if registry.references else None
        self.streams: dict[str, Any] | None = None
        self.names: dict[str, bytes] = {}

    def class_name(self, class_name: str) -> None:
        """Write a class: its id if it is registered, else its name or the name's number."""
        known = self.names.get(class_name)
        if known is not None:
            self.out += known
            return
        named, head = self.registry.head(class_name)
        if named:
            number = len(self.names)
            self.names[class_name] = short = _NUMBERS[number] if number < 0x80 else _long(number)
            self.out += short
        self.out += head

    def value(self, value: Any, arguments: Arguments = None) -> None:
        """Write a class header and the body; `arguments` are the position's type arguments."""
        if value is None:
            self.out.append(0)
            return
        direct = self.registry.writers.get(value.__class__)
        if direct is not None and direct(self.out, value):
            return
        serializer = self.registry.of(value)
        self.class_name(serializer.class_name)
        serializer.write(self, value, arguments)
