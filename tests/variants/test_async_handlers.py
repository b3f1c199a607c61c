"""AsyncWorker calls plain functions in threads, and coroutine functions in the event loop."""

import asyncio
import contextvars
import logging
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pyredisson import AsyncRedisson, AsyncWorker, TimeLimitError, WorkerStats
from pyredisson.codecs import StringCodec
from tests.support.server import RedisServer
from tests.support.twins import PATIENCE, until_async

BLOCKED = "the event loop was blocked"
WHO = contextvars.ContextVar("WHO", default="nobody")


@pytest.fixture
async def redisson(url: str) -> AsyncIterator[AsyncRedisson]:
    """A client on an empty server."""
    async with AsyncRedisson.from_url(url, codec=StringCodec()) as redisson:
        yield redisson


async def work(
    redisson: AsyncRedisson, raw: Any, handler: Callable[[Any], Any], *values: str, **options: Any
) -> AsyncWorker:
    """Run a worker until it has settled all values."""
    raw.rpush("q", *values)
    worker = AsyncWorker(redisson, redisson.get_queue("q"), handler, **options)
    async with worker.running():
        await until_async(lambda: settled(worker) >= len(values), "all are settled")
    return worker


def settled(worker: AsyncWorker) -> int:
    stats = worker.stats()
    return stats.done + stats.dead + stats.retried


@pytest.mark.parametrize("lease", [0.9])
async def test_blocking_handler_keeps_its_lease(
    redisson: AsyncRedisson, raw: Any, caplog: pytest.LogCaptureFixture, lease: float
) -> None:
    """Two workers handle each message once, although a handler takes longer than its lease."""
    seen: list[str] = []

    def handle(value: str) -> None:
        seen.append(value)
        time.sleep(2 * lease)

    raw.rpush("q", *"abcd")
    queue = redisson.get_queue("q")
    workers = [AsyncWorker(redisson, queue, handle, lease=lease, concurrency=2) for _ in range(2)]
    async with workers[0].running(), workers[1].running():
        await until_async(lambda: sum(map(settled, workers)) == 4, "all are settled")
    assert sorted(seen) == list("abcd")
    assert sum(worker.stats().done for worker in workers) == 4
    assert "redelivered" not in caplog.text


async def test_worker_runs_one_handler_per_thread(redisson: AsyncRedisson, raw: Any) -> None:
    running, most, lock = 0, 0, threading.Lock()

    def handle(value: str) -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.05)
        with lock:
            running -= 1

    for options, expected in (({"threads": 2}, 2), ({"concurrency": 4}, 4)):
        most = 0
        worker = await work(redisson, raw, handle, *map(str, range(12)), **options)
        assert worker.stats() == WorkerStats(done=12)
        assert most == expected


async def test_handler_thread_sees_context_variables_of_run(
    redisson: AsyncRedisson, raw: Any
) -> None:
    seen: list[tuple[str, bool]] = []

    def handle(value: str) -> None:
        seen.append((WHO.get(), threading.current_thread() is threading.main_thread()))

    WHO.set("somebody")
    await work(redisson, raw, handle, "a")
    assert seen == [("somebody", False)]
    await work(redisson, raw, handle, "b", threads=0)
    assert seen[1:] == [("somebody", True)]


class Returns:
    """A callable that returns a coroutine, although it is no coroutine function."""

    def __init__(self, function: Callable[[str, str], Any]) -> None:
        self._function = function

    def __call__(self, value: str) -> Any:
        return self._function("b", value)


class AsyncCallable:
    """A callable whose `__call__` is a coroutine function."""

    def __init__(self, function: Callable[[str, str], Any]) -> None:
        self._function = function

    async def __call__(self, value: str) -> Any:
        await self._function("b", value)


@pytest.mark.parametrize("threads", [None, 0])
@pytest.mark.parametrize(
    "wrap",
    [
        lambda function: partial(function, "b"),
        lambda function: lambda value: function("b", value),
        Returns,
        AsyncCallable,
    ],
)
async def test_coroutine_that_a_handler_returns_is_awaited(
    redisson: AsyncRedisson, raw: Any, wrap: Callable[[Any], Any], threads: int | None
) -> None:
    seen: list[str] = []

    async def handle(prefix: str, value: str) -> None:
        await asyncio.sleep(0)
        assert threading.current_thread() is threading.main_thread()
        seen.append(prefix + value)

    worker = await work(redisson, raw, wrap(handle), "a", threads=threads)
    assert worker.stats() == WorkerStats(done=1)
    assert seen == ["ba"]


@pytest.mark.parametrize(
    "error", [ValueError("no"), SystemExit(3), KeyboardInterrupt(), StopIteration("end")]
)
async def test_exception_of_a_handler_dead_letters_its_message(
    redisson: AsyncRedisson, raw: Any, error: BaseException
) -> None:
    def handle(value: str) -> None:
        raise error

    worker = await work(redisson, raw, handle, "a", max_deliveries=1)
    assert worker.stats() == WorkerStats(dead=1)
    [letter] = [each async for each in redisson.get_dead_letters(redisson.get_queue("q"))]
    assert repr(error) in letter.reason or type(error).__name__ in letter.reason
    assert "in handle" in (letter.traceback or "")


