"""Sources of items for `offer_many`. The async variant also accepts asynchronous iterables."""

from __future__ import annotations

from collections.abc import AsyncIterable, Callable, Iterable
from typing import Generic, TypeAlias, TypeVar

T = TypeVar("T")

AsyncMany: TypeAlias = Iterable[T] | AsyncIterable[T]
Many: TypeAlias = Iterable[T]


class AsyncSource(Generic[T]):
    """The items of an iterable or an asynchronous iterable, consumed in parts."""

    def __init__(self, items: AsyncMany[T]) -> None:
        self._awaited = aiter(items) if isinstance(items, AsyncIterable) else None
        self._items = iter(()) if isinstance(items, AsyncIterable) else iter(items)

    async def fill(self, take: Callable[[Iterable[T]], bool]) -> bool:
        """Pass items to `take` until it returns True; return False if the items ended before.

        `take` gets all items of a plain iterable in one call, and each asynchronous item in a call
        of its own.
        """
        if self._awaited is None:
            return take(self._items)
        async for item in self._awaited:
            if take((item,)):
                return True
        return False


class Source(Generic[T]):
    """The items of an iterable, consumed in parts."""

    def __init__(self, items: Many[T]) -> None:
        self._items = iter(items)

    def fill(self, take: Callable[[Iterable[T]], bool]) -> bool:
        """Pass an iterator of the items to `take`, and return its result.

        `take` consumes items until it has enough and returns True, or until the items end.
        """
        return take(self._items)
