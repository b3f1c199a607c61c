"""Bodies of arrays: length plus one (0 is null), then the elements.

Primitives and strings follow without headers. Elements of a final class, and of an array of arrays,
have no class header, only an encoding of null; all others have a header. Source: Kryo's
`DefaultArraySerializers`. Java writes an inner array of another class than declared, but cannot
read it back, so the codec rejects it.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import Any

from pyredisson.codecs.kryo5.kernel.classes import Classes
from pyredisson.codecs.kryo5.kernel.generics import Arguments
from pyredisson.codecs.kryo5.kernel.reader import Reader
from pyredisson.codecs.kryo5.kernel.serializer import Serializer
from pyredisson.codecs.kryo5.kernel.writer import Writer
from pyredisson.java.checks import check_char, check_float, check_int
from pyredisson.java.classes import class_of
from pyredisson.java.containers import JArray
from pyredisson.java.names import array_class, jvm_name
from pyredisson.rejection import Rejection, reject_value

__all__ = ["array_serializer"]

_FIXED: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "short": ("h", lambda value: check_int(value, 16, "a short")),
    "char": ("H", lambda value: ord(check_char(value))),
    "float": ("f", lambda value: check_float(value, 32)),
    "double": ("d", lambda value: check_float(value, 64)),
}


class _Array(Serializer):
    """An array; subclasses read and write its elements."""

    nullable = True

    def __init__(self, component: str) -> None:
        super().__init__(array_class(component))
        self.component = component

    def read(self, source: Reader, arguments: Arguments = None) -> Any:
        count = source.count()
        return None if count < 0 else JArray(self.component, self.elements(source, count))

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        if not isinstance(value, (JArray, bytes)) or class_of(value) != self.class_name:
            raise reject_value(value, f"a {self.component}[]")
        sink.varint(len(value) + 1)
        self.write_elements(sink, value)

    def elements(self, source: Reader, count: int) -> list[Any]:
        raise NotImplementedError

    def write_elements(self, sink: Writer, values: Sequence[Any]) -> None:
        raise NotImplementedError


class _Bytes(_Array):
    def read(self, source: Reader, arguments: Arguments = None) -> bytes | None:
        count = source.count()
        return None if count < 0 else source.take(count)

    def write_elements(self, sink: Writer, values: Sequence[Any]) -> None:
        if not isinstance(values, bytes):
            values = bytes(check_int(each, 8, "a byte") & 0xFF for each in values)
        sink.out += values


class _Booleans(_Array):
    def elements(self, source: Reader, count: int) -> list[Any]:
        return [source.flag() for _ in range(source.claim(count, 1))]

    def write_elements(self, sink: Writer, values: Sequence[Any]) -> None:
        for each in values:
            if not isinstance(each, bool):
                raise reject_value(each, "a boolean")
            sink.out.append(each)


class _Integers(_Array):
    def elements(self, source: Reader, count: int) -> list[Any]:
        return [source.zigzag() for _ in range(source.claim(count, 1))]

    def write_elements(self, sink: Writer, values: Sequence[Any]) -> None:
        for each in values:
            sink.zigzag(check_int(each, 32, "an int"))


class _Longs(_Array):
    def elements(self, source: Reader, count: int) -> list[Any]:
        return [source.zigzag_long() for _ in range(source.claim(count, 1))]

    def write_elements(self, sink: Writer, values: Sequence[Any]) -> None:
        for each in values:
            sink.zigzag_long(check_int(each, 64, "a long"))


class _Fixed(_Array):
    """`short[]`, `char[]`, `float[]`, `double[]`: little-endian."""

    def __init__(self, component: str) -> None:
        super().__init__(component)
        self._form, self._check = _FIXED[component]
        self._size = struct.calcsize(f"<{self._form}")

    def elements(self, source: Reader, count: int) -> list[Any]:
        block = source.take(count * self._size)
        found = struct.unpack(f"<{count}{self._form}", block)
        return [chr(each) for each in found] if self._form == "H" else list(found)

    def write_elements(self, sink: Writer, values: Sequence[Any]) -> None:
        numbers = [self._check(each) for each in values]
        sink.out += struct.pack(f"<{len(numbers)}{self._form}", *numbers)


class _Known(_Array):
    """Elements of a final class, or arrays: no header, but null is possible."""

    def __init__(self, component: str, serializer: Serializer) -> None:
        super().__init__(component)
        self._each = serializer

    def elements(self, source: Reader, count: int) -> list[Any]:
        source.descend()
        read = self._each.read_or_null
        found = [read(source) for _ in range(source.claim(count, 1))]
        source.depth -= 1
        return found

    def write_elements(self, sink: Writer, values: Sequence[Any]) -> None:
        sink.descend()
        for each in values:
            self._each.write_or_null(sink, each)
        sink.depth -= 1


class _Open(_Array):
    """Elements of any class that fits the component: each with its class header."""

    def __init__(self, component: str, registry: Classes) -> None:
        super().__init__(component)
        self._declared = jvm_name(component)
        self._accepted: set[str] = set()
        self._registry = registry

    def elements(self, source: Reader, count: int) -> list[Any]:
        source.descend()
        found: list[Any] = []
        for _ in range(source.claim(count, 1)):
            serializer = source.serializer()
            if serializer is None:
                found.append(None)
            else:
                self._check(serializer.class_name)
                found.append(serializer.read(source))
        source.depth -= 1
        return found

    def write_elements(self, sink: Writer, values: Sequence[Any]) -> None:
        sink.descend()
        for each in values:
            if each is not None:
                self._check(self._registry.of(each).class_name)
            sink.value(each)
        sink.depth -= 1

    def _check(self, class_name: str) -> None:
        if class_name not in self._accepted:
            if not self._registry.accepts(self._declared, class_name):
                raise Rejection(f"a {class_name} is not an element of a {self.component}[]")
            self._accepted.add(class_name)


_PRIMITIVES: dict[str, Callable[[str], Serializer]] = {
    "byte": _Bytes,
    "boolean": _Booleans,
    "int": _Integers,
    "long": _Longs,
    **dict.fromkeys(_FIXED, _Fixed),
}


def array_serializer(component: str, registry: Classes) -> Serializer | None:
    """Return the serializer of the arrays with this component; None if it is unknown."""
    if component in _PRIMITIVES:
        return _PRIMITIVES[component](component)
    name = jvm_name(component)
    final = registry.final(name)
    if final is None:
        return None
    # The elements of an array of arrays never have a header.
    known = final or component.endswith("[]")
    return _Known(component, registry.known(name)) if known else _Open(component, registry)
