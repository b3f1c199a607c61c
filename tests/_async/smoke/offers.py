"""Steps with delayed queues."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from time import monotonic

from pyredisson import QueueFullError
from tests._async.smoke.run import AsyncSmoke
from tests.support.smoking import POLL, Unexpected, holds, same
from tests.support.twins import run_together_async, sleep_async

HOUR = timedelta(hours=1)


async def offer(smoke: AsyncSmoke) -> None:
    queue, delayed, begin = smoke.queue(), smoke.delayed(), monotonic()
    await delayed.offer("a", delay=0.3)
    same(await smoke.arrived(queue), "a")
    smoke.came(begin + 0.3)


async def offer_at_a_moment(smoke: AsyncSmoke) -> None:
    queue, delayed = smoke.queue(), smoke.delayed()
    await delayed.offer("a", at=datetime.now(UTC) - HOUR)
    same(await smoke.arrived(queue), "a")


async def a_shorter_delay_comes_first(smoke: AsyncSmoke) -> None:
    queue, delayed, begin = smoke.queue(), smoke.delayed(), monotonic()
    await delayed.offer("later", delay=HOUR)
    await delayed.offer("sooner", delay=0.2)
    same(await smoke.arrived(queue), "sooner")
    smoke.came(begin + 0.2)


async def offer_many(smoke: AsyncSmoke) -> None:
    queue, delayed, begin = smoke.queue(), smoke.delayed(), monotonic()
    receipts = await delayed.offer_many([(f"v{number}", 0.2) for number in range(600)])
    same(len(receipts), 600)
    same(sorted([await smoke.arrived(queue) for _ in range(600)])[0], "v0")
    smoke.came(begin + 0.2)


async def offers_at_the_same_time(smoke: AsyncSmoke) -> None:
    delayed = smoke.delayed()
    await run_together_async(
        *[lambda number=number: delayed.offer(f"v{number}", HOUR) for number in range(20)]
    )
    same(await delayed.size(), 20)


async def cancel(smoke: AsyncSmoke) -> None:
    delayed = smoke.delayed()
    receipt = await delayed.offer("a", HOUR)
    same([await delayed.cancel(receipt), await delayed.cancel(receipt)], [True, False])


async def reschedule(smoke: AsyncSmoke) -> None:
    queue, delayed = smoke.queue(), smoke.delayed()
    receipt = await delayed.offer("a", HOUR)
    left = await delayed.remaining_delay(receipt)
    holds(left is not None and left > HOUR / 2, "nearly an hour is left")
    begin = monotonic()
    await delayed.reschedule(receipt, delay=0.2)
    same(await smoke.arrived(queue), "a")
    smoke.came(begin + 0.2)


async def pending(smoke: AsyncSmoke) -> None:
    delayed = smoke.delayed()
    receipt = await delayed.offer("a", HOUR)
    await delayed.offer("b", HOUR)
    same([item.value async for item in delayed.items()], ["a", "b"])
    same([await delayed.contains("b"), await delayed.remove("b")], [True, True])
    await delayed.offer_again(receipt)
    same([await delayed.poll(2), await delayed.size()], [["a"], 0])


async def one_for_each_key(smoke: AsyncSmoke) -> None:
    delayed = smoke.delayed()
    first = await delayed.offer("a", HOUR, dedup="k")
    other = await delayed.offer("b", HOUR, dedup="k")
    same([first.stored, other.stored], [True, False])
    third = await delayed.offer("c", HOUR, dedup="k", if_exists="replace")
    same([third.stored, await delayed.read_all()], [True, ["c"]])
    same(await delayed.receipt_of("k"), third)


async def a_full_queue(smoke: AsyncSmoke) -> None:
    delayed = smoke.delayed(max_size=1)
    await delayed.offer("a", HOUR)
    try:
        await delayed.offer("b", HOUR)
    except QueueFullError:
        return
    raise Unexpected("the offer was stored")


async def expiring(smoke: AsyncSmoke) -> None:
    delayed = smoke.delayed(expire_after=0.2, when_expired="drop")
    await delayed.offer("a", delay=0)
    await sleep_async(0.5)
    same(await smoke.redisson.get_consumer(smoke.queue()).poll(timeout=0.5), None)


async def another_offers(smoke: AsyncSmoke) -> None:
    """A subscription announces the offer. Without it, the client finds the offer by polling."""
    other, transferring = smoke.client(), smoke.client(safety_interval=POLL)
    async with other, transferring:
        queue = smoke.queue(client=transferring)
        handle = transferring.get_delayed_queue(queue)
        await handle.size()  # the transfer task begins with the first call
        producer = other.get_delayed_queue(smoke.queue(client=other), transfer=False)
        await sleep_async(0.5)
        begin = monotonic()
        await producer.offer("a", delay=0.2)
        same(await smoke.arrived(queue, transferring), "a")
        smoke.came(begin + 0.2, 3 * POLL)


async def many_delayed_queues(smoke: AsyncSmoke) -> None:
    """One script polls all of them, also in several slots."""
    async with smoke.client(safety_interval=POLL) as client:
        queues = [client.get_blocking_queue(smoke.loose(str(number))) for number in range(12)]
        delayed = [client.get_delayed_queue(queue) for queue in queues]
        begin = monotonic()
        for each in delayed:
            await each.offer("a", delay=1.5)
        for queue in queues:
            same(await smoke.arrived(queue, client), "a")
        smoke.came(begin + 1.5, 3 * POLL)
        await sleep_async(2 * POLL)
        same([each.failures for each in client.transfer_stats() if each.failures], [])


async def no_failures(smoke: AsyncSmoke) -> None:
    delayed = smoke.delayed()
    stats = smoke.redisson.transfer_stats
    await delayed.offer("a", delay=0)
    same(await smoke.arrived(smoke.queue()), "a")
    same([(each.failures, each.refused) for each in stats() if each.failures], [])


async def shards(smoke: AsyncSmoke) -> None:
    orders, begin = smoke.redisson.get_sharded_queue(smoke.loose(), 3), monotonic()
    await orders.offer("a", delay=0.3)
    consumer = smoke.redisson.get_consumer(orders)
    message = await consumer.take()
    smoke.came(begin + 0.3)
    same([message.value, await message.ack()], ["a", True])
    await consumer.close()
