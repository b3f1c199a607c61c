"""Reads big-endian numbers and slices from a class file, never beyond its end.

`modified_utf8` decodes the JVM's own encoding of text (JVMS 4.4.7): NUL is two bytes, and a
character outside of the BMP is a pair of surrogates of three bytes each.
"""

from __future__ import annotations

from .errors import ClassFileError

__all__ = ["Cursor", "modified_utf8"]


class Cursor:
    """A position in some bytes; `label` names them in errors."""

    __slots__ = ("_data", "_place", "label")

    def __init__(self, data: bytes, label: str) -> None:
        self._data = data
        self._place = 0
        self.label = label

    def take(self, size: int) -> bytes:
        """Return the next bytes.

        Raises:
            ClassFileError: fewer bytes are left.
        """
        end = self._place + size
        if end > len(self._data):
            raise self.error(f"ends early: {size} bytes wanted at offset {self._place}")
        found = self._data[self._place : end]
        self._place = end
        return found

    def u1(self) -> int:
        """Return an unsigned byte."""
        return self.take(1)[0]

    def u2(self) -> int:
        """Return an unsigned number of 2 bytes."""
        return int.from_bytes(self.take(2), "big")

    def u4(self) -> int:
        """Return an unsigned number of 4 bytes."""
        return int.from_bytes(self.take(4), "big")

    def part(self, size: int) -> Cursor:
        """Return a cursor over the next bytes, and skip them."""
        return Cursor(self.take(size), self.label)

    def end(self, what: str) -> None:
        """Raise a `ClassFileError` if bytes are left over."""
        rest = len(self._data) - self._place
        if rest:
            raise self.error(f"{rest} bytes are left over after {what}")

    def error(self, message: str) -> ClassFileError:
        """Return the error that names this file."""
        return ClassFileError(f"{self.label}: {message}")


def modified_utf8(data: bytes) -> str:
    """Return text from modified UTF-8; unpaired surrogates stay, as in Java's strings.

    Raises:
        ValueError: the bytes are not modified UTF-8.
    """
    if data.isascii() and 0 not in data:
        return data.decode("ascii")
    if 0 in data or max(data) >= 0xF0:
        raise ValueError("it has a byte that modified UTF-8 never contains")
    text = data.replace(b"\xc0\x80", b"\0").decode("utf-8", "surrogatepass")
    return text.encode("utf-16-be", "surrogatepass").decode("utf-16-be", "surrogatepass")
