"""Takes messages from several consumers by priority.

The consumers are checked in their order, and the first consumer with messages wins. If none has
messages, all of them wait at the same time. The rule: the queues of a server that does not answer
are skipped until it answers again. Meanwhile messages of the other queues are taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, cast

from pyredisson._async.consumers.consumer import NO_MEMORY, AsyncConsumer
from pyredisson._async.consumers.message import AsyncMessage
from pyredisson._async.link.link import AsyncLink
from pyredisson._async.sharded.consumer import AsyncShardedConsumer
from pyredisson._async.waits.first_wins import AsyncFirstWins, wait_for_any_async
from pyredisson._async.waits.one_of_many import NODE_TIMEOUT
from pyredisson._async.waits.poll import FIRST_PAUSE, LONGEST_PAUSE
from pyredisson._async.waits.probes import awake_async, let_rest, rests
from pyredisson._async.waits.slices import is_transient, is_waitable
from pyredisson._runtime.concurrency import AsyncEvent, monotonic, sleep_async
from pyredisson.errors import ClosedError, KeyTypeError
from pyredisson.protocol.consumers.consumer import read_taken
from pyredisson.protocol.kernel.backoff import Pauses, Rests
from pyredisson.protocol.kernel.command import Eval, Operation
from pyredisson.server_errors import LOST, OutOfMemoryError, ServerError

FAILURES = (ServerError, OSError, KeyTypeError)
"""Errors that a server can cause in a take."""
AnyConsumer = AsyncConsumer[Any] | AsyncShardedConsumer[Any]


class AsyncByPriority:
    """Takes messages for a worker.

    Args:
        link: runs operations on the servers.
        consumers: the consumers by priority; the caller may reorder the list at any time.
    """

    def __init__(self, link: AsyncLink, consumers: Sequence[AnyConsumer]) -> None:
        self._link = link
        self._consumers = consumers
        self._several = link.topology.clustered and len(consumers) > 1
        self._changed = AsyncEvent()
        self._probes = {each: _probe_of(each) for each in consumers}
        self._problems: dict[AnyConsumer, Exception] = {}
        self._rejected = Rests()
        """Consumers that a server rejected; each is skipped for a while."""
        self.reached = False
        """Whether a take has succeeded; until then the error of a rejected consumer is raised."""
        self._first_wins: AsyncFirstWins[Any] | None = None
        self._ended: ClosedError | None = None
        for each in consumers:
            if self._several and isinstance(each, AsyncConsumer):
                each._reply_timeout = NODE_TIMEOUT

    async def take(self, limit: int, timeout: float) -> list[AsyncMessage[Any]]:
        """Take up to `limit` messages of the first consumer that has any.

        Args:
            limit: the largest number of messages.
            timeout: the longest wait in seconds.

        Raises:
            ServerError, KeyTypeError: no consumer can take messages; or a server rejected a
                consumer before the first take succeeded.
            ClosedError: `end` was called.
        """
        first = self._consumers[0]
        if len(self._consumers) == 1 and isinstance(first, AsyncShardedConsumer):
            return await first.take_many(limit, timeout)  # this checks before it waits
        found = await self._check(limit)
        if found:
            return found
        if len(self._consumers) == 1:
            return await first.take_many(limit, timeout)
        awake = [each for each in self._consumers if not self._rests(each)]
        plain = [each for each in awake if isinstance(each, AsyncConsumer)]
        if plain and len(plain) == len(awake) and not self._link.rejections.now("BLMOVE"):
            return await self._first(plain, limit, timeout)
        deadline, pauses = monotonic() + timeout, Pauses(FIRST_PAUSE, LONGEST_PAUSE)
        while not found and (left := deadline - monotonic()) > 0:
            if self._ended is not None:
                raise self._ended
            await self._changed.wait(min(pauses.pause(), left))
            found = await self._check(limit)
        if not found and len(self._problems) == len(self._consumers):
            raise self._problems[first].with_traceback(None)
        return found

    async def more(
        self, found: Sequence[AsyncMessage[Any]], limit: int, timeout: float
    ) -> list[AsyncMessage[Any]]:
        """Take more from the consumer of `found`; from all shards if the only queue is sharded."""
        if len(self._consumers) == 1:
            return await self._consumers[0].take_many(limit, timeout)
        source = cast("AsyncConsumer[Any]", found[0].consumer)
        if self._several:
            return await self._first([source], limit, timeout)
        return await source.take_many(limit, timeout)

    async def end(self) -> None:
        """Make a waiting `take` raise ClosedError now, unless messages have arrived."""
        self._ended = ClosedError("the worker is stopping and no longer waits for messages")
        self._changed.set()
        if self._first_wins is not None:
            self._first_wins.end(self._ended)
        for consumer in tuple(self._consumers):
            await consumer._end_waits()

    async def _first(
        self, consumers: Sequence[AsyncConsumer[Any]], limit: int, timeout: float
    ) -> list[AsyncMessage[Any]]:
        """Wait for all consumers at the same time; return messages of the first that has any."""

        def wait_of(consumer: AsyncConsumer[Any]) -> Callable[[float], Eval[Any]]:
            def wait(seconds: float) -> Eval[Any]:
                waits: Eval[Any] = consumer._wait(limit, seconds)
                return replace(waits, decode=lambda reply: (consumer, waits.decode(reply)))

            return wait

        waits = [wait_of(consumer) for consumer in consumers]
        by_key = {each.key: each for each in consumers}

        def reply_lost(takes: tuple[Operation[Any], ...], reply: Any) -> None:
            unanswered = by_key[takes[0].key]._prefetched.unanswered
            unanswered.add(takes, read_taken(reply))

        first_wins = self._first_wins = AsyncFirstWins[Any](self._link, timeout, reply_lost)
        try:
            won = await wait_for_any_async(first_wins, [], waits)
        except OutOfMemoryError:
            await sleep_async(min(timeout, NO_MEMORY))
            won = None
        except FAILURES as error:
            if self._link.rejections.note_if_missing("BLMOVE", error):
                return []
            if first_wins.failed_key not in by_key:
                raise
            self._failed(by_key[first_wins.failed_key], error)
            won = None
        if won is None:
            return []
        winner, deliveries = won
        await winner._store(deliveries)
        kept, found = winner._prefetched, list[AsyncMessage[Any]]()
        await kept.bury()
        kept.hand_out(limit, found)
        return found

    async def _check(self, limit: int) -> list[AsyncMessage[Any]]:
        """Take messages of the first consumer that has any, without waiting.

        Skip servers that do not answer, and rejected consumers until their pause ends.
        """
        for consumer in tuple(self._consumers):
            if not await self._awake(consumer):
                continue
            try:
                found = await consumer.take_many(limit, 0)
            except FAILURES as error:
                self._failed(consumer, error)
                continue
            if self._problems.pop(consumer, None) and self._rejected.served(consumer):
                self._link.wait_served(self._probes[consumer].key)
            if found:
                return found
        return []

    async def _awake(self, consumer: AnyConsumer) -> bool:
        """Return whether to check a consumer; a sharded one skips its silent nodes itself."""
        if self._rejected and self._rejected.rests(consumer, monotonic()):
            return False
        sharded = not self._several or isinstance(consumer, AsyncShardedConsumer)
        return sharded or await awake_async(self._link, self._probes[consumer])

    def _failed(self, consumer: AnyConsumer, error: Exception) -> None:
        """Skip a consumer for a while after an error.

        Raise the error instead if it concerns all consumers. Until a take has succeeded, also
        raise it if the server rejected the consumer.
        """
        if self._several and is_transient(error, reached=self._link.reached):
            let_rest(self._link, self._probes[consumer], error)
        else:
            only_this = len(self._consumers) > 1 and (self._several or not _concerns_server(error))
            if not only_this or not self.reached:
                raise error
            self._rejected.failed(consumer, monotonic())
            key = self._probes[consumer].key
            self._link.wait_failed(key, error, alone=not is_waitable(error))
        self._problems[consumer] = error

    def _rests(self, consumer: AnyConsumer) -> bool:
        if consumer in self._rejected:
            return True
        if isinstance(consumer, AsyncShardedConsumer):
            return False
        return rests(self._link, self._link.topology.home(consumer.key))


def _probe_of(consumer: AnyConsumer) -> Operation[int]:
    """Return the operation that probes a consumer's server, or that of its first shard."""
    one = consumer.consumers[0] if isinstance(consumer, AsyncShardedConsumer) else consumer
    return one._queue._list.size()


def _concerns_server(error: Exception) -> bool:
    """Return whether an error concerns all keys of a server."""
    return is_waitable(error) or isinstance(error, LOST)


def all_of(consumers: Iterable[AnyConsumer]) -> list[AsyncConsumer[Any]]:
    """Return `consumers`; the consumers of its shards replace a sharded consumer."""
    return [
        one
        for each in consumers
        for one in (each.consumers if isinstance(each, AsyncShardedConsumer) else (each,))
    ]


def keys_of(consumers: Iterable[AnyConsumer]) -> str:
    """Return the names of all queues in Redis, separated by commas, for the log."""
    return ", ".join(each.key for each in all_of(consumers))
