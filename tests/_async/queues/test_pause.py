"""A paused queue: pyredisson's consumers take nothing, lose nothing, and continue afterwards."""

from collections.abc import Callable
from typing import Any

import pytest

from pyredisson import AsyncConsumer, AsyncRedisson, AsyncWorker
from pyredisson.codecs import StringCodec
from tests.support.consuming import NAMES, end_leases, texts, traces
from tests.support.monitor import Monitor
from tests.support.server import RedisServer
from tests.support.twins import AsyncStarted, sleep_async, until_async

Alone = Callable[..., AsyncConsumer[str]]


async def blocked(raw: Any, count: int) -> None:
    """Wait until this number of clients waits on the server."""
    info: Any = raw.info
    await until_async(lambda: info("clients")["blocked_clients"] == count, "all wait")


async def test_pause_is_a_key_that_all_clients_see(
    redisson: AsyncRedisson, raw: Any, alone: Alone
) -> None:
    queue, other = redisson.get_blocking_queue("q"), redisson.get_queue("q")
    assert not await queue.is_paused()
    await queue.pause()
    await other.pause()
    assert await other.is_paused()
    assert traces(raw) == {"paused"}
    raw.rpush("q", "a")
    assert await alone().poll() is None
    assert await alone(prefetch=10).poll(0.05) is None
    await other.resume()
    assert not await queue.is_paused()
    assert 0 < raw.pttl(NAMES.resumed) <= 1000
    await queue.pause()
    assert traces(raw) == {"paused"}, "nobody is woken by what was before"
    await queue.resume()
    raw.delete(NAMES.resumed)
    await queue.resume()
    assert traces(raw) == set(), "there was nothing to resume"
    assert await queue.poll() == "a"


async def test_pause_affects_neither_fetched_messages_nor_plain_takes(
    redisson: AsyncRedisson, raw: Any, alone: Alone
) -> None:
    raw.rpush("q", "a", "b", "c", "d", "e")
    consumer, ahead = alone(), alone(prefetch=2)
    first, second = await consumer.take_many(2)
    assert (await ahead.take()).value == "c"
    queue = redisson.get_blocking_queue("q")
    await queue.pause()
    assert await first.extend(60)
    assert await first.ack()
    assert await second.nack()
    assert texts(raw) == ["b", "e"]
    fetched = await ahead.poll()
    assert fetched is not None, "it was fetched before"
    assert fetched.value == "d"
    assert await ahead.poll(0.05) is None
    assert await queue.take() == "b"
    assert await queue.poll() == "e"


async def test_new_consumer_of_a_paused_queue_moves_nothing(
    redisson: AsyncRedisson, raw: Any, alone: Alone, server: RedisServer
) -> None:
    raw.rpush("q", "a", "b")
    await redisson.get_queue("q").pause()
    with Monitor(server) as monitor:
        assert await alone().poll(0.3) is None
    moved = [each for each in monitor.commands if each.name in ("LPOP", "BLMOVE", "LPUSH")]
    assert [each.arguments[1] for each in moved if each.name == "BLMOVE"] == [
        NAMES.resumed.encode()
    ]
    assert all(each.arguments[1] != b"q" for each in moved)


async def test_waiting_consumers_return_moved_values_in_order(
    redisson: AsyncRedisson, raw: Any, alone: Alone
) -> None:
    consumers = [alone() for _ in range(3)]
    takes = [AsyncStarted(consumer.take) for consumer in consumers]
    await blocked(raw, 3)
    queue = redisson.get_queue("q")
    await queue.pause()
    raw.rpush("q", "a", "b", "c", "d", "e")
    await until_async(
        lambda: texts(raw) == ["a", "b", "c", "d", "e"] and not raw.exists(NAMES.arriving),
        "all is back",
    )
    assert traces(raw) == {"paused"}
    await blocked(raw, 3)
    await queue.resume()
    found = [await take.result() for take in takes]
    assert sorted(message.value for message in found) == ["a", "b", "c"]
    assert {message.attempt for message in found} == {1}
    assert texts(raw) == ["d", "e"]


