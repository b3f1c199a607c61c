"""pollFromAny and similar methods in a cluster: one wait for each slot, all at the same time."""

import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
import redis
from redis.asyncio import RedisCluster
from redis.crc import key_slot

from pyredisson import AsyncRedisson
from pyredisson._async.waits.slices import SLICE
from pyredisson.codecs import StringCodec
from tests.support.faults_tools import Repeatedly, calls
from tests.support.server import RedisServer
from tests.support.topology import RedisCluster as Servers
from tests.support.twins import PATIENCE, interrupt_async, sleep_async, start_async, until_async

NEVER = 600.0
FIRST, *OTHERS = NAMES = tuple(f"any{number}" for number in range(6))


@pytest.fixture
async def redisson(cluster: Servers) -> AsyncIterator[AsyncRedisson]:
    """A client of the cluster with a long response timeout."""
    async with (
        RedisCluster.from_url(cluster.url) as client,
        AsyncRedisson(client, codec=StringCodec(), response_timeout=NEVER) as redisson,
    ):
        yield redisson


@pytest.fixture
def raw(cluster: Servers) -> Iterator[Any]:
    """A plain client of the emptied cluster."""
    assert len({key_slot(name.encode()) for name in NAMES}) == len(NAMES)
    assert len({cluster.master_of(name.encode()).port for name in NAMES}) == 3
    with cluster.client() as client:
        client.flushall(target_nodes="primaries")
        yield client


@contextmanager
def serving_the_rest(cluster: Servers) -> Iterator[None]:
    """Let the nodes serve their slots while another node is unreachable."""
    for server in cluster.servers:
        server.run("CONFIG", "SET", "cluster-require-full-coverage", "no")
    yield
    for server in cluster.servers:
        server.run("CONFIG", "SET", "cluster-require-full-coverage", "yes")


def left(raw: Any) -> list[str]:
    """The values of all queues."""
    return [value.decode() for name in NAMES for value in raw.lrange(name, 0, -1)]


def blocked(cluster: Servers) -> int:
    """The number of connections that wait at the nodes."""
    stats = [server.run("INFO", "clients") for server in cluster.servers]
    return sum(int(each.partition(b"blocked_clients:")[2].split()[0]) for each in stats)


def total(cluster: Servers, command: str) -> int:
    """The number of times that the nodes have executed a command."""
    return sum(calls(server, command) for server in cluster.servers)


async def test_element_of_any_slot_ends_the_wait_at_once(redisson: AsyncRedisson, raw: Any) -> None:
    """Ten waits on six slots take less time than one slice of a blocking command."""
    queue = redisson.get_blocking_queue(FIRST)
    assert await queue.poll() is None
    waited = 0.0
    for number in range(10):
        name = NAMES[-1 - number % 2]
        waiting = start_async(lambda: queue.poll_from_any_with_name(PATIENCE, *OTHERS))
        await sleep_async(0.05)
        pushed = time.monotonic()
        raw.rpush(name, f"{number}")
        assert await waiting.result() == (name, f"{number}")
        waited += time.monotonic() - pushed
    assert waited < SLICE
    assert left(raw) == []


async def test_idle_wait_sends_one_command_per_slot_and_slice(
    redisson: AsyncRedisson, raw: Any, cluster: Servers
) -> None:
    """An idle wait sends one command for each slot and slice, after a first poll."""
    queue = redisson.get_blocking_queue(FIRST)
    assert await queue.poll() is None
    before = total(cluster, "blpop")
    assert await queue.poll_from_any(1.5 * SLICE, *OTHERS) is None
    assert total(cluster, "blpop") - before <= 3 * len(NAMES)


async def test_elements_of_lost_races_are_requeued_in_order(
    redisson: AsyncRedisson, raw: Any, cluster: Servers
) -> None:
    """Elements arrive in all slots at the same time; each is delivered once, in order."""
    queue = redisson.get_blocking_queue(FIRST)
    found: dict[str, list[int]] = {name: [] for name in NAMES}
    rounds = 20
    with ExitStack() as stack:
        pipes = [(name, stack.enter_context(_socket_to(cluster, name))) for name in NAMES]
        for number in range(rounds):
            waiting = start_async(lambda: queue.poll_from_any_with_name(PATIENCE, *OTHERS))
            await sleep_async(0.02)
            if number == 0:  # in one round, a wait blocks at every slot
                await until_async(lambda: blocked(cluster) == len(NAMES), "it waits at each slot")
            for name, pipe in pipes:
                pipe.send_command("RPUSH", name, number)
            for _, pipe in pipes:
                assert pipe.read_response()
            for _ in NAMES:
                name, value = await waiting.result() or ("", "")
                found[name].append(int(value))
                waiting = start_async(lambda: queue.poll_from_any_with_name(0, *OTHERS))
            assert await waiting.result() is None
    assert found == {name: list(range(rounds)) for name in NAMES}
    assert total(cluster, "lpush") > 0


