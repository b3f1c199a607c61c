"""RSemaphore as commands: `RedissonSemaphore` of 3.19.3 to 4.7.0.

A string has the number of free permits. Redis does not store the holders of acquired permits, so a
request that changes the number cannot be repeated after a lost reply.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from pyredisson.errors import UncertainError
from pyredisson.protocol.counters.atomic import parsed
from pyredisson.protocol.kernel.command import Arg, Command, Eval
from pyredisson.protocol.kernel.names import prefix_name
from pyredisson.protocol.kernel.replies import number, truth
from pyredisson.protocol.kernel.scripts import load
from pyredisson.protocol.synchronizers.notified import Notified

__all__ = ["SemaphoreProtocol"]

T = TypeVar("T")


def _permits(reply: Any) -> int:
    return parsed(int, reply, "RSemaphore")


@dataclass(frozen=True, slots=True)
class SemaphoreProtocol:
    """The operations of one semaphore.

    Attributes:
        name: the mapped name.
        publishing: the commands that publish: PUBLISH, and in a cluster also SPUBLISH, else "".
    """

    name: str
    publishing: tuple[str, str] = ("PUBLISH", "")

    @property
    def channel(self) -> str:
        """The channel to which `add` and `try_set` publish the number of free permits."""
        return prefix_name("redisson_sc", self.name)

    def _taking(self, operation: str, args: tuple[int, ...], read: Callable[[int], T]) -> Eval[T]:
        """Return the call of a script that acquires permits, with the operation that reverts it.

        With `args`, the reply 1 means that the script acquired `args[0]` permits. Without `args`,
        the reply is the number of acquired permits.
        """
        script, lost = load(f"synchronizers/semaphore_{operation}"), self._lost(operation)
        taken = args[0] if args else 1

        def undo(reply: Any) -> Eval[Notified] | None:
            return self.add(reply * taken) if isinstance(reply, int) and reply > 0 else None

        return Eval(
            script, (self.name,), args, lambda reply: read(_permits(reply)), lost=lost, undo=undo
        )

    def _lost(self, operation: str) -> Callable[[Exception], Exception]:
        return partial(UncertainError, operation, self.name)

    def _notifying(self, operation: str, *args: Arg, ttl: tuple[int, ...] = ()) -> Eval[Notified]:
        script, keys = load(f"synchronizers/semaphore_{operation}"), (self.name, self.channel)
        args = (*args, *self.publishing, *ttl)
        return Eval(script, keys, args, Notified.read, lost=self._lost(operation))

    def acquire(self, permits: int) -> Eval[bool]:
        """Acquire permits if enough are free; return whether they were acquired."""
        return self._taking("acquire", (permits,), truth)

    def drain(self) -> Eval[int]:
        """Acquire all free permits; return how many were acquired."""
        return self._taking("drain", (), number)

    def add(self, permits: int) -> Eval[Notified]:
        """Add `permits`, also if negative, to the free permits; the result is their new number."""
        return self._notifying("add", permits)

    def try_set(self, permits: int, ttl_ms: int | None) -> Eval[Notified]:
        """Set the number of free permits, unless it is set already.

        The result is 1 if this call has set the number, else 0. If `ttl_ms` is None, set no time to
        live.
        """
        return self._notifying("try_set", permits, ttl=() if ttl_ms is None else (ttl_ms,))

    def available(self) -> Command[int]:
        """GET: the number of free permits; 0 if the string does not exist."""
        words = ("GET", self.name)
        return Command(words, _permits, self.name, safe=True)
