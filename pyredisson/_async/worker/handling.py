"""Handling: a function of the user's gets a message, and what becomes of the message follows.

The rule: whatever the function raises ends there; the loop goes on.
"""

from __future__ import annotations

import logging
import random
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from pyredisson._async.consumers.message import AsyncMessage
from pyredisson._async.worker.accounts import AsyncAccounts
from pyredisson._async.worker.settlements import AsyncSettlement, AsyncSettlements
from pyredisson.protocol.kernel.log_fields import about
from pyredisson.protocol.worker.outcome import Backoff, Defer, Fate, Policy

log = logging.getLogger("pyredisson")


@dataclass(frozen=True, slots=True)
class AsyncJob:
    """What a worker was told about handling."""

    call: Callable[[Any], Any]
    policy: Policy
    backoff: Backoff
    batches: bool
    pass_message: bool

    def argument(self, messages: list[AsyncMessage[Any]]) -> Any:
        """Return what the handler gets."""
        found = messages if self.pass_message else [message.value for message in messages]
        return found if self.batches else found[0]


class AsyncHandling:
    """Handles messages one group after the other, for any number of tasks.

    Args:
        job: how.
        settlements: settles them.
        accounts: know what became of them.
    """

    def __init__(
        self, job: AsyncJob, settlements: AsyncSettlements, accounts: AsyncAccounts
    ) -> None:
        self._job = job
        self._settlements = settlements
        self._accounts = accounts
        self.ended = False
        """Whether what is being handled yet is given back, whatever its handler does."""

    async def handle(self, messages: list[AsyncMessage[Any]]) -> None:
        """Call the handler with messages, one or a batch, and settle each."""
        most = self._job.policy.max_deliveries
        worn_out = [message for message in messages if message.attempt > most]
        if worn_out:
            await self._settlements.at_once([_buried(message) for message in worn_out])
            messages = [message for message in messages if message.attempt <= most]
        if not messages:
            return
        for message in messages:
            self._accounts.emit("on_deliver", message)
        error: Exception | None = None
        try:
            await self._job.call(self._job.argument(messages))
        except Exception as raised:
            error = raised
        if self.ended:
            return
        failed: list[AsyncSettlement] = []
        said = set[Fate]()
        for message in messages:
            fate = self._job.policy.fate(error, message.attempt)
            if message.settled:
                self._settlements.settled(message)
            elif error is None:
                self._settlements.put(AsyncSettlement(message, fate))
            else:
                _say(message, fate, error, first=fate not in said)
                said.add(fate)
                failed.append(self._put_away(message, fate, error))
        if failed:
            await self._settlements.at_once(failed)

    def _put_away(
        self, message: AsyncMessage[Any], fate: Fate, error: Exception
    ) -> AsyncSettlement:
        """Return what becomes of a message whose handler raised."""
        if fate is Fate.DROP:
            return AsyncSettlement(message, fate, hook=("on_drop", error))
        if fate is Fate.DEAD:
            reason = f"{type(error).__name__}: {error}"
            trace = "".join(traceback.format_exception(error))
            reject = partial(message.reject, reason, trace)
            return AsyncSettlement(message, fate, reject, ("on_dead_letter", reason, error))
        if isinstance(error, Defer):
            pause, put_back = error.delay, message.defer
        else:
            pause = self._job.backoff.pause(message.attempt, random.random())
            put_back = message.nack
        return AsyncSettlement(message, fate, partial(put_back, pause), ("on_retry", error, pause))


def _buried(message: AsyncMessage[Any]) -> AsyncSettlement:
    """Return what becomes of a message that was delivered too often without being settled."""
    reason = f"delivered {message.attempt - 1} times and never settled: its consumers died"
    log.error(
        "message %s of %r is dead: %s",
        message.id,
        message.consumer.name,
        reason,
        extra=about(message.consumer.key, message),
    )
    return AsyncSettlement(
        message, Fate.DEAD, partial(message.reject, reason), ("on_dead_letter", reason, None)
    )


_LEVELS = {Fate.DEFER: logging.INFO, Fate.RETRY: logging.WARNING}


def _say(message: AsyncMessage[Any], fate: Fate, error: Exception, *, first: bool) -> None:
    """Say what becomes of a message; the first of a batch that fails has the traceback."""
    level, extra = _LEVELS.get(fate, logging.ERROR), about(message.consumer.key, message)
    log.log(
        level,
        "message %s of %r, attempt %d: %s after %s: %s",
        message.id,
        message.consumer.name,
        message.attempt,
        fate.value,
        type(error).__name__,
        error,
        exc_info=error if first and level == logging.ERROR else None,
        extra=extra,
    )
    if first and fate is Fate.RETRY:
        log.debug("message %s: its traceback", message.id, exc_info=error, extra=extra)