async def test_waiting_consumer_does_not_poll_busily(
    redisson: AsyncRedisson, raw: Any, alone: Alone, server: RedisServer
) -> None:
    raw.rpush("q", "a")
    queue = redisson.get_queue("q")
    await queue.pause()
    take = AsyncStarted(alone().take)
    await blocked(raw, 1)
    with Monitor(server) as monitor:
        await sleep_async(0.5)
    assert len(monitor.commands) < 5
    await queue.resume()
    assert (await take.result()).value == "a"


async def test_consumer_waits_for_an_empty_queue_after_a_pause(
    redisson: AsyncRedisson, raw: Any, alone: Alone, server: RedisServer
) -> None:
    """The consumer does not loop while the list that wakes it still exists."""
    queue = redisson.get_queue("q")
    await queue.pause()
    consumer = alone()
    take = AsyncStarted(consumer.take)
    await blocked(raw, 1)
    with Monitor(server) as monitor:
        await queue.resume()
        await blocked(raw, 1)
        await sleep_async(0.3)
    waits = [each.arguments[1] for each in monitor.commands if each.name == "BLMOVE"]
    assert waits == [b"q"]
    raw.rpush("q", "a")
    assert (await take.result()).value == "a"


async def test_consumer_killed_between_wait_and_script_loses_nothing(
    redisson: AsyncRedisson, raw: Any, alone: Alone
) -> None:
    raw.rpush("q", "a", "b", "c")
    held = await alone().take()
    await redisson.get_queue("q").pause()
    raw.lmove("q", NAMES.arriving, "LEFT", "RIGHT")
    end_leases(raw)
    assert await alone().poll() is None
    assert texts(raw) == ["a", "b", "c"]
    await redisson.get_queue("q").resume()
    again = await alone().take()
    assert (again.id, again.attempt) == (held.id, 2)


@pytest.mark.parametrize("names", [["q"], ["q", "r"], ["r", "q"]], ids=",".join)
async def test_worker_continues_after_a_pause(
    redisson: AsyncRedisson, raw: Any, names: list[str]
) -> None:
    """A worker of several queues takes from those that are not paused."""
    queue, seen = redisson.get_queue("q"), list[str]()
    await queue.pause()
    raw.rpush("q", "a")
    worker = AsyncWorker(redisson, [redisson.get_queue(name) for name in names], seen.append)
    running = AsyncStarted(worker.run)
    await blocked(raw, len(names))
    if len(names) > 1:
        raw.rpush("r", "other")
        await until_async(lambda: seen == ["other"], "the other queue is served")
        seen.clear()
    await blocked(raw, len(names))
    assert texts(raw) == ["a"]
    await queue.resume()
    await until_async(lambda: seen == ["a"], "it goes on")
    await queue.pause()
    raw.rpush("q", "b")
    await sleep_async(0.05)
    assert seen == ["a"]
    await queue.resume()
    await until_async(lambda: seen == ["a", "b"], "it goes on again")
    worker.stop()
    assert await running.result() == 0


async def test_pause_and_waiting_take_survive_a_server_restart(own_server: RedisServer) -> None:
    async with AsyncRedisson.from_url(own_server.url, codec=StringCodec()) as redisson:
        queue = redisson.get_queue("q")
        await queue.add("a")
        await queue.pause()
        take = AsyncStarted(redisson.get_consumer(queue, transfer=False).take)
        await blocked(own_server.client(), 1)
        own_server.kill()
        own_server.start()
        await blocked(own_server.client(), 1)
        assert await queue.is_paused()
        assert texts(own_server.client()) == ["a"]
        await queue.resume()
        assert (await take.result()).value == "a"


async def test_consumer_of_a_group_window_waits_during_a_pause(
    redisson: AsyncRedisson, raw: Any, server: RedisServer
) -> None:
    """A window's consumers wait like others while its queue is empty, and while it is paused."""
    queue = redisson.get_queue("q")
    window = redisson.get_group_window(queue, size=1, max_wait=60, transfer=False)
    take = AsyncStarted(redisson.get_consumer(window, transfer=False).take)
    await blocked(raw, 1)
    await queue.pause()
    await window.offer("k", "a")
    await until_async(lambda: raw.llen("q") == 1 and not raw.exists(NAMES.arriving), "it is back")
    await blocked(raw, 1)
    with Monitor(server) as monitor:
        await sleep_async(0.3)
    assert len(monitor.commands) < 5
    await queue.resume()
    assert (await take.result()).value.values == ["a"]
