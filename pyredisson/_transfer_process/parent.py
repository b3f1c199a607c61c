"""Runs the transfer tasks of one client in a child process, so that other work cannot delay them.

A thread that computes holds the GIL for 5 ms at a time, and a callback of an event loop blocks all
others. A transfer task in the same process would be late. The child gets its commands on its
standard input, and exits after this input has ended. It therefore ends with this process, also if
this process is killed. But processes that were forked from this one meanwhile keep the input open:
the child ends after the last of them. The rule: the child is stateless. If it ends for any reason,
this module starts another one.
"""

from __future__ import annotations

import contextlib
import logging
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pyredisson._runtime.concurrency import monotonic
from pyredisson._runtime.shared import Shared
from pyredisson._transport.portable import portable
from pyredisson.protocol.kernel.backoff import Pauses
from pyredisson.protocol.kernel.names import QueueNames
from pyredisson.protocol.kernel.outage import Outages
from pyredisson.stats import MAX_LAG, TransferHealth, TransferStats

__all__ = ["TransferProcess"]

log = logging.getLogger("pyredisson")

_FRESH = 1.0
"""Seconds for which a report of the child counts as recent."""
_BOOT = """import pickle, sys
sys.path[:] = pickle.load(sys.stdin.buffer)
from pyredisson._transfer_process.child import main
main()"""


