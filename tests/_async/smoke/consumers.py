"""Steps with consumers: they acknowledge, requeue, defer and reject messages."""

from __future__ import annotations

from time import monotonic

from tests._async.smoke.run import AsyncSmoke
from tests.support.smoking import POLL, PROMPT, SLICE, same
from tests.support.twins import AsyncStarted, sleep_async


async def take_and_acknowledge(smoke: AsyncSmoke) -> None:
    queue = smoke.queue()
    await queue.add("a")
    async with smoke.redisson.get_consumer(queue) as consumer:
        message = await consumer.take()
        same([message.value, message.attempt], ["a", 1])
        same([await message.ack(), await message.ack()], [True, False])


async def consumer_in_vain(smoke: AsyncSmoke) -> None:
    async with smoke.redisson.get_consumer(smoke.queue()) as consumer:
        same(await consumer.poll(timeout=0.3), None)


async def idle_consumer(smoke: AsyncSmoke) -> None:
    """The fastest of three counts.

    A message that arrives only at the end of a wait is late each time.
    """
    queue, late = smoke.queue(), []
    async with smoke.redisson.get_consumer(queue) as consumer:
        same(await consumer.poll(), None)
        for value in ("a", "b", "c"):
            waiting = AsyncStarted(consumer.take)
            await sleep_async(0.2)
            begin = monotonic()
            await queue.add(value)
            message = await waiting.result()
            late.append(monotonic() - begin)
            same([message.value, await message.ack()], [value, True])
    smoke.came(monotonic() - min(late), SLICE / 4)


async def delayed_to_a_consumer(smoke: AsyncSmoke) -> None:
    delayed, begin = smoke.delayed(), monotonic()
    await delayed.offer("a", delay=0.3)
    async with smoke.redisson.get_consumer(delayed) as consumer:
        message = await consumer.take()
        smoke.came(begin + 0.3)
        same([message.value, await message.ack()], ["a", True])


async def take_many(smoke: AsyncSmoke) -> None:
    queue = smoke.queue()
    await queue.add_all([f"v{number}" for number in range(10)])
    async with smoke.redisson.get_consumer(queue, prefetch=10) as consumer:
        messages = await consumer.take_many(4)
        same([each.value for each in messages], ["v0", "v1", "v2", "v3"])
        same(await consumer.ack_many(messages), [True] * 4)
    same(await queue.size(), 6)


async def back_at_once(smoke: AsyncSmoke) -> None:
    queue = smoke.queue()
    await queue.add("a")
    async with smoke.redisson.get_consumer(queue) as consumer:
        same(await (await consumer.take()).nack(), True)
        message = await consumer.take()
        same([message.attempt, await message.ack()], [2, True])


async def back_after_a_delay(smoke: AsyncSmoke) -> None:
    queue = smoke.queue()
    await queue.add("a")
    async with smoke.redisson.get_consumer(queue) as consumer:
        message, begin = await consumer.take(), monotonic()
        same(await message.nack(0.3), True)
        message = await consumer.take()
        smoke.came(begin + 0.3)
        same([message.attempt, await message.ack()], [2, True])


async def defer(smoke: AsyncSmoke) -> None:
    queue = smoke.queue()
    await queue.add("a")
    async with smoke.redisson.get_consumer(queue) as consumer:
        message, begin = await consumer.take(), monotonic()
        same(await message.defer(0.3), True)
        message = await consumer.take()
        smoke.came(begin + 0.3)
        same([message.attempt, await message.ack()], [1, True])


async def dead_letters(smoke: AsyncSmoke) -> None:
    queue = smoke.queue()
    letters = smoke.redisson.get_dead_letters(queue)
    await queue.add("a")
    async with smoke.redisson.get_consumer(queue) as consumer:
        same(await (await consumer.take()).reject("broken"), True)
        same([each.reason for each in await letters.read_all()], ["broken"])
        same(await letters.redrive(), 1)
        same(await (await consumer.take()).reject("again"), True)
    same([await letters.drop(), await letters.size()], [1, 0])


async def longer_lease(smoke: AsyncSmoke) -> None:
    queue = smoke.queue()
    await queue.add("a")
    async with smoke.redisson.get_consumer(queue, lease=1) as consumer:
        message = await consumer.take()
        same(await message.extend(60), True)
        await sleep_async(1.2)
        same(await message.ack(), True)


async def a_lease_ends(smoke: AsyncSmoke) -> None:
    queue = smoke.queue()
    await queue.add("a")
    async with smoke.redisson.get_consumer(queue, lease=0.5) as consumer:
        message, begin = await consumer.take(), monotonic()
        again = await consumer.take()
        smoke.came(begin + 0.5, SLICE + PROMPT)
        same([again.attempt, await message.ack(), await again.ack()], [2, False, True])


async def in_flight(smoke: AsyncSmoke) -> None:
    queue = smoke.queue()
    await queue.add("a")
    async with smoke.redisson.get_consumer(queue, consumer_name="smoke") as consumer:
        message = await consumer.take()
        same([(each.value, each.consumer) for each in await queue.in_flight()], [("a", "smoke")])
        same([await message.ack(), await queue.in_flight()], [True, []])


async def pause_and_resume(smoke: AsyncSmoke) -> None:
    queue = smoke.queue()
    await queue.pause()
    await queue.add("a")
    async with smoke.redisson.get_consumer(queue) as consumer:
        same(await consumer.poll(timeout=0.3), None)
        begin = monotonic()
        await queue.resume()
        message = await consumer.take()
        smoke.came(begin, SLICE + POLL)
        same([message.value, await message.ack()], ["a", True])


async def unused_goes_back(smoke: AsyncSmoke) -> None:
    queue = smoke.queue()
    await queue.add_all(["a", "b", "c"])
    async with smoke.redisson.get_consumer(queue, prefetch=3) as consumer:
        same(await (await consumer.take()).ack(), True)
    same(await queue.read_all(), ["b", "c"])
