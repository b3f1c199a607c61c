"""Consumers that acknowledge: who dies with a message in his hands loses nothing.

A message is a consumer's for the time of its lease, by the server's clock. What is not settled
by then goes back to the head of the queue, as its plain bytes, put there by whichever client looks
next.  The rule: what a consumer hands out has its whole lease before it, also when it was fetched
ahead.
"""

from __future__ import annotations

import logging
import math
from collections.abc import AsyncIterator, Callable, Hashable, Iterable, Sequence
from functools import partial
from typing import Any, TypeVar

from pyredisson._async.consumers.message import AsyncMessage
from pyredisson._async.consumers.prefetched import MOST, AsyncPrefetched
from pyredisson._async.consumers.settlement import AsyncSettler, milliseconds
from pyredisson._async.context import AsyncContext
from pyredisson._async.link.in_flight_request import AsyncInFlightRequest
from pyredisson._async.queues.queue import AsyncQueue
from pyredisson._async.waits.one_of_many import within_async
from pyredisson._async.waits.slices import SLICE, wait_for_async, waits_out
from pyredisson._runtime.concurrency import monotonic, process, sleep_async
from pyredisson._runtime.interrupts import AsyncInterrupts, finish_async
from pyredisson._transport.naming import consumer_namer
from pyredisson.errors import ClosedError
from pyredisson.protocol.consumers.consumer import EXPIRING, PAUSED, ConsumerProtocol
from pyredisson.protocol.consumers.delivery import Deliveries, Delivery, emit_expired
from pyredisson.protocol.consumers.options import ConsumerOptions
from pyredisson.protocol.kernel.backoff import Backoff
from pyredisson.protocol.kernel.capabilities import LOOKS
from pyredisson.protocol.kernel.command import Eval
from pyredisson.protocol.kernel.due import Seconds, seconds
from pyredisson.protocol.kernel.durable import require_durable
from pyredisson.protocol.kernel.log_fields import about
from pyredisson.protocol.kernel.names import ConsumerNames
from pyredisson.protocol.kernel.replies import reading
from pyredisson.protocol.queues.queue import whole
from pyredisson.server_errors import OutOfMemoryError, ReplyError, ServerError

__all__ = ["MOST", "NO_MEMORY", "AsyncConsumer", "require_limit"]

V = TypeVar("V")
log = logging.getLogger("pyredisson")

NO_MEMORY = 0.2
"""Seconds between looks while the server has no memory: a wait needs some, what takes does not."""

_AHEAD, _AT_ONCE = 5.0, 0.05
"""Seconds that a message may wait here, fetched ahead or not, before its lease is renewed."""


