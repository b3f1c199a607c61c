"""A consumer of a queue with shards.

The rule: a message belongs to the consumer of its shard; what is done to many goes to each of
these with its own.
"""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from typing import Any, Generic, TypeVar

from pyredisson._async.consumers.consumer import AsyncConsumer, require_limit
from pyredisson._async.consumers.message import AsyncMessage
from pyredisson._async.context import AsyncContext
from pyredisson._async.waits.one_of_many import PATIENCE
from pyredisson._async.waits.poll import AsyncPoll, AsyncTake
from pyredisson._runtime.concurrency import monotonic
from pyredisson._support.unpicklable import Unpicklable
from pyredisson.errors import ClosedError, NotReplicatedError
from pyredisson.protocol.kernel.cluster import Address
from pyredisson.protocol.kernel.due import Seconds, seconds
from pyredisson.server_errors import ServerError, ServerTimeoutError

V = TypeVar("V")

_SLICE = 2.0
"""Seconds after which who waits finds out that the consumer is closed, at most."""


class AsyncShardedConsumer(Unpicklable, Generic[V]):
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
        self._sweep = AsyncPoll(context.link, [each._queue._list.size() for each in consumers])
        self._sweep.has_some = self._has_some
        for each in consumers:
            each._named = consumers[0]._named  # they are one
            each._patience = PATIENCE if context.link.topology.clustered else None
            context.transfers.watch(each._protocol.names.queue, self._sweep.announce)
        context.children.add(self)

    def __repr__(self) -> str:
        state = "closed" if self._closed else "open"
        return f"<{type(self).__name__} {self._name!r} shards={len(self.consumers)} {state}>"

    @property
    def name(self) -> str:
        """The name of the queue, as the program gave it."""
        return self._name

    @property
    def consumer_name(self) -> str:
        """How this consumer is called where `in_flight` tells who has a message."""
        return self.consumers[0].consumer_name

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
            ServerError: one that does not pass; or no node answers.
        """
        require_limit(limit)
        deadline = math.inf if timeout is None else monotonic() + seconds(timeout)
        found: list[AsyncMessage[V]] = []
        try:
            await self._take_into(found, limit, deadline)
        except (ServerError, OSError, ClosedError):
            if not found:
                raise
        except BaseException:
            for each in self.consumers:
                await each._not_handed_out([one for one in found if one.consumer is each])
            raise
        return found  # the next call is told of an error

    async def _take_into(self, found: list[AsyncMessage[V]], limit: int, deadline: float) -> None:
        """Move messages of all shards that have any to a list of the caller's."""

        async def taken(number: int) -> bool | None:
            self._require_open()
            before = len(found)
            await self.consumers[number]._take_into(found, limit - before, 0.0)
            if len(found) < limit:
                self._sweep.done_with(number)
            elif self._has_some(number):  # who looked meanwhile saw neither the list nor this
                self._sweep.announce()
            return len(found) > before or None

        await self._take_prefetched(found, limit, taken)
        while not found:
            self._require_open()
            left = deadline - monotonic()
            if not await self._sweep.first(taken, min(left, _SLICE)) and left <= _SLICE:
                return
        while len(found) < limit and await self._sweep.more(taken):
            pass

    async def _take_prefetched(
        self, found: list[AsyncMessage[V]], limit: int, taken: AsyncTake[bool]
    ) -> None:
        """Take what is here; then what has to be renewed, where the node is not left alone."""
        some = [number for number in range(len(self.consumers)) if self._has_some(number)]
        for number in some:
            consumer = self.consumers[number]
            kept = consumer._prefetched
            if consumer._at_hand(kept):
                kept.hand_out(limit - len(found), found)
        for number in some:
            if len(found) < limit:
                await self._sweep.turn(taken, number)

    def _has_some(self, number: int) -> bool:
        kept = self.consumers[number]._prefetched
        return bool(kept.ready or kept.unread or kept.unanswered.due())

    def _require_open(self) -> None:
        if self._closed:
            raise ClosedError(f"this consumer of {self._name!r} is closed")
        if self._ending:
            raise ClosedError(f"nobody waits for messages of {self._name!r} any more")

    async def _end_waits(self) -> None:
        """Let who waits have a ClosedError now, unless something has come."""
        self._ending = True
        self._sweep.announce()

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

    async def release(self, messages: Sequence[AsyncMessage[V]]) -> list[bool]:
        """Put messages back whose handling was not begun: none of these deliveries counts."""
        return await self._each(messages, lambda one, some: one.release(some))

    async def _each(
        self, messages: Sequence[AsyncMessage[V]], settle: Callable[[AsyncConsumer[V], Any], Any]
    ) -> list[bool]:
        """Settle the messages of each shard together; what is not confirmed is said at the end."""
        done = [False] * len(messages)
        unconfirmed: NotReplicatedError | None = None
        by_consumer: dict[AsyncConsumer[V], list[int]] = {}
        for place, message in enumerate(messages):
            by_consumer.setdefault(message.consumer, []).append(place)

        async def settled(consumer: AsyncConsumer[V]) -> None:
            nonlocal unconfirmed
            places = by_consumer[consumer]
            try:
                held = await settle(consumer, [messages[place] for place in places])
            except NotReplicatedError as error:
                held, unconfirmed = error.results, error
            for place, ours in zip(places, held, strict=True):
                done[place] = ours

        await self._at_each(by_consumer, settled)
        if unconfirmed is not None:
            unconfirmed.results = done
            raise unconfirmed
        return done

    async def close(self) -> None:
        """Put back what was fetched and not handed out, and take nothing more.

        Another call tries again what could not be put back.

        Raises:
            ServerError: the first of a shard where it could not.
        """
        self._shut()
        self._context.children.discard(self)
        await self._at_each(self.consumers, lambda each: each.close())

    def _shut(self) -> None:
        """Take nothing more."""
        self._closed = True
        self._sweep.announce()
        for each in self.consumers:
            self._context.transfers.unwatch(each._protocol.names.queue, self._sweep.announce)
            each._shut()

    def _lane(self) -> None:
        """Return that nothing is to be waited for: its consumers are children as well."""

    def _holds(self) -> int:
        return 0

    async def _at_each(
        self,
        consumers: Iterable[AsyncConsumer[V]],
        do: Callable[[AsyncConsumer[V]], Any],
    ) -> None:
        """Do something with each consumer; then raise the first error.

        A node that has not answered in time is asked nothing more.
        """
        problem: Exception | None = None
        silent = set[Address | None]()
        for each in consumers:
            home = self._context.link.topology.home(each.key)
            if home in silent:
                continue
            try:
                await do(each)
            except (ServerError, OSError, ClosedError) as error:
                problem = problem or error
                if isinstance(error, ServerTimeoutError):
                    silent.add(home)
        if problem is not None:
            raise problem

    async def __aenter__(self) -> AsyncShardedConsumer[V]:
        """Return the consumer."""
        return self

    async def __aexit__(self, *_error: object) -> None:
        """Close it."""
        await self.close()
