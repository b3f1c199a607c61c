"""The methods of a client that make consumers, and what messages leave behind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, overload

from pyredisson._async.consumers.message_source import AsyncMessageSource
from pyredisson._async.delayed.delayed_queue import AsyncDelayedQueue
from pyredisson._async.factories.objects import AsyncFactories, target_of
from pyredisson._async.queues.queue import AsyncQueue
from pyredisson.protocol.delayed.entry import WireFormat
from pyredisson.protocol.kernel.due import Seconds
from pyredisson.protocol.kernel.durable import Durable

if TYPE_CHECKING:
    from pyredisson._async.consumers.consumer import AsyncConsumer
    from pyredisson._async.dead_letters.dead_letters import AsyncDeadLetters
    from pyredisson._async.poison.poison_list import AsyncPoisonList

V = TypeVar("V")
C = TypeVar("C")
D = TypeVar("D")


class AsyncConsumerFactories(AsyncFactories):
    """Makes consumers, dead letters and poison lists."""

    def get_poison_list(self, queue: AsyncQueue[V] | AsyncDelayedQueue[V]) -> AsyncPoisonList[V]:
        """Return a handle for the poison list of a queue: look, put back, drop.

        Raises:
            InvalidNameError: in a cluster, when the queue and its list would be in two slots.
            TypeError: it is no queue of this kind of client.
        """
        from pyredisson._async.poison.poison_list import AsyncPoisonList  # noqa: PLC0415 - seldom

        return AsyncPoisonList(self._objects.context, target_of(queue, "get_poison_list"))

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
        """Return a consumer whose messages come back unless they are acknowledged.

        Args:
            queue: any queue; a delayed queue, whose target is meant; a group window, whose groups
                are the values; or a queue with shards, all of them.
            lease: seconds or a timedelta for which a message is its consumer's; then somebody
                else gets it.
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
        from pyredisson._async.consumers.consumer import AsyncConsumer  # noqa: PLC0415 - seldom
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
            return queue._consumer(options)
        return AsyncConsumer(self._objects.context, target_of(queue, "get_consumer"), options)

    @overload
    def get_dead_letters(
        self, queue: AsyncQueue[V] | AsyncDelayedQueue[V]
    ) -> AsyncDeadLetters[V]: ...

    @overload
    def get_dead_letters(self, queue: AsyncMessageSource[Any, D]) -> D: ...

    def get_dead_letters(
        self, queue: AsyncQueue[Any] | AsyncDelayedQueue[Any] | AsyncMessageSource[Any, Any]
    ) -> Any:
        """Return a handle for the dead letters of a queue or group window: look, redrive, drop.

        Of a queue with shards it has those of all.

        Raises:
            InvalidNameError: in a cluster, when the queue and its letters would be in two slots.
            TypeError: it is no queue of this kind of client.
        """
        from pyredisson._async.dead_letters.dead_letters import AsyncDeadLetters  # noqa: PLC0415 - seldom

        if isinstance(queue, AsyncMessageSource):
            return queue._dead_letters()
        return AsyncDeadLetters(self._objects.context, target_of(queue, "get_dead_letters"))
