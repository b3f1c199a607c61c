"""The factories of queues and deques."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, overload

from pyredisson._async.factories.objects import AsyncFactories
from pyredisson.codecs.base import Codec
from pyredisson.protocol.poison.undecodable import OnUndecodable

if TYPE_CHECKING:
    from pyredisson._async.queues.blocking_deque import AsyncBlockingDeque
    from pyredisson._async.queues.blocking_queue import AsyncBlockingQueue
    from pyredisson._async.queues.deque import AsyncDeque
    from pyredisson._async.queues.queue import AsyncQueue

V = TypeVar("V")


class AsyncQueueFactories(AsyncFactories):
    """The factories of RQueue, RDeque, RBlockingQueue and RBlockingDeque."""

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
        """Return a queue, Redisson's RQueue.

        Args:
            name: the name of the queue.
            codec: encodes its values; None for the client's codec.
            on_undecodable: "poison" or "raise", as for the client; None for the client's value.

        Raises:
            TypeError: `name` is not a str, or `codec` is not a codec.
            ValueError: `on_undecodable` is unknown.
        """
        from pyredisson._async.queues.queue import AsyncQueue  # noqa: PLC0415 - seldom

        return self._objects.make(AsyncQueue, name, codec, on_undecodable)

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
        """Return a deque, Redisson's RDeque; for the arguments see `get_queue`."""
        from pyredisson._async.queues.deque import AsyncDeque  # noqa: PLC0415 - seldom

        return self._objects.make(AsyncDeque, name, codec, on_undecodable)

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
        """Return a blocking queue, Redisson's RBlockingQueue; for the arguments see `get_queue`."""
        from pyredisson._async.queues.blocking_queue import AsyncBlockingQueue  # noqa: PLC0415 - seldom

        return self._objects.make(AsyncBlockingQueue, name, codec, on_undecodable)

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
        """Return a blocking deque, Redisson's RBlockingDeque; for the arguments see `get_queue`."""
        from pyredisson._async.queues.blocking_deque import AsyncBlockingDeque  # noqa: PLC0415 - seldom

        return self._objects.make(AsyncBlockingDeque, name, codec, on_undecodable)
