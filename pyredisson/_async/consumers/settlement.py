"""Settling messages: a consumer acknowledges, requeues or rejects them, or extends leases.

The rule: each step is one script, which returns for each message whether its lease was valid.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from pyredisson._async.consumers.message import AsyncMessage, known_async, tried
from pyredisson._async.objects.named_object import AsyncNamedObject
from pyredisson._async.waits.one_of_many import request_with_timeout_async
from pyredisson._runtime.concurrency import monotonic
from pyredisson.errors import ClosedError, NotReplicatedError
from pyredisson.protocol.consumers.consumer import ConsumerProtocol
from pyredisson.protocol.consumers.delivery import MAX_MESSAGES
from pyredisson.protocol.consumers.in_flight import Naming
from pyredisson.protocol.delayed.entry import WireFormat
from pyredisson.protocol.kernel.command import Eval
from pyredisson.protocol.kernel.confirmation import acknowledged, touch
from pyredisson.protocol.kernel.due import LONGEST_DELAY, Seconds, not_negative, positive, whole_ms
from pyredisson.protocol.objects.pages import in_parts
from pyredisson.protocol.worker.outcome import Fate

T = TypeVar("T")
V = TypeVar("V")


class AsyncSettler(AsyncNamedObject, Generic[V]):
    """The steps that end a delivery, or extend its lease."""

    _reply_timeout: float | None = None
    """The longest time of a check, in seconds, if its caller has other consumers, or None."""
    _protocol: ConsumerProtocol
    _wire_format: WireFormat
    _make_name: Callable[[], str]
    _closed: bool
    _emit: Callable[..., None] | None
    """Calls a hook by its name, and for a worker counts the event."""
    _initial_lease_ms: int
    """The lease of a taken message, in ms."""
    _clock_sample: tuple[int, float]
    """A server time in ms, and a monotonic time (s) at which the server had reached it."""

    @property
    def key(self) -> str:
        """The name of the queue in Redis."""
        return self._main_key

    @property
    def consumer_name(self) -> str:
        """The name of this consumer in the results of `in_flight`."""
        return self._make_name()

    def _closed_error(self) -> ClosedError:
        """Return the error that says why the consumer takes no messages now."""
        if self._closed:
            return ClosedError(f"this consumer of {self.name!r} is closed")
        return ClosedError(f"this consumer of {self.name!r} no longer waits for messages")

    @property
    def _naming(self) -> Naming:
        """The prefix of the consumer's tokens, and when to store the consumer's name in Redis."""
        raise NotImplementedError

    def _name_to_store(self, lease_ms: int, wait: float = 0.0) -> bytes | None:
        """Return the consumer's number and name if a script must store them, otherwise None."""
        naming = self._naming
        if not naming.due(monotonic(), lease_ms / 1000, wait):
            return None
        return naming.number + self.consumer_name.encode()

    async def _reader(self, messages: Sequence[AsyncMessage[V]]) -> Callable[[AsyncMessage[V]], V]:
        """Return a function that decodes these messages."""
        raise NotImplementedError

    async def ack_many(self, messages: Sequence[AsyncMessage[V]]) -> list[bool]:
        """Acknowledge messages of this consumer.

        Returns:
            For each message whether it is acknowledged, by this call or an earlier one without a
            reply. Otherwise its lease had ended, and it is redelivered; or it was settled before.

        Raises:
            NotReplicatedError: they are acknowledged, but not confirmed as `durable` requires.
            ServerError: it is unknown which messages are acknowledged; call again.
        """
        if not messages:
            return []
        tokens = [message._token for message in messages]
        ack = acknowledged(self._protocol.ack(tokens), self._durable, self.name)
        try:
            done = await self._link.request(ack)
        except NotReplicatedError as error:
            error.results = await known_async(self._link, messages, Fate.DONE, error.results)
            raise
        except BaseException as error:
            tried(messages, Fate.DONE, error)
            raise
        found = await known_async(self._link, messages, Fate.DONE, done)
        if self._durable is not None and found != done:  # an earlier try had no reply
            again = touch(self._protocol.names.queue.name, found)
            return await self._link.request(acknowledged(again, self._durable, self.name))
        return found

    async def extend_many(self, messages: Sequence[AsyncMessage[V]], lease: Seconds) -> list[bool]:
        """Extend leases to `lease` seconds from now; return for each whether it was valid."""
        if not messages:
            return []
        return await self._extend(messages, milliseconds(lease))

    async def _extend(
        self, messages: Sequence[AsyncMessage[V]], lease_ms: int, reply_timeout: float | None = None
    ) -> list[bool]:
        tokens, (seen_ms, seen) = [message._token for message in messages], self._clock_sample
        ends_ms = seen_ms + (monotonic() - seen) * 1000 + lease_ms
        extend = self._protocol.extend(tokens, lease_ms, self._name_to_store(lease_ms))
        valid = await self._request(extend, reply_timeout)
        if any(valid):
            self._naming.noted()
        for message, held in zip(messages, valid, strict=True):
            if held:
                message._extended_ms = max(message._extended_ms, ends_ms)
        return valid

    async def _request(self, operation: Eval[T], reply_timeout: float | None) -> T:
        if reply_timeout is None:
            return await self._link.request(operation)
        return await request_with_timeout_async(self._link, operation, reply_timeout)

    async def _requeue(self, token: bytes, delay: Seconds, *, started: bool) -> bool:
        delay_ms = whole_ms(not_negative(delay, "delay", LONGEST_DELAY), "delay")
        if delay_ms == 0:
            release = self._protocol.release([token], started=started)
            return (await self._link.request(release))[0]
        postpone = self._protocol.postpone(
            token, delay_ms, os.urandom(8), self._wire_format, started=started
        )
        announced, queue = self._context.transfers.announced, self._protocol.names.queue
        try:
            due = await self._link.request(postpone)
        except BaseException:
            announced(queue, 0)  # it may be pending: the transfer task must check
            raise
        if due:
            announced(queue, due)
        return due > 0

    async def _rejected(self, token: bytes, reason: str, traceback: str | None) -> bool:
        return await self._link.request(self._protocol.reject(token, reason, traceback))

    async def _forget(self, tokens: Sequence[bytes]) -> list[bool]:
        """Remove messages that no caller should get."""
        return await self._link.request(self._protocol.ack(tokens))

    async def release(self, messages: Sequence[AsyncMessage[V]]) -> list[bool]:
        """Release messages whose handling has not started; these deliveries are no attempts.

        Returns:
            For each message whether its lease was still valid.
        """
        done: list[bool] = []
        deliveries = [message._delivery for message in messages]
        for part in reversed([*in_parts(deliveries, lambda each: len(each.raw), MAX_MESSAGES)]):
            done = await self._link.request(self._protocol.release_unstarted(part)) + done
        return done


def milliseconds(lease: Seconds) -> int:
    """Return the length of a lease in milliseconds."""
    return whole_ms(positive(lease, "lease", LONGEST_DELAY), "lease")
