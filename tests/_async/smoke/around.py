"""Steps with workers, windows, schedules, checks, other processes, idle clients and closing."""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import monotonic

from redis.exceptions import ResponseError

from pyredisson import AsyncWorker, Backoff, ClosedError
from tests._async.smoke.run import AsyncSmoke
from tests.support.smoking import POLL, PROMPT, SLICE, Unexpected, holds, same, started
from tests.support.twins import AsyncStarted, aside_async, sleep_async, until_async


async def worker(smoke: AsyncSmoke) -> None:
    delayed, handled, begin = smoke.delayed(), list[str](), monotonic()
    await delayed.offer("a", delay=0.2)
    await delayed.target.add("b")
    worker = AsyncWorker(smoke.redisson, delayed, handled.append)
    await _worked(worker, lambda: len(handled) == 2)
    smoke.came(begin + 0.2)
    same([sorted(handled), worker.stats().done], [["a", "b"], 2])


async def worker_retries(smoke: AsyncSmoke) -> None:
    queue, tries, begin = smoke.queue(), list[float](), monotonic()

    def fail(_value: str) -> None:
        tries.append(monotonic())
        raise ValueError

    pauses = Backoff(0.2, 1, 1, jitter=0)
    worker = AsyncWorker(smoke.redisson, queue, fail, max_deliveries=3, backoff=pauses)
    await queue.add("a")
    await _worked(worker, lambda: worker.stats().dead == 1)
    smoke.came(begin + 0.4)
    same([len(tries), worker.stats().retried], [3, 2])
    same(await smoke.redisson.get_dead_letters(queue).drop(), 1)


async def worker_batches(smoke: AsyncSmoke) -> None:
    queue, batches = smoke.queue(), list[list[str]]()
    await queue.add_all(["a", "b", "c"])
    worker = AsyncWorker(smoke.redisson, queue, batches.append, batch_size=3)
    await _worked(worker, lambda: worker.stats().done == 3)
    same(sorted(value for batch in batches for value in batch), ["a", "b", "c"])


async def worker_of_several_queues(smoke: AsyncSmoke) -> None:
    urgent, normal, handled = smoke.queue("urgent"), smoke.queue("normal"), list[str]()
    worker = AsyncWorker(smoke.redisson, [urgent, normal], handled.append)
    idle = AsyncStarted(lambda: _worked(worker, lambda: len(handled) == 2))
    await sleep_async(0.5)
    begin = monotonic()
    await normal.add("a")
    await urgent.add("b")
    await idle.result()
    smoke.came(begin, SLICE + POLL)


async def _worked(worker: AsyncWorker, done: Callable[[], bool]) -> None:
    """Run a worker until all is done. If it ends by an error, the error is raised."""
    ended: list[Exception] = []
    async with worker.running(on_error=ended.append):
        await until_async(lambda: done() or bool(ended), "all is handled", 2 * PROMPT)


async def window_that_is_full(smoke: AsyncSmoke) -> None:
    window = smoke.redisson.get_group_window(smoke.queue(), size=2, max_wait=3600)
    smoke.delayed(transfer=False)
    same([(await window.offer("k", each)).closed for each in ("a", "b")], [False, True])
    async with smoke.redisson.get_consumer(window) as consumer:
        message = await consumer.take()
        same([message.value.values, await message.ack()], [["a", "b"], True])
    await window.offer("other", "x")
    same([len(await window.pending()), await window.cancel("other")], [1, 1])
    window.destroy()


async def window_that_is_due(smoke: AsyncSmoke) -> None:
    window = smoke.redisson.get_group_window(smoke.queue(), size=100, max_wait=0.3)
    begin = monotonic()
    await window.offer("k", "a")
    async with smoke.redisson.get_consumer(window) as consumer:
        message = await consumer.take()
        smoke.came(begin + 0.3)
        same([message.value.values, await message.ack()], [["a"], True])
    window.destroy()


