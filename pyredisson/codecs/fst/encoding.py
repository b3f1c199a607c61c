"""How FST encodes values that are not objects: primitive fields, array elements, numbers in data.

The functions check each value before they write a byte of it, as in all codecs.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable
from typing import Any

from pyredisson.codecs.java_serialization.stream_model import ClassData
from pyredisson.codecs.java_serialization.times import TimeBlock
from pyredisson.java.checks import check_char, check_date, check_float, check_int
from pyredisson.rejection import Rejection, reject_value

from .numbers import put_char, put_int, put_text

__all__ = ["COPIED", "ELEMENTS", "FIELDS", "FORMS", "Parts", "TimeWriter", "packed"]


def _boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise reject_value(value, "a boolean")
    return value


def _byte(value: Any) -> bytes:
    return bytes([check_int(value, 8, "a byte") & 0xFF])


def _short(value: Any) -> bytes:
    return put_char(check_int(value, 16, "a short") & 0xFFFF)


def _char(value: Any) -> bytes:
    return put_char(ord(check_char(value)))


def _real(form: str, bits: int) -> Callable[[Any], bytes]:
    return lambda value: struct.pack(form, check_float(value, bits))


FIELDS: dict[str, Callable[[Any], bytes]] = {
    "Z": lambda value: bytes([_boolean(value)]),
    "B": _byte,
    "C": _char,
    "S": _short,
    "I": lambda value: put_int(check_int(value, 32, "an int")),
    "J": lambda value: put_int(check_int(value, 64, "a long"), long=True),
    "F": _real("<f", 32),
    "D": _real("<d", 64),
}
"""The encoders of primitives."""
COPIED: dict[str, Callable[[Any], bytes]] = {
    "java.lang.Byte": _byte,
    "java.lang.Short": _short,
    "java.lang.Character": _char,
    "java.lang.Float": FIELDS["F"],
    "java.lang.Double": FIELDS["D"],
    "java.util.Date": lambda value: put_int(check_date(value), long=True),
}
"""The encoders of objects that FST writes again each time, instead of a reference."""


def packed(bits: list[bool]) -> bytes:
    """Encode booleans as bits, the first as the highest."""
    found = bytearray()
    for start in range(0, len(bits), 8):
        part = bits[start : start + 8]
        found.append(sum(bit << 7 - at for at, bit in enumerate(part)))
    return bytes(found)


def _each(encode: Callable[[Any], bytes]) -> Callable[[Iterable[Any]], bytes]:
    return lambda values: b"".join(map(encode, values))


def _wide(form: str, check: Callable[[Any], Any]) -> Callable[[Iterable[Any]], bytes]:
    def encode(values: Iterable[Any]) -> bytes:
        checked = [check(each) for each in values]
        return struct.pack(f"<{len(checked)}{form}", *checked)

    return encode


ELEMENTS: dict[str, Callable[[Iterable[Any]], bytes]] = {
    **{code: _each(FIELDS[code]) for code in "ZBCS"},
    "I": _wide("i", lambda value: check_int(value, 32, "an int")),
    "J": _wide("q", lambda value: check_int(value, 64, "a long")),
    "F": _wide("f", lambda value: check_float(value, 32)),
    "D": _wide("d", lambda value: check_float(value, 64)),
}
"""The encoders of the elements of an array of primitives."""
FORMS = {"i": (">i", "I"), "f": (">f", "F"), "q": (">q", "J"), "c": (">H", "C")}
"""The numbers in data, by their code in a layout: their `struct` format in a `ClassData`, and their
key in `FIELDS`."""


class Parts:
    """The data that a class writes after its fields, part by part."""

    def __init__(self, class_data: ClassData) -> None:
        self._name = class_data.class_name
        self._parts = [part for _, part in class_data.parts]
        self._block = b""

    def number(self, form: str) -> Any:
        """Take a number of a `struct` format."""
        found = struct.unpack(form, self.data(struct.calcsize(form)))[0]
        return chr(found) if form == ">H" else found

    def data(self, size: int) -> bytes:
        """Take the next `size` bytes."""
        if not self._block and self._parts and isinstance(self._parts[0], bytes):
            self._block = self._parts.pop(0)
        piece, self._block = self._block[: max(size, 0)], self._block[max(size, 0) :]
        if len(piece) != size:
            raise self._unexpected()
        return piece

    def objects(self, count: int | None = None) -> list[Any]:
        """Take `count` objects; without a count, all that are left."""
        wanted = len(self._parts) if count is None else count
        found, self._parts = self._parts[:wanted], self._parts[wanted:]
        if len(found) != wanted or self._block:
            raise self._unexpected()
        return found

    def check_end(self) -> None:
        """Reject parts that are left over."""
        if self._parts or self._block:
            raise self._unexpected()

    def _unexpected(self) -> Rejection:
        return Rejection(f"unexpected data of a {self._name}", self._name)


class TimeWriter(TimeBlock):
    """Reads the bytes of one `java.time.Ser`, and appends the same in FST's encoding."""

    def __init__(self, data: bytes, out: bytearray) -> None:
        super().__init__(data)
        self._out = out

    def number(self, form: str) -> int:
        """Read a number of a `struct` format."""
        found = super().number(form)
        self._out += struct.pack("b", found) if form == "b" else put_int(found, long=form == "q")
        return found

    def text(self) -> str:
        """Read a text."""
        before = len(self._out)
        found = super().text()
        del self._out[before:]  # FST encodes the length in another way
        self._out += put_text(found)
        return found
