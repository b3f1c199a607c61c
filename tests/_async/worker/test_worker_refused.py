"""Workers and waits survive a server that rejects commands for a while."""

import logging
import re
from collections.abc import AsyncIterator, Iterator
from functools import partial
from typing import Any

import pytest
from redis.asyncio import RedisCluster
from redis.exceptions import RedisError

from pyredisson import AsyncRedisson, AsyncWorker, Backoff, WorkerStats
from pyredisson.codecs import StringCodec
from tests.support.consuming import held
from tests.support.faults_tools import names_by_home
from tests.support.refusals import EVERYWHERE, SAID, refusal, url_of
from tests.support.server import RedisServer
from tests.support.topology import RedisCluster as Servers
from tests.support.twins import AsyncStarted, sleep_async, until_async

WARNED = "continues after"
AGAIN = "served again"


@pytest.fixture
def server() -> Iterator[RedisServer]:
    """A server for this test only."""
    with RedisServer() as server:
        yield server


@pytest.fixture
async def redisson(server: RedisServer) -> AsyncIterator[AsyncRedisson]:
    """A client of a user with all rights."""
    async with AsyncRedisson.from_url(url_of(server), codec=StringCodec()) as redisson:
        yield redisson


class Said:
    """The lines of the log."""

    def __init__(self, caplog: pytest.LogCaptureFixture) -> None:
        caplog.set_level(logging.DEBUG, "pyredisson")
        self._caplog = caplog

    def lines(self, text: str, least: int = logging.DEBUG) -> list[str]:
        return [
            each.getMessage()
            for each in list(self._caplog.records)
            if each.levelno >= least and text in each.getMessage()
        ]


@pytest.fixture
def said(caplog: pytest.LogCaptureFixture) -> Said:
    return Said(caplog)


