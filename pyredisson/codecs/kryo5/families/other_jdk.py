"""Bodies of the JDK's other classes: texts, optionals, atomics, sets of bits, classes.

Each is a `JText` or a `JValue` in Python. Sources: Kryo's `DefaultSerializers` and
`OptionalSerializers`; for the atomics before 3.46.0 its `FieldSerializer`, on their fields; for
`KeySetView` Redisson's own serializer (4.7.0).
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from typing import Any

from pyredisson.codecs.kryo5.kernel.classes import Classes
from pyredisson.codecs.kryo5.kernel.generics import Arguments, Bindings
from pyredisson.codecs.kryo5.kernel.reader import Reader
from pyredisson.codecs.kryo5.kernel.serializer import Serializer
from pyredisson.codecs.kryo5.kernel.writer import Writer
from pyredisson.java.checks import check_int
from pyredisson.java.jdk import BOXES
from pyredisson.java.names import is_class_name
from pyredisson.java.values import JText, JValue
from pyredisson.rejection import Rejection, reject_value

__all__ = [
    "AtomicBoolean",
    "BitSet",
    "Class",
    "Fieldless",
    "Fixed",
    "KeySetView",
    "Locale",
    "NullableText",
    "OldAtomic",
    "OldPattern",
    "OldReference",
    "Optional",
    "Pattern",
    "Reference",
    "Text",
]

_LONG = struct.Struct("<q")
_WRAPPERS = {name: primitive for primitive, name in BOXES.items()}
_LANGUAGE = re.compile(r"(?:[a-z]{2,8})?")
_COUNTRY = re.compile(r"(?:[A-Z]{2}|[0-9]{3})?")


class Text(Serializer):
    """A class that is written as its text; `write` also accepts a plain `str`.

    Args:
        class_name: the Java class.
        pattern: the regular expression of texts that Java reads without throwing.
    """

    def __init__(self, class_name: str, pattern: str = ".*") -> None:
        super().__init__(class_name)
        self._pattern = re.compile(pattern, re.DOTALL)

    def read(self, source: Reader, arguments: Arguments = None) -> Any:
        return JText(self.class_name, source.text())

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        if not isinstance(value, str) or not self._pattern.fullmatch(value):
            raise reject_value(value, f"a {self.class_name}")
        sink.string(str(value))


class NullableText(Text):
    """A class that is written as its text, which may be null."""

    nullable = True
    null = b"\x80"

    def read(self, source: Reader, arguments: Arguments = None) -> Any:
        text = source.string()
        return None if text is None else JText(self.class_name, text)


class _Value(Serializer):
    """A `JValue` of a fixed number of parts."""

    def parts(self, value: Any, least: int, most: int) -> tuple[Any, ...]:
        """Return the parts of a value of this class."""
        if not isinstance(value, JValue) or value.class_name != self.class_name:
            raise reject_value(value, f"a {self.class_name}")
        if not least <= len(value.parts) <= most:
            raise Rejection(f"a {self.class_name} cannot have {len(value.parts)} parts")
        return value.parts


class Locale(_Value):
    """Language, country, variant; Kryo loses the script."""

    smallest = 3

    def read(self, source: Reader, arguments: Arguments = None) -> Any:
        found = source.text(), source.text(), source.text()
        self._check(found)
        return JValue(self.class_name, *found)

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        parts = self.parts(value, 3, 3)
        self._check(parts)
        for each in parts:
            sink.string(each)

    def _check(self, parts: tuple[Any, ...]) -> None:
        language, country, variant = parts
        good = all(isinstance(each, str) for each in parts)
        if not (good and _LANGUAGE.fullmatch(language) and _COUNTRY.fullmatch(country)):
            raise Rejection(f"not a Locale: {language!r:.20}, {country!r:.20}, {variant!r:.20}")


class Pattern(_Value):
    """The text, then the flags."""

    smallest = 2

    def read(self, source: Reader, arguments: Arguments = None) -> Any:
        return JValue(self.class_name, source.text(), source.varint())

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        text, flags = self.parts(value, 2, 2)
        if not isinstance(text, str):
            raise reject_value(text, "a pattern")
        sink.string(text)
        sink.varint(check_int(flags, 32, "flags") & 0xFFFFFFFF)


class OldPattern(Pattern):
    """Up to 3.19.0 an object: flags, then pattern."""

    def read(self, source: Reader, arguments: Arguments = None) -> Any:
        flags = source.zigzag()
        return JValue(self.class_name, source.text(), flags)

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        text, flags = self.parts(value, 2, 2)
        sink.zigzag(check_int(flags, 32, "flags"))
        if not isinstance(text, str):
            raise reject_value(text, "a pattern")
        sink.string(text)


class Optional(_Value):
    """An Optional: header and body of its value, or null."""

    def read(self, source: Reader, arguments: Arguments = None) -> Any:
        source.descend()
        found = source.value()
        source.depth -= 1
        return JValue(self.class_name) if found is None else JValue(self.class_name, found)

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        parts = self.parts(value, 0, 1)
        if parts == (None,):
            raise Rejection("an Optional cannot hold None; leave the part out")
        sink.descend()
        sink.value(parts[0] if parts else None)
        sink.depth -= 1


class Reference(_Value):
    """An AtomicReference: header and body of the object that it refers to."""

    def read(self, source: Reader, arguments: Arguments = None) -> Any:
        source.descend()
        found = source.value()
        source.depth -= 1
        return JValue(self.class_name, found)

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        (part,) = self.parts(value, 1, 1)
        sink.descend()
        sink.value(part)
        sink.depth -= 1


class OldReference(Reference):
    """Before 3.46.0 an object with one field of type V."""

    def __init__(self, class_name: str, registry: Classes) -> None:
        super().__init__(class_name)
        self._registry = registry

    def read(self, source: Reader, arguments: Arguments = None) -> Any:
        known = self._known(arguments, source.bindings)
        if known is None:
            return super().read(source)
        return JValue(self.class_name, known.read_or_null(source))

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        known = self._known(arguments, sink.bindings)
        if known is None:
            super().write(sink, value)
            return
        (part,) = self.parts(value, 1, 1)
        known.write_or_null(sink, part)

    def _known(self, arguments: Arguments, bindings: Bindings) -> Serializer | None:
        raw = arguments[0].resolve(bindings) if arguments else None
        return None if raw is None else self._registry.element(raw)


class Fixed(_Value):
    """A number of fixed width, after a flag if it is optional."""

    def __init__(
        self, class_name: str, form: str, check: Callable[[Any], Any], *, optional: bool = False
    ) -> None:
        super().__init__(class_name)
        self._form = struct.Struct(form)
        self._check = check
        self._optional = optional
        self.smallest = 1 if optional else self._form.size

    def read(self, source: Reader, arguments: Arguments = None) -> Any:
        if self._optional and not source.flag():
            return JValue(self.class_name)
        (found,) = self._form.unpack(source.take(self._form.size))
        return JValue(self.class_name, found)

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        parts = self.parts(value, 0 if self._optional else 1, 1)
        if self._optional:
            sink.out.append(len(parts))
        if parts:
            sink.out += self._form.pack(self._check(parts[0]))


class AtomicBoolean(_Value):
    """A byte."""

    def read(self, source: Reader, arguments: Arguments = None) -> Any:
        return JValue(self.class_name, source.flag())

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        (part,) = self.parts(value, 1, 1)
        if not isinstance(part, bool):
            raise reject_value(part, "a boolean")
        sink.out.append(part)


class OldAtomic(_Value):
    """Before 3.46.0 an object with one field; AtomicBoolean's is an int."""

    def __init__(self, class_name: str, bits: int) -> None:
        super().__init__(class_name)
        self._bits = bits

    def read(self, source: Reader, arguments: Arguments = None) -> Any:
        if self._bits != 1:
            found = source.zigzag_long() if self._bits == 64 else source.zigzag()
            return JValue(self.class_name, found)
        number = source.zigzag()
        if number not in {0, 1}:
            raise Rejection(f"{number} is not a boolean")
        return JValue(self.class_name, number == 1)

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        (part,) = self.parts(value, 1, 1)
        if self._bits == 1:
            if not isinstance(part, bool):
                raise reject_value(part, "a boolean")
            sink.zigzag(int(part))
        else:
            sink.zigzag_long(check_int(part, self._bits, "an atomic's value"))


