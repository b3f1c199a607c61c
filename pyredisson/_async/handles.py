"""What a client hands out: a handle for each object, with the codec and the settings of the client.

A handle is cheap and opens nothing.
"""

from __future__ import annotations

from functools import partial
from typing import Any, TypeVar, overload

from pyredisson._async.context import AsyncContext
from pyredisson._async.objects.blocking_deque import AsyncBlockingDeque
from pyredisson._async.objects.blocking_queue import AsyncBlockingQueue
from pyredisson._async.objects.bounded import AsyncBoundedDelayedQueue
from pyredisson._async.objects.bucket import AsyncBucket
from pyredisson._async.objects.consumer import AsyncConsumer
from pyredisson._async.objects.dead_letters import AsyncDeadLetters
from pyredisson._async.objects.delayed_queue import AsyncDelayedQueue
from pyredisson._async.objects.delivering import AsyncDelivering
from pyredisson._async.objects.deque import AsyncDeque
from pyredisson._async.objects.poison import AsyncPoison
from pyredisson._async.objects.queue import AsyncQueue
from pyredisson._async.objects.schedule import AsyncSchedule
from pyredisson._async.objects.window import AsyncGroupWindow
from pyredisson.codecs.base import Codec, require_codec
from pyredisson.codecs.default import default_codec
from pyredisson.protocol.due import Seconds
from pyredisson.protocol.durable import Durable
from pyredisson.protocol.objects.bounded import Bound, WhenExpired, WhenFull
from pyredisson.protocol.objects.member import WireFormat
from pyredisson.protocol.objects.poison import OnUndecodable
from pyredisson.protocol.objects.spelling import require_bound

V = TypeVar("V")


