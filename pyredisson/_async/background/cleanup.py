"""The cleanup by a transfer task: messages of crashed consumers, expired items, dedup keys.

The rule: cleanup never stops the transfer. If the server rejects a cleanup, the next try comes much
later.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from pyredisson._async.link.link import AsyncLink
from pyredisson.protocol.consumers.cleanup import forget_keys, reap
from pyredisson.protocol.kernel.log_fields import about
from pyredisson.protocol.kernel.names import ConsumerNames
from pyredisson.server_errors import ReplyError

if TYPE_CHECKING:
    from pyredisson.protocol.consumers.delivery import Ended

log = logging.getLogger("pyredisson")

_RARELY = 12
"""Safety intervals until a rejected cleanup is tried again."""


def log_ended(name: str, queue: str, leases: Iterable[Ended]) -> None:
    """Log which messages are redelivered because their leases had ended.

    Args:
        name: the queue's name in the program; if that is not known, its name in Redis.
        queue: the queue's name in Redis.
        leases: the ended leases of these messages.
    """
    for each in leases:
        log.info(
            "message %s of %r, attempt %d: the lease of %s had ended",
            each.id,
            name,
            each.attempt,
            each.consumer or "an unknown consumer",
            extra=about(queue, each),
        )


class AsyncCleanup:
    """The cleanup of one queue; times are the server's, in epoch milliseconds.

    Args:
        names: the names of the queue and its companion keys.
        safety_ms: the pause after a cleanup. It is shorter after `hurry`, or if a lease ends or an
            item expires earlier.
        emit: calls a hook by its name; None without hooks.
    """

    def __init__(
        self, names: ConsumerNames, safety_ms: float, emit: Callable[..., None] | None
    ) -> None:
        self.names = names
        self._safety_ms = safety_ms
        self._emit = emit
        self._reaps_at = 0.0
        self._forgets_at = 0.0
        self._no_check_before = 0.0
        self.expired = 0
        """The number of expired items that this task has removed so far."""

    def hurry(self) -> None:
        """Clean up after the next transfer: a lease may have ended, or dedup keys may be unused."""
        self._reaps_at = self._forgets_at = 0.0

    def may_check(self, now: float) -> bool:
        """Return whether to ask for ended leases; False for a while after a rejection."""
        return now >= self._no_check_before

    def check_rejected(self, now: float, error: ReplyError) -> None:
        """Note a rejection: `may_check` is False for a while, because servers log rejections."""
        self._no_check_before = now + _RARELY * self._safety_ms
        queue = self.names.queue.name
        log.debug("queue %r: leases are not checked: %s", queue, error, extra=about(queue))

    async def reap(self, link: AsyncLink, now: float) -> float | None:
        """Requeue messages of crashed consumers, and remove expired items.

        Return when the next lease ends or the next item expires. Return None if no lease ends and
        no item expires, if a pause is not over, or if the server rejects the cleanup.
        """
        if now < self._reaps_at or not self.may_check(now):
            return None
        self._reaps_at = now + self._safety_ms
        try:
            found = await link.request(reap(self.names))
        except ReplyError as error:
            self.check_rejected(now, error)
            return None
        if found.next_ms is not None:
            self._reaps_at = min(self._reaps_at, found.next_ms)
        self.expired += len(found.expired)
        log_ended(self.names.queue.name, self.names.queue.name, found.ended)
        if self._emit is not None and found.expired:
            from pyredisson.protocol.consumers.delivery import emit_expired  # noqa: PLC0415 - seldom

            for each in found.expired:
                emit_expired(self._emit, self.names.queue.name, each, dropped=each.dropped)
        return found.next_ms

    async def forget_keys(self, link: AsyncLink, now: float) -> None:
        """Delete dedup keys whose items are no longer pending."""
        if now < self._forgets_at:
            return
        self._forgets_at = now + self._safety_ms
        try:
            await link.request(forget_keys(self.names.queue))
        except ReplyError as error:
            self._forgets_at = now + _RARELY * self._safety_ms
            queue = self.names.queue.name
            log.debug("queue %r: dedup keys are not checked: %s", queue, error, extra=about(queue))
