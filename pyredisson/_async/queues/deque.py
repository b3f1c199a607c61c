"""RDeque: a plain list, open at both ends."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TypeVar, overload

from pyredisson._async.queues.queue import AsyncQueue
from pyredisson.protocol.queues.queue import End

V = TypeVar("V")


class AsyncDeque(AsyncQueue[V]):
    """A queue that Java sees as RDeque.

    The methods of `Queue` append at the tail and take at the head.
    """

    async def add_first(self, *values: V) -> int:
        """Add values at the head, in turn: the last one is then first. Return the new length."""
        return await self._push(End.FIRST, values)

    async def add_last(self, *values: V) -> int:
        """Append values; return the new length."""
        return await self._push(End.LAST, values)

    async def add_first_if_exists(self, *values: V) -> int:
        """Add values at the head unless the deque is empty; return the new length, or 0."""
        return await self._push(End.FIRST, values, if_exists=True)

    async def add_last_if_exists(self, *values: V) -> int:
        """Append values unless the deque is empty; return the new length, or 0."""
        return await self._push(End.LAST, values, if_exists=True)

    async def _push(self, end: End, values: tuple[V, ...], *, if_exists: bool = False) -> int:
        if not values:  # the server rejects a push without values
            return await self.size()
        return await self._run(self._list.push(end, values, if_exists=if_exists))

    async def offer_first(self, value: V) -> bool:
        """Add a value at the head; always return True."""
        return await self.add_first(value) > 0

    async def offer_last(self, value: V) -> bool:
        """Append a value; always return True."""
        return await self.add_last(value) > 0

    async def push(self, value: V) -> None:
        """Add a value at the head."""
        await self.add_first(value)

    async def pop(self) -> V:
        """Take the first value.

        Raises:
            EmptyQueueError: the deque is empty.
        """
        return await self.remove()

    @overload
    async def poll_first(self) -> V | None: ...

    @overload
    async def poll_first(self, limit: int) -> list[V]: ...

    async def poll_first(self, limit: int | None = None) -> V | list[V] | None:
        """Take the first value, or None. With `limit`, return a list of at most `limit` values."""
        return await self._polled(End.FIRST, limit)

    @overload
    async def poll_last(self) -> V | None: ...

    @overload
    async def poll_last(self, limit: int) -> list[V]: ...

    async def poll_last(self, limit: int | None = None) -> V | list[V] | None:
        """Take the last value, or None. With `limit`, return a list of at most `limit` values.

        The last value is the first one of the list.
        """
        return await self._polled(End.LAST, limit)

    async def peek_first(self) -> V | None:
        """Return the first value without removing it; None if there is none."""
        return await self.peek()

    async def peek_last(self) -> V | None:
        """Return the last value without removing it; None if there is none."""
        return await self._run(self._list.index(-1))

    async def get_first(self) -> V:
        """Return the first value without removing it; raise EmptyQueueError without one."""
        return self._required(await self.peek_first())

    async def get_last(self) -> V:
        """Return the last value without removing it; raise EmptyQueueError without one."""
        return self._required(await self.peek_last())

    async def remove_first(self) -> V:
        """Take the first value; raise EmptyQueueError if there is none."""
        return self._required(await self.poll_first())

    async def remove_last(self) -> V:
        """Take the last value; raise EmptyQueueError if there is none."""
        return self._required(await self.poll_last())

    async def remove_first_occurrence(self, value: V) -> bool:
        """Remove the first value with the same bytes; return True if there was one."""
        return await self._run(self._list.remove(value, 1)) > 0

    async def remove_last_occurrence(self, value: V) -> bool:
        """Remove the last value with the same bytes; return True if there was one."""
        return await self._run(self._list.remove(value, -1)) > 0

    async def move(self, target: str, source_end: End, target_end: End) -> V | None:
        """Move a value from an end to an end of another queue; return the value, or None."""
        return await self._run(self._list.move(self._mapped(target), source_end, target_end))

    async def descending_iterator(self) -> AsyncIterator[V]:
        """Iterate from the last value to the first; the values are read in pages (`__aiter__`)."""
        async for value in self._paged(self._list.range, self._list.size(), backwards=True):
            yield value
