"""One message, written: class headers, and the serializers of values.

The counterpart of `reader`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyredisson.limits import Limits

from .output import Output, put_varint

if TYPE_CHECKING:
    from pyredisson.codecs.kryo5.families.opaque import OutStream
    from pyredisson.codecs.kryo5.registry import Registry

    from .generics import Bindings, Generic

__all__ = ["Writer"]

_NUMBERS = [bytes((1, number)) for number in range(0x80)]


def _long(number: int) -> bytes:
    out = bytearray(b"\1")
    put_varint(out, number)
    return bytes(out)


class Writer(Output):
    """The bytes of one message so far.

    `arguments` are the type arguments for the next serializer that is `generic`, which
    takes them away; `bindings` the type variables that are bound; `written` and `count`
    number the objects so far in references mode; `streams` are those of Java serialization;
    `names` is how the class names so far are spelled from their second use on.
    """

    __slots__ = (
        "arguments",
        "bindings",
        "count",
        "kept",
        "names",
        "registry",
        "streams",
        "written",
    )

    def __init__(self, registry: Registry, limits: Limits) -> None:
        super().__init__(limits)
        self.registry = registry
        self.arguments: tuple[Generic, ...] | None = None
        self.bindings: Bindings = []
        self.written: dict[object, int] = {}
        self.count = 0
        self.kept: list[Any] = []  # what `written` knows by id must live as long
        self.streams: dict[str, OutStream] | None = None
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

    def value(self, value: Any, arguments: tuple[Generic, ...] | None = None) -> None:
        """Write a class header and the value's body; `arguments` are its position's."""
        if value is None:
            self.out.append(0)
            return
        direct = self.registry.writers.get(value.__class__)
        if direct is not None and direct(self.out, value):
            return
        serializer = self.registry.of(value)
        self.class_name(serializer.class_name)
        if serializer.generic:
            self.arguments = arguments
        serializer.write(self, value)
