"""RScoredSortedSet as commands: `RedissonScoredSortedSet` of 3.19.3 to 4.7.0.

Scores of commands have the text form of Java. A poll returns the members with their scores, so that
its undo can add them again, with the server's text of the score.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal, TypeAlias, TypeVar

from pyredisson.errors import UncertainError
from pyredisson.protocol.collections.scored import (
    Aggregate,
    ScoredEntry,
    ScoreRange,
    entries,
    entry,
)
from pyredisson.protocol.collections.values import KeyOfValues, temporary
from pyredisson.protocol.kernel.command import Arg, Command, Eval
from pyredisson.protocol.kernel.number_text import double_text, number_text
from pyredisson.protocol.kernel.replies import nothing, number, page, reading, truth
from pyredisson.protocol.objects.collection import PAGE
from pyredisson.protocol.queues.blocking_queue import wire_timeout
from pyredisson.protocol.queues.queue import End

__all__ = ["How", "ScoredSortedSetProtocol"]

V = TypeVar("V")
How: TypeAlias = Literal["ZUNION", "ZDIFF", "ZINTER"]


def _score(reply: Any) -> float | None:
    return None if reply is None else float(reply)


def _rank(reply: Any) -> int | None:
    return None if reply is None else int(reply)


def _scores(reply: Any) -> list[float | None]:
    return [_score(each) for each in reply]


def _all_there(reply: Any) -> bool:
    return None not in reply


class ScoredSortedSetProtocol(KeyOfValues[V]):
    """The operations of one sorted set; `names` are the mapped names of other sets."""

    __slots__ = ()

    def _entries(self, reply: Any) -> list[ScoredEntry[V]]:
        return entries(reading(self.codec))(reply or [])

    # -------------------------------------------------------------- adding

    def add(self, scored: Iterable[ScoredEntry[V]], *flags: str) -> Command[int]:
        """ZADD; return how many were added, with the flag CH also those whose score changed."""
        words: list[Arg] = []
        for value, score in scored:
            words += [double_text(score, "score"), self.codec.encode(value)]
        return self._write("ZADD", *flags, *words, read=number)

    def add_score(self, value: V, by: float) -> Command[float]:
        """ZINCRBY."""
        words = (number_text(by, "score"), self.codec.encode(value))
        return self._write("ZINCRBY", *words, read=float)

    def add_and_rank(self, value: V, score: float, *, by: bool, end: End) -> Eval[int]:
        """Set the score, or with `by` add to the score; return the rank, counted from `end`."""
        text = number_text(score, "score") if by else double_text(score, "score")
        args = ("add" if by else "set", text, self.codec.encode(value), end.name.lower())
        return self._script("zset_rank", args, number)

    def replace(self, old: V, new: V) -> Eval[bool]:
        """Replace a value, and keep its score; return whether the old value was in the set."""
        return self._script("zset_replace", self._encoded((old, new)), truth)

    # -------------------------------------------------------------- reading

    def score(self, value: V) -> Command[float | None]:
        """ZSCORE."""
        return self._read("ZSCORE", self.codec.encode(value), read=_score)

    def scores(self, values: Iterable[V]) -> Command[list[float | None]]:
        """ZMSCORE (Redis 6.2)."""
        return self._read("ZMSCORE", *self._encoded(values), read=_scores)

    def rank(self, value: V, end: End) -> Command[int | None]:
        """ZRANK, or ZREVRANK from the last value; None if the value is not in the set."""
        name = "ZRANK" if end is End.FIRST else "ZREVRANK"
        return self._read(name, self.codec.encode(value), read=_rank)

    def contains(self, value: V) -> Command[bool]:
        """ZSCORE."""
        return self._read("ZSCORE", self.codec.encode(value), read=lambda found: found is not None)

    def contains_all(self, values: Iterable[V]) -> Command[bool]:
        """ZMSCORE (Redis 6.2)."""
        return self._read("ZMSCORE", *self._encoded(values), read=_all_there)

    def size(self) -> Command[int]:
        """ZCARD."""
        return self._read("ZCARD", read=number)

    def count(self, scores: ScoreRange) -> Command[int]:
        """ZCOUNT."""
        return self._read("ZCOUNT", *scores.words(), read=number)

    def values_by_rank(self, first: int, last: int, end: End) -> Command[list[V]]:
        """ZRANGE, or ZREVRANGE from the last value; both ranks are included."""
        name = "ZRANGE" if end is End.FIRST else "ZREVRANGE"
        return self._read(name, first, last, read=self._each)

    def entries_by_rank(self, first: int, last: int, end: End) -> Command[list[ScoredEntry[V]]]:
        """`values_by_rank` with scores."""
        name = "ZRANGE" if end is End.FIRST else "ZREVRANGE"
        return self._read(name, first, last, "WITHSCORES", read=self._entries)

    def _by_score(self, scores: ScoreRange, end: End) -> tuple[str, str, str]:
        low, high = scores.words()
        if end is End.FIRST:
            return "ZRANGEBYSCORE", low, high
        return "ZREVRANGEBYSCORE", high, low

    def values_by_score(
        self, scores: ScoreRange, part: tuple[int, int] | None, end: End
    ) -> Command[list[V]]:
        """ZRANGEBYSCORE or ZREVRANGEBYSCORE; `part` is an offset and a number of values."""
        limit: tuple[Arg, ...] = () if part is None else ("LIMIT", *part)
        return self._read(*self._by_score(scores, end), *limit, read=self._each)

    def entries_by_score(
        self, scores: ScoreRange, part: tuple[int, int] | None, end: End
    ) -> Command[list[ScoredEntry[V]]]:
        """`values_by_score` with scores."""
        limit: tuple[Arg, ...] = () if part is None else ("LIMIT", *part)
        words = (*self._by_score(scores, end), "WITHSCORES", *limit)
        return self._read(*words, read=self._entries)

    def random(self) -> Command[V | None]:
        """ZRANDMEMBER (Redis 6.2)."""
        return self._read("ZRANDMEMBER", read=self._optional)

    def random_many(self, limit: int) -> Command[list[V]]:
        """ZRANDMEMBER of up to `limit` values."""
        return self._read("ZRANDMEMBER", limit, read=self._each)

    def scan(
        self, pattern: str | bytes | None, cursor: int, limit: int = PAGE
    ) -> Command[tuple[int, list[ScoredEntry[V]]]]:
        """ZSCAN with COUNT `limit`: one page of the values whose bytes match the pattern."""
        match: tuple[Arg, ...] = () if pattern is None else ("MATCH", pattern)
        return self._read("ZSCAN", cursor, *match, "COUNT", limit, read=page(self._entries))

    # -------------------------------------------------------------- removing

    def remove(self, values: Iterable[V]) -> Command[int]:
        """ZREM; return how many were in the set."""
        return self._write("ZREM", *self._encoded(values), read=number)

    def remove_all(self, values: Iterable[V]) -> Command[bool]:
        """ZREM; return whether any was in the set."""
        return self._write("ZREM", *self._encoded(values), read=truth)

    def retain_all(self, values: Iterable[V]) -> Eval[bool]:
        """Remove all values but these, without a change of the time to live.

        Return whether any was removed.
        """
        key = temporary(self.name)
        return self._script("zset_retain_all", self._encoded(values), truth, key)

    def store_by_rank(self, name: str, first: int, last: int, end: End) -> Command[int]:
        """ZRANGESTORE (Redis 6.2) into another set; return its size."""
        words = (self.name, first, last, *(() if end is End.FIRST else ("REV",)))
        return self._stored(name, *words)

    def store_by_score(
        self, name: str, scores: ScoreRange, part: tuple[int, int] | None, end: End
    ) -> Command[int]:
        """ZRANGESTORE BYSCORE (Redis 6.2) into another set; return its size."""
        limit: tuple[Arg, ...] = () if part is None else ("LIMIT", *part)
        _, *bounds = self._by_score(scores, end)
        words = ("BYSCORE",) if end is End.FIRST else ("BYSCORE", "REV")
        return self._stored(name, self.name, *bounds, *words, *limit)

    def _stored(self, name: str, *words: Arg) -> Command[int]:
        lost = partial(UncertainError, "ZRANGESTORE", name)
        return Command(("ZRANGESTORE", name, *words), number, self.name, lost=lost)

    def remove_by_rank(self, first: int, last: int) -> Command[int]:
        """ZREMRANGEBYRANK; return how many were removed."""
        return self._write("ZREMRANGEBYRANK", first, last, read=number)

    def remove_by_score(self, scores: ScoreRange) -> Command[int]:
        """ZREMRANGEBYSCORE; return how many were removed."""
        return self._write("ZREMRANGEBYSCORE", *scores.words(), read=number)

    # -------------------------------------------------------------- taking

    def _undo(self, reply: list[bytes]) -> Command[None] | None:
        words = [word for pair in zip(reply[1::2], reply[::2], strict=True) for word in pair]
        return self._write("ZADD", "NX", *words, read=nothing) if words else None

    def poll_many(self, end: End, limit: int) -> Eval[list[ScoredEntry[V]]]:
        """Take up to `limit` entries from an end; `limit` must be at least 1."""
        ranks = (0, limit - 1) if end is End.FIRST else (-limit, -1)
        return self._script("zset_poll", ranks, self._entries, undo=self._undo)

    def poll(self, end: End) -> Eval[ScoredEntry[V] | None]:
        """Take the entry at an end; None if the set is empty."""

        def read(reply: Any) -> ScoredEntry[V] | None:
            return entry(reading(self.codec))(reply) if reply else None

        rank = 0 if end is End.FIRST else -1
        return self._script("zset_poll", (rank, rank), read, undo=self._undo)

    def wait(self, end: End, seconds: float) -> Command[ScoredEntry[V] | None]:
        """BZPOPMIN or BZPOPMAX; None if the set is empty for `seconds`."""

        def read(reply: Any) -> ScoredEntry[V] | None:
            return None if reply is None else entry(reading(self.codec))(reply[1:])

        def undo(reply: Any) -> Command[None] | None:
            return None if reply is None else self._undo(reply[1:])

        name = "BZPOPMIN" if end is End.FIRST else "BZPOPMAX"
        words = (name, self.name, wire_timeout(seconds))
        return Command(words, read, self.name, undo=undo, waits=seconds)

    def poll_any(
        self, names: Sequence[str], end: End, count: int
    ) -> Command[tuple[str, list[ScoredEntry[V]]] | None]:
        """ZMPOP (Redis 7): up to `count` entries of the first set that has any, and its name."""
        return self._pop_any(("ZMPOP",), names, end, count, 0.0)

    def wait_any(
        self, names: Sequence[str], end: End, count: int, seconds: float
    ) -> Command[tuple[str, list[ScoredEntry[V]]] | None]:
        """BZMPOP (Redis 7): as `poll_any`, but wait up to `seconds` until a set has entries."""
        return self._pop_any(("BZMPOP", wire_timeout(seconds)), names, end, count, seconds)

    def _pop_any(
        self, words: tuple[Arg, ...], names: Sequence[str], end: End, count: int, waits: float
    ) -> Command[tuple[str, list[ScoredEntry[V]]] | None]:
        def flat(reply: Any) -> list[bytes]:
            return [word for pair in reply[1] for word in pair]

        def read(reply: Any) -> tuple[str, list[ScoredEntry[V]]] | None:
            return None if reply is None else (reply[0].decode(), self._entries(flat(reply)))

        def undo(reply: Any) -> Command[None] | None:
            if reply is None:
                return None
            return replace(self, name=reply[0].decode())._undo(flat(reply))

        which = "MIN" if end is End.FIRST else "MAX"
        words = (*words, len(names), *names, which, "COUNT", count)
        return Command(words, read, self.name, undo=undo, waits=waits)

    # -------------------------------------------------------------- several sets

    def combined(
        self,
        how: How,
        names: Sequence[str],
        aggregate: Aggregate | None,
        weights: Sequence[float] | None,
    ) -> Command[list[ScoredEntry[V]]]:
        """ZUNION, ZINTER or ZDIFF (Redis 6.2) of this set and others, with scores."""
        words = (how, len(names) + 1, self.name, *names, *_rules(aggregate, weights), "WITHSCORES")
        return Command(words, self._entries, self.name, safe=True)

    def store(
        self,
        how: How,
        names: Sequence[str],
        aggregate: Aggregate | None,
        weights: Sequence[float] | None,
    ) -> Command[int]:
        """ZUNIONSTORE, ZINTERSTORE or ZDIFFSTORE of other sets into this one; return its size."""
        rules = _rules(aggregate, weights)
        return self._write(f"{how}STORE", len(names), *names, *rules, read=number)

    def count_intersection(self, names: Sequence[str], limit: int) -> Command[int]:
        """ZINTERCARD (Redis 7) of this set and others; count up to `limit`, 0 for no limit."""
        most: tuple[Arg, ...] = ("LIMIT", limit) if limit else ()
        args: tuple[Arg, ...] = ("ZINTERCARD", len(names) + 1, self.name, *names, *most)
        return Command(args, number, self.name, safe=True)


def _rules(aggregate: Aggregate | None, weights: Sequence[float] | None) -> tuple[Arg, ...]:
    words: tuple[Arg, ...] = ()
    if weights is not None:
        words = ("WEIGHTS", *(double_text(weight, "weight") for weight in weights))
    return words if aggregate is None else (*words, "AGGREGATE", aggregate)
