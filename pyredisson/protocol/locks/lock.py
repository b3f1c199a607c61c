"""RLock as commands: `RedissonLock` of 3.19.3 to 4.7.0.

The lock is a hash with one field. The field's name is the owner, and its value is the number of
holds. In Redisson 3.24.0 and newer, an unlock also stores its result in a key, the latch, and a
repeated unlock returns this result. pyredisson needs no latch: each acquisition has its own owner.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from pyredisson.protocol.kernel.command import Arg, Command, Eval
from pyredisson.protocol.kernel.names import prefix_name
from pyredisson.protocol.kernel.replies import number, truth
from pyredisson.protocol.kernel.scripts import load

__all__ = ["FREE", "Attempt", "FencedLockProtocol", "LockProtocol", "Released", "Renewal", "renew"]

FREE = b"0"
"""The message about a free lock; it wakes one waiter of each Java client."""


class Attempt(NamedTuple):
    """What an attempt to acquire a lock did.

    Attributes:
        ttl_ms: None if the owner has the lock. Else the milliseconds until the lock can be free
            without a release; -1 for never. If the owner has lost its earlier holds, it does not
            get even a free lock: -2 then means that the lock is free.
        token: the fencing token if the owner has the lock and the lock is fenced, else 0.
    """

    ttl_ms: int | None
    token: int = 0


class Released(NamedTuple):
    """What a release did.

    Attributes:
        held: whether the owner had the lock; without a meaning after `force_unlock`.
        free: whether this release freed the lock. For a write lock, this is also True if its owner
            still has the read lock.
        rejection: the server's error text if the notification was rejected, else "".
    """

    held: bool
    free: bool
    rejection: str


class Renewal(NamedTuple):
    """What a renewal of one lock needs.

    Attributes:
        name: the key of the lock.
        field: the field of the lock's owner.
        strings: for a read lock, the keys of the strings of its owner's holds; else empty.
    """

    name: str
    field: str
    strings: tuple[str, ...] = ()


_ACQUIRED = Attempt(None)
_FREED = Released(held=True, free=True, rejection="")


def released(reply: Any) -> Released:
    """Read the reply of a script that releases a lock."""
    if reply is None:
        return Released(held=False, free=False, rejection="")
    if reply == [1]:
        return _FREED
    rejection = bytes(reply[1]).decode("utf-8", "replace") if len(reply) > 1 else ""
    return Released(held=True, free=reply[0] == 1, rejection=rejection)


def _attempt(reply: Any) -> Attempt:
    if reply is None:
        return _ACQUIRED
    return Attempt(reply) if isinstance(reply, int) else Attempt(None, reply[0])


def acquisition(
    script: str, keys: tuple[str, ...], args: tuple[Arg, ...], undo: Eval[Released] | None
) -> Eval[Attempt]:
    """Return the call of a script that acquires a lock, and the operation that reverts the call.

    For an owner's first hold, `undo` is None, and an interrupted caller itself releases the lock.
    """
    if undo is None:
        return Eval(load(f"locks/{script}"), keys, args, _attempt, safe=True)

    def undo_if_acquired(reply: Any) -> Eval[Released] | None:
        return None if isinstance(reply, int) else undo

    name = f"locks/{script}"
    return Eval(load(name), keys, args, _attempt, safe=True, undo=undo_if_acquired)


def _truths(reply: Any) -> list[bool]:
    return [each == 1 for each in reply]


def renew(locks: Sequence[Renewal], lease_ms: int) -> Eval[list[bool]]:
    """Start the leases of locks anew; return for each lock whether its owner still has it.

    All locks must be in one slot.
    """
    keys = tuple(key for lock in locks for key in (lock.name, *lock.strings))
    words = (word for lock in locks for word in (lock.field, len(lock.strings)))
    return Eval(load("locks/renew"), keys, (lease_ms, *words), _truths, safe=True)


@dataclass(frozen=True)
class LockProtocol:
    """The operations of one lock.

    Attributes:
        name: the mapped name.
        publishing: the commands that publish: PUBLISH, and in a cluster also SPUBLISH, else "".
            Two empty texts are for RSpinLock, whose releases publish nothing.
    """

    name: str
    publishing: tuple[str, str] = ("PUBLISH", "")

    @cached_property
    def channel(self) -> str:
        """The channel that a release publishes to if it frees the lock."""
        return prefix_name("redisson_lock__channel", self.name)

    def channel_of(self, owner: str) -> str:
        """Return the channel whose messages wake the waiting `owner`."""
        return self.channel

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return tuple(self.keys())

    @cached_property
    def _notified(self) -> tuple[str, ...]:
        """The keys of a script that publishes."""
        return (self.name, self.channel) if self.publishing[0] else (self.name,)

    def keys(self) -> dict[str, str]:
        """Return the keys of the lock, each with its Redis type."""
        return {self.name: "hash"}

    def acquire(self, owner: str, lease_ms: int, holds: int = 1) -> Eval[Attempt]:
        """Take the lock, unless another owner has it, or this owner has lost its earlier holds.

        Args:
            owner: the new holder.
            lease_ms: the time after which the lock is free without a release.
            holds: the number of holds that the owner shall have afterwards.
        """
        args: tuple[Arg, ...] = (lease_ms, owner, holds)
        return acquisition("acquire", self._names, args, self._undo(owner, lease_ms, holds))

    def _undo(self, owner: str, lease_ms: int, holds: int) -> Eval[Released] | None:
        return self.release(owner, lease_ms, holds - 1) if holds > 1 else None

    def release(self, owner: str, lease_ms: int, holds: int = 0) -> Eval[Released]:
        """Reduce the owner's holds by 1 to `holds`, and renew the lease; at 0, free the lock."""
        args: tuple[Arg, ...] = (FREE, lease_ms, owner, holds, *self.publishing)
        return Eval(load("locks/release"), self._notified, args, released)

    def force_unlock(self) -> Eval[Released]:
        """Free the lock, whichever owner has it."""
        args: tuple[Arg, ...] = (FREE, *self.publishing)
        return Eval(load("locks/force_unlock"), self._notified, args, released)

    def renewal(self, owner: str, holds: int) -> Renewal:
        """Return what `renew` needs for an owner with `holds` holds."""
        return Renewal(self.name, owner)

    def is_locked(self) -> Command[bool]:
        """EXISTS: whether any owner has the lock."""
        return Command(("EXISTS", self.name), truth, self.name, safe=True)

    def is_held_by(self, owner: str) -> Command[bool]:
        """HEXISTS: whether `owner` has the lock."""
        return Command(("HEXISTS", self.name, owner), truth, self.name, safe=True)

    def hold_count(self, owner: str) -> Command[int]:
        """HGET: the number of holds of `owner`, 0 if it has none."""
        words = ("HGET", self.name, owner)
        return Command(words, lambda reply: int(reply or 0), self.name, safe=True)

    def ttl_ms(self) -> Command[int]:
        """PTTL: the milliseconds until the lock expires; -1 for never, -2 if it is free."""
        return Command(("PTTL", self.name), number, self.name, safe=True)


class FencedLockProtocol(LockProtocol):
    """The operations of one fenced lock (`RedissonFencedLock`): each new holder gets a token."""

    @cached_property
    def token_key(self) -> str:
        """The key of the counter of tokens."""
        return prefix_name("redisson_lock_token", self.name)

    def keys(self) -> dict[str, str]:
        """Return the keys of the lock and of the counter of tokens, with their Redis types."""
        return {self.name: "hash", self.token_key: "string"}

    def get_token(self) -> Command[int | None]:
        """GET: the newest token; None before the first holder."""

        def decode(reply: Any) -> int | None:
            return None if reply is None else int(reply)

        return Command(("GET", self.token_key), decode, self.token_key, safe=True)
