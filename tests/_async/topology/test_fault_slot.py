"""A slot that moves: each operation on queues whose keys are at the old node, the new one or both.

While the slot is open, the old node redirects (ASK) requests for moved keys to a node without the
scripts. Commands of several keys wait while the keys are at two nodes (TRYAGAIN).
"""

import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from redis.asyncio import RedisCluster

from pyredisson import AsyncBlockingDeque, AsyncDelayedQueue, AsyncRedisson
from pyredisson.codecs import StringCodec
from pyredisson.protocol.kernel.names import QueueNames
from tests.support.server import RedisServer
from tests.support.topology import RedisCluster as Servers
from tests.support.twins import PATIENCE, sleep_async, start_async, until_async

Call = Callable[[AsyncBlockingDeque[str]], Any]


async def drained(queue: AsyncBlockingDeque[str], limit: int | None = None) -> list[str]:
    found: list[str] = []
    await queue.drain_to(found, limit)
    return found


CALLS: dict[str, tuple[Call, Any, list[str]]] = {
    "offer": (lambda q: q.offer("d"), True, ["a", "b", "c", "d"]),
    "add_all": (lambda q: q.add_all(["d", "e"]), True, ["a", "b", "c", "d", "e"]),
    "offer_first": (lambda q: q.offer_first("z"), True, ["z", "a", "b", "c"]),
    "poll": (lambda q: q.poll(), "a", ["b", "c"]),
    "poll(2)": (lambda q: q.poll(2), ["a", "b"], ["c"]),
    "poll(9)": (lambda q: q.poll(9), ["a", "b", "c"], []),
    "poll_last(2)": (lambda q: q.poll_last(2), ["c", "b"], ["a"]),
    "drain_to": (drained, ["a", "b", "c"], []),
    "drain_to(2)": (lambda q: drained(q, 2), ["a", "b"], ["c"]),
    "take": (lambda q: q.take(), "a", ["b", "c"]),
    "take_last": (lambda q: q.take_last(), "c", ["a", "b"]),
    "poll(timeout)": (lambda q: q.poll(timeout=PATIENCE), "a", ["b", "c"]),
    "poll_from_any": (lambda q: q.poll_from_any(PATIENCE, "elsewhere"), "a", ["b", "c"]),
    "move": (
        lambda q: q.poll_last_and_offer_first_to(q.name),
        "c",
        ["c", "a", "b"],
    ),
    "remove": (lambda q: q.remove("b"), True, ["a", "c"]),
    "remove_all": (lambda q: q.remove_all(["a", "c"]), True, ["b"]),
    "retain_all": (lambda q: q.retain_all(["a", "c"]), True, ["a", "c"]),
    "remove_all(all)": (lambda q: q.remove_all(["c", "b", "a", "x"]), True, []),
    "retain_all(none)": (lambda q: q.retain_all(["x"]), True, []),
    "contains": (lambda q: q.contains("b"), True, ["a", "b", "c"]),
    "contains_all": (lambda q: q.contains_all(["b", "a"]), True, ["a", "b", "c"]),
    "peek": (lambda q: q.peek(), "a", ["a", "b", "c"]),
    "size": (lambda q: q.size(), 3, ["a", "b", "c"]),
    "read_all": (lambda q: q.read_all(), ["a", "b", "c"], ["a", "b", "c"]),
}


@pytest.fixture
async def redisson(cluster: Servers) -> AsyncIterator[AsyncRedisson]:
    """A client of the cluster."""
    async with (
        RedisCluster.from_url(cluster.url) as client,
        AsyncRedisson(client, codec=StringCodec()) as redisson,
    ):
        yield redisson


@contextmanager
def on_its_way(cluster: Servers, key: bytes) -> Iterator[tuple[RedisServer, RedisServer]]:
    """Open a key's slot between two nodes, the target without scripts; then finish the move."""
    source = cluster.master_of(key)
    target = next(server for server in cluster.servers if server is not source)
    cluster.begin_move(key, target)
    target.run("SCRIPT", "FLUSH")
    yield source, target
    cluster.finish_move(key, target)


def migrate(source: RedisServer, target: RedisServer, *keys: str) -> None:
    """Move keys of an open slot."""
    for key in keys:
        source.run("MIGRATE", "127.0.0.1", target.port, key, 0, 10_000)


def left(cluster: Servers, name: str) -> list[str]:
    """The values of a list."""
    found = cluster.master_of(name.encode()).run("LRANGE", name, 0, -1)
    return [value.decode() for value in found]


