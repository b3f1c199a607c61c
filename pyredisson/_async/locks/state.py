"""Methods that read the state of a lock.

The rule: the holder is read from the server. Only `lost` needs no request.
"""

from __future__ import annotations

from datetime import timedelta

from pyredisson._async.context import AsyncContext
from pyredisson._async.locks.holds import AsyncHolds
from pyredisson._async.objects.named_object import AsyncNamedObject
from pyredisson.protocol.kernel.names import require_one_slot
from pyredisson.protocol.locks.lock import LockProtocol


class AsyncLockState(AsyncNamedObject):
    """The name of a lock, and its holder.

    Args:
        context: the client's context.
        name: the lock's name.
        watched: whether the client also notices the end of leases that it does not renew.
    """

    _kind = "a lock"
    _operations: type[LockProtocol] = LockProtocol

    def __init__(self, context: AsyncContext, name: str, *, watched: bool) -> None:
        super().__init__(context, name)
        self._holds = AsyncHolds(context, self._link.topology, watched=watched)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._main_key!r}>"

    def _keys_of(self, name: str) -> dict[str, str]:
        return self._operations(name).keys()

    def _claimed(self, name: str) -> str:
        if self._link.topology.clustered:
            protocol = self._operations(name)
            require_one_slot((*protocol.keys(), protocol.channel))
        return name

    @property
    def _publishing(self) -> tuple[str, str]:
        return "PUBLISH", "SPUBLISH" if self._link.topology.clustered else ""

    def _bind(self, name: str) -> None:
        super()._bind(name)
        self._protocol = self._make_protocol()

    def _make_protocol(self) -> LockProtocol:
        return self._operations(self._main_key, self._publishing)

    async def is_locked(self) -> bool:
        """Return whether any holder has the lock (RLock.isLocked)."""
        return await self._run(self._protocol.is_locked())

    async def is_held(self) -> bool:
        """Return whether this thread or task has the lock; the server is asked."""
        hold = self._holds.mine()
        return hold is not None and await self._run(self._protocol.is_held_by(hold.owner))

    async def get_hold_count(self) -> int:
        """Return how many times this thread or task has the lock (RLock.getHoldCount)."""
        hold = self._holds.mine()
        return 0 if hold is None else await self._run(self._protocol.hold_count(hold.owner))

    async def remain_time_to_live(self) -> timedelta | None:
        """Return the time until the lease ends; None if the lock is free, or has no lease."""
        left = await self._run(self._protocol.ttl_ms())
        return timedelta(milliseconds=left) if left >= 0 else None

    @property
    def lost(self) -> bool:
        """Whether this thread or task has acquired the lock, and this client has noticed its loss.

        The client notices the loss after the lease may have ended, and after a renewal that found
        another owner, or none.
        """
        hold = self._holds.mine()
        return hold is not None and hold.is_over()
