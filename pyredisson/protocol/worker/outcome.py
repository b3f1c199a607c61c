"""Decides the fate of a message after its handler has ended, and the pause before a retry.

=========== ==================================== ========================================
outcome     first condition that is true         fate
=========== ==================================== ========================================
returned                                         DONE
`Defer`                                          DEFER: redelivered, no attempt is counted
raised      `on_error` has "drop" or "dead"      DROP, DEAD
            `max_deliveries` is reached          DEAD
            otherwise                            RETRY, after a growing pause
=========== ==================================== ========================================

If `on_error` has several classes of an exception, the first one in the exception's method
resolution order decides.

The rule: this module does not depend on Redis.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from inspect import isclass
from math import inf
from typing import Any, Literal, TypeAlias, get_args

from pyredisson.protocol.kernel.due import LONGEST_DELAY, Seconds, not_negative

__all__ = ["Backoff", "Defer", "Fate", "OnError", "Policy"]

OnError: TypeAlias = Literal["retry", "dead", "drop"]
"""What happens to a message whose handler raised an exception of a class in `on_error`."""


class Defer(Exception):  # noqa: N818 - no error: a handler asks for it
    """Raised by a handler to requeue the message with a delay, without counting an attempt.

    It is not a `RedissonError`, so `except RedissonError` in a handler does not catch it.

    Args:
        delay: the time until the redelivery, in seconds or as a timedelta; at least 0.

    Raises:
        TypeError, ValueError: the delay is not valid.
    """

    __module__ = "pyredisson"

    def __init__(self, delay: Seconds) -> None:
        self.delay = not_negative(delay, "delay", LONGEST_DELAY)
        super().__init__(f"redelivered in {self.delay:g} s")


@dataclass(frozen=True, slots=True)
class Backoff:
    """The pauses before the next attempts of a message.

    Args:
        first: the first pause in seconds. Default: 1.
        factor: each pause is this many times as long as the previous pause. Default: 2.
        limit: the maximum pause in seconds; infinity for the longest possible delay. Default: 300.
        jitter: from 0 to 1. Each pause is made randomly longer or shorter, by at most this fraction
            of the pause. So messages that fail at the same time are redelivered at different times.
            Default: 0.1.

    Raises:
        TypeError: an argument is no number.
        ValueError: an argument is out of range.
    """

    first: float = 1.0
    factor: float = 2.0
    limit: float = 300.0
    jitter: float = 0.1

    def __post_init__(self) -> None:
        for name in self.__slots__:
            if not isinstance(getattr(self, name), int | float):
                raise TypeError(f"{name} must be a number, not {getattr(self, name)!r}")
        first, factor = 0 <= self.first <= LONGEST_DELAY, 1 <= self.factor < inf
        if not (first and factor and self.limit >= 0 and 0 <= self.jitter <= 1):
            raise ValueError(
                f"{self}: first and limit must be at least 0, factor at least 1, jitter from 0 to "
                f"1; first must be at most {LONGEST_DELAY:.0f}, factor must be finite"
            )

    def pause(self, attempt: int, chance: float) -> float:
        """Return the pause after an attempt, in seconds.

        Args:
            attempt: the number of the attempt, counted from 1.
            chance: a random number from 0 to 1.
        """
        limit = min(self.limit, LONGEST_DELAY)
        try:
            pause = min(self.first * self.factor ** (attempt - 1), limit)
        except OverflowError:
            pause = limit
        pause *= 1 + self.jitter * (2 * chance - 1)
        return min(pause, 2 * limit - pause)  # a pause above the limit becomes one as far below


class Fate(Enum):
    """What the worker does with a message."""

    DONE = "done"
    RETRY = "retry"
    DEFER = "defer"
    DEAD = "dead"
    DROP = "drop"


SETTLED = {
    Fate.DONE: "acked",
    Fate.RETRY: "retried",
    Fate.DEFER: "deferred",
    Fate.DEAD: "dead",
    Fate.DROP: "dropped",
}
"""The words for outcomes in hooks and metrics."""


@dataclass(frozen=True, slots=True)
class Policy:
    """A worker's options for failures.

    Raises:
        TypeError: `on_error` is not a mapping, or a key of it is not an exception class.
        ValueError: a value of `on_error` is unknown, or `max_deliveries` is less than 1.
    """

    max_deliveries: int
    on_error: Mapping[Any, OnError]

    def __post_init__(self) -> None:
        if self.max_deliveries < 1:
            raise ValueError(f"max_deliveries must be at least 1, not {self.max_deliveries!r}")
        if not isinstance(self.on_error, Mapping):
            raise TypeError(
                f"on_error must be a mapping of exception classes, not {self.on_error!r}"
            )
        for kind, fate in self.on_error.items():
            if not (isclass(kind) and issubclass(kind, Exception)):
                raise TypeError(f"on_error: {kind!r} is not an exception class")
            if fate not in get_args(OnError):
                raise ValueError(f"on_error: {fate!r} must be one of {get_args(OnError)}")

    def fate(self, error: Exception | None, attempt: int) -> Fate:
        """Return the fate of a message; `error` is None if its handler returned."""
        if error is None:
            return Fate.DONE
        if isinstance(error, Defer):
            return Fate.DEFER
        for kind in type(error).__mro__:
            if kind in self.on_error:
                fate = Fate(self.on_error[kind])
                if fate is not Fate.RETRY:
                    return fate
                break
        return Fate.DEAD if attempt >= self.max_deliveries else Fate.RETRY
