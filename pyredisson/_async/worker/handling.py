"""Handling: the user's function gets a message, and its result decides the outcome.

The rule: no `Exception` that the function raises leaves this module.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from pyredisson._async.consumers.message import AsyncMessage
from pyredisson._async.worker.settlements import AsyncSettlement, AsyncSettlements
from pyredisson._async.worker.tracker import AsyncDeliveryTracker
from pyredisson._runtime.concurrency import monotonic
from pyredisson._support.error_text import (
    MAX_REASON,
    MAX_TRACEBACK,
    described,
    traceback_of,
)
from pyredisson.protocol.kernel.log_fields import about
from pyredisson.protocol.worker.outcome import Backoff, Defer, Fate, Policy

log = logging.getLogger("pyredisson")

_LEVELS = {Fate.DEFER: logging.INFO, Fate.RETRY: logging.WARNING}
"""The log levels of two outcomes after an error. The others, DEAD and DROP, have level ERROR."""


@dataclass(frozen=True, slots=True)
class AsyncHandlingOptions:
    """The options of a worker that concern handling."""

    call: Callable[[Any], Any]
    policy: Policy
    backoff: Backoff
    batches: bool
    pass_message: bool

    def argument(self, messages: list[AsyncMessage[Any]]) -> Any:
        """Return the handler's argument."""
        found = messages if self.pass_message else [message.value for message in messages]
        return found if self.batches else found[0]


class AsyncHandling:
    """Handles single messages or batches; any number of tasks may share it.

    Args:
        options: the options of the worker that concern handling.
        settlements: settles the messages.
        tracker: counts their outcomes.
    """

    def __init__(
        self,
        options: AsyncHandlingOptions,
        settlements: AsyncSettlements,
        tracker: AsyncDeliveryTracker,
    ) -> None:
        self._options = options
        self._settlements = settlements
        self._tracker = tracker
        self.ended = False
        """Whether the worker has given up the handlers that still run.

        The worker requeues their messages, and ignores the results of these handlers.
        """

    async def handle(self, messages: list[AsyncMessage[Any]]) -> None:
        """Call the handler with one message or a batch, and settle each message."""
        most = self._options.policy.max_deliveries
        exhausted = [message for message in messages if message.attempt > most]
        if exhausted:
            await self._settlements.at_once([_dead_lettered(message) for message in exhausted])
            messages = [message for message in messages if message.attempt <= most]
        if not messages:
            return
        error = await self._call(messages)
        if self.ended:
            return
        failed: list[AsyncSettlement] = []
        logged = set[Fate]()
        for message in messages:
            fate = self._options.policy.fate(error, message.attempt)
            if message.settled:
                self._settlements.settled(message)
            elif error is None:
                self._settlements.put(AsyncSettlement(message, fate))
            else:
                pause = self._pause(message, fate, error)
                self._log_failure(message, fate, error, pause, first=fate not in logged)
                logged.add(fate)
                failed.append(_settlement_of(message, fate, error, pause))
        if failed:
            await self._settlements.at_once(failed)

    async def _call(self, messages: list[AsyncMessage[Any]]) -> Exception | None:
        """Call the handler; return the exception that it raised, or None."""
        emit, queue = self._tracker.hook, messages[0].consumer.key
        error: Exception | None = None
        if emit is not None:
            for message in messages:
                emit("on_deliver", message.consumer.key, message)
            emit("on_handle", queue, messages)
        started = monotonic()
        try:
            await self._options.call(self._options.argument(messages))
        except Exception as raised:
            error = raised
        finally:
            if emit is not None:
                emit("on_handled", queue, messages, monotonic() - started, error)
        return error

    def _pause(self, message: AsyncMessage[Any], fate: Fate, error: Exception) -> float:
        """Return the seconds until a message is redelivered; 0 if it is dead or dropped."""
        if isinstance(error, Defer):
            return error.delay
        if fate is not Fate.RETRY:
            return 0.0
        return self._options.backoff.pause(message.attempt, random.random())

    def _log_failure(
        self,
        message: AsyncMessage[Any],
        fate: Fate,
        error: Exception,
        pause: float,
        *,
        first: bool,
    ) -> None:
        """Log the outcome of a message whose handler raised.

        Only the first message of each fate in a batch logs the traceback: at level ERROR with its
        outcome, or for a retry at level DEBUG. A deferral logs no traceback.
        """
        level, extra = _LEVELS.get(fate, logging.ERROR), about(message.consumer.key, message)
        again = f" in {round(pause, 3):g} s" if fate in _LEVELS else ""
        log.log(
            level,
            "message %s of %r, attempt %d of %d: %s after %s",
            message.id,
            message.consumer.name,
            message.attempt,
            self._options.policy.max_deliveries,
            fate.value + again,
            described(error),
            exc_info=error if first and level == logging.ERROR else None,
            extra=extra,
        )
        if first and fate is Fate.RETRY:
            log.debug("message %s: its traceback", message.id, exc_info=error, extra=extra)


def _settlement_of(
    message: AsyncMessage[Any], fate: Fate, error: Exception, pause: float
) -> AsyncSettlement:
    """Return the settlement of a message whose handler raised."""
    if fate is Fate.DROP:
        return AsyncSettlement(message, fate, hook=("on_drop", error))
    if fate is Fate.DEAD:
        reason = described(error, MAX_REASON)
        reject = partial(message.reject, reason, traceback_of(error, MAX_TRACEBACK))
        return AsyncSettlement(message, fate, reject, ("on_dead_letter", reason, error))
    requeue = message.defer if fate is Fate.DEFER else message.nack
    return AsyncSettlement(message, fate, partial(requeue, pause), ("on_retry", error, pause))


def _dead_lettered(message: AsyncMessage[Any]) -> AsyncSettlement:
    """Return the settlement that makes a message with too many deliveries a dead letter."""
    count = message.attempt - 1
    reason = f"delivered {count} times; the last consumer crashed, or its lease ended"
    log.error(
        "message %s of %r is now a dead letter: %s",
        message.id,
        message.consumer.name,
        reason,
        extra=about(message.consumer.key, message),
    )
    return AsyncSettlement(
        message, Fate.DEAD, partial(message.reject, reason), ("on_dead_letter", reason, None)
    )
