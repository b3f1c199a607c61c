"""One acquisition of a lock. The rule: `until` is never after the end of the lease in Redis."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pyredisson._runtime.concurrency import monotonic
from pyredisson.protocol.locks.lock import LockProtocol


@dataclass(eq=False, slots=True)
class AsyncHold:
    """A lock that a thread or task of this client has.

    Attributes:
        protocol: the operations of the lock.
        owner: the owner in Redis, another one for each acquisition. Only the read lock of a writer
            has the owner of its write lock.
        caller: the number of the thread or task.
        lease: the length of the lease in seconds.
        renewed: whether the client renews the lease.
        on_lost: called once, after the background job has noticed that the lock is lost.
        until: the time of `monotonic` at which the lease may end.
        count: how many times this owner holds the lock.
        token: the fencing token of a fenced lock.
        place: where an attempt joins the queue of a fair lock, "first" or "last"; "" for nowhere.
        pending: whether an attempt may have acquired the lock, or joined the queue of a fair lock.
        lost: whether the background job has noticed that the lock is lost.
        unwatch: removes this hold from the background job that watches it; None without a job.
    """

    protocol: LockProtocol
    owner: str
    caller: int
    lease: float
    renewed: bool
    on_lost: Callable[[AsyncHold], None]
    until: float = 0.0
    count: int = 0
    token: int = 0
    place: str = ""
    pending: bool = False
    lost: bool = False
    unwatch: Callable[[AsyncHold], None] | None = None

    @property
    def name(self) -> str:
        """The lock's name in Redis."""
        return self.protocol.name

    def is_over(self) -> bool:
        """Return whether the lock is lost, or its lease may have ended."""
        return self.lost or monotonic() >= self.until
