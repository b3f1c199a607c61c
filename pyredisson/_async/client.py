"""The client: hands out queues, and owns the connections and the transfer tasks."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any

from pyredisson._async.background.jobs import AsyncJobs
from pyredisson._async.background.schedules import AsyncSchedules
from pyredisson._async.background.transfers import AsyncTransfers
from pyredisson._async.closing import AsyncClosing
from pyredisson._async.context import AsyncContext
from pyredisson._async.factories.buckets import AsyncBucketFactories
from pyredisson._async.factories.consumers import AsyncConsumerFactories
from pyredisson._async.factories.delayed import AsyncDelayedFactories
from pyredisson._async.factories.objects import AsyncObjects
from pyredisson._async.factories.queues import AsyncQueueFactories
from pyredisson._async.link.lifetime import AsyncLifetime
from pyredisson._async.link.link import AsyncLink
from pyredisson._async.topology.topology import topology_async
from pyredisson._runtime.concurrency import only_asyncio_async
from pyredisson._support.unpicklable import Unpicklable
from pyredisson._transport.connections import AsyncRedis
from pyredisson.codecs.base import Codec
from pyredisson.errors import NotReleasedError
from pyredisson.protocol.delayed.entry import WireFormat
from pyredisson.protocol.kernel.due import Seconds, positive
from pyredisson.protocol.kernel.names import DirectNameMapper, NameMapper
from pyredisson.protocol.objects.encoding import require_bound
from pyredisson.protocol.poison.poison_list import OnUndecodable, require_on_undecodable
from pyredisson.releases import parse_service

if TYPE_CHECKING:
    from pyredisson._runtime.user_code import HookDispatcher
    from pyredisson._transfer_process.parent import TransferProcess
    from pyredisson.protocol.kernel.hooks import Hooks
    from pyredisson.stats import TransferStats

log = logging.getLogger("pyredisson")


class AsyncRedisson(
    AsyncQueueFactories,
    AsyncDelayedFactories,
    AsyncConsumerFactories,
    AsyncBucketFactories,
    Unpicklable,
):
    """Redisson's queues on a redis-py client.

    Nothing connects before the first operation.  The client that is given is
    read for its settings and neither used, closed nor changed; connections are
    pyredisson's own, plus one for the subscription of all delayed queues; which
    calls share one is in the docstring of `pyredisson._transport`.

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
            "poison" it goes to the queue's poison list (`get_poison_list`) before the error is
            raised; with "raise" the error alone has it.
        name_mapper: turns names into those in Redis, as Redisson's NameMapper.
        safety_interval: at most so long a due item waits when every notification is lost.
        response_timeout: a server that does not answer for so long counts as gone.
        transfer_process: run the transfer tasks in a process of their own, which ends with
            this one: for programs that compute, where a thread or task would come late.
        max_bytes: refuse to store a value in a queue that is longer when it is encoded.
        hooks: hears of what is done to items and messages, for metrics and traces.
        due_times: let transfer tasks note when items were due, and consumers look for it, so that
            `message.due_at` is known at the first delivery, too.

    Raises:
        TypeError: a release that is no text; with `transfer_process`, a client whose
            connections another process cannot make.
        ValueError: no such release, or one that has no such codec; no such `on_undecodable`; a
            bound below 1.
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
        transfer_process: bool = False,
        max_bytes: int | None = None,
        hooks: Hooks | None = None,
        due_times: bool = False,
    ) -> None:
        only_asyncio_async()
        if release is not None:
            parse_service(release)
        timeout = positive(response_timeout, "response_timeout")
        safety = positive(safety_interval, "safety_interval")
        life = AsyncLifetime()
        link = AsyncLink(topology_async(client, timeout, life), timeout, life)
        jobs = AsyncJobs(link, safety)
        tell: HookDispatcher | None = None
        if hooks is not None:
            from pyredisson._runtime.user_code import HookDispatcher  # noqa: PLC0415 - seldom
            from pyredisson.protocol.kernel.hooks import require_hooks  # noqa: PLC0415 - seldom

            tell = HookDispatcher(require_hooks(hooks))
        transfers: AsyncTransfers | TransferProcess = AsyncTransfers(
            jobs, safety, tell, due_times=due_times
        )
        if transfer_process:
            from pyredisson._transfer_process.parent import TransferProcess  # noqa: PLC0415 - seldom

            transfers = TransferProcess(
                client,
                tell,
                safety_interval=safety,
                response_timeout=timeout,
                due_times=due_times,
            )
        self._context = AsyncContext(
            link=link,
            jobs=jobs,
            transfers=transfers,
            schedules=AsyncSchedules(jobs, safety, transfers.announced),
            mapper=name_mapper or DirectNameMapper(),
            wire_format=WireFormat.of(
                (release or WireFormat.CURRENT) if wire_format is None else wire_format
            ),
            on_undecodable=require_on_undecodable(on_undecodable),
            max_bytes=require_bound(max_bytes, "max_bytes"),
            tell=tell,
            due_times=due_times,
        )
        super().__init__(AsyncObjects(self._context, codec, release))

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
        transfer_process: bool = False,
        max_bytes: int | None = None,
        hooks: Hooks | None = None,
        due_times: bool = False,
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
            transfer_process=transfer_process,
            max_bytes=max_bytes,
            hooks=hooks,
            due_times=due_times,
        )

    def __repr__(self) -> str:
        state = "closed" if self._context.link.closed else "open"
        tasks = len(self._context.transfers)
        return f"<{type(self).__name__} {state}, {tasks} transfer tasks>"

    def transfer_stats(self) -> Sequence[TransferStats]:
        """Return what this client's transfer tasks have done.

        With `transfer_process` it is what the process has said last, and nothing before that. Each
        call asks it for more, and waits for nothing.
        """
        return self._context.transfers.stats()

    async def aclose(self) -> None:
        """Stop workers, give back what consumers have fetched, and end all tasks and connections.

        A server that does not answer delays this by some 25 s at most. Once more does nothing,
        but to try again what could not be given back.

        Raises:
            NotReleasedError: all is closed, and some messages come again when their leases end.
        """
        await AsyncClosing(self._context).close()

    async def __aenter__(self) -> AsyncRedisson:
        """Return the client."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the client; an error that leaves the block is not hidden by another one."""
        try:
            await self.aclose()
        except NotReleasedError as left:
            if error is None:
                raise
            log.warning("an error has ended the block, and besides: %s", left)
