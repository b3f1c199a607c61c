"""Handlers that end slowly or never after their cancellation: a stop has a time limit."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any

import pytest

from pyredisson import AsyncRedisson, AsyncWorker
from pyredisson.codecs import StringCodec
from tests.support.twins import PATIENCE, until_async

COUNT = 4
End = Callable[[AsyncRedisson, AsyncWorker, "asyncio.Future[int]"], Awaitable[Any]]


async def stop(_: AsyncRedisson, worker: AsyncWorker, running: "asyncio.Future[int]") -> None:
    worker.stop()
    assert await running == 1


async def cancel(_: AsyncRedisson, worker: AsyncWorker, running: "asyncio.Future[int]") -> None:
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


async def close(redisson: AsyncRedisson, _: AsyncWorker, running: "asyncio.Future[int]") -> None:
    await redisson.aclose()
    assert await running == 1


@pytest.fixture
async def redisson(url: str) -> AsyncIterator[AsyncRedisson]:
    """A client."""
    async with AsyncRedisson.from_url(url, codec=StringCodec()) as redisson:
        yield redisson


@pytest.fixture
def released() -> Iterator[asyncio.Event]:
    """Lets stubborn handlers end."""
    event = asyncio.Event()
    yield event
    event.set()


@pytest.mark.parametrize("ends", [True, False], ids=["slow", "stubborn"])
@pytest.mark.parametrize("end", [stop, cancel, close])
async def test_stop_cancels_all_handlers_at_once(
    redisson: AsyncRedisson, raw: Any, released: asyncio.Event, end: End, ends: bool
) -> None:
    begun: list[str] = []
    events: list[str] = []

    async def handle(value: str) -> None:
        begun.append(value)
        try:
            await asyncio.sleep(PATIENCE)
        except asyncio.CancelledError:
            events.append("cancelled")
            if ends:
                await asyncio.sleep(0.3)
                events.append("ended")
                raise
            while not released.is_set():
                try:
                    await released.wait()
                except asyncio.CancelledError:
                    events.append("again")

    values = [f"{number}" for number in range(COUNT)]
    raw.rpush("q", *values)
    queue = redisson.get_queue("q")
    worker = AsyncWorker(redisson, queue, handle, concurrency=COUNT, stop_timeout=0.1)
    running = asyncio.ensure_future(worker.run())
    await until_async(lambda: len(begun) == COUNT, "all are begun")
    async with asyncio.timeout(PATIENCE):
        await end(redisson, worker, running)
    assert events[:COUNT] == ["cancelled"] * COUNT
    assert events[COUNT:].count("ended") == (COUNT if ends else 0)
    assert sorted(raw.lrange("q", 0, -1)) == sorted(value.encode() for value in values)
    released.set()
