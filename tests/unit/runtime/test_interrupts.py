"""Ctrl-C in a synchronous program: heard while nothing of a reply has been read, else after it."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType, SimpleNamespace
from typing import Any

import pytest

from pyredisson._runtime import interrupts
from pyredisson._runtime.concurrency import sleep
from pyredisson._runtime.interrupts import AsyncInterrupts, Interrupts

LONG = 30.0
"""Seconds after which what should have ended counts as hanging."""


class InterruptError(Exception):
    """What this test's handler raises instead of KeyboardInterrupt."""


@pytest.fixture
def handler() -> Iterator[Callable[[int, FrameType | None], Any]]:
    """Install a handler of SIGINT as a program would, and see that it is there again after."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise InterruptError(number)

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield interrupt
        assert signal.getsignal(signal.SIGINT) is interrupt
        assert Interrupts.active is None
    finally:
        signal.signal(signal.SIGINT, before)


def ctrl_c() -> None:
    signal.raise_signal(signal.SIGINT)


Steps = list[str]


def interrupted(body: Callable[[Steps], None], *, deaf: bool = False) -> Steps:
    """Run a body in which Ctrl-C is pressed, see that it was heard, and return how far it came."""
    steps: Steps = []
    with pytest.raises(InterruptError), Interrupts(deaf=deaf):
        body(steps)
    return steps


@pytest.mark.usefixtures("handler")
def test_an_interruption_waits_until_the_reply_is_read() -> None:
    def body(steps: Steps) -> None:
        ctrl_c()
        steps.append("read")

    assert interrupted(body) == ["read"]


@pytest.mark.usefixtures("handler")
def test_an_interruption_comes_at_once_while_nothing_has_been_read() -> None:
    def body(steps: Steps) -> None:
        with Interrupts.open():
            steps.append("waits")
            ctrl_c()
            steps.append("read")

    assert interrupted(body) == ["waits"]


@pytest.mark.usefixtures("handler")
def test_an_interruption_before_the_wait_ends_it_before_it_begins() -> None:
    def body(steps: Steps) -> None:
        ctrl_c()
        steps.append("sent")
        with Interrupts.open():
            steps.append("waits")

    assert interrupted(body) == ["sent"]


@pytest.mark.usefixtures("handler")
def test_after_the_wait_it_is_held_back_again() -> None:
    def body(steps: Steps) -> None:
        with Interrupts.open():
            pass
        ctrl_c()
        steps.append("read")

    assert interrupted(body) == ["read"]


@pytest.mark.usefixtures("handler")
def test_whoever_is_deaf_hears_it_on_leaving() -> None:
    def body(steps: Steps) -> None:
        ctrl_c()
        with Interrupts.open():
            ctrl_c()
            steps.append("still waiting")
        steps.append("read")

    assert interrupted(body, deaf=True) == ["still waiting", "read"]


@pytest.mark.usefixtures("handler")
def test_one_inside_another_is_a_part_of_it() -> None:
    """Heard while the inner one waits, and not when it alone is left."""

    def body(steps: Steps) -> None:
        with Interrupts():
            ctrl_c()
            steps.append("read")
        steps.append("kept")
        with Interrupts(), Interrupts.open():
            steps.append("waits")

    assert interrupted(body) == ["read", "kept"]


@pytest.mark.usefixtures("handler")
def test_a_deaf_one_inside_another_is_deaf_alone() -> None:
    def body(steps: Steps) -> None:
        with Interrupts(deaf=True):
            with Interrupts.open():
                ctrl_c()
            steps.append("given back")
        steps.append("kept")
        with Interrupts.open():
            steps.append("waits")

    assert interrupted(body) == ["given back", "kept"]


@pytest.mark.usefixtures("handler")
def test_a_wait_inside_the_wait_of_another() -> None:
    """As of a signal's handler that sends a command."""

    def body(steps: Steps) -> None:
        with Interrupts.open():
            with Interrupts(), Interrupts.open():
                pass
            steps.append("waits")
            ctrl_c()
            steps.append("waits on")

    assert interrupted(body) == ["waits"]


