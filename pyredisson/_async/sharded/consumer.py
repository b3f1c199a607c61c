"""A consumer of a queue with shards.

The rule: a message belongs to the consumer of its shard. A call with many messages is split: each
of these consumers gets only the messages that belong to it.
"""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from typing import Any, Generic, TypeVar

from pyredisson._async.consumers.consumer import AsyncConsumer, require_limit
from pyredisson._async.consumers.message import AsyncMessage, AsyncMessageOwner
from pyredisson._async.context import AsyncContext
from pyredisson._async.waits.one_of_many import NODE_TIMEOUT
from pyredisson._async.waits.poll import AsyncPoll, AsyncTake
from pyredisson._runtime.concurrency import monotonic
from pyredisson._support.unpicklable import Unpicklable
from pyredisson.errors import ClosedError, NotReplicatedError
from pyredisson.protocol.kernel.cluster import Address
from pyredisson.protocol.kernel.due import Seconds, seconds
from pyredisson.server_errors import ReplyError, ServerError, ServerTimeoutError

C = TypeVar("C", bound=AsyncMessageOwner)
V = TypeVar("V")


class AsyncShardedConsumer(Unpicklable, Generic[V]):
    """Takes messages of all shards, each with a lease. Any number of tasks may share the consumer.

    `consumers` has the consumer of each shard. Messages belong to these consumers.
    """

    def __init__(
        self, context: AsyncContext, name: str, consumers: Sequence[AsyncConsumer[V]]
    ) -> None:
        self._context = context
        self._name = name
        self.consumers = tuple(consumers)
        self._closed = False
        self._ending = False
        self._poll = AsyncPoll(context.link, [each._queue._list.size() for each in consumers])
        self._poll.has_some, self._poll.require_open = self._has_some, self._require_open
        for each in consumers:
            each._make_name = consumers[0]._make_name  # all have the first one's name
            each._reply_timeout = NODE_TIMEOUT if context.link.topology.clustered else None
            context.transfers.watch(each._protocol.names.queue, self._poll.announce)
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
        """The name of this consumer in the results of `in_flight`."""
        return self.consumers[0].consumer_name

    # -------------------------------------------------------------- taking

    async def take(self) -> AsyncMessage[V]:
        """Take a message of any shard; wait without a limit. Raises the errors of `take_many`."""
        return (await self.take_many(1))[0]

    async def poll(self, timeout: Seconds = 0) -> AsyncMessage[V] | None:
        """Take a message as `take_many` does; return None if none arrives in `timeout`."""
        found = await self.take_many(1, timeout)
        return found[0] if found else None

    async def take_many(self, limit: int, timeout: Seconds | None = None) -> list[AsyncMessage[V]]:
        """Take up to `limit` messages of all shards; wait only for the first.

        If a ServerError or ClosedError follows the first message, the call returns the messages
        that it has taken.

        Args:
            limit: from 1 to 1000.
            timeout: the longest wait, in seconds or as a timedelta; 0 does not wait, None waits
                without a limit.

        Raises:
            ClosedError: the consumer was closed, before or during the wait.
            KeyTypeError: the key of a shard holds another type.
            ServerError: a node rejected the call, or the first contact failed. Or, at the end of
                `timeout`, no node answers, or no node accepts writes.
        """
        require_limit(limit)
        deadline = math.inf if timeout is None else monotonic() + seconds(timeout)
        found: list[AsyncMessage[V]] = []
        try:
            await self._take_into(found, limit, deadline)
        except (ServerError, OSError, ClosedError) as error:
            if not found:
                if isinstance(error, ReplyError):
                    for each in self.consumers:
                        await each._explain(error)
                raise
        except BaseException:
            for each in self.consumers:
                await each._not_handed_out([one for one in found if one.consumer is each])
            raise
        return found  # if the failure lasts, the next call raises the error

    async def _take_into(self, found: list[AsyncMessage[V]], limit: int, deadline: float) -> None:
        """Append messages of all shards to the caller's list `found`."""

        async def taken(number: int) -> bool | None:
            self._require_open()
            before = len(found)
            await self.consumers[number]._take_into(found, limit - before, 0.0)
            if len(found) < limit:
                self._poll.done_with(number)
            elif self._has_some(number):  # a task that checked meanwhile did not see these messages
                self._poll.announce()
            return len(found) > before or None

        await self._take_prefetched(found, limit, taken)
        if not found and not await self._poll.first(taken, deadline - monotonic()):
            return
        while len(found) < limit and await self._poll.more(taken):
            pass

    async def _take_prefetched(
        self, found: list[AsyncMessage[V]], limit: int, taken: AsyncTake[bool]
    ) -> None:
        """Take prefetched messages without a request; then take from the same shards.

        The second step renews leases, and fetches messages up to `limit`. It omits shards whose
        nodes are skipped.
        """
        some = [number for number in range(len(self.consumers)) if self._has_some(number)]
        for number in some:
            consumer = self.consumers[number]
            kept = consumer._prefetched
            if consumer._at_hand(kept):
                kept.hand_out(limit - len(found), found)
        for number in some:
            if len(found) < limit:
                await self._poll.turn(taken, number)

    def _has_some(self, number: int) -> bool:
        kept = self.consumers[number]._prefetched
        return bool(kept.ready or kept.unread or kept.unanswered.due())

    def _require_open(self) -> None:
        if self._closed:
            raise ClosedError(f"this consumer of {self._name!r} is closed")
        if self._ending:
            raise ClosedError(f"this consumer of {self._name!r} no longer waits for messages")

    async def _end_waits(self) -> None:
        """Make waiting calls raise ClosedError now, unless messages have arrived."""
        self._ending = True
        self._poll.announce()

    async def __aiter__(self) -> AsyncIterator[AsyncMessage[V]]:
        """Iterate over messages. A close ends the loop; if the loop waits, it gets ClosedError."""
        while not self._closed:
            yield await self.take()

    # -------------------------------------------------------------- settling

    async def ack_many(self, messages: Sequence[AsyncMessage[V]]) -> list[bool]:
        """Acknowledge messages; the results and errors are those of `Consumer.ack_many`."""
        return await self._each(messages, lambda one, some: one.ack_many(some))

    async def extend_many(self, messages: Sequence[AsyncMessage[V]], lease: Seconds) -> list[bool]:
        """Extend leases; the results and errors are those of `Consumer.extend_many`."""
        return await self._each(messages, lambda one, some: one.extend_many(some, lease))

    async def release(self, messages: Sequence[AsyncMessage[V]]) -> list[bool]:
        """Release messages; the results and errors are those of `Consumer.release`."""
        return await self._each(messages, lambda one, some: one.release(some))

    async def _each(
        self, messages: Sequence[AsyncMessage[V]], settle: Callable[[AsyncMessageOwner, Any], Any]
    ) -> list[bool]:
        """Settle the messages of each shard in one call; raise an error only after all shards.

        NotReplicatedError is raised only if no shard raised another error.
        """
        done = [False] * len(messages)
        unconfirmed: NotReplicatedError | None = None
        by_consumer: dict[AsyncMessageOwner, list[int]] = {}
        for place, message in enumerate(messages):
            by_consumer.setdefault(message.consumer, []).append(place)

        async def settled(consumer: AsyncMessageOwner) -> None:
            nonlocal unconfirmed
            places = by_consumer[consumer]
            try:
                held = await settle(consumer, [messages[place] for place in places])
            except NotReplicatedError as error:
                held, unconfirmed = error.results, error
            for place, valid in zip(places, held, strict=True):
                done[place] = valid

        await self._at_each(by_consumer, settled)
        if unconfirmed is not None:
            unconfirmed.results = done
            raise unconfirmed
        return done

    async def close(self) -> None:
        """Release messages that were not handed out, and take nothing more.

        Raises:
            ServerError: the first error; some messages were not released. Another call tries again.
                Without another call, these messages are redelivered after their leases end.
        """
        self._stop_taking()
        self._context.children.discard(self)
        await self._at_each(self.consumers, lambda each: each.close())

    def _stop_taking(self) -> None:
        """Stop taking messages."""
        self._closed = True
        self._poll.announce()
        for each in self.consumers:
            self._context.transfers.unwatch(each._protocol.names.queue, self._poll.announce)
            each._stop_taking()

    def _place(self) -> None:
        """Return None: the client closes the consumers of the shards itself."""

    def _held_count(self) -> int:
        return 0

    async def _at_each(
        self,
        consumers: Iterable[C],
        do: Callable[[C], Any],
    ) -> None:
        """Call `do` for each consumer; then raise the first error.

        If a node has not answered in time, its other consumers are skipped.
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
        """Close the consumer."""
        await self.close()
