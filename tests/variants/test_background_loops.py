"""Background work whose event loop has ended: a job with an owner ends with the loop."""

import asyncio
import gc
import threading
from contextlib import suppress
from functools import partial

import pytest
import redis

from pyredisson import AsyncRedisson
from pyredisson._async.background.interfaces import AsyncChannelListener, AsyncPeriodicJob
from pyredisson._async.link.connection import AsyncServerConnection
from pyredisson._async.link.link import AsyncLink
from pyredisson._async.link.server import AsyncServer
from pyredisson._runtime.concurrency import monotonic
from pyredisson.codecs import StringCodec
from pyredisson.server_errors import ServerError
from tests.support.twins import until, until_async


class Counter(AsyncPeriodicJob):
    def __init__(self, *, inherited: bool) -> None:
        self.inherited = inherited
        self.key = "k"
        self.runs = 0

    def wait_seconds(self) -> float:
        return 0.01

    async def run(self, link: AsyncLink) -> None:
        self.runs += 1


class Hearer(AsyncChannelListener):
    channels = ("c",)

    def __init__(self) -> None:
        self.heard = 0

    def on_subscribed(self, channel: str) -> None:
        self.heard += 1


def test_inherited_jobs_continue_in_another_loop(url: str) -> None:
    """The job with an owner has ended. The other job and the listener continue."""
    made: list[AsyncRedisson] = []

    async def first() -> tuple[Counter, Counter, Hearer]:
        made.append(AsyncRedisson.from_url(url, codec=StringCodec()))
        background = made[0]._context.background
        owned = background.acquire("owned", partial(Counter, inherited=False))
        shared = background.acquire("shared", partial(Counter, inherited=True))
        hearer = background.acquire("hears", Hearer)
        await until_async(lambda: min(owned.runs, shared.runs, hearer.heard) > 0, "all run")
        return owned, shared, hearer

    owned, shared, hearer = asyncio.run(first())

    async def second() -> None:
        background = made[0]._context.background
        runs, before = shared.runs, owned.runs
        background.ensure_running()
        await until_async(lambda: shared.runs > runs + 2 and hearer.heard > 1, "they go on")
        assert owned.runs == before
        assert (background.users("owned"), background.users("shared")) == (0, 1)
        await made[0].aclose()

    asyncio.run(second())


def test_next_operation_starts_work_added_while_the_loop_stopped(url: str) -> None:
    """The next operation starts the job, although no background work was missing before."""
    redisson = AsyncRedisson.from_url(url, codec=StringCodec())
    background = redisson._context.background
    with asyncio.Runner() as runner:
        runner.run(redisson.get_bucket("b").get())
        job = background.acquire("shared", partial(Counter, inherited=True))
        runner.run(redisson.get_bucket("b").get())
        runner.run(until_async(lambda: job.runs > 0, "it runs"))
        runner.run(redisson.aclose())


def test_loops_that_connect_at_once_leave_no_connection_open(
    url: str, raw: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    redisson = AsyncRedisson.from_url(url, codec=StringCodec())
    connected, used = threading.Barrier(2), threading.Barrier(2)
    connect, before = AsyncServer.connect, len(raw.client_list())
    first_two = iter((1, 2))

    async def connect_at_once(
        server: AsyncServer, seconds: float | None = None
    ) -> AsyncServerConnection:
        connection = await connect(server, seconds)
        if next(first_two, 0):
            await asyncio.to_thread(connected.wait)
        return connection

    async def use() -> None:
        with suppress(ServerError):
            await redisson.get_bucket("b").get()
        await asyncio.to_thread(used.wait)

    with monkeypatch.context() as patch:
        patch.setattr(AsyncServer, "connect", connect_at_once)
        users = [threading.Thread(target=asyncio.run, args=(use(),)) for _ in range(2)]
        for user in users:
            user.start()
        for user in users:
            user.join()
    asyncio.run(redisson.aclose())
    gc.collect()  # a transport that was not closed warns
    until(lambda: len(raw.client_list()) <= before, "their connections are closed")


def test_a_lock_is_renewed_while_another_loop_uses_the_client(url: str, raw: redis.Redis) -> None:
    """Requests from two loops may fail, as docs/locks.md says. The lock stays held."""
    redisson = AsyncRedisson.from_url(url, codec=StringCodec(), lock_watchdog_timeout=1)
    results: list[bool] = []
    held, over = threading.Event(), threading.Event()

    async def hold() -> None:
        lock = redisson.get_lock("held")
        await lock.lock()
        held.set()
        await asyncio.to_thread(over.wait)
        results.append(lock.lost)
        await lock.unlock()

    async def use() -> None:
        end = monotonic() + 2.5
        while monotonic() < end:
            with suppress(ServerError):
                await redisson.get_bucket("b").set("v")
                await redisson.get_lock("other").try_lock(lease=0.05)
            await asyncio.sleep(0.1)
        assert raw.exists("held")

    holder = threading.Thread(target=asyncio.run, args=(hold(),))
    holder.start()
    held.wait()
    try:
        asyncio.run(use())
    finally:
        over.set()
        holder.join()
    assert results == [False]

    async def end() -> None:
        redisson._context.ensure_running()
        assert not redisson._context.background.work, "nothing is left of the ended loops"
        await redisson.aclose()

    asyncio.run(end())
