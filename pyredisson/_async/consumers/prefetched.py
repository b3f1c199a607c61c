"""What a consumer has taken and not handed out yet.

A message is unread at first. Then it is ready to be handed out, or unreadable until it is rejected,
or spare where nobody is to have it; it is leaving where it is to be given back. The rule: whatever
ends a step half-way, a message that is not settled is in one of these places or in the caller's
hands, and never in the hands of two callers.
"""

from __future__ import annotations

import contextlib
import logging
import os
from collections import deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from itertools import islice, repeat
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from pyredisson._async.consumers.message import AsyncMessage
from pyredisson._async.consumers.unanswered import AsyncUnanswered
from pyredisson._async.link.in_flight_request import AsyncInFlightRequest
from pyredisson._runtime.concurrency import monotonic, process
from pyredisson._runtime.interrupts import AsyncInterrupts
from pyredisson.errors import ClosedError, DecodeError
from pyredisson.protocol.consumers.consumer import BASE_BYTES, Kept
from pyredisson.protocol.consumers.delivery import emit_expired
from pyredisson.protocol.consumers.in_flight import NUMBER_BYTES, Naming
from pyredisson.protocol.kernel.log_fields import about
from pyredisson.server_errors import ReplyError, ServerError

if TYPE_CHECKING:
    from pyredisson._async.consumers.consumer import AsyncConsumer

V = TypeVar("V")
T = TypeVar("T")
log = logging.getLogger("pyredisson")

MOST = 1000
"""Messages of one script, at most."""


class SpareError(Exception):
    """There is nothing to hand out for a message: it is to be forgotten."""


