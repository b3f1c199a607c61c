"""The poison list of a queue: look at what could not be read, put it back, drop it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from typing import Generic, TypeVar

from pyredisson._async.context import AsyncContext
from pyredisson._async.objects.expirable import AsyncExpirableObject
from pyredisson._async.queues.queue import AsyncQueue
from pyredisson.codecs.base import as_bytes
from pyredisson.protocol.kernel.names import QueueNames
from pyredisson.protocol.objects.collection import PAGE
from pyredisson.protocol.poison.poison_list import PoisonedValue, PoisonProtocol
from pyredisson.protocol.queues.queue import whole

V = TypeVar("V")


def _only(raw: bytes, limit: int | None) -> bytes:
    if limit is not None:
        raise TypeError("give either limit or raw=")
    return as_bytes(raw, "raw=")


class AsyncPoisonList(AsyncExpirableObject, Generic[V]):
    """What was taken from a queue or fell due and could not be read, the oldest first.

    It is in the queue no more and stays here until somebody puts it back or drops it.
    """

    _kind = "a queue"

    def __init__(self, context: AsyncContext, queue: AsyncQueue[V]) -> None:
        self._codec = queue.codec
        super().__init__(context, queue.name)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._main_key!r} codec={self._codec!r}>"

    def _keys_of(self, name: str) -> dict[str, str]:
        return {QueueNames.of(name).poison: "list"}

    def _one_slot(self, name: str) -> Iterable[str]:
        return (name, QueueNames.of(name).poison)

    def _others_of(self, name: str) -> dict[str, str]:
        return {name: "list"}

    @property
    def _list(self) -> PoisonProtocol[V]:
        return PoisonProtocol(self._redis_name, self._codec)

    async def size(self) -> int:
        """Return how many there are."""
        return await self._run(self._list.size())

    async def read_all(self) -> list[PoisonedValue[V]]:
        """Return all, each with its bytes and what the queue's codec makes of them now."""
        return await self._run(self._list.range(0, -1))

    async def __aiter__(self) -> AsyncIterator[PoisonedValue[V]]:
        """Iterate over what `read_all` returns, in pages."""
        async for value in self._paged(self._list.range):
            yield value

    async def requeue(
        self,
        limit: int | None = None,
        *,
        raw: bytes | None = None,
        include_undecodable: bool = False,
    ) -> int:
        """Put values back to the head of the queue, in their order; return how many.

        Those that the queue's codec cannot read now stay, as they would only come again.
        Each moves in one step: whatever ends this half-way, no value is lost or doubled.

        Args:
            limit: the oldest so many.
            raw: only the one with these bytes.
            include_undecodable: also those that cannot be read here, for another consumer.
        """
        if raw is None:
            found = await self._found(limit, include_undecodable=include_undecodable)
        else:
            found = [_only(raw, limit)]
        moved = 0
        for each in reversed(found):
            moved += await self._run(self._list.requeue(each))
        return moved

    async def _found(self, limit: int | None, *, include_undecodable: bool) -> list[bytes]:
        left = await self.size() if limit is None else whole(limit)
        found: list[bytes] = []
        async for value in self:
            if len(found) >= left:
                break
            if include_undecodable or value.error is None:
                found.append(value.raw)
        return found

    async def drop(self, limit: int | None = None, *, raw: bytes | None = None) -> int:
        """Delete what is here, for good; return how many.

        Args:
            limit: the oldest so many.
            raw: only the one with these bytes.
        """
        if raw is not None:
            return await self._run(self._list.drop_one(_only(raw, limit)))
        left = await self.size() if limit is None else whole(limit)
        dropped = 0
        while left > 0:
            count = await self._run(self._list.drop(min(left, PAGE)))
            dropped += count
            left -= PAGE if count else left
        return dropped
