"""Group windows: values are collected in groups by key; a full or due group becomes one message.

The rule: a window only offers, lists and cancels. A consumer takes the groups, as from any other
queue, and reads their values.
"""

from __future__ import annotations

import logging
import os
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Generic, TypeVar

from pyredisson._async.consumers.consumer import AsyncConsumer
from pyredisson._async.consumers.in_flight import in_flight_async
from pyredisson._async.consumers.message import AsyncMessage
from pyredisson._async.consumers.message_source import AsyncMessageSource
from pyredisson._async.consumers.prefetched import SpareError
from pyredisson._async.context import AsyncContext
from pyredisson._async.dead_letters.dead_letters import AsyncDeadLetters
from pyredisson._async.objects.named_object import AsyncNamedObject
from pyredisson._async.queues.queue import AsyncQueue
from pyredisson.codecs.base import Codec
from pyredisson.protocol.consumers.in_flight import Held, InFlight, in_flight_of
from pyredisson.protocol.consumers.options import ConsumerOptions
from pyredisson.protocol.dead_letters.dead_letters import DeadLetter
from pyredisson.protocol.delayed.entry import WireFormat
from pyredisson.protocol.kernel.due import LONGEST_DELAY, Seconds, due_ms, positive
from pyredisson.protocol.kernel.durable import Durable, require_durable
from pyredisson.protocol.kernel.log_fields import about
from pyredisson.protocol.kernel.names import QueueNames, WindowNames
from pyredisson.protocol.objects.encoding import encoder
from pyredisson.protocol.windows.window import (
    COPY,
    LARGEST,
    Group,
    GroupLettersProtocol,
    GroupsProtocol,
    GroupState,
    WindowProtocol,
    collected,
    group_of,
    is_text,
    require_texts,
    whole_group,
)

V = TypeVar("V")
log = logging.getLogger("pyredisson")


class AsyncGroupWindow(
    AsyncMessageSource[AsyncConsumer[Group[V]], AsyncDeadLetters[Group[V]]],
    AsyncNamedObject,
    Generic[V],
):
    """Collects values by key into groups; a group is delivered when it is full or due.

    The queue belongs to the window: each value of the queue is the token of a group, a text. The
    consumer of `get_consumer(window)`, or a worker, takes groups.
    """

    _kind = "a queue"

    def __init__(
        self,
        context: AsyncContext,
        queue: AsyncQueue[Any],
        *,
        size: int,
        max_wait: Seconds,
        codec: Codec[V],
        wire_format: WireFormat,
        transfer: bool,
        durable: Durable | None = None,
    ) -> None:
        if isinstance(size, bool) or not isinstance(size, int):
            raise TypeError(f"size must be a number of values, not {size!r}")
        if not 1 <= size <= LARGEST:
            raise ValueError(f"size must be from 1 to {LARGEST}, not {size!r}")
        positive(max_wait, "max_wait", LONGEST_DELAY)
        self._size = size
        self._max_wait_ms = due_ms(max_wait, None, 0)
        require_texts(queue.codec)
        self._durable = require_durable(durable)
        self._queue = queue
        self._codec = codec
        self._wire_format = wire_format
        super().__init__(context, queue.name)
        self._transfers = transfer
        if transfer:
            context.transfers.acquire(self._names.consumer.queue)

    def _keys_of(self, name: str) -> dict[str, str]:
        names = WindowNames.of(name)
        return {names.started: "hash", names.groups: "hash"}

    def _one_slot(self, name: str) -> Iterable[str]:
        return (*QueueNames.of(name).keys(), *self._keys_of(name))

    def _bind(self, name: str) -> None:
        super()._bind(name)
        self._names = names = WindowNames.of(self._redis_name)
        self._encode = encoder(self._codec, self._redis_name, self._context.max_bytes)
        self._protocol = WindowProtocol(names, self._queue.codec, self._wire_format)

    def _others_of(self, name: str) -> dict[str, str]:
        queue = QueueNames.of(name)
        return {name: "list", queue.delay_list: "list", queue.timeout_set: "zset"}

    def __repr__(self) -> str:
        kind, name = type(self).__name__, self._names.consumer.queue.name
        limits = f"size={self._size} max_wait={self._max_wait_ms / 1000:g}"
        return f"<{kind} {name!r} {limits} {self._codec!r}>"

    @property
    def queue(self) -> AsyncQueue[Any]:
        """The queue to which groups are transferred."""
        return self._queue

    @property
    def codec(self) -> Codec[V]:
        """The codec of the values."""
        return self._codec

    async def offer(self, key: str, value: V) -> GroupState:
        """Add a value to the open group of a key; open a group if there is none.

        Args:
            key: the key of the group.
            value: any value that the codec can encode.

        Returns:
            The group: its id, the number of its values, when it is due, and whether this value
            has filled it.

        Raises:
            EncodeError, MessageTooLongError, TypeError: the value was not sent.
            ServerError: if no reply came, the value may be stored, and another offer may store it
                twice.
            NotReplicatedError: the value is stored, but not confirmed as `durable` requires.
        """
        data = self._encode(value)
        encoded = _encoded(key)
        offer = self._protocol.offer(encoded, data, self._size, self._max_wait_ms, os.urandom(24))
        announced, queue = self._context.transfers.announced, self._names.consumer.queue
        try:
            state, started = await self._run(collected(offer, self._durable, key))
        except BaseException:
            announced(queue, 0)  # the value may be stored: the transfer task must check
            raise
        if started and not state.closed:
            announced(queue, due_ms(None, state.due_at, 0))
        return state

    async def cancel(self, key: str) -> int:
        """Cancel the open group of a key; return the number of its values, 0 if none is open."""
        return await self._run(self._protocol.cancel(_encoded(key)))

    async def pending(self) -> list[GroupState]:
        """Return the open groups, the earliest due time first; read in pages."""
        found: dict[str, GroupState] = {}
        cursor = -1
        while cursor != 0:
            cursor, states = await self._run(self._protocol.pending(max(cursor, 0)))
            found.update((state.id, state) for state in states)
        return sorted(found.values(), key=lambda state: (state.due_at, state.key))

    async def in_flight(self, limit: int = 1000) -> list[InFlight[Group[V]]]:
        """Return the groups that consumers hold, in the order in which their leases end.

        It reads pages and changes nothing. A message that is taken or settled meanwhile may be in
        the list or not.

        Args:
            limit: the largest number of groups.
        """
        return await in_flight_async(self._run, self._names.consumer, limit, self._read_held)

    async def _read_held(self, held: list[Held]) -> list[InFlight[Group[V]]]:
        groups = GroupsProtocol.of(self._names)
        raw_values, stored = [each.delivery.raw for each in held], list[Any]()
        while left := raw_values[len(stored) :]:
            found = await self._run(groups.read(left))
            stored += found
        return [
            in_flight_of(each, *group_of(group, each.delivery.raw, self._codec))
            for each, group in zip(held, stored, strict=True)
        ]

    def _consumer(self, options: ConsumerOptions) -> AsyncConsumer[Group[V]]:
        return AsyncGroupConsumer(self._context, self, options)

    def _dead_letters(self) -> AsyncDeadLetters[Group[V]]:
        return AsyncGroupLetters(self._context, self)

    def destroy(self) -> None:
        """Release this object's share in the transfer task; a second call does nothing."""
        if self._transfers:
            self._transfers = False
            self._context.transfers.release(self._names.consumer.queue)


