"""Ctrl-C during the steps of `Interrupts` itself; the next call still defers Ctrl-C."""

import signal
from collections.abc import Callable
from typing import Any

import pytest

from pyredisson._runtime import interrupts
from pyredisson._runtime.interrupts import Interrupts


class Pressed:
    """The module `_signal`, with a Ctrl-C before or after each change of the handler."""

    def __init__(self, *, before: bool) -> None:
        self._before = before
        self.getsignal = signal.getsignal

    def signal(self, number: int, handler: Callable[..., Any]) -> None:
        if self._before:
            signal.raise_signal(signal.SIGINT)
        signal.signal(number, handler)
        if not self._before:
            signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize("before", [True, False])
def test_ctrl_c_beside_a_change_of_the_handler(
    monkeypatch: pytest.MonkeyPatch, *, before: bool
) -> None:
    monkeypatch.setattr(interrupts, "_signal", Pressed(before=before))
    handler = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt), Interrupts():
        pass
    monkeypatch.undo()
    assert Interrupts.active is None
    assert signal.getsignal(signal.SIGINT) is handler


def test_ctrl_c_is_deferred_to_the_end() -> None:
    done = []

    def body() -> None:
        with Interrupts():
            signal.raise_signal(signal.SIGINT)
            done.append("to its end")

    with pytest.raises(KeyboardInterrupt):
        body()
    assert done == ["to its end"]
