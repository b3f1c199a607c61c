"""Handling: a function of the user's gets a message, and what becomes of the message follows.

The rule: whatever the function raises ends there; the loop goes on.
"""

from __future__ import annotations

import logging
import random
import traceback
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from redis.exceptions import RedisError

from pyredisson._async.objects.message import AsyncMessage
from pyredisson._async.worker.acks import AsyncAcks
from pyredisson._compat import StateLock
from pyredisson._working import limited_async
from pyredisson.protocol.work import Backoff, Defer, Fate, Policy
from pyredisson.stats import WorkerStats

log = logging.getLogger("pyredisson")


@dataclass(frozen=True, slots=True)
class AsyncJob:
    """What a worker was told about handling."""

    handler: Callable[[Any], Any]
    policy: Policy
    backoff: Backoff
    time_limit: float | None
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
        lease: seconds.
        tell: calls a hook by its name.
    """

    def __init__(
        self, job: AsyncJob, lease: float, tell: Callable[..., None] | None = None
    ) -> None:
        self._job = job
        self._hook = tell
        self._lock = StateLock()
        self.stats = WorkerStats()
        self.ended = False
        """Whether what is being handled yet is given back, whatever its handler does."""
        self.acks = AsyncAcks(self._acknowledged, lease)

    async def handle(self, messages: list[AsyncMessage[Any]]) -> None:
        """Call the handler with messages, one or a batch, and settle each."""
        messages = [message for message in messages if not await self._worn_out(message)]
        if not messages:
            return
        for message in messages:
            self._tell("on_deliver", message)
        error: Exception | None = None
        try:
            await limited_async(
                self._job.handler, self._job.argument(messages), self._job.time_limit
            )
        except Exception as raised:
            error = raised
        if self.ended:
            return
        for message in messages:
            if message.settled:
                self._count(done=1)
                continue
            fate = self._job.policy.fate(error, message.attempt)
            if error is None or fate is Fate.DROP:
                self._dropped(message, error)
                self.acks.put(message)
            else:
                await self._put_away(message, fate, error)

    def gave_back(self) -> None:
        """Count a message whose handler did not end in time."""
        self._count(retried=1)

    async def _worn_out(self, message: AsyncMessage[Any]) -> bool:
        """Bury what was delivered too often without ever being settled."""
        most = self._job.policy.max_deliveries
        if message.attempt <= most:
            return False
        reason = f"delivered {message.attempt - 1} times and never settled: its consumers died"
        if await self._settle(message, Fate.DEAD, lambda: message.reject(reason)):
            self._tell("on_dead", message, reason, None)
        return True

    def _dropped(self, message: AsyncMessage[Any], error: Exception | None) -> None:
        if error is not None:
            self._say(message, Fate.DROP, error)
            self._count(dropped=1, done=-1)  # its acknowledgement counts it as done

    async def _put_away(self, message: AsyncMessage[Any], fate: Fate, error: Exception) -> None:
        self._say(message, fate, error)
        if fate is Fate.DEAD:
            reason = f"{type(error).__name__}: {error}"
            trace = "".join(traceback.format_exception(error))
            if await self._settle(message, fate, lambda: message.reject(reason, trace)):
                self._tell("on_dead", message, reason, error)
            return
        if isinstance(error, Defer):
            pause = error.delay
            done = await self._settle(message, fate, lambda: message.defer(pause))
        else:
            pause = self._job.backoff.pause(message.attempt, random.random())
            done = await self._settle(message, fate, lambda: message.nack(pause))
        if done:
            self._tell("on_retry", message, error, pause)

    async def _settle(
        self, message: AsyncMessage[Any], fate: Fate, settle: Callable[[], Any]
    ) -> bool:
        try:
            done: bool = await settle()
        except (RedisError, OSError) as error:
            log.warning("message %s could not be settled and comes again: %s", message.id, error)
            done = False
        if not done:
            self._count(lost=1)
        elif fate is Fate.DEAD:
            self._count(dead=1)
        elif fate is Fate.DEFER:
            self._count(deferred=1)
        else:
            self._count(retried=1)
        return done

    def _acknowledged(self, message: AsyncMessage[Any], done: bool) -> None:
        if not done:
            log.warning("message %s was handled after its lease: it comes again", message.id)
        else:
            self._tell("on_ack", message)
        self._count(**{"done" if done else "lost": 1})

    def _tell(self, name: str, message: AsyncMessage[Any], *facts: Any) -> None:
        if self._hook is not None:
            self._hook(name, message.consumer.key, message, *facts)

    def _say(self, message: AsyncMessage[Any], fate: Fate, error: Exception) -> None:
        level = logging.INFO if fate in (Fate.RETRY, Fate.DEFER) else logging.ERROR
        log.log(
            level,
            "message %s of %r, attempt %d: %s after %s: %s",
            message.id,
            message.consumer.name,
            message.attempt,
            fate.value,
            type(error).__name__,
            error,
        )

    def _count(self, **more: int) -> None:
        with self._lock:
            counts = {name: getattr(self.stats, name) + count for name, count in more.items()}
            self.stats = replace(self.stats, **counts)
