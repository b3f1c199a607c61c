"""RQueue: a plain list, first in, first out."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from typing import Any, Generic, TypeVar, overload

from pyredisson._async.context import AsyncContext
from pyredisson._async.handle import AsyncHandle
from pyredisson._compat import AsyncCollection
from pyredisson.codecs.base import Codec
from pyredisson.errors import EmptyQueueError
from pyredisson.protocol.keys import KeysProtocol
from pyredisson.protocol.queue import End, QueueProtocol, whole

V = TypeVar("V")

_PAGE = 500
_NOTHING = object()


class AsyncQueue(AsyncHandle, AsyncCollection, Generic[V]):
    """A queue that Java sees as RQueue: `offer` at the tail, `poll` at the head."""

    def __init__(self, context: AsyncContext, name: str, codec: Codec[V]) -> None:
        key = context.mapper.map(name)
        super().__init__(context, name, {key: "list"})
        self._codec = codec
        self._list = QueueProtocol(key, codec)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._list.name!r} codec={self._codec!r}>"

    @property
    def codec(self) -> Codec[V]:
        """How values are spelled."""
        return self._codec

    def _keys(self) -> KeysProtocol:
        return KeysProtocol((self._list.name,))

    def _targets(self, new_name: str) -> tuple[str, ...]:
        return (self._context.mapper.map(new_name),)

    async def _renamed(self, new_name: str) -> None:
        self._name = new_name
        self._list = QueueProtocol(self._context.mapper.map(new_name), self._codec)
        self._types = {self._list.name: "list"}

    # -------------------------------------------------------------- adding

    async def add(self, value: V) -> bool:
        """Append a value; always True, as java.util.Queue.add."""
        await self._run(self._list.push(End.LAST, (value,)))
        return True

    async def offer(self, value: V) -> bool:
        """Append a value; always True, as the queue has no bound."""
        return await self.add(value)

    async def add_all(self, values: Iterable[V]) -> bool:
        """Append several values in one command; True when there were any."""
        encoded = list(values)
        if encoded:
            await self._run(self._list.push(End.LAST, encoded))
        return bool(encoded)

    # -------------------------------------------------------------- taking

    @overload
    async def poll(self) -> V | None: ...

    @overload
    async def poll(self, limit: int) -> list[V]: ...

    async def poll(self, limit: int | None = None) -> V | list[V] | None:
        """Take the first value, None when there is none; with `limit` up to so many."""
        if limit is None:
            return await self._run(self._list.pop(End.FIRST))
        return await self._poll_many(End.FIRST, limit)

    async def _poll_many(self, end: End, limit: int) -> list[V]:
        return await self._run(self._list.pop_many(end, limit)) if whole(limit) > 0 else []

    @overload
    async def remove(self) -> V: ...

    @overload
    async def remove(self, value: V) -> bool: ...

    async def remove(self, value: Any = _NOTHING) -> V | bool:
        """Take the first value (an error when there is none), or remove one by value.

        Raises:
            EmptyQueueError: `remove()` of an empty queue.
        """
        if value is _NOTHING:
            return self._required(await self._run(self._list.pop(End.FIRST)))
        return await self._run(self._list.remove(value, 1)) > 0

    def _required(self, value: V | None) -> V:
        if value is None:
            raise EmptyQueueError(f"queue {self._list.name!r} is empty")
        return value

    async def remove_all(self, values: Iterable[V]) -> bool:
        """Remove all that equals any of the values; True when anything did."""
        wanted = list(values)
        return bool(wanted) and await self._run(self._list.remove_all(wanted))

    async def retain_all(self, values: Iterable[V]) -> bool:
        """Remove all that equals none of the values; True when anything was removed."""
        kept = list(values)
        return await (self._run(self._list.retain_all(kept)) if kept else self.delete())

    async def poll_last_and_offer_first_to(self, target: str) -> V | None:
        """Take the last value to the head of another queue; None when there is none."""
        return await self._run(self._list.move(self._mapped(target), End.LAST, End.FIRST))

    def _mapped(self, name: str) -> str:
        return self._context.mapper.map(name)

    async def clear(self) -> None:
        """Remove all."""
        await self.delete()

    # -------------------------------------------------------------- looking

    async def peek(self) -> V | None:
        """Return the first value and leave it; None when there is none."""
        return await self._run(self._list.index(0))

    async def element(self) -> V:
        """Return the first value and leave it.

        Raises:
            EmptyQueueError: there is none.
        """
        return self._required(await self.peek())

    async def size(self) -> int:
        """Return how many values there are."""
        return await self._run(self._list.size())

    async def is_empty(self) -> bool:
        """Tell whether there is none."""
        return await self.size() == 0

    async def contains(self, value: V) -> bool:
        """Tell whether a value with the same bytes is there."""
        return await self.index_of(value) >= 0

    async def contains_all(self, values: Iterable[V]) -> bool:
        """Tell whether all the values are there."""
        wanted = list(values)
        return not wanted or await self._run(self._list.contains_all(wanted))

    async def index_of(self, value: V) -> int:
        """Return the index of the first value with the same bytes, -1 without one."""
        place = await self._run(self._list.position(value))
        return -1 if place is None else place

    async def read_all(self) -> list[V]:
        """Return all values in one command; iterate instead where there may be many."""
        return await self._run(self._list.range(0, -1))

    async def __aiter__(self) -> AsyncIterator[V]:
        """Iterate over the values in pages, so that a long queue never blocks the server."""
        start = 0
        while True:
            page = await self._run(self._list.range(start, start + _PAGE - 1))
            for value in page:
                yield value
            if len(page) < _PAGE:
                return
            start += _PAGE
