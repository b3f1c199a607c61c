"""Ctrl-C ends waits also on Windows, where no signal ends a wait for a lock or in `select`.

The tests simulate this: they block signals during each such wait.
"""

import os
import select
import signal
import socket
import threading
from collections.abc import Callable
from contextlib import contextmanager
from typing import Any

import pytest

from pyredisson._runtime import concurrency
from pyredisson._runtime.concurrency import Event, Task, in_slices, join
from pyredisson._transport.connections import readable

LONG = 3600.0
CTRL_C = {signal.SIGINT}


def deaf(wait: Callable[..., Any], heard: list[Any]) -> Callable[..., Any]:
    """Return a wait that no signal ends; it records the arguments of each call."""

    def waits(*arguments: Any) -> Any:
        heard.append(arguments)
        signal.pthread_sigmask(signal.SIG_BLOCK, CTRL_C)
        try:
            return wait(*arguments)
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, CTRL_C)

    return waits


@pytest.fixture(autouse=True)
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(concurrency, "_WAKE_INTERVAL", 0.1)
    monkeypatch.delattr(select, "poll")


@contextmanager
def ctrl_c() -> Any:
    """Send SIGINT soon, and expect KeyboardInterrupt."""
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            yield
    finally:
        timer.join()


def test_ctrl_c_ends_a_wait_for_an_event() -> None:
    event, heard = Event(), list[Any]()
    event._wait = deaf(event._wait, heard)
    with ctrl_c():
        event.wait(LONG)
    event.set()
    event.wait(LONG)
    assert all(seconds < 1.0 for (seconds,) in heard)


WAITS: list[Callable[[Task], None]] = [
    lambda task: join(task._thread, LONG),
    lambda task: task.stop(LONG),
    lambda task: task.wait(LONG),
]


@pytest.mark.parametrize("wait", WAITS)
def test_ctrl_c_ends_a_wait_for_a_thread(
    monkeypatch: pytest.MonkeyPatch, wait: Callable[[Task], None]
) -> None:
    end, heard = threading.Event(), list[Any]()
    task = Task(lambda: (end.wait(), None)[1], "task")
    monkeypatch.setattr(task._thread, "join", deaf(task._thread.join, heard))
    with ctrl_c():
        wait(task)
    end.set()
    wait(task)
    assert all(seconds < 1.0 for (seconds,) in heard)


def test_ctrl_c_ends_a_wait_for_a_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[Any] = []
    monkeypatch.setattr(select, "select", deaf(select.select, heard))
    ours, other = socket.socketpair()
    with ours, other:
        wait = readable(ours)
        with ctrl_c():
            wait(LONG * 1000)
        assert not wait(0)
        assert not wait(150)
        other.send(b"a")
        assert wait(LONG * 1000)
    assert all(each[3] < 1.0 for each in heard)


def noted(heard: list[float]) -> Callable[[float], bool]:
    def wait(seconds: float) -> bool:
        heard.append(seconds)
        return True

    return wait


def test_other_threads_wait_without_slices() -> None:
    heard: list[float] = []
    thread = threading.Thread(target=in_slices, args=(noted(heard), LONG))
    thread.start()
    thread.join()
    assert heard == [LONG]


def test_slices_are_longer_on_other_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    heard: list[float] = []
    assert in_slices(noted(heard), LONG)
    assert heard == [0.1 if os.name == "nt" else 1.0]
