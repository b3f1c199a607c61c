"""RCollection: the methods that objects with many values have in common."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from typing import Generic, TypeVar

from pyredisson._async.objects.expirable import AsyncExpirableObject
from pyredisson._runtime.concurrency import AsyncCollection
from pyredisson.codecs.base import Codec
from pyredisson.errors import EmptyQueueError
from pyredisson.protocol.objects.collection import CollectionProtocol, ValuesProtocol

V = TypeVar("V")


class AsyncValuesObject(AsyncExpirableObject, AsyncCollection, Generic[V]):
    """Values in any order; two values are equal if their encoded bytes are equal.

    Each method may raise `ServerError` and `ClosedError`, and `DecodeError` if it returns values.
    """

    @property
    def _values(self) -> ValuesProtocol[V]:
        """The object's operations."""
        raise NotImplementedError

    @property
    def codec(self) -> Codec[V]:
        """The codec of the values."""
        return self._values.codec

    async def remove_all(self, values: Iterable[V]) -> bool:
        """Remove every value that equals one of `values`; return True if any was removed."""
        wanted = list(values)
        return bool(wanted) and await self._run(self._values.remove_all(wanted))

    async def retain_all(self, values: Iterable[V]) -> bool:
        """Remove every value that equals none of `values`; return True if any was removed."""
        kept = list(values)
        return await (self._run(self._values.retain_all(kept)) if kept else self.delete())

    async def clear(self) -> None:
        """Remove all values."""
        await self.delete()

    async def size(self) -> int:
        """Return the number of values."""
        return await self._run(self._values.size())

    async def is_empty(self) -> bool:
        """Return True if there is no value."""
        return await self.size() == 0

    async def contains(self, value: V) -> bool:
        """Return True if a value with the same encoded bytes is present."""
        return await self._run(self._values.contains(value))

    async def contains_all(self, values: Iterable[V]) -> bool:
        """Return True if all `values` are present."""
        wanted = list(values)
        return not wanted or await self._run(self._values.contains_all(wanted))


class AsyncOrderedObject(AsyncValuesObject[V]):
    """Values in an order, which can be read by their indexes."""

    @property
    def _values(self) -> CollectionProtocol[V]:
        raise NotImplementedError

    async def read_all(self) -> list[V]:
        """Return all values, read in one command; iterate instead if there may be many."""
        return await self._run(self._values.range(0, -1))

    async def __aiter__(self) -> AsyncIterator[V]:
        """Iterate over the values, read in pages, so that a long list never blocks the server.

        A value that stays meanwhile is returned at least once. If the object has several equal
        values, it is possible that fewer of them are returned.
        """
        async for value in self._paged(self._values.range, self._values.size()):
            yield value


class AsyncCollectionObject(AsyncOrderedObject[V]):
    """A queue: values in an order. The first value is taken next."""

    _kind = "a queue"

    def _required(self, value: V | None) -> V:
        if value is None:
            raise EmptyQueueError(f"{self._main_key!r} is empty")
        return value

    async def peek(self) -> V | None:
        """Return the first value without removing it; None if there is none."""
        return await self._run(self._values.peek())

    async def element(self) -> V:
        """Return the first value without removing it.

        Raises:
            EmptyQueueError: there is no value.
        """
        return self._required(await self.peek())