class Held:
    """A handler that records its values, and does not return while its value is in `held`."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.held: set[str] = set()

    async def __call__(self, value: str) -> None:
        self.seen.append(value)
        while value in self.held:
            await sleep_async(0.01)


def rpush(server: RedisServer, *values: str, key: str = "q") -> None:
    server.run("RPUSH", key, *values)


def leases(server: RedisServer) -> list[Any]:
    with server.client() as client:
        return held(client)


@pytest.mark.parametrize("kind", SAID)
async def test_running_worker_survives_rejections(
    server: RedisServer, redisson: AsyncRedisson, said: Said, kind: str
) -> None:
    handler = Held()
    worker = AsyncWorker(redisson, redisson.get_queue("q"), handler)
    running = AsyncStarted(worker.run)
    rpush(server, "a")
    await until_async(lambda: worker.stats().done == 1, "it works")
    with refusal(server, kind):
        await until_async(lambda: running.done or len(said.lines(WARNED)) > 3, "it is tried again")
    rpush(server, "b")
    await until_async(lambda: running.done or worker.stats().done == 2, "it goes on")
    await until_async(lambda: bool(said.lines(AGAIN)), "that is said")
    worker.stop()
    assert await running.result() == 0
    assert handler.seen == ["a", "b"]
    warned = said.lines(WARNED, logging.WARNING)
    assert len(warned) in ({1, 2} if kind == "wrongpass" else {1})  # its connections end first
    assert len(said.lines(AGAIN)) == 1
    assert re.search(SAID[kind], warned[-1])


@pytest.mark.parametrize("kind", SAID)
async def test_messages_handled_during_rejections_are_settled_later(
    server: RedisServer, redisson: AsyncRedisson, said: Said, kind: str
) -> None:
    """Leases are renewed once the server allows it. Nothing is redelivered or counted as failed."""
    handler = Held()
    handler.held = {"acked", "renewed"}
    worker = AsyncWorker(redisson, redisson.get_queue("q"), handler, lease=9)
    running = AsyncStarted(worker.run)
    rpush(server, "acked", "renewed")
    await until_async(lambda: len(handler.seen) == 2, "they are handled")
    before = leases(server)
    with refusal(server, kind):
        handler.held = {"renewed"}
        await until_async(lambda: bool(said.lines("cannot be settled now")), "it is tried")
        await until_async(lambda: bool(said.lines("are not renewed now")), "that is tried, too")
        assert leases(server) == before
    await until_async(lambda: worker.stats().done == 1, "it is settled")
    await until_async(lambda: bool(said.lines("are renewed again")), "it is renewed")
    handler.held = set()
    await until_async(lambda: worker.stats().done == 2, "that is settled, too")
    worker.stop()
    assert await running.result() == 0
    assert worker.stats() == WorkerStats(done=2)
    for text in ("cannot be settled now", "settled again", "are not renewed now", "renewed again"):
        assert len(said.lines(text, logging.WARNING)) == 1, text
    assert not said.lines("redelivered")


@pytest.mark.parametrize("kind", SAID)
async def test_new_worker_raises_permanent_rejections_at_once(
    server: RedisServer, redisson: AsyncRedisson, kind: str
) -> None:
    """A rejection that does not end by itself is raised. The worker waits for the end of others."""
    handler = Held()
    worker = AsyncWorker(redisson, redisson.get_queue("q"), handler)
    with refusal(server, kind):
        running = AsyncStarted(worker.run)
        if kind not in EVERYWHERE:
            with pytest.raises(RedisError, match=SAID[kind]):
                await running.result()
            return
        await sleep_async(0.3)
        assert not running.done
    rpush(server, "a")
    await until_async(lambda: running.done or worker.stats().done == 1, "it works")
    worker.stop()
    assert await running.result() == 0


@pytest.mark.parametrize("kind", ["noperm", "noreplicas", "kill"])
async def test_worker_gives_up_after_long_rejections(
    server: RedisServer, redisson: AsyncRedisson, kind: str
) -> None:
    worker = AsyncWorker(redisson, redisson.get_queue("q"), Held(), give_up_after=0.5)
    running = AsyncStarted(worker.run)
    for done in (1, 2):  # an outage that has ended no longer counts
        rpush(server, "a")
        await until_async(partial(lambda done: worker.stats().done == done, done), "it works")
        with refusal(server, "noreplicas"):
            await sleep_async(0.3)
    rpush(server, "a")
    await until_async(lambda: worker.stats().done == 3, "it works")
    assert not running.done
    if kind == "kill":
        server.kill()
        with pytest.raises((RedisError, OSError)):
            await running.result()
        return
    with refusal(server, kind), pytest.raises(RedisError, match=SAID[kind]):
        await running.result()


@pytest.mark.parametrize("kind", EVERYWHERE)
async def test_take_waits_for_the_end_of_rejections(
    server: RedisServer, redisson: AsyncRedisson, said: Said, kind: str
) -> None:
    """This is a take of a consumer, of a queue, and of `subscribe_on_elements`."""
    seen: list[str] = []
    consumer = redisson.get_consumer(redisson.get_queue("q"), transfer=False)
    queue, other = redisson.get_blocking_queue("r"), redisson.get_blocking_queue("s")
    assert await consumer.poll() is None
    assert await queue.poll() is None
    subscription = other.subscribe_on_elements(seen.append)
    try:
        with refusal(server, kind):
            taking, popping = AsyncStarted(consumer.take), AsyncStarted(queue.take)
            await sleep_async(2.5)
            assert not taking.done
            assert not popping.done
            with pytest.raises(RedisError, match=SAID[kind]):
                await consumer.poll(0.2)
        for key in "qrs":
            rpush(server, key, key=key)
        assert (await taking.result()).value == "q"
        assert await popping.result() == "r"
        await until_async(lambda: seen == ["s"], "it goes on")
    finally:
        await subscription.close()
    warned = said.lines(WARNED, logging.WARNING)
    assert 1 <= len(warned) <= 2  # an older wait may end meanwhile, as if it were over


async def test_rejected_queue_does_not_block_the_others(
    server: RedisServer, redisson: AsyncRedisson, said: Said
) -> None:
    handler = Held()
    queues = [redisson.get_queue(name) for name in ("p", "q")]
    worker = AsyncWorker(redisson, queues, handler, give_up_after=1)
    running = AsyncStarted(worker.run)
    rpush(server, "first")
    await until_async(lambda: worker.stats().done == 1, "it works")
    server.run("SET", "p", "a text")
    for number in range(10):
        rpush(server, f"{number}")
        await sleep_async(0.2)
    await until_async(lambda: running.done or worker.stats().done == 11, "they are handled")
    server.run("DEL", "p")
    rpush(server, "last", key="p")
    await until_async(lambda: running.done or worker.stats().done == 12, "that is handled, too")
    worker.stop()
    assert await running.result() == 0
    assert len(said.lines(WARNED, logging.WARNING)) == len(said.lines(AGAIN)) == 1


async def test_node_that_accepts_no_writes_does_not_block_the_others(
    partial: Servers, said: Said
) -> None:
    homes = names_by_home(partial, "refused_async")
    icy, well = partial.servers[:2]
    handler = Held()
    async with (
        RedisCluster.from_url(partial.servers[2].url) as client,
        AsyncRedisson(client, codec=StringCodec()) as redisson,
    ):
        queues = [redisson.get_queue(homes[each][0]) for each in (icy, well)]
        worker = AsyncWorker(redisson, queues, handler, backoff=Backoff(first=0.1))
        running = AsyncStarted(worker.run)
        rpush(well, "first", key=queues[1].name)
        await until_async(lambda: worker.stats().done == 1, "it works")
        with refusal(icy, "noreplicas"):
            for number in range(5):
                rpush(well, f"{number}", key=queues[1].name)
                await sleep_async(0.2)
            await until_async(lambda: running.done or worker.stats().done == 6, "they are handled")
        rpush(icy, "last", key=queues[0].name)
        await until_async(lambda: running.done or worker.stats().done == 7, "that, too")
        worker.stop()
        assert await running.result() == 0


async def test_shard_on_a_node_that_accepts_no_writes(partial: Servers, said: Said) -> None:
    handler = Held()
    handler.held = {"first"}
    async with (
        RedisCluster.from_url(partial.servers[2].url) as client,
        AsyncRedisson(client, codec=StringCodec()) as redisson,
    ):
        queue = redisson.get_sharded_queue("refused_shards_async", shards=6)
        worker = AsyncWorker(redisson, queue, handler, concurrency=1)
        running = AsyncStarted(worker.run)
        await queue.add("first")
        await until_async(lambda: handler.seen == ["first"], "it works")
        icy = partial.servers[0]
        for number in range(24):
            await queue.add(f"{number}")
        there = sum(icy.run("LLEN", key) for key in icy.run("KEYS", "refused_shards*"))
        assert 0 < there < 24
        with refusal(icy, "noreplicas"):
            handler.held = set()
            await until_async(
                lambda: running.done or len(handler.seen) == 25 - there, "the rest goes on"
            )
            await until_async(lambda: len(said.lines(WARNED)) > 2, "it is tried again")
        await until_async(lambda: running.done or worker.stats().done == 25, "it goes on")
        worker.stop()
        assert await running.result() == 0
    assert said.lines(AGAIN)