class AsyncHandles:
    """The objects of one client."""

    _context: AsyncContext
    _codec: Codec[Any] | None
    _release: str | None

    def _codec_or_default(self, codec: Codec[Any] | None) -> Codec[Any]:
        if codec is not None:
            return self._for_release(codec)
        if self._codec is None:
            self._codec = default_codec(self._release)
        return self._codec

    def _for_release(self, codec: Codec[Any]) -> Codec[Any]:
        codec = require_codec(codec, "a queue")
        return codec if self._release is None else codec.for_release(self._release)

    @overload
    def get_queue(
        self, name: str, codec: Codec[V], *, on_undecodable: OnUndecodable | None = None
    ) -> AsyncQueue[V]: ...

    @overload
    def get_queue(
        self, name: str, codec: None = None, *, on_undecodable: OnUndecodable | None = None
    ) -> AsyncQueue[Any]: ...

    def get_queue(
        self,
        name: str,
        codec: Codec[Any] | None = None,
        *,
        on_undecodable: OnUndecodable | None = None,
    ) -> AsyncQueue[Any]:
        """Return a handle for RQueue; what it is not given it has from the client."""
        codec = self._codec_or_default(codec)
        return AsyncQueue(self._context, name, codec, on_undecodable)

    @overload
    def get_deque(
        self, name: str, codec: Codec[V], *, on_undecodable: OnUndecodable | None = None
    ) -> AsyncDeque[V]: ...

    @overload
    def get_deque(
        self, name: str, codec: None = None, *, on_undecodable: OnUndecodable | None = None
    ) -> AsyncDeque[Any]: ...

    def get_deque(
        self,
        name: str,
        codec: Codec[Any] | None = None,
        *,
        on_undecodable: OnUndecodable | None = None,
    ) -> AsyncDeque[Any]:
        """Return a handle for RDeque; what it is not given it has from the client."""
        codec = self._codec_or_default(codec)
        return AsyncDeque(self._context, name, codec, on_undecodable)

    @overload
    def get_blocking_queue(
        self, name: str, codec: Codec[V], *, on_undecodable: OnUndecodable | None = None
    ) -> AsyncBlockingQueue[V]: ...

    @overload
    def get_blocking_queue(
        self, name: str, codec: None = None, *, on_undecodable: OnUndecodable | None = None
    ) -> AsyncBlockingQueue[Any]: ...

    def get_blocking_queue(
        self,
        name: str,
        codec: Codec[Any] | None = None,
        *,
        on_undecodable: OnUndecodable | None = None,
    ) -> AsyncBlockingQueue[Any]:
        """Return a handle for RBlockingQueue; what it is not given it has from the client."""
        codec = self._codec_or_default(codec)
        return AsyncBlockingQueue(self._context, name, codec, on_undecodable)

    @overload
    def get_blocking_deque(
        self, name: str, codec: Codec[V], *, on_undecodable: OnUndecodable | None = None
    ) -> AsyncBlockingDeque[V]: ...

    @overload
    def get_blocking_deque(
        self, name: str, codec: None = None, *, on_undecodable: OnUndecodable | None = None
    ) -> AsyncBlockingDeque[Any]: ...

    def get_blocking_deque(
        self,
        name: str,
        codec: Codec[Any] | None = None,
        *,
        on_undecodable: OnUndecodable | None = None,
    ) -> AsyncBlockingDeque[Any]:
        """Return a handle for RBlockingDeque; what it is not given it has from the client."""
        codec = self._codec_or_default(codec)
        return AsyncBlockingDeque(self._context, name, codec, on_undecodable)

    @overload
    def get_bucket(self, name: str, codec: Codec[V]) -> AsyncBucket[V]: ...

    @overload
    def get_bucket(self, name: str, codec: None = None) -> AsyncBucket[Any]: ...

    def get_bucket(self, name: str, codec: Codec[Any] | None = None) -> AsyncBucket[Any]:
        """Return a handle for RBucket; without a codec of its own it has the client's."""
        return AsyncBucket(self._context, name, self._codec_or_default(codec))

    def get_delayed_queue(
        self,
        target: AsyncQueue[V],
        *,
        transfer: bool = True,
        wire_format: str | WireFormat | None = None,
        max_bytes: int | None = None,
        max_size: int | None = None,
        when_full: WhenFull = "refuse",
        timeout: Seconds | None = None,
        expires: Seconds | None = None,
        when_expired: WhenExpired = "dead",
        durable: Durable | None = None,
    ) -> AsyncDelayedQueue[V]:
        """Return a handle for RDelayedQueue, whose due items go to `target`.

        Unless `transfer` is False, this client moves what is due, whoever
        offered it, until the handle is destroyed or the client closed.

        Args:
            target: what `get_queue` and the like returned; its codec spells what is pending, too.
            transfer: whether this client moves what is due.
            wire_format: the Redisson release to write for, if not the client's.
            max_bytes: refuse to offer a value that is longer, spelled, if not the client's bound.
            max_size: so many items may wait when one is offered, pending and in the target.
            when_full: then an offer is refused with a `QueueFullError`, or waits for room.
            timeout: so long it waits, and is refused then; None waits as long as it takes.
            expires: what nobody took so long after it was due is not handed out any more.
            when_expired: then it is a dead letter, or dropped.
            durable: what confirms an offer before it returns.

        Raises:
            InvalidNameError: in a cluster, when the keys would be in several slots.
            TypeError, ValueError: the target is no queue of this kind of client, or a bad bound.
        """
        if not isinstance(target, AsyncQueue):
            raise TypeError(
                f"get_delayed_queue() takes the target as get_queue() returns it, not {target!r}"
            )
        chosen = self._context.wire_format if wire_format is None else WireFormat.of(wire_format)
        options: dict[str, Any] = {"transfer": transfer, "wire_format": chosen, "durable": durable}
        options["max_bytes"] = require_bound(max_bytes, "max_bytes")
        bound = Bound.of(max_size, when_full, timeout, expires, when_expired)
        if bound is not None:
            return AsyncBoundedDelayedQueue(self._context, target, bound, **options)
        return AsyncDelayedQueue(self._context, target, **options)

    def get_poison(self, queue: AsyncQueue[V] | AsyncDelayedQueue[V]) -> AsyncPoison[V]:
        """Return a handle for the poison list of a queue: look, put back, drop.

        Raises:
            InvalidNameError: in a cluster, when the queue and its list would be in two slots.
            TypeError: it is no queue of this kind of client.
        """
        return AsyncPoison(self._context, _target(queue, "get_poison"))

    def get_consumer(
        self,
        queue: AsyncQueue[V] | AsyncDelayedQueue[V] | AsyncDelivering[V],
        *,
        lease: Seconds = 30,
        prefetch: int = 1,
        wire_format: str | WireFormat | None = None,
        transfer: bool = True,
        durable: Durable | None = None,
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

        Raises:
            InvalidNameError: in a cluster, when the keys would be in several slots.
            TypeError, ValueError: it is no queue of this kind of client, or a bad number.
        """
        chosen = self._context.wire_format if wire_format is None else WireFormat.of(wire_format)
        make = (
            queue._consumer
            if isinstance(queue, AsyncDelivering)
            else partial(AsyncConsumer, self._context, _target(queue, "get_consumer"))
        )
        return make(
            lease=lease, prefetch=prefetch, wire_format=chosen, transfer=transfer, durable=durable
        )

    def get_dead_letters(
        self, queue: AsyncQueue[V] | AsyncDelayedQueue[V] | AsyncDelivering[V]
    ) -> AsyncDeadLetters[V]:
        """Return a handle for the dead letters of a queue or group window: look, redrive, drop.

        Raises:
            InvalidNameError: in a cluster, when the queue and its letters would be in two slots.
            TypeError: it is no queue of this kind of client.
        """
        if isinstance(queue, AsyncDelivering):
            return queue._dead_letters()
        return AsyncDeadLetters(self._context, _target(queue, "get_dead_letters"))

    @overload
    def get_group_window(
        self,
        queue: AsyncQueue[Any] | AsyncDelayedQueue[Any],
        *,
        size: int,
        after: Seconds,
        codec: Codec[V],
        wire_format: str | WireFormat | None = None,
        transfer: bool = True,
    ) -> AsyncGroupWindow[V]: ...

    @overload
    def get_group_window(
        self,
        queue: AsyncQueue[V] | AsyncDelayedQueue[V],
        *,
        size: int,
        after: Seconds,
        codec: None = None,
        wire_format: str | WireFormat | None = None,
        transfer: bool = True,
    ) -> AsyncGroupWindow[V]: ...

    def get_group_window(
        self,
        queue: AsyncQueue[Any] | AsyncDelayedQueue[Any],
        *,
        size: int,
        after: Seconds,
        codec: Codec[Any] | None = None,
        wire_format: str | WireFormat | None = None,
        transfer: bool = True,
    ) -> AsyncGroupWindow[Any]:
        """Return a window: values are collected by key, and delivered together, full or due.

        All who offer to it give the same `size` and `after`; an offer goes by its own.

        Args:
            queue: a queue that is the window's own; of a delayed queue its target is meant.
            size: a group is delivered when it has so many values, 1 to 10,000,
            after: or so long after its first one.
            codec: spells the values, if not the queue's, which spells a text for each group.
            wire_format: the Redisson release to write for, if not the client's.
            transfer: whether this client moves what is due.

        Raises:
            InvalidNameError: in a cluster, when the keys would be in several slots.
            TypeError, ValueError: it is no queue of this kind of client, its codec cannot spell
                texts, or a bad number.
        """
        target = _target(queue, "get_group_window")
        chosen = self._context.wire_format if wire_format is None else WireFormat.of(wire_format)
        return AsyncGroupWindow(
            self._context,
            target,
            size=size,
            after=after,
            codec=target.codec if codec is None else self._for_release(codec),
            wire_format=chosen,
            transfer=transfer,
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
        return AsyncSchedule(self._context, queue, advance=advance)


def _target(queue: AsyncQueue[V] | AsyncDelayedQueue[V], method: str) -> AsyncQueue[V]:
    target = queue.target if isinstance(queue, AsyncDelayedQueue) else queue
    if not isinstance(target, AsyncQueue):
        raise TypeError(f"{method}() takes a queue as get_queue() returns it, not {queue!r}")
    return target