def test_an_interruption_just_when_it_is_left(
    handler: Callable[[int, FrameType | None], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is left all the same: the next one is no part of it."""
    real = signal.signal

    def restore(number: int, action: Any) -> None:
        real(number, action)
        if action is handler:
            ctrl_c()

    signals = SimpleNamespace(signal=restore, getsignal=signal.getsignal)
    monkeypatch.setattr(interrupts, "_signal", signals)
    with pytest.raises(InterruptError), Interrupts():
        pass
    assert Interrupts.active is None


@pytest.mark.usefixtures("handler")
def test_who_sleeps_hears_it() -> None:
    def body(steps: Steps) -> None:
        ctrl_c()
        sleep(LONG)
        steps.append("slept")

    assert interrupted(body) == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # threads and fork, since 3.12
def test_a_child_that_another_thread_has_forked(handler: Any) -> None:
    """The main thread, which would leave it, is the parent's."""
    codes: list[int] = []

    def fork() -> None:
        child = os.fork()
        if child == 0:
            os._exit(Interrupts.active is None and signal.getsignal(signal.SIGINT) is handler)
        codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))

    with Interrupts(), Interrupts(deaf=True):
        thread = threading.Thread(target=fork)
        thread.start()
        thread.join()
        assert Interrupts.active is not None
    assert codes == [1]


def test_two_interruptions_are_heard_as_one(
    handler: Callable[[int, FrameType | None], Any],
) -> None:
    heard: list[int] = []
    signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
    with Interrupts():
        ctrl_c()
        ctrl_c()
        assert not heard
    assert heard == [signal.SIGINT]
    signal.signal(signal.SIGINT, handler)


@pytest.mark.usefixtures("handler")
def test_an_error_inside_is_the_context_of_the_interruption() -> None:
    def body() -> None:
        with Interrupts():
            ctrl_c()
            raise LookupError("lost")

    with pytest.raises(InterruptError) as caught:
        body()
    assert isinstance(caught.value.__context__, LookupError)


def test_without_an_interruption_nothing_happens(
    handler: Callable[[int, FrameType | None], Any],
) -> None:
    with Interrupts():
        assert signal.getsignal(signal.SIGINT) is not handler
        with Interrupts.open():
            pass
    with pytest.raises(LookupError), Interrupts():
        raise LookupError


def test_pythons_own_handler_raises_keyboard_interrupt() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt), Interrupts():
            ctrl_c()
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("action", [signal.SIG_IGN, signal.SIG_DFL])
def test_a_signal_that_python_does_not_handle_is_left_alone(action: signal.Handlers) -> None:
    before = signal.signal(signal.SIGINT, action)
    try:
        with Interrupts(), Interrupts.open():
            assert signal.getsignal(signal.SIGINT) is action
            assert Interrupts.active is None
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("handler")
def test_another_thread_leaves_the_signal_alone() -> None:
    """Signals are the main thread's, so a pop elsewhere cannot be interrupted by one."""
    seen = []

    def pop() -> None:
        with Interrupts(), Interrupts.open():
            seen.append(Interrupts.active)

    thread = threading.Thread(target=pop)
    thread.start()
    thread.join(LONG)
    assert seen == [None]


@pytest.mark.usefixtures("handler")
def test_another_threads_wait_does_not_open_the_door() -> None:
    """The main thread reads a reply while a thread waits for its own."""
    waits, go_on = threading.Event(), threading.Event()

    def wait() -> None:
        with Interrupts.open():
            waits.set()
            go_on.wait(LONG)

    def body(steps: Steps) -> None:
        thread = threading.Thread(target=wait)
        thread.start()
        assert waits.wait(LONG)
        ctrl_c()
        steps.append("read")
        go_on.set()
        thread.join(LONG)

    assert interrupted(body) == ["read"]


async def test_the_asynchronous_twin_does_nothing() -> None:
    before = signal.getsignal(signal.SIGINT)
    async with AsyncInterrupts(deaf=True) as inside:
        assert isinstance(inside, AsyncInterrupts)
        assert signal.getsignal(signal.SIGINT) is before
