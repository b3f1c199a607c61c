"""Durable writes: replicas and disks confirm each, or an error names what is stored.

The servers are real: a test freezes a replica, or kills a master that waits for its replica.
"""

import logging
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from redis.exceptions import RedisError, ResponseError

from pyredisson import (
    AsyncDelayedQueue,
    AsyncRedisson,
    AsyncWorker,
    Durable,
    NotReplicatedError,
    PartialOfferError,
    QueueFullError,
    WorkerStats,
)
from pyredisson.codecs import StringCodec
from tests.support.server import RedisServer
from tests.support.services import newest_binary
from tests.support.topology import RedisCluster, wait_until
from tests.support.twins import AsyncStarted, until_async

BRIEF = Durable(replicas=1, timeout=0.05)
PATIENT = Durable(replicas=1, timeout=60)


@dataclass(frozen=True)
class Pair:
    """A master and its replica."""

    master: RedisServer
    replica: RedisServer

    def calls(self, command: str) -> int:
        """The number of calls of a command that the master has counted."""
        stats = self.master.run("INFO", "commandstats").decode()
        lines = [line for line in stats.splitlines() if line.startswith(f"cmdstat_{command}:")]
        return int(lines[0].partition("calls=")[2].partition(",")[0]) if lines else 0

    def pending(self, name: str = "q") -> int:
        """The number of pending items that the master stores."""
        return int(self.master.run("ZCARD", f"redisson_delay_queue_timeout:{{{name}}}"))


def started() -> Iterator[Pair]:
    with RedisServer() as master:
        follow = ("--replicaof", "127.0.0.1", str(master.port))
        with RedisServer(*follow) as replica:
            wait_until(lambda: b"state=online" in master.run("INFO", "replication"), "a replica")
            yield Pair(master, replica)


@pytest.fixture(scope="module")
def servers() -> Iterator[Pair]:
    yield from started()


@pytest.fixture
def pair(servers: Pair) -> Iterator[Pair]:
    """The shared master and its replica; a test may freeze the replica."""
    servers.master.run("FLUSHALL")
    servers.master.run("CONFIG", "RESETSTAT")
    yield servers
    servers.replica.resume()


@pytest.fixture
def own_pair() -> Iterator[Pair]:
    """A master and its replica for one test."""
    yield from started()


@pytest.fixture
async def redisson(pair: Pair) -> AsyncIterator[AsyncRedisson]:
    """A client of the master."""
    async with AsyncRedisson.from_url(pair.master.url, codec=StringCodec()) as redisson:
        yield redisson


def delayed(redisson: AsyncRedisson, durable: Durable | None = BRIEF) -> AsyncDelayedQueue[str]:
    return redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False, durable=durable)


async def test_durable_offer_waits_for_the_replica(redisson: AsyncRedisson, pair: Pair) -> None:
    await delayed(redisson, None).offer("plain", 60)
    assert pair.calls("wait") == 0
    queue = delayed(redisson, PATIENT)
    for number in range(20):
        await queue.offer(f"item {number}", 60)
        assert pair.replica.run("ZCARD", "redisson_delay_queue_timeout:{q}") == number + 2
    assert pair.calls("wait") == 20 + 1  # one of them asks whether the server supports WAIT
    receipts = await queue.offer_many([(f"more {number}", 60) for number in range(600)])
    assert pair.replica.run("LLEN", "redisson_delay_queue:{q}") == 621
    await queue.offer_again(receipts[0])
    assert pair.pending() == 621


async def test_durable_acknowledgements_are_confirmed(redisson: AsyncRedisson, pair: Pair) -> None:
    pair.master.run("RPUSH", "q", "plain", "a", "b", "c")
    queue = redisson.get_queue("q")
    assert await (await redisson.get_consumer(queue, transfer=False).take()).ack()
    assert pair.calls("wait") == 0
    consumer = redisson.get_consumer(queue, transfer=False, durable=PATIENT)
    messages = await consumer.take_many(2)
    assert pair.calls("wait") == 1
    assert await consumer.ack_many(messages) == [True, True]
    assert pair.replica.run("ZCARD", "pyredisson_leases:{q}") == 0
    assert await (await consumer.take()).ack()
    assert pair.calls("wait") == 3


