"""A queue with shards on three nodes beside one node: offers, deliveries, a worker, and their cost.

The client is one process, and on a small machine all nodes share its processors: rates cannot
grow here. What grows is what the busiest node could do, so its processor time is measured.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import redis

from benchmarks.measure import PAYLOAD, Bench, RedisServer
from pyredisson import Redisson, Worker
from pyredisson.codecs import StringCodec
from tests.support.topology import RedisCluster

NAME = "cluster"
QUEUE = "bench-cluster"
SHARDS = 16
KINDS = ("a queue, one node", "16 shards, one node", "16 shards, 3 nodes")

Seconds = float


def run(bench: Bench) -> None:
    """Measure offers, then taking, then a worker, and what a worker uses while it waits."""
    count = 4_000 if bench.quick else 20_000
    nodes = bench.stack.enter_context(RedisCluster())
    servers = {kind: nodes.servers if "3 nodes" in kind else [bench.server] for kind in KINDS}
    work = {
        kind: bench.child(_ours, servers[kind][0].url, "3 nodes" in kind, "shards" in kind)
        for kind in KINDS
    }
    for what, case in (
        ("offer", "offer"),
        ("offer_many", "offer_many"),
        ("take", "a consumer, prefetch=100"),
        ("work", "a worker of 8 threads"),
    ):
        few = count // 4 if what in ("offer", "work") else count
        measures: dict[str, Callable[[], tuple[float, list[float]]]] = {
            kind: partial(_measured, servers[kind], few, work[kind], what) for kind in KINDS
        }
        found = bench.interleave(measures, what=f"cluster, {what}")
        rates = {kind: [rate for rate, _ in rounds] for kind, rounds in found.items()}
        bench.record(NAME, f"{case}: items", rates, unit="/s", reference=KINDS[0])
        busiest = {kind: [max(cpu) for _, cpu in rounds] for kind, rounds in found.items()}
        title = f"{case}: the busiest node's CPU an item"
        bench.record(NAME, title, busiest, unit="us", reference=KINDS[0])
        shares = {
            kind: [max(cpu) / sum(cpu) for _, cpu in rounds] for kind, rounds in found.items()
        }
        bench.record(NAME, f"{case}: its share of all nodes'", shares, unit="")
    _waiting(bench, servers, work)


def _measured(
    servers: list[RedisServer], count: int, work: Callable[..., Seconds], what: str
) -> tuple[float, list[float]]:
    """Return items a second, and for each node the microseconds of processor time per item."""
    work("clear", 0)
    if what in ("take", "work"):
        work("fill", count)
    before = [_cpu(server) for server in servers]
    rate = count / work(what, count)
    if what == "work":
        work("end", 0)
    spent = [_cpu(server) - start for server, start in zip(servers, before, strict=True)]
    return rate, [max(each, 1e-9) / count * 1e6 for each in spent]


def _cpu(server: RedisServer) -> Seconds:
    with server.client() as client:
        info: Any = client.info("cpu")
    return float(info["used_cpu_user"] + info["used_cpu_sys"])


def _waiting(
    bench: Bench, servers: dict[str, list[RedisServer]], work: dict[str, Callable[..., Any]]
) -> None:
    """Count the connections, threads and commands of a worker that waits."""
    held: dict[str, float] = {}
    threads: dict[str, float] = {}
    asked: dict[str, float] = {}
    for kind in KINDS:
        work[kind]("clear", 0)
        work[kind]("begin", 0)
        time.sleep(1)
        before = sum(_commands(server) for server in servers[kind])
        time.sleep(2)
        asked[kind] = (sum(_commands(server) for server in servers[kind]) - before) / 2
        held[kind] = max(_connections(server, kind) for server in servers[kind])
        threads[kind] = work[kind]("threads", 0)
        work[kind]("end", 0)
    bench.record(NAME, "a worker of 8 threads that waits: connections a node", held, unit="")
    bench.record(NAME, "a worker of 8 threads that waits: threads", threads, unit="")
    bench.record(NAME, "a worker of 8 threads that waits: commands", asked, unit="/s")


def _connections(server: RedisServer, kind: str) -> int:
    with server.client() as client:
        connected: Any = client.client_list()
    return sum(each["name"] == _name("shards" in kind) for each in connected)


def _name(sharded: bool) -> str:
    return f"{QUEUE}-{'shards' if sharded else 'queue'}"


def _commands(server: RedisServer) -> int:
    with server.client() as client:
        info: Any = client.info("stats")
    return int(info["total_commands_processed"])


class _Client:
    """The work, on a queue with or without shards."""

    def __init__(self, redisson: Redisson, sharded: bool) -> None:
        self._redisson = redisson
        self._queue: Any = redisson.get_blocking_queue(QUEUE)
        self._delayed: Any = redisson.get_delayed_queue(self._queue)
        self._parts: list[Any] = [self._queue, self._delayed]
        self._lists: list[Any] = [self._queue]
        if sharded:
            self._queue = self._delayed = redisson.get_sharded_queue(QUEUE, SHARDS)
            self._lists = list(self._queue.queues)
            self._parts = [*self._lists, *self._queue.delayed_queues]
        self._done = threading.Semaphore(0)

    def clear(self, _count: int) -> None:
        for each in self._parts:
            each.delete()

    def fill(self, count: int) -> None:
        for place, each in enumerate(self._lists):
            each.add_all([PAYLOAD] * (count // len(self._lists) + (place < count % SHARDS)))

    def offer(self, count: int) -> None:
        for _ in range(count):
            self._delayed.offer(PAYLOAD, 3600)

    def offer_many(self, count: int) -> None:
        self._delayed.offer_many([(PAYLOAD, 3600)] * count)

    def take(self, count: int) -> None:
        with self._redisson.get_consumer(self._queue, prefetch=100) as consumer:
            while count > 0:
                messages = consumer.take_many(100, 1)
                consumer.ack_many(messages)
                count -= len(messages)

    def begin(self, _count: int) -> None:
        work = self._done.release
        self._worker = Worker(self._redisson, self._queue, lambda _: work(), concurrency=8)
        self._thread = threading.Thread(target=self._worker.run)
        self._thread.start()

    def end(self, _count: int) -> None:
        self._worker.stop()
        self._thread.join()

    def work(self, count: int) -> None:
        self.begin(0)
        for _ in range(count):
            self._done.acquire()

    def threads(self, _count: int) -> float:
        return float(threading.active_count())


@contextlib.contextmanager
def _ours(url: str, clustered: bool, sharded: bool) -> Iterator[Callable[[str, int], float]]:
    """Do the work in a process of its own; return its figure, or else how long it took."""
    make: Any = redis.RedisCluster if clustered else redis.Redis
    with (
        make.from_url(url, client_name=_name(sharded)) as client,
        Redisson(client, codec=StringCodec()) as redisson,
    ):
        ours = _Client(redisson, sharded)

        def work(what: str, count: int) -> float:
            start = time.perf_counter()
            said: float | None = getattr(ours, what)(count)
            return time.perf_counter() - start if said is None else said

        yield work
