"""`health` reports a client's connections and transfer tasks, even if something hangs."""

import os
import signal
import time
from typing import Any

import pytest

from pyredisson import AsyncDelayedQueue, AsyncRedisson, Health, TransferHealth
from pyredisson.codecs import StringCodec
from tests._async.conftest import Login
from tests.support.monitor import Monitor
from tests.support.server import RedisServer
from tests.support.twins import sleep_async, until_async

STRINGS = StringCodec()


def delayed_queue(redisson: AsyncRedisson, name: str = "q") -> AsyncDelayedQueue[str]:
    return redisson.get_delayed_queue(redisson.get_queue(name, STRINGS))


async def until_health(redisson: AsyncRedisson, **expected: Any) -> Health:
    """Call `health` until its attributes have the expected values; return the last result."""
    for _ in range(600):
        found = await redisson.health()
        if all(getattr(found, name) == value for name, value in expected.items()):
            return found
        await sleep_async(0.05)
    raise TimeoutError(f"{found} is not {expected}")


async def test_health_after_a_recent_reply_sends_nothing(
    server: RedisServer, redisson: AsyncRedisson
) -> None:
    await redisson.get_bucket("b").get()
    with Monitor(server) as monitor:
        found = await redisson.health()
    assert monitor.commands == []
    assert found.connected
    assert found.age is not None
    assert found.age < 1
    assert found.transfers == {}
    assert found.ok


async def test_health_without_a_recent_reply_sends_one_ping(
    server: RedisServer, redisson: AsyncRedisson
) -> None:
    """This is also true of a client that has not connected yet."""
    with Monitor(server) as monitor:
        found = await redisson.health()
        assert found == await redisson.health() or found.connected
    assert [each.name for each in monitor.commands].count("PING") == 1
    assert found.connected
    assert found.age is not None


async def test_health_reports_running_transfer_tasks(redisson: AsyncRedisson) -> None:
    for name in ("q", "{tag}:other"):
        await delayed_queue(redisson, name).offer("a", delay=60)
    running = TransferHealth(running=True, lag=0.0)
    await until_health(redisson, transfers={"q": running, "{tag}:other": running}, ok=True)


async def test_health_reports_a_transfer_task_that_has_ended(
    redisson: AsyncRedisson, monkeypatch: pytest.MonkeyPatch
) -> None:
    delayed = delayed_queue(redisson)
    await delayed.offer("a", delay=60)
    assert (await until_health(redisson, live=True)).transfers["q"].running
    background = redisson._context.background
    (worker,) = background._workers.values()
    monkeypatch.setattr(background, "has", lambda _worker: False)
    worker.wake()
    found = await until_health(redisson, live=False)
    assert found.connected
    assert not found.ok
    assert found.transfers["q"].lag >= 0


async def test_health_reports_a_killed_server(own_server: RedisServer) -> None:
    async with AsyncRedisson.from_url(own_server.url, safety_interval=0.2) as redisson:
        await delayed_queue(redisson).offer("a", delay=60)
        assert (await until_health(redisson, ok=True)).transfers["q"].lag == 0
        own_server.kill()
        found = await until_health(redisson, connected=False)
        assert found.live  # a restart of this process would not help
        assert found.age is not None
        assert found.age > 0.5
        assert not found.ok
        await until_async(lambda: redisson.transfer_stats()[0].failures > 0, "the task has failed")
        assert (await redisson.health()).transfers["q"].lag > 0
        own_server.start()
        await until_health(redisson, ok=True, transfers={"q": TransferHealth(True, 0.0)})


async def test_health_reports_a_frozen_server_within_seconds(own_server: RedisServer) -> None:
    async with AsyncRedisson.from_url(own_server.url) as redisson:
        delayed = delayed_queue(redisson)
        await delayed.offer("a", delay=60)
        own_server.pause()
        try:
            await until_health(redisson, connected=False)  # the last reply is no longer fresh
            start = time.monotonic()
            found = await redisson.health()
            assert time.monotonic() - start < 4
            assert (found.connected, found.live) == (False, True)
        finally:
            own_server.resume()
        await until_health(redisson, connected=True)


async def test_health_reports_the_lag_of_a_rejected_transfer(login: Login) -> None:
    redisson = login("-eval", "-evalsha", safety_interval=0.1)
    delayed_queue(redisson)
    await until_async(lambda: any(e.refused for e in redisson.transfer_stats()), "it is rejected")
    await sleep_async(0.2)
    found = await redisson.health()
    assert found.live
    assert found.transfers["q"].lag > 0


async def test_health_reports_the_transfer_process(url: str) -> None:
    async with AsyncRedisson.from_url(url, transfer_process=True) as redisson:
        await delayed_queue(redisson).offer("a", delay=60)
        running = {"q": TransferHealth(running=True, lag=0.0)}
        await until_health(redisson, transfers=running)
        transfers: Any = redisson._context.transfers
        os.kill(transfers._process.pid, signal.SIGSTOP)
        try:
            await sleep_async(1.1)
            start = time.monotonic()
            found = await redisson.health()
            assert time.monotonic() - start < 4
            assert found.transfers["q"].lag > 1
        finally:
            os.kill(transfers._process.pid, signal.SIGKILL)
        await until_health(redisson, transfers=running)
        delayed_queue(redisson, "other")
        await until_health(redisson, transfers=running | {"other": running["q"]})
    assert not (await redisson.health()).live


async def test_health_of_a_closed_client_is_not_ok(url: str) -> None:
    redisson = AsyncRedisson.from_url(url)
    await delayed_queue(redisson).offer("a", delay=60)
    await redisson.aclose()
    found = await redisson.health()
    assert (found.connected, found.live, found.ok) == (False, False, False)


async def test_health_of_a_client_that_never_connected() -> None:
    async with AsyncRedisson.from_url("redis://127.0.0.1:1") as redisson:
        assert await redisson.health() == Health(connected=False, age=None, transfers={})