@pytest.mark.parametrize("moved", [False, True], ids=["here", "there"])
async def test_each_operation_works_while_its_slot_moves(
    cluster: Servers, redisson: AsyncRedisson, moved: bool
) -> None:
    """Each runs in the open slot, with the queue at either node, and again after the move."""
    tag = f"slot_async{moved}"
    for name in CALLS:
        await redisson.get_queue(f"{{{tag}}}{name}").add_all(["a", "b", "c"])
    with on_its_way(cluster, tag.encode()) as (source, target):
        if moved:
            migrate(source, target, *(f"{{{tag}}}{name}" for name in CALLS))
        for name, (call, result, _) in CALLS.items():
            if "(" in name:
                target.run("SCRIPT", "FLUSH")
            assert await call(redisson.get_blocking_deque(f"{{{tag}}}{name}")) == result, name
    for name, (call, result, rest) in CALLS.items():
        queue = redisson.get_blocking_deque(f"{{{tag}}}{name}")
        assert left(cluster, queue.name) == rest, name
        await queue.delete()
        await queue.add_all(["a", "b", "c"])
        assert await call(queue) == result, name
        assert left(cluster, queue.name) == rest, name


@pytest.mark.parametrize("when", ["before", "during"])
async def test_waits_on_an_empty_queue_follow_the_moved_slot(
    cluster: Servers, redisson: AsyncRedisson, when: str
) -> None:
    """Waits get elements of the new node, whether they started before or during the move."""
    name = f"waits_async_{when}"
    queue = redisson.get_blocking_queue(name)
    assert await queue.poll() is None
    waiting = [start_async(queue.take) for _ in range(2 if when == "before" else 0)]
    await sleep_async(0.2)
    with on_its_way(cluster, name.encode()):
        while len(waiting) < 2:
            waiting.append(start_async(queue.take))
        await sleep_async(0.2)
        assert await queue.offer("1")
        if when == "during":  # else the old node blocks them until their slice ends
            await until_async(lambda: any(one.done for one in waiting), "one is served")
    await queue.offer("2")
    found = [await one.result() for one in waiting]
    assert sorted(found) == ["1", "2"]
    assert left(cluster, name) == []


async def offered_once(delayed: AsyncDelayedQueue[str]) -> bool:
    return (await delayed.offer("d", delay=600, dedup="k")).stored


DELAYED: dict[str, tuple[Callable[[AsyncDelayedQueue[str]], Any], Any, list[str]]] = {
    "offer": (lambda d: d.offer("d", delay=600), None, ["a", "b", "c", "d"]),
    "offer(dedup)": (offered_once, True, ["a", "b", "c", "d"]),
    "offer_many": (
        lambda d: d.offer_many([("d", 600), ("e", 500)], receipts=False),
        2,
        ["a", "b", "c", "d", "e"],
    ),
    "size": (lambda d: d.size(), 3, ["a", "b", "c"]),
    "read_all": (lambda d: d.read_all(), ["a", "b", "c"], ["a", "b", "c"]),
    "contains": (lambda d: d.contains("b"), True, ["a", "b", "c"]),
    "remove": (lambda d: d.remove("b"), True, ["a", "c"]),
    "remove_all": (lambda d: d.remove_all(["a", "c"]), True, ["b"]),
    "retain_all": (lambda d: d.retain_all(["a", "c"]), True, ["a", "c"]),
    "poll": (lambda d: d.poll(), "a", ["b", "c"]),
    "poll(2)": (lambda d: d.poll(2), ["a", "b"], ["c"]),
    "poll(9)": (lambda d: d.poll(9), ["a", "b", "c"], []),
    "remove_all(all)": (lambda d: d.remove_all(["c", "a", "b"]), True, []),
    "retain_all(none)": (lambda d: d.retain_all(["x"]), True, []),
}
PLACES = ("here", "there", "split")


