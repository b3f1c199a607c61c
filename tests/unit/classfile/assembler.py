"""Builds class files byte by byte, so that the reader's tests need no JDK.

It checks nothing, so a test can build class files that no compiler would write.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

PUBLIC, PRIVATE, STATIC, FINAL, BRIDGE, TRANSIENT = 0x1, 0x2, 0x8, 0x10, 0x40, 0x80
INTERFACE, ABSTRACT, SYNTHETIC, ENUM, MODULE = 0x200, 0x400, 0x1000, 0x4000, 0x8000

JSON = "Lcom/fasterxml/jackson/annotation/"


@dataclass(frozen=True)
class EnumValue:
    """An annotation's value that is an enum constant."""

    name: str


@dataclass(frozen=True)
class Note:
    """An annotation by its descriptor; values are str, bool, int, float, list, EnumValue, Note."""

    descriptor: str
    values: Mapping[str, Any]


def note(descriptor: str, **values: Any) -> Note:
    return Note(descriptor, values)


def u2(*numbers: int) -> bytes:
    return b"".join(number.to_bytes(2, "big") for number in numbers)


def u4(number: int) -> bytes:
    return number.to_bytes(4, "big")


def modified(text: str) -> bytes:
    """Encode text in modified UTF-8: each UTF-16 unit by itself, NUL in two bytes."""
    data = text.encode("utf-16-be", "surrogatepass")
    units = (int.from_bytes(data[at : at + 2], "big") for at in range(0, len(data), 2))
    return b"".join(
        chr(unit).encode("utf-8", "surrogatepass") if unit else b"\xc0\x80" for unit in units
    )


class Pool:
    """The constant pool, without duplicates; `raw` adds constants that have no method."""

    def __init__(self) -> None:
        self.entries: list[bytes] = []
        self.count = 1
        self.known: dict[bytes, int] = {}

    def raw(self, tag: int, content: bytes) -> int:
        entry = bytes([tag]) + content
        if entry not in self.known:
            self.known[entry] = self.count
            self.entries.append(entry)
            self.count += 2 if tag in {5, 6} else 1
        return self.known[entry]

    def utf8(self, text: str | bytes) -> int:
        data = text if isinstance(text, bytes) else modified(text)
        return self.raw(1, u2(len(data)) + data)

    def cls(self, name: str) -> int:
        return self.raw(7, u2(self.utf8(name.replace(".", "/"))))

    def value(self, value: Any) -> int:
        if isinstance(value, str):
            return self.raw(8, u2(self.utf8(value)))
        if isinstance(value, float):
            return self.raw(6, struct.pack(">d", value))
        if -(2**31) <= value < 2**31:
            return self.raw(3, struct.pack(">i", value))
        return self.raw(5, struct.pack(">q", value))

    def field(self, owner: str, name: str, descriptor: str = "I") -> int:
        pair = self.raw(12, u2(self.utf8(name), self.utf8(descriptor)))
        return self.raw(9, u2(self.cls(owner), pair))


