"""RCollection: what queues, delayed queues and later lists have in common."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from typing import Generic, TypeVar

from pyredisson._async.objects.expirable import AsyncExpirableObject
from pyredisson._runtime.concurrency import AsyncCollection
from pyredisson.codecs.base import Codec
from pyredisson.errors import EmptyQueueError
from pyredisson.protocol.objects.collection import CollectionProtocol

V = TypeVar("V")


class AsyncCollectionObject(AsyncExpirableObject, AsyncCollection, Generic[V]):
    """Values in an order; equal are those with the same bytes."""

    _kind = "a queue"

    @property
    def _values(self) -> CollectionProtocol[V]:
        """Return the object's operations."""
        raise NotImplementedError

    @property
    def codec(self) -> Codec[V]:
        """How values are encoded."""
        return self._values.codec

    def _required(self, value: V | None) -> V:
        if value is None:
            raise EmptyQueueError(f"{self._main_key!r} is empty")
        return value

    async def remove_all(self, values: Iterable[V]) -> bool:
        """Remove all that equals any of the values; True when anything did."""
        wanted = list(values)
        return bool(wanted) and await self._run(self._values.remove_all(wanted))

    async def retain_all(self, values: Iterable[V]) -> bool:
        """Remove all that equals none of the values; True when anything was removed."""
        kept = list(values)
        return await (self._run(self._values.retain_all(kept)) if kept else self.delete())

    async def clear(self) -> None:
        """Remove all."""
        await self.delete()

    async def peek(self) -> V | None:
        """Return the first value and leave it; None when there is none."""
        return await self._run(self._values.peek())

    async def element(self) -> V:
        """Return the first value and leave it.

        Raises:
            EmptyQueueError: there is none.
        """
        return self._required(await self.peek())

    async def size(self) -> int:
        """Return how many values there are."""
        return await self._run(self._values.size())

    async def is_empty(self) -> bool:
        """Tell whether there is none."""
        return await self.size() == 0

    async def contains(self, value: V) -> bool:
        """Tell whether a value with the same bytes is there."""
        return await self._run(self._values.contains(value))

    async def contains_all(self, values: Iterable[V]) -> bool:
        """Tell whether all the values are there."""
        wanted = list(values)
        return not wanted or await self._run(self._values.contains_all(wanted))

    async def read_all(self) -> list[V]:
        """Return all values in one command; iterate instead where there may be many."""
        return await self._run(self._values.range(0, -1))

    async def __aiter__(self) -> AsyncIterator[V]:
        """Iterate over the values in pages, so that a long list never blocks the server."""
        async for value in self._paged(self._values.range):
            yield value
