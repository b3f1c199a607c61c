"""`--reload`: runs the same command in a process of its own, again after each change of a file.

The rule: a command that ends by itself, as one with a syntax error, runs again after the next
change. Ctrl-C and SIGTERM end both.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from pyredisson._runtime.concurrency import Event
from pyredisson.cli.signals import stopped_by_signals

__all__ = ["is_reloaded", "run_reloading"]

_INSIDE = "PYREDISSON_RELOADED"
_PAUSE = 0.5
_LEFT_OUT = {"__pycache__", "node_modules", "site-packages"}


def is_reloaded() -> bool:
    """Return whether this process is the one that runs again."""
    return bool(os.environ.get(_INSIDE))


def run_reloading(words: Sequence[str], directories: Sequence[str]) -> int:
    """Run a command until Ctrl-C or SIGTERM, again after each change of a `.py` file.

    Args:
        words: the arguments of the command.
        directories: where the files are, with their subdirectories.

    Returns:
        The exit code of the last run.
    """
    stop, stopped = Event(), list[bool]()

    def ask_to_stop() -> None:
        stopped.append(True)
        stop.set()

    command = [sys.executable, "-m", "pyredisson", *words]
    with stopped_by_signals(ask_to_stop):
        code = 0
        while not stopped:
            before = _times(directories)
            process = subprocess.Popen(command, env={**os.environ, _INSIDE: "1"})  # noqa: S603 - our own command
            while not stopped and _times(directories) == before:
                stop.wait(_PAUSE)
            if process.poll() is None:
                process.terminate()
            code = process.wait()
            if not stopped:
                print("pyredisson: a file has changed: the worker starts again", file=sys.stderr)
        return max(code, 0)


def _times(directories: Sequence[str]) -> dict[str, float]:
    found = dict[str, float]()
    for directory in directories:
        for place, below, files in os.walk(directory):
            below[:] = [each for each in below if each not in _LEFT_OUT and each[0] != "."]
            for name in files:
                if name.endswith(".py"):
                    path = Path(place, name)
                    try:
                        found[str(path)] = path.stat().st_mtime
                    except OSError:  # it is being replaced
                        continue
    return found
