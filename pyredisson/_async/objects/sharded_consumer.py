"""A consumer of a queue with shards.

The rule: a message belongs to the consumer of its shard; what is done to many goes to each of
these with its own.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, Generic, TypeVar

from redis.exceptions import RedisError

from pyredisson._async.context import AsyncContext
from pyredisson._async.link.sweep import AsyncSweep, AsyncTake
from pyredisson._async.objects.consumer import AsyncConsumer
from pyredisson._async.objects.message import AsyncMessage
from pyredisson._compat import AsyncEvent
from pyredisson.errors import ClosedError, NotReplicatedError
from pyredisson.protocol.due import Seconds, seconds
from pyredisson.protocol.objects.queue import whole

V = TypeVar("V")

_SLICE = 2.0
"""Seconds after which who waits finds out that the consumer is closed, at most."""


class AsyncShardedConsumer(Generic[V]):
    """Takes messages of all shards, each with a lease; for any number of tasks.

    `consumers` are those of the shards, to whom the messages belong.
    """

    def __init__(
        self, context: AsyncContext, name: str, consumers: Sequence[AsyncConsumer[V]]
    ) -> None:
        self._context = context
        self._name = name
        self.consumers = tuple(consumers)
        self._closed = False
        self._ending = False
        self._sweep = AsyncSweep(context.link, [each._queue._list.size() for each in consumers])
        for each in consumers:
            context.transfers.watch(each._protocol.names.queue, self._sweep.news.set)

    def __repr__(self) -> str:
        state = "closed" if self._closed else "open"
        return f"<{type(self).__name__} {self._name!r} shards={len(self.consumers)} {state}>"

    @property
    def name(self) -> str:
        """The name of the queue, as the program gave it."""
        return self._name

    @property
    def news(self) -> AsyncEvent:
        """Set when something may have arrived."""
        return self._sweep.news

    # -------------------------------------------------------------- taking

    async def take(self) -> AsyncMessage[V]:
        """Take a message of any shard, waiting for it as long as it takes."""
        return (await self.take_many(1))[0]

    async def poll(self, timeout: Seconds = 0) -> AsyncMessage[V] | None:
        """Take a message of any shard, waiting so long for it; None when there is none by then."""
        found = await self.take_many(1, timeout)
        return found[0] if found else None

    async def take_many(self, limit: int, timeout: Seconds | None = None) -> list[AsyncMessage[V]]:
        """Take up to `limit` messages, of all shards that have any, waiting for the first.

        Args:
            limit: from 1 to 1000.
            timeout: wait at most so long; 0 does not wait, None waits for ever.

        Raises:
            ClosedError: the consumer is closed.
        """
        left, found = None if timeout is None else seconds(timeout), list[AsyncMessage[V]]()

        async def taken(number: int) -> list[AsyncMessage[V]] | None:
            if self._ending:
                raise ClosedError(f"nobody waits for messages of {self._name!r} any more")
            missing = limit - len(found)
            some = await self.consumers[number].take_many(missing, 0)
            if len(some) < missing:
                self._sweep.done_with(number)
            return some or None

        whole(limit)
        for number, consumer in enumerate(self.consumers):
            if consumer._fetched and len(found) < limit:
                found += await taken(number) or ()
        while not self._closed:
            part = _SLICE if left is None else min(left, _SLICE)
            if not found:
                found += await self._sweep.first(taken, part) or ()
            if found:
                await self._filled(found, limit, taken)
                return found
            if left is not None:
                left -= part
                if left <= 0:
                    return []
        raise ClosedError(f"this consumer of {self._name!r} is closed")

    async def _filled(
        self, found: list[AsyncMessage[V]], limit: int, taken: AsyncTake[list[AsyncMessage[V]]]
    ) -> None:
        """Take of the other shards, too; whatever comes between, what is here stays here."""
        try:
            while len(found) < limit and (more := await self._sweep.more(taken)):
                found += more
        except (RedisError, OSError, ClosedError):
            pass  # the next call is told
        except BaseException:
            for message in reversed(found):
                message.consumer._fetched.appendleft((message, 0.0))
            raise

    async def _end_waits(self) -> None:
        """Let who waits have a ClosedError now, unless something has come."""
        self._ending = True
        self._sweep.news.set()

    async def __aiter__(self) -> AsyncIterator[AsyncMessage[V]]:
        """Take one message after the other, until the consumer is closed."""
        while not self._closed:
            yield await self.take()

    # -------------------------------------------------------------- settling

    async def ack_many(self, messages: Sequence[AsyncMessage[V]]) -> list[bool]:
        """Be done with messages; of each, whether its lease had not ended."""
        return await self._each(messages, lambda one, some: one.ack_many(some))

    async def extend_many(self, messages: Sequence[AsyncMessage[V]], lease: Seconds) -> list[bool]:
        """Extend leases; of each, whether it had not ended."""
        return await self._each(messages, lambda one, some: one.extend_many(some, lease))

    async def give_back(self, messages: Sequence[AsyncMessage[V]]) -> list[bool]:
        """Put messages back whose handling was not begun: none of these deliveries counts."""
        return await self._each(messages, lambda one, some: one.give_back(some))

    async def _each(
        self, messages: Sequence[AsyncMessage[V]], settle: Callable[[AsyncConsumer[V], Any], Any]
    ) -> list[bool]:
        """Settle the messages of each shard together; what is not confirmed is said at the end."""
        done = [False] * len(messages)
        unconfirmed: NotReplicatedError | None = None
        by_consumer: dict[AsyncConsumer[V], list[int]] = {}
        for place, message in enumerate(messages):
            by_consumer.setdefault(message.consumer, []).append(place)
        for consumer, places in by_consumer.items():
            try:
                held = await settle(consumer, [messages[place] for place in places])
            except NotReplicatedError as error:
                held, unconfirmed = error.done, error
            for place, ours in zip(places, held, strict=True):
                done[place] = ours
        if unconfirmed is not None:
            unconfirmed.done = done
            raise unconfirmed
        return done

    async def close(self) -> None:
        """Put back what was fetched and not handed out, and take nothing more."""
        self._closed = True
        self._sweep.news.set()
        for each in self.consumers:
            self._context.transfers.unwatch(each._protocol.names.queue, self._sweep.news.set)
            await each.close()

    async def __aenter__(self) -> AsyncShardedConsumer[V]:
        """Return the consumer."""
        return self

    async def __aexit__(self, *_error: object) -> None:
        """Close it."""
        await self.close()
