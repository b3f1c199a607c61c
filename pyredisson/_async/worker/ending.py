"""The end of a worker: it releases its messages, with one task for each server.

The rule: a message that cannot be released is redelivered after its lease has ended.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from pyredisson._async.consumers.by_priority import AnyConsumer
from pyredisson._async.consumers.consumer import AsyncConsumer
from pyredisson._async.consumers.message import AsyncMessage, AsyncMessageOwner, by_consumer
from pyredisson._async.link.link import AsyncLink
from pyredisson._async.sharded.consumer import AsyncShardedConsumer
from pyredisson._async.worker.per_server import AsyncPerServer
from pyredisson._async.worker.tracker import AsyncDeliveryTracker
from pyredisson.errors import ClosedError, TimeLimitError
from pyredisson.protocol.kernel.log_fields import about
from pyredisson.protocol.worker.outcome import Fate
from pyredisson.server_errors import ServerError
from pyredisson.stats import WorkerStats

log = logging.getLogger("pyredisson")


class AsyncEnding:
    """Releases the messages of one worker.

    Args:
        link: finds the server of each message.
        tracker: counts the outcomes of messages whose handling has started.
    """

    def __init__(self, link: AsyncLink, tracker: AsyncDeliveryTracker) -> None:
        self._link = link
        self._tracker = tracker
        self._beside = AsyncPerServer(link.life, "pyredisson ending")
        self.failed = False
        """Whether any message could not be released."""

    def release(self, messages: Iterable[AsyncMessage[Any]]) -> None:
        """Release messages whose handling has not started."""
        for consumer, some in by_consumer(messages).items():
            self._put(consumer, partial(consumer.release, some))

    def give_up(self, unfinished: Sequence[AsyncMessage[Any]], seconds: float) -> None:
        """Requeue messages whose handlers still run after `seconds`; the deliveries count."""
        for message in reversed(unfinished):  # so that the first one becomes the head of its queue
            log.error(
                "message %s of %r is released: its handler did not end within %g s",
                message.id,
                message.consumer.name,
                seconds,
                extra=about(message.consumer.key, message),
            )
            self._put(message.consumer, partial(self._given_up, message, seconds))

    def close(self, consumers: Iterable[AnyConsumer]) -> None:
        """Close consumers."""
        for consumer in consumers:
            if isinstance(consumer, AsyncShardedConsumer):
                for shard in consumer.consumers:
                    self._put(shard, partial(_closed_async, shard, consumer))
            else:
                self._put(consumer, consumer.close)

    async def stop(self, seconds: float) -> None:
        """Wait up to `seconds` until all messages are released and all consumers are closed."""
        await self._beside.stop(seconds)

    async def _given_up(self, message: AsyncMessage[Any], seconds: float) -> None:
        settled = message.settled
        if not settled:
            await message.nack()
        fate = Fate.DONE if settled and message._became else message._became
        if not self._tracker.close(message, fate):
            return
        if settled:
            self._tracker.emit_settled(message)
        elif fate is Fate.RETRY:
            error = TimeLimitError(f"the handler did not end within {seconds:g} s of a stop")
            self._tracker.emit("on_retry", message, error, 0.0)

    def _put(self, consumer: AsyncMessageOwner, requeue: Callable[[], Any]) -> None:
        home = self._link.topology.home(consumer.key)
        self._beside.put(home, partial(self._logged, consumer.key, requeue))

    async def _logged(self, queue: str, requeue: Callable[[], Any]) -> None:
        try:
            await requeue()
        except (ServerError, OSError, ClosedError) as error:
            self.failed = True
            log.warning(
                "messages cannot be released now, and will be redelivered: %s",
                error,
                extra=about(queue),
            )


async def _closed_async(shard: AsyncConsumer[Any], sharded: AsyncShardedConsumer[Any]) -> None:
    """Close the consumer of a shard; after the last one, close the sharded consumer."""
    try:
        await shard.close()
    finally:
        if all(each._closed for each in sharded.consumers):
            await sharded.close()


def log_start(queues: str, count: int) -> None:
    """Log that a worker starts."""
    extra = about(queues)
    log.info("the worker of %s starts, for up to %d at a time", queues, count, extra=extra)


def log_stop(queues: str, count: int) -> None:
    """Log that a worker has stopped taking messages."""
    extra = about(queues)
    log.info("the worker of %s stops; %d messages are being handled", queues, count, extra=extra)


def log_stopped(queues: str, stats: WorkerStats) -> None:
    """Log that a worker has ended."""
    log.info("the worker of %s has stopped: %r", queues, stats, extra=about(queues))
