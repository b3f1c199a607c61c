"""The poison list of a queue: read the values that could not be decoded, requeue or drop them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from typing import Generic, TypeVar

from pyredisson._async.context import AsyncContext
from pyredisson._async.objects.expirable import AsyncExpirableObject
from pyredisson._async.queues.queue import AsyncQueue
from pyredisson.codecs.base import as_bytes
from pyredisson.protocol.kernel.names import QueueNames
from pyredisson.protocol.objects.pages import FIRST, PageSize
from pyredisson.protocol.poison.poison_list import PoisonedValue, PoisonProtocol
from pyredisson.protocol.queues.queue import require_count

V = TypeVar("V")


def _only(raw: bytes, limit: int | None) -> bytes:
    if limit is not None:
        raise TypeError(f"give either limit or raw=, got {limit!r} and {raw!r}")
    return as_bytes(raw, "raw=")


class AsyncPoisonList(AsyncExpirableObject, Generic[V]):
    """Values and entries of a queue that could not be decoded, in the order in which they came.

    They are no longer in the queue, and stay here until a call requeues or deletes them. A repair
    also adds truncated records, and values of unknown groups.
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
        """Return the number of values in the list."""
        return await self._run(self._list.size())

    async def read_all(self) -> list[PoisonedValue[V]]:
        """Return all values: the bytes of each, and the value that the queue's codec decodes."""
        return await self._run(self._list.range(0, -1))

    async def __aiter__(self) -> AsyncIterator[PoisonedValue[V]]:
        """Iterate over the values that `read_all` returns, read in pages."""
        async for value in self._paged(self._list.range, self._list.size(), first=FIRST):
            yield value

    async def requeue(
        self,
        limit: int | None = None,
        *,
        raw: bytes | None = None,
        include_undecodable: bool = False,
    ) -> int:
        """Move values to the head of the queue, in their order.

        Values that the queue's codec still cannot decode are not moved, because the next take would
        move them back to this list.
        Each value moves in one step. If the call ends half-way, no value is lost or doubled.

        Args:
            limit: the largest number of values to move, the oldest first. None sets no limit.
            raw: move only the newest value with these bytes, even if this codec cannot decode it.
            include_undecodable: whether to move also values that this codec cannot decode, for
                consumers with another codec.

        Returns:
            The number of moved values.

        Raises:
            TypeError: both `limit` and `raw` are given, or `raw` is not bytes.
            ServerError: it is possible that some values were moved.
        """
        if raw is None:
            found = await self._to_requeue(limit, include_undecodable=include_undecodable)
        else:
            found = [_only(raw, limit)]
        moved = 0
        for each in reversed(found):
            moved += await self._run(self._list.requeue(each))
        return moved

    async def _to_requeue(self, limit: int | None, *, include_undecodable: bool) -> list[bytes]:
        left = await self.size() if limit is None else require_count(limit)
        found: list[bytes] = []
        async for value in self:
            if len(found) >= left:
                break
            if include_undecodable or value.error is None:
                found.append(value.raw)
        return found

    async def drop(self, limit: int | None = None, *, raw: bytes | None = None) -> int:
        """Delete values for good; return the number of deleted values.

        Args:
            limit: the largest number of values to delete, the oldest first. None deletes all.
            raw: delete only the oldest value with these bytes.

        Raises:
            TypeError: both `limit` and `raw` are given, or `raw` is not bytes.
        """
        if raw is not None:
            return await self._run(self._list.drop_one(_only(raw, limit)))
        left = await self.size() if limit is None else require_count(limit)
        dropped, pages = 0, PageSize(FIRST)
        while dropped < left:
            page = await self._run(self._list.drop(min(left - dropped, pages.count)))
            dropped += len(page)
            pages.note(page)
            if not page:
                break
        return dropped