async def test_each_delayed_operation_works_while_its_slot_moves(
    cluster: Servers, redisson: AsyncRedisson
) -> None:
    """Its keys are at one node or at two. A call that cannot run in the open slot runs after it."""
    tag = "delayed_async"
    cases = {f"{{{tag}}}{place} {name}": name for place in PLACES for name in DELAYED}
    for queue_name in cases:
        delayed = redisson.get_delayed_queue(redisson.get_queue(queue_name), transfer=False)
        for number, value in enumerate("abc"):
            await delayed.offer(value, delay=600 + number)
    calls = {}
    with on_its_way(cluster, tag.encode()) as (source, target):
        for queue_name, name in cases.items():
            names = QueueNames.of(queue_name)
            if "}here" not in queue_name:
                migrate(source, target, names.timeout_set)
            if "}there" in queue_name:
                migrate(source, target, names.delay_list)
            queue = redisson.get_queue(queue_name)
            delayed = redisson.get_delayed_queue(queue, transfer=False)
            calls[queue_name] = start_async(_bound(DELAYED[name][0], delayed))
        await sleep_async(0.3)
        assert not calls[f"{{{tag}}}split poll"].done
    for queue_name, name in cases.items():
        found = await calls[queue_name].result()
        assert name == "offer" or found == DELAYED[name][1], queue_name
        delayed = redisson.get_delayed_queue(redisson.get_queue(queue_name), transfer=False)
        names, owner = QueueNames.of(queue_name), cluster.master_of(tag.encode())
        assert await delayed.read_all() == DELAYED[name][2], queue_name
        assert owner.run("ZCARD", names.timeout_set) == len(DELAYED[name][2]), queue_name
        await delayed.delete()


def _bound(
    call: Callable[[AsyncDelayedQueue[str]], Any], delayed: AsyncDelayedQueue[str]
) -> Callable[[], Any]:
    return lambda: call(delayed)


async def test_offer_many_keeps_its_order_while_the_slot_moves(
    cluster: Servers, redisson: AsyncRedisson
) -> None:
    """Offers continue at the other node in their order."""
    name = "many_async"
    names = QueueNames.of(name)
    source = cluster.master_of(name.encode())
    target = next(server for server in cluster.servers if server is not source)

    end = threading.Timer(0.2, cluster.finish_move, [name.encode(), target])

    def moving() -> Iterator[tuple[str, float]]:
        for number in range(3000):
            if number == 1000:
                cluster.begin_move(name.encode(), target)
                end.start()
            yield str(number), 600 + number

    delayed = redisson.get_delayed_queue(redisson.get_queue(name), transfer=False)
    receipts = await delayed.offer_many(moving())
    end.join()
    assert [receipt.value.decode() for receipt in receipts] == [str(n) for n in range(3000)]
    assert target.run("ZCARD", names.timeout_set) == 3000
    found = target.run("LRANGE", names.delay_list, 0, -1)
    assert found == [receipt.entry for receipt in receipts]


async def test_due_items_are_delivered_once_while_the_slot_is_open(
    cluster: Servers, redisson: AsyncRedisson
) -> None:
    """The keys are at the old node, the new one or both; each due item is delivered once."""
    tag = "transfers_async"
    names = [f"{{{tag}}}{place}" for place in PLACES]
    delayed = [redisson.get_delayed_queue(redisson.get_queue(name)) for name in names]
    for number in range(20):
        for each in delayed:
            await each.offer(f"{number}", delay=0.1 + number / 20)
    with on_its_way(cluster, tag.encode()) as (source, target):
        for name in names:
            keys = QueueNames.of(name)
            if "}here" not in name:
                migrate(source, target, keys.timeout_set)
            if "}there" in name:
                migrate(source, target, keys.delay_list, name)
        await sleep_async(0.5)
    for name in names:
        queue = redisson.get_blocking_queue(name)
        found = [await queue.poll(timeout=PATIENCE) for _ in range(20)]
        assert Counter(found) == Counter(f"{number}" for number in range(20))
    for each in delayed:
        assert await each.size() == 0


async def test_messages_are_acknowledged_once_while_the_slot_moves(
    cluster: Servers, redisson: AsyncRedisson
) -> None:
    """The keys are at two nodes. Messages leased before the move are redelivered after it."""
    name = "consumed_async"
    queue = redisson.get_queue(name)
    consumer = redisson.get_consumer(queue, lease=1, transfer=False)
    await queue.add_all(map(str, range(30)))
    held = await consumer.take_many(10)
    seen = Counter[str]()

    async def consume() -> None:
        while len(seen) < 30:
            message = await consumer.poll(PATIENCE)
            if message is not None and await message.ack():
                seen[message.value] += 1

    with on_its_way(cluster, name.encode()) as (source, target):
        consuming = start_async(consume)
        await sleep_async(0.1)
        migrate(source, target, name)
        await sleep_async(0.5)
    await consuming.result()
    assert len(held) == 10
    assert set(seen.values()) == {1}
    left = set(cluster.master_of(name.encode()).run("KEYS", f"*{name}*"))
    assert left <= {b"pyredisson_consumers:{%b}" % name.encode()}  # expires by itself
