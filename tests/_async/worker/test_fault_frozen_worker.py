"""A worker beside a frozen node of a cluster: it continues to serve the other nodes.

The response timeout is ten minutes, so each call that needs the frozen node hangs.
"""

from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pytest
from redis.asyncio import RedisCluster

from pyredisson import AsyncRedisson, AsyncWorker, Backoff, WorkerStats
from pyredisson._async.worker import worker as worker_module
from pyredisson.codecs import StringCodec
from pyredisson.protocol.kernel.names import ConsumerNames
from tests.support.faults_tools import names_by_home, server_ms
from tests.support.server import RedisServer
from tests.support.topology import RedisCluster as Servers
from tests.support.twins import AsyncStarted, sleep_async, until_async

NEVER = 600.0
SOON = 20.0
"""Seconds in which all work without the frozen node is done, even on a loaded machine."""


@pytest.fixture
async def redisson(partial: Servers) -> AsyncIterator[AsyncRedisson]:
    """A client of the cluster with a response timeout of ten minutes."""
    async with (
        RedisCluster.from_url(partial.servers[2].url) as client,
        AsyncRedisson(
            client, codec=StringCodec(), safety_interval=0.5, response_timeout=NEVER
        ) as redisson,
    ):
        yield redisson
        link = redisson._context.link
        await until_async(lambda: not link.abandoned, "no wait is left behind")
        await until_async(
            lambda: not any(probe.alive for probe in tuple(link.probes.values())), "all answer"
        )


@contextmanager
def frozen(server: RedisServer) -> Iterator[None]:
    server.pause()
    try:
        yield
    finally:
        server.resume()


class Two:
    """A queue at the node that will freeze, a queue at another node, and a handler for both."""

    def __init__(self, cluster: Servers, prefix: str) -> None:
        homes = names_by_home(cluster, prefix)
        self.icy, self.well = cluster.servers[:2]
        self.there, self.here = homes[self.icy][0], homes[self.well][0]
        self.delivered: Counter[str] = Counter()
        self.held: set[str] = set()
        self.fails: set[str] = set()

    async def handle(self, value: str) -> None:
        self.delivered[value] += 1
        while value in self.held:
            await sleep_async(0.01)
        if value in self.fails:
            raise ValueError(value)

    def push(self, *values: str, there: bool = False) -> None:
        server, name = (self.icy, self.there) if there else (self.well, self.here)
        server.run("RPUSH", name, *values)

    def leases(self) -> dict[bytes, float]:
        """Return the leases of the queue at the healthy node."""
        with self.well.client() as client:
            found: Any = client.zrange(ConsumerNames.of(self.here).leases, 0, -1, withscores=True)
        return dict(found)

    def freeze(self) -> AbstractContextManager[None]:
        return frozen(self.icy)

    def worker(self, redisson: AsyncRedisson, **options: Any) -> AsyncWorker:
        queues = [redisson.get_blocking_queue(name) for name in (self.there, self.here)]
        options = {"backoff": Backoff(first=0.1), **options}
        return AsyncWorker(redisson, queues, self.handle, **options)


async def test_leases_of_other_nodes_are_renewed(redisson: AsyncRedisson, partial: Servers) -> None:
    two = Two(partial, "renewed_async")
    two.held |= {"icy", "well"}
    worker = two.worker(redisson, lease=3)
    running = AsyncStarted(worker.run)
    for value in ("icy", "well"):
        two.push(value, there=value == "icy")
        await until_async(lambda v=value: v in two.delivered, "it is handled")  # type: ignore[misc]  # a default
    [end] = two.leases().values()
    with two.freeze():
        await until_async(lambda: server_ms(two.well) > end + 1000, "its first lease is over")
        [later] = two.leases().values()
        assert later > end
        assert two.delivered["well"] == 1
        two.held.clear()
        await until_async(lambda: not two.leases(), "it is acknowledged", SOON)
    worker.stop()
    assert await running.result() == 0
    assert two.delivered["well"] == 1


