"""RSemaphore as commands: `RedissonSemaphore` of 3.19.3 to 4.7.0.

One string has the number of free permits. Redis does not store the holders of the others, so no
request can be repeated after a lost reply.
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
        publishing: the commands that publish: PUBLISH, and in a cluster SPUBLISH, too.
    """

    name: str
    publishing: tuple[str, str] = ("PUBLISH", "")

    @property
    def channel(self) -> str:
        """The channel to which each change publishes the number of free permits."""
        return prefix_name("redisson_sc", self.name)

    def _taking(self, operation: str, args: tuple[int, ...], read: Callable[[int], T]) -> Eval[T]:
        """Make a script whose reply is the number of permits that it took, or 1."""
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
        """Acquire permits, if as many are free."""
        return self._taking("acquire", (permits,), truth)

    def drain(self) -> Eval[int]:
        """Acquire all free permits; return how many."""
        return self._taking("drain", (), number)

    def add(self, permits: int) -> Eval[Notified]:
        """Add free permits, or take away; the result is how many are free."""
        return self._notifying("add", permits)

    def try_set(self, permits: int, ttl_ms: int | None) -> Eval[Notified]:
        """Set the free permits, unless they are set; the result is 1 or 0."""
        return self._notifying("try_set", permits, ttl=() if ttl_ms is None else (ttl_ms,))

    def available(self) -> Command[int]:
        """GET: the free permits."""
        words = ("GET", self.name)
        return Command(words, _permits, self.name, safe=True)