async def test_offer_without_confirmation_raises(redisson: AsyncRedisson, pair: Pair) -> None:
    queue = delayed(redisson)
    await delayed(redisson, PATIENT).offer("before", 60)
    pair.replica.pause()
    with pytest.raises(NotReplicatedError, match="0 of 1 replicas") as caught:
        await queue.offer("a", 60)
    assert caught.value.confirmed == 0
    [receipt] = caught.value.receipts
    assert await queue.contains("a")
    fresh = delayed(redisson)
    with pytest.raises(NotReplicatedError):  # for an earlier write, which another connection sent
        await fresh.offer_again(receipt)
    pair.replica.resume()
    await delayed(redisson, PATIENT).offer_again(receipt)
    assert await queue.cancel(receipt)
    assert pair.pending() == 1


@pytest.mark.usefixtures("full_batches")
async def test_offer_many_with_a_frozen_replica_raises(redisson: AsyncRedisson, pair: Pair) -> None:
    queue = delayed(redisson)
    await delayed(redisson, PATIENT).offer("before", 60)
    pair.replica.pause()
    with pytest.raises(NotReplicatedError, match="items are stored") as few:
        await queue.offer_many([(str(number), 60) for number in range(200)])
    assert [receipt.value for receipt in few.value.receipts] == [b"%d" % n for n in range(200)]
    with pytest.raises(PartialOfferError) as many:
        await queue.offer_many((str(number), 60) for number in range(1000))
    error = many.value
    assert isinstance(error.cause, NotReplicatedError)
    assert error.cause.receipts == list(error.stored.values())
    assert (len(error.stored), error.unknown, pair.pending()) == (250, {}, 1 + 200 + 250)


async def test_bounded_queue_reports_unconfirmed_offer(redisson: AsyncRedisson, pair: Pair) -> None:
    queue = redisson.get_delayed_queue(
        redisson.get_queue("q"), transfer=False, durable=BRIEF, max_size=10
    )
    receipt = await redisson.get_delayed_queue(
        redisson.get_queue("q"), transfer=False, durable=PATIENT, max_size=10
    ).offer("before", 60)
    pair.replica.pause()
    with pytest.raises(NotReplicatedError) as caught:
        await queue.offer("a", 60)
    assert [each.value for each in caught.value.receipts] == [b"a"]
    with pytest.raises(NotReplicatedError):
        await queue.offer_again(receipt)
    with pytest.raises(NotReplicatedError) as many:
        await queue.offer_many([("b", 60), ("c", 60)])
    assert [each.value for each in many.value.receipts] == [b"b", b"c"]
    with pytest.raises(PartialOfferError) as partial:
        await queue.offer_many([(str(number), 60) for number in range(20)])
    assert (len(partial.value.stored), len(partial.value.unstored)) == (6, 14)
    with pytest.raises(QueueFullError):
        await queue.offer("full", 60)
    assert pair.pending() == 10


@pytest.mark.parametrize("bound", [{}, {"max_size": 10}])
async def test_offer_with_a_dedup_key_reports_a_missing_confirmation(
    redisson: AsyncRedisson, pair: Pair, bound: dict[str, Any]
) -> None:
    patient, queue = (
        redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False, durable=each, **bound)
        for each in (PATIENT, BRIEF)
    )
    kept = await patient.offer("kept", 60, dedup="kept")
    pair.replica.pause()
    with pytest.raises(NotReplicatedError) as caught:
        await queue.offer("a", 60, dedup="new")
    assert [each.value for each in caught.value.receipts] == [b"a"]
    with pytest.raises(NotReplicatedError) as again:
        await queue.offer("b", 60, dedup="kept")
    assert again.value.receipts == [kept]
    assert pair.pending() == 2


async def test_ack_without_confirmation_raises(redisson: AsyncRedisson, pair: Pair) -> None:
    pair.master.run("RPUSH", "q", "a", "b")
    consumer = redisson.get_consumer(redisson.get_queue("q"), transfer=False, durable=BRIEF)
    messages = await consumer.take_many(2)
    pair.replica.pause()
    with pytest.raises(NotReplicatedError, match="may be redelivered") as caught:
        await messages[0].ack()
    assert caught.value.results == [True]
    assert messages[0].settled
    assert not await messages[0].extend(10)
    assert not await messages[0].ack()  # nothing is acknowledged, so nothing needs a confirmation
    assert await messages[1].nack()


async def test_acks_to_shards_with_a_frozen_replica_raise(
    redisson: AsyncRedisson, pair: Pair
) -> None:
    queue = redisson.get_sharded_queue("s", shards=2, transfer=False)
    for name in "s:00", "s:10":
        pair.master.run("RPUSH", name, "a")
    consumer = redisson.get_consumer(queue, transfer=False, durable=BRIEF)
    messages = [await consumer.take(), await consumer.take()]
    pair.replica.pause()
    with pytest.raises(NotReplicatedError) as caught:
        await consumer.ack_many(messages)
    assert caught.value.results == [True, True]
    assert [message.settled for message in messages] == [True, True]