class ClassBuilder:
    """One class file; `build` returns its bytes."""

    def __init__(
        self,
        name: str,
        parent: str | None = "java.lang.Object",
        flags: int = PUBLIC,
        interfaces: Sequence[str] = (),
    ) -> None:
        self.name = name
        self.pool = Pool()
        self.head = u2(flags, self.pool.cls(name), self.pool.cls(parent) if parent else 0)
        self.head += u2(len(interfaces), *(self.pool.cls(each) for each in interfaces))
        self.fields: list[bytes] = []
        self.methods: list[bytes] = []
        self.attributes: list[bytes] = []
        self.inner: list[bytes] = []

    def _attribute(self, name: str, content: bytes) -> bytes:
        return u2(self.pool.utf8(name)) + u4(len(content)) + content

    def _common(self, signature: str | None, notes: Sequence[Note]) -> list[bytes]:
        found = [self._attribute("Deprecated", b"")]
        if signature is not None:
            found.append(self._attribute("Signature", u2(self.pool.utf8(signature))))
        if notes:
            found.append(self._attribute("RuntimeVisibleAnnotations", self._notes(notes)))
        return found

    def _notes(self, notes: Sequence[Note]) -> bytes:
        return u2(len(notes)) + b"".join(self._note(each) for each in notes)

    def _note(self, found: Note) -> bytes:
        parts = [u2(self.pool.utf8(found.descriptor), len(found.values))]
        for key, value in found.values.items():
            parts += [u2(self.pool.utf8(key)), self._value(value)]
        return b"".join(parts)

    def _value(self, value: Any) -> bytes:
        if isinstance(value, Note):
            return b"@" + self._note(value)
        if isinstance(value, EnumValue):
            return b"e" + u2(self.pool.utf8("Lcom/example/E;"), self.pool.utf8(value.name))
        if isinstance(value, list):
            return b"[" + u2(len(value)) + b"".join(self._value(each) for each in value)
        if isinstance(value, str):
            return b"s" + u2(self.pool.utf8(value))
        if isinstance(value, bool):
            return b"Z" + u2(self.pool.value(int(value)))
        return (b"D" if isinstance(value, float) else b"I") + u2(self.pool.value(value))

    def field(
        self,
        name: str,
        descriptor: str,
        flags: int = PRIVATE,
        *,
        signature: str | None = None,
        constant: Any = None,
        notes: Sequence[Note] = (),
    ) -> ClassBuilder:
        attributes = self._common(signature, notes)
        if constant is not None:
            attributes.append(self._attribute("ConstantValue", u2(self.pool.value(constant))))
        self.fields.append(self._member(flags, name, descriptor, attributes))
        return self

    def method(
        self,
        name: str,
        descriptor: str,
        flags: int = PUBLIC,
        *,
        code: bytes | None = None,
        signature: str | None = None,
        notes: Sequence[Note] = (),
    ) -> ClassBuilder:
        attributes = self._common(signature, notes)
        if code is not None:
            content = u2(1, 1) + u4(len(code)) + code + u2(0, 0)
            attributes.append(self._attribute("Code", content))
        self.methods.append(self._member(flags, name, descriptor, attributes))
        return self

    def getter(self, name: str, descriptor: str, field: str) -> ClassBuilder:
        """Add a method that is ``return this.field;``."""
        code = b"\x2a\xb4" + u2(self.pool.field(self.name, field)) + b"\xb0"
        return self.method(name, f"(){descriptor}", code=code)

    def _member(self, flags: int, name: str, descriptor: str, attributes: list[bytes]) -> bytes:
        head = u2(flags, self.pool.utf8(name), self.pool.utf8(descriptor), len(attributes))
        return head + b"".join(attributes)

    def signature(self, text: str) -> ClassBuilder:
        self.attributes.append(self._attribute("Signature", u2(self.pool.utf8(text))))
        return self

    def annotate(self, *notes: Note) -> ClassBuilder:
        self.attributes.append(self._attribute("RuntimeVisibleAnnotations", self._notes(notes)))
        return self

    def record(self, *names: str) -> ClassBuilder:
        one = self._attribute("Signature", u2(self.pool.utf8("I")))
        components = (u2(self.pool.utf8(name), self.pool.utf8("I"), 1) + one for name in names)
        content = u2(len(names)) + b"".join(components)
        self.attributes.append(self._attribute("Record", content))
        return self

    def permits(self, *names: str) -> ClassBuilder:
        content = u2(len(names), *(self.pool.cls(name) for name in names))
        self.attributes.append(self._attribute("PermittedSubclasses", content))
        return self

    def inner_class(
        self, name: str, outer: str | None, simple: str | None, flags: int
    ) -> ClassBuilder:
        self.inner.append(
            u2(
                self.pool.cls(name),
                self.pool.cls(outer) if outer else 0,
                self.pool.utf8(simple) if simple else 0,
                flags,
            )
        )
        return self

    def build(self) -> bytes:
        attributes = [*self.attributes, self._attribute("SourceFile", u2(1))]
        if self.inner:
            content = u2(len(self.inner)) + b"".join(self.inner)
            attributes.append(self._attribute("InnerClasses", content))
        body = b"".join(
            u2(len(table)) + b"".join(table) for table in (self.fields, self.methods, attributes)
        )
        pool = u2(self.pool.count) + b"".join(self.pool.entries)
        return b"\xca\xfe\xba\xbe\x00\x00\x00\x45" + pool + self.head + body


def enum_class(
    name: str, bodies: Mapping[str, str | None], interfaces: Sequence[str] = ()
) -> ClassBuilder:
    """Return an enum with these constants; a value names the class of the constant's body."""
    builder = ClassBuilder(name, "java.lang.Enum", PUBLIC | ENUM, interfaces=interfaces)
    pool = builder.pool
    code = b""
    descriptor = f"L{name.replace('.', '/')};"
    for number, (constant, body) in enumerate(bodies.items()):
        builder.field(constant, descriptor, PUBLIC | STATIC | FINAL | ENUM)
        code += b"\xbb" + u2(pool.cls(body or name)) + b"\x59\x12\x01" + bytes([3 + number])
        code += b"\xb7" + u2(1) + b"\xb3" + u2(pool.field(name, constant, descriptor))
    return builder.method("<clinit>", "()V", STATIC, code=code + b"\xb1")
