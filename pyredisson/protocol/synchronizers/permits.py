"""RPermitExpirableSemaphore as commands: `RedissonPermitExpirableSemaphore` of 3.19.3 to 4.7.0.

A string has the number of free permits. A sorted set has the ids of the leased permits, each with
the time at which its lease ends. The client chooses the ids, so it does no harm if a request is
repeated after a lost reply.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from pyredisson.protocol.kernel.command import Arg, Eval
from pyredisson.protocol.kernel.names import suffix_name
from pyredisson.protocol.kernel.replies import truth
from pyredisson.protocol.kernel.scripts import load
from pyredisson.protocol.synchronizers.notified import Notified
from pyredisson.protocol.synchronizers.semaphore import SemaphoreProtocol

__all__ = ["Permits", "PermitsProtocol", "permit_bytes"]


class Permits(NamedTuple):
    """How many permits are free, and how many are leased."""

    free: int
    leased: int


def permit_bytes(permit_id: str) -> bytes:
    """Return the bytes of a permit's id.

    Raises:
        TypeError: the id is not a str.
        ValueError: the id does not have 32 hex digits.
    """
    if not isinstance(permit_id, str):
        raise TypeError(f"permit_id must be str, not {permit_id!r}")
    try:
        found = bytes.fromhex(permit_id)
    except ValueError:
        found = b""
    if len(found) != 16:
        raise ValueError(f"permit_id must be 32 hex digits, not {permit_id!r}")
    return found


def _permits(reply: Any) -> Permits | None:
    return None if reply is None else Permits(*reply[:2])


def _milliseconds(reply: Any) -> int | None:
    return None if reply is None else int(reply)


@dataclass(frozen=True, slots=True)
class PermitsProtocol:
    """The operations of one semaphore whose permits have leases.

    Attributes:
        name: the mapped name.
        publishing: the commands that publish: PUBLISH, and in a cluster also SPUBLISH, else "".
    """

    name: str
    publishing: tuple[str, str] = ("PUBLISH", "")

    @property
    def semaphore(self) -> SemaphoreProtocol:
        """The operations on the number of free permits alone."""
        return SemaphoreProtocol(self.name, self.publishing)

    @property
    def leases(self) -> str:
        """The key of the sorted set of leases."""
        return suffix_name(self.name, "timeout")

    @property
    def _keys(self) -> tuple[str, str, str]:
        return (self.name, self.leases, self.semaphore.channel)

    def acquire(self, lease_ms: int, *permits: bytes) -> Eval[int | None]:
        """Lease permits and return None, or return the milliseconds until enough leases end.

        Return a number below 0 if too few leases have an end. For more than 1000 permits, it can
        also mean that enough leases have ended, and the script has not released all of them.

        Args:
            lease_ms: the time after which the permits are free without a release; 0 for never.
            permits: the ids of the permits, 16 bytes each. Each id must be unique.
        """

        def undo(reply: Any) -> Eval[Notified] | None:
            return self.release(*permits) if reply is None else None

        args: tuple[Arg, ...] = (lease_ms, *self.publishing, *permits)
        script = load("synchronizers/permits_acquire")
        return Eval(script, self._keys, args, _milliseconds, safe=True, undo=undo)

    def release(self, *permits: bytes) -> Eval[Notified]:
        """Release permits; the result is how many of them were still leased."""
        args: tuple[Arg, ...] = (*self.publishing, *permits)
        script = load("synchronizers/permits_release")
        return Eval(script, self._keys, args, Notified.read)

    def count(self, permits: int | None = None) -> Eval[Permits | None]:
        """Count the permits; if `permits` is given, first set the number of all permits to it.

        All permits are the free and the leased ones together. The result is None if more leases can
        have ended than one script handles. Then send the operation again.
        """
        args: tuple[Arg, ...] = (*self.publishing, *(() if permits is None else (permits,)))
        script = load("synchronizers/permits_count")
        return Eval(script, self._keys, args, _permits, safe=True)

    def update_lease(self, permit: bytes, lease_ms: int) -> Eval[bool]:
        """Start a lease anew; return False if the permit is not leased."""
        script = load("synchronizers/permits_update_lease")
        return Eval(script, (self.leases,), (permit, lease_ms), truth, safe=True)

    def lease_time(self, permit: bytes) -> Eval[int | None]:
        """Return the ms until a lease ends: -1 for never, None if the permit is not leased."""
        script = load("synchronizers/permits_lease_time")
        return Eval(script, (self.leases,), (permit,), _milliseconds, safe=True)
