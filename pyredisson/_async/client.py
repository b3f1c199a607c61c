"""The client: makes objects, and owns the connections and the background tasks."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import partial
from inspect import signature
from types import TracebackType
from typing import TYPE_CHECKING, Any

from pyredisson._async.background.kernel import AsyncBackground
from pyredisson._async.background.schedules import AsyncSchedules
from pyredisson._async.background.transfers import AsyncTransfers
from pyredisson._async.closing import AsyncClosing
from pyredisson._async.context import AsyncContext
from pyredisson._async.factories.bits import AsyncBitFactories
from pyredisson._async.factories.bloom import AsyncBloomFactories
from pyredisson._async.factories.buckets import AsyncBucketFactories
from pyredisson._async.factories.collections import AsyncCollectionFactories
from pyredisson._async.factories.consumers import AsyncConsumerFactories
from pyredisson._async.factories.counters import AsyncCounterFactories
from pyredisson._async.factories.delayed import AsyncDelayedFactories
from pyredisson._async.factories.keys import AsyncKeyFactories
from pyredisson._async.factories.local_maps import AsyncLocalMapFactories
from pyredisson._async.factories.locks import AsyncLockFactories
from pyredisson._async.factories.maps import AsyncMapFactories
from pyredisson._async.factories.objects import AsyncObjects
from pyredisson._async.factories.queues import AsyncQueueFactories
from pyredisson._async.factories.synchronizers import AsyncSynchronizerFactories
from pyredisson._async.factories.topics import AsyncTopicFactories
from pyredisson._async.health import AsyncHealthCheck
from pyredisson._async.link.lifetime import AsyncLifetime
from pyredisson._async.link.link import AsyncLink
from pyredisson._async.topology.topology import topology_async
from pyredisson._runtime.concurrency import only_asyncio_async
from pyredisson._support.unpicklable import Unpicklable
from pyredisson._transport.connections import AsyncRedis
from pyredisson._transport.settings import checked_client
from pyredisson.codecs.base import Codec
from pyredisson.errors import NotReleasedError
from pyredisson.protocol.delayed.entry import WireFormat
from pyredisson.protocol.kernel.choices import require_choice
from pyredisson.protocol.kernel.due import (
    LONGEST_REPLY,
    LONGEST_WAIT,
    Seconds,
    not_negative,
    positive,
)
from pyredisson.protocol.kernel.names import DirectNameMapper, NameMapper
from pyredisson.protocol.objects.encoding import require_bound
from pyredisson.protocol.poison.undecodable import OnUndecodable
from pyredisson.releases import parse_service

if TYPE_CHECKING:
    from pyredisson._runtime.user_code import HookDispatcher
    from pyredisson._transfer_process.parent import TransferProcess
    from pyredisson.protocol.worker.hooks import Hooks
    from pyredisson.stats import Health, TransferStats

log = logging.getLogger("pyredisson")


def _wait(value: Seconds, what: str) -> float:
    return positive(value, what, LONGEST_WAIT)


class AsyncRedisson(
    AsyncQueueFactories,
    AsyncDelayedFactories,
    AsyncConsumerFactories,
    AsyncBucketFactories,
    AsyncCollectionFactories,
    AsyncBloomFactories,
    AsyncLocalMapFactories,
    AsyncLockFactories,
    AsyncMapFactories,
    AsyncSynchronizerFactories,
    AsyncTopicFactories,
    AsyncCounterFactories,
    AsyncBitFactories,
    AsyncKeyFactories,
    Unpicklable,
):
    """A client for Redisson's objects, made from a redis-py client.

    ::

        async with AsyncRedisson.from_url("redis://localhost:6379", release="3.27.2") as redisson:
            orders = redisson.get_blocking_queue("orders")
            await redisson.get_delayed_queue(orders).offer("order 7", delay=5)
            print(await orders.take())  # after 5 s

    The client connects at the first operation. It reads the class and the settings of the redis-py
    client, and never uses, changes or closes that client. It opens connections of its own. All
    delayed queues share one more connection, for their subscription. Which calls share a connection
    is in the docstring of `pyredisson._transport`.

    Args:
        client: a `redis.asyncio.Redis` (also the master from a Sentinel) or a `RedisCluster`.
        codec: the codec of objects that are made without a codec. By default, the default codec of
            `release` (`Kryo5Codec` since 3.19.0, and without `release`).
        release: the Redisson release of the oldest Java service that reads these queues, such as
            "3.27.2". It decides the default codec, the format of delayed queues, and what a codec
            without a release of its own writes. Without `release`, such a codec rejects each
            value that at least one release from 3.21.1 on cannot read.
        wire_format: the release whose format of delayed queues the client writes, if it differs
            from `release`. Releases up to "3.21.0" have the old format, all others the new format.
            The client always reads both formats.
        on_undecodable: what happens to a taken value that cannot be decoded. "poison" moves the
            value to the queue's poison list (`get_poison_list`), and then raises `DecodeError`.
            "raise" only raises the error. Then only the error still has the bytes.
        name_mapper: maps the names in the program to the names in Redis, like Redisson's
            NameMapper. By default both names are the same.
        safety_interval: the longest delay of a due item if all notifications are lost, in seconds
            or as a timedelta; 5 by default.
        response_timeout: the time without a reply after which a server counts as lost, in seconds
            or as a timedelta; 5 by default.
        transfer_process: whether the transfer tasks run in a separate process, which ends with the
            program's process. Use it in a program that uses much CPU: there, a thread or task of
            the program would run late.
        max_bytes: the longest encoded value that a queue accepts, in bytes; None, the default, for
            no limit.
        hooks: receives events of items and messages, for metrics and traces.
        due_times: whether transfer tasks store the due time of each item, and consumers read it.
            Without `due_times`, `message.due_at` is None at the first delivery of an item, unless
            the item expires.
        lock_watchdog_timeout: the lease of locks that are acquired without a lease, in seconds or
            as a timedelta; 30 by default. The client renews the lease each time that a third of it
            has passed (Redisson's lockWatchdogTimeout).

    Raises:
        TypeError: an argument has the wrong type; or with `transfer_process`, another process
            cannot be started, or cannot make the connections of the client.
        ValueError: `release` is unknown or does not have this codec, `wire_format` or
            `on_undecodable` is unknown, or a number is out of range.
        RuntimeError: trio, or another library than asyncio, runs the caller.
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
        lock_watchdog_timeout: Seconds = 30.0,
    ) -> None:
        only_asyncio_async()
        if release is not None:
            parse_service(release)
        timeout = positive(response_timeout, "response_timeout", LONGEST_REPLY)
        safety = _wait(safety_interval, "safety_interval")
        life = AsyncLifetime()
        link = AsyncLink(topology_async(client, timeout, life), timeout, life)
        background = AsyncBackground(link, safety)
        emit = None if hooks is None else _dispatcher(hooks)
        transfers: AsyncTransfers | TransferProcess = AsyncTransfers(
            background, safety, emit, due_times=due_times
        )
        ensure_running: Callable[[], None] = background.ensure_running
        if transfer_process:
            from pyredisson._transfer_process.parent import TransferProcess  # noqa: PLC0415 - seldom

            transfers = TransferProcess(
                client,
                emit,
                safety_interval=safety,
                response_timeout=timeout,
                due_times=due_times,
            )
            ensure_running = partial(_ensure_both, background, transfers)
        link.before_opening = ensure_running
        self._context = AsyncContext(
            link=link,
            background=background,
            transfers=transfers,
            schedules=AsyncSchedules(background, safety, transfers.announced),
            mapper=name_mapper or DirectNameMapper(),
            wire_format=WireFormat.of(
                (release or WireFormat.CURRENT) if wire_format is None else wire_format
            ),
            on_undecodable=require_choice(on_undecodable, OnUndecodable, "on_undecodable"),
            ensure_running=ensure_running,
            max_bytes=require_bound(max_bytes, "max_bytes"),
            emit=emit,
            due_times=due_times,
            lock_watchdog_timeout=_wait(lock_watchdog_timeout, "lock_watchdog_timeout"),
        )
        super().__init__(AsyncObjects(self._context, codec, release))
        self._connect(client, hooks)

    def _connect(self, client: Any, hooks: Hooks | None) -> None:
        """Pass the events of waits, queues, offers and the client to the hooks, if any."""
        self._source = client
        """The redis-py client; hooks that read queues by themselves need its settings."""
        self._health = AsyncHealthCheck(self._context)
        context, emit = self._context, self._context.emit
        if hooks is not None and emit is not None:
            context.link.waits.on_outage = partial(emit, "on_outage")
            context.on_queue = partial(emit, "on_queue", self)
            context.carrier = emit if hooks.carries else None
            emit("on_open", self)

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
        lock_watchdog_timeout: Seconds = 30.0,
        **options: Any,
    ) -> AsyncRedisson:
        """Make a client from a URL (redis://, rediss:// or unix://).

        `options` are passed to redis-py's `from_url`; all other arguments are those of the class.

        Raises:
            TypeError, ValueError: as for the class. Or neither pyredisson nor redis-py has an
                option of the call or the URL, redis-py rejects a value, or the URL cannot be read.
                The text of the error has no part of a password.
        """
        return cls(
            checked_client(
                AsyncRedis.from_url, url, "from_url()", signature(cls).parameters, options
            ),
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
            lock_watchdog_timeout=lock_watchdog_timeout,
        )

    def __repr__(self) -> str:
        state = "closed" if self._context.link.closed else "open"
        tasks = len(self._context.transfers)
        return f"<{type(self).__name__} {state}, {tasks} transfer tasks>"

    def transfer_stats(self) -> Sequence[TransferStats]:
        """Return the counters of this client's transfer tasks, one entry a queue.

        With `transfer_process`, return the last report of the transfer process; before the first
        report, return an empty list. Each call requests a new report and does not wait for it.
        """
        return self._context.transfers.stats()

    async def health(self, timeout: Seconds = 1.5) -> Health:
        """Return whether Redis answers, and whether the transfer tasks of this client run.

        If no reply has come within the last second, this method sends a PING. Call it in the event
        loop that uses the client. It raises no error of Redis: if Redis does not answer, or the
        client is closed, `connected` is False.

        Args:
            timeout: the time that Redis has to answer the PING, in seconds or as a timedelta. With
                0, no PING is sent. The report of a transfer process may take 0.4 s more.
        """
        return await self._health.health(not_negative(timeout, "timeout"))

    async def aclose(self) -> None:
        """Stop workers, release the messages of consumers, and end all tasks and connections.

        The call waits for each running worker, up to 33 s longer than its `stop_timeout`. After
        that, a server that does not answer delays the call by about 25 s at most. A second call
        only tries again to release the messages that the first call could not release.

        Raises:
            NotReleasedError: everything is closed, but some messages could not be released. They
                are redelivered when their leases end.
        """
        if self._context.emit is not None:
            self._context.emit("on_close", self)
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
        """Close the client. If an error ended the block, a `NotReleasedError` is only logged."""
        try:
            await self.aclose()
        except NotReleasedError as unreleased:
            if error is None:
                raise
            log.warning("an error ended the block, and closing the client raised: %s", unreleased)


def _dispatcher(hooks: Hooks) -> HookDispatcher:
    from pyredisson._runtime.user_code import HookDispatcher  # noqa: PLC0415 - seldom
    from pyredisson.protocol.worker.hooks import require_hooks  # noqa: PLC0415 - seldom

    require_hooks(hooks)
    return HookDispatcher(hooks)


def _ensure_both(background: AsyncBackground, transfers: AsyncTransfers | TransferProcess) -> None:
    background.ensure_running()
    transfers.ensure_running()
