"""A server without free memory (``noeviction``): taken elements are requeued; queues can drain."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import redis

from pyredisson import AsyncRedisson, AsyncWorker, DecodeError
from pyredisson.codecs import LongCodec, StringCodec
from tests.support.dump import dump
from tests.support.proxy import FaultProxy
from tests.support.twins import AsyncStarted, interrupt_async, until_async

Full = Callable[[], Any]
Call = Callable[[AsyncRedisson], Any]


@pytest.fixture
def full(raw: redis.Redis) -> Iterator[Full]:
    """A function that leaves the server without free memory until the test ends."""
    yield lambda: raw.config_set("maxmemory", 1)
    raw.config_set("maxmemory", 0)


TAKES: dict[str, Call] = {
    "take": lambda r: r.get_blocking_queue("q").take(),
    "take_last": lambda r: r.get_blocking_deque("q").take_last(),
    "poll": lambda r: r.get_queue("q").poll(),
    "poll a timeout": lambda r: r.get_blocking_queue("q").poll(timeout=60),
    "poll several": lambda r: r.get_queue("q").poll(30),
    "drain_to": lambda r: r.get_blocking_queue("q").drain_to([], 30),
    "poll_from_any": lambda r: r.get_blocking_queue("none").poll_from_any(60, "q"),
    "poll_first_from_any": lambda r: r.get_blocking_queue("q").poll_first_from_any(60, count=3),
    "set": lambda r: r.get_set("s").remove_random(30),
    "sorted set": lambda r: r.get_scored_sorted_set("z").poll_first(30),
    "take of a sorted set": lambda r: r.get_scored_sorted_set("z").take_first(),
    "consumer": lambda r: r.get_consumer(r.get_queue("q")).take(),
    "semaphore": lambda r: r.get_semaphore("permits").acquire(),
    "lock": lambda r: r.get_lock("l").lock(),
    "read lock": lambda r: r.get_read_write_lock("rw").read_lock().lock(),
    "fair lock": lambda r: r.get_fair_lock("fair").lock(),
}


@pytest.mark.parametrize("call", TAKES.values(), ids=TAKES)
async def test_interrupted_call_requeues_elements_without_free_memory(
    proxy: FaultProxy, raw: Any, full: Full, call: Call
) -> None:
    """The memory fills up when the server has popped an element and the reply is under way."""
    values = [f"{number}" for number in range(9)]
    raw.rpush("q", *values)
    raw.sadd("s", *values)
    raw.zadd("z", {value: at for at, value in enumerate(values)})
    raw.set("permits", 1)
    async with AsyncRedisson.from_url(proxy.url, codec=StringCodec()) as redisson:
        assert await redisson.get_queue("none").poll() is None
        before = dump(raw)

        def taken() -> bool:
            if dump(raw) != before:
                full()
            return dump(raw) != before

        proxy.delay(0.1)
        assert await interrupt_async(lambda: call(redisson), taken) == []
        proxy.heal()
        assert contents(dump(raw)) == contents(before)


def contents(found: dict[bytes, Any]) -> dict[bytes, Any]:
    """The values of the keys, without pyredisson's own keys."""
    return {key: each.value for key, each in found.items() if not key.startswith(b"pyredisson_")}


async def test_undecodable_values_are_kept_without_free_memory(
    url: str, raw: Any, full: Full
) -> None:
    raw.rpush("q", "x", "y", "1")
    async with AsyncRedisson.from_url(url, codec=LongCodec()) as redisson:
        queue = redisson.get_blocking_queue("q")
        full()
        with pytest.raises(DecodeError, match="kept in the list"):
            await queue.take()
        assert await queue.poll(2) == [1]
    assert raw.lrange("pyredisson_poison:{q}", 0, -1) == [b"x", b"y"]
    assert raw.exists("q") == 0


async def test_pending_items_are_delivered_without_free_memory(
    url: str, raw: Any, full: Full
) -> None:
    async with AsyncRedisson.from_url(url, codec=StringCodec()) as redisson:
        queue = redisson.get_blocking_queue("q")
        delayed = redisson.get_delayed_queue(queue)
        for number in range(3):
            await delayed.offer(f"{number}", 0.1)
        full()
        assert [await queue.take() for _ in range(3)] == ["0", "1", "2"]
    assert raw.dbsize() == 0


async def test_paused_queue_is_resumed_without_free_memory(
    redisson: AsyncRedisson, raw: Any, full: Full
) -> None:
    queue = redisson.get_queue("q")
    consumer = redisson.get_consumer(queue)
    await queue.add("a")
    await queue.pause()
    full()
    taking = AsyncStarted(consumer.take)
    await until_async(lambda: raw.exists("pyredisson_paused:{q}"), "it is paused")
    await queue.resume()
    assert await (await taking.result()).ack()


async def test_leases_are_renewed_without_free_memory(
    redisson: AsyncRedisson, raw: Any, full: Full
) -> None:
    """A handler that runs for three leases handles each message once."""
    raw.rpush("q", "a", "b", "c")
    seen: list[str] = []

    def handle(value: str) -> None:
        seen.append(value)
        time.sleep(1.2)

    queue = redisson.get_queue("q")
    worker = AsyncWorker(redisson, queue, handle, lease=0.4, concurrency=2)
    full()
    running = AsyncStarted(worker.run)
    await until_async(lambda: raw.exists("pyredisson_leases:{q}") == 0 and len(seen) > 2, "done")
    worker.stop()
    assert await running.result() == 0
    assert sorted(seen) == ["a", "b", "c"]


async def test_dead_letters_and_poison_are_requeued_without_free_memory(
    redisson: AsyncRedisson, raw: Any, full: Full
) -> None:
    queue = redisson.get_queue("q")
    raw.rpush("pyredisson_poison:{q}", "p")
    raw.rpush("q", "d")
    consumer = redisson.get_consumer(queue)
    assert await (await consumer.take()).reject("why")
    full()
    assert await redisson.get_dead_letters(queue).redrive() == 1
    assert await redisson.get_poison_list(queue).requeue() == 1
    assert raw.lrange("q", 0, -1) == [b"p", b"d"]