class TransferProcess:
    """Starts the child when the first queue is added, and sends it the names of the queues.

    Args:
        client: a sync or async redis-py client; only its settings are read.
        hook: calls one of the user's hooks by its name; None if there are none.
        safety_interval: as for `Redisson`; in seconds.
        response_timeout: as for `Redisson`; in seconds.
        due_times: as for `Redisson`.

    Raises:
        TypeError: another process cannot be started, or cannot have this client's settings.
    """

    def __init__(
        self,
        client: Any,
        hook: Callable[..., None] | None = None,
        *,
        safety_interval: float,
        response_timeout: float,
        due_times: bool,
    ) -> None:
        if getattr(sys, "frozen", False) or not sys.executable:
            raise TypeError(
                f"transfer_process=True: {sys.executable or 'this program'!r} is no Python "
                "interpreter that can be started; run `pyredisson transfer` instead"
            )
        self._hook = hook
        self._settings = {
            "client": portable(client),
            "options": {
                "safety_interval": safety_interval,
                "response_timeout": response_timeout,
                "due_times": due_times,
            },
            "hooks": hook is not None,
        }
        self._queues: Shared[str, str] = Shared()
        self._reset()

    def _reset(self) -> None:
        """Set the state without a process; a forked child does not use its parent's process."""
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self._sending = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread: threading.Thread | None = None
        self._closing = threading.Event()
        self._stats: list[TransferStats] = []
        self._health: dict[str, TransferHealth] = {}
        self._stats_at = 0.0
        self._asked = False
        self._answered = False

    def ensure_running(self) -> None:
        """Start the process if there are queues and it does not run; also in a forked child."""
        if self._pid != os.getpid():
            self._reset()
        with self._lock:
            if self._thread is None and self._queues.things and not self._closing.is_set():
                name = "pyredisson transfer process"
                self._thread = threading.Thread(target=self._supervise, name=name, daemon=True)
                self._thread.start()

    # -------------------------------------------------------------- queues

    def acquire(self, names: QueueNames) -> None:
        """Add a user of a queue; after the first one, the process transfers its due items."""
        _, first = self._queues.acquire(names.name, lambda: names.name)
        self.ensure_running()
        if first:
            self._send(("acquire", names.name))

    def release(self, names: QueueNames) -> None:
        """Remove a user of a queue; after the last one, its items are no longer transferred."""
        self.ensure_running()
        if self._queues.release(names.name) is not None:
            self._send(("release", names.name))

    def announced(self, names: QueueNames, due_ms: int) -> None:
        """Do nothing: the process receives the notification of an offer from Redis."""

    def watch(self, names: QueueNames, wake: Callable[[], None]) -> None:
        """Do nothing: this process is not notified of what the child transfers."""

    def unwatch(self, names: QueueNames, wake: Callable[[], None]) -> None:
        """Do nothing; see `watch`."""

    def __len__(self) -> int:
        """Return the number of queues."""
        return len(self._queues.things)

    def stats(self) -> list[TransferStats]:
        """Return the last statistics that the process has sent, and request new ones.

        Do not wait for an answer, and start no process. Return [] in a forked child that has not
        started its own.
        """
        if self._pid != os.getpid():
            return []
        found, ago = self._stats, monotonic() - self._stats_at
        self._request()
        return [
            replace(each, handles=self._queues.users(each.queue), seconds_since_success=success)
            for each in found
            if each.queue in self._queues.things
            for last in [each.seconds_since_success]
            for success in [None if last is None else last + ago]
        ]

    def _request(self) -> None:
        """Request a report, unless a requested report has not come yet."""
        if not self._asked:
            self._asked = True  # before an answer can arrive
            if not self._send(("stats", "")):
                self._asked = False

    def reported(self) -> bool:
        """Return whether the last report is recent and has all queues; else request another.

        Without queues, return True.
        """
        if self._pid != os.getpid():
            self.ensure_running()
        queues = set(self._queues.things)
        if monotonic() - self._stats_at < _FRESH and queues <= set(self._health):
            return True
        self._request()
        return not queues

    def health(self) -> dict[str, TransferHealth]:
        """Return the last reported health of each queue.

        No transfer task counts as running if the last report came more than `MAX_LAG` seconds ago,
        or if the process does not run.
        """
        ago = monotonic() - self._stats_at
        lives = self._process is not None and ago <= MAX_LAG
        found = {}
        for name in list(self._queues.things):
            last = self._health.get(name)
            if last is None:
                found[name] = TransferHealth(running=False, lag=0.0)
            else:
                lag = last.lag if ago < _FRESH else last.lag + ago
                found[name] = TransferHealth(lives and last.running, lag)
        return found

    # -------------------------------------------------------------- the process

    def _supervise(self) -> None:
        """Keep a process running until `close`."""
        backoff, outages = Pauses(first=0.1, longest=10.0), Outages()
        while not self._closing.is_set():
            self._answered = False
            try:
                end: object = f"exited with code {self._run()}"
            except OSError as error:
                end = f"cannot be started: {error}"
            if self._closing.is_set():
                return
            if self._answered:  # the process has worked, so this is a new outage
                outages, backoff = Outages(), Pauses(first=0.1, longest=10.0)
            level = logging.WARNING if outages.begins("", monotonic()) else logging.DEBUG
            log.log(level, "the transfer process %s; due items wait until another one runs", end)
            self._closing.wait(backoff.pause())

    def _run(self) -> int:
        with subprocess.Popen(  # noqa: S603 - this Python interpreter
            [sys.executable, "-c", _BOOT],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # so that Ctrl-C reaches the parent only
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),  # same on Windows
        ) as process:
            with self._lock:
                more = {"queues": list(self._queues.things), "level": log.getEffectiveLevel()}
                self._write(process, sys.path)
                self._write(process, self._settings | more)
                self._process = process
            if self._closing.is_set():  # `close` has not seen this process
                self._close_input(process)
            self._stats, self._health, self._asked = [], {}, False
            answers: Any = process.stdout
            with contextlib.suppress(EOFError, pickle.UnpicklingError):
                while True:
                    self._receive(*pickle.load(answers))  # noqa: S301 - from the child
            self._process = None
            if process.stdin is not None:
                with contextlib.suppress(OSError):  # the process has not read everything
                    process.stdin.close()
            return process.wait()

    def _send(self, words: Any) -> bool:
        """Send to the process, if one runs; a new one gets all queues when it starts."""
        return self._process is not None and self._write(self._process, words)

    def _write(self, process: subprocess.Popen[bytes], words: Any) -> bool:
        if process.stdin is None:
            return False
        try:
            with self._sending:
                process.stdin.write(pickle.dumps(words))
                process.stdin.flush()
        except (OSError, ValueError):  # the process has ended, or its input is closed
            return False
        return True

    def _receive(self, word: str, value: Any) -> None:
        self._answered = True
        if word == "ready":
            log.debug("the transfer process is running")
        elif word == "stats":
            (self._stats, self._health), self._stats_at, self._asked = value, monotonic(), False
        elif word == "hook":
            if self._hook is not None:
                self._hook(*value)
        else:
            log.handle(logging.makeLogRecord(value))

    def close(self) -> threading.Thread | None:
        """Close the input of the process, so that it exits, and return without waiting.

        Returns:
            The thread that ends after the process. None if the process was never started, or if it
            belongs to the parent of this process.
        """
        if self._pid != os.getpid():
            return None
        self._closing.set()
        if self._process is not None:
            self._close_input(self._process)
        return self._thread

    def _close_input(self, process: subprocess.Popen[bytes]) -> None:
        if process.stdin is not None:
            with self._sending, contextlib.suppress(OSError):
                process.stdin.close()

    def kill(self) -> None:
        """Kill the process, if it runs."""
        if self._process is not None:
            self._process.kill()
