"""Steps with queues, deques and buckets: no delays."""

from __future__ import annotations

from time import monotonic

from tests._async.smoke.run import AsyncSmoke
from tests.support.smoking import POLL, SLICE, holds, same
from tests.support.twins import AsyncStarted, run_together_async, sleep_async, until_async


async def bucket(smoke: AsyncSmoke) -> None:
    bucket = smoke.redisson.get_bucket(smoke.name())
    await bucket.set("a", 60)
    same(await bucket.get(), "a")
    same(await bucket.compare_and_set("a", "b"), True)
    same(await bucket.get_and_delete(), "b")


async def add_and_poll(smoke: AsyncSmoke) -> None:
    queue = smoke.queue()
    await queue.add("a")
    await queue.add_all(["b", "c"])
    same(await queue.read_all(), ["a", "b", "c"])
    same([await queue.poll(), await queue.size()], ["a", 2])


async def poll_several(smoke: AsyncSmoke) -> None:
    queue = smoke.queue()
    await queue.add_all(["a", "b", "c"])
    same(await queue.poll(2), ["a", "b"])


async def poll_in_vain(smoke: AsyncSmoke) -> None:
    same(await smoke.queue().poll(timeout=0.2), None)


async def waiting_take(smoke: AsyncSmoke) -> None:
    """The fastest of three counts.

    A server that is itself the cause of the delay is late each time.
    """
    queue, late = smoke.queue(), []
    for value in ("a", "b", "c"):
        waiting = AsyncStarted(queue.take)
        await sleep_async(0.2)
        begin = monotonic()
        await queue.add(value)
        same(await waiting.result(), value)
        late.append(monotonic() - begin)
    smoke.came(monotonic() - min(late), SLICE / 4)


async def waiting_poll_of_several(smoke: AsyncSmoke) -> None:
    queue = smoke.queue()
    waiting = AsyncStarted(lambda: queue.poll(2, timeout=30))
    await sleep_async(0.2)
    begin = monotonic()
    await queue.add_all(["a", "b"])
    found = await waiting.result()
    smoke.came(begin, 3 * POLL)
    same((found + await queue.poll(2))[:2], ["a", "b"])


async def poll_from_any(smoke: AsyncSmoke) -> None:
    queue, other = smoke.queue(), smoke.queue("other")
    await other.add("a")
    same(await queue.poll_from_any(5, other.name), "a")


async def move_to_another(smoke: AsyncSmoke) -> None:
    queue, other = smoke.queue(), smoke.queue("other")
    await queue.add_all(["a", "b"])
    same(await queue.poll_last_and_offer_first_to(other.name), "b")
    same(await queue.poll_last_and_offer_first_to(other.name, timeout=5), "a")
    same(await other.read_all(), ["a", "b"])


async def drain(smoke: AsyncSmoke) -> None:
    queue, found = smoke.queue(), list[str]()
    await queue.add_all(["a", "b", "c"])
    same(await queue.drain_to(found, 2), 2)
    same(found, ["a", "b"])


async def search_and_remove(smoke: AsyncSmoke) -> None:
    queue = smoke.queue()
    await queue.add_all(["a", "b", "c", "d"])
    same([await queue.contains("b"), await queue.index_of("c")], [True, 2])
    same(await queue.contains_all(["a", "d"]), True)
    same(await queue.remove("b"), True)
    same(await queue.remove_all(["a"]), True)
    same(await queue.read_all(), ["c", "d"])


async def deque(smoke: AsyncSmoke) -> None:
    smoke.queue()
    deque = smoke.redisson.get_blocking_deque(smoke.name())
    await deque.add_last("b")
    await deque.add_first("a")
    same([await deque.take_last(), await deque.poll_first(timeout=5)], ["b", "a"])


async def keys(smoke: AsyncSmoke) -> None:
    queue, other = smoke.queue(), smoke.queue("other")
    await queue.add("a")
    same(await queue.expire(60), True)
    holds(await queue.remain_time_to_live() is not None, "it has a time to live")
    await queue.rename(other.name)
    same(await smoke.queue("other").delete(), True)


async def many_waiting(smoke: AsyncSmoke) -> None:
    queues = [smoke.queue(str(number)) for number in range(8)]
    waiting = [AsyncStarted(queue.take) for queue in queues]
    await sleep_async(0.2)
    begin = monotonic()
    await run_together_async(*[lambda queue=queue: queue.add("a") for queue in queues])
    same([await each.result() for each in waiting], ["a"] * 8)
    smoke.came(begin, 3 * POLL)


async def subscription_on_elements(smoke: AsyncSmoke) -> None:
    queue, found = smoke.queue(), list[str]()
    subscription = queue.subscribe_on_elements(found.append)
    begin = monotonic()
    await queue.add("a")
    await until_async(lambda: found == ["a"], "it is handed over", 30)
    smoke.came(begin, 3 * POLL)
    await subscription.close()
