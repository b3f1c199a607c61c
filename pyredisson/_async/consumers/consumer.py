"""Consumers that acknowledge: if a consumer crashes, none of its messages is lost.

A consumer owns a message until its lease ends, by the server's clock. If the message is not settled
by then, the next take redelivers it, or a transfer task requeues its plain bytes at the head of the
queue. The rule: a message that a consumer hands out has its whole lease left, also after prefetch.
"""

from __future__ import annotations

import logging
import math
from collections.abc import AsyncIterator, Callable, Hashable, Iterable, Sequence
from functools import partial
from typing import Any, TypeVar

from pyredisson._async.background.cleanup import log_ended
from pyredisson._async.consumers.message import AsyncMessage
from pyredisson._async.consumers.prefetched import AsyncPrefetched
from pyredisson._async.consumers.settlement import AsyncSettler, milliseconds
from pyredisson._async.context import AsyncContext
from pyredisson._async.link.in_flight_request import AsyncInFlightRequest
from pyredisson._async.queues.queue import AsyncQueue
from pyredisson._async.waits.one_of_many import request_with_timeout_async
from pyredisson._async.waits.slices import SLICE, is_waitable, wait_for_async
from pyredisson._runtime.concurrency import monotonic, process, sleep_async
from pyredisson._runtime.interrupts import AsyncInterrupts, finish_async
from pyredisson._transport.naming import consumer_namer
from pyredisson.errors import ClosedError
from pyredisson.protocol.consumers.consumer import EXPIRING, PAUSED, ConsumerProtocol
from pyredisson.protocol.consumers.delivery import MAX_MESSAGES, Deliveries, Delivery, emit_expired
from pyredisson.protocol.consumers.in_flight import Naming
from pyredisson.protocol.consumers.options import ConsumerOptions
from pyredisson.protocol.kernel.backoff import Pauses
from pyredisson.protocol.kernel.capabilities import CHECK_INTERVAL
from pyredisson.protocol.kernel.command import Eval
from pyredisson.protocol.kernel.due import Seconds, seconds
from pyredisson.protocol.kernel.durable import require_durable
from pyredisson.protocol.kernel.log_fields import about
from pyredisson.protocol.kernel.names import ConsumerNames
from pyredisson.protocol.kernel.replies import reading
from pyredisson.protocol.queues.queue import require_count
from pyredisson.server_errors import OutOfMemoryError, ReplyError, ServerError

__all__ = ["MAX_MESSAGES", "NO_MEMORY", "AsyncConsumer", "require_limit"]

V = TypeVar("V")
log = logging.getLogger("pyredisson")

NO_MEMORY = 0.2
"""Seconds between checks while a server has no memory: it rejects BLMOVE, but not a take."""

_AHEAD, _AT_ONCE = 5.0, 0.05
"""The most seconds before the lease of a message here is renewed: with prefetch, and without."""


