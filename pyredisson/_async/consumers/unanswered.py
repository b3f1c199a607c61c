"""Releases the messages of takes (calls of the script `take`) whose replies were lost.

The server may have run such a take, or may run it later. The consumer has made the tokens of the
take, so the consumer can release the messages without the reply. These deliveries do not count as
attempts.

The rule: a take is stored here only after its reply can no longer come. Otherwise the consumer
would release messages that a call of `take_many` still returns.
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
"""The limits of the pauses between two attempts to release a take's messages, in seconds.

Several attempts are necessary, because the take may reach the server late. After the attempt that
a pause of `LONGEST_PAUSE` would follow, no further attempt is made.
"""


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
        """Store takes, except the take that has returned `deliveries` in a later attempt."""
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
        """Release the messages of takes whose next attempt is due; with `last`, of all takes.

        A take is removed after an attempt that released messages, after a lasting error reply, and
        after the attempt that a pause of `LONGEST_PAUSE` would follow.

        Raises:
            ServerError, OSError, ClosedError: an attempt failed; another call tries again.
        """
        now = monotonic()
        for base, lost in tuple(self._lost.items()):
            if lost.when > now and not last:
                continue
            try:
                found = await consumer._request(
                    consumer._protocol.recall(lost.take), consumer._reply_timeout
                )
            except ReplyError as error:
                if is_waitable(error):
                    raise
                found = [True]  # give up: its messages are redelivered when their leases end
            pause = lost.pauses.pause()
            lost.when = now + pause
            if any(found) or pause >= LONGEST_PAUSE:
                self._lost.pop(base, None)

    async def end(self, consumer: AsyncSettler[Any]) -> None:
        """Try once more to release the messages of all takes; stop at an error, and ignore it."""
        with suppress(ServerError, OSError, ClosedError):
            await self.recall(consumer, last=True)
