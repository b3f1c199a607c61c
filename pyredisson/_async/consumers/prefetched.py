"""The messages that a consumer has taken and not handed out yet.

A taken message is in `unread` until the codec decodes it. Then it is in `ready`, from which it is
handed out, or in `_unreadable` until it is rejected, or in `_spare`. A spare message is removed,
because no caller should get it. During a release, a message is in `_releasing`. The rule: if a step
is interrupted, an unsettled message is in one of these lists or with one caller, never with two.
"""

from __future__ import annotations

import contextlib
import logging
import os
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from itertools import islice, repeat
from typing import Any, Generic, TypeVar, cast

from pyredisson._async.consumers.message import AsyncMessage
from pyredisson._async.consumers.settlement import AsyncSettler
from pyredisson._async.consumers.unanswered import AsyncUnanswered
from pyredisson._async.link.in_flight_request import AsyncInFlightRequest
from pyredisson._runtime.concurrency import process
from pyredisson._runtime.interrupts import AsyncInterrupts
from pyredisson._support.error_text import text_of
from pyredisson.errors import ClosedError, DecodeError
from pyredisson.protocol.consumers.consumer import BASE_BYTES, Kept
from pyredisson.protocol.consumers.delivery import MAX_MESSAGES, emit_expired
from pyredisson.protocol.consumers.in_flight import NUMBER_BYTES, Naming
from pyredisson.protocol.kernel.log_fields import about
from pyredisson.protocol.objects.pages import in_parts
from pyredisson.server_errors import ReplyError, ServerError

V = TypeVar("V")
T = TypeVar("T")
log = logging.getLogger("pyredisson")


class SpareError(Exception):
    """A message has nothing to hand out, and is removed."""