class AsyncConsumer(AsyncSettler[V]):
    """Takes messages of one queue, each with a lease; for any number of tasks.

    Java's consumers may share the queue. They see neither leases nor leased messages.
    """

    _kind = "a queue"

    def __init__(
        self, context: AsyncContext, queue: AsyncQueue[V], options: ConsumerOptions
    ) -> None:
        self._queue = queue
        self._named = consumer_namer(options.consumer_name)
        self._durable = require_durable(options.durable)
        self._lease_ms = milliseconds(options.lease)
        self._prefetch = whole(options.prefetch)
        if not 1 <= self._prefetch <= MOST:
            raise ValueError(f"prefetch must be from 1 to {MOST}, not {options.prefetch!r}")
        self._ahead = min(self._lease_ms / 2000, _AHEAD if self._prefetch > 1 else _AT_ONCE)
        self._granted_ms = self._lease_ms + math.ceil(self._ahead * 1000)
        self._wire_format = options.wire_format
        self._kept = AsyncPrefetched(self)
        self._emit = context.tell
        self._closed = self._ending = self._expiring = False
        self._seen = (0, 0.0)
        self._paused: bool | None = None
        super().__init__(context, queue.name)
        self._transfers = options.transfer
        if options.transfer:
            context.transfers.acquire(self._protocol.names.queue)
        context.children.add(self)

    def _keys_of(self, name: str) -> dict[str, str]:
        return {name: "list"}

    def _one_slot(self, name: str) -> Iterable[str]:
        names = ConsumerNames.of(name)
        return (*names.queue.keys(), *names.types())

    def _bind(self, name: str) -> None:
        super()._bind(name)
        names, due_times = ConsumerNames.of(self._redis_name), self._context.due_times
        self._protocol = ConsumerProtocol(names, due_times=due_times)

    def __repr__(self) -> str:
        state = "closed" if self._closed else f"lease={self._lease_ms / 1000:g}"
        return f"<{type(self).__name__} {self._main_key!r} codec={self._queue.codec!r} {state}>"

    # -------------------------------------------------------------- taking

    async def take(self) -> AsyncMessage[V]:
        """Take the next message; wait for it without a limit."""
        return (await self.take_many(1))[0]

    async def poll(self, timeout: Seconds = 0) -> AsyncMessage[V] | None:
        """Take the next message, waiting at most `timeout` seconds; None without one by then."""
        found = await self.take_many(1, timeout)
        return found[0] if found else None

    async def take_many(self, limit: int, timeout: Seconds | None = None) -> list[AsyncMessage[V]]:
        """Take up to `limit` messages; wait for the first of them only.

        A value that the codec cannot decode becomes a dead letter, and the call goes on.

        Args:
            limit: from 1 to 1000.
            timeout: the longest wait, in seconds or as a timedelta; 0 does not wait, None waits
                without a limit.

        Raises:
            ClosedError: the consumer is closed.
            ServerError: one that does not pass, or not before the timeout.
        """
        require_limit(limit)
        deadline = math.inf if timeout is None else monotonic() + seconds(timeout)
        found: list[AsyncMessage[V]] = []
        kept = self._prefetched
        try:
            if len(kept.ready) >= limit and self._at_hand(kept):
                kept.hand_out(limit, found)
            if not found:
                await self._take_into(found, limit, deadline)
        except BaseException:
            await self._not_handed_out(found)
            raise
        return found

    async def _not_handed_out(self, found: Sequence[AsyncMessage[V]]) -> None:
        """Keep what a caller does not get because something has ended its call."""
        for message in reversed(found):
            self._prefetched.put_back(message)
        if self._closed:
            await finish_async(self._prefetched.release_late())

    async def _take_into(self, found: list[AsyncMessage[V]], limit: int, deadline: float) -> None:
        """Move up to `limit` messages to a list of the caller's, waiting for the first."""
        pauses: Backoff | None = None
        while not self._closed:
            try:
                moved = await self._fill(limit, deadline)
                moved = await self._expire(limit) or moved
            except (ServerError, OSError) as error:
                pauses = pauses or Backoff(longest=1.0)
                await self._wait_out(error, pauses, deadline)
                continue
            if pauses is not None:
                pauses = None
                self._link.wait_served(self._main_key)
            if self._closed:
                break
            self._prefetched.hand_out(limit, found)
            if found or (not moved and monotonic() >= deadline):
                return
        raise self._over()

    def _at_hand(self, kept: AsyncPrefetched[V]) -> bool:
        """Tell whether what is ready can be handed out as it is."""
        return not (self._closed or self._expiring or kept.stale(monotonic()))

    async def _expire(self, limit: int) -> bool:
        """Let go of what has expired by the server's clock; was there any?"""
        kept = self._prefetched
        if not self._expiring or not kept.expires(limit, math.inf):
            return False
        clock = await self._link.clock(self._main_key)
        return await kept.expire(limit, clock.latest_ms(monotonic()))

    async def _wait_out(self, error: Exception, pauses: Backoff, deadline: float) -> None:
        """Pause after an error that passes; raise another one, or any when the time is over."""
        left = deadline - monotonic()
        if left <= 0 or not waits_out(error) or not self._link.reached:
            raise error
        self._link.wait_failed(self._main_key, error)
        await self._link.life.pause(min(pauses.pause(), left))

    async def _fill(self, limit: int, deadline: float) -> bool:
        """Have `limit` messages that are whole here, or one by the deadline, if there are any.

        Returns:
            whether any were taken, which may all be dead now.
        """
        kept, now = self._prefetched, monotonic()
        if kept.unread:
            await kept.read()
        if kept.stale(now):
            await kept.renew(now + self._ahead)
        missing = limit - len(kept.ready)
        if missing <= 0 or self._closed:
            return False
        if missing == limit:
            return await self._fetch(missing, min(max(deadline - monotonic(), 0.0), SLICE))
        try:
            return await self._fetch(missing, 0.0)
        except (ServerError, OSError, ClosedError):
            return False  # what is here is handed out; the next call is told

    async def __aiter__(self) -> AsyncIterator[AsyncMessage[V]]:
        """Take one message after the other, until the consumer is closed."""
        while not self._closed:
            yield await self.take()

    async def _fetch(self, limit: int, timeout: float) -> bool:
        """Fetch messages, waiting so long for the first; whether there were any."""
        await self._ready()
        kept, transit, taken = self._prefetched, AsyncInFlightRequest(), None
        if kept.unanswered.due():
            await kept.unanswered.recall(self)
        kept.under_way.add(transit)
        try:
            async with AsyncInterrupts():  # what comes is here before an interruption is heard
                taken = await self._arrived(max(limit, self._prefetch), timeout, transit)
                if taken is not None:
                    await self._keep(taken)
        except OutOfMemoryError:
            await sleep_async(min(timeout, NO_MEMORY))  # the script behind the wait has looked
            return False
        except ReplyError as error:
            await self._explain(error)
            raise
        finally:
            if transit.unanswered:
                kept.unanswered.add(transit.unanswered, taken)
            kept.under_way.discard(transit)
        await kept.bury()
        return bool(taken)

    async def _arrived(
        self, count: int, timeout: float, transit: AsyncInFlightRequest
    ) -> Sequence[Delivery] | None:
        """Look once, or wait for so long; the first time nothing is moved by a wait."""
        if timeout > 0 and self._paused is not None:
            taken = await _waited(self, count, timeout, transit)
        else:
            taken = await self._looked(count, transit)
        if taken is EXPIRING:
            await self._keep(taken)
            taken = await self._looked(count, transit)
        return taken

    async def _looked(self, count: int, transit: AsyncInFlightRequest) -> Sequence[Delivery]:
        if self._patience is None:
            return (await self._link.arrival(self._look(count), transit))[1]
        return await within_async(self._link, self._look(count), self._patience, transit)

    def _look(self, count: int) -> Eval[Sequence[Delivery]]:
        lease_ms, expiring = self._granted_ms, self._expiring
        base, called = self._prefetched.base(), self._prefetched.called(lease_ms)
        return self._protocol.take(count, lease_ms, base, expiring=expiring, called=called)

    def _wait(self, count: int, seconds: float) -> Eval[Sequence[Delivery] | None]:
        if self._closed or self._ending:
            raise self._over()
        lease_ms, paused, expiring = self._granted_ms, bool(self._paused), self._expiring
        base, called = self._prefetched.base(), self._prefetched.called(lease_ms, seconds)
        return self._protocol.wait(
            count, lease_ms, base, seconds, paused=paused, expiring=expiring, called=called
        )

    # -------------------------------------------------------------- what waits here

    @property
    def _prefetched(self) -> AsyncPrefetched[V]:
        """What was taken and not handed out; in a forked child nothing of its parent's."""
        if self._kept.process != process():
            self._kept = AsyncPrefetched(self)
        return self._kept

    async def _keep(self, taken: Sequence[Delivery]) -> None:
        """Keep what was taken; where that is nothing, know how to ask the next time."""
        _say_news(self, taken)
        self._paused, self._expiring = taken is PAUSED, self._expiring or taken is EXPIRING
        if taken:
            kept, now = self._prefetched, monotonic()
            kept.naming.noted()
            self._seen, until = (taken[0].taken_ms, now), now + self._ahead
            kept.unread.extend([AsyncMessage(self, each, until) for each in taken])
            await kept.read()

    async def _reader(self, messages: Sequence[AsyncMessage[V]]) -> Callable[[AsyncMessage[V]], V]:
        """Return what reads these messages."""
        read = reading(self._queue.codec)
        return lambda message: read(message.raw)

    async def _end_waits(self, *, stay: bool = False) -> None:
        """Let who waits have a ClosedError now, unless something has come.

        Args:
            stay: return when they have it, also where the server cannot be told.
        """
        self._ending = True
        under_way, deadline = self._prefetched.under_way, monotonic() + SLICE
        for transit in tuple(under_way):
            pauses, told = Backoff(_AT_ONCE / 10, _AT_ONCE), True
            while transit in under_way and monotonic() < deadline:
                told = told and await transit.unblock()
                if not told and not stay:
                    break
                await sleep_async(pauses.pause())  # it may have been sent just after that

    async def close(self) -> None:
        """Put back what was fetched and not handed out, and take nothing more.

        Raises:
            ServerError: it could not. Another call tries again; else it comes again
                when its lease ends.
        """
        self._shut()
        await self._end_waits(stay=True)
        await self._prefetched.release()
        await self._prefetched.unanswered.end(self)
        self._context.children.discard(self)

    def _shut(self) -> None:
        """Take nothing more."""
        before, self._closed = self._closed, True
        if self._transfers and not before:
            self._context.transfers.release(self._protocol.names.queue)

    def _holds(self) -> int:
        return self._prefetched.count()

    def _lane(self) -> Hashable:
        return self._prefetched.lane()

    async def __aenter__(self) -> AsyncConsumer[V]:
        """Return the consumer."""
        return self

    async def __aexit__(self, *_error: object) -> None:
        """Close it."""
        await self.close()