async def test_group_window_offers_are_confirmed(redisson: AsyncRedisson, pair: Pair) -> None:
    """Each offer is confirmed. An offer that is not confirmed is still in its group."""
    queue = redisson.get_queue("q")
    window = redisson.get_group_window(
        queue, size=9, max_wait=3600, transfer=False, durable=PATIENT
    )
    assert (await window.offer("k", "a")).size == 1
    assert pair.replica.run("HLEN", "pyredisson_groups:{q}") == 2
    hasty = redisson.get_group_window(queue, size=9, max_wait=3600, transfer=False, durable=BRIEF)
    pair.replica.pause()
    with pytest.raises(NotReplicatedError, match="in the group of 'k', but 0 of 1 replicas"):
        await hasty.offer("k", "b")
    pair.replica.resume()
    assert [state.size for state in await window.pending() if state.key == "k"] == [2]


async def test_other_offers_do_not_wait_for_a_confirmation(
    redisson: AsyncRedisson, pair: Pair
) -> None:
    queue, plain = delayed(redisson, PATIENT), delayed(redisson, None)
    await queue.offer("before", 60)
    pair.replica.pause()
    waiting = AsyncStarted(lambda: queue.offer("waits", 60))
    await until_async(lambda: pair.pending() == 2, "it is stored")
    for number in range(20):
        await plain.offer(f"plain {number}", 60)
    assert not waiting.done
    pair.replica.resume()
    await waiting.result()


async def test_worker_continues_after_an_unconfirmed_ack(
    redisson: AsyncRedisson, pair: Pair, caplog: pytest.LogCaptureFixture
) -> None:
    pair.master.run("RPUSH", "q", "a")
    pair.replica.pause()
    worker = AsyncWorker(
        redisson, redisson.get_queue("q"), lambda _: worker.stop(), durable=BRIEF, concurrency=1
    )
    with caplog.at_level(logging.WARNING, "pyredisson"):
        assert await AsyncStarted(worker.run).result() == 0
    assert worker.stats() == WorkerStats(done=1)
    assert "the message is acknowledged to queue 'q', but 0 of 1 replicas" in caplog.text


async def test_master_killed_during_wait_leaves_confirmation_unknown(own_pair: Pair) -> None:
    async with AsyncRedisson.from_url(own_pair.master.url, codec=StringCodec()) as redisson:
        queue = delayed(redisson, PATIENT)
        await queue.offer("before", 60)
        own_pair.replica.pause()
        waiting = AsyncStarted(lambda: queue.offer("waits", 60))
        many = AsyncStarted(lambda: queue.offer_many([("many", 60)] * 10))
        await until_async(lambda: own_pair.pending() == 12, "they are stored")
        own_pair.master.kill()
        for each, count in (waiting, 1), (many, 10):
            with pytest.raises(NotReplicatedError, match="is unknown") as caught:
                await each.result()
            assert caught.value.confirmed is None
            assert len(caught.value.receipts) == count
            assert isinstance(caught.value.__cause__, RedisError)


async def test_master_frozen_during_wait_leaves_confirmation_unknown(own_pair: Pair) -> None:
    async with AsyncRedisson.from_url(
        own_pair.master.url, codec=StringCodec(), response_timeout=1
    ) as redisson:
        queue = delayed(redisson, Durable(replicas=1, timeout=2))
        await delayed(redisson, PATIENT).offer("before", 60)
        own_pair.replica.pause()
        waiting = AsyncStarted(lambda: queue.offer("waits", 60))
        await until_async(lambda: own_pair.pending() == 2, "it is stored")
        own_pair.master.pause()
        with pytest.raises(NotReplicatedError, match="is unknown"):
            await waiting.result()
        own_pair.master.resume()


async def test_offer_to_a_server_without_replicas_raises_not_replicated(
    server: RedisServer,
) -> None:
    async with AsyncRedisson.from_url(server.url, codec=StringCodec()) as redisson:
        with pytest.raises(NotReplicatedError, match=r"0 of 1 replicas have it after 0\.05 s"):
            await delayed(redisson).offer("a", 60)
        assert await delayed(redisson).contains("a")


