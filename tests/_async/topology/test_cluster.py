"""A cluster of three masters: every operation, with names in different slots."""

from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from typing import Any

import pytest
import redis
import redis.asyncio
from redis.crc import key_slot

from pyredisson import (
    AsyncRedisson,
    AsyncWorker,
    Backoff,
    DecodeError,
    End,
    InvalidNameError,
)
from pyredisson.codecs import LongCodec, StringCodec
from tests.support.monitor import Monitor
from tests.support.state import keys
from tests.support.topology import RedisCluster
from tests.support.twins import (
    PATIENCE,
    AsyncStarted,
    close_cluster_async,
    sleep_async,
    start_async,
    until_async,
)

STRINGS = StringCodec()
NAMES = ("orders", "mails", "bills", "app:{1}:q", "{tag}", "x{y}{z}", "ünï")


@pytest.fixture
async def redisson(cluster: RedisCluster) -> AsyncIterator[AsyncRedisson]:
    """A client of the cluster."""
    client: Any = redis.asyncio.RedisCluster.from_url(cluster.url)
    async with AsyncRedisson(client) as redisson:
        yield redisson
    await close_cluster_async(client)


@pytest.fixture
def raw(cluster: RedisCluster) -> Iterator[Any]:
    """A plain client of the emptied cluster."""
    with cluster.client() as client:
        client.flushall(target_nodes="primaries")
        yield client


def masters(cluster: RedisCluster, names: tuple[str, ...]) -> set[int]:
    return {cluster.master_of(name.encode()).port for name in names}


async def test_schedules_recur_on_all_nodes(redisson: AsyncRedisson, raw: Any) -> None:
    queues = [redisson.get_blocking_queue(name, STRINGS) for name in NAMES]
    for queue in queues:
        schedule = redisson.get_schedule(redisson.get_delayed_queue(queue))
        await schedule.add("ping", queue.name, every=0.2)
    for queue in queues * 2:
        assert await queue.poll(timeout=PATIENCE) == queue.name


async def test_queues_on_all_nodes_work(
    redisson: AsyncRedisson, raw: Any, cluster: RedisCluster
) -> None:
    assert len(masters(cluster, NAMES)) == 3
    for name in NAMES:
        queue = redisson.get_blocking_deque(name, codec=STRINGS)
        delayed = redisson.get_delayed_queue(queue)
        receipt = await delayed.offer("later", delay=3600)
        assert await delayed.read_all() == ["later"]
        assert await delayed.contains_all(["later"])
        await delayed.offer("a", delay=0.1)
        await delayed.offer("b", delay=timedelta(milliseconds=200))
        assert [await queue.take(), await queue.take()] == ["a", "b"]
        assert await delayed.cancel(receipt)
        assert await delayed.is_empty()
        assert await queue.poll(timeout=0.05) is None
        await queue.add_all(["1", "2", "3"])
        assert await queue.poll_last(2) == ["3", "2"]
        assert await queue.move(name, End.FIRST, End.LAST, timeout=1) == "1"
        assert [value async for value in queue] == ["1"]
        assert await queue.contains("1")
        drained: list[str] = []
        assert await queue.drain_to(drained) == 1
        assert await queue.delete() is False
    stats = redisson.transfer_stats()
    assert {one.queue for one in stats} == set(NAMES)
    assert all(one.failures == 0 for one in stats)


async def test_plain_client_of_a_cluster_node_raises_instead_of_waiting(
    cluster: RedisCluster, raw: Any
) -> None:
    """The error names the client to make. Waits raise it, too, instead of trying again."""
    node = cluster.servers[0]
    served = [each for each in NAMES if cluster.master_of(each.encode()) is node]
    name = next(each for each in NAMES if each not in served)
    wrong = "is a node of a cluster .* make the client with RedisCluster$"
    async with AsyncRedisson.from_url(node.url, codec=STRINGS) as redisson:
        queue = redisson.get_blocking_queue(name)
        delayed = redisson.get_delayed_queue(queue, transfer=False)
        with pytest.raises(redis.ConnectionError, match=wrong):
            await delayed.offer("x", delay=1)
        for others in ([], served[:1]):
            for other in others:
                assert await redisson.get_queue(other).size() == 0  # so the server is reachable
            with pytest.raises(redis.ConnectionError, match=wrong):
                await queue.take()
            with pytest.raises(redis.ConnectionError, match=wrong):
                await queue.poll(timeout=PATIENCE)
            with pytest.raises(redis.ConnectionError, match=wrong):
                await redisson.get_consumer(queue).take()


