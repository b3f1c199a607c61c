"""Reads keys of a terminal, which is restored at the end, whatever ends the command."""

from __future__ import annotations

import os
import select
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from threading import Event
from typing import Any

__all__ = ["SUSPEND", "Keys", "keys_of_terminal"]

SUSPEND = "\x1a"
"""What `Keys.wait` returns for Ctrl-Z."""


class Keys:
    """Reads keys, one at a time and without an echo."""

    def __init__(self) -> None:
        self._stopped = False
        self._settings: Any = None

    def wait(self, seconds: float) -> str:
        """Return a key, `SUSPEND` for Ctrl-Z, or an empty text after `seconds`."""
        if self._stopped:
            self._stopped = False
            return SUSPEND
        if self._settings is None:
            Event().wait(seconds)
            return ""
        ready, _, _ = select.select([sys.stdin], [], [], seconds)
        return (os.read(sys.stdin.fileno(), 1).decode("latin-1") or "q") if ready else ""

    def begin(self) -> None:
        """Switch off the echo and the wait for a whole line."""
        if sys.stdin.isatty():
            import termios  # noqa: PLC0415 - Windows has none
            import tty  # noqa: PLC0415 - Windows has none

            self._settings = termios.tcgetattr(sys.stdin)
            tty.setcbreak(sys.stdin)

    def restore(self) -> None:
        """Restore the terminal's settings."""
        if self._settings is not None:
            import termios  # noqa: PLC0415 - Windows has none

            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._settings)

    def stop(self, _number: int, _frame: Any) -> None:
        """Note that the shell wants to suspend the command."""
        self._stopped = True

    def suspend(self) -> None:
        """Give the terminal to the shell until it resumes the command."""
        self.restore()
        os.kill(os.getpid(), signal.SIGSTOP)
        self.begin()


def _leave(number: int, _frame: Any) -> None:
    raise SystemExit(128 + number)


@contextmanager
def keys_of_terminal() -> Iterator[Keys]:
    """Give the keys; restore the terminal and the signal handlers at the end of the block."""
    keys = Keys()
    with ExitStack() as stack:
        stack.callback(keys.restore)
        handlers = {"SIGTERM": _leave, "SIGHUP": _leave, "SIGTSTP": keys.stop}
        for name, handler in handlers.items():
            if number := getattr(signal, name, None):
                stack.callback(signal.signal, number, signal.signal(number, handler))
        keys.begin()
        yield keys