class AsyncConsumer(AsyncSettler[V]):
    """Takes messages of one queue, each with a lease. Any number of tasks may share the consumer.

    Java's consumers may take from the same queue. They see neither leases nor leased messages.
    """

    _kind = "a queue"

    def __init__(
        self, context: AsyncContext, queue: AsyncQueue[V], options: ConsumerOptions
    ) -> None:
        self._queue = queue
        self._make_name = consumer_namer(options.consumer_name)
        self._durable = require_durable(options.durable)
        self._lease_ms = milliseconds(options.lease)
        self._prefetch = require_count(options.prefetch)
        if not 1 <= self._prefetch <= MAX_MESSAGES:
            raise ValueError(f"prefetch must be from 1 to {MAX_MESSAGES}, not {options.prefetch!r}")
        self._max_age = min(self._lease_ms / 2000, _AHEAD if self._prefetch > 1 else _AT_ONCE)
        self._initial_lease_ms = self._lease_ms + math.ceil(self._max_age * 1000)
        self._wire_format = options.wire_format
        self._buffer = AsyncPrefetched(self)
        self._emit = context.emit
        self._closed = self._ending = self._expiring = False
        self._clock_sample = (0, 0.0)
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
        """Take the next message; wait without a limit. Raises the errors of `take_many`."""
        return (await self.take_many(1))[0]

    async def poll(self, timeout: Seconds = 0) -> AsyncMessage[V] | None:
        """Take the next message as `take_many` does; return None if none arrives in `timeout`."""
        found = await self.take_many(1, timeout)
        return found[0] if found else None

    async def take_many(self, limit: int, timeout: Seconds | None = None) -> list[AsyncMessage[V]]:
        """Take up to `limit` messages; wait only for the first.

        Fewer messages are taken if they have half a MB. If none arrives in time, the list is empty.
        A value that the codec cannot decode becomes a dead letter, and the call continues.

        Args:
            limit: the largest number of messages, from 1 to 1000.
            timeout: the longest wait, in seconds or as a timedelta; 0 for no wait, None for ever.

        Raises:
            ClosedError: the consumer was closed, before or during the wait.
            KeyTypeError: the queue's key holds another type.
            ServerError: a rejection, a failed first contact, or an outage longer than `timeout`.
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
        """Keep messages whose caller was interrupted; release them if the consumer is closed."""
        for message in reversed(found):
            self._prefetched.requeue(message)
        if self._closed:
            await finish_async(self._prefetched.release_late())

    async def _take_into(self, found: list[AsyncMessage[V]], limit: int, deadline: float) -> None:
        """Append up to `limit` messages to the caller's list `found`, waiting for the first."""
        pauses: Pauses | None = None
        while not self._closed:
            try:
                moved = await self._fill(limit, deadline)
                moved = await self._expire(limit) or moved
            except (ServerError, OSError) as error:
                pauses = pauses or Pauses(longest=1.0)
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
        raise self._closed_error()

    def _at_hand(self, kept: AsyncPrefetched[V]) -> bool:
        """Return whether ready messages can be handed out without asking the server."""
        return not (self._closed or self._expiring or kept.stale(monotonic()))

    async def _expire(self, limit: int) -> bool:
        """Remove ready messages that the server finds expired; return whether any were removed."""
        kept = self._prefetched
        if not self._expiring or not kept.expires(limit, math.inf):
            return False
        clock = await self._link.clock(self._main_key)
        return await kept.expire(limit, clock.latest_ms(monotonic()))

    async def _wait_out(self, error: Exception, pauses: Pauses, deadline: float) -> None:
        """Pause after an error if a wait continues; otherwise, or after the deadline, raise it."""
        left = deadline - monotonic()
        if left <= 0 or not is_waitable(error) or not self._link.reached:
            raise error
        self._link.wait_failed(self._main_key, error)
        await self._link.life.pause(min(pauses.pause(), left))

    async def _fill(self, limit: int, deadline: float) -> bool:
        """Fetch messages if `ready` has fewer than `limit`; wait for the first, 2 s at most.

        Returns:
            Whether any were fetched; it is possible that all of them became dead letters.
        """
        kept, now = self._prefetched, monotonic()
        if kept.unread:
            await kept.read()
        if kept.stale(now):
            await kept.renew(now + self._max_age)
        missing = limit - len(kept.ready)
        if missing <= 0 or self._closed:
            return False
        if missing == limit:
            return await self._fetch(missing, min(max(deadline - monotonic(), 0.0), SLICE))
        try:
            return await self._fetch(missing, 0.0)
        except (ServerError, OSError, ClosedError):
            return False  # ready messages are handed out; the next call raises

    async def __aiter__(self) -> AsyncIterator[AsyncMessage[V]]:
        """Iterate over messages until `close`; a waiting iteration then raises ClosedError."""
        while not self._closed:
            yield await self.take()

    async def _fetch(self, limit: int, timeout: float) -> bool:
        """Fetch messages, waiting up to `timeout` for the first; return whether there were any."""
        await self._ready()
        kept, in_flight, deliveries = self._prefetched, AsyncInFlightRequest(), None
        if kept.unanswered.due():
            await kept.unanswered.recall(self)
        kept.under_way.add(in_flight)
        try:
            async with AsyncInterrupts():  # messages are stored before an interruption is raised
                deliveries = await self._fetched(max(limit, self._prefetch), timeout, in_flight)
                if deliveries is not None:
                    await self._store(deliveries)
        except OutOfMemoryError:
            # only BLMOVE was rejected: the script after it has run and found nothing
            await sleep_async(min(timeout, NO_MEMORY))
            return False
        except ReplyError as error:
            await self._explain(error)
            raise
        finally:
            if in_flight.unanswered:
                kept.unanswered.add(in_flight.unanswered, deliveries)
            kept.under_way.discard(in_flight)
        await kept.bury()
        return bool(deliveries or getattr(deliveries, "expired", ()))

    async def _fetched(
        self, count: int, timeout: float, in_flight: AsyncInFlightRequest
    ) -> Sequence[Delivery] | None:
        """Check or wait. The first call checks, to learn whether the queue is paused."""
        if timeout > 0 and self._paused is not None:
            deliveries = await _waited(self, count, timeout, in_flight)
        else:
            deliveries = await self._check_now(count, in_flight)
        if deliveries is EXPIRING:
            await self._store(deliveries)
            deliveries = await self._check_now(count, in_flight)
        return deliveries

    async def _check_now(self, count: int, in_flight: AsyncInFlightRequest) -> Sequence[Delivery]:
        check = self._check(count)
        if self._reply_timeout is None:
            return (await self._link.arrival(check, in_flight))[1]
        return await request_with_timeout_async(self._link, check, self._reply_timeout, in_flight)

    def _check(self, count: int) -> Eval[Sequence[Delivery]]:
        lease_ms, expiring = self._initial_lease_ms, self._expiring
        base, called = self._prefetched.base(), self._name_to_store(lease_ms)
        return self._protocol.take(count, lease_ms, base, expiring=expiring, called=called)

    def _wait(self, count: int, seconds: float) -> Eval[Sequence[Delivery] | None]:
        if self._closed or self._ending:
            raise self._closed_error()
        lease_ms, paused, expiring = self._initial_lease_ms, bool(self._paused), self._expiring
        base, called = self._prefetched.base(), self._name_to_store(lease_ms, seconds)
        return self._protocol.wait(
            count, lease_ms, base, seconds, paused=paused, expiring=expiring, called=called
        )

    # -------------------------------------------------------------- taken messages

    @property
    def _prefetched(self) -> AsyncPrefetched[V]:
        """The messages that were taken and not handed out. A forked child begins with none."""
        if self._buffer.process != process():
            self._buffer = AsyncPrefetched(self)
        return self._buffer

    @property
    def _naming(self) -> Naming:
        return self._prefetched.naming

    async def _store(self, deliveries: Sequence[Delivery]) -> None:
        """Store taken messages. Note whether the queue is paused, and whether its items expire."""
        _log_changes(self, deliveries)
        self._paused, self._expiring = (
            deliveries is PAUSED,
            self._expiring or deliveries is EXPIRING,
        )
        if deliveries:
            kept, now = self._prefetched, monotonic()
            kept.naming.noted()
            self._clock_sample, until = (deliveries[0].taken_ms, now), now + self._max_age
            kept.unread.extend([AsyncMessage(self, each, until) for each in deliveries])
            await kept.read()

    async def _reader(self, messages: Sequence[AsyncMessage[V]]) -> Callable[[AsyncMessage[V]], V]:
        """Return a function that decodes these messages."""
        read = reading(self._queue.codec)
        return lambda message: read(message.raw)

    async def _end_waits(self, *, stay: bool = False) -> None:
        """Make waiting calls raise ClosedError now, unless messages have arrived.

        Args:
            stay: whether to wait for their ends (2 s at most) also if `unblock` fails.
        """
        self._ending = True
        under_way, deadline = self._prefetched.under_way, monotonic() + SLICE
        for in_flight in tuple(under_way):
            pauses, unblocked = Pauses(_AT_ONCE / 10, _AT_ONCE), True
            while in_flight in under_way and monotonic() < deadline:
                unblocked = unblocked and await in_flight.unblock()
                if not unblocked and not stay:
                    break
                await sleep_async(pauses.pause())  # the wait may be sent after `unblock`

    async def close(self) -> None:
        """Release messages that were not handed out, and take nothing more.

        Raises:
            ServerError: some messages were not released. Call again, or let their leases end.
        """
        self._stop_taking()
        await self._end_waits(stay=True)
        await self._prefetched.release()
        await self._prefetched.unanswered.end(self)
        self._context.children.discard(self)

    def _stop_taking(self) -> None:
        """Stop taking messages."""
        before, self._closed = self._closed, True
        if self._transfers and not before:
            self._context.transfers.release(self._protocol.names.queue)

    def _held_count(self) -> int:
        return self._prefetched.count()

    def _place(self) -> Hashable:
        return self._prefetched.place()

    async def __aenter__(self) -> AsyncConsumer[V]:
        """Return the consumer."""
        return self

    async def __aexit__(self, *_error: object) -> None:
        """Close the consumer."""
        await self.close()


