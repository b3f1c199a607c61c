"""The objects of a message in references mode, as far as it is read or written."""

from __future__ import annotations

from typing import Any

__all__ = ["Objects", "Written"]


class _OwnText(str):
    """A short text that is another object than an equal one of its message."""

    __slots__ = ()


class _OwnBytes(bytes):
    """Short bytes that are an object of their own."""

    __slots__ = ()


class Objects(list[Any]):
    """The objects that were read, by their numbers."""

    def __init__(self) -> None:
        super().__init__()
        self._short: set[str] = set()

    def own(self, value: Any) -> Any:
        """Return a new object as one that is none of the others."""
        kind = type(value)
        if kind is bytes and len(value) < 2:
            return _OwnBytes(value)
        if kind is str and len(value) < 2:
            if value in self._short:
                return _OwnText(value)
            self._short.add(value)
        return value


class Written:
    """The objects that were written: their numbers, by what makes two of them the same."""

    __slots__ = ("kept", "numbers")

    def __init__(self) -> None:
        self.numbers: dict[object, int] = {}
        self.kept: list[Any] = []  # what is known by its id must live as long