@contextmanager
def _socket_to(cluster: Servers, name: str) -> Iterator[Any]:
    make: Any = redis.Connection
    connection = make(port=cluster.master_of(name.encode()).port)
    connection.connect()
    yield connection
    connection.disconnect()


async def test_interrupted_waits_requeue_their_elements(redisson: AsyncRedisson, raw: Any) -> None:
    """Elements that the interrupted waits had popped are requeued."""
    rng, sent, found = random.Random(1), 0, []

    def send() -> None:
        nonlocal sent
        raw.rpush(NAMES[sent % len(NAMES)], f"{sent}")
        sent += 1

    queue = redisson.get_blocking_queue(FIRST)
    assert await queue.poll() is None
    with Repeatedly(send, pause=0.004):
        for _ in range(150):
            found += await interrupt_async(
                lambda: queue.poll_from_any(60, *OTHERS), rng.random() * 0.015
            )
    assert sent > 50
    await until_async(lambda: not redisson._context.link.abandoned, "the last has given back")
    assert Counter([*found, *left(raw)]) == Counter(f"{number}" for number in range(sent))


def names_at(cluster: Servers, server: RedisServer) -> list[str]:
    """The queues of one node."""
    return [name for name in NAMES if cluster.master_of(name.encode()) is server]


async def test_frozen_node_delays_no_elements_of_other_nodes(
    redisson: AsyncRedisson, raw: Any, cluster: Servers
) -> None:
    """The first queue's node does not answer. Other nodes' elements arrive, and later its own."""
    frozen = cluster.master_of(FIRST.encode())
    there = names_at(cluster, frozen)
    elsewhere = [name for name in NAMES if name not in there]
    queue = redisson.get_blocking_queue(FIRST)
    assert await queue.poll_from_any(0, *OTHERS) is None
    with serving_the_rest(cluster):
        waiting = start_async(lambda: queue.poll_from_any(NEVER, *OTHERS))
        await sleep_async(0.1)
        homes = {name: cluster.master_of(name.encode()) for name in NAMES}
        frozen.pause()
        try:
            found = []
            for number in range(20):
                for name in elsewhere:
                    homes[name].run("RPUSH", name, f"{name} {number}")
                    found.append(await waiting.result())
                    waiting = start_async(lambda: queue.poll_from_any(NEVER, *OTHERS))
        finally:
            frozen.resume()
        assert found == [f"{name} {number}" for number in range(20) for name in elsewhere]
        for name in there:
            homes[name].run("RPUSH", name, f"{name} is back")
            assert await waiting.result() == f"{name} is back"
            waiting = start_async(lambda: queue.poll_from_any(NEVER, *OTHERS))
        homes[elsewhere[0]].run("RPUSH", elsewhere[0], "the last")
        assert await waiting.result() == "the last"
    await until_async(lambda: not redisson._context.link.abandoned, "nobody is late any more")
    assert left(raw) == []


async def test_poll_from_any_raises_if_no_node_answers(
    redisson: AsyncRedisson, raw: Any, cluster: Servers
) -> None:
    """The call raises instead of returning None as for empty queues."""
    queue = redisson.get_blocking_queue(FIRST)
    assert await queue.poll_from_any(0, *OTHERS) is None
    for server in cluster.servers:
        server.pause()
    try:
        for _ in range(2):
            with pytest.raises(redis.TimeoutError, match="no node"):
                await queue.poll_from_any(0.1, *OTHERS)
    finally:
        for server in cluster.servers:
            server.resume()
    raw.rpush(NAMES[-1], "x")
    assert await queue.poll_from_any(PATIENCE, *OTHERS) == "x"


async def test_key_of_another_type_raises(redisson: AsyncRedisson, raw: Any) -> None:
    """A permanent error is raised, but only if no earlier queue has an element."""
    queue = redisson.get_blocking_queue(FIRST)
    raw.set(NAMES[3], "no list")
    raw.rpush(NAMES[2], "x")
    assert await queue.poll_from_any(PATIENCE, *OTHERS) == "x"
    with pytest.raises(redis.ResponseError, match="WRONGTYPE"):
        await queue.poll_from_any(PATIENCE, *OTHERS)


async def test_waits_that_a_new_replica_ends_return_none(
    redisson: AsyncRedisson, raw: Any, cluster: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All replies are UNBLOCKED, and arrive after the timeout: no element has arrived."""
    queue = redisson.get_blocking_queue(FIRST)
    assert await queue.poll_from_any(0, *OTHERS) is None
    waiting = start_async(lambda: queue.poll_from_any(PATIENCE, *OTHERS))
    await until_async(lambda: blocked(cluster) == len(NAMES), "it waits at each slot")
    later = time.monotonic() + 2 * PATIENCE
    monkeypatch.setattr("pyredisson._async.waits.slices.monotonic", lambda: later)
    for server in cluster.servers:
        with server.client() as admin:
            for each in admin.client_list():
                if "b" in each["flags"]:
                    admin.client_unblock(each["id"], error=True)
    assert await waiting.result() is None