async def _waited(
    consumer: AsyncConsumer[Any], count: int, timeout: float, in_flight: AsyncInFlightRequest
) -> Sequence[Delivery] | None:
    """Wait up to `timeout`; if BLMOVE is rejected, check, and pause if nothing was found."""
    link, wait = consumer._link, partial(consumer._wait, count)
    if not link.rejections.now("BLMOVE"):
        try:
            return await wait_for_async(link, wait, timeout, in_flight)
        except ReplyError as error:
            if not link.rejections.note_if_missing("BLMOVE", error):
                raise
    if consumer._closed or consumer._ending:
        raise consumer._closed_error()
    deliveries = await consumer._check_now(count, in_flight)
    if not deliveries:
        await link.life.pause(min(timeout, CHECK_INTERVAL))
    return deliveries


def _log_changes(consumer: AsyncConsumer[Any], deliveries: Sequence[Delivery]) -> None:
    """Log pauses of the queue and ended leases. Call the hooks for expired items."""
    paused, queue = deliveries is PAUSED, consumer.name
    if paused and not consumer._paused:
        extra = about(consumer.key)
        log.info("queue %r is paused: nothing is taken from it", queue, extra=extra)
    elif consumer._paused and not paused:
        log.info("queue %r is no longer paused", queue, extra=about(consumer.key))
    if not isinstance(deliveries, Deliveries):
        return
    log_ended(queue, consumer.key, deliveries.ended)
    if consumer._emit is not None:
        for each in deliveries.expired:
            emit_expired(consumer._emit, consumer.key, each, dropped=each.dropped)


def require_limit(limit: int) -> None:
    """Raise a TypeError or ValueError unless `limit` is an integer from 1 to 1000."""
    if not 1 <= require_count(limit) <= MAX_MESSAGES:
        raise ValueError(f"limit must be from 1 to {MAX_MESSAGES}, not {limit!r}")
