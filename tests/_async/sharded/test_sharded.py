"""Sharded queues: one logical queue in many slots, for producers and consumers."""

from collections import Counter
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from redis.asyncio import RedisCluster

from pyredisson import (
    AsyncRedisson,
    AsyncShardedQueue,
    AsyncWorker,
    ClosedError,
    EncodeError,
    FindingKind,
    PartialOfferError,
    Receipt,
)
from pyredisson._async.waits import poll as sweeping
from pyredisson.codecs import StringCodec
from pyredisson.protocol.kernel.names import ConsumerNames, QueueNames
from tests.support.faults_tools import clients
from tests.support.state import keys
from tests.support.topology import RedisCluster as Servers
from tests.support.twins import AsyncStarted, sleep_async, start_async, until_async

SHARDS = 8


@pytest.fixture
async def redisson(cluster: Servers) -> AsyncIterator[AsyncRedisson]:
    """A client of the cluster whose safety interval is longer than any test."""
    async with (
        RedisCluster.from_url(cluster.url) as client,
        AsyncRedisson(
            client, codec=StringCodec(), safety_interval=600, response_timeout=1
        ) as redisson,
    ):
        yield redisson


@pytest.fixture
def raw(cluster: Servers) -> Iterator[Any]:
    """A plain client of the emptied cluster."""
    with cluster.client() as client:
        client.flushall(target_nodes="primaries")
        yield client


@pytest.fixture
def orders(redisson: AsyncRedisson, raw: Any) -> AsyncShardedQueue[str]:
    """The queue of most tests."""
    return redisson.get_sharded_queue("orders", SHARDS)


def sizes(raw: Any, orders: AsyncShardedQueue[str]) -> list[int]:
    return [raw.llen(name) for name in orders.names]


async def test_each_item_is_delivered_once_and_every_shard_has_its_share(
    redisson: AsyncRedisson, raw: Any, cluster: Servers
) -> None:
    orders = redisson.get_sharded_queue("orders", SHARDS, transfer=False)
    assert {cluster.master_of(name.encode()).port for name in orders.names} == {
        server.port for server in cluster.servers
    }
    for number in range(3 * SHARDS):
        await orders.offer(f"{number}", 0.2 + number / 100)
    pending = [raw.zcard(QueueNames.of(name).timeout_set) for name in orders.names]
    assert pending == [3] * SHARDS
    assert await orders.delayed_size() == 3 * SHARDS
    redisson.get_sharded_queue("orders", SHARDS)  # it is transferred from now on
    found = [await orders.take() for _ in range(3 * SHARDS)]
    assert Counter(found) == Counter(f"{number}" for number in range(3 * SHARDS))
    assert await orders.size() == await orders.delayed_size() == 0
    assert await orders.poll(0.05) is await orders.poll() is None
    assert keys(raw, "*orders*") == []


async def test_items_with_one_key_are_in_one_shard_and_in_order(
    orders: AsyncShardedQueue[str], raw: Any
) -> None:
    shard = orders.shard_of("customer 7")
    for number in range(5):
        assert await orders.add(f"{number}", key="customer 7")
    await orders.offer("pending", timedelta(hours=1), key=b"customer 7")
    await orders.offer("due", key="customer 7", at=datetime.now(UTC) - timedelta(seconds=9))
    await until_async(lambda: raw.llen(orders.names[shard]) == 6, "it is moved")
    assert sizes(raw, orders) == [6 if number == shard else 0 for number in range(SHARDS)]
    assert [await orders.take() for _ in range(6)] == ["0", "1", "2", "3", "4", "due"]


async def test_many_offers_keep_their_places(orders: AsyncShardedQueue[str], raw: Any) -> None:
    items = [(f"{number}", 3600 + number) for number in range(700)]
    receipts = await orders.offer_many(iter(items))
    assert [receipt.value.decode() for receipt in receipts] == [value for value, _ in items]
    counts = Counter(receipt.queue for receipt in receipts)
    assert set(counts) == set(orders.names)
    assert max(counts.values()) - min(counts.values()) <= 1
    keyed = await orders.offer_many([(f"k{n}", 3600) for n in range(20)], key=lambda value: value)
    for receipt in keyed:
        assert receipt.queue == orders.names[orders.shard_of(receipt.value)]
    assert len([item async for item in orders.items()]) == await orders.delayed_size() == 720
    assert await orders.offer_many([]) == []


