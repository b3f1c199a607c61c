"""Computes the serialVersionUID of a class that declares none, as Java does.

It is a hash of everything that other classes can access: name, modifiers, interfaces, fields,
constructors and methods, including those that a compiler adds. So each change of the class, or of
the compiler, may change it. Source: the Java Object Serialization Specification, 4.6, and
`ObjectStreamClass.computeDefaultSUID` of OpenJDK 17.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator

from pyredisson.java.modified_utf8 import to_modified
from pyredisson.java.names import PRIMITIVES
from pyredisson.java.types import JavaType

from .model import Access, ClassFile, Method

__all__ = ["default_serial_version_uid"]

_OF_CLASS = 0x0611  # public, final, interface, abstract
_OF_FIELD = 0x00DF  # public, private, protected, static, final, volatile, transient
_OF_METHOD = 0x0D3F  # public, private, protected, static, final, synchronized, native, ...


def default_serial_version_uid(file: ClassFile) -> int:
    """Return the UID that `ObjectStreamClass` computes for a class that declares none."""
    digest = hashlib.sha1(b"".join(_parts(file)), usedforsecurity=False).digest()
    return int.from_bytes(digest[:8], "little", signed=True)


def _parts(file: ClassFile) -> Iterator[bytes]:
    own = file.own
    yield _utf(file.name)
    yield _int((file.flags if own is None else own.flags) & _OF_CLASS)
    yield from map(_utf, sorted(each.name for each in file.interfaces))
    for field in sorted(file.fields, key=lambda each: each.name):
        flags = field.flags & _OF_FIELD
        if not (flags & Access.PRIVATE and flags & (Access.STATIC | Access.TRANSIENT)):
            yield from (_utf(field.name), _int(flags), _utf(_descriptor(field.erased)))
    by_name = sorted(file.methods, key=lambda each: (each.name, each.descriptor))
    if any(each.name == "<clinit>" for each in by_name):
        yield from (_utf("<clinit>"), _int(Access.STATIC), _utf("()V"))
    yield from _members([each for each in by_name if each.name == "<init>"])
    yield from _members([each for each in by_name if not each.name.startswith("<")])


def _members(methods: list[Method]) -> Iterator[bytes]:
    for each in methods:
        if not each.flags & Access.PRIVATE:
            descriptor = each.descriptor.replace("/", ".")
            yield from (_utf(each.name), _int(each.flags & _OF_METHOD), _utf(descriptor))


def _descriptor(kind: JavaType) -> str:
    name = kind.name.replace(".", "/")
    return "[" * kind.dimensions + PRIMITIVES.get(name, f"L{name};")


def _int(value: int) -> bytes:
    return struct.pack(">i", value)


def _utf(text: str) -> bytes:
    data = to_modified(text)
    return struct.pack(">H", len(data)) + data
