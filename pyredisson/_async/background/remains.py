"""What a transfer task clears up beside its queue: what consumers left, what expired, dedup keys.

The rule: it is never in the way of the transfer; what is refused here is left alone for a while.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from pyredisson._async.link.link import AsyncLink
from pyredisson.protocol.consumers.cleanup import forget_keys, reap
from pyredisson.protocol.kernel.log_fields import about
from pyredisson.protocol.kernel.names import ConsumerNames
from pyredisson.server_errors import ReplyError

log = logging.getLogger("pyredisson")

_RARELY = 12
"""Safety intervals for which something is left alone where the server refuses it."""


class AsyncCleanup:
    """What is to be cleared up beside one queue; times are the server's, in epoch ms.

    Args:
        names: of the queue and what stands beside it.
        safety_ms: it is looked at so often at least.
        tell: calls a hook by its name, where there are any.
    """

    def __init__(
        self, names: ConsumerNames, safety_ms: float, tell: Callable[..., None] | None
    ) -> None:
        self.names = names
        self._safety_ms = safety_ms
        self._tell = tell
        self._reaps_at = 0.0
        self._forgets_at = 0.0
        self._may_not_look_before = 0.0
        self.expired = 0

    def hurry(self) -> None:
        """Clear up the next time: a lease may have ended, or keys may be left."""
        self._reaps_at = self._forgets_at = 0.0

    def may_look(self, now: float) -> bool:
        """Tell whether the server may be asked what consumers have left."""
        return now >= self._may_not_look_before

    def may_not_look(self, now: float, error: ReplyError) -> None:
        """Look after no consumers for a while: the server notes each refusal."""
        self._may_not_look_before = now + _RARELY * self._safety_ms
        queue = self.names.queue.name
        log.debug("queue %r: leases are not looked at: %s", queue, error, extra=about(queue))

    async def reap(self, link: AsyncLink, now: float) -> float | None:
        """Put back what consumers that are gone have taken; when is there more to do?"""
        if now < self._reaps_at or not self.may_look(now):
            return None
        self._reaps_at = now + self._safety_ms
        try:
            found = await link.request(reap(self.names))
        except ReplyError as error:
            self.may_not_look(now, error)
            return None
        if found.next_ms is not None:
            self._reaps_at = min(self._reaps_at, found.next_ms)
        self.expired += len(found.expired)
        if self._tell is not None and found.expired:
            from pyredisson.protocol.consumers.delivery import emit_expired  # noqa: PLC0415 - seldom

            for each in found.expired:
                emit_expired(self._tell, self.names.queue.name, each, dropped=each.dropped)
        return found.next_ms

    async def forget_keys(self, link: AsyncLink, now: float) -> None:
        """Forget keys of deduplication whose items somebody else has delivered or removed."""
        if now < self._forgets_at:
            return
        self._forgets_at = now + self._safety_ms
        try:
            await link.request(forget_keys(self.names.queue))
        except ReplyError as error:
            self._forgets_at = now + _RARELY * self._safety_ms
            queue = self.names.queue.name
            log.debug(
                "queue %r: dedup keys are not looked at: %s", queue, error, extra=about(queue)
            )
