"""The dead letters of a queue: read them, redrive them, drop them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from typing import Generic, TypeVar

from pyredisson._async.context import AsyncContext
from pyredisson._async.objects.named_object import AsyncNamedObject
from pyredisson._async.queues.queue import AsyncQueue
from pyredisson.protocol.dead_letters.dead_letters import DeadLetter, DeadProtocol, Settled
from pyredisson.protocol.kernel.command import Eval
from pyredisson.protocol.kernel.names import ConsumerNames
from pyredisson.protocol.objects.collection import PAGE
from pyredisson.protocol.queues.queue import require_count

V = TypeVar("V")


class AsyncDeadLetters(AsyncNamedObject, Generic[V]):
    """Messages of a queue that are no longer delivered, in the order of the times of their failure.

    A letter is stored as a time and a record. If another program deleted its time or its record,
    iteration and `redrive` skip the letter, and `AsyncDelayedQueue.check` finds it. `size` and
    `drop` without an id include it only if the time exists. `drop` with its id always deletes it.
    """

    _kind = "a queue"

    def __init__(self, context: AsyncContext, queue: AsyncQueue[V]) -> None:
        self._codec = queue.codec
        super().__init__(context, queue.name)

    def _keys_of(self, name: str) -> dict[str, str]:
        names = ConsumerNames.of(name)
        return {names.dead: "zset", names.letters: "hash", name: "list"}

    def _one_slot(self, name: str) -> Iterable[str]:
        return (name, *ConsumerNames.of(name).types())

    def _bind(self, name: str) -> None:
        super()._bind(name)
        self._protocol = DeadProtocol(ConsumerNames.of(self._redis_name), self._codec)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._main_key!r} codec={self._codec!r}>"

    async def size(self) -> int:
        """Return the number of letters, with those that have only a time."""
        return await self._run(self._protocol.size())

    async def read_all(self) -> list[DeadLetter[V]]:
        """Return all letters, read in pages."""
        return [letter async for letter in self]

    async def __aiter__(self) -> AsyncIterator[DeadLetter[V]]:
        """Iterate over the letters, read in pages.

        A letter that is not removed during the iteration comes exactly once, whatever happens to
        other letters meanwhile.
        """
        async for _, _, letter in self._in_order(self._protocol.page):
            if letter is not None:
                yield letter

    async def redrive(self, limit: int | None = None, *, id: str | None = None) -> int:
        """Move letters to the tail of their queue, where they start again with attempt 1.

        Each letter moves in one step. If the call ends half-way, no letter is lost.

        Args:
            limit: at most this many, the letters that failed first. If None, as many as `size`
                returns at the start. Not with `id`.
            id: only the letter with this `DeadLetter.id`.

        Returns:
            How many letters moved.
        """
        return await self._settle(self._protocol.redrive, limit, id)

    async def drop(self, limit: int | None = None, *, id: str | None = None) -> int:
        """Delete letters for good; return how many. The arguments are those of `redrive`."""
        return await self._settle(self._protocol.drop, limit, id)

    async def _settle(
        self,
        settle: Callable[[Sequence[bytes]], Eval[Settled]],
        limit: int | None,
        id: str | None,
    ) -> int:
        if id is not None:
            if limit is not None:
                raise TypeError(f"give either limit or id=, got {limit!r} and {id!r}")
            try:
                wanted = bytes.fromhex(id)
            except (TypeError, ValueError):
                raise ValueError(f"id must be a DeadLetter.id, in hex digits, got {id!r}") from None
            return (await self._run(settle([wanted]))).done
        left = await self.size() if limit is None else require_count(limit)
        settled, halves = 0, 0
        while left > 0:
            ids = await self._run(self._protocol.ids(halves, min(left, PAGE)))
            if not ids:
                break
            result = await self._run(settle(ids))
            settled += result.done
            halves += result.stay
            left -= result.looked_at - result.stay
        return settled
