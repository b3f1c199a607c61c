"""The dead letters of all shards of a queue; each shard stores its own letters."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, Generic, TypeVar

from pyredisson._async.dead_letters.dead_letters import AsyncDeadLetters
from pyredisson._support.unpicklable import Unpicklable
from pyredisson.protocol.dead_letters.dead_letters import DeadLetter

V = TypeVar("V")


class AsyncShardedDeadLetters(Unpicklable, Generic[V]):
    """The dead letters of all shards; `letters` has one object for each shard."""

    def __init__(self, name: str, letters: Sequence[AsyncDeadLetters[V]]) -> None:
        self._name = name
        self.letters = tuple(letters)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._name!r} shards={len(self.letters)}>"

    async def size(self) -> int:
        """Return the number of letters in all shards."""
        return sum([await each.size() for each in self.letters])

    async def read_all(self) -> list[DeadLetter[V]]:
        """Return all letters, read in pages."""
        return [letter async for letter in self]

    async def __aiter__(self) -> AsyncIterator[DeadLetter[V]]:
        """Iterate over the letters, shard by shard; each shard in the order of `DeadLetters`."""
        for each in self.letters:
            async for letter in each:
                yield letter

    async def redrive(self, limit: int | None = None, *, id: str | None = None) -> int:
        """Move letters to the tails of their shards, as `DeadLetters.redrive`; return how many.

        `limit` is the maximum for all shards together; the first shards come first.
        """
        return await self._settle(lambda each, left: each.redrive(left, id=id), limit)

    async def drop(self, limit: int | None = None, *, id: str | None = None) -> int:
        """Delete letters for good; the arguments and the result are those of `redrive`."""
        return await self._settle(lambda each, left: each.drop(left, id=id), limit)

    async def _settle(
        self, settle: Callable[[AsyncDeadLetters[V], int | None], Any], limit: int | None
    ) -> int:
        settled = 0
        for each in self.letters:
            settled += await settle(each, None if limit is None else limit - settled)
        return settled
