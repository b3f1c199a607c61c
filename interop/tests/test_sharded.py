"""A queue with shards in a cluster: Java offers to each and takes from one, with plain queues."""

from binascii import crc32
from collections import Counter

import redis

from interop.tests.conftest import Peers
from pyredisson import Redisson, Worker
from pyredisson.codecs import StringCodec
from tests.support.topology import RedisCluster
from tests.support.twins import start, until

SHARDS = 6


def test_java_offers_to_all_shards_and_takes_from_one(java: Peers, cluster: RedisCluster) -> None:
    """Java computes the names and the shard of a key by the rules of docs/scaling.md."""
    names = [f"orders:{number % 10}{number // 10}" for number in range(SHARDS)]
    seen: list[str] = []
    with (
        java("4.7.0").client(cluster.url, mode="cluster", codec="String") as service,
        redis.RedisCluster.from_url(cluster.url) as client,
        Redisson(client, codec=StringCodec()) as redisson,
    ):
        orders = redisson.get_sharded_queue("orders", SHARDS, transfer=False)
        assert orders.names == names
        theirs = [service.delayed_queue(name) for name in names]
        waiting = service.blocking_queue(names[0])
        shards = [orders.queues[number] for number in range(1, SHARDS)]
        worker = Worker(redisson, shards, seen.append, fair=True)
        running = start(worker.run)
        offered = []
        for number in range(60):
            value = f"java {number}"
            theirs[crc32(value.encode()) % SHARDS].call("offer", value, 50, "MILLISECONDS")
            offered.append(value)
            value = f"python {number}"
            receipt = orders.offer(value, 0.05, key=value)
            assert receipt.queue == names[crc32(value.encode()) % SHARDS]
            offered.append(value)
        here = [value for value in offered if orders.shard_of(value) == 0]
        assert {value.split()[0] for value in here} == {"java", "python"}
        taken = [waiting.call("poll", 30, "SECONDS") for _ in here]
        until(lambda: len(seen) >= len(offered) - len(here), "the others are handled")
        worker.stop()
        assert running.result() == 0
        assert Counter(taken) == Counter(here)
        assert Counter(seen) == Counter(set(offered) - set(here))
        assert orders.size() == orders.delayed_size() == 0

        waiting.call("add", "of Java")
        theirs[3].call("offer", "later", 3600, "SECONDS")
        with redisson.get_consumer(orders, transfer=False) as consumer:
            message = consumer.take()
            assert message.value == "of Java"
            assert message.nack()
            assert waiting.call("poll") == "of Java"
        [item] = orders.items()
        assert item.value == "later"
        assert orders.cancel(item.receipt)
        assert theirs[3].call("size") == 0
        for each in theirs:
            each.destroy()
