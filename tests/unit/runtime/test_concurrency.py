"""Sync and async variants: events, tasks, and work that is finished although cancelled."""

from __future__ import annotations

import _thread
import asyncio
import contextlib
import os
import signal
import sys
import threading
from typing import Any

import pytest

from pyredisson._runtime import concurrency, user_code
from pyredisson._runtime.concurrency import (
    AsyncEvent,
    AsyncTask,
    Event,
    StateLock,
    Task,
    can_spawn,
    can_spawn_async,
)
from pyredisson._runtime.interrupts import finish, finish_async
from tests.support.twins import until_async

LONG = 30.0
"""Seconds after which a wait counts as hanging."""


# --- finishing ----------------------------------------------------------------------------------


async def test_finish_returns_the_result_or_raises() -> None:
    async def work() -> int:
        await asyncio.sleep(0)
        return 7

    async def fail() -> int:
        raise LookupError("inside")

    assert await finish_async(work()) == 7
    with pytest.raises(LookupError, match="inside"):
        await finish_async(fail())


async def test_finish_continues_although_it_is_cancelled_often() -> None:
    steps = []
    go_on = asyncio.Event()

    async def work() -> str:
        steps.append("begun")
        await go_on.wait()
        steps.append("ended")
        return "done"

    async def interrupted() -> str:
        try:
            await asyncio.sleep(LONG)
        except asyncio.CancelledError:
            steps.append(await finish_async(work()))
            raise
        return "never"

    task = asyncio.create_task(interrupted())
    await asyncio.sleep(0)
    for _ in range(3):
        task.cancel()
        await asyncio.sleep(0)
    assert not task.done()
    go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert steps == ["begun", "ended", "done"]


async def test_finish_of_work_that_cancels_itself() -> None:
    async def work() -> None:
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await finish_async(work())


def test_sync_finish_returns_the_result() -> None:
    assert finish(7) == 7


# --- events -------------------------------------------------------------------------------------


def test_set_event_ends_one_wait() -> None:
    event = Event()
    event.set()
    event.set()
    event.wait(LONG)
    assert event._unset.locked()
    event.wait(0)
    event.wait(0.001)


def test_an_event_wakes_a_thread() -> None:
    event, woken = Event(), threading.Event()

    def waiter() -> None:
        event.wait(LONG)
        woken.set()

    thread = threading.Thread(target=waiter)
    thread.start()
    event.set()
    assert woken.wait(LONG)
    thread.join(LONG)


def test_an_event_may_be_set_by_a_signal_wherever_that_interrupts_its_waiter() -> None:
    """The handler runs between two steps of Python. Here it runs before each line in turn."""

    def wait_interrupted_before(line: int) -> bool:
        event, left = Event(), line

        def step(_frame: Any, what: str, _argument: Any) -> Any:
            nonlocal left
            left -= what == "line"
            if left == 0:
                left = -1
                event.set()
            return step

        sys.settrace(step)
        event.wait(0.001)
        sys.settrace(None)
        return left < 0

    def everywhere() -> None:
        interrupted = [wait_interrupted_before(line) for line in range(1, 200)]
        assert True in interrupted
        assert not interrupted[-1]
        ended.set()

    ended = threading.Event()
    threading.Thread(target=everywhere, daemon=True).start()
    assert ended.wait(LONG)


class Interrupted(BaseException):
    """Raised by a signal handler, as KeyboardInterrupt is raised by Ctrl-C."""


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no such timer here")
def test_interrupted_thread_releases_its_lock() -> None:
    """The interruption comes between any two steps of Python, two hundred times."""

    def interrupt(_number: int, _frame: object) -> None:
        raise Interrupted

    lock, before = StateLock(), signal.signal(signal.SIGVTALRM, interrupt)
    try:
        for _ in range(200):
            with contextlib.suppress(Interrupted):
                signal.setitimer(signal.ITIMER_VIRTUAL, 0.00002)
                while True:
                    with lock.held:
                        pass
            assert not lock.held.locked()
    finally:
        signal.signal(signal.SIGVTALRM, before)


def test_a_signal_that_comes_just_before_a_wait() -> None:
    """The handler runs during the wait. Like the signal, `interrupt_main` does not end it."""
    event = Event()
    before = signal.signal(signal.SIGTERM, lambda *_: event.set())
    timer = threading.Timer(0.2, _thread.interrupt_main, [signal.SIGTERM])
    timer.start()
    try:
        event.wait(3600)
    finally:
        signal.signal(signal.SIGTERM, before)
        timer.join()


async def test_set_async_event_ends_one_wait() -> None:
    event = AsyncEvent()
    event.set()
    await event.wait(LONG)
    assert not event._event.is_set()
    await event.wait(0)
    await event.wait(0.001)


async def test_an_async_event_wakes_a_task() -> None:
    event = AsyncEvent()
    task = asyncio.create_task(event.wait(LONG))
    await asyncio.sleep(0)
    assert not task.done()
    event.set()
    await asyncio.wait_for(task, LONG)


async def test_a_cancelled_wait_is_cancelled() -> None:
    event = AsyncEvent()
    task = asyncio.create_task(event.wait(LONG))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


# --- tasks --------------------------------------------------------------------------------------


def test_a_task_is_a_daemon_thread_that_can_be_waited_for() -> None:
    go_on = threading.Event()
    threads = []

    def body() -> None:
        threads.append(threading.current_thread())
        go_on.wait(LONG)

    task = Task(body, "its name")
    assert task.alive
    task.stop(0.001)
    assert task.alive
    go_on.set()
    task.stop(LONG)
    assert not task.alive
    assert (threads[0].name, threads[0].daemon) == ("its name", True)