async def test_of_many_offers_nothing_is_stored_when_one_is_bad(
    orders: AsyncShardedQueue[Any], raw: Any
) -> None:
    good: list[tuple[Any, Any]] = [(f"{number}", 5) for number in range(600)]
    with pytest.raises(EncodeError, match="item 600"):
        await orders.offer_many([*good, (7, 5)])
    with pytest.raises(ValueError, match="item 600"):
        await orders.offer_many([*good, ("x", -1)])
    with pytest.raises(TypeError, match="str or bytes"):
        await orders.offer_many(good, key=len)  # type: ignore[arg-type]  # a number
    with pytest.raises(TypeError, match="a function that returns the key"):
        await orders.offer_many(good, key="k")  # type: ignore[arg-type]  # the key itself
    with pytest.raises(TypeError, match="str or bytes"):
        await orders.offer("x", 1, key=7)  # type: ignore[arg-type]  # a number
    assert keys(raw) == []


async def test_a_receipt_leads_to_its_shard(orders: AsyncShardedQueue[str], raw: Any) -> None:
    receipts = [await orders.offer(f"{number}", 3600) for number in range(SHARDS + 1)]
    first, *_, last = receipts
    assert first.queue == last.queue
    assert len({receipt.queue for receipt in receipts}) == SHARDS
    parsed = [Receipt.parse(str(receipt)) for receipt in receipts]
    left = await orders.remaining_delay(parsed[3])
    assert left is not None
    assert timedelta(minutes=59) < left <= timedelta(hours=1)
    assert await orders.cancel(parsed[3])
    assert not await orders.cancel(parsed[3])
    assert await orders.remaining_delay(parsed[3]) is None
    again = await orders.reschedule(parsed[5], 0.05)
    assert again is not None
    assert await orders.take() == "5"
    await orders.offer_again(parsed[0])
    assert {item.receipt for item in [each async for each in orders.items()]} == {
        receipt for receipt in receipts if receipt.value not in (b"3", b"5")
    }
    other = Receipt("mails", 1, bytes(16), b"x")
    with pytest.raises(ValueError, match=r"'mails', none of the 8 shards of 'orders'"):
        await orders.cancel(other)
    with pytest.raises(TypeError, match=r"Receipt.parse"):
        await orders.cancel(str(first))  # type: ignore[arg-type]  # as text


