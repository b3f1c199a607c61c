"""What becomes of a message that was handled: a table, and pauses that grow.

=========== ==================================== ========================================
outcome     first of these that holds            fate
=========== ==================================== ========================================
returned                                         DONE
`Defer`                                          DEFER: again later, no attempt is counted
raised      its class is given "drop" or "dead"  DROP, DEAD
            the last delivery that it may have   DEAD
            else                                 RETRY, after a pause that grows
=========== ==================================== ========================================

The class that is nearest to the exception's own decides.  The rule: nothing here knows of Redis.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from inspect import isclass
from typing import Any, Literal, TypeAlias, get_args

from pyredisson.protocol.kernel.due import Seconds, not_negative

__all__ = ["Backoff", "Defer", "Fate", "OnError", "Policy"]

OnError: TypeAlias = Literal["retry", "dead", "drop"]
"""What becomes of a message whose handler raised an exception of some class."""


class Defer(Exception):  # noqa: N818 - no error: a handler asks for it
    """Raised by a handler: put the message back with a delay, and count no attempt.

    It is no `RedissonError`, so that a handler that catches these does not swallow it.
    """

    def __init__(self, delay: Seconds) -> None:
        self.delay = not_negative(delay, "delay")
        super().__init__(f"again in {self.delay:g} s")


@dataclass(frozen=True, slots=True)
class Backoff:
    """Pauses before the next attempt, in seconds: `first`, then `factor` times as long each time.

    None is longer than `limit`. Each is longer or shorter by up to `jitter` of it, at random, so
    that what failed together does not come again together.
    """

    first: float = 1.0
    factor: float = 2.0
    limit: float = 300.0
    jitter: float = 0.1

    def __post_init__(self) -> None:
        if not (self.first >= 0 and self.factor >= 1 and self.limit >= 0 and 0 <= self.jitter <= 1):
            raise ValueError(
                f"{self}: first and limit must be at least 0, factor at least 1, jitter from 0 to 1"
            )

    def pause(self, attempt: int, chance: float) -> float:
        """Return the pause after an attempt, counted from 1; `chance` is from 0 to 1."""
        try:
            pause = min(self.first * self.factor ** (attempt - 1), self.limit)
        except OverflowError:
            pause = self.limit
        pause *= 1 + self.jitter * (2 * chance - 1)
        return min(pause, 2 * self.limit - pause)  # what would be beyond the limit is before it


class Fate(Enum):
    """What becomes of a message."""

    DONE = "done"
    RETRY = "retry"
    DEFER = "defer"
    DEAD = "dead"
    DROP = "drop"


@dataclass(frozen=True, slots=True)
class Policy:
    """What a worker was told about failures.

    Raises:
        TypeError: `on_error` has something else than a class of exceptions.
        ValueError: a fate that there is not, or no delivery at all.
    """

    max_deliveries: int
    on_error: Mapping[Any, OnError]

    def __post_init__(self) -> None:
        if self.max_deliveries < 1:
            raise ValueError(f"max_deliveries must be at least 1, not {self.max_deliveries!r}")
        if not isinstance(self.on_error, Mapping):
            raise TypeError(f"on_error must be a mapping of classes, not {self.on_error!r}")
        for kind, fate in self.on_error.items():
            if not (isclass(kind) and issubclass(kind, Exception)):
                raise TypeError(f"on_error: {kind!r} is no class of exceptions")
            if fate not in get_args(OnError):
                raise ValueError(f"on_error: {fate!r} is none of {get_args(OnError)}")

    def fate(self, error: Exception | None, attempt: int) -> Fate:
        """Return what becomes of a message."""
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
