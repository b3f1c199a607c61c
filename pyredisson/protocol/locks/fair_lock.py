"""RFairLock as commands: `RedissonFairLock` of 3.19.3 to 4.7.0.

The lock is a hash, as for RLock. A list has the waiting owners in the order of their turns. A
sorted set has for each waiter the time from which on the waiter counts as dead. Each waiter has a
channel of its own. The times come from the server's clock. In Redisson, they come from the client's
clock.
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
        wait_ms: the time after which a waiter without another attempt counts as dead.
    """

    wait_ms: int = 30_000

    def keys(self) -> dict[str, str]:
        """Return the keys of the lock, the list and the sorted set, each with its Redis type."""
        queue = prefix_name("redisson_lock_queue", self.name)
        return {
            self.name: "hash",
            queue: "list",
            prefix_name("redisson_lock_timeout", self.name): "zset",
        }

    def channel_of(self, owner: str) -> str:
        """Return the channel of one waiter."""
        return f"{self.channel}:{owner}"

    def acquire(self, owner: str, lease_ms: int, holds: int = 1, place: str = "") -> Eval[Attempt]:
        """Take the lock if it is the owner's turn, or add a hold of the owner; see `Attempt`.

        Args:
            owner: the new holder.
            lease_ms: the time after which the lock is free without a release.
            holds: the number of holds that the owner shall have afterwards.
            place: where the owner joins the queue, unless it gets the lock or is in the queue.
                "last" is for the first attempt. "first" is for later attempts: an owner that is no
                longer in the queue was removed as dead, which happens only at the head. With "" the
                owner does not join.
        """
        args: tuple[Arg, ...] = (lease_ms, owner, holds, self.wait_ms, place)
        return acquisition("acquire_fair", self._names, args, self._undo(owner, lease_ms, holds))

    def release(self, owner: str, lease_ms: int, holds: int = 0) -> Eval[Released]:
        """Release one hold, so that the owner has `holds` left; without a hold, end its wait.

        If the lock is free then, the next waiter is woken.
        """
        words: tuple[Arg, ...] = (FREE, lease_ms, owner, holds, *self.publishing)
        args = (*words, self.channel, self.wait_ms)
        return Eval(load("locks/release_fair"), self._names, args, released)

    def force_unlock(self) -> Eval[Released]:
        """Free the lock, whichever owner has it."""
        return self.release("", 0)
