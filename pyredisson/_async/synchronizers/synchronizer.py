"""The base of synchronizers. The rule: a message wakes a waiter. Waiters also try once a second."""

from __future__ import annotations

import logging

from pyredisson._async.objects.expirable import AsyncExpirableObject
from pyredisson._runtime.interrupts import AsyncInterrupts, to_end_async
from pyredisson.protocol.kernel.command import Eval
from pyredisson.protocol.kernel.log_fields import about
from pyredisson.protocol.kernel.names import require_one_slot
from pyredisson.protocol.synchronizers.notified import Notified

log = logging.getLogger("pyredisson")


class AsyncSynchronizer(AsyncExpirableObject):
    """An object whose changes other clients wait for."""

    def _channel_of(self, name: str) -> str:
        """Return the channel of the object under a name in Redis."""
        raise NotImplementedError

    def _claimed(self, name: str) -> str:
        if self._link.topology.clustered:
            require_one_slot((*self._keys_of(name), self._channel_of(name)))
        return name

    @property
    def _publishing(self) -> tuple[str, str]:
        return ("PUBLISH", "SPUBLISH" if self._link.topology.clustered else "")

    async def _changed(self, change: Eval[Notified]) -> int:
        """Run a script that notifies waiters, to its end even if interrupted; return its result."""
        async with AsyncInterrupts(deferred=True):
            done = await to_end_async(self._run(change))
        if done.rejection:
            log.warning(
                "%r has changed, but its waiters were not notified: %s",
                self._main_key,
                done.rejection,
                extra=about(self._main_key),
            )
        return done.result
