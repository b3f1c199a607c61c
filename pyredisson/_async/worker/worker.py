"""A worker: takes messages from queues, by priority, and hands each to a free handler.

One task takes messages, so that handlers do not wait for a take. Leases and settlements have their
own tasks, one for each server. The rule: the worker takes a message only when a handler is free. If
the worker stops before a message's handling has started, it releases the message, and the delivery
does not count.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar
from weakref import WeakSet

from pyredisson._async.client import AsyncRedisson
from pyredisson._async.consumers.by_priority import FAILURES, AnyConsumer, AsyncByPriority, keys_of
from pyredisson._async.consumers.consumer import MAX_MESSAGES
from pyredisson._async.consumers.message import AsyncMessage
from pyredisson._async.consumers.message_source import AsyncMessageSource
from pyredisson._async.delayed.delayed_queue import AsyncDelayedQueue
from pyredisson._async.queues.queue import AsyncQueue
from pyredisson._async.worker.arguments import (
    backoff_of,
    caller_of,
    listed,
    require_client,
    require_int,
    seconds_or_none,
)
from pyredisson._async.worker.carried import read_all_carried
from pyredisson._async.worker.ending import AsyncEnding, log_start, log_stop, log_stopped
from pyredisson._async.worker.handling import AsyncHandling, AsyncHandlingOptions
from pyredisson._async.worker.leases import AsyncLeases
from pyredisson._async.worker.outage import AsyncOutage
from pyredisson._async.worker.settlements import AsyncSettlements
from pyredisson._async.worker.supervised import AsyncSupervised
from pyredisson._async.worker.tracker import AsyncDeliveryTracker
from pyredisson._runtime.concurrency import (
    AsyncEvent,
    AsyncTask,
    StateLock,
    monotonic,
    surroundings_async,
)
from pyredisson._runtime.user_code import AsyncHandOver, AsyncSignals, require_function_async
from pyredisson._support.unpicklable import Unpicklable
from pyredisson.errors import ClosedError
from pyredisson.protocol.kernel.due import LONGEST_WAIT, Seconds, not_negative, positive
from pyredisson.protocol.kernel.durable import Durable
from pyredisson.protocol.kernel.log_fields import about
from pyredisson.protocol.worker.outcome import Backoff, OnError, Policy
from pyredisson.stats import WorkerStats

V = TypeVar("V")
log = logging.getLogger("pyredisson")

_TAKE_SLICE = 1.0
"""The longest wait for messages, in seconds. It delays a stop that cannot end this wait."""
_LONG = 600.0
_CLEANUP = 2.0
"""Seconds until all cancelled handlers must have ended."""
_LAST = 10.0
"""Seconds that a stop waits for servers after the handlers have ended."""


RUNNING: WeakSet[AsyncWorker] = WeakSet()
"""The running workers of this process, for `pyredisson.testing`."""


class AsyncWorker(Unpicklable):
    """Calls a function with the messages of one or several queues, many at the same time.

    The worker acknowledges a message when the function returns. If the function raises, `on_error`
    decides what happens to the message. By default the message is redelivered after growing pauses,
    and becomes a dead letter after `max_deliveries`. The worker renews leases during the handling.
    ``await AsyncWorker(redisson, redisson.get_queue("orders"), print).run()`` prints all values.

    Args:
        redisson: the client.
        queue: a queue, or several: each is used only while all queues before it are empty.
        handler: called with the value, or the group of a group window; may be a coroutine function.
        concurrency: how many messages (or batches) are handled at the same time.
        lease: the length of a lease in seconds; after a crash, others get the messages at its end.
        max_deliveries: after this many deliveries a message becomes a dead letter.
        backoff: the pauses before the next attempt.
        on_error: maps exception classes to "retry", "dead" or "drop"; the nearest class decides.
        time_limit: seconds after which `TimeLimitError` is raised in the handler; None for never.
        batch_size: from 1 to 1000. If above 1, the handler gets a list of at most this many values.
        batch_wait: the longest wait for the rest of a batch after its first message, in seconds.
        pass_message: whether the handler gets the `Message`, not its value, and can settle it.
        stop_timeout: the longest wait of a stop for running handlers, in seconds; None for no
            limit. Here and for `time_limit` and `give_up_after`, infinity is the same as None.
        give_up_after: seconds of an outage or rejection until `run` raises its error; None: never.
        threads: with asyncio, the maximum number of threads for a plain function, by default
            `concurrency`; 0 runs it in the event loop. Not for the synchronous worker.
        fair: several queues take turns at being the first queue, instead of a fixed priority.
        durable: acknowledgements wait for this confirmation; the worker logs a missing one.
        consumer_name: the worker's name in `in_flight`; by default host, process and a number.

    Raises:
        TypeError, ValueError: an argument has the wrong type, or is out of bounds.
    """

    _handlers: Sequence[AsyncTask] = ()
    _here: object = None
    _error: BaseException | None = None

    def __init__(
        self,
        redisson: AsyncRedisson,
        queue: AsyncQueue[V] | AsyncDelayedQueue[V] | AsyncMessageSource[Any, Any] | Sequence[Any],
        handler: Callable[[Any], Any],
        *,
        concurrency: int = 8,
        lease: Seconds = 30,
        max_deliveries: int = 10,
        backoff: Backoff | None = None,
        on_error: Mapping[type[BaseException], OnError] | None = None,
        time_limit: Seconds | None = None,
        batch_size: int = 1,
        batch_wait: Seconds = 0,
        pass_message: bool = False,
        stop_timeout: Seconds | None = 30,
        give_up_after: Seconds | None = None,
        fair: bool = False,
        threads: int | None = None,
        durable: Durable | None = None,
        consumer_name: str | None = None,
    ) -> None:
        require_client(redisson, type(self).__name__)
        require_function_async(handler, "handler")
        self._link, self._running = redisson._context.link, redisson._context.workers
        self._carries = redisson._context.carrier is not None
        self._free = self._concurrency = require_int(concurrency, "concurrency")
        self._batch_size = require_int(batch_size, "batch_size", MAX_MESSAGES)
        self._batch_wait = not_negative(batch_wait, "batch_wait", LONGEST_WAIT)
        stops = seconds_or_none(stop_timeout, "stop_timeout", not_negative)
        self._stop_timeout = LONGEST_WAIT if stops is None else stops
        self._fair = fair
        length = positive(lease, "lease", LONGEST_WAIT)
        limit = seconds_or_none(time_limit, "time_limit")
        self._caller = caller_of(handler, limit, threads, self._free, length)
        job = AsyncHandlingOptions(
            self._caller.call,
            Policy(require_int(max_deliveries, "max_deliveries"), on_error or {}),
            backoff_of(backoff),
            self._batch_size > 1,
            pass_message,
        )
        self._tracker = AsyncDeliveryTracker(redisson._context.emit)
        self._settlements = AsyncSettlements(self._link, self._tracker, length)
        self._handling = AsyncHandling(job, self._settlements, self._tracker)
        self._ending = AsyncEnding(self._link, self._tracker)
        self._leases = AsyncLeases(self._link, length, limit)
        self._consumers: list[AnyConsumer] = [
            redisson.get_consumer(each, lease=lease, durable=durable, consumer_name=consumer_name)
            for each in listed(queue)
        ]
        self._tracker.listen_to(self._consumers)
        self._taker = AsyncByPriority(self._link, self._consumers)
        self._outage = AsyncOutage(self._consumers, seconds_or_none(give_up_after, "give_up_after"))
        self._unstarted: list[AsyncMessage[Any]] = []
        self._work = AsyncHandOver[list[AsyncMessage[Any]] | None]()
        self._lock, self._freed, self._changed = StateLock(), AsyncEvent(), AsyncEvent()
        self._stopping = self._started = self._ended = False

    def __repr__(self) -> str:
        names = ", ".join(repr(consumer.name) for consumer in self._consumers)
        return f"<{type(self).__name__} of {names}, {len(self._leases)} running>"

    def stats(self) -> WorkerStats:
        """Return the counters of this worker."""
        return replace(self._tracker.stats, running=len(self._leases))

    def stop(self) -> None:
        """Stop taking messages, without waiting; `run` waits for the running handlers, and ends."""
        self._stopping = True
        self._caller.call_in_loop(self._freed.set)
        self._caller.call_in_loop(self._changed.set)

    @property
    def healthy(self) -> bool:
        """Whether `run` has started and not ended; True also during an outage."""
        return self._started and not self._ended

    def running(
        self, *, on_error: Callable[[Exception], Any] | None = None
    ) -> AsyncSupervised[AsyncWorker]:
        """Run during the body of an `async with`; at the end of the body, stop and wait.

        Args:
            on_error: called with the exception if `run` raises during the body. None sends SIGTERM
                to this process, so that a web server shuts down and is restarted.

        Raises:
            Exception: the error that ended `run`, unless the body raised an error.
        """
        return AsyncSupervised(self, self._stop_timeout + 2 * _LAST + _TAKE_SLICE, on_error)

    async def run(self) -> int:
        """Work until `stop`, SIGTERM or SIGINT.

        Then wait for running handlers, up to `stop_timeout`, and release all other messages.
        If this call is cancelled or interrupted, it does not wait for handlers.

        Returns:
            0 if all messages were settled or released. 1 if handlers still ran after
            `stop_timeout`: their messages were requeued. Also 1 if messages could not be settled or
            released: they are redelivered after their leases.

        Raises:
            ServerError, OSError, KeyTypeError: an outage has lasted `give_up_after`. Or, before the
                first successful take, an error that no wait ends, such as a wrong password.
            ClosedError: the client was closed before.
            RuntimeError: this worker has run before, or one of its tasks has ended unexpectedly.
        """
        if self._started:
            raise RuntimeError(f"{self!r} has run already; make another one")
        if self._link.closed:
            raise ClosedError("this Redisson client is closed")
        self._started = True
        try:
            return await self._run()
        finally:
            self._ended = True

    async def _run(self) -> int:
        log_start(keys_of(self._consumers), self._concurrency)
        self._here = surroundings_async()
        async with AsyncSignals(self.stop):  # before anything is taken
            begin = self._link.life.begin
            handlers = self._handlers = [
                begin(partial(_watched_async, self, self._handle), f"pyredisson handler {number}")
                for number in range(self._concurrency)
            ]
            renewing = begin(self._leases.keep, "pyredisson leases")
            watching = begin(self._caller.watch, "pyredisson watch")
            taking = begin(partial(_watched_async, self, self._take), "pyredisson worker")
            self._running.add(self)
            RUNNING.add(self)
            try:
                while not self._stopping and all(each.alive for each in (taking, *handlers)):
                    await self._changed.wait(_LONG)
                finished = await self._wind_up(taking, handlers, renewing)
            except BaseException:
                self._stop_timeout = 0
                await self._wind_up(taking, handlers, renewing)
                raise
            finally:
                self._running.discard(self)
                RUNNING.discard(self)
                self._caller.close()
                await watching.stop(0.0)
        log_stopped(keys_of(self._consumers), self.stats())
        if self._error is not None:
            raise self._error
        return 0 if finished else 1

    async def _wind_up(
        self, taking: AsyncTask, handlers: list[AsyncTask], renewing: AsyncTask
    ) -> bool:
        """End all tasks; return whether every message was settled or released."""
        self.stop()
        log_stop(keys_of(self._consumers), len(self._leases))
        before = self._settlements.given_up
        deadline = monotonic() + self._stop_timeout
        waking = self._link.life.begin(self._taker.end, "pyredisson unblock")
        await taking.stop(_TAKE_SLICE + 10)
        self._ending.release(self._unstarted)
        for _ in handlers:
            self._work.put(None)
        while any(each.alive for each in handlers) and monotonic() < deadline:
            await self._changed.wait(min(0.1, max(deadline - monotonic(), 0.0)))
        unfinished = self._leases.messages()
        self._handling.ended = True
        last = monotonic() + _CLEANUP
        for each in [each for each in handlers if each.cancel()]:
            await each.wait(max(last - monotonic(), 0.0))
        last = monotonic() + _LAST
        self._ending.give_up(unfinished, self._stop_timeout)
        self._ending.close(self._consumers)
        await self._leases.stop()
        for work in (renewing, self._settlements, self._ending, waking):
            await work.stop(max(last - monotonic(), 0.0))
        for message in self._tracker.left():
            self._settlements.lose(message, "the worker has ended")
        left = self._settlements.given_up > before or self._ending.failed
        return not (unfinished or left)

    def _max_stop_time(self) -> float:
        """Return how many seconds a client waits for this worker at most when the client closes."""
        if self._here != surroundings_async() or any(each.current for each in self._handlers):
            return 0.0
        return self._stop_timeout + _TAKE_SLICE + 10 + _CLEANUP + 2 * _LAST

    # -------------------------------------------------------------- taking

    async def _take(self) -> None:
        """Take messages whenever a handler is free."""
        try:
            while not self._stopping:
                if self._free <= 0:
                    await self._freed.wait(_LONG)
                    continue
                try:
                    found = await self._take_some()
                except FAILURES as error:
                    await self._freed.wait(self._outage.pause(error))
                    continue
                self._outage.over()
                self._taker.reached = True
                self._hand_over(found)
        except ClosedError:
            self._stopping = True
        except Exception as error:
            log.exception("the worker has ended", extra=about(keys_of(self._consumers)))
            self._error = error

    async def _take_some(self) -> list[AsyncMessage[Any]]:
        limit = min(self._free, 100) if self._batch_size == 1 else self._batch_size
        if self._fair:
            self._consumers.append(self._consumers.pop(0))
        found = await self._taker.take(limit, _TAKE_SLICE)
        if found and self._batch_size > 1:
            await self._fill_up(found, limit)
        if found and self._carries:
            await read_all_carried(self._link, found)
        return found

    async def _fill_up(self, found: list[AsyncMessage[Any]], limit: int) -> None:
        """Wait for the rest of a batch, and renew the leases of its messages."""
        until = monotonic() + self._batch_wait
        self._leases.hold(found)
        while len(found) < limit and (left := until - monotonic()) > 0 and not self._stopping:
            try:
                more = await self._taker.more(found, limit - len(found), min(left, _TAKE_SLICE))
            except (*FAILURES, ClosedError):
                return  # the next take reports the error, unless the worker stops
            self._leases.hold(more)
            found += more

    def _hand_over(self, found: list[AsyncMessage[Any]]) -> None:
        if self._stopping:
            self._leases.release(found)
            self._unstarted += found
            return
        size = self._batch_size
        self._leases.hold(found)
        self._tracker.open(found)
        for start in range(0, len(found), size):
            with self._lock.held:
                self._free -= 1
            self._work.put(found[start : start + size])

    # -------------------------------------------------------------- handling

    async def _handle(self) -> None:
        """Handle messages until None is handed over."""
        while (messages := await self._work.get()) is not None:
            try:
                await self._handling.handle(messages)
            except Exception:
                extra = about(messages[0].consumer.key, messages[0])
                log.exception("a handler task of the worker failed", extra=extra)
            finally:
                self._leases.release(messages)
                with self._lock.held:
                    self._free += 1
                self._freed.set()


async def _watched_async(worker: AsyncWorker, body: Callable[[], Any]) -> None:
    """Run the body of a worker's task. If it ends before a stop, end the worker."""
    try:
        await body()
    finally:
        if not worker._stopping and worker._error is None:
            worker._error = RuntimeError(f"a task of {worker!r} has ended; the log may say why")
        worker._stopping = True
        worker._changed.set()
