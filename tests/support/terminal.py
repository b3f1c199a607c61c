"""Runs a command on its own terminal, and reads its output."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager

_ESCAPES = re.compile(r"\x1b(\[[0-9;?]*[a-zA-Z]|[()][A-Z0-9])")


class Terminal:
    """A process whose standard streams are a terminal.

    Attributes:
        process: the process.
        printed: all that it has printed so far, with its escape sequences.
    """

    def __init__(self, process: subprocess.Popen[bytes], ours: int, theirs: int) -> None:
        self.process = process
        self._ours, self._theirs = ours, theirs
        self.printed = ""

    def type(self, keys: str) -> None:
        """Type keys."""
        os.write(self._ours, keys.encode())

    def read_until(self, text: str, seconds: float = 30) -> str:
        """Read until a text appears in the new output; return the new output."""
        start, end = len(self.printed), time.monotonic() + seconds
        while text not in _ESCAPES.sub("", self.printed[start:]):
            assert time.monotonic() < end, self.printed[start:]
            self._read(0.1)
        return _ESCAPES.sub("", self.printed[start:])

    def end(self, seconds: float = 30) -> int:
        """Read until the process ends; return its exit code."""
        end = time.monotonic() + seconds
        while self.process.poll() is None:
            assert time.monotonic() < end, self.printed
            self._read(0.1)
        while self._read(0):
            pass
        return self.process.returncode

    def settings(self) -> object:
        """Return the settings of the terminal, such as whether it echoes."""
        return termios.tcgetattr(self._theirs)[:4]

    def _read(self, seconds: float) -> bool:
        if not select.select([self._ours], [], [], seconds)[0]:
            return False
        self.printed += os.read(self._ours, 65536).decode()
        return True


def _take_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # so that Ctrl-C is a signal


@contextmanager
def on_terminal(
    *words: str, columns: int = 80, lines: int = 24, **environ: str
) -> Iterator[Terminal]:
    """Run a command of the shell on a terminal, and kill it at the end of the block."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-m", "pyredisson", *words],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", **environ},
        start_new_session=True,
        preexec_fn=_take_terminal,  # noqa: PLW1509 - it takes no lock
    )
    try:
        yield Terminal(process, ours, theirs)
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        process.wait()
        os.close(ours)
        os.close(theirs)
