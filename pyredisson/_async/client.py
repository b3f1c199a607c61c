"""The client: hands out queues, and owns the connections and the transfer tasks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import TracebackType
from typing import Any, TypeVar, overload

from pyredisson._async.background.jobs import AsyncJobs
from pyredisson._async.background.transfers import AsyncTransfers
from pyredisson._async.context import AsyncContext
from pyredisson._async.link.link import AsyncLink
from pyredisson._async.link.topology import topology_async
from pyredisson._async.objects.blocking_deque import AsyncBlockingDeque
from pyredisson._async.objects.blocking_queue import AsyncBlockingQueue
from pyredisson._async.objects.bucket import AsyncBucket
from pyredisson._async.objects.delayed_queue import AsyncDelayedQueue
from pyredisson._async.objects.deque import AsyncDeque
from pyredisson._async.objects.poison import AsyncPoison
from pyredisson._async.objects.queue import AsyncQueue
from pyredisson._connections import AsyncRedis
from pyredisson.codecs.base import Codec, require_codec
from pyredisson.codecs.default import default_codec
from pyredisson.protocol.due import Seconds, seconds
from pyredisson.protocol.names import DirectNameMapper, NameMapper
from pyredisson.protocol.objects.member import WireFormat
from pyredisson.protocol.objects.poison import OnUndecodable, require_on_undecodable
from pyredisson.releases import parse_service
from pyredisson.stats import TransferStats

V = TypeVar("V")


class AsyncRedisson:
    """Redisson's queues on a redis-py client.

    Nothing connects before the first operation.  The client that is given is
    read for its settings and neither used, closed nor changed; connections are
    pyredisson's own, plus one for the subscription of all delayed queues; which
    calls share one is in docs/architecture.md ("Lanes").

    Args:
        client: a `redis.asyncio.Redis` (also a Sentinel's master) or `RedisCluster`.
        release: the Redisson release of the oldest Java service that reads these queues,
            such as "3.27.2". It decides the default codec, what codecs write that were
            told no release of their own, and the format of delayed queues. Without one,
            what not all releases from 3.21.1 on read is refused.
        codec: for queues that name none; by default that of the release (`Kryo5Codec`
            since 3.19.0).
        wire_format: the release whose delayed queues to write for, where that is another:
            up to "3.21.0" the old format, else the new one.  Both are always read.
        on_undecodable: what becomes of a value that was taken and cannot be decoded. With
            "poison" it goes to the queue's poison list (`get_poison`) before the error is
            raised; with "raise" the error alone has it.
        name_mapper: turns names into those in Redis, as Redisson's NameMapper.
        safety_interval: at most so long a due item waits when every notification is lost.
        response_timeout: a server that does not answer for so long counts as gone.

    Raises:
        TypeError: a release that is no text.
        ValueError: no such release, or one that has no such codec; no such `on_undecodable`.
    """

    def __init__(
        self,
        client: Any,
        *,
        codec: Codec[Any] | None = None,
        release: str | None = None,
        wire_format: str | WireFormat | None = None,
        on_undecodable: OnUndecodable = "poison",
        name_mapper: NameMapper | None = None,
        safety_interval: Seconds = 5.0,
        response_timeout: Seconds = 5.0,
    ) -> None:
        if release is not None:
            parse_service(release)
        self._release = release
        self._codec = None if codec is None else self._for_release(codec)
        timeout = _positive(response_timeout, "response_timeout")
        safety = _positive(safety_interval, "safety_interval")
        link = AsyncLink(topology_async(client, timeout), timeout)
        jobs = AsyncJobs(link, safety)
        self._context = AsyncContext(
            link=link,
            jobs=jobs,
            transfers=AsyncTransfers(jobs, safety),
            mapper=name_mapper or DirectNameMapper(),
            wire_format=WireFormat.of(
                (release or WireFormat.CURRENT) if wire_format is None else wire_format
            ),
            on_undecodable=require_on_undecodable(on_undecodable),
        )

    @classmethod
    def from_url(
        cls,
        url: str,
        *,
        codec: Codec[Any] | None = None,
        release: str | None = None,
        wire_format: str | WireFormat | None = None,
        on_undecodable: OnUndecodable = "poison",
        name_mapper: NameMapper | None = None,
        safety_interval: Seconds = 5.0,
        response_timeout: Seconds = 5.0,
        **options: Any,
    ) -> AsyncRedisson:
        """Make a client for a URL (redis://, rediss://, unix://); `options` are redis-py's."""
        return cls(
            AsyncRedis.from_url(url, **options),
            codec=codec,
            release=release,
            wire_format=wire_format,
            on_undecodable=on_undecodable,
            name_mapper=name_mapper,
            safety_interval=safety_interval,
            response_timeout=response_timeout,
        )

    def __repr__(self) -> str:
        state = "closed" if self._context.link.closed else "open"
        tasks = len(self._context.transfers.stats())
        return f"<{type(self).__name__} {state}, {tasks} transfer tasks>"

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
    ) -> AsyncDelayedQueue[V]:
        """Return a handle for RDelayedQueue, whose due items go to `target`.

        Unless `transfer` is False, this client moves what is due, whoever
        offered it, until the handle is destroyed or the client closed.

        Args:
            target: what `get_queue`, `get_blocking_queue` and the like returned; its codec
                spells the pending values, too.
            transfer: whether this client moves what is due.
            wire_format: the Redisson release to write for, if not the client's.

        Raises:
            InvalidNameError: in a cluster, when the keys would be in several slots.
            TypeError: the target is no queue of this kind of client.
        """
        if not isinstance(target, AsyncQueue):
            raise TypeError(
                f"get_delayed_queue() takes the target as get_queue() returns it, not {target!r}"
            )
        chosen = self._context.wire_format if wire_format is None else WireFormat.of(wire_format)
        return AsyncDelayedQueue(self._context, target, transfer=transfer, wire_format=chosen)

    def get_poison(self, queue: AsyncQueue[V] | AsyncDelayedQueue[V]) -> AsyncPoison[V]:
        """Return a handle for the poison list of a queue: look, put back, drop.

        Raises:
            InvalidNameError: in a cluster, when the queue and its list would be in two slots.
            TypeError: it is no queue of this kind of client.
        """
        target = queue.target if isinstance(queue, AsyncDelayedQueue) else queue
        if not isinstance(target, AsyncQueue):
            raise TypeError(f"get_poison() takes a queue as get_queue() returns it, not {queue!r}")
        return AsyncPoison(self._context, target)

    def transfer_stats(self) -> Sequence[TransferStats]:
        """Return what this client's transfer tasks have done."""
        return self._context.transfers.stats()

    async def aclose(self) -> None:
        """End the transfer tasks and consumers and close the connections."""
        for child in list(self._context.children):
            await child.close()
        await self._context.jobs.close()
        self._context.link.closed = True
        await self._context.link.topology.close()

    async def __aenter__(self) -> AsyncRedisson:
        """Return the client."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the client."""
        await self.aclose()


def _positive(value: Seconds, what: str) -> float:
    number = seconds(value, what)
    if not 0 < number < math.inf:
        raise ValueError(f"{what} must be more than 0 and finite, not {value!r}")
    return number
