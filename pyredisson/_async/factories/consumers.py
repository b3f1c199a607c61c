"""The factories of consumers, dead letters and poison lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, overload

from pyredisson._async.factories.objects import AsyncFactories
from pyredisson.protocol.kernel.due import Seconds
from pyredisson.protocol.kernel.durable import Durable

if TYPE_CHECKING:
    from pyredisson._async.consumers.consumer import AsyncConsumer
    from pyredisson._async.consumers.message_source import AsyncMessageSource
    from pyredisson._async.dead_letters.dead_letters import AsyncDeadLetters
    from pyredisson._async.delayed.delayed_queue import AsyncDelayedQueue
    from pyredisson._async.poison.poison_list import AsyncPoisonList
    from pyredisson._async.queues.queue import AsyncQueue
    from pyredisson.protocol.delayed.entry import WireFormat

V = TypeVar("V")
C = TypeVar("C")
D = TypeVar("D")


class AsyncConsumerFactories(AsyncFactories):
    """The factories of consumers, dead letters and poison lists."""

    def get_poison_list(self, queue: AsyncQueue[V] | AsyncDelayedQueue[V]) -> AsyncPoisonList[V]:
        """Return the poison list of a queue, to inspect, requeue or drop undecodable values.

        Args:
            queue: a queue; or a delayed queue, for the poison list of its target queue.

        Raises:
            InvalidNameError: in a cluster, the queue and its poison list would be in two slots.
            TypeError, ValueError: `queue` is not a queue of this client.
        """
        from pyredisson._async.poison.poison_list import AsyncPoisonList  # noqa: PLC0415 - seldom

        target = self._objects.target_of(queue, "get_poison_list")
        return AsyncPoisonList(self._objects.context, target)

    @overload
    def get_consumer(
        self,
        queue: AsyncQueue[V] | AsyncDelayedQueue[V],
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
        queue: AsyncMessageSource[C, Any],
        *,
        lease: Seconds = 30,
        prefetch: int = 1,
        wire_format: str | WireFormat | None = None,
        transfer: bool = True,
        durable: Durable | None = None,
        consumer_name: str | None = None,
    ) -> C: ...

    def get_consumer(
        self,
        queue: AsyncQueue[Any] | AsyncDelayedQueue[Any] | AsyncMessageSource[Any, Any],
        *,
        lease: Seconds = 30,
        prefetch: int = 1,
        wire_format: str | WireFormat | None = None,
        transfer: bool = True,
        durable: Durable | None = None,
        consumer_name: str | None = None,
    ) -> Any:
        """Return a consumer, whose messages are redelivered unless they are acknowledged.

        ::

            async with redisson.get_consumer(redisson.get_queue("orders")) as consumer:
                async for message in consumer:
                    print(message.value)
                    await message.ack()

        Args:
            queue: a queue; a delayed queue, for its target; a group window, for its groups; or a
                sharded queue, for all shards.
            lease: the time after which an unsettled message can go to another consumer, in seconds
                or as a timedelta; 30 s by default.
            prefetch: how many messages to fetch at a time, 1 to 1000; 1 by default. Closing the
                consumer releases the messages that the program has not received. If the process
                dies, they are redelivered after their leases have ended.
            wire_format: the Redisson release for which to write messages that are requeued with a
                delay; None for the client's release.
            transfer: whether this client transfers due items to the queue, and requeues messages of
                consumers that died. Other clients may do the same.
            durable: the confirmation by replicas or disks that each acknowledgement waits for; None
                for no wait.
            consumer_name: the name of the consumer in `in_flight`. The default has the host, the
                process and a number.

        Raises:
            InvalidNameError: in a cluster, the keys would be in several slots.
            TypeError, ValueError: `queue` is not a queue of this client, or another argument is not
                valid.
        """
        from pyredisson._async.consumers.consumer import AsyncConsumer  # noqa: PLC0415 - seldom
        from pyredisson._async.consumers.message_source import AsyncMessageSource  # noqa: PLC0415 - seldom
        from pyredisson.protocol.consumers.options import ConsumerOptions  # noqa: PLC0415 - seldom

        options = ConsumerOptions(
            lease,
            prefetch,
            self._objects.wire_format(wire_format),
            transfer,
            durable,
            consumer_name,
        )
        if isinstance(queue, AsyncMessageSource):
            return self._objects.own(queue, "get_consumer")._consumer(options)
        target = self._objects.target_of(queue, "get_consumer")
        return AsyncConsumer(self._objects.context, target, options)

    @overload
    def get_dead_letters(
        self, queue: AsyncQueue[V] | AsyncDelayedQueue[V]
    ) -> AsyncDeadLetters[V]: ...

    @overload
    def get_dead_letters(self, queue: AsyncMessageSource[Any, D]) -> D: ...

    def get_dead_letters(
        self, queue: AsyncQueue[Any] | AsyncDelayedQueue[Any] | AsyncMessageSource[Any, Any]
    ) -> Any:
        """Return the dead letters of a queue, to inspect, redrive or drop them.

        Args:
            queue: a queue; a delayed queue, for its target; a group window; or a sharded queue, for
                all shards.

        Raises:
            InvalidNameError: in a cluster, the queue and its dead letters would be in two slots.
            TypeError, ValueError: `queue` is not a queue of this client.
        """
        from pyredisson._async.consumers.message_source import AsyncMessageSource  # noqa: PLC0415 - seldom
        from pyredisson._async.dead_letters.dead_letters import AsyncDeadLetters  # noqa: PLC0415 - seldom

        if isinstance(queue, AsyncMessageSource):
            return self._objects.own(queue, "get_dead_letters")._dead_letters()
        target = self._objects.target_of(queue, "get_dead_letters")
        return AsyncDeadLetters(self._objects.context, target)
