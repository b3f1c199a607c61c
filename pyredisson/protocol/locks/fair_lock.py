"""RFairLock as commands: `RedissonFairLock` of 3.19.3 to 4.7.0.

The lock is the hash of RLock. A list has the owners that wait, the oldest first, and a sorted set
the time from which on each counts as dead. Each waiter has a channel of its own. The times are by
the server's clock; Redisson's are by that of its machine.
"""

from __future__ import annotations

from dataclasses import dataclass

from pyredisson.protocol.kernel.command import Arg, Eval
from pyredisson.protocol.kernel.names import prefix_name
from pyredisson.protocol.kernel.scripts import load
from pyredisson.protocol.locks.lock import (
    FREE,
    Attempt,
    LockProtocol,
    Released,
    acquisition,
    released,
)

__all__ = ["FairLockProtocol"]


@dataclass(frozen=True)
class FairLockProtocol(LockProtocol):
    """The operations of one fair lock.

    Attributes:
        wait_ms: the time until a waiter that does not ask again counts as dead.
    """

    wait_ms: int = 30_000

    def keys(self) -> dict[str, str]:
        """Return the lock, the queue, and the times at which its waiters count as dead."""
        queue = prefix_name("redisson_lock_queue", self.name)
        return {
            self.name: "hash",
            queue: "list",
            prefix_name("redisson_lock_timeout", self.name): "zset",
        }

    def channel_of(self, owner: str) -> str:
        """The channel of one waiter."""
        return f"{self.channel}:{owner}"

    def acquire(self, owner: str, lease_ms: int, holds: int = 1, place: str = "") -> Eval[Attempt]:
        """Take the lock if it is the owner's turn, or wait for that in the queue.

        Args:
            owner: the new holder.
            lease_ms: when it is free by itself.
            holds: the number of holds that the owner shall have.
            place: where the owner joins the queue if it is not there: "last", or "first" if it was
                there before and counted as dead; only the first ones do, so that is its place. ""
                does not join.
        """
        args: tuple[Arg, ...] = (lease_ms, owner, holds, self.wait_ms, place)
        return acquisition("acquire_fair", self._names, args, self._undo(owner, lease_ms, holds))

    def release(self, owner: str, lease_ms: int, holds: int = 0) -> Eval[Released]:
        """Leave the owner as many holds, or end its wait; without a hold the next one is woken."""
        words: tuple[Arg, ...] = (FREE, lease_ms, owner, holds, *self.publishing)
        args = (*words, self.channel, self.wait_ms)
        return Eval(load("locks/release_fair"), self._names, args, released)

    def force_unlock(self) -> Eval[Released]:
        """Free the lock of any holder."""
        return self.release("", 0)