class AsyncGroupConsumer(AsyncConsumer[Group[V]]):
    """A consumer of a window's groups: an acknowledgement also deletes the values."""

    _protocol: GroupsProtocol

    def __init__(
        self, context: AsyncContext, window: AsyncGroupWindow[V], options: ConsumerOptions
    ) -> None:
        self._codec = window.codec
        super().__init__(context, window.queue, options)

    def _bind(self, name: str) -> None:
        super()._bind(name)
        due_times = self._context.due_times
        self._protocol = GroupsProtocol.of(WindowNames.of(self._redis_name), due_times=due_times)

    async def _reader(
        self, messages: Sequence[AsyncMessage[Group[V]]]
    ) -> Callable[[AsyncMessage[Group[V]]], Group[V]]:
        """Close and fetch groups, and return a function that decodes them."""
        found = await self._link.request(self._protocol.hold([each._delivery for each in messages]))
        groups = dict(zip(messages, found, strict=True))

        def read(message: AsyncMessage[Group[V]]) -> Group[V]:
            stored, raw = groups[message], message.raw
            if stored == COPY:
                raise SpareError
            if stored is None and is_text(self._queue.codec, raw):
                log.warning(
                    "queue %r: dropped %r, whose group was acknowledged, cancelled or lost",
                    self.name,
                    raw,
                    extra=about(self.key, message),
                )
                raise SpareError
            return whole_group(stored, raw, self._codec)

        return read

    async def _forget(self, tokens: Sequence[bytes]) -> list[bool]:
        """Acknowledge messages, but keep their groups."""
        return await self._link.request(self._protocol.forget(tokens))


class AsyncGroupLetters(AsyncDeadLetters[Group[V]]):
    """The dead letters of a window: each is a group. `drop` also deletes the group's values."""

    def __init__(self, context: AsyncContext, window: AsyncGroupWindow[V]) -> None:
        self._values = window.codec
        super().__init__(context, window.queue)

    def _bind(self, name: str) -> None:
        super()._bind(name)
        self._protocol = GroupLettersProtocol.of(WindowNames.of(self._redis_name), self._codec)

    async def __aiter__(self) -> AsyncIterator[DeadLetter[Group[V]]]:
        """Iterate over the letters, read in pages."""
        groups = GroupsProtocol.of(WindowNames.of(self._redis_name))
        async for letter in super().__aiter__():
            [stored] = await self._run(groups.read([letter.raw]))
            group, error = group_of(stored, letter.raw, self._values)
            yield replace(letter, value=group, error=error)


def _encoded(key: str) -> bytes:
    if not isinstance(key, str):
        raise TypeError(f"the key of a group must be str, not {key!r}")
    return key.encode()
