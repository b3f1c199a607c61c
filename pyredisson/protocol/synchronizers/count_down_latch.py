"""RCountDownLatch as commands: `RedissonCountDownLatch` of 3.19.3 to 4.7.0.

A string has the count. Without the string the latch is open.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from pyredisson.errors import UncertainError
from pyredisson.protocol.counters.atomic import parsed
from pyredisson.protocol.kernel.command import Arg, Command, Eval
from pyredisson.protocol.kernel.scripts import load
from pyredisson.protocol.synchronizers.notified import Notified

__all__ = ["CountDownLatchProtocol"]

_OPEN, _NEW = b"0", b"1"
"""The messages of a latch that opens, and of a latch that gets a count."""
_SCRIPTS = {
    "try_set": "synchronizers/latch_try_set",
    "count_down": "synchronizers/latch_count_down",
    "delete": "locks/force_unlock",
}
"""`delete` uses a script of locks, because that script deletes a key and publishes a message."""


def _count(reply: Any) -> int:
    return parsed(int, reply, "RCountDownLatch")


@dataclass(frozen=True, slots=True)
class CountDownLatchProtocol:
    """The operations of one latch.

    Attributes:
        name: the mapped name.
        publishing: the commands that publish: PUBLISH, and in a cluster also SPUBLISH, else "".
    """

    name: str
    publishing: tuple[str, str] = ("PUBLISH", "")

    @property
    def channel(self) -> str:
        """The channel of the latch, always with braces around the whole name."""
        return f"redisson_countdownlatch__channel__{{{self.name}}}"

    def _script(self, operation: str, *args: Arg) -> Eval[Notified]:
        script, keys = load(_SCRIPTS[operation]), (self.name, self.channel)
        lost = partial(UncertainError, operation, self.name)
        return Eval(script, keys, (*args, *self.publishing), Notified.read, lost=lost)

    def try_set(self, count: int) -> Eval[Notified]:
        """Set the count, unless the latch has one; the result is 1 if it was set, else 0."""
        return self._script("try_set", _NEW, count)

    def count_down(self) -> Eval[Notified]:
        """Reduce the count by 1; the result is the count afterwards, 0 if the latch is open."""
        return self._script("count_down", _OPEN)

    def delete(self) -> Eval[Notified]:
        """Delete the latch, which wakes all waiters; the result is 1 if the latch existed, else 0.

        Redisson's `RedissonCountDownLatch.deleteAsync` wakes no waiter.
        """
        return self._script("delete", _OPEN)

    def count(self) -> Command[int]:
        """GET: the count; 0 if the string does not exist."""
        words = ("GET", self.name)
        return Command(words, _count, self.name, safe=True)