async def test_object_commands_work_in_a_cluster(redisson: AsyncRedisson, raw: Any) -> None:
    queue = redisson.get_queue("{tag}a", codec=STRINGS)
    delayed = redisson.get_delayed_queue(queue, transfer=False)
    await delayed.offer("x", delay=3600)
    assert await delayed.expire(3600)
    assert await delayed.clear_expire()
    assert await delayed.size_in_memory() > 0
    await delayed.rename("{tag}b")
    assert await delayed.copy("{tag}c")
    assert await delayed.unlink()
    copied = redisson.get_delayed_queue(redisson.get_queue("{tag}c", codec=STRINGS), transfer=False)
    assert await copied.read_all() == ["x"]


@pytest.mark.parametrize("name", ["a{}b", "a{b", "a}b", "", "{", "{}x"])
async def test_name_with_keys_in_several_slots_is_rejected_on_creation(
    redisson: AsyncRedisson, raw: Any, name: str
) -> None:
    queue = redisson.get_queue(name, codec=STRINGS)
    with pytest.raises(InvalidNameError, match="one slot") as caught:
        redisson.get_delayed_queue(queue)
    assert str(key_slot(name.encode())) in str(caught.value)
    assert redisson.transfer_stats() == []
    await queue.add("x")  # a plain queue is one key
    assert await queue.poll() == "x"


async def test_new_name_with_keys_in_several_slots_is_rejected(
    redisson: AsyncRedisson, raw: Any
) -> None:
    delayed = redisson.get_delayed_queue(redisson.get_queue("q", codec=STRINGS), transfer=False)
    await delayed.offer("x", delay=3600)
    with pytest.raises(InvalidNameError):
        await delayed.rename("a{b")
    assert delayed.name == "q"
    assert await delayed.size() == 1


async def test_poll_from_any_asks_all_slots(
    redisson: AsyncRedisson, raw: Any, cluster: RedisCluster
) -> None:
    names = ("orders", "mails", "bills")
    assert len({key_slot(name.encode()) for name in names}) == 3
    first, *others = names
    queue = redisson.get_blocking_deque(first, codec=STRINGS)
    for name in names:
        raw.rpush(name, f"{name} 1", f"{name} 2")
    assert await queue.poll_from_any_with_name(5, *others) == ("orders", "orders 1")
    assert await queue.poll_last_from_any_with_name(5, *others) == ("orders", "orders 2")
    rest = [await queue.poll_from_any(5, *others) for _ in range(4)]
    assert rest == ["mails 1", "mails 2", "bills 1", "bills 2"]
    assert await queue.poll_from_any(0, *others) is None
    raw.rpush("bills", "last")
    assert await queue.poll_from_any(0, *others) == "last"
    waiting = start_async(lambda: queue.poll_first_from_any(PATIENCE, *others, count=3))
    await sleep_async(0.2)
    raw.rpush("mails", "x", "y")
    assert await waiting.result() in ({"mails": ["x"]}, {"mails": ["x", "y"]})


async def test_the_poison_list_is_beside_its_queue(redisson: AsyncRedisson, raw: Any) -> None:
    names = ("orders", "mails", "bills")
    longs = redisson.get_blocking_queue(names[0], codec=LongCodec())
    for name in names:
        raw.rpush(name, "one")
        with pytest.raises(DecodeError) as caught:
            await longs.poll_from_any(5, *names[1:])
        assert caught.value.kept_in == f"pyredisson_poison:{{{name}}}"
        queue = redisson.get_queue(name, codec=STRINGS)
        assert await redisson.get_poison_list(queue).requeue() == 1
        assert await queue.poll() == "one"
    with pytest.raises(InvalidNameError):
        redisson.get_poison_list(redisson.get_queue("a}b"))