class AsyncPrefetched(Generic[V]):
    """The messages that wait in a consumer. Any number of tasks may share this object.

    The messages belong to the process that took them. A forked child begins without messages.
    """

    def __init__(self, consumer: AsyncSettler[V]) -> None:
        self._consumer = consumer
        self.process = process()
        self.naming = Naming(os.urandom(NUMBER_BYTES))
        """The prefix of the consumer's tokens, and when to store the consumer's name in Redis."""
        self.under_way: set[AsyncInFlightRequest] = set()
        """The requests that may still return messages."""
        self.unanswered = AsyncUnanswered()
        self.ready: deque[AsyncMessage[V]] = deque()
        """Messages to hand out, in the order in which their leases must be renewed."""
        self.unread: deque[AsyncMessage[V]] = deque()
        self._unreadable: deque[tuple[AsyncMessage[V], DecodeError]] = deque()
        self._spare: deque[AsyncMessage[V]] = deque()
        self._releasing: deque[AsyncMessage[V]] = deque()

    def count(self) -> int:
        """Return how many messages wait in all lists of this object."""
        here = len(self.ready) + len(self.unread) + len(self._unreadable)
        return here + len(self._spare) + len(self._releasing)

    def place(self) -> Hashable:
        """Return a value that identifies the server if requests or messages are left, or None."""
        consumer = self._consumer
        busy = self.under_way or self.count()
        return (consumer._link.topology.home(consumer.key),) if busy else None

    # -------------------------------------------------------------- tokens

    def base(self) -> bytes:
        """Return a new prefix for the tokens of one take."""
        return self.naming.number + os.urandom(BASE_BYTES - NUMBER_BYTES)

    # -------------------------------------------------------------- reading

    async def read(self) -> None:
        """Decode the unread messages; after an error, the other messages stay unread."""
        async with AsyncInterrupts():
            messages: deque[AsyncMessage[V]] = deque()
            _move(self.unread, messages, len(self.unread))
            try:
                if messages:
                    self._sort(messages, await self._consumer._reader(messages))
            finally:
                self.unread.extendleft(reversed(messages))

    def _sort(self, messages: deque[AsyncMessage[V]], read: Callable[[AsyncMessage[V]], V]) -> None:
        while messages:
            message = messages[0]
            try:
                message._value = read(message)
            except DecodeError as error:
                message._value = cast("V", None)  # hooks read it
                self._unreadable.append((message, error))
            except SpareError:
                self._spare.append(message)
            else:
                self.ready.append(message)
            messages.popleft()

    async def bury(self) -> None:
        """Remove spare messages and reject unreadable ones; after an error, call it again."""
        consumer, problem = self._consumer, None
        if spare := list(self._spare):
            await consumer._forget(_tokens(spare))
            for message in spare:
                _remove(self._spare, message)
        for unreadable in tuple(self._unreadable):
            message, error = unreadable
            reason = f"cannot be decoded: {text_of(error)}"
            try:
                buried = await message.reject(reason)
            except ReplyError as rejected:
                problem = problem or rejected
                continue
            _remove(self._unreadable, unreadable)
            if not buried:
                continue  # its lease had ended, so it is redelivered
            log.error(
                "a message of %r cannot be decoded and is now a dead letter: %s",
                consumer.name,
                text_of(error),
                extra=about(consumer.key, message),
            )
            if consumer._emit is not None:
                consumer._emit("on_undecodable", consumer.key, error)
                consumer._emit("on_dead_letter", consumer.key, message, reason, error)
        if problem is not None:
            raise problem

    # -------------------------------------------------------------- handing out

    def stale(self, now: float) -> bool:
        """Return whether the next message has less than its whole lease left."""
        try:
            return self.ready[0]._until <= now
        except IndexError:
            return False

    async def renew(self, until: float) -> None:
        """Renew the leases of ready messages; remove the messages whose leases had ended."""
        consumer, ready = self._consumer, self._first(None)
        for messages in (
            ready[at : at + MAX_MESSAGES] for at in range(0, len(ready), MAX_MESSAGES)
        ):
            held = await consumer._extend(
                messages, consumer._initial_lease_ms, consumer._reply_timeout
            )
            for message, ours in zip(messages, held, strict=True):
                if ours:
                    message._until = until
                else:
                    _remove(self.ready, message)

    def expires(self, limit: int, now_ms: float) -> bool:
        """Return whether one of the next `limit` messages expires at or before `now_ms`."""
        return any(0 < each._delivery.expires_ms <= now_ms for each in self._first(limit))

    async def expire(self, limit: int, now_ms: float) -> bool:
        """Remove messages that the server finds expired; return whether any were removed.

        Messages whose leases had ended are removed, too.
        """
        if not self.expires(limit, now_ms):
            return False
        consumer, gone = self._consumer, False
        old = [each for each in self._first(None) if 0 < each._delivery.expires_ms <= now_ms]
        for messages in in_parts(old, _size, MAX_MESSAGES):
            expire = consumer._protocol.expire(_tokens(messages))
            became = await consumer._link.request(expire)
            for message, what in zip(messages, became, strict=True):
                if what is not Kept.KEPT:
                    gone = True
                    _remove(self.ready, message)
                if what in (Kept.EXPIRED, Kept.DROPPED) and consumer._emit is not None:
                    dropped = what is Kept.DROPPED
                    emit_expired(consumer._emit, consumer.key, message, dropped=dropped)
        return gone

    def _first(self, limit: int | None) -> list[AsyncMessage[V]]:
        return list(islice(self.ready, limit))

    def hand_out(self, limit: int, found: list[AsyncMessage[V]]) -> None:
        """Move up to `limit` messages to the caller's list `found`."""
        try:  # as `_move` does, but without another call: this is the fast path
            found.extend(map(deque.popleft, repeat(self.ready, limit)))
        except IndexError:
            return

    def requeue(self, message: AsyncMessage[V]) -> None:
        """Keep a message that its caller did not get; it is the next one to hand out."""
        self.ready.appendleft(message)

    # -------------------------------------------------------------- releasing

    async def release(self) -> None:
        """Release all messages that wait here.

        Raises:
            ServerError: some were not released; another call tries again.
        """
        consumer = self._consumer
        while messages := self._next_to_release():
            back = consumer._protocol.release_unstarted([message._delivery for message in messages])
            await consumer._link.request(replace(back, safe=True))  # a repetition finds no lease
            for message in messages:
                _remove(self._releasing, message)

    def _next_to_release(self) -> list[AsyncMessage[V]]:
        """Return the messages that the next script releases, in the order of the queue.

        If one script cannot release all, return the last ones: a release adds at the head.
        """
        _move(self.ready, self._releasing, len(self.ready))
        _move(self.unread, self._releasing, len(self.unread))
        _move(self._spare, self._releasing, len(self._spare))
        self._releasing.extend([message for message, _ in tuple(self._unreadable)])
        self._unreadable.clear()
        return [[], *in_parts(sorted(self._releasing, key=_place), _size, MAX_MESSAGES)][-1]

    async def release_late(self) -> bool:
        """Release messages that arrived after a close; return whether all were released."""
        try:
            await self.release()
        except (ServerError, OSError, ClosedError) as error:
            log.warning(
                "messages cannot be released now, and will be redelivered: %s",
                error,
                extra=about(self._consumer.key),
            )
            return False
        return True


def _place(message: AsyncMessage[Any]) -> tuple[int, bytes]:
    return message._delivery.taken_ms, message._token


def _size(message: AsyncMessage[Any]) -> int:
    return len(message.raw)


def _tokens(messages: Sequence[AsyncMessage[V]]) -> list[bytes]:
    return [message._token for message in messages]


def _move(source: deque[T], target: list[T] | deque[T], count: int) -> None:
    """Move up to `count` values from the head, in one step of Python.

    Python raises Ctrl-C and switches threads only between two steps.
    """
    try:
        target.extend(map(deque.popleft, repeat(source, count)))
    except IndexError:
        return  # the source is empty


def _remove(source: deque[T], value: T) -> None:
    with contextlib.suppress(ValueError):  # another task has removed it
        source.remove(value)
