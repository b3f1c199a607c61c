"""Acknowledgements: those of one moment travel in one step, and an outage delays them.

The rule: a handler that is done waits for none of this, and the next message does not either.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from typing import Any

from redis.exceptions import RedisError

from pyredisson._async.objects.consumer import MOST, AsyncConsumer
from pyredisson._async.objects.message import AsyncMessage
from pyredisson._compat import AsyncEvent, monotonic
from pyredisson.errors import NotReplicatedError
from pyredisson.protocol.backoff import Backoff

log = logging.getLogger("pyredisson")

_LONG = 600.0


class AsyncAcks:
    """Acknowledges messages of one worker.

    Args:
        acknowledged: is told of each message whether its lease had not ended.
        lease: seconds; after so long a message that could not be acknowledged comes again.
    """

    def __init__(
        self, acknowledged: Callable[[AsyncMessage[Any], bool], None], lease: float
    ) -> None:
        self._acknowledged = acknowledged
        self._lease = lease
        self._waiting: deque[tuple[AsyncMessage[Any], float]] = deque()
        self._closed = False
        self._wakeup = AsyncEvent()

    def put(self, message: AsyncMessage[Any]) -> None:
        """Acknowledge a message soon."""
        self._waiting.append((message, monotonic() + self._lease))
        self._wakeup.set()

    def close(self) -> None:
        """End `run` when nothing waits."""
        self._closed = True
        self._wakeup.set()

    async def run(self) -> None:
        """Acknowledge until it is closed."""
        backoff, said = Backoff(), False
        while self._waiting or not self._closed:
            if not self._waiting:
                await self._wakeup.wait(_LONG)
                continue
            batch = [self._waiting.popleft() for _ in range(min(len(self._waiting), MOST))]
            try:
                await self._settle(batch)
            except (RedisError, OSError) as error:
                log.log(
                    logging.DEBUG if said else logging.WARNING, "acknowledgements wait: %s", error
                )
                said = True
                late = [message for message, until in batch if until <= monotonic()]
                for message in late:
                    self._acknowledged(message, False)
                self._waiting.extendleft(each for each in reversed(batch) if each[0] not in late)
                await self._wakeup.wait(backoff.pause())
            else:
                backoff.reset()
                said = False

    async def _settle(self, batch: list[tuple[AsyncMessage[Any], float]]) -> None:
        by_consumer: dict[AsyncConsumer[Any], list[AsyncMessage[Any]]] = {}
        for message, _ in batch:
            if not message.settled:
                by_consumer.setdefault(message.consumer, []).append(message)
        for consumer, messages in by_consumer.items():
            try:
                settled = await consumer.ack_many(messages)
            except NotReplicatedError as error:
                log.warning("not replicated: %s", error)
                settled = error.done
            for message, done in zip(messages, settled, strict=True):
                self._acknowledged(message, done)
