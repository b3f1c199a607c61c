"""A frozen node, whose waits were abandoned, answers again: the next call is served."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from redis.asyncio import RedisCluster

from pyredisson import AsyncRedisson, AsyncWorker
from pyredisson.codecs import StringCodec
from tests.support.server import RedisServer
from tests.support.topology import RedisCluster as Servers
from tests.support.twins import AsyncStarted, sleep_async, start_async, until_async


@pytest.fixture
def unhandled(monkeypatch: pytest.MonkeyPatch) -> list[BaseException | None]:
    """The exceptions that ended threads."""
    found: list[BaseException | None] = []
    monkeypatch.setattr(threading, "excepthook", lambda report: found.append(report.exc_value))
    return found


@contextmanager
def freezing(server: RedisServer) -> Iterator[None]:
    """Freeze a server until the end of the block."""
    server.pause()
    try:
        yield
    finally:
        server.resume()


async def test_a_worker_stops_while_a_node_is_frozen(cluster: Servers, unhandled: Any) -> None:
    """Its waits at the node end when the node continues. None remains. Other calls are served."""
    one, two = cluster.names_of_two("stops_async")
    frozen = cluster.master_of(one.encode())
    async with (
        RedisCluster.from_url(cluster.url) as client,
        AsyncRedisson(client, codec=StringCodec(), response_timeout=1) as redisson,
    ):
        queues = [redisson.get_blocking_queue(name) for name in (one, two)]
        worker = AsyncWorker(redisson, queues, lambda _: None)
        link = redisson._context.link
        running = AsyncStarted(worker.run)
        await until_async(lambda: b"blmove" in frozen.run("CLIENT", "LIST"), "it waits there")
        with cluster.serving_the_rest():
            with freezing(frozen):
                await sleep_async(0.2)
                worker.stop()
                assert await running.result() == 0
                await sleep_async(2.5)  # longer than a wait and the response timeout
            frozen.run("RPUSH", one, "x")
            assert await queues[1].poll_from_any(15, one) == "x"
            await until_async(lambda: not link.abandoned, "nobody is late any more")
            assert b"blocked_clients:0" in frozen.run("INFO", "clients")
    assert unhandled == []


async def test_client_closed_beside_a_frozen_node_leaves_no_waits(
    cluster: Servers, unhandled: Any
) -> None:
    one, two = cluster.names_of_two("closed_async")
    frozen = cluster.master_of(one.encode())
    async with RedisCluster.from_url(cluster.url) as client:
        redisson = AsyncRedisson(client, codec=StringCodec(), response_timeout=1)
        queue = redisson.get_blocking_queue(two)
        assert await queue.poll_from_any(0, one) is None
        waiting = start_async(lambda: queue.poll_from_any(0.5, one))
        await until_async(lambda: b"blpop" in frozen.run("CLIENT", "LIST"), "it waits there")
        with cluster.serving_the_rest(), freezing(frozen):
            assert await waiting.result() is None
            await redisson.aclose()
            await until_async(lambda: not redisson._context.link.abandoned, "they have ended")
    assert unhandled == []


async def test_consumers_share_one_probe_of_a_frozen_node(cluster: Servers, unhandled: Any) -> None:
    """The probe continues after the consumers are closed. It ends when the node answers."""
    orders = [f"probed{number}_async" for number in range(2)]
    async with (
        RedisCluster.from_url(cluster.url) as client,
        AsyncRedisson(client, codec=StringCodec(), response_timeout=0.5) as redisson,
    ):
        queues = [redisson.get_sharded_queue(name, 12, transfer=False) for name in orders]
        consumers = [redisson.get_consumer(queue, transfer=False) for queue in queues]
        for consumer in consumers:
            assert await consumer.poll() is None
        name = queues[0].names[0]
        frozen = cluster.master_of(name.encode())
        with cluster.serving_the_rest():
            with freezing(frozen):
                for consumer in consumers:
                    assert await consumer.poll(0.2) is None
                    await consumer.close()
                assert len(redisson._context.link.probes) == 1
            frozen.run("RPUSH", name, "x")
            assert await queues[0].poll(timeout=15) == "x"
        probes = redisson._context.link.probes
        await until_async(lambda: not any(each.alive for each in probes.values()), "answered")
    assert unhandled == []
