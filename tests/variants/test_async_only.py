"""Tests for asyncio only: loops that begin and end, tasks that are cancelled and not awaited."""

import asyncio
import gc
from collections.abc import Iterator
from typing import Any

import pytest
import redis
from redis.asyncio.sentinel import Sentinel

from pyredisson import AsyncRedisson, AsyncWorker
from pyredisson.codecs import StringCodec
from tests.support.state import shape
from tests.support.tls import Certificates, TlsServer
from tests.support.topology import SentinelGroup, wait_until
from tests.support.twins import PATIENCE, close_cluster_async, until_async

STRINGS = StringCodec()


@pytest.fixture
def no_gc() -> Iterator[None]:
    """Collect garbage only after the test; everything that was left open is then reported."""
    gc.disable()
    yield
    gc.enable()
    gc.collect()


@pytest.mark.usefixtures("no_gc")
def test_a_client_outlives_its_loop(url: str, raw: redis.Redis) -> None:
    """A client of a module, used in several calls of `asyncio.run`, leaves no connection open."""
    outlive_loops(AsyncRedisson.from_url(url), raw)


@pytest.mark.usefixtures("no_gc")
def test_a_client_outlives_its_loop_with_tls(certificates: Certificates) -> None:
    """Connections are also closed if the server does not answer the end of TLS."""
    with TlsServer(certificates) as server:
        outlive_loops(AsyncRedisson.from_url(server.url), server.client())


@pytest.mark.usefixtures("no_gc")
def test_a_client_of_sentinels_outlives_its_loop(sentinels: SentinelGroup) -> None:
    """The subscription to the Sentinels ends with each loop."""
    kind: Any = Sentinel
    manager = kind(sentinels.addresses)
    redisson = AsyncRedisson(manager.master_for(sentinels.service_name))
    outlive_loops(redisson, sentinels.master.client())
    watchers = [each.client() for each in sentinels.sentinels]
    wait_until(lambda: all(strangers(each) == 1 for each in watchers), "nobody listens")


def strangers(raw: redis.Redis) -> int:
    """Return the number of a server's connections, without those of Sentinels and replicas."""
    listed: Any = raw.client_list()
    return sum(each["name"][:9] != "sentinel-" and each["flags"] != "S" for each in listed)


def outlive_loops(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    queue = redisson.get_blocking_queue("q", codec=STRINGS)
    delayed = redisson.get_delayed_queue(queue)

    async def use(number: int) -> None:
        await delayed.offer(f"{number}", delay=0.1)
        assert await queue.take() == f"{number}"

    async def end() -> None:
        await redisson.aclose()

    connections = []
    for number in range(4):
        asyncio.run(use(number))
        connections.append(strangers(raw))
    asyncio.run(end())
    assert shape(raw) == {}
    assert max(connections) < 6, connections  # a leak would add two each time
    wait_until(lambda: strangers(raw) == 1, "all are closed")


async def test_a_handle_made_before_the_loop_transfers_from_its_first_use(
    url: str, raw: redis.Redis
) -> None:
    loop = asyncio.get_running_loop()
    redisson = AsyncRedisson.from_url(url)
    queue = redisson.get_blocking_queue("q", codec=STRINGS)
    delayed = await loop.run_in_executor(None, redisson.get_delayed_queue, queue)
    await delayed.offer("a", delay=0.05)
    assert await queue.take() == "a"
    await redisson.aclose()


async def test_cancelled_takes_during_close_lose_no_element(url: str, raw: redis.Redis) -> None:
    """A program cancels its tasks, does not await them, and leaves the client's `with` block."""
    taken: list[str] = []

    async def consume(redisson: AsyncRedisson) -> None:
        queue = redisson.get_blocking_queue("q", codec=STRINGS)
        while True:
            taken.append(await queue.take())

    def blocked() -> int:
        return int(raw.info("clients")["blocked_clients"])

    for turn in range(20):
        async with AsyncRedisson.from_url(url) as redisson:
            tasks = [asyncio.create_task(consume(redisson)) for _ in range(5)]
            await until_async(lambda: blocked() == 5, "they wait")
            raw.rpush("q", *(f"{turn}.{number}" for number in range(20)))
            for _ in range(turn):
                await asyncio.sleep(0)
            for task in tasks:
                task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        taken += shape(raw).get("q", [])
        raw.delete("q")
    expected = [f"{turn}.{number}" for turn in range(20) for number in range(20)]
    assert sorted(taken) == sorted(expected)


async def test_tasks_wait_on_100_queues_in_parallel(url: str, raw: redis.Redis) -> None:
    async with AsyncRedisson.from_url(url) as redisson:
        queues = [redisson.get_blocking_queue(f"q{n}", codec=STRINGS) for n in range(100)]
        tasks = [asyncio.create_task(queue.take()) for queue in queues]
        delayed = [redisson.get_delayed_queue(queue) for queue in queues]
        await asyncio.gather(*(one.offer(one.name, delay=0.1) for one in delayed))
        assert await asyncio.gather(*tasks) == [queue.name for queue in queues]


@pytest.mark.parametrize("stopping", [False, True])
async def test_cancelled_run_releases_its_message(
    url: str, raw: redis.Redis, stopping: bool
) -> None:
    """No task of the worker continues, and the message in flight is released."""
    raw.rpush("q", "a")
    started = asyncio.Event()

    async def handler(_: str) -> None:
        started.set()
        await asyncio.sleep(60)

    async with AsyncRedisson.from_url(url, codec=STRINGS) as redisson:
        worker = AsyncWorker(redisson, redisson.get_queue("q"), handler)
        running = asyncio.create_task(worker.run())
        await started.wait()
        if stopping:
            worker.stop()
            await asyncio.sleep(0.05)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert raw.lrange("q", 0, -1) == [b"a"]
        assert not [task for task in asyncio.all_tasks() if "handler" in task.get_name()]


async def test_cancelled_inner_task_fails_the_handler(url: str, raw: redis.Redis) -> None:
    """The cancellation counts as the handler's failure, and the worker continues."""
    raw.rpush("q", "a", "b")
    seen: list[str] = []

    async def handler(value: str) -> None:
        seen.append(value)
        if len(seen) == 2:
            worker.stop()
        task = asyncio.create_task(asyncio.sleep(60))
        asyncio.get_running_loop().call_soon(task.cancel)
        await task

    async with AsyncRedisson.from_url(url, codec=STRINGS) as redisson:
        queue = redisson.get_queue("q")
        worker = AsyncWorker(redisson, queue, handler, concurrency=1, max_deliveries=1)
        assert await asyncio.wait_for(worker.run(), PATIENCE) == 0
        assert seen == ["a", "b"]
        assert await redisson.get_dead_letters(queue).size() == 2


async def test_cluster_client_of_a_single_server_raises(url: str) -> None:
    """The synchronous cluster client connects when it is made; the asynchronous one does not."""
    wrong = "is not a cluster node .* make the client with Redis, not RedisCluster$"
    client: Any = redis.asyncio.RedisCluster.from_url(url)
    async with AsyncRedisson(client, codec=StringCodec()) as redisson:
        queue = redisson.get_blocking_queue("q")
        for _ in range(2):
            with pytest.raises(redis.ConnectionError, match=wrong):
                await queue.take()
            with pytest.raises(redis.ConnectionError, match=wrong):
                await redisson.get_consumer(queue).take()
    await close_cluster_async(client)
