"""Consumers and workers lose nothing while slots move, masters crash and replicas are promoted.

A server that crashes loses what it has acknowledged and not replicated. So each server that is
killed has replicated all offers before. A lost acknowledgement causes one more delivery.
"""

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import redis
from redis.sentinel import Sentinel

from pyredisson import Backoff, Redisson, Worker
from pyredisson.codecs import StringCodec
from tests.support.faults_tools import hand_over, replicate
from tests.support.topology import RedisCluster, SentinelGroup, wait_until
from tests.support.twins import Started, start, until

SHARDS = 8
LEASE = 2.0


class Work:
    """A worker whose handler counts values; those with a 3 fail once, bad ones each time.

    Args:
        redisson: the client.
        queue: the queue of its messages.
    """

    def __init__(self, redisson: Redisson, queue: Any) -> None:
        self.seen: Counter[str] = Counter()
        self._lock = threading.Lock()
        self.worker = Worker(
            redisson,
            queue,
            self._handle,
            lease=LEASE,
            max_deliveries=5,
            backoff=Backoff(first=0.05),
        )
        self._running: Started[int] = start(self.worker.run)

    def _handle(self, value: str) -> None:
        with self._lock:
            self.seen[value] += 1
        if value.startswith("bad") or ("3" in value and self.seen[value] == 1):
            raise ValueError(value)

    def until_seen(self, values: list[str]) -> None:
        until(lambda: set(values) <= set(self.seen), f"{values[0]!r} and the like are handled")

    def stop(self, idle: Callable[[], bool]) -> None:
        """Stop the worker when it has nothing left to do."""
        until(lambda: idle() and self.worker.stats().running == 0, "nothing is left")
        self.worker.stop()
        assert self._running.result() == 0


@pytest.fixture
def redisson(cluster_with_replicas: RedisCluster) -> Iterator[Redisson]:
    """A client of ``cluster_with_replicas``."""
    with (
        redis.RedisCluster.from_url(cluster_with_replicas.url) as client,
        Redisson(client, codec=StringCodec(), response_timeout=1) as redisson,
    ):
        yield redisson


def test_worker_survives_moving_slots_and_a_killed_master(
    cluster_with_replicas: RedisCluster, redisson: Redisson
) -> None:
    """Each offered item is acknowledged, pending or dead-lettered."""
    cluster = cluster_with_replicas
    orders = redisson.get_sharded_queue("orders", SHARDS)
    work = Work(redisson, orders)
    bad = [f"bad {n}" for n in range(SHARDS)]
    offered = [f"{n}" for n in range(200)] + bad
    for place, value in enumerate(offered):
        orders.offer(value, 0.1 + place / 200)
    for name in orders.names[:2]:
        hand_over(cluster, name.encode())
    work.until_seen(offered)
    until(lambda: work.worker.stats().dead == SHARDS, "the bad ones are dead")
    until(lambda: work.worker.stats().done >= 200, "the others are done")

    pending = [orders.offer(f"pending {n}", 3600) for n in range(SHARDS)]
    key = orders.names[0].encode()
    replicate(cluster.master_of(key), cluster.alive)
    cluster.kill_master_of(key)
    after = [f"after {n}" for n in range(50)]
    for place, value in enumerate(after):
        orders.offer(value, place / 100, key=value)
    work.until_seen(after)
    work.stop(lambda: orders.size() == 0 and orders.delayed_size() == SHARDS)
    assert all(orders.cancel(receipt) for receipt in pending)
    letters = redisson.get_dead_letters(orders)
    assert sorted(letter.value or "" for letter in letters) == bad
    assert orders.check() == []


def crash(sentinels: SentinelGroup) -> None:
    """Kill the master."""
    sentinels.kill_master()


def freeze(sentinels: SentinelGroup) -> None:
    """Freeze the master, until another one is promoted."""
    old = sentinels.master
    old.pause()
    wait_until(lambda: sentinels.master is not old, "another one is the master")


@pytest.mark.parametrize("change", [crash, freeze])
def test_worker_and_consumer_survive_a_promotion(
    change: Callable[[SentinelGroup], None], sentinels: SentinelGroup
) -> None:
    """A lease that began at the old master ends by the clock of the new one."""
    kind: Any = Sentinel
    client = kind(sentinels.addresses).master_for(sentinels.service_name)
    old = sentinels.master
    with Redisson(client, codec=StringCodec(), response_timeout=1) as redisson:
        orders = redisson.get_sharded_queue("orders", 3)
        work = Work(redisson, orders)
        before = [f"{n}" for n in range(50)] + ["bad"]
        for value in before:
            orders.offer(value, 0.05)
        work.until_seen(before)
        until(lambda: work.worker.stats().dead == 1, "the bad one is dead")
        slow = redisson.get_queue("slow")
        slow.add("held")
        slow.add("forgotten")
        consumer = redisson.get_consumer(slow, lease=30)
        gone = redisson.get_consumer(slow, lease=3)
        held, forgotten = consumer.take(), gone.take()
        pending = orders.offer("pending", 3600)
        replicate(old, sentinels.alive)
        change(sentinels)
        after = [f"after {n}" for n in range(20)]
        for place, value in enumerate(after):
            orders.offer(value, place / 50)
        work.until_seen(after)
        assert held.extend(60)
        again = consumer.take()
        assert (again.value, again.id, again.attempt) == ("forgotten", forgotten.id, 2)
        assert again.received_at.timestamp() - forgotten.received_at.timestamp() >= 3
        assert not forgotten.ack()
        assert again.ack()
        assert held.ack()
        work.stop(lambda: orders.size() == 0 and orders.delayed_size() == 1)
        assert orders.cancel(pending)
        assert [letter.value for letter in redisson.get_dead_letters(orders)] == ["bad"]
        assert orders.check() == []
