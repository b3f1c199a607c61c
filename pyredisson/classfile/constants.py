"""The constant pool: the numbers, texts and names to which a class file refers.

An index is checked when it is used. Longs and doubles occupy two indexes (JVMS 4.4.5).
"""

from __future__ import annotations

import struct

from .cursor import Cursor, modified_utf8

__all__ = ["ConstantPool"]

_UTF8, _INTEGER, _FLOAT, _LONG, _DOUBLE, _CLASS, _STRING = 1, 3, 4, 5, 6, 7, 8
_FIELD, _NAME_AND_TYPE = 9, 12
_SIZES = {
    _INTEGER: 4,
    _FLOAT: 4,
    _LONG: 8,
    _DOUBLE: 8,
    _CLASS: 2,
    _STRING: 2,
    _FIELD: 4,
    10: 4,  # Methodref
    11: 4,  # InterfaceMethodref
    _NAME_AND_TYPE: 4,
    15: 3,  # MethodHandle
    16: 2,  # MethodType
    17: 4,  # Dynamic
    18: 4,  # InvokeDynamic
    19: 2,  # Module
    20: 2,  # Package
}
_NUMBERS = {_INTEGER: ">i", _FLOAT: ">f", _LONG: ">q", _DOUBLE: ">d"}


class ConstantPool:
    """The constants of one class file, by index; index 0 means "none" where that is permitted."""

    __slots__ = ("_entries", "_texts", "cursor")

    def __init__(self, cursor: Cursor) -> None:
        self.cursor = cursor
        self._entries: list[tuple[int, bytes]] = [(0, b"")]
        self._texts: dict[int, str] = {}
        count = cursor.u2()
        while len(self._entries) < count:
            tag = cursor.u1()
            size = cursor.u2() if tag == _UTF8 else _SIZES.get(tag)
            if size is None:
                raise cursor.error(f"constant {len(self._entries)} has the unknown tag {tag}")
            self._entries.append((tag, cursor.take(size)))
            if tag in {_LONG, _DOUBLE}:
                self._entries.append((0, b""))

    def _entry(self, index: int, *tags: int) -> tuple[int, bytes]:
        if index < len(self._entries) and self._entries[index][0] in tags:
            return self._entries[index]
        wanted = " or ".join(map(str, tags))
        raise self.cursor.error(f"constant {index} does not exist, or its tag is not {wanted}")

    def text(self, index: int) -> str:
        """Return a Utf8 constant."""
        found = self._texts.get(index)
        if found is None:
            data = self._entry(index, _UTF8)[1]
            try:
                found = modified_utf8(data)
            except ValueError as error:
                raise self.cursor.error(f"constant {index} is not a text: {error}") from None
            self._texts[index] = found
        return found

    def name(self, index: int) -> str:
        """Return a Utf8 constant that is a name.

        Raises:
            ClassFileError: it is empty, or UTF-8 cannot encode it.
        """
        found = self.text(index)
        if not found or any("\ud800" <= letter <= "\udfff" for letter in found):
            raise self.cursor.error(f"constant {index} is not a valid name: {found!r}")
        return found

    def class_name(self, index: int) -> str:
        """Return a class's name with dots; for an array class, its descriptor."""
        data = self._entry(index, _CLASS)[1]
        return self.name(int.from_bytes(data, "big")).replace("/", ".")

    def optional_class(self, index: int) -> str | None:
        """Return a class's name, None for index 0."""
        return self.class_name(index) if index else None

    def value(self, index: int) -> int | float | str:
        """Return a number, or the text of a String constant."""
        tag, data = self._entry(index, *_NUMBERS, _STRING)
        if tag == _STRING:
            return self.text(int.from_bytes(data, "big"))
        found: int | float = struct.unpack(_NUMBERS[tag], data)[0]
        return found

    def field(self, index: int) -> tuple[str, str]:
        """Return the class and the name of a field reference."""
        data = self._entry(index, _FIELD)[1]
        owner, pair = int.from_bytes(data[:2], "big"), int.from_bytes(data[2:], "big")
        name = self._entry(pair, _NAME_AND_TYPE)[1][:2]
        return self.class_name(owner), self.name(int.from_bytes(name, "big"))
