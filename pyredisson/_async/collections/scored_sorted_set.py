"""RScoredSortedSet: values without duplicates, in the order of their scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import inf
from typing import TypeAlias, TypeVar

from pyredisson._async.collections.scored_taking import AsyncScoredTaking
from pyredisson.protocol.collections.scored import Aggregate, ScoredEntry, ScoreRange
from pyredisson.protocol.collections.values import require_limit
from pyredisson.protocol.queues.queue import End

V = TypeVar("V")

Scores: TypeAlias = Mapping[V, float] | Iterable[tuple[V, float]]
"""Values with scores: a mapping; or pairs, for values that cannot be keys of a dict."""


class AsyncScoredSortedSet(AsyncScoredTaking[V]):
    """A sorted set that Java sees as RScoredSortedSet.

    Two values are equal if their encoded bytes are equal. A score is stored as a double, and a
    score that is given must be finite.
    """

    _kind = "a sorted set"
    _type = "zset"

    # -------------------------------------------------------------- adding

    async def add(self, score: float, value: V) -> bool:
        """Add a value, or change its score; return True if it was not in the set."""
        return await self._add(score, value)

    async def _add(self, score: float, value: V, *flags: str) -> bool:
        return await self._run(self._values.add((ScoredEntry(value, score),), *flags)) > 0

    async def add_if_absent(self, score: float, value: V) -> bool:
        """Add a value that is not in the set; return True if it was added (also tryAdd)."""
        return await self._add(score, value, "NX")

    async def try_add(self, score: float, value: V) -> bool:
        """Add a value that is not in the set, as `add_if_absent`."""
        return await self.add_if_absent(score, value)

    async def add_if_exists(self, score: float, value: V) -> bool:
        """Change the score of a value that is in the set; return True if it changed."""
        return await self._add(score, value, "XX", "CH")

    async def add_if_less(self, score: float, value: V) -> bool:
        """Add a value, or change its score to a lower one; return True if anything changed."""
        return await self._add(score, value, "LT", "CH")

    async def add_if_greater(self, score: float, value: V) -> bool:
        """Add a value, or change its score to a higher one; return True if anything changed."""
        return await self._add(score, value, "GT", "CH")

    async def add_all(self, scores: Scores[V]) -> int:
        """Add each value, or change its score, all in one command.

        Args:
            scores: a mapping of values to scores; or pairs, for values that cannot be keys.

        Returns:
            How many were not in the set.
        """
        return await self._add_all(scores)

    async def _add_all(self, scores: Scores[V], *flags: str) -> int:
        pairs = scores.items() if isinstance(scores, Mapping) else scores
        items = [ScoredEntry(value, score) for value, score in pairs]
        return await self._run(self._values.add(items, *flags)) if items else 0

    async def add_all_if_absent(self, scores: Scores[V]) -> int:
        """Add those values that are not in the set; return how many were added."""
        return await self._add_all(scores, "NX")

    async def add_all_if_exist(self, scores: Scores[V]) -> int:
        """Change the scores of those values that are in the set; return how many changed."""
        return await self._add_all(scores, "XX", "CH")

    async def add_all_if_less(self, scores: Scores[V]) -> int:
        """Do `add_if_less` for each value; return how many were added or changed."""
        return await self._add_all(scores, "LT", "CH")

    async def add_all_if_greater(self, scores: Scores[V]) -> int:
        """Do `add_if_greater` for each value; return how many were added or changed."""
        return await self._add_all(scores, "GT", "CH")

    async def add_score(self, value: V, score: float) -> float:
        """Add the number `score` to a value's score, 0 if the value is new; return the sum."""
        return await self._run(self._values.add_score(value, score))

    async def add_and_get_rank(self, score: float, value: V) -> int:
        """Add a value, or change its score; return its rank, 0 for the lowest score."""
        return await self._run(self._values.add_and_rank(value, score, by=False, end=End.FIRST))

    async def add_and_get_rev_rank(self, score: float, value: V) -> int:
        """Add a value, or change its score; return its rank, 0 for the highest score."""
        return await self._run(self._values.add_and_rank(value, score, by=False, end=End.LAST))

    async def add_score_and_get_rank(self, value: V, score: float) -> int:
        """Do `add_score`; return the rank of the value, 0 for the lowest score."""
        return await self._run(self._values.add_and_rank(value, score, by=True, end=End.FIRST))

    async def add_score_and_get_rev_rank(self, value: V, score: float) -> int:
        """Do `add_score`; return the rank of the value, 0 for the highest score."""
        return await self._run(self._values.add_and_rank(value, score, by=True, end=End.LAST))

    async def replace(self, old: V, new: V) -> bool:
        """Replace a value by another value, which gets the score of the old one in any case.

        Returns:
            True if the old value was in the set. Otherwise nothing changes.
        """
        return await self._run(self._values.replace(old, new))

    # -------------------------------------------------------------- removing

    async def remove(self, value: V) -> bool:
        """Remove a value; return True if it was in the set."""
        return await self.remove_all((value,))

    async def remove_range_by_rank(self, first: int, last: int) -> int:
        """Remove the values from one rank to another, both included; return their number."""
        return await self._run(self._values.remove_by_rank(first, last))

    async def remove_range_by_score(
        self,
        low: float = -inf,
        high: float = inf,
        *,
        low_inclusive: bool = True,
        high_inclusive: bool = True,
    ) -> int:
        """Remove the values whose scores are in a range, as in `count`; return their number."""
        scores = ScoreRange(low, low_inclusive, high, high_inclusive)
        return await self._run(self._values.remove_by_score(scores))

    # -------------------------------------------------------------- several sets

    async def union(
        self,
        *names: str,
        aggregate: Aggregate = "SUM",
        weights: Sequence[float] | None = None,
    ) -> int:
        """Replace this set by the union of other sorted sets; return its size.

        As in Redisson, the values of this set are lost if its name is not one of `names`, and its
        time to live is lost in any case.

        Args:
            names: the other sets, at least one.
            aggregate: how to combine the scores of a value that several sets have: "SUM", the
                default, "MIN" or "MAX".
            weights: a factor for the scores of each of `names`, in the same order.

        Raises:
            ValueError: there is no name.
        """
        others = self._others(names)
        return await self._run(self._values.store("ZUNION", others, aggregate, weights))

    async def intersection(
        self,
        *names: str,
        aggregate: Aggregate = "SUM",
        weights: Sequence[float] | None = None,
    ) -> int:
        """Replace this set by the values that are in all other sorted sets; see `union`."""
        others = self._others(names)
        return await self._run(self._values.store("ZINTER", others, aggregate, weights))

    async def diff(self, *names: str) -> int:
        """Replace this set by the values that only the first of `names` has; see `union`."""
        return await self._run(self._values.store("ZDIFF", self._others(names), None, None))

    async def read_union(
        self,
        *names: str,
        aggregate: Aggregate = "SUM",
        weights: Sequence[float] | None = None,
    ) -> list[ScoredEntry[V]]:
        """Return the values of this sorted set and of others, with their combined scores.

        The arguments are those of `union`, but the first weight is for this set.
        """
        others = self._beside(names)
        return await self._run(self._values.combined("ZUNION", others, aggregate, weights))

    async def read_intersection(
        self,
        *names: str,
        aggregate: Aggregate = "SUM",
        weights: Sequence[float] | None = None,
    ) -> list[ScoredEntry[V]]:
        """Return the values of this sorted set that are in all others, too; see `read_union`."""
        others = self._beside(names)
        return await self._run(self._values.combined("ZINTER", others, aggregate, weights))

    async def read_diff(self, *names: str) -> list[ScoredEntry[V]]:
        """Return the values of this sorted set that are in none of the others, with scores."""
        others = self._beside(names)
        return await self._run(self._values.combined("ZDIFF", others, None, None))

    async def count_intersection(self, *names: str, limit: int = 0) -> int:
        """Return how many values of this set are in all others, too. It needs Redis 7.

        Args:
            names: the other sets.
            limit: the count stops at this number; 0, the default, is no limit.
        """
        others = self._beside(names)
        return await self._run(self._values.count_intersection(others, require_limit(limit)))
