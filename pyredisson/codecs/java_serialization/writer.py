"""Writes Java's object stream: the counterpart of `reader`.

Classes, objects, strings, arrays and constants get the next handle when they begin; so do
signatures, but not class names. Wrapped numbers are objects. Plain numbers are shared where Java's
boxing shares them (`Integer.valueOf`: -128 to 127), because Python does not distinguish other
objects. Source: `java.io.ObjectOutputStream` of OpenJDK 17, protocol version 2.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any

from pyredisson.java.modified_utf8 import to_modified
from pyredisson.java.names import component_of
from pyredisson.java.schema import ClassSchema
from pyredisson.limits import Limits

from .boxes import FORMS, pack_primitive
from .descriptions import ENUM, Description, array_description
from .literals import literal
from .replaced import EnumClass
from .stream_writer import BaseStreamWriter

__all__ = ["StreamWriter"]


class StreamWriter(BaseStreamWriter):
    """Writes one stream to `out`."""

    def __init__(
        self, schemas: Mapping[str, ClassSchema], limits: Limits, *, named: bool = False
    ) -> None:
        super().__init__(schemas, limits, named=named)
        self.out += b"\xac\xed\x00\x05"
        self._handles = 0
        self._described: dict[str, int] = {}
        self._texts: dict[str, int] = {}

    def value(self, value: Any, boxed: str | None = None) -> None:
        """Write an object (see `BaseStreamWriter.value`), or the class object of an enum."""
        if not isinstance(value, EnumClass):
            super().value(value, boxed)
            return
        key = EnumClass, value.class_name
        number = self._shared.number(key)
        if number is not None:
            self._reference(number)
            return
        self.out.append(0x76)
        self._class(_enum(value.class_name))
        self._new(key)

    def text(self, text: str) -> bytes:
        """Encode a string with its length."""
        data = to_modified(text)
        return struct.pack(">H", len(data)) + data

    def _null(self) -> None:
        self.out.append(0x70)

    def _reference(self, number: int) -> None:
        self.out += struct.pack(">Bi", 0x71, 0x7E0000 + number)

    def _new(self, key: Any = None) -> None:
        if key is not None:
            self._shared.add(key, self._handles)
        self._handles += 1

    def _string(self, text: str) -> None:
        data = to_modified(text)
        if len(data) < 0x10000:
            self.out += struct.pack(">BH", 0x74, len(data)) + data
        else:
            self.out += struct.pack(">Bq", 0x7C, len(data)) + data
        self._new(id(text))

    def _signature(self, text: str) -> None:
        if text in self._texts:
            self._reference(self._texts[text])
            return
        self._texts[text] = self._handles
        self._new()
        self.out.append(0x74)
        self.out += self.text(text)

    def _class(self, described: Description | None) -> None:
        if described is None:
            self._null()
            return
        known = self._described.get(described.name)
        if known is not None:
            self._reference(known)
            return
        self.out.append(0x72)
        self.out += self.text(described.name)
        self._described[described.name] = self._handles
        self._new()
        uid = described.uid & 0xFFFFFFFFFFFFFFFF
        self.out += struct.pack(">QBH", uid, described.flags, len(described.fields))
        for code, name, signature in described.fields:
            self.out.append(ord(code))
            self.out += self.text(name)
            if signature:
                self._signature(signature)
        self.out.append(0x78)
        self._class(described.parent)

    def _begin(self, key: Any, description: Description) -> None:
        self.out.append(0x73)
        self._class(description)
        self._new(key)

    def _data(self, data: bytes) -> None:
        self.out += struct.pack(">BB", 0x77, len(data)) + data

    def _end(self) -> None:
        self.out.append(0x78)

    def _constant(self, class_name: str, name: str, key: Any) -> None:
        self.out.append(0x7E)
        self._class(_enum(class_name))
        self._new(key)
        self._string(self.keep(literal(name)))  # never a reference: Java cannot read one there

    def _array(self, value: Any, name: str, key: Any) -> None:
        self.out.append(0x75)
        self._class(array_description(name))
        self._new(key)
        self.out += struct.pack(">i", len(value))
        code = name[1:]
        if code in FORMS:
            if isinstance(value, bytes):
                self.out += value
                return
            for each in value:
                self.out += pack_primitive(each, code)
            return
        component = component_of(name) or ""
        for each in value:
            self.checked(each, component)


def _enum(class_name: str) -> Description:
    return Description(class_name, 0, 0x12, (), ENUM)
