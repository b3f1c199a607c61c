"""The operators of the lists of threads; lists of asyncio have none, as operators cannot await."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

V = TypeVar("V")


class AsyncSequenceOperators(Generic[V]):
    """Base of lists; empty, because operators cannot await."""


class SequenceOperators(Generic[V]):
    """Base of lists: `list[index]`, `list[first:end]`, `list[index] = value`, `del list[index]`."""

    get: Callable[[int], Any]
    range: Callable[[int, int], list[V]]
    fast_set: Callable[[int, V], None]
    fast_remove: Callable[[int], None]

    @overload
    def __getitem__(self, index: int) -> V: ...

    @overload
    def __getitem__(self, index: slice) -> list[V]: ...

    def __getitem__(self, index: int | slice) -> V | list[V]:
        """Return the value at an index, or the values of a slice.

        Raises:
            IndexError: the list has no such index.
            ValueError: the slice has a step other than 1.
        """
        if isinstance(index, slice):
            return self._slice(index)
        value: V | None = self.get(index)
        if value is None:
            raise IndexError(f"the list has no index {index}")
        return value

    def _slice(self, index: slice) -> list[V]:
        if index.step not in (None, 1):
            raise ValueError(f"a slice of a list in Redis has no step, got {index.step!r}")
        if index.stop == 0:
            return []
        return self.range(index.start or 0, -1 if index.stop is None else index.stop - 1)

    def __setitem__(self, index: int, value: V) -> None:
        """Replace the value at an index; raise the errors of `fast_set`."""
        self.fast_set(index, value)

    def __delitem__(self, index: int) -> None:
        """Remove the value at an index; raise the errors of `fast_remove`."""
        self.fast_remove(index)