async def _waited(
    consumer: AsyncConsumer[Any], count: int, timeout: float, transit: AsyncInFlightRequest
) -> Sequence[Delivery] | None:
    """Wait for so long at most; where that is refused look, and pause where there is nothing."""
    link, wait = consumer._link, partial(consumer._wait, count)
    if not link.lacking.now("BLMOVE"):
        try:
            return await wait_for_async(link, wait, timeout, transit)
        except ReplyError as error:
            if not link.lacking.missing("BLMOVE", error):
                raise
    if consumer._closed or consumer._ending:
        raise consumer._over()
    taken = await consumer._looked(count, transit)
    if not taken:
        await link.life.pause(min(timeout, LOOKS))
    return taken


def _say_news(consumer: AsyncConsumer[Any], taken: Sequence[Delivery]) -> None:
    """Say that a pause begins or ends, and tell what has expired."""
    paused, queue = taken is PAUSED, consumer.name
    if paused and not consumer._paused:
        extra = about(consumer.key)
        log.info("queue %r is paused: nothing is taken from it", queue, extra=extra)
    elif consumer._paused and not paused:
        log.info("queue %r is no longer paused", queue, extra=about(consumer.key))
    if isinstance(taken, Deliveries) and consumer._emit is not None:
        for each in taken.expired:
            emit_expired(consumer._emit, consumer.key, each, dropped=each.dropped)


def require_limit(limit: int) -> None:
    """Refuse a number of messages that one call cannot take.

    Raises:
        TypeError, ValueError: it is none, or out of bounds.
    """
    if not 1 <= whole(limit) <= MOST:
        raise ValueError(f"limit must be from 1 to {MOST}, not {limit!r}")
