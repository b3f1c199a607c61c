"""RRateLimiter as commands: `RedissonRateLimiter` of 3.19.3 to 4.7.0.

A hash has the rate. Two more keys have the number of free permits, and a log of the acquisitions in
the last interval. All clients share these two keys, or each client has its own: see `RateType`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from functools import partial
from typing import Any, NamedTuple, TypeVar

from pyredisson.errors import RateNotSetError, UncertainError
from pyredisson.protocol.counters.atomic import parsed
from pyredisson.protocol.kernel.command import Arg, Command, Eval
from pyredisson.protocol.kernel.due import Seconds, positive, whole_ms
from pyredisson.protocol.kernel.names import suffix_name
from pyredisson.protocol.kernel.replies import number, truth
from pyredisson.protocol.kernel.scripts import load
from pyredisson.protocol.synchronizers.arguments import at_least

__all__ = ["Rate", "RateLimiterConfig", "RateLimiterProtocol", "RateType"]

T = TypeVar("T")
_NO_RATE, _ABOVE_RATE = -1, -2


class RateType(StrEnum):
    """The scope of a rate (org.redisson.api.RateType)."""

    OVERALL = "OVERALL"
    """The rate is the limit of all clients together."""
    PER_CLIENT = "PER_CLIENT"
    """The rate is the limit of each client: of each `Redisson` object in a process."""


_TYPES = tuple(RateType)
"""Redis stores the index of a type in this tuple."""


class Rate(NamedTuple):
    """A checked rate: permits per interval (in ms), and a time to live (in ms; 0: no limit)."""

    rate_type: RateType
    permits: int
    interval_ms: int
    keep_alive_ms: int

    @classmethod
    def of(
        cls, rate_type: RateType, rate: int, interval: Seconds, keep_alive: Seconds | None
    ) -> Rate:
        """Check the caller's arguments.

        Raises:
            TypeError: `rate` is not an int, or a time is neither a number nor a timedelta.
            ValueError: an unknown `rate_type`; a `rate` below 1 or above 2**31 - 1; a time that is
                not above 0 or not finite; or a `keep_alive` that is shorter than the interval.
        """
        interval_ms, keep_ms = whole_ms(positive(interval, "interval"), "interval"), 0
        if keep_alive is not None:
            keep_ms = whole_ms(positive(keep_alive, "keep_alive"), "keep_alive")
            if keep_ms < interval_ms:
                raise ValueError(
                    f"keep_alive must be at least the interval, {interval!r}, not {keep_alive!r}"
                )
        return cls(RateType(rate_type), at_least(1, rate, "rate"), interval_ms, keep_ms)

    def args(self) -> tuple[Arg, ...]:
        """Return the rate as arguments of a script."""
        return (self.permits, self.interval_ms, _TYPES.index(self.rate_type), self.keep_alive_ms)


@dataclass(frozen=True, slots=True)
class RateLimiterConfig:
    """The rate of a limiter (org.redisson.api.RateLimiterConfig).

    Attributes:
        rate_type: the scope of the rate.
        rate: the number of permits per interval.
        interval: the time in which `rate` permits can be acquired.
        keep_alive: the time to live of the limiter; it starts anew with each attempt to acquire or
            release permits. None for no limit.
    """

    rate_type: RateType
    rate: int
    interval: timedelta
    keep_alive: timedelta | None


def _config(reply: Any) -> RateLimiterConfig | None:
    found = dict(
        zip(reply[::2], (parsed(int, each, "RRateLimiter") for each in reply[1::2]), strict=True)
    )
    if not {b"rate", b"interval"} <= found.keys():
        return None
    keep = found.get(b"keepAliveTime")  # Redisson 3.19.3 does not write it
    return RateLimiterConfig(
        _TYPES[found.get(b"type", 0)],
        found[b"rate"],
        timedelta(milliseconds=found[b"interval"]),
        timedelta(milliseconds=keep) if keep else None,
    )


@dataclass(frozen=True, slots=True)
class RateLimiterProtocol:
    """The operations of one rate limiter.

    If the limiter has no rate, the replies of `acquire`, `release` and `available` raise
    `RateNotSetError` when they are read.

    Attributes:
        name: the mapped name.
        client_id: the id of this client, for rates of the type `PER_CLIENT`.
    """

    name: str
    client_id: str

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the rate, of the numbers of free permits, and of the logs.

        For numbers and for logs, the key of all clients is first, then the key of this client.
        """
        free, log = suffix_name(self.name, "value"), suffix_name(self.name, "permits")
        own = self.client_id
        return (self.name, free, f"{free}:{own}", log, f"{log}:{own}")

    def _script(
        self, operation: str, args: tuple[Arg, ...], read: Callable[[Any], T], *, keys: int = 5
    ) -> Eval[T]:
        script = load(f"synchronizers/limiter_{operation}")
        safe = operation not in ("try_set_rate", "release")
        lost = None if safe else partial(UncertainError, operation, self.name)
        return Eval(script, self.keys[:keys], args, read, safe=safe, lost=lost)

    def try_set_rate(self, rate: Rate) -> Eval[bool]:
        """Set the rate if the limiter has none; return whether this call set it."""
        return self._script("try_set_rate", rate.args(), truth, keys=1)

    def set_rate(self, rate: Rate, *, keep_state: bool = False, update: bool = False) -> Eval[bool]:
        """Set the rate; with `update`, only if the limiter has a rate. Return whether it was set.

        If `keep_state` and the type of the rate stays the same, permits that were acquired within
        the new interval stay acquired. Otherwise, all shared permits and all permits of this client
        are free afterwards. The own permits of other clients stay as they are.
        """
        return self._script("set_rate", (*rate.args(), int(keep_state), int(update)), truth)

    def acquire(self, permits: int, request_id: bytes) -> Eval[int | None]:
        """Acquire permits and return None, or return the milliseconds until they may be free.

        0 means that the log may have more ended entries than one script handles.

        Args:
            permits: the number of permits.
            request_id: 16 bytes that no other acquisition has.

        Raises:
            ValueError: `permits` is above the rate; raised when the reply is read.
        """

        def read(reply: Any) -> int | None:
            if reply == _ABOVE_RATE:
                raise ValueError(
                    f"permits must be at most the rate of limiter {self.name!r}, not {permits}; "
                    "get_config() returns the rate"
                )
            return self._number(reply)

        return self._script("acquire", (permits, request_id), read)

    def release(self, permits: int) -> Eval[int]:
        """Release the permits that were acquired last; return how many were released.

        Permits that were acquired before the last interval are not released: they are free already.
        At most the newest 1000 acquisitions are released.
        """
        return self._script("release", (permits,), self._released)

    def available(self) -> Eval[int | None]:
        """Return how many permits are free.

        None means that the log may have more ended entries than one script handles. Then send the
        operation again.
        """
        return self._script("available", (), self._number)

    def config(self) -> Command[RateLimiterConfig | None]:
        """HGETALL: the rate; None if the limiter has none."""
        return Command(("HGETALL", self.name), _config, self.name, safe=True)

    def _released(self, reply: Any) -> int:
        return self._number(reply) or 0

    def _number(self, reply: Any) -> int | None:
        if reply == _NO_RATE:
            raise RateNotSetError(self.name)
        return None if reply is None else number(reply)
