"""Ctrl-C and SIGTERM as requests to end a command in order."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = ["INTERRUPTED", "stopped_by_signals"]

INTERRUPTED = 130
"""The exit code of a command that Ctrl-C or SIGTERM has ended."""


@contextmanager
def stopped_by_signals(stop: Callable[[], None]) -> Iterator[None]:
    """Call a function at SIGINT and SIGTERM; a second SIGINT raises KeyboardInterrupt."""

    def handle(_number: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        stop()

    before = {each: signal.signal(each, handle) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