async def test_server_that_cannot_confirm_rejects_durable_writes(own_server: RedisServer) -> None:
    """If this is known before the write, nothing is stored. Else the error says what is stored."""
    own_server.run("ACL", "SETUSER", "less", "on", ">any", "~*", "&*", "+@all", "-wait")
    url = own_server.url.replace("//", "//less:any@")
    async with AsyncRedisson.from_url(url, codec=StringCodec()) as redisson:
        with pytest.raises(ResponseError, match=r"needs WAIT, so nothing was written.*wait"):
            await delayed(redisson).offer("a", 60)
        consumer = redisson.get_consumer(redisson.get_queue("q"), durable=BRIEF)
        own_server.run("RPUSH", "q", "a")
        with pytest.raises(ResponseError, match="needs WAIT"):
            await consumer.poll(1)
        assert (own_server.run("LLEN", "q"), own_server.run("DBSIZE")) == (1, 1)
        own_server.run("ACL", "SETUSER", "less", "+wait")
        queue = delayed(redisson)
        with pytest.raises(NotReplicatedError, match="0 of 1"):
            await queue.offer("a", 60)
        own_server.run("ACL", "SETUSER", "less", "-wait")
        with pytest.raises(NotReplicatedError, match="is unknown") as caught:
            await queue.offer("b", 60)
        assert isinstance(caught.value.__cause__, ResponseError)
        assert len(await queue.read_all()) == 2
    async with AsyncRedisson.from_url(own_server.url, codec=StringCodec()) as redisson:
        if own_server.run("COMMAND", "INFO", "WAITAOF") == [None]:
            with pytest.raises(ResponseError, match=r"needs WAITAOF.*unknown command"):
                await delayed(redisson, Durable(fsync=True)).offer("c", 60)


async def test_fsync_offer_is_confirmed_on_disk() -> None:
    server = RedisServer(aof=True)
    server.binary = newest_binary()
    disk = Durable(fsync=True)
    with server:
        async with AsyncRedisson.from_url(server.url, codec=StringCodec()) as redisson:
            queue = delayed(redisson, disk)
            await queue.offer("a", 60)
            assert len(await queue.offer_many([("b", 60), ("c", 60)])) == 2
            with pytest.raises(NotReplicatedError, match="0 of 1 replicas have it on disk after"):
                await delayed(redisson, Durable(1, fsync=True, timeout=0.05)).offer("d", 60)
            server.run("CONFIG", "SET", "appendonly", "no")
            with pytest.raises(NotReplicatedError, match="appendonly"):
                await queue.offer("e", 60)
            with pytest.raises(ResponseError, match=r"needs WAITAOF.*appendonly"):
                await delayed(redisson, disk).offer("f", 60)
            assert await queue.size() == 5


async def test_durable_offers_follow_a_moved_slot(cluster: RedisCluster) -> None:
    source = cluster.master_of(b"q")
    target = next(server for server in cluster.servers if server is not source)
    from redis.asyncio import RedisCluster as Client

    async with (
        Client.from_url(cluster.url) as client,
        AsyncRedisson(client, codec=StringCodec()) as redisson,
    ):
        queue = delayed(redisson)
        with pytest.raises(NotReplicatedError):
            await queue.offer("owner", 60)
        cluster.begin_move(b"q", target)
        cluster.finish_move(b"q", target)
        with pytest.raises(NotReplicatedError):
            await queue.offer("moved", 60)
        cluster.begin_move(b"q", source)
        cluster.finish_move(b"q", source)
        with pytest.raises(NotReplicatedError):
            await queue.offer_many([("back", 60)])
        assert await queue.read_all() == ["owner", "moved", "back"]


async def test_durable_argument_of_a_wrong_type_is_rejected(redisson: AsyncRedisson) -> None:
    wrong: Any = 1
    with pytest.raises(TypeError, match=r"durable must be a Durable such as Durable\(replicas=1\)"):
        delayed(redisson, wrong)
    with pytest.raises(TypeError, match="durable must be"):
        redisson.get_consumer(redisson.get_queue("q"), durable=wrong)


async def test_shards_without_replicas_name_unconfirmed_items(server: RedisServer) -> None:
    """All items are stored and acknowledged; the error names each item without a confirmation."""
    async with AsyncRedisson.from_url(server.url, codec=StringCodec()) as redisson:
        orders = redisson.get_sharded_queue("orders", 3, durable=BRIEF)
        with pytest.raises(NotReplicatedError) as caught:
            await orders.offer_many([(f"{number}", 0) for number in range(7)])
        assert {receipt.value for receipt in caught.value.receipts} == {b"%d" % n for n in range(7)}
        consumer = redisson.get_consumer(orders, durable=BRIEF)
        messages = [await consumer.take() for _ in range(7)]
        with pytest.raises(NotReplicatedError) as caught:
            await consumer.ack_many(messages)
        assert caught.value.results == [True] * 7
        assert await consumer.poll(0.05) is None
