"""`health`: what a client knows of its connections and its transfer tasks, whatever hangs."""

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
    """Ask until attributes have values; return the last answer."""
    for _ in range(600):
        found = await redisson.health()
        if all(getattr(found, name) == value for name, value in expected.items()):
            return found
        await sleep_async(0.05)
    raise TimeoutError(f"{found} is not {expected}")


async def test_a_reply_is_enough(server: RedisServer, redisson: AsyncRedisson) -> None:
    await redisson.get_bucket("b").get()
    with Monitor(server) as monitor:
        found = await redisson.health()
    assert monitor.commands == []
    assert found.connected
    assert found.age is not None
    assert found.age < 1
    assert found.transfers == {}
    assert found.ok


async def test_without_a_reply_one_ping_asks(server: RedisServer, redisson: AsyncRedisson) -> None:
    """Of a client that has not connected yet, too."""
    with Monitor(server) as monitor:
        found = await redisson.health()
        assert found == await redisson.health() or found.connected
    assert [each.name for each in monitor.commands].count("PING") == 1
    assert found.connected
    assert found.age is not None


async def test_tasks_that_run(redisson: AsyncRedisson) -> None:
    for name in ("q", "{tag}:other"):
        await delayed_queue(redisson, name).offer("a", delay=60)
    running = TransferHealth(running=True, lag=0.0)
    await until_health(redisson, transfers={"q": running, "{tag}:other": running}, ok=True)


async def test_a_task_that_has_ended(
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


async def test_a_server_that_is_killed(own_server: RedisServer) -> None:
    async with AsyncRedisson.from_url(own_server.url, safety_interval=0.2) as redisson:
        await delayed_queue(redisson).offer("a", delay=60)
        assert (await until_health(redisson, ok=True)).transfers["q"].lag == 0
        own_server.kill()
        found = await until_health(redisson, connected=False)
        assert found.live  # no restart would help
        assert found.age is not None
        assert found.age > 0.5
        assert not found.ok
        await until_async(lambda: redisson.transfer_stats()[0].failures > 0, "the task has failed")
        assert (await redisson.health()).transfers["q"].lag > 0
        own_server.start()
        await until_health(redisson, ok=True, transfers={"q": TransferHealth(True, 0.0)})


async def test_a_server_that_is_frozen(own_server: RedisServer) -> None:
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


async def test_a_transfer_that_is_rejected(login: Login) -> None:
    redisson = login("-eval", "-evalsha", safety_interval=0.1)
    delayed_queue(redisson)
    await until_async(lambda: any(e.refused for e in redisson.transfer_stats()), "it is rejected")
    await sleep_async(0.2)
    found = await redisson.health()
    assert found.live
    assert found.transfers["q"].lag > 0


async def test_a_transfer_process(url: str) -> None:
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


async def test_a_closed_client(url: str) -> None:
    redisson = AsyncRedisson.from_url(url)
    await delayed_queue(redisson).offer("a", delay=60)
    await redisson.aclose()
    found = await redisson.health()
    assert (found.connected, found.live, found.ok) == (False, False, False)


async def test_a_client_that_never_reached_redis() -> None:
    async with AsyncRedisson.from_url("redis://127.0.0.1:1") as redisson:
        assert await redisson.health() == Health(connected=False, age=None, transfers={})
