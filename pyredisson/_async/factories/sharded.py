"""What a client hands out for one logical queue in many slots.

The rule: who has none imports nothing of it.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, overload

from pyredisson._async.factories.beside_queues import AsyncCompanions
from pyredisson.codecs.base import Codec
from pyredisson.protocol.delayed.entry import WireFormat
from pyredisson.protocol.kernel.due import Seconds
from pyredisson.protocol.kernel.durable import Durable
from pyredisson.protocol.kernel.shards import shard_names
from pyredisson.protocol.poison.poison_list import OnUndecodable

if TYPE_CHECKING:
    from pyredisson._async.consumers.consumer import AsyncConsumer
    from pyredisson._async.consumers.message_source import AsyncMessageSource
    from pyredisson._async.dead_letters.dead_letters import AsyncDeadLetters
    from pyredisson._async.delayed.delayed_queue import AsyncDelayedQueue
    from pyredisson._async.queues.queue import AsyncQueue
    from pyredisson._async.sharded.consumer import AsyncShardedConsumer
    from pyredisson._async.sharded.dead_letters import AsyncShardedDeadLetters
    from pyredisson._async.sharded.queue import AsyncShardedQueue

V = TypeVar("V")


class AsyncSharding(AsyncCompanions):
    """The objects of one client, those of queues with shards as well."""

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
        from pyredisson._async.sharded.queue import AsyncShardedQueue  # noqa: PLC0415 - seldom

        queues = [
            self.get_blocking_queue(each, codec, on_undecodable=on_undecodable)
            for each in shard_names(name, shards)
        ]
        delayed = [
            self.get_delayed_queue(
                queue, transfer=transfer, wire_format=wire_format, durable=durable
            )
            for queue in queues
        ]
        return AsyncShardedQueue(self._context, name, queues, delayed)

    @overload
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
    ) -> AsyncConsumer[V]: ...

    @overload
    def get_consumer(
        self,
        queue: AsyncShardedQueue[V],
        *,
        lease: Seconds = 30,
        prefetch: int = 1,
        wire_format: str | WireFormat | None = None,
        transfer: bool = True,
        durable: Durable | None = None,
        consumer_name: str | None = None,
    ) -> AsyncShardedConsumer[V]: ...

    def get_consumer(
        self, queue: Any, **options: Any
    ) -> AsyncConsumer[Any] | AsyncShardedConsumer[Any]:
        """Return a consumer whose messages come back unless they are acknowledged.

        Args:
            queue: any queue; a delayed queue, whose target is meant; a group window, whose groups
                are the values; or a queue with shards, all of them.
            options: `lease`: so long a message is its consumer's; then somebody else gets it.
                `prefetch`: fetch up to so many at a time, 1 to 1000. They come back, too, when the
                consumer dies, and are given back when it is closed.
                `wire_format`: the release for which to write what is put back with a delay, if
                not the client's.
                `transfer`: whether this client moves what is due to the queue, and puts back
                what other consumers have left behind; another client may do that as well.
                `durable`: what confirms an acknowledgement before it returns.
                `consumer_name`: how `in_flight` calls it; by default by host, process and a
                number.

        Raises:
            InvalidNameError: in a cluster, when the keys would be in several slots.
            TypeError, ValueError: it is no queue of this kind of client, or a bad number.
        """
        get = super().get_consumer
        if not hasattr(queue, "shard_count"):
            return get(queue, **options)
        all_shards: AsyncShardedConsumer[Any] = queue._consumer_of_all(partial(get, **options))
        return all_shards

    @overload
    def get_dead_letters(
        self, queue: AsyncQueue[V] | AsyncDelayedQueue[V] | AsyncMessageSource[V]
    ) -> AsyncDeadLetters[V]: ...

    @overload
    def get_dead_letters(self, queue: AsyncShardedQueue[V]) -> AsyncShardedDeadLetters[V]: ...

    def get_dead_letters(self, queue: Any) -> AsyncDeadLetters[Any] | AsyncShardedDeadLetters[Any]:
        """Return a handle for the dead letters of a queue or group window: look, redrive, drop.

        Of a queue with shards it has those of all.

        Raises:
            InvalidNameError: in a cluster, when the queue and its letters would be in two slots.
            TypeError: it is no queue of this kind of client.
        """
        get = super().get_dead_letters
        return queue._letters_of_all(get) if hasattr(queue, "shard_count") else get(queue)
