"""The methods of a client that make delayed queues, and what is built on one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, overload

from pyredisson._async.delayed.delayed_queue import AsyncDelayedQueue
from pyredisson._async.factories.objects import AsyncFactories, target_of
from pyredisson._async.queues.queue import AsyncQueue
from pyredisson.codecs.base import Codec
from pyredisson.protocol.delayed.entry import WireFormat
from pyredisson.protocol.delayed.options import DelayedQueueOptions
from pyredisson.protocol.kernel.due import Seconds
from pyredisson.protocol.kernel.durable import Durable
from pyredisson.protocol.kernel.shards import shard_names
from pyredisson.protocol.objects.encoding import require_bound
from pyredisson.protocol.poison.poison_list import OnUndecodable

if TYPE_CHECKING:
    from pyredisson._async.schedules.schedule import AsyncSchedule
    from pyredisson._async.sharded.queue import AsyncShardedQueue
    from pyredisson._async.windows.window import AsyncGroupWindow
    from pyredisson.protocol.delayed.bounded import WhenExpired, WhenFull

V = TypeVar("V")

_UNBOUNDED = (None, "raise", None, None, "dead")


class AsyncDelayedFactories(AsyncFactories):
    """Makes RDelayedQueue, group windows, schedules, and queues with shards."""

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
        """Return a handle for RDelayedQueue, whose due items go to `target`.

        Unless `transfer` is False, this client moves what is due, whoever
        offered it, until the handle is destroyed or the client closed.

        Args:
            target: what `get_queue` and the like returned; its codec spells what is pending, too.
            transfer: whether this client moves what is due.
            wire_format: the Redisson release to write for, if not the client's.
            max_bytes: refuse to offer a value that is longer, spelled, if not the client's bound.
            max_size: how many items may wait, pending and in the target; None for no limit.
            when_full: "raise" raises a `QueueFullError` at an offer without room, "wait" waits.
            full_timeout: the longest wait for room, in seconds; None for no limit.
            expire_after: seconds after its due time when an item that nobody took expires: no
                consumer of pyredisson gets it any more. None for never.
            when_expired: "dead" makes such an item a dead letter, "drop" removes it.
            durable: what confirms an offer before it returns.

        Raises:
            InvalidNameError: in a cluster, when the keys would be in several slots.
            TypeError, ValueError: the target is no queue of this kind of client, or a bad bound.
        """
        if not isinstance(target, AsyncQueue):
            raise TypeError(
                f"get_delayed_queue() takes the target as get_queue() returns it, not {target!r}"
            )
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

        Each shard is a blocking queue and a delayed queue of its own, the first three of "orders"
        being "orders:00", "orders:10" and "orders:20"; Java uses them as any other.

        Args:
            name: without "{", which would keep all shards in one slot.
            shards: 1 to 100, the same number for all who use keys.
            codec: the client's, by default.
            transfer: whether this client moves what is due.
            wire_format: the Redisson release to write for, if not the client's.
            on_undecodable: as for `get_blocking_queue`.
            durable: what confirms an offer before it returns.

        Raises:
            InvalidNameError: all shards would be in one slot.
            TypeError, ValueError: the name is no text, or a bad number of shards.
        """
        from pyredisson._async.queues.blocking_queue import AsyncBlockingQueue  # noqa: PLC0415 - seldom
        from pyredisson._async.sharded.queue import AsyncShardedQueue  # noqa: PLC0415 - seldom

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
        """Return a window: values are collected by key, and delivered together, full or due.

        All who offer to it give the same `size` and `max_wait`; an offer goes by its own.

        Args:
            queue: a queue that is the window's own; of a delayed queue its target is meant.
            size: a group is delivered when it has this many values, 1 to 10,000,
            max_wait: or this long after its first value, in seconds or as a timedelta.
            codec: spells the values, if not the queue's, which spells a text for each group.
            wire_format: the Redisson release to write for, if not the client's.
            transfer: whether this client moves what is due.
            durable: what confirms an offer; without it, it returns when the master has it.

        Raises:
            InvalidNameError: in a cluster, when the keys would be in several slots.
            TypeError, ValueError: it is no queue of this kind of client, its codec cannot spell
                texts, or a bad number.
        """
        from pyredisson._async.windows.window import AsyncGroupWindow  # noqa: PLC0415 - seldom

        target = target_of(queue, "get_group_window")
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
        """Return a handle for the recurring work of a delayed queue.

        Args:
            queue: where each next occurrence is pending.
            advance: whether this client offers the one after it, for all entries, until the
                handle is destroyed or the client closed; another client may do that as well.

        Raises:
            TypeError: it is no delayed queue of this kind of client.
        """
        from pyredisson._async.schedules.schedule import AsyncSchedule  # noqa: PLC0415 - seldom

        if not isinstance(queue, AsyncDelayedQueue):
            raise TypeError(
                f"get_schedule() takes a queue as get_delayed_queue() returns it, not {queue!r}"
            )
        return AsyncSchedule(self._objects.context, queue, advance=advance)