async def test_acknowledgements_of_other_nodes_are_sent(
    redisson: AsyncRedisson, partial: Servers
) -> None:
    two = Two(partial, "acked_async")
    there, here = [f"icy{n}" for n in range(4)], [f"well{n}" for n in range(4)]
    two.held |= {*there, *here}
    worker = two.worker(redisson)
    running = AsyncStarted(worker.run)
    two.push(*there, there=True)
    two.push(*here)
    await until_async(lambda: len(two.delivered) == 8, "all are handled")
    with two.freeze():
        two.held.clear()
        await until_async(lambda: not two.leases(), "they are acknowledged", SOON)
        await until_async(lambda: worker.stats().done >= 4, "they are counted", SOON)
    await until_async(lambda: worker.stats().done == 8, "the others as well")
    worker.stop()
    assert await running.result() == 0
    assert worker.stats() == WorkerStats(done=8)
    assert set(two.delivered.values()) == {1}


@pytest.mark.parametrize("busy", [True, False], ids=["busy", "idle"])
async def test_other_nodes_are_served(
    redisson: AsyncRedisson, partial: Servers, busy: bool
) -> None:
    two = Two(partial, f"served_async_{busy}")
    worker = two.worker(redisson, lease=NEVER)  # messages of late takes must be released
    running = AsyncStarted(worker.run)
    for number in range(10):
        two.push(f"before{number}", there=number % 2 == 0)
    await until_async(lambda: len(two.delivered) == 10, "it works")
    if busy:
        two.push(*(f"icy{n}" for n in range(200)), there=True)
    with two.freeze():
        for number in range(20):
            two.push(f"{number}")
            await until_async(lambda n=f"{number}": n in two.delivered, "it is served", SOON)  # type: ignore[misc]  # a default
            await sleep_async(0.1)
    two.push("after", there=True)
    count = 31 + 200 * busy
    await until_async(lambda: len(two.delivered) == count, "the other one is served again")
    worker.stop()
    assert await running.result() == 0
    assert set(two.delivered.values()) == {1}


@pytest.mark.parametrize("mixed", [True, False], ids=["mixed", "alone"])
async def test_other_shards_are_served(
    redisson: AsyncRedisson, partial: Servers, mixed: bool
) -> None:
    sharded = redisson.get_sharded_queue(f"shards_async_{mixed}", 12)
    queues: list[Any] = [sharded]
    if mixed:
        queues.insert(0, redisson.get_queue("before_async"))
    delivered = Counter[str]()

    async def handle(value: str) -> None:
        delivered[value] += 1

    worker = AsyncWorker(redisson, queues, handle, lease=NEVER)
    running = AsyncStarted(worker.run)
    icy = partial.servers[0]
    homes = {name: partial.master_of(name.encode()) for name in sharded.names}
    for name, home in homes.items():
        home.run("RPUSH", name, name)
    await until_async(lambda: len(delivered) == 12, "it works")
    well = [name for name, home in homes.items() if home is not icy]
    for name in set(homes) - set(well):
        icy.run("RPUSH", name, *(f"{name} {n}" for n in range(50)))
    with frozen(icy):
        for number in range(20):
            name = well[number % len(well)]
            homes[name].run("RPUSH", name, f"{number}")
            await until_async(lambda n=f"{number}": n in delivered, "it is served", SOON)  # type: ignore[misc]  # a default
            await sleep_async(0.05)
    await until_async(lambda: len(delivered) == 32 + 50 * (12 - len(well)), "all of them are")
    worker.stop()
    assert await running.result() == 0
    assert set(delivered.values()) == {1}


