"""Messages for tests that call a handler without a queue and a server.

The rule: a fake message is an instance of the real class, and its consumer only records the calls.
So it has no attribute but `calls` that a real message does not have.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple, TypeVar

from pyredisson import AsyncMessage, Message
from pyredisson._async.consumers.message import known_async
from pyredisson._sync.consumers.message import known
from pyredisson.protocol.consumers.delivery import Delivery
from pyredisson.protocol.kernel.due import Seconds, moment_us
from pyredisson.protocol.worker.outcome import Fate

__all__ = ["AsyncFakeMessage", "Call", "FakeMessage"]

V = TypeVar("V")


class Call(NamedTuple):
    """A call of a method of a message: its name ("ack", "nack", ...) and its arguments."""

    name: str
    arguments: tuple[Any, ...] = ()


class _Link:
    """A link without connections."""

    def at_hand(self, key: str) -> None:
        """Return None, as a link does that knows no server of the key."""


class _Recorder:
    """A consumer that records the calls of the methods of its messages."""

    _initial_lease_ms = 30_000
    consumer_name = "fake"

    def __init__(self, queue: str, *, lease_ended: bool) -> None:
        self.name = self.key = queue
        self._held = not lease_ended
        self._link: Any = _Link()
        self.calls: list[Call] = []

    def _record(self, name: str, *arguments: Any) -> bool:
        self.calls.append(Call(name, arguments))
        return self._held

    def _requeued(self, delay: Seconds, *, started: bool) -> bool:
        return self._record("nack" if started else "defer", delay)


class _Consumer(_Recorder):
    def ack_many(self, messages: Sequence[Message[Any]]) -> list[bool]:
        done = [self._record("ack") for _ in messages]
        return known(self._link, messages, Fate.DONE, done)

    def extend_many(self, messages: Sequence[Message[Any]], lease: Seconds) -> list[bool]:
        return [self._record("extend", lease) for _ in messages]

    def release(self, messages: Sequence[Message[Any]]) -> list[bool]:
        done = [self._record("release") for _ in messages]
        return known(self._link, messages, Fate.DEFER, done)

    def _requeue(self, token: bytes, delay: Seconds, *, started: bool) -> bool:
        return self._requeued(delay, started=started)

    def _rejected(self, token: bytes, reason: str, traceback: str | None) -> bool:
        return self._record("reject", reason, traceback)


class _AsyncConsumer(_Recorder):
    async def ack_many(self, messages: Sequence[AsyncMessage[Any]]) -> list[bool]:
        done = [self._record("ack") for _ in messages]
        return await known_async(self._link, messages, Fate.DONE, done)

    async def extend_many(
        self, messages: Sequence[AsyncMessage[Any]], lease: Seconds
    ) -> list[bool]:
        return [self._record("extend", lease) for _ in messages]

    async def release(self, messages: Sequence[AsyncMessage[Any]]) -> list[bool]:
        done = [self._record("release") for _ in messages]
        return await known_async(self._link, messages, Fate.DEFER, done)

    async def _requeue(self, token: bytes, delay: Seconds, *, started: bool) -> bool:
        return self._requeued(delay, started=started)

    async def _rejected(self, token: bytes, reason: str, traceback: str | None) -> bool:
        return self._record("reject", reason, traceback)


class FakeMessage(Message[V]):
    """A message that records the calls of its methods.

    Args:
        value: its value.
        attempt: the number of the delivery, from 1.
        raw: the bytes of the value.
        due_at: when it was due, an aware datetime; None if that is not known.
        received_at: when it was taken, an aware datetime; None for the current time.
        queue: the name of its queue.
        lease_ended: whether the methods that settle it or extend its lease return False, as after
            the end of a lease.
    """

    __slots__ = ("calls",)

    def __init__(
        self,
        value: V,
        *,
        attempt: int = 1,
        raw: bytes = b"",
        due_at: datetime | None = None,
        received_at: datetime | None = None,
        queue: str = "queue",
        lease_ended: bool = False,
    ) -> None:
        consumer = _Consumer(queue, lease_ended=lease_ended)
        super().__init__(consumer, _delivery(attempt, raw, due_at, received_at), 0.0)
        self._value = value
        self.calls = consumer.calls
        """The calls of its methods, in their order."""


class AsyncFakeMessage(AsyncMessage[V]):
    """A message for asyncio that records the calls of its methods.

    Its arguments are those of `FakeMessage`.
    """

    __slots__ = ("calls",)

    def __init__(
        self,
        value: V,
        *,
        attempt: int = 1,
        raw: bytes = b"",
        due_at: datetime | None = None,
        received_at: datetime | None = None,
        queue: str = "queue",
        lease_ended: bool = False,
    ) -> None:
        consumer = _AsyncConsumer(queue, lease_ended=lease_ended)
        super().__init__(consumer, _delivery(attempt, raw, due_at, received_at), 0.0)
        self._value = value
        self.calls = consumer.calls
        """The calls of its methods, in their order."""


def _delivery(
    attempt: int, raw: bytes, due_at: datetime | None, received_at: datetime | None
) -> Delivery:
    taken_ms = moment_us(received_at or datetime.now(UTC), "received_at") // 1000
    due_ms = 0 if due_at is None else moment_us(due_at, "due_at") // 1000
    return Delivery(os.urandom(20), os.urandom(16), attempt, taken_ms, taken_ms, due_ms, raw)
