"""RReadWriteLock as commands: `RedissonReadLock` and `RedissonWriteLock` of 3.19.3 to 4.7.0.

Both locks are one hash. The field `mode` is "read" or "write". Each owner of the read lock has a
field with the owner's name. The owner of the write lock has a field with its own name and ":write".
The values of these fields are numbers of holds. Each hold of the read lock also has a string, whose
time to live is the lease of the hold.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from pyredisson.protocol.kernel.command import Arg, Command, Eval
from pyredisson.protocol.kernel.names import prefix_name
from pyredisson.protocol.kernel.scripts import load
from pyredisson.protocol.locks.lock import (
    FREE,
    Attempt,
    LockProtocol,
    Released,
    Renewal,
    acquisition,
    released,
)

__all__ = ["ALL_MAY_TRY", "ReadLockProtocol", "WriteLockProtocol"]

ALL_MAY_TRY = b"1"
"""The message about a released write lock; it wakes all waiters of each Java client."""


class _ReadWriteLockProtocol(LockProtocol):
    """What both locks share."""

    @cached_property
    def channel(self) -> str:
        """The channel of both locks."""
        return prefix_name("redisson_rwlock", self.name)

    @cached_property
    def _prefix(self) -> str:
        return self.name if "{" in self.name else f"{{{self.name}}}"

    def _strings(self, owner: str, first: int, last: int) -> tuple[str, ...]:
        """Return the keys of a reader's strings for the holds `first` to `last`; 1 is the first."""
        numbers = range(first, last + 1)
        return tuple(f"{self._prefix}:{owner}:rwlock_timeout:{number}" for number in numbers)

    def _force_unlock(self, message: bytes, mode: str) -> Eval[Released]:
        args: tuple[Arg, ...] = (message, *self.publishing, mode)
        return Eval(load("locks/force_unlock"), (self.name, self.channel), args, released)


class ReadLockProtocol(_ReadWriteLockProtocol):
    """The operations of a read lock: any number of owners may have it."""

    def acquire(self, owner: str, lease_ms: int, holds: int = 1) -> Eval[Attempt]:
        """Take the read lock, unless another owner has the write lock; see `Attempt`."""
        keys = (self.name, *self._strings(owner, 1, holds))
        args: tuple[Arg, ...] = (lease_ms, owner, f"{owner}:write")
        undo = self._undo(owner, lease_ms, holds)
        return acquisition("acquire_read", keys, args, undo)

    def release(self, owner: str, lease_ms: int, holds: int = 0) -> Eval[Released]:
        """Release one hold, so that the owner has `holds` left.

        If no owner has a hold of either lock then, both locks are free. The leases of the other
        holds do not change.
        """
        keys = (self.name, self.channel, *self._strings(owner, holds + 1, holds + 1))
        args: tuple[Arg, ...] = (FREE, self._prefix, owner, holds, *self.publishing)
        return Eval(load("locks/release_read"), keys, args, released)

    def force_unlock(self) -> Eval[Released]:
        """Free the lock of all readers, unless an owner has the write lock.

        The strings of the readers' holds stay until they expire.
        """
        return self._force_unlock(FREE, "read")

    def renewal(self, owner: str, holds: int) -> Renewal:
        """Return what `renew` needs for an owner with `holds` holds."""
        return Renewal(self.name, owner, self._strings(owner, 1, holds))

    def is_locked(self) -> Command[bool]:
        """HKEYS: whether any owner, also that of the write lock, has the read lock."""

        def decode(reply: Any) -> bool:
            return any(field != b"mode" and not field.endswith(b":write") for field in reply)

        return Command(("HKEYS", self.name), decode, self.name, safe=True)


class WriteLockProtocol(_ReadWriteLockProtocol):
    """The operations of a write lock: only its owner may also have the read lock."""

    def acquire(self, owner: str, lease_ms: int, holds: int = 1) -> Eval[Attempt]:
        """Take the write lock if both locks are free or the owner has it already; see `Attempt`."""
        args: tuple[Arg, ...] = (lease_ms, f"{owner}:write", holds)
        undo = self._undo(owner, lease_ms, holds)
        return acquisition("acquire_write", (self.name,), args, undo)

    def release(self, owner: str, lease_ms: int, holds: int = 0) -> Eval[Released]:
        """Release one hold, so that the owner has `holds` left; its read holds stay."""
        field = f"{owner}:write"
        args: tuple[Arg, ...] = (
            ALL_MAY_TRY,
            lease_ms,
            field,
            holds,
            *self.publishing,
            self._prefix,
        )
        return Eval(load("locks/release_write"), (self.name, self.channel), args, released)

    def force_unlock(self) -> Eval[Released]:
        """Free the write lock, and end its owner's holds of the read lock."""
        return self._force_unlock(ALL_MAY_TRY, "write")

    def renewal(self, owner: str, holds: int) -> Renewal:
        """Return what `renew` needs for an owner."""
        return Renewal(self.name, f"{owner}:write")

    def is_locked(self) -> Command[bool]:
        """HGET: whether any owner has the write lock."""
        return Command(
            ("HGET", self.name, "mode"), lambda mode: mode == b"write", self.name, safe=True
        )

    def is_held_by(self, owner: str) -> Command[bool]:
        """HEXISTS: whether `owner` has the write lock."""
        return LockProtocol.is_held_by(self, f"{owner}:write")

    def hold_count(self, owner: str) -> Command[int]:
        """HGET: the number of holds that `owner` has of the write lock."""
        return LockProtocol.hold_count(self, f"{owner}:write")