def test_a_task_that_stops_itself_does_not_wait_for_itself() -> None:
    stopped = threading.Event()
    tasks: list[Task] = []
    ready = threading.Event()

    def body() -> None:
        ready.wait(LONG)
        tasks[0].stop(LONG)
        stopped.set()

    tasks.append(Task(body, "self"))
    ready.set()
    assert stopped.wait(LONG)


async def test_an_async_task_ends_by_itself_or_is_cancelled() -> None:
    steps = []

    async def soon() -> None:
        steps.append("quick")

    async def stubborn() -> None:
        try:
            await asyncio.sleep(LONG)
        finally:
            steps.append("cancelled")

    task = AsyncTask(soon, "soon")
    assert task.alive
    await task.stop(LONG)
    assert not task.alive
    await task.stop(LONG)
    other = AsyncTask(stubborn, "stubborn")
    await asyncio.sleep(0)
    await other.stop(0.001)
    assert not other.alive
    assert steps == ["quick", "cancelled"]


async def test_task_that_swallows_its_cancellation_is_abandoned() -> None:
    release, cancelled = asyncio.Event(), 0

    async def deaf() -> None:
        nonlocal cancelled
        while not release.is_set():
            try:
                await release.wait()
            except asyncio.CancelledError:
                cancelled += 1

    task = AsyncTask(deaf, "deaf")
    async with asyncio.timeout(LONG):
        await task.stop(0.01, 0.01)
        assert task.alive
        assert task.cancel()
        release.set()
        await task.stop(LONG, None)
    assert cancelled == 2
    assert not task.cancel()


async def test_a_task_of_another_loop_is_not_alive() -> None:
    async def make() -> AsyncTask:
        return AsyncTask(forever, "elsewhere")

    async def forever() -> None:
        await asyncio.sleep(LONG)

    def elsewhere() -> AsyncTask:
        return asyncio.run(make())

    assert not (await asyncio.to_thread(elsewhere)).alive


def test_a_thread_can_always_be_started_a_task_only_in_a_loop() -> None:
    async def inside() -> bool:
        return can_spawn_async()

    assert can_spawn()
    assert not can_spawn_async()
    assert asyncio.run(inside())


async def test_a_users_function_may_be_a_coroutine_function() -> None:
    seen: list[Any] = []

    async def awaited(value: Any) -> None:
        await asyncio.sleep(0)
        seen.append(value)

    await user_code.call_async(seen.append, 1)
    await user_code.call_async(awaited, 2)
    user_code.call(seen.append, 3)
    assert seen == [1, 2, 3]


def test_a_moment_that_is_near_is_waited_for_exactly() -> None:
    for wait in (0.001, 1):
        moment = concurrency.monotonic() + concurrency.lead(wait)
        concurrency.until(moment)
        assert concurrency.monotonic() >= moment
    concurrency.until(moment)  # the moment has passed


async def test_other_tasks_run_while_a_loop_waits_for_a_moment() -> None:
    turns: list[int] = []
    asyncio.get_running_loop().call_soon(turns.append, 1)
    moment = concurrency.monotonic() + concurrency.lead_async(1)
    await concurrency.until_async(moment)
    assert concurrency.monotonic() >= moment
    assert turns


async def test_all_listeners_receive_a_signal_and_restore_handlers() -> None:
    """The first listener may end first."""
    before = [signal.getsignal(name) for name in (signal.SIGTERM, signal.SIGINT)]
    seen: list[str] = []
    first = user_code.AsyncSignals(lambda: seen.append("first"))
    second = user_code.AsyncSignals(lambda: seen.append("second"))
    await first.__aenter__()
    await second.__aenter__()
    os.kill(os.getpid(), signal.SIGTERM)
    await until_async(lambda: len(seen) == 2, "both hear it")
    await first.__aexit__()
    os.kill(os.getpid(), signal.SIGINT)
    await until_async(lambda: len(seen) == 3, "one is left")
    await second.__aexit__()
    assert seen == ["first", "second", "second"]
    assert [signal.getsignal(name) for name in (signal.SIGTERM, signal.SIGINT)] == before


async def test_server_around_a_loop_receives_signals_too() -> None:
    """A web server's handler is called. A handler that only ends the loop's task is not called."""
    seen: list[object] = []
    before = signal.signal(signal.SIGTERM, lambda *received: seen.append(received[0]))
    try:
        async with user_code.AsyncSignals(lambda: seen.append("worker")):
            os.kill(os.getpid(), signal.SIGTERM)
            os.kill(os.getpid(), signal.SIGINT)  # its handler cancels the task that runs this
            await until_async(lambda: len(seen) == 3, "all hear of it")
            assert sorted(map(str, seen)) == sorted([str(int(signal.SIGTERM)), "worker", "worker"])
            mine = lambda *_: None  # noqa: E731 - it is compared
            signal.signal(signal.SIGTERM, mine)
        assert signal.getsignal(signal.SIGTERM) is mine  # the worker must not remove it
    finally:
        signal.signal(signal.SIGTERM, before)


def test_sync_listener_does_not_call_the_programs_handler() -> None:
    """A program's own handler might raise, and so end `run` in the middle."""
    seen: list[str] = []
    before = signal.signal(signal.SIGTERM, lambda *_: seen.append("program"))
    try:
        with user_code.Signals(lambda: seen.append("worker")):
            os.kill(os.getpid(), signal.SIGTERM)
        assert seen == ["worker"]
    finally:
        signal.signal(signal.SIGTERM, before)