async def test_waiting_take_is_notified_of_due_items(
    redisson: AsyncRedisson, raw: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Polls do not help: they are an hour apart."""
    monkeypatch.setattr(sweeping, "FIRST_PAUSE", 3600)
    monkeypatch.setattr(sweeping, "LONGEST_PAUSE", 3600)
    orders = redisson.get_sharded_queue("orders", SHARDS)
    consumer = redisson.get_consumer(orders)
    taking = start_async(orders.take)
    await orders.offer("value", 0.2)
    assert await taking.result() == "value"
    taking_message = start_async(lambda: consumer.poll(30))
    await sleep_async(0.1)
    await orders.offer("message", 0.2)
    message = await taking_message.result()
    assert message is not None
    assert message.value == "message"
    assert await message.ack()
    await consumer.close()
    orders.destroy()
    assert redisson.transfer_stats() == []


async def test_waiting_take_finds_values_without_notification(
    orders: AsyncShardedQueue[str], raw: Any
) -> None:
    for name in orders.names:
        taking = start_async(orders.take)
        await sleep_async(0.02)
        raw.rpush(name, name)
        assert await taking.result() == name


async def test_a_full_shard_does_not_keep_others_from_their_turns(
    redisson: AsyncRedisson, orders: AsyncShardedQueue[str], raw: Any
) -> None:
    raw.rpush(orders.names[0], *["much"] * 200)
    consumer = redisson.get_consumer(orders)
    assert [message.value for message in await consumer.take_many(5)] == ["much"] * 5
    for name in orders.names[1:]:
        raw.rpush(name, "little")
    found = [(await consumer.take()).value for _ in range(3 * SHARDS)]
    assert found.count("little") == SHARDS - 1
    assert [await orders.poll() for _ in range(9)] == ["much"] * 9
    await consumer.close()


async def test_a_consumer_of_all_shards(
    redisson: AsyncRedisson, orders: AsyncShardedQueue[str], raw: Any
) -> None:
    async with redisson.get_consumer(orders, lease=30, prefetch=3) as consumer:
        for number in range(4 * SHARDS):
            await orders.add(f"{number}")
        messages = [await consumer.take() for _ in range(4 * SHARDS)]
        assert len({message.value for message in messages}) == 4 * SHARDS
        assert len({message.consumer.name for message in messages}) == SHARDS
        assert await consumer.extend_many(messages, 60) == [True] * len(messages)
        assert await consumer.ack_many(messages[2:]) == [True] * (len(messages) - 2)
        assert await messages[0].nack()
        assert await consumer.release(messages[:2]) == [False, True]
        again = [await consumer.take(), await consumer.take()]
        assert {m.id: m.attempt for m in again} == {messages[0].id: 2, messages[1].id: 1}
        assert await consumer.ack_many(again) == [True, True]
        assert await consumer.ack_many([]) == []
        assert await consumer.poll(0.02) is None
        assert await consumer.take_many(5, 0) == []
        for limit in (0, 1001):
            with pytest.raises(ValueError, match="limit must be from 1 to 1000"):
                await consumer.take_many(limit, 0)
        raw.rpush(orders.names[0], "a", "b", "c")
        assert (await consumer.take()).value == "a"
    assert raw.lrange(orders.names[0], 0, -1) == [b"b", b"c"]  # the prefetched messages
    with pytest.raises(ClosedError, match="'orders' is closed"):
        await consumer.take()


async def test_ended_leases_come_back_without_a_transfer_task(
    redisson: AsyncRedisson, raw: Any
) -> None:
    orders = redisson.get_sharded_queue("orders", SHARDS, transfer=False)
    gone = redisson.get_consumer(orders, lease=0.3, transfer=False)
    for name in orders.names:
        raw.rpush(name, name)
    for _ in orders.names:
        await gone.take()
    consumer = redisson.get_consumer(orders, transfer=False)
    found = [await consumer.take() for _ in orders.names]
    assert {message.value for message in found} == set(orders.names)
    assert {message.attempt for message in found} == {2}
    assert redisson.transfer_stats() == []


async def test_a_worker_of_all_shards(
    redisson: AsyncRedisson, orders: AsyncShardedQueue[str], raw: Any, cluster: Servers
) -> None:
    """The worker serves another queue first and has few connections.

    A failed message is dead-lettered in its shard.
    """
    urgent = redisson.get_queue("urgent")
    seen: list[str] = []

    def handle(value: str) -> None:
        seen.append(value)
        if value.startswith("bad"):
            raise ValueError(value)

    for number in range(50):
        await orders.add(f"{number}")
    for number in range(4):
        await orders.add(f"bad {number}")
    await urgent.add("urgent")
    worker = AsyncWorker(redisson, [urgent, orders], handle, on_error={ValueError: "dead"})
    running = AsyncStarted(worker.run)
    letters = redisson.get_dead_letters(orders)
    await until_async(lambda: worker.stats().dead == 4, "the bad ones are dead")
    await until_async(lambda: worker.stats().done == 51, "the others are done")
    assert seen[0] == "urgent"
    assert await letters.size() == 4
    assert {letter.value for letter in await letters.read_all()} == {f"bad {n}" for n in range(4)}
    await until_async(
        lambda: max(len(clients(server, "normal")) for server in cluster.servers) < 7,
        "it holds few connections",
    )
    worker.stop()
    assert await running.result() == 0
    assert await letters.redrive(1) == 1
    assert await letters.drop(id=(await letters.read_all())[0].id) == 1
    assert await letters.drop() == 2
    assert [await orders.size(), await letters.size()] == [1, 0]


async def test_batches_are_filled_from_all_shards(
    redisson: AsyncRedisson, orders: AsyncShardedQueue[str], raw: Any
) -> None:
    for number in range(10):
        await orders.add(f"{number}")
    seen: list[list[str]] = []
    worker = AsyncWorker(redisson, orders, seen.append, batch_size=10, batch_wait=5)
    running = AsyncStarted(worker.run)
    await until_async(lambda: worker.stats().done == 10, "it is handled")
    assert [sorted(batch, key=int) for batch in seen] == [[f"{number}" for number in range(10)]]
    worker.stop()
    assert await running.result() == 0


async def test_number_of_shards_grows(redisson: AsyncRedisson, raw: Any) -> None:
    """Consumers get the greater number first. Pending items stay in their shards."""
    small = redisson.get_sharded_queue("orders", 4)
    far = await small.offer("far", 3600, key="far")
    for number in range(20):
        await small.offer(f"old {number}", 0.3, key=f"{number}")
    large = redisson.get_sharded_queue("orders", 16)
    seen: list[str] = []
    worker = AsyncWorker(redisson, large, seen.append)
    running = AsyncStarted(worker.run)
    for number in range(20):
        await small.offer(f"still old {number}", 0.1, key=f"{number}")
        await large.offer(f"new {number}", 0.1, key=f"{number}")
    assert await large.cancel(far)
    await until_async(lambda: worker.stats().done == 60, "all are handled")
    worker.stop()
    assert await running.result() == 0
    kinds = Counter(value.rpartition(" ")[0] for value in seen)
    assert kinds == {"old": 20, "still old": 20, "new": 20}
    assert keys(raw, "*orders*") == []


async def test_pause_applies_to_all_shards(
    redisson: AsyncRedisson, orders: AsyncShardedQueue[str], raw: Any
) -> None:
    for number in range(SHARDS):
        await orders.add(f"{number}")
    await orders.pause()
    consumer = redisson.get_consumer(orders)
    assert await consumer.poll(0.2) is None
    assert [await queue.is_paused() for queue in orders.queues] == [True] * SHARDS
    await orders.resume()
    for _ in range(SHARDS):
        assert await (await consumer.take()).ack()
    await consumer.close()


async def test_check_and_repair_all_shards(redisson: AsyncRedisson, raw: Any) -> None:
    orders = redisson.get_sharded_queue("orders", SHARDS, transfer=False)
    assert await orders.check() == []
    names = [ConsumerNames.of(name) for name in orders.names]
    alone = Receipt(orders.names[1], 1, bytes(16), b"x")
    raw.rpush(names[1].queue.delay_list, alone.entry)
    raw.zadd(names[6].queue.timeout_set, {b"junk": 1})
    kinds = {finding.kind for finding in await orders.check()}
    assert kinds == {FindingKind.DELAY_LIST_ONLY, FindingKind.POISON}
    assert {finding.kind for finding in await orders.repair()} == kinds
    assert {finding.kind for finding in await orders.check()} == kinds
    await orders.repair(dry_run=False)
    assert await orders.check() == []
    with pytest.raises(ValueError, match="orphans"):
        await orders.repair(orphans="keep")  # type: ignore[arg-type]  # no such word


async def test_frozen_node_does_not_block_other_nodes(
    redisson: AsyncRedisson, orders: AsyncShardedQueue[str], raw: Any, cluster: Servers
) -> None:
    """Other shards, other queues of a worker, and other items of a call are served."""
    frozen = cluster.master_of(orders.names[0].encode())
    others = [name for name in orders.names if cluster.master_of(name.encode()) is not frozen]
    urgent, later = (redisson.get_queue(f"{{{name}}}x") for name in (orders.names[0], others[0]))
    seen: list[str] = []
    workers = [AsyncWorker(redisson, each, seen.append) for each in (orders, [urgent, later])]
    running = [AsyncStarted(worker.run) for worker in workers]
    for name in (*orders.names, urgent.name, later.name):
        raw.rpush(name, name)
    await until_async(lambda: len(seen) == SHARDS + 2, "they work")
    for server in cluster.servers:
        server.run("CONFIG", "SET", "cluster-require-full-coverage", "no")
    frozen.pause()
    try:
        for turn in range(3):
            for name in (*others, later.name):
                await redisson.get_queue(name).add(f"{turn} {name}")
        expected = {f"{turn} {name}" for turn in range(3) for name in (*others, later.name)}
        await until_async(lambda: expected <= set(seen), "what can be served is")
        with pytest.raises(PartialOfferError) as caught:
            await orders.offer_many([(f"{number}", 3600) for number in range(SHARDS)])
        error = caught.value
        assert {receipt.queue for receipt in error.stored.values()} == set(others)
        lost = {**error.unstored, **error.unknown}
        assert sorted([*error.stored, *lost]) == list(range(SHARDS))
        assert all(receipt.value == b"%d" % place for place, receipt in lost.items())
    finally:
        frozen.resume()
    for receipt in lost.values():
        await until_async(
            lambda: cluster.master_of(orders.names[0].encode()) is frozen, "it is back"
        )
        await orders.offer_again(receipt)
    assert await orders.delayed_size() == SHARDS
    raw.rpush(urgent.name, "again")
    await until_async(lambda: "again" in seen, "it is served again")
    for worker in workers:
        worker.stop()
    assert [await each.result() for each in running] == [0, 0]
    assert len(seen) == SHARDS + 2 + len(expected) + 1