async def test_poll_from_any_does_not_wait_if_a_queue_has_an_element(
    redisson: AsyncRedisson, raw: Any, cluster: RedisCluster
) -> None:
    """Each slot is polled before the call waits at any of them."""
    queue = redisson.get_blocking_queue("orders", codec=STRINGS)
    monitors = [Monitor(server) for server in cluster.servers]
    for monitor in monitors:
        monitor.start()
    for timeout in (0, 0.001, PATIENCE):
        raw.rpush("bills", "x")
        assert await queue.poll_from_any(timeout, "mails", "bills") == "x"
    commands = [command for monitor in monitors for command in monitor.stop()]
    assert [command.name for command in commands if "POP" in command.name] == ["LPOP"] * 9


async def test_queues_of_different_slots_cannot_be_moved_between(
    redisson: AsyncRedisson, raw: Any
) -> None:
    queue = redisson.get_blocking_queue("orders", codec=STRINGS)
    await queue.add("x")
    with pytest.raises(redis.ResponseError, match="same slot"):
        await queue.poll_last_and_offer_first_to("mails")
    assert await queue.take() == "x"


async def test_cluster_client_that_decodes_is_not_changed(raw: Any, cluster: RedisCluster) -> None:
    client: Any = redis.asyncio.RedisCluster.from_url(cluster.url, decode_responses=True)
    async with AsyncRedisson(client) as redisson:
        queue = redisson.get_blocking_queue("numbers", codec=LongCodec())
        delayed = redisson.get_delayed_queue(queue)
        await delayed.offer(5, delay=0)
        assert await queue.take() == 5
    assert await client.set("mine", "yes")
    assert await client.get("mine") == "yes"
    await close_cluster_async(client)


async def test_single_subscription_serves_all_nodes(
    redisson: AsyncRedisson, raw: Any, cluster: RedisCluster
) -> None:
    for number in range(30):
        delayed = redisson.get_delayed_queue(redisson.get_queue(f"q{number}", codec=STRINGS))
        await delayed.offer("x", delay=0.1)
    await until_async(
        lambda: all(raw.llen(f"q{number}") == 1 for number in range(30)), "all are delivered"
    )
    await until_async(
        lambda: all(one.subscribed for one in redisson.transfer_stats()), "all are subscribed"
    )
    listeners = [len(server.client().client_list(_type="pubsub")) for server in cluster.servers]
    assert sum(listeners) == 1


async def test_consumers_and_a_worker_work_on_all_nodes(redisson: AsyncRedisson, raw: Any) -> None:
    """The worker waits at several nodes and retries with a delay; dead letters work."""
    queues = [redisson.get_blocking_queue(name, codec=STRINGS) for name in NAMES]
    failed: set[str] = set()
    seen: list[str] = []

    def handle(value: str) -> None:
        seen.append(value)
        if len(seen) == 2 * len(NAMES):
            worker.stop()
        if value not in failed:
            failed.add(value)
            raise ValueError(value)

    worker = AsyncWorker(redisson, queues, handle, backoff=Backoff(first=0.05))
    running = AsyncStarted(worker.run)
    await sleep_async(0.2)
    for name in NAMES:
        raw.rpush(name, name)
    await until_async(lambda: len(seen) >= 2 * len(NAMES), "all were handled twice")
    assert await running.result() == 0
    assert worker.stats().done == worker.stats().retried == len(NAMES)
    for queue in queues:
        consumer = redisson.get_consumer(queue, transfer=False)
        await queue.add("dead")
        assert await (await consumer.take()).reject("why")
        letters = redisson.get_dead_letters(queue)
        assert [letter.value async for letter in letters] == ["dead"]
        assert await letters.drop() == 1
    assert keys(raw) == []


async def test_group_windows_work_on_all_nodes(redisson: AsyncRedisson, raw: Any) -> None:
    for name in NAMES:
        queue = redisson.get_queue(name, codec=STRINGS)
        window = redisson.get_group_window(queue, size=2, max_wait=3600)
        await window.offer("full", "a")
        await window.offer("full", "b")
        await redisson.get_group_window(queue, size=2, max_wait=0.05).offer("due", "c")
        consumer = redisson.get_consumer(window)
        for values in (["a", "b"], ["c"]):
            message = await consumer.take()
            assert message.value.values == values
            assert await message.ack()
        await window.offer("open", "d")
        assert await window.cancel("open") == 1
    assert keys(raw) == []
    with pytest.raises(InvalidNameError):
        redisson.get_group_window(redisson.get_queue("a{b", codec=STRINGS), size=2, max_wait=1)