class AsyncPrefetched(Generic[V]):
    """The messages that wait in a consumer, for any number of tasks.

    They are of the process that has taken them: a forked child has none of its parent's.
    """

    def __init__(self, consumer: AsyncConsumer[V]) -> None:
        self._consumer = consumer
        self.process = process()
        self.naming = Naming(os.urandom(NUMBER_BYTES))
        """By what its tokens begin, and when its name is noted."""
        self.under_way: set[AsyncInFlightRequest] = set()
        """The steps that may bring messages yet."""
        self.unanswered = AsyncUnanswered()
        self.ready: deque[AsyncMessage[V]] = deque()
        """To be handed out; whose lease is to be renewed first stands first."""
        self.unread: deque[AsyncMessage[V]] = deque()
        self._unreadable: deque[tuple[AsyncMessage[V], DecodeError]] = deque()
        self._spare: deque[AsyncMessage[V]] = deque()
        self._leaving: deque[AsyncMessage[V]] = deque()

    def count(self) -> int:
        """Return how many wait here, whatever for."""
        here = len(self.ready) + len(self.unread) + len(self._unreadable)
        return here + len(self._spare) + len(self._leaving)

    def lane(self) -> Hashable:
        """Return the server where there is something to end, None where there is not."""
        consumer = self._consumer
        busy = self.under_way or self.count()
        return (consumer._link.topology.home(consumer.key),) if busy else None

    # -------------------------------------------------------------- whose they are

    def base(self) -> bytes:
        """Return what the tokens of one taking begin with."""
        return self.naming.number + os.urandom(BASE_BYTES - NUMBER_BYTES)

    def called(self, lease_ms: int, wait: float = 0.0) -> bytes | None:
        """Return number and name where they are to be noted, with what lasts for a lease."""
        if not self.naming.due(monotonic(), lease_ms / 1000, wait):
            return None
        return self.naming.number + self._consumer.consumer_name.encode()

    # -------------------------------------------------------------- reading

    async def read(self) -> None:
        """Read what was taken; after an error it stays unread."""
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
                message._value = cast("V", None)  # hooks see it
                self._unreadable.append((message, error))
            except SpareError:
                self._spare.append(message)
            else:
                self.ready.append(message)
            messages.popleft()

    async def bury(self) -> None:
        """Make dead letters of what cannot be read; after an error it is tried again later."""
        consumer, problem = self._consumer, None
        if spare := list(self._spare):
            await consumer._forget(_tokens(spare))
            for message in spare:
                _remove(self._spare, message)
        for unreadable in tuple(self._unreadable):
            message, error = unreadable
            reason = f"cannot be decoded: {error}"
            try:
                buried = await message.reject(reason)
            except ReplyError as refused:
                problem = problem or refused
                continue
            _remove(self._unreadable, unreadable)
            if not buried:
                continue  # its lease had ended, so it comes again
            log.error(
                "a message of %r cannot be decoded and is dead now: %s",
                consumer.name,
                error,
                extra=about(consumer.key, message),
            )
            if consumer._emit is not None:
                consumer._emit("on_undecodable", consumer.key, error)
                consumer._emit("on_dead_letter", consumer.key, message, reason, error)
        if problem is not None:
            raise problem

    # -------------------------------------------------------------- handing out

    def stale(self, now: float) -> bool:
        """Tell whether a whole lease is not left of the message that is next."""
        try:
            return self.ready[0]._until <= now
        except IndexError:
            return False

    async def renew(self, until: float) -> None:
        """Renew the leases of what is ready; drop what is not ours any more."""
        consumer = self._consumer
        for messages in _batches(self._first(None)):
            held = await consumer._extended(messages, consumer._granted_ms, consumer._patience)
            for message, ours in zip(messages, held, strict=True):
                if ours:
                    message._until = until
                else:
                    _remove(self.ready, message)

    def expires(self, limit: int, now_ms: float) -> bool:
        """Tell whether one of those that are next may expire by a moment of the server's clock."""
        return any(0 < each._delivery.expires_ms <= now_ms for each in self._first(limit))

    async def expire(self, limit: int, now_ms: float) -> bool:
        """Let the server judge what may have expired; drop what has. Was there any?"""
        if not self.expires(limit, now_ms):
            return False
        consumer, gone = self._consumer, False
        old = [each for each in self._first(None) if 0 < each._delivery.expires_ms <= now_ms]
        for messages in _batches(old):
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
        """Move up to `limit` messages to a list of the caller's."""
        try:  # `_move`, without another call for each message
            found.extend(map(deque.popleft, repeat(self.ready, limit)))
        except IndexError:
            return

    def put_back(self, message: AsyncMessage[V]) -> None:
        """Keep a message that its caller did not get: it is the next."""
        self.ready.appendleft(message)

    # -------------------------------------------------------------- giving back

    async def release(self) -> None:
        """Give back all that waits here, and hand out nothing of it.

        Raises:
            ServerError: another call tries again what is left.
        """
        consumer = self._consumer
        while messages := self._next_to_leave():
            back = consumer._protocol.return_unbegun([message._delivery for message in messages])
            await consumer._link.request(replace(back, safe=True))  # a token is never used again
            for message in messages:
                _remove(self._leaving, message)

    def _next_to_leave(self) -> list[AsyncMessage[V]]:
        """Return what has to leave, in the order of the queue; of much the last, to go first."""
        _move(self.ready, self._leaving, len(self.ready))
        _move(self.unread, self._leaving, len(self.unread))
        _move(self._spare, self._leaving, len(self._spare))
        self._leaving.extend([message for message, _ in tuple(self._unreadable)])
        self._unreadable.clear()
        return sorted(self._leaving, key=_place)[-MOST:]

    async def release_late(self) -> bool:
        """Give back what has come to a consumer that is closed; could all be given back?"""
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


def _batches(messages: list[AsyncMessage[V]]) -> Iterator[list[AsyncMessage[V]]]:
    for start in range(0, len(messages), MOST):
        yield messages[start : start + MOST]


def _tokens(messages: Sequence[AsyncMessage[V]]) -> list[bytes]:
    return [message._token for message in messages]


def _move(source: deque[T], target: list[T] | deque[T], count: int) -> None:
    """Move up to so many from the head, in one step of Python.

    Ctrl-C is raised between two steps, and other threads have their turn there.
    """
    try:
        target.extend(map(deque.popleft, repeat(source, count)))
    except IndexError:
        return  # there are no more


def _remove(source: deque[T], value: T) -> None:
    with contextlib.suppress(ValueError):  # another task has done so
        source.remove(value)
