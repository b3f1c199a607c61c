"""Scores and entries of sorted sets, and their form in commands and replies."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar

from pyredisson.errors import DecodeError
from pyredisson.protocol.kernel.number_text import double_text
from pyredisson.protocol.kernel.replies import each

__all__ = ["Aggregate", "ScoreRange", "ScoredEntry", "entries", "entry"]

V = TypeVar("V")

Aggregate: TypeAlias = Literal["SUM", "MIN", "MAX"]
"""How the scores of a value in several sorted sets are combined: their sum, minimum or maximum."""


class ScoredEntry(NamedTuple, Generic[V]):
    """A value of a sorted set, and its score."""

    value: V
    score: float


class ScoreRange(NamedTuple):
    """A range of scores; an infinite end that is inclusive sets no limit."""

    low: float
    low_inclusive: bool
    high: float
    high_inclusive: bool

    def words(self) -> tuple[str, str]:
        """Return both ends as words of a command.

        Raises:
            TypeError, ValueError: an end is not a number.
        """
        return _end("low", self.low, self.low_inclusive), _end(
            "high", self.high, self.high_inclusive
        )


def _end(what: str, score: float, inclusive: object) -> str:
    text = {inf: "+inf", -inf: "-inf"}.get(score) or double_text(score, what)
    return text if inclusive else f"({text}"


def entry(decode: Callable[[bytes], V]) -> Callable[[tuple[bytes, bytes]], ScoredEntry[V]]:
    """Return a function that reads a member and its score.

    If the codec cannot decode the member, its `DecodeError` gets a note with the score.
    """

    def read(pair: tuple[bytes, bytes]) -> ScoredEntry[V]:
        score = float(pair[1])
        try:
            return ScoredEntry(decode(pair[0]), score)
        except DecodeError as error:
            error.add_note(f"its score is {score!r}")
            raise

    return read


def entries(decode: Callable[[bytes], V]) -> Callable[[Any], list[ScoredEntry[V]]]:
    """Return a function that reads a list in which each member is followed by its score."""
    read = each(entry(decode))
    return lambda reply: read(zip(reply[::2], reply[1::2], strict=True))
