"""Pausing a queue: our consumers and workers take nothing from it, wherever they run.

The rule: a pause is there for all who look at Redis, and ends when somebody ends it.
"""

from __future__ import annotations

from pyredisson._async.objects.named_object import AsyncNamedObject
from pyredisson.protocol.kernel.names import ConsumerNames
from pyredisson.protocol.queues.pause import pause, paused, resume


class AsyncPausable(AsyncNamedObject):
    """What can be paused."""

    @property
    def _names(self) -> ConsumerNames:
        self._context.names.claim(self._main_key)
        return ConsumerNames.of(self._main_key)

    async def pause(self) -> None:
        """Let consumers and workers of pyredisson take nothing more, in all processes.

        What they have in hand they finish. It lasts until `resume`, also over restarts. Java, and
        `take` and `poll` of queues, take on.
        """
        await self._run(pause(self._names))

    async def resume(self) -> None:
        """Let consumers and workers take again; those that wait do so at once."""
        await self._run(resume(self._names))

    async def is_paused(self) -> bool:
        """Tell whether the queue is paused."""
        return await self._run(paused(self._names))
