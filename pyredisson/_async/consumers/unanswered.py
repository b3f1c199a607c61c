"""Takes whose replies were lost: their messages are released, and no delivery is counted.

The server may have run such a take, or may run it later. Its tokens are known, so its messages can
be released without the reply. The rule: a take is remembered here only when no caller can get its
reply any more. Otherwise one caller would release the messages of another.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from pyredisson._async.consumers.settlement import AsyncSettler
from pyredisson._async.waits.slices import is_waitable
from pyredisson._runtime.concurrency import monotonic
from pyredisson.errors import ClosedError
from pyredisson.protocol.consumers.consumer import BASE_BYTES
from pyredisson.protocol.consumers.delivery import Delivery
from pyredisson.protocol.kernel.backoff import Pauses
from pyredisson.protocol.kernel.command import Eval, Operation
from pyredisson.server_errors import ReplyError, ServerError

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 32.0
"""Seconds between two attempts to release what a take took; it may be stuck in the network."""


@dataclass(slots=True)
class _LostReply:
    take: Eval[Any]
    pauses: Pauses
    when: float = 0.0


class AsyncUnanswered:
    """The takes of one consumer whose replies were lost."""

    def __init__(self) -> None:
        self._lost: dict[bytes, _LostReply] = {}

    def add(self, takes: Iterable[Operation[Any]], deliveries: Iterable[Delivery] | None) -> None:
        """Remember takes, except the one that returned `deliveries` after all."""
        received = {each.token[:BASE_BYTES] for each in deliveries or ()}
        for take in takes:
            base = take.args[2]
            if isinstance(take, Eval) and isinstance(base, bytes) and base not in received:
                self._lost[base] = _LostReply(take, Pauses(FIRST_PAUSE, LONGEST_PAUSE))

    def due(self) -> bool:
        """Return whether an attempt to release is due."""
        if not self._lost:
            return False
        now = monotonic()
        return any(each.when <= now for each in tuple(self._lost.values()))

    async def recall(self, consumer: AsyncSettler[Any], *, last: bool = False) -> None:
        """Release what takes took: of those that are due, or with `last` of all.

        Raises:
            ServerError: another call tries again.
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
                if is_waitable(error):
                    raise
                found = [True]  # it is redelivered when its lease ends
            pause = lost.pauses.pause()
            lost.when = now + pause
            if any(found) or pause >= LONGEST_PAUSE:
                self._lost.pop(base, None)

    async def end(self, consumer: AsyncSettler[Any]) -> None:
        """Try once more to release what all takes took, and ignore errors."""
        with suppress(ServerError, OSError, ClosedError):
            await self.recall(consumer, last=True)