@pytest.mark.parametrize("batch_size", [1, 3])
async def test_failed_messages_of_a_frozen_node_block_no_handler(
    redisson: AsyncRedisson, partial: Servers, batch_size: int
) -> None:
    """Failed messages wait for the frozen node, and the handlers continue with others."""
    two = Two(partial, f"failed_async_{batch_size}")

    async def handle(values: Any) -> None:
        for value in values if batch_size > 1 else [values]:
            await two.handle(value)

    queues = [redisson.get_blocking_queue(name) for name in (two.there, two.here)]
    worker = AsyncWorker(
        redisson,
        queues,
        handle,
        concurrency=2,
        batch_size=batch_size,
        backoff=Backoff(first=0.1),
    )
    running = AsyncStarted(worker.run)
    icy = [f"icy{n}" for n in range(2 * batch_size)]
    two.held |= set(icy)
    two.fails |= set(icy)
    two.push(*icy, there=True)
    await until_async(lambda: worker.stats().running == len(icy), "all are in hand")
    with two.freeze():
        two.held.clear()
        two.push("well")
        await until_async(lambda: worker.stats().done == 1, "another one is handled", SOON)
        two.fails.clear()
    await until_async(lambda: worker.stats().done == 1 + len(icy), "they come again")
    worker.stop()
    assert await running.result() == 0
    assert worker.stats() == WorkerStats(done=1 + len(icy), retried=len(icy))


async def test_a_batch_of_a_frozen_node_is_not_waited_for(
    redisson: AsyncRedisson, partial: Servers
) -> None:
    two = Two(partial, "batch_async")
    seen: list[str] = []
    queues = [redisson.get_blocking_queue(name) for name in (two.there, two.here)]
    worker = AsyncWorker(redisson, queues, seen.extend, batch_size=5, batch_wait=3)
    running = AsyncStarted(worker.run)
    two.push("icy", there=True)
    await until_async(lambda: worker.stats().running == 1, "it waits for more")
    with two.freeze():
        two.push("well")
        await until_async(lambda: "well" in seen, "it is handled", SOON)
        assert "icy" in seen
    worker.stop()
    assert await running.result() == 0
    assert worker.stats() == WorkerStats(done=2)


async def test_stop_releases_messages_of_other_nodes(
    redisson: AsyncRedisson, partial: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_module, "_LAST", 1.0)
    two = Two(partial, "stopped_async")
    two.held |= {"icy", "well"}
    worker = two.worker(redisson, stop_timeout=0.1)
    running = AsyncStarted(worker.run)
    for value in ("icy", "well"):  # the last one is released first
        two.push(value, there=value == "icy")
        await until_async(lambda v=value: v in two.delivered, "it is handled")  # type: ignore[misc]  # a default
    with two.freeze():
        worker.stop()
        await until_async(lambda: not two.leases(), "it is given back", 5)
        assert two.well.run("LRANGE", two.here, 0, -1) == [b"well"]
        assert await running.result(SOON) == 1
        two.held.clear()
    await until_async(lambda: worker.stats().running == 0, "the handlers have ended")
    assert worker.stats() == WorkerStats(retried=1, lease_expired=1)


@pytest.mark.parametrize("kind", ["several", "sharded", "mixed"])
async def test_worker_starts_beside_a_frozen_node(
    redisson: AsyncRedisson, partial: Servers, kind: str
) -> None:
    """It serves the other nodes, and ends after `stop()`."""
    two = Two(partial, f"begins_async_{kind}")
    sharded = redisson.get_sharded_queue(f"begins_shards_async_{kind}", 6)
    [name, *_] = [n for n in sharded.names if partial.master_of(n.encode()) is two.well]
    plain = [redisson.get_blocking_queue(each) for each in (two.there, two.here)]
    queues: dict[str, list[Any]] = {
        "several": plain,
        "sharded": [sharded],
        "mixed": [plain[0], sharded],
    }
    if kind != "several":
        two.here = name
    with two.freeze():
        worker = AsyncWorker(redisson, queues[kind], two.handle)
        running = AsyncStarted(worker.run)
        for number in range(5):
            two.push(f"{number}")
            await until_async(lambda n=f"{number}": n in two.delivered, "it is served", SOON)  # type: ignore[misc]  # a default
        worker.stop()
        assert await running.result(SOON) == 0
    assert worker.stats() == WorkerStats(done=5)
    assert set(two.delivered.values()) == {1}