async def schedule(smoke: AsyncSmoke) -> None:
    queue, delayed = smoke.queue(), smoke.delayed()
    recurring, begin = smoke.redisson.get_schedule(delayed), monotonic()
    await recurring.add("ping", "a", every=0.5)
    for number in (1, 2, 3):
        same(await smoke.arrived(queue), "a")
        smoke.came(begin + 0.5 * number)
    same([each.name for each in await recurring.entries()], ["ping"])
    same(await recurring.remove("ping"), True)
    recurring.destroy()


async def check_and_repair(smoke: AsyncSmoke) -> None:
    delayed = smoke.delayed()
    await delayed.offer("a", 3600)
    same([await delayed.check(), await delayed.repair()], [[], []])


async def poison(smoke: AsyncSmoke) -> None:
    poison = smoke.redisson.get_poison_list(smoke.queue())
    same([await poison.size(), await poison.read_all(), await poison.drop()], [0, [], 0])


async def sidecar(smoke: AsyncSmoke) -> None:
    """`pyredisson transfer` is the only process that transfers the item."""
    queue, delayed = smoke.queue(), smoke.delayed(transfer=False)
    command = [sys.executable, "-m", "pyredisson", "transfer", queue.name, "--url", smoke.url]
    process = started(*command)
    try:
        await delayed.offer("a", delay=0.2)
        found = await queue.poll(timeout=2 * PROMPT)
    finally:
        process.terminate()
        said = (await aside_async(process.communicate))[0]
    if found is None and "rejected" in said:
        raise ResponseError(said)
    same(found, "a")
    holds("stopped" in said, f"it says what it has done: {said}")


async def transfer_process(smoke: AsyncSmoke) -> None:
    async with smoke.client(transfer_process=True, safety_interval=POLL) as client:
        queue = smoke.queue(client=client)
        await client.get_delayed_queue(queue).offer("a", delay=0.2)
        same(await smoke.arrived(queue, client), "a")


async def after_a_rest(smoke: AsyncSmoke) -> None:
    """A client works normally after it was idle for longer than the network remembers flows."""
    async with smoke.client() as client:
        queue, delayed = smoke.queue(client=client), smoke.delayed(transfer=False)
        mine = client.get_delayed_queue(queue, transfer=False)
        async with client.get_consumer(queue, transfer=False) as consumer:
            for value in ("a", "b"):
                await queue.add(value)
                same(await queue.poll(), value)
                await queue.add(value)
                message = await consumer.take()
                same(await message.ack(), True)
                await mine.offer(value, 3600)
                same(await queue.poll(timeout=0.1), None)
                await sleep_async(smoke.rest)
            same(await consumer.poll(), None)
            same(await delayed.size(), 2)


async def a_wait_longer_than_flows_last(smoke: AsyncSmoke) -> None:
    queue = smoke.queue()
    async with smoke.redisson.get_consumer(queue) as consumer:
        waiting, other = AsyncStarted(consumer.take), AsyncStarted(smoke.queue("other").take)
        await sleep_async(1.5 * smoke.rest)
        begin = monotonic()
        await queue.add("a")
        await smoke.queue("other").add("b")
        message = await waiting.result()
        same([message.value, await message.ack(), await other.result()], ["a", True, "b"])
        smoke.came(begin, SLICE + PROMPT)


async def closing(smoke: AsyncSmoke) -> None:
    """Closing ends waits and requeues unused messages.

    It takes no longer than the longest wait on the server.
    """
    async with smoke.client() as client:  # closes the client also if the step ends early
        queue = smoke.queue(client=client)
        mine = smoke.redisson.get_blocking_queue(queue.name)
        await mine.add_all(["a", "b"])
        consumer = client.get_consumer(queue, prefetch=2)
        same(await (await consumer.take()).ack(), True)
        other = smoke.queue("other", client=client)
        waiting = AsyncStarted(other.take)
        await sleep_async(0.2)
        begin = monotonic()
        await client.aclose()
    try:
        await waiting.result()
    except ClosedError:
        pass
    else:
        raise Unexpected("a wait has outlived its client")
    smoke.came(begin, PROMPT)
    same(await mine.read_all(), ["b"])
