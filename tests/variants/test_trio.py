"""Under trio, and anyio on trio, the asynchronous client raises: it needs asyncio."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import anyio
import pytest
import trio

from pyredisson import AsyncRedisson, AsyncWorker, Redisson
from pyredisson.codecs import StringCodec

WORDS = r"AsyncRedisson needs asyncio.*trio.*Redisson.*to_thread"
Run = Callable[[Callable[[], Awaitable[None]]], None]


def by_anyio(function: Callable[[], Awaitable[None]]) -> None:
    anyio.run(function, backend="trio")


@pytest.fixture(params=[trio.run, by_anyio], ids=["trio", "anyio"])
def run(request: pytest.FixtureRequest) -> Run:
    found: Run = request.param
    return found


def test_async_client_is_not_made_under_trio(url: str, run: Run) -> None:
    async def make() -> None:
        with pytest.raises(RuntimeError, match=WORDS):
            AsyncRedisson.from_url(url)

    run(make)


async def add(redisson: AsyncRedisson) -> None:
    await redisson.get_queue("q").add("a")


async def offer(redisson: AsyncRedisson) -> None:
    await redisson.get_delayed_queue(redisson.get_queue("q")).offer("a", 0)


async def wait(redisson: AsyncRedisson) -> None:
    await redisson.get_blocking_queue("q").poll(timeout=1)


async def take(redisson: AsyncRedisson) -> None:
    await redisson.get_consumer(redisson.get_queue("q")).poll(1)


async def work(redisson: AsyncRedisson) -> None:
    await AsyncWorker(redisson, redisson.get_queue("q"), print).run()


async def work_beside(redisson: AsyncRedisson) -> None:
    async with AsyncWorker(redisson, redisson.get_queue("q"), print).running():
        await trio.sleep(5)


@pytest.mark.parametrize("call", [add, offer, wait, take, work, work_beside])
def test_existing_async_client_raises_under_trio(url: str, run: Run, call: Any) -> None:
    redisson = AsyncRedisson.from_url(url, codec=StringCodec())

    async def refused() -> None:
        with pytest.raises(RuntimeError, match=WORDS):
            await call(redisson)

    run(refused)
    asyncio.run(redisson.aclose())


def test_async_client_raises_without_an_event_loop(url: str) -> None:
    redisson = AsyncRedisson.from_url(url, codec=StringCodec())
    coroutine = redisson.get_queue("q").add("a")
    with pytest.raises(RuntimeError, match="AsyncRedisson needs asyncio"):
        coroutine.send(None)


def test_threads_of_trio_use_the_sync_client(url: str) -> None:
    async def main() -> None:
        with Redisson.from_url(url, codec=StringCodec()) as redisson:
            queue = redisson.get_queue("q")
            await trio.to_thread.run_sync(partial(queue.add, "a"))
            assert await trio.to_thread.run_sync(queue.poll) == "a"

    trio.run(main)
