"""The log of an outage: one line when it begins and one line when it ends."""

import logging
from typing import Any

import pytest
import redis

from pyredisson import AsyncRedisson, AsyncWorker
from pyredisson._async.background import channels
from pyredisson.codecs import StringCodec
from pyredisson.protocol.kernel import capabilities
from tests.support.server import RedisServer
from tests.support.twins import aside_async, run_together_async, start_async, until_async


def said(caplog: pytest.LogCaptureFixture, words: str, level: int = logging.WARNING) -> list[str]:
    """The lines that contain certain words and have at least a certain level."""
    lines = [one.getMessage() for one in caplog.records if one.levelno >= level]
    return [line for line in lines if words in line]


async def outage(server: RedisServer, caplog: pytest.LogCaptureFixture, words: str) -> None:
    """Crash a server, and start it when several failures have been noticed."""
    await aside_async(server.kill)
    before = len(said(caplog, words, logging.DEBUG))
    await until_async(lambda: len(said(caplog, words, logging.DEBUG)) > before + 5, "it is noticed")
    await aside_async(server.start)


async def test_waits_log_each_outage_once(
    own_server: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    """All waits at a server log one line together, and one line again in the next outage."""
    caplog.set_level(logging.DEBUG, "pyredisson")
    async with AsyncRedisson.from_url(own_server.url, codec=StringCodec()) as redisson:
        queues = [redisson.get_blocking_queue(name) for name in ("q", "q", "r")]
        assert [await queue.poll() for queue in queues] == [None] * 3
        for _ in range(2):
            caplog.clear()
            taking = start_async(lambda: run_together_async(*(queue.take for queue in queues)))
            await outage(own_server, caplog, "continues after")
            own_server.client().rpush("q", "a", "b")
            own_server.client().rpush("r", "c")
            assert sorted(await taking.result()) == ["a", "b", "c"]
            (started,) = said(caplog, "continues after")
            assert started.startswith(
                ("waiting for elements of 'q'", "waiting for elements of 'r'")
            )
            (ended,) = said(caplog, "served again after")
            assert said(caplog, "") == [started, ended]


async def test_worker_logs_once_that_its_server_is_not_up_yet(
    own_server: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    """The worker keeps trying; it logs the server's address once, and the outage's end once."""
    await aside_async(own_server.kill)
    seen: list[str] = []
    async with AsyncRedisson.from_url(own_server.url, codec=StringCodec()) as redisson:
        worker = AsyncWorker(redisson, redisson.get_queue("q"), seen.append)
        running = start_async(worker.run)
        await until_async(lambda: bool(said(caplog, "continues after")), "it is said")
        await aside_async(own_server.start)
        own_server.client().rpush("q", "a")
        await until_async(lambda: seen == ["a"], "it is handled")
        await until_async(lambda: bool(said(caplog, "served again after")), "that is said")
        worker.stop()
        assert await running.result() == 0
    (started,) = said(caplog, "continues after")
    assert started.startswith("waiting for elements of 'q' continues after: ")
    assert str(own_server.port) in started
    assert len(said(caplog, "served again after")) == 1


async def test_polls_that_end_within_an_outage_log_it_once(
    own_server: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    """Each poll raises; the outage is logged once."""
    async with AsyncRedisson.from_url(own_server.url, codec=StringCodec()) as redisson:
        queue = redisson.get_blocking_queue("q")
        assert await queue.poll() is None
        await aside_async(own_server.kill)
        for _ in range(4):
            with pytest.raises(redis.ConnectionError):
                await queue.poll(timeout=0.3)
        await aside_async(own_server.start)
        own_server.client().rpush("q", "a")
        assert await queue.take() == "a"
    assert len(said(caplog, "continues after")) == 1
    assert len(said(caplog, "")) == 2


@pytest.mark.parametrize("count", [1, 30])
async def test_transfers_log_each_outage_once(
    own_server: RedisServer, caplog: pytest.LogCaptureFixture, count: int
) -> None:
    """One line is logged for each server, even if many empty queues are polled together."""
    caplog.set_level(logging.DEBUG, "pyredisson")
    url = own_server.url
    async with AsyncRedisson.from_url(url, codec=StringCodec(), safety_interval=0.3) as redisson:
        for number in range(count):
            redisson.get_delayed_queue(redisson.get_queue(f"q{number}"))
        await until_async(
            lambda: all(one.runs and one.subscribed for one in redisson.transfer_stats()), "it runs"
        )
        await outage(own_server, caplog, "jobs of its server wait")
        await until_async(
            lambda: bool(said(caplog, "of its server continue after")), "transfers go on"
        )
        await until_async(lambda: bool(said(caplog, "is back after", logging.INFO)), "it listens")
        runs = sum(one.runs for one in redisson.transfer_stats())
        await until_async(
            lambda: sum(one.runs for one in redisson.transfer_stats()) > runs + 2 * count, "it runs"
        )
    (started,) = said(caplog, "jobs of its server wait")
    assert started.startswith("transfer of queue 'q")
    (ended,) = said(caplog, "of its server continue after")
    assert said(caplog, "") == [started, ended]
    assert len(said(caplog, "subscription is lost", logging.INFO)) == 1
    assert len(said(caplog, "subscription is back", logging.INFO)) == 1


async def test_rejections_and_their_end_are_logged_once(
    own_server: RedisServer, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For TIME and SUBSCRIBE, the rejection is logged once, and its end once."""
    caplog.set_level(logging.DEBUG, "pyredisson")
    for module in (capabilities, channels):
        monkeypatch.setattr(module, "AGAIN", 0.1)
    admin: Any = own_server.client()
    rights = ("~*", "&*", "+@all", "-time", "-subscribe")
    admin.execute_command("ACL", "SETUSER", "plain", "on", "nopass", *rights)
    url = f"redis://plain:x@127.0.0.1:{own_server.port}/0"
    async with AsyncRedisson.from_url(url, codec=StringCodec(), safety_interval=0.1) as redisson:
        delayed = redisson.get_delayed_queue(redisson.get_queue("q"))
        for _ in range(3):
            await delayed.offer("x", delay=3600)
        refused = "SUBSCRIBE is rejected"
        await until_async(lambda: len(said(caplog, refused, logging.DEBUG)) > 3, "it is refused")
        assert len(said(caplog, "TIME is rejected")) == 1
        admin.execute_command("ACL", "SETUSER", "plain", "+time", "+subscribe")
        await until_async(lambda: bool(said(caplog, "TIME is allowed again")), "it is noticed")
        await until_async(lambda: bool(said(caplog, "SUBSCRIBE is allowed again")), "so is that")
    assert len(said(caplog, "")) == 4
