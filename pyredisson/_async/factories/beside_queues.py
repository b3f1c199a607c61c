"""What a client hands out for a queue that is there: its consumers and what they leave, and more.

The rule: who has none imports nothing of it.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, overload

import pyredisson
from pyredisson._async.consumers.message_source import AsyncMessageSource
from pyredisson._async.delayed.delayed_queue import AsyncDelayedQueue
from pyredisson._async.factories.queues import AsyncHandles
from pyredisson._async.queues.queue import AsyncQueue
from pyredisson.codecs.base import Codec
from pyredisson.protocol.delayed.entry import WireFormat
from pyredisson.protocol.kernel.due import Seconds
from pyredisson.protocol.kernel.durable import Durable

if TYPE_CHECKING:
    from pyredisson._async.consumers.consumer import AsyncConsumer
    from pyredisson._async.dead_letters.dead_letters import AsyncDeadLetters
    from pyredisson._async.poison.poison_list import AsyncPoisonList
    from pyredisson._async.schedules.schedule import AsyncSchedule
    from pyredisson._async.windows.window import AsyncGroupWindow

V = TypeVar("V")


class AsyncCompanions(AsyncHandles):
    """What stands beside a queue."""

    def get_poison_list(self, queue: AsyncQueue[V] | AsyncDelayedQueue[V]) -> AsyncPoisonList[V]:
        """Return a handle for the poison list of a queue: look, put back, drop.

        Raises:
            InvalidNameError: in a cluster, when the queue and its list would be in two slots.
            TypeError: it is no queue of this kind of client.
        """
        return pyredisson.AsyncPoisonList(self._context, _target(queue, "get_poison_list"))

    def get_consumer(
        self,
        queue: AsyncQueue[V] | AsyncDelayedQueue[V] | AsyncMessageSource[V],
        *,
        lease: Seconds = 30,
        prefetch: int = 1,
        wire_format: str | WireFormat | None = None,
        transfer: bool = True,
        durable: Durable | None = None,
        consumer_name: str | None = None,
    ) -> AsyncConsumer[V]:
        """Return a consumer whose messages come back unless they are acknowledged.

        Args:
            queue: any queue; a delayed queue, whose target is meant; or a group window, whose
                groups are the values.
            lease: so long a message is its consumer's; then somebody else gets it.
            prefetch: fetch up to so many at a time, 1 to 1000. They come back, too, when the
                consumer dies, and are given back when it is closed.
            wire_format: the release for which to write what is put back with a delay, if not
                the client's.
            transfer: whether this client moves what is due to the queue, and puts back what
                other consumers have left behind; another client may do that as well.
            durable: what confirms an acknowledgement before it returns.
            consumer_name: how `in_flight` calls it; by default by host, process and a number.

        Raises:
            InvalidNameError: in a cluster, when the keys would be in several slots.
            TypeError, ValueError: it is no queue of this kind of client, or a bad number.
        """
        chosen = self._context.wire_format if wire_format is None else WireFormat.of(wire_format)
        make = (
            queue._consumer
            if isinstance(queue, AsyncMessageSource)
            else partial(pyredisson.AsyncConsumer, self._context, _target(queue, "get_consumer"))
        )
        return make(
            lease=lease,
            prefetch=prefetch,
            wire_format=chosen,
            transfer=transfer,
            durable=durable,
            consumer_name=consumer_name,
        )

    def get_dead_letters(
        self, queue: AsyncQueue[V] | AsyncDelayedQueue[V] | AsyncMessageSource[V]
    ) -> AsyncDeadLetters[V]:
        """Return a handle for the dead letters of a queue or group window: look, redrive, drop.

        Raises:
            InvalidNameError: in a cluster, when the queue and its letters would be in two slots.
            TypeError: it is no queue of this kind of client.
        """
        if isinstance(queue, AsyncMessageSource):
            return queue._dead_letters()
        return pyredisson.AsyncDeadLetters(self._context, _target(queue, "get_dead_letters"))

    @overload
    def get_group_window(
        self,
        queue: AsyncQueue[Any] | AsyncDelayedQueue[Any],
        *,
        size: int,
        max_wait: Seconds,
        codec: Codec[V],
        wire_format: str | WireFormat | None = None,
        transfer: bool = True,
        durable: Durable | None = None,
    ) -> AsyncGroupWindow[V]: ...

    @overload
    def get_group_window(
        self,
        queue: AsyncQueue[V] | AsyncDelayedQueue[V],
        *,
        size: int,
        max_wait: Seconds,
        codec: None = None,
        wire_format: str | WireFormat | None = None,
        transfer: bool = True,
        durable: Durable | None = None,
    ) -> AsyncGroupWindow[V]: ...

    def get_group_window(
        self,
        queue: AsyncQueue[Any] | AsyncDelayedQueue[Any],
        *,
        size: int,
        max_wait: Seconds,
        codec: Codec[Any] | None = None,
        wire_format: str | WireFormat | None = None,
        transfer: bool = True,
        durable: Durable | None = None,
    ) -> AsyncGroupWindow[Any]:
        """Return a window: values are collected by key, and delivered together, full or due.

        All who offer to it give the same `size` and `max_wait`; an offer goes by its own.

        Args:
            queue: a queue that is the window's own; of a delayed queue its target is meant.
            size: a group is delivered when it has this many values, 1 to 10,000,
            max_wait: or this long after its first value, in seconds or as a timedelta.
            codec: encodes the values, if not the queue's, which encodes a text for each group.
            wire_format: the Redisson release to write for, if not the client's.
            transfer: whether this client moves what is due.
            durable: what confirms an offer; without it, it returns when the master has it.

        Raises:
            InvalidNameError: in a cluster, when the keys would be in several slots.
            TypeError, ValueError: it is no queue of this kind of client, its codec cannot encode
                texts, or a bad number.
        """
        target = _target(queue, "get_group_window")
        chosen = self._context.wire_format if wire_format is None else WireFormat.of(wire_format)
        return pyredisson.AsyncGroupWindow(
            self._context,
            target,
            size=size,
            max_wait=max_wait,
            codec=target.codec if codec is None else self._for_release(codec),
            wire_format=chosen,
            transfer=transfer,
            durable=durable,
        )

    def get_schedule(
        self, queue: AsyncDelayedQueue[V], *, advance: bool = True
    ) -> AsyncSchedule[V]:
        """Return a handle for the recurring work of a delayed queue.

        Args:
            queue: where each next occurrence is pending.
            advance: whether this client offers the one after it, for all entries, until the
                handle is destroyed or the client closed; another client may do that as well.

        Raises:
            TypeError: it is no delayed queue of this kind of client.
        """
        if not isinstance(queue, AsyncDelayedQueue):
            raise TypeError(
                f"get_schedule() takes a queue as get_delayed_queue() returns it, not {queue!r}"
            )
        return pyredisson.AsyncSchedule(self._context, queue, advance=advance)


def _target(queue: AsyncQueue[V] | AsyncDelayedQueue[V], method: str) -> AsyncQueue[V]:
    target = queue.target if isinstance(queue, AsyncDelayedQueue) else queue
    if not isinstance(target, AsyncQueue):
        raise TypeError(f"{method}() takes a queue as get_queue() returns it, not {queue!r}")
    return target
