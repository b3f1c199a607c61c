"""Records the objects of a message in references mode."""

from __future__ import annotations

from typing import Any

__all__ = ["Objects", "Written"]


class _OwnText(str):
    """A short text that is not the same object as an equal text of its message."""

    __slots__ = ()


class _OwnBytes(bytes):
    """Short bytes that are not the same object as equal bytes of their message."""

    __slots__ = ()


class Objects(list[Any]):
    """The objects read so far, by their numbers."""

    def __init__(self) -> None:
        super().__init__()
        self._short: set[str] = set()

    def own(self, value: Any) -> Any:
        """Return a new object that is not identical to any other."""
        kind = type(value)
        if kind is bytes and len(value) < 2:
            return _OwnBytes(value)
        if kind is str and len(value) < 2:
            if value in self._short:
                return _OwnText(value)
            self._short.add(value)
        return value


class Written:
    """The objects written so far: their numbers, by their identity to Java."""

    __slots__ = ("numbers", "objects")

    def __init__(self) -> None:
        self.numbers: dict[object, int] = {}
        self.objects: list[Any] = []  # keeps them alive: the id of a freed object is reused