class BitSet(_Value):
    """The words of 64 bits, low ones first; the last one must not be 0."""

    def read(self, source: Reader, arguments: Arguments = None) -> Any:
        count = source.claim(source.varint(), 8)
        words = struct.unpack(f"<{count}q", source.take(8 * count))
        if words and not words[-1]:
            raise Rejection("the last word of a BitSet must not be 0")
        return JValue(self.class_name, *words)

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        words = [check_int(each, 64, "a long") for each in self.parts(value, 0, 1 << 26)]
        if words and not words[-1]:
            raise Rejection("the last word of a BitSet must not be 0")
        sink.varint(len(words))
        for each in words:
            sink.out += _LONG.pack(each)


class Class(_Value):
    """A `java.lang.Class`: its class header. In Python it is a name.

    A wrapper's header is followed by a byte: 1 for the primitive (`int`), 0 for the wrapper.
    """

    nullable = True

    def read(self, source: Reader, arguments: Arguments = None) -> Any:
        name = source.class_name()
        if name is None:
            return None
        if name in _WRAPPERS and source.flag():
            name = _WRAPPERS[name]
        return JValue(self.class_name, name)

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        (name,) = self.parts(value, 1, 1)
        if not isinstance(name, str) or not is_class_name(name):
            raise reject_value(name, "a class name")
        boxed = BOXES.get(name, name)
        sink.class_name(boxed)
        if boxed in _WRAPPERS:
            sink.out.append(boxed != name)


class Fieldless(_Value):
    """An object without fields: a comparator."""

    smallest = 0

    def read(self, source: Reader, arguments: Arguments = None) -> Any:
        return JValue(self.class_name)

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        self.parts(value, 0, 0)


class KeySetView(_Value):
    """A KeySetView: the map, and the value that its `add` puts."""

    smallest = 2

    def __init__(self, class_name: str, registry: Classes) -> None:
        super().__init__(class_name)
        self._registry = registry

    def read(self, source: Reader, arguments: Arguments = None) -> Any:
        source.descend()
        found = JValue(self.class_name, source.value(), source.value())
        source.depth -= 1
        self._check(found.parts[0])
        return found

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        parts = self.parts(value, 2, 2)
        self._check(parts[0])
        if parts[1] is None:
            raise Rejection(
                "Java cannot read the keySet() of a map; use ConcurrentHashMap.newKeySet()"
            )
        sink.descend()
        for each in parts:
            sink.value(each)
        sink.depth -= 1

    def _check(self, value: Any) -> None:
        name = None if value is None else self._registry.of(value).class_name
        if name != "java.util.concurrent.ConcurrentHashMap":
            raise Rejection("the map of a KeySetView must be a ConcurrentHashMap")
