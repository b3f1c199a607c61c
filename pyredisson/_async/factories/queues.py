"""What a client hands out: a handle for each object, with the codec and the settings of the client.

A handle is cheap and opens nothing, and its class is imported by the first of its kind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, overload

import pyredisson
from pyredisson._async.context import AsyncContext
from pyredisson._async.delayed.delayed_queue import AsyncDelayedQueue
from pyredisson._async.queues.queue import AsyncQueue
from pyredisson.codecs.base import Codec, require_codec
from pyredisson.codecs.default import default_codec
from pyredisson.protocol.delayed.entry import WireFormat
from pyredisson.protocol.kernel.due import Seconds
from pyredisson.protocol.kernel.durable import Durable
from pyredisson.protocol.objects.encoding import require_bound
from pyredisson.protocol.poison.poison_list import OnUndecodable

if TYPE_CHECKING:
    from pyredisson._async.buckets.bucket import AsyncBucket
    from pyredisson._async.queues.blocking_deque import AsyncBlockingDeque
    from pyredisson._async.queues.blocking_queue import AsyncBlockingQueue
    from pyredisson._async.queues.deque import AsyncDeque
    from pyredisson.protocol.delayed.bounded import WhenExpired, WhenFull

V = TypeVar("V")

_UNBOUNDED = (None, "raise", None, None, "dead")


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
        return pyredisson.AsyncDeque(self._context, name, codec, on_undecodable)

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
        return pyredisson.AsyncBlockingQueue(self._context, name, codec, on_undecodable)

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
        return pyredisson.AsyncBlockingDeque(self._context, name, codec, on_undecodable)

    @overload
    def get_bucket(self, name: str, codec: Codec[V]) -> AsyncBucket[V]: ...

    @overload
    def get_bucket(self, name: str, codec: None = None) -> AsyncBucket[Any]: ...

    def get_bucket(self, name: str, codec: Codec[Any] | None = None) -> AsyncBucket[Any]:
        """Return a handle for RBucket; without a codec of its own it has the client's."""
        return pyredisson.AsyncBucket(self._context, name, self._codec_or_default(codec))

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
            target: what `get_queue` and the like returned; its codec encodes what is pending, too.
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
        chosen = self._context.wire_format if wire_format is None else WireFormat.of(wire_format)
        options: dict[str, Any] = {"transfer": transfer, "wire_format": chosen, "durable": durable}
        options["max_bytes"] = require_bound(max_bytes, "max_bytes")
        bounds = (max_size, when_full, full_timeout, expire_after, when_expired)
        if bounds != _UNBOUNDED:
            from pyredisson._async.delayed.bounded import AsyncBoundedDelayedQueue  # noqa: PLC0415 - seldom
            from pyredisson.protocol.delayed.bounded import Bound  # noqa: PLC0415 - seldom

            return AsyncBoundedDelayedQueue(self._context, target, Bound.of(*bounds), **options)
        return AsyncDelayedQueue(self._context, target, **options)
