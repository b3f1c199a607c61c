"""Takes whose replies never came: what they took goes back, and counts as no delivery.

The server may have run such a take, or runs it when it goes on. Its tokens are known, so they can
be given back without its reply. The rule: a take is remembered here only when nobody can have its
reply any more; else one caller gives back what another one has.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pyredisson._async.waits.slices import waits_out
from pyredisson._runtime.concurrency import monotonic
from pyredisson.errors import ClosedError
from pyredisson.protocol.consumers.consumer import BASE_BYTES
from pyredisson.protocol.consumers.delivery import Delivery
from pyredisson.protocol.kernel.backoff import Backoff
from pyredisson.protocol.kernel.command import Eval, Operation
from pyredisson.server_errors import ReplyError, ServerError

if TYPE_CHECKING:
    from pyredisson._async.consumers.consumer import AsyncConsumer

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 32.0
"""Seconds between two looks for what a take has taken, which may be stuck in the network."""


@dataclass(slots=True)
class _Lost:
    take: Eval[Any]
    pauses: Backoff
    when: float = 0.0


class AsyncUnanswered:
    """The takes of one consumer that had no reply."""

    def __init__(self) -> None:
        self._lost: dict[bytes, _Lost] = {}

    def add(self, takes: Iterable[Operation[Any]], taken: Iterable[Delivery] | None) -> None:
        """Remember takes, but for the one whose messages came after all."""
        received = {each.token[:BASE_BYTES] for each in taken or ()}
        for take in takes:
            base = take.args[2]
            if isinstance(take, Eval) and isinstance(base, bytes) and base not in received:
                self._lost[base] = _Lost(take, Backoff(FIRST_PAUSE, LONGEST_PAUSE))

    def due(self) -> bool:
        """Tell whether it is time to look for any."""
        if not self._lost:
            return False
        now = monotonic()
        return any(each.when <= now for each in tuple(self._lost.values()))

    async def recall(self, consumer: AsyncConsumer[Any], *, last: bool = False) -> None:
        """Give back what is found of those that it is time for, or of all for the last time.

        Raises:
            ServerError: another call tries it again.
        """
        now = monotonic()
        for base, lost in tuple(self._lost.items()):
            if lost.when > now and not last:
                continue
            try:
                found = await consumer._asked(
                    consumer._protocol.recall(lost.take), consumer._patience
                )
            except ReplyError as error:
                if waits_out(error):
                    raise
                found = [True]  # it comes again when its lease ends
            pause = lost.pauses.pause()
            lost.when = now + pause
            if any(found) or pause >= LONGEST_PAUSE:
                self._lost.pop(base, None)

    async def end(self, consumer: AsyncConsumer[Any]) -> None:
        """Look for all of them for the last time; nobody knows whether there is anything."""
        with suppress(ServerError, OSError, ClosedError):
            await self.recall(consumer, last=True)
