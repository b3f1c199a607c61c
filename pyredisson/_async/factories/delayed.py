"""The factories of delayed queues, and of the objects that are built on a delayed queue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, overload

from pyredisson._async.factories.objects import AsyncFactories
from pyredisson.codecs.base import Codec
from pyredisson.protocol.delayed.options import DelayedQueueOptions
from pyredisson.protocol.kernel.due import Seconds
from pyredisson.protocol.kernel.durable import Durable
from pyredisson.protocol.objects.encoding import require_bound
from pyredisson.protocol.poison.undecodable import OnUndecodable

if TYPE_CHECKING:
    from pyredisson._async.delayed.delayed_queue import AsyncDelayedQueue
    from pyredisson._async.queues.queue import AsyncQueue
    from pyredisson._async.schedules.schedule import AsyncSchedule
    from pyredisson._async.sharded.queue import AsyncShardedQueue
    from pyredisson._async.windows.window import AsyncGroupWindow
    from pyredisson.protocol.delayed.bounded import WhenExpired, WhenFull
    from pyredisson.protocol.delayed.entry import WireFormat

V = TypeVar("V")

_UNBOUNDED = (None, "raise", None, None, "dead")


class AsyncDelayedFactories(AsyncFactories):
    """The factories of RDelayedQueue, group windows, schedules and sharded queues."""

    def get_delayed_queue(
        self,
        target: AsyncQueue[V],
        *,
        transfer: bool = True,
        wire_format: str | WireFormat | None = None,
        max_bytes: int | None = None,
        max_size: int | None = None,
        when_full: WhenFull = "raise",
        full_timeout: Seconds | None = None,
        expire_after: Seconds | None = None,
        when_expired: WhenExpired = "dead",
        durable: Durable | None = None,
    ) -> AsyncDelayedQueue[V]:
        """Return a delayed queue, Redisson's RDelayedQueue, whose due items go to `target`.

        Args:
            target: the queue from `get_queue` and the like; its codec also encodes pending items.
            transfer: whether this client transfers due items, also items that other clients
                offered, until the delayed queue is destroyed or the client is closed.
            wire_format: the Redisson release to write for; None for the client's `wire_format`.
            max_bytes: the longest encoded value to accept, in bytes; None for the client's limit.
            max_size: how many items may be pending or in the target queue, counted together; None
                for no limit.
            when_full: what an offer does if there is no room: "raise" raises a `QueueFullError`,
                "wait" waits for room.
            full_timeout: the longest wait for room with "wait", in seconds or as a timedelta; None
                for no limit.
            expire_after: how long after its due time an item expires if it was not taken, in
                seconds or as a timedelta; None for never. pyredisson consumers get no expired item.
            when_expired: "dead" makes an expired item a dead letter, "drop" removes the item.
            durable: the confirmation (replicas, disks) that each offer waits for; None for no wait.

        Raises:
            InvalidNameError: in a cluster, the keys would be in several slots.
            TypeError, ValueError: `target` is not a queue of this client, an option is not valid,
                or an option needs another one that is missing.
        """
        from pyredisson._async.delayed.delayed_queue import AsyncDelayedQueue  # noqa: PLC0415 - seldom
        from pyredisson._async.queues.queue import AsyncQueue  # noqa: PLC0415 - seldom

        if not isinstance(target, AsyncQueue):
            raise TypeError(
                f"get_delayed_queue() needs the target that get_queue() returns, got {target!r}"
            )
        self._objects.own(target, "get_delayed_queue")
        options = DelayedQueueOptions(
            transfer,
            self._objects.wire_format(wire_format),
            require_bound(max_bytes, "max_bytes"),
            durable,
        )
        context = self._objects.context
        bounds = (max_size, when_full, full_timeout, expire_after, when_expired)
        if bounds != _UNBOUNDED:
            from pyredisson._async.delayed.bounded import AsyncBoundedDelayedQueue  # noqa: PLC0415 - seldom
            from pyredisson.protocol.delayed.bounded import Bound  # noqa: PLC0415 - seldom

            return AsyncBoundedDelayedQueue(context, target, options, Bound.of(*bounds))
        return AsyncDelayedQueue(context, target, options)

    @overload
    def get_sharded_queue(
        self,
        name: str,
        shards: int = 16,
        codec: None = None,
        *,
        transfer: bool = True,
        wire_format: str | WireFormat | None = None,
        on_undecodable: OnUndecodable | None = None,
        durable: Durable | None = None,
    ) -> AsyncShardedQueue[Any]: ...

    @overload
    def get_sharded_queue(
        self,
        name: str,
        shards: int = 16,
        *,
        codec: Codec[V],
        transfer: bool = True,
        wire_format: str | WireFormat | None = None,
        on_undecodable: OnUndecodable | None = None,
        durable: Durable | None = None,
    ) -> AsyncShardedQueue[V]: ...

    def get_sharded_queue(
        self,
        name: str,
        shards: int = 16,
        codec: Codec[Any] | None = None,
        *,
        transfer: bool = True,
        wire_format: str | WireFormat | None = None,
        on_undecodable: OnUndecodable | None = None,
        durable: Durable | None = None,
    ) -> AsyncShardedQueue[Any]:
        """Return one logical queue that is spread over the slots of a cluster.

        Each shard is a blocking queue with a delayed queue of its own. The first three shards of
        "orders" are "orders:00", "orders:10" and "orders:20". Java can use each of them as a queue.

        Args:
            name: the name of the queue, without "{": a "{" would put all shards into one slot.
            shards: the number of shards, 1 to 100; 16 by default. All clients that offer
                with a key must use the same number.
            codec: encodes the values; None for the client's codec.
            transfer: whether this client transfers due items.
            wire_format: as for `get_delayed_queue`.
            on_undecodable: as for `get_queue`.
            durable: as for `get_delayed_queue`.

        Raises:
            InvalidNameError: all shards would be in one slot.
            TypeError, ValueError: an argument has the wrong type, or is not valid.
        """
        from pyredisson._async.queues.blocking_queue import AsyncBlockingQueue  # noqa: PLC0415 - seldom
        from pyredisson._async.sharded.queue import AsyncShardedQueue  # noqa: PLC0415 - seldom
        from pyredisson.protocol.kernel.shards import shard_names  # noqa: PLC0415 - seldom

        queues = [
            self._objects.make(AsyncBlockingQueue, each, codec, on_undecodable)
            for each in shard_names(name, shards)
        ]
        delayed = [
            self.get_delayed_queue(
                queue, transfer=transfer, wire_format=wire_format, durable=durable
            )
            for queue in queues
        ]
        return AsyncShardedQueue(self._objects.context, name, queues, delayed)

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
        """Return a group window: it collects values by key and delivers each group as one message.

        All clients that offer to a window must use the same `size` and `max_wait`: each offer
        applies the numbers of the client that makes it.

        Args:
            queue: a queue that only the window uses, or a delayed queue with such a target queue.
            size: the number of values at which a group is delivered, 1 to 10,000.
            max_wait: the time after its first value at which a smaller group is delivered, in
                seconds or as a timedelta.
            codec: encodes the values; None for the queue's codec. In either case the queue's codec
                encodes a str for each group.
            wire_format: as for `get_delayed_queue`.
            transfer: whether this client transfers due items.
            durable: as for `get_delayed_queue`.

        Raises:
            InvalidNameError: in a cluster, the keys would be in several slots.
            TypeError, ValueError: `queue` is not a queue of this client, its codec cannot encode a
                str, or another argument is not valid.
        """
        from pyredisson._async.windows.window import AsyncGroupWindow  # noqa: PLC0415 - seldom

        target = self._objects.target_of(queue, "get_group_window")
        return AsyncGroupWindow(
            self._objects.context,
            target,
            size=size,
            max_wait=max_wait,
            codec=target.codec if codec is None else self._objects.for_release(codec),
            wire_format=self._objects.wire_format(wire_format),
            transfer=transfer,
            durable=durable,
        )

    def get_schedule(
        self, queue: AsyncDelayedQueue[V], *, advance: bool = True
    ) -> AsyncSchedule[V]:
        """Return the schedule of a delayed queue, for recurring work.

        Args:
            queue: the delayed queue in which the next occurrence of each entry is pending.
            advance: whether this client advances all entries of the schedule: after an occurrence
                is due, it offers the next one, until the schedule is destroyed or the client is
                closed. Other clients may do the same.

        Raises:
            TypeError, ValueError: `queue` is not a delayed queue of this client.
        """
        from pyredisson._async.delayed.delayed_queue import AsyncDelayedQueue  # noqa: PLC0415 - seldom
        from pyredisson._async.schedules.schedule import AsyncSchedule  # noqa: PLC0415 - seldom

        if not isinstance(queue, AsyncDelayedQueue):
            raise TypeError(
                f"get_schedule() needs a queue that get_delayed_queue() returns, got {queue!r}"
            )
        self._objects.own(queue, "get_schedule")
        return AsyncSchedule(self._objects.context, queue, advance=advance)
