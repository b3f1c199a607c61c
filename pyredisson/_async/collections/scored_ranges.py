"""The methods of an RScoredSortedSet that read scores, ranks and ranges."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from functools import partial
from math import inf
from typing import TypeVar, overload

from pyredisson._async.collections.plain import AsyncPlainCollection
from pyredisson.protocol.collections.scored import ScoredEntry, ScoreRange
from pyredisson.protocol.collections.scored_sorted_set import ScoredSortedSetProtocol
from pyredisson.protocol.collections.values import require_limit
from pyredisson.protocol.queues.queue import End

V = TypeVar("V")


def part_of(offset: int, limit: int | None) -> tuple[int, int] | None:
    """Return the offset and the limit of a command, or None if the command needs neither."""
    require_limit(offset, "offset")
    if limit is None:
        return (offset, -1) if offset else None
    return offset, require_limit(limit)


class AsyncScoredRanges(AsyncPlainCollection[V]):
    """Values in the order of their scores; the value with the lowest score has rank 0.

    Values of the same score are in the order of their encoded bytes. An infinite end of a range of
    scores is no limit if it is inclusive.
    """

    @property
    def _values(self) -> ScoredSortedSetProtocol[V]:
        return ScoredSortedSetProtocol(self._main_key, self._codec)

    async def get_score(self, value: V) -> float | None:
        """Return the score of a value; None if it is not in the set."""
        return await self._run(self._values.score(value))

    async def get_scores(self, values: Iterable[V]) -> list[float | None]:
        """Return the score of each value, None for those not in the set (getScore(List))."""
        wanted = list(values)
        return await self._run(self._values.scores(wanted)) if wanted else []

    async def rank(self, value: V) -> int | None:
        """Return the rank of a value, 0 for the lowest score; None if it is not in the set."""
        return await self._run(self._values.rank(value, End.FIRST))

    async def rev_rank(self, value: V) -> int | None:
        """Return the rank of a value, 0 for the highest score; None if it is not in the set."""
        return await self._run(self._values.rank(value, End.LAST))

    async def count(
        self,
        low: float = -inf,
        high: float = inf,
        *,
        low_inclusive: bool = True,
        high_inclusive: bool = True,
    ) -> int:
        """Return the number of values whose scores are in a range."""
        scores = ScoreRange(low, low_inclusive, high, high_inclusive)
        return await self._run(self._values.count(scores))

    # -------------------------------------------------------------- the ends

    async def first(self) -> V | None:
        """Return the value with the lowest score; None if there is none."""
        return next(iter(await self.value_range(0, 0)), None)

    async def last(self) -> V | None:
        """Return the value with the highest score; None if there is none."""
        return next(iter(await self.value_range(-1, -1)), None)

    async def first_entry(self) -> ScoredEntry[V] | None:
        """Return the value with the lowest score, and the score; None if there is none."""
        return next(iter(await self.entry_range(0, 0)), None)

    async def last_entry(self) -> ScoredEntry[V] | None:
        """Return the value with the highest score, and the score; None if there is none."""
        return next(iter(await self.entry_range(-1, -1)), None)

    async def first_score(self) -> float | None:
        """Return the lowest score; None if there is none."""
        found = await self.first_entry()
        return found and found.score

    async def last_score(self) -> float | None:
        """Return the highest score; None if there is none."""
        found = await self.last_entry()
        return found and found.score

    # -------------------------------------------------------------- ranges

    async def read_all(self) -> list[V]:
        """Return all values in the order of their scores, read in one command.

        For many values, iterate instead: in pages and in any order.
        """
        return await self.value_range(0, -1)

    async def value_range(self, first: int, last: int) -> list[V]:
        """Return the values from one rank to another, both included; -1 is the last rank."""
        return await self._run(self._values.values_by_rank(first, last, End.FIRST))

    async def value_range_reversed(self, first: int, last: int) -> list[V]:
        """Return the values from one rank to another, where rank 0 has the highest score."""
        return await self._run(self._values.values_by_rank(first, last, End.LAST))

    async def entry_range(self, first: int, last: int) -> list[ScoredEntry[V]]:
        """Return a range of values as `value_range`, with their scores."""
        return await self._run(self._values.entries_by_rank(first, last, End.FIRST))

    async def entry_range_reversed(self, first: int, last: int) -> list[ScoredEntry[V]]:
        """Return a range of values as `value_range_reversed`, with their scores."""
        return await self._run(self._values.entries_by_rank(first, last, End.LAST))

    async def value_range_by_score(
        self,
        low: float = -inf,
        high: float = inf,
        *,
        low_inclusive: bool = True,
        high_inclusive: bool = True,
        offset: int = 0,
        limit: int | None = None,
        reverse: bool = False,
    ) -> list[V]:
        """Return the values whose scores are in a range (valueRange, valueRangeReversed).

        Args:
            low: the lowest score.
            high: the highest score.
            low_inclusive: whether `low` is in the range.
            high_inclusive: whether `high` is in the range.
            offset: how many values to skip.
            limit: the most values to return; if None, all are returned.
            reverse: whether to return the highest scores first.
        """
        scores = ScoreRange(low, low_inclusive, high, high_inclusive)
        part, end = part_of(offset, limit), End.LAST if reverse else End.FIRST
        return await self._run(self._values.values_by_score(scores, part, end))

    async def entry_range_by_score(
        self,
        low: float = -inf,
        high: float = inf,
        *,
        low_inclusive: bool = True,
        high_inclusive: bool = True,
        offset: int = 0,
        limit: int | None = None,
        reverse: bool = False,
    ) -> list[ScoredEntry[V]]:
        """Return a range of values as `value_range_by_score`, with their scores."""
        scores = ScoreRange(low, low_inclusive, high, high_inclusive)
        part, end = part_of(offset, limit), End.LAST if reverse else End.FIRST
        return await self._run(self._values.entries_by_score(scores, part, end))

    async def range_to(self, name: str, first: int, last: int, *, reverse: bool = False) -> int:
        """Store a range of this set as another sorted set (rangeTo, revRangeTo).

        Whatever the other name held is replaced; if the range is empty, it is deleted.

        Args:
            name: the other set.
            first: the first rank, as in `value_range`.
            last: the last rank.
            reverse: whether rank 0 has the highest score.

        Returns:
            The size of the other set.
        """
        (target,), end = self._beside((name,)), End.LAST if reverse else End.FIRST
        return await self._run(self._values.store_by_rank(target, first, last, end))

    async def range_to_by_score(
        self,
        name: str,
        low: float = -inf,
        high: float = inf,
        *,
        low_inclusive: bool = True,
        high_inclusive: bool = True,
        offset: int = 0,
        limit: int | None = None,
        reverse: bool = False,
    ) -> int:
        """Store a range of scores as another sorted set, as `range_to` does; return its size.

        The other arguments are those of `value_range_by_score`.
        """
        scores = ScoreRange(low, low_inclusive, high, high_inclusive)
        (target,), end = self._beside((name,)), End.LAST if reverse else End.FIRST
        stored = self._values.store_by_score(target, scores, part_of(offset, limit), end)
        return await self._run(stored)

    # -------------------------------------------------------------- in any order

    async def __aiter__(self) -> AsyncIterator[V]:
        """Iterate over the values in any order, as `entries` without a pattern."""
        async for entry in self.entries():
            yield entry.value

    async def entries(self, pattern: str | bytes | None = None) -> AsyncIterator[ScoredEntry[V]]:
        """Iterate over values with scores, in any order, read in pages by ZSCAN (entryIterator).

        A value that is added or removed meanwhile may be missing. Any value may come twice.

        Args:
            pattern: only values whose encoded bytes match, such as `order-*`; if None, all.
        """
        async for entry in self._scanned(partial(self._values.scan, pattern)):
            yield entry

    @overload
    async def random(self) -> V | None: ...

    @overload
    async def random(self, limit: int) -> list[V]: ...

    async def random(self, limit: int | None = None) -> V | list[V] | None:
        """Return a random value, or None. With `limit`, return a list of at most `limit` values."""
        if limit is None:
            return await self._run(self._values.random())
        values: list[V] = await self._run(self._values.random_many(require_limit(limit)))
        return values