async def test_time_limit_is_raised_in_the_handler(redisson: AsyncRedisson, raw: Any) -> None:
    seen: list[type[BaseException]] = []

    def handle(value: str) -> None:
        try:
            while True:
                time.sleep(0.01)
        except BaseException as error:
            seen.append(type(error))
            raise

    worker = await work(redisson, raw, handle, "a", time_limit=0.2, max_deliveries=1)
    assert worker.stats() == WorkerStats(dead=1)
    assert seen == [TimeLimitError]
    [letter] = [each async for each in redisson.get_dead_letters(redisson.get_queue("q"))]
    assert letter.reason == "TimeLimitError: the handler took more than 0.2 s"


async def test_message_is_released_if_its_handler_does_not_end(
    redisson: AsyncRedisson, raw: Any, caplog: pytest.LogCaptureFixture
) -> None:
    release = threading.Event()

    def handle(value: str) -> None:
        release.wait(PATIENCE)

    raw.rpush("q", "a")
    worker = AsyncWorker(redisson, redisson.get_queue("q"), handle, stop_timeout=0.1)
    running = asyncio.ensure_future(worker.run())
    await until_async(lambda: worker.stats().running == 1, "it is handled")
    worker.stop()
    assert await running == 1
    assert raw.lrange("q", 0, -1) == [b"a"]
    assert "is released: its handler did not end" in caplog.text
    release.set()
    await until_async(lambda: not left_threads(), "the thread ends")
    assert worker.stats() == WorkerStats(retried=1)


async def test_cancelled_run_does_not_wait_for_handler_threads(
    redisson: AsyncRedisson, raw: Any
) -> None:
    release = threading.Event()

    def handle(value: str) -> None:
        release.wait(PATIENCE)

    raw.rpush("q", "a", "b")
    worker = AsyncWorker(redisson, redisson.get_queue("q"), handle, concurrency=2, threads=1)
    running = asyncio.ensure_future(worker.run())
    await until_async(lambda: worker.stats().running == 2, "it is handled")
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert sorted(raw.lrange("q", 0, -1)) == [b"a", b"b"]
    release.set()
    await until_async(lambda: not left_threads(), "the thread ends")


def left_threads() -> list[str]:
    names = [each.name for each in threading.enumerate()]
    return [name for name in names if name.startswith("pyredisson handler")]


async def test_handler_may_stop_its_worker(redisson: AsyncRedisson, raw: Any) -> None:
    def handle(value: str) -> None:
        worker.stop()

    raw.rpush("q", "a")
    worker = AsyncWorker(redisson, redisson.get_queue("q"), handle)
    async with asyncio.timeout(20):
        assert await worker.run() == 0
    assert worker.stats() == WorkerStats(done=1)


@pytest.mark.parametrize(("threads", "blocks"), [(None, False), (0, True), ("await", True)])
async def test_worker_logs_that_the_event_loop_was_blocked(
    redisson: AsyncRedisson,
    raw: Any,
    caplog: pytest.LogCaptureFixture,
    threads: int | str | None,
    blocks: bool,
) -> None:
    def plain(value: str) -> None:
        time.sleep(2.2)

    async def awaited(value: str) -> None:
        time.sleep(2.2)  # noqa: ASYNC251 - what is tested

    caplog.set_level(logging.WARNING, "pyredisson")
    if threads == "await":
        await work(redisson, raw, awaited, "a", lease=6)
    else:
        await work(redisson, raw, plain, "a", lease=6, threads=threads)
    assert (BLOCKED in caplog.text) == blocks
    if blocks:
        assert "plain" in caplog.text


async def test_worker_rejects_invalid_thread_counts(redisson: AsyncRedisson) -> None:
    queue = redisson.get_queue("q")
    with pytest.raises(ValueError, match="threads must be at least 0, not -1"):
        AsyncWorker(redisson, queue, print, threads=-1)
    with pytest.raises(TypeError, match="threads must be a whole number, not '1'"):
        AsyncWorker(redisson, queue, print, threads="1")  # type: ignore[arg-type]  # a text


async def test_the_recipe_for_web_servers(url: str, raw: Any) -> None:
    """The worker of docs/consumers.md runs while the application runs, and ends with it."""
    page = (Path(__file__).parents[2] / "docs" / "consumers.md").read_text("utf-8")
    [code] = [each for each in page.split("```python\n") if "def lifespan" in each]
    names: dict[str, Any] = {}
    exec(code.partition("```")[0].replace("redis://127.0.0.1:6379/0", url), names)
    async with names["lifespan"](None) as state:
        await state["delayed"].offer("a", delay=0)
        await until_async(lambda: state["worker"].stats().done == 1, "it is handled")
        assert state["worker"].healthy
    assert not state["worker"].healthy


STUCK = """
import asyncio, time, sys
from pyredisson import AsyncRedisson, AsyncWorker
from pyredisson.codecs import StringCodec

async def main():
    async with AsyncRedisson.from_url(sys.argv[1], codec=StringCodec()) as redisson:
        def handle(value):
            print("handled", flush=True)
            worker.stop()
            time.sleep(600)

        worker = AsyncWorker(redisson, redisson.get_queue("q"), handle, stop_timeout=0.1)
        return await worker.run()

sys.exit(asyncio.run(main()))
"""


def test_unfinished_handler_thread_does_not_keep_the_process(server: RedisServer, raw: Any) -> None:
    raw.rpush("q", "a")
    done = subprocess.run(
        [sys.executable, "-c", STUCK, server.url],
        timeout=PATIENCE,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, b"handled\n"), done.stderr
