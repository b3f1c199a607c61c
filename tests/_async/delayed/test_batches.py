"""A worker holds the leases of an incomplete batch while it waits for more messages."""

from typing import Any

from pyredisson import AsyncRedisson, AsyncWorker
from tests.support.consuming import held, texts, traces
from tests.support.twins import AsyncStarted, until_async


async def test_worker_renews_leases_while_a_batch_fills(redisson: AsyncRedisson, raw: Any) -> None:
    raw.rpush("q", "a", "b")
    seen: list[list[str]] = []

    def handler(values: list[str]) -> None:
        seen.append(values)
        worker.stop()

    queue = redisson.get_queue("q")
    worker = AsyncWorker(redisson, queue, handler, batch_size=3, batch_wait=600, lease=4)
    running = AsyncStarted(worker.run)
    await until_async(lambda: len(held(raw)) == 2, "they are taken")
    before = max(end for _, end in held(raw))
    await until_async(lambda: min(end for _, end in held(raw)) > before, "they are renewed")
    raw.rpush("q", "c")
    assert await running.result() == 0
    assert seen == [["a", "b", "c"]]
    assert worker.stats().lease_expired == 0
    assert traces(raw) == set()


async def test_stopped_worker_releases_an_incomplete_batch(
    redisson: AsyncRedisson, raw: Any
) -> None:
    raw.rpush("q", "a", "b")
    worker = AsyncWorker(redisson, redisson.get_queue("q"), print, batch_size=3, batch_wait=600)
    running = AsyncStarted(worker.run)
    await until_async(lambda: len(held(raw)) == 2, "they are taken")
    worker.stop()
    assert await running.result() == 0
    assert texts(raw) == ["a", "b"]
    again = await redisson.get_consumer(redisson.get_queue("q")).take()
    assert again.attempt == 1
