"""Pausing a queue: consumers and workers of pyredisson take nothing from it, in all processes.

The rule: a pause is stored in Redis, and lasts until `resume`.
"""

from __future__ import annotations

from pyredisson._async.objects.named_object import AsyncNamedObject
from pyredisson.protocol.kernel.names import ConsumerNames
from pyredisson.protocol.queues.pause import pause, paused, resume


class AsyncPausable(AsyncNamedObject):
    """An object that can be paused."""

    @property
    def _names(self) -> ConsumerNames:
        self._context.names.claim(self._main_key)
        return ConsumerNames.of(self._main_key)

    async def pause(self) -> None:
        """Stop consumers and workers of pyredisson from taking messages, in all processes.

        They finish the messages that they hold. A pause lasts until `resume`, also across restarts.
        A pause stops neither Java nor `take` and `poll` of queues.
        """
        await self._run(pause(self._names))

    async def resume(self) -> None:
        """Let consumers and workers take messages again; those that wait continue at once."""
        await self._run(resume(self._names))

    async def is_paused(self) -> bool:
        """Return whether the queue is paused."""
        return await self._run(paused(self._names))
