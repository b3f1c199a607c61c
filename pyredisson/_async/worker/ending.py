"""The end of a worker: what it has in hand goes back, for each server by itself.

The rule: whatever cannot be given back now comes again when its lease ends.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from pyredisson._async.consumers.by_priority import AnyConsumer
from pyredisson._async.consumers.consumer import AsyncConsumer
from pyredisson._async.consumers.message import AsyncMessage
from pyredisson._async.link.link import AsyncLink
from pyredisson._async.sharded.consumer import AsyncShardedConsumer
from pyredisson._async.worker.accounts import AsyncAccounts
from pyredisson._async.worker.beside import AsyncBeside
from pyredisson.errors import ClosedError, TimeLimitError
from pyredisson.protocol.kernel.log_fields import about
from pyredisson.protocol.worker.outcome import Fate
from pyredisson.server_errors import ServerError
from pyredisson.stats import WorkerStats

log = logging.getLogger("pyredisson")


class AsyncEnding:
    """Gives back what one worker has in hand.

    Args:
        link: knows which server has which.
        accounts: note what became of what was begun.
    """

    def __init__(self, link: AsyncLink, accounts: AsyncAccounts) -> None:
        self._link = link
        self._accounts = accounts
        self._beside = AsyncBeside(link.life, "pyredisson ending")
        self.failed = False
        """Whether anything could not be given back."""

    def release(self, messages: Iterable[AsyncMessage[Any]]) -> None:
        """Give back what was not begun."""
        by_consumer: dict[AsyncConsumer[Any], list[AsyncMessage[Any]]] = {}
        for message in messages:
            by_consumer.setdefault(message.consumer, []).append(message)
        for consumer, some in by_consumer.items():
            self._put(consumer, partial(consumer.release, some))

    def give_up(self, unfinished: Sequence[AsyncMessage[Any]], seconds: float) -> None:
        """Give back what is being handled yet, after so many seconds."""
        for message in reversed(unfinished):  # the first one is the head again
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
        """Wait until all of it is done, but not longer than that."""
        await self._beside.stop(seconds)

    async def _given_up(self, message: AsyncMessage[Any], seconds: float) -> None:
        settled = message.settled
        if not settled:
            await message.nack()
        fate = Fate.DONE if settled and message._became else message._became
        if self._accounts.close(message, fate) and fate is Fate.RETRY:
            error = TimeLimitError(f"the handler did not end within {seconds:g} s of a stop")
            self._accounts.emit("on_retry", message, error, 0.0)

    def _put(self, consumer: AsyncConsumer[Any], put_back: Callable[[], Any]) -> None:
        home = self._link.topology.home(consumer.key)
        self._beside.put(home, partial(self._logged, consumer.key, put_back))

    async def _logged(self, queue: str, put_back: Callable[[], Any]) -> None:
        try:
            await put_back()
        except (ServerError, OSError, ClosedError) as error:
            self.failed = True
            log.warning(
                "messages cannot be released now, and will be redelivered: %s",
                error,
                extra=about(queue),
            )


async def _closed_async(shard: AsyncConsumer[Any], whole: AsyncShardedConsumer[Any]) -> None:
    """Close the consumer of a shard, and the one of all when it was the last."""
    try:
        await shard.close()
    finally:
        if all(each._closed for each in whole.consumers):
            await whole.close()


def say_begins(queues: str, count: int) -> None:
    """Say that a worker begins."""
    extra = about(queues)
    log.info("the worker of %s starts, for up to %d at a time", queues, count, extra=extra)


def say_stops(queues: str, count: int) -> None:
    """Say that a worker takes nothing more."""
    extra = about(queues)
    log.info("the worker of %s stops; %d messages are being handled", queues, count, extra=extra)


def say_stopped(queues: str, stats: WorkerStats) -> None:
    """Say that a worker has ended."""
    log.info("the worker of %s has stopped: %r", queues, stats, extra=about(queues))
