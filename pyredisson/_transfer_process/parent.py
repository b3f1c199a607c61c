"""The transfer tasks of one client in a process of their own, whatever else this one computes.

A thread that computes keeps the GIL for 5 ms at a time, and what an event loop does stops all
else in it; a transfer task beside either is late. The process is ours: it has its orders by its
standard input and ends when that ends, so it never outlives us. The rule: it is stateless; one
that ended, for whatever reason, is followed by another one.
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
from pyredisson._transport.portable import portable
from pyredisson.protocol.kernel.backoff import Backoff
from pyredisson.protocol.kernel.names import QueueNames
from pyredisson.protocol.kernel.outage import Outages
from pyredisson.stats import TransferStats

__all__ = ["TransferProcess"]

log = logging.getLogger("pyredisson")

_BOOT = """import pickle, sys
sys.path[:] = pickle.load(sys.stdin.buffer)
from pyredisson._transfer_process.child import main
main()"""


class TransferProcess:
    """Starts the process with the first queue, and tells it which queues there are.

    Args:
        client: a redis-py client of either world, read for its settings.
        hook: calls a hook of ours by its name, where there are any.
        options: what the process's own `Redisson` is made with.

    Raises:
        TypeError: another process could not reach the server as this client does.
    """

    def __init__(
        self, client: Any, hook: Callable[..., None] | None = None, **options: float
    ) -> None:
        if getattr(sys, "frozen", False) or not sys.executable:
            raise TypeError(
                f"transfer_process=True: {sys.executable or 'what runs this program'!r} is no "
                "Python that could be started; run `pyredisson transfer` beside instead"
            )
        self._hook = hook
        self._settings = {
            "client": portable(client),
            "options": options,
            "hooks": hook is not None,
        }
        self._users: dict[str, int] = {}
        self._take_up()

    def _take_up(self) -> None:
        """Begin without a process, at first and in a forked child: its parent's is not its own."""
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self._telling = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread: threading.Thread | None = None
        self._closing = threading.Event()
        self._stats: list[TransferStats] = []
        self._said = 0.0
        self._asked = False
        self._heard = False

    def ensure_running(self) -> None:
        """Start what is not running: at first, and in a forked child."""
        if self._pid != os.getpid():
            self._take_up()
        with self._lock:
            if self._thread is None and self._users and not self._closing.is_set():
                name = "pyredisson transfer process"
                self._thread = threading.Thread(target=self._keep, name=name, daemon=True)
                self._thread.start()

    # -------------------------------------------------------------- queues come and go

    def acquire(self, names: QueueNames) -> None:
        """Count one more user of a queue; the first one has it transferred."""
        with self._lock:
            users = self._users[names.name] = self._users.get(names.name, 0) + 1
        self.ensure_running()
        if users == 1:
            self._tell(("acquire", names.name))

    def release(self, names: QueueNames) -> None:
        """Count one user less; after the last one the queue is transferred no more."""
        self.ensure_running()
        with self._lock:
            users = self._users.get(names.name, 0) - 1
            if users > 0:
                self._users[names.name] = users
                return
            self._users.pop(names.name, None)
        self._tell(("release", names.name))

    def announced(self, names: QueueNames, due_ms: int) -> None:
        """An item was offered here: the process hears of it as everybody does."""

    def watch(self, names: QueueNames, tell: Callable[[], None]) -> None:
        """Nobody here knows what the process moves."""

    def unwatch(self, names: QueueNames, tell: Callable[[], None]) -> None:
        """As `watch`."""

    def __len__(self) -> int:
        """Return how many queues there are."""
        return len(self._users)

    def stats(self) -> list[TransferStats]:
        """Return what the process has said last, and ask it for what it has done since.

        It waits for nothing and starts nothing.
        """
        if self._pid != os.getpid():
            return []
        found, ago = self._stats, monotonic() - self._said
        if not self._asked:
            self._asked = self._tell(("stats", ""))
        return [
            replace(each, handles=self._users[each.queue], seconds_since_success=success)
            for each in found
            if each.queue in self._users
            for last in [each.seconds_since_success]
            for success in [None if last is None else last + ago]
        ]

    # -------------------------------------------------------------- the process

    def _keep(self) -> None:
        """Keep a process running until `close`."""
        backoff, outages = Backoff(first=0.1, longest=10.0), Outages()
        while not self._closing.is_set():
            self._heard = False
            try:
                end: object = f"has ended with {self._run()}"
            except OSError as error:
                end = f"cannot be started: {error}"
            if self._closing.is_set():
                return
            if self._heard:  # it has worked: this is another outage
                outages, backoff = Outages(), Backoff(first=0.1, longest=10.0)
            level = logging.WARNING if outages.begins("", monotonic()) else logging.DEBUG
            log.log(level, "the process that transfers %s; what is due waits for another one", end)
            self._closing.wait(backoff.pause())

    def _run(self) -> int:
        with subprocess.Popen(  # noqa: S603 - this very Python
            [sys.executable, "-c", _BOOT],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for us
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),  # on Windows, too
        ) as process:
            with self._lock:
                more = {"queues": list(self._users), "level": log.getEffectiveLevel()}
                self._send(process, sys.path)
                self._send(process, self._settings | more)
                self._process = process
            if self._closing.is_set():  # it was not there yet to be told
                self._end_orders(process)
            self._stats, self._asked = [], False
            answers: Any = process.stdout
            with contextlib.suppress(EOFError, pickle.UnpicklingError):
                while True:
                    self._hear(*pickle.load(answers))  # noqa: S301 - from whom we started
            self._process = None
            if process.stdin is not None:
                with contextlib.suppress(OSError):  # what it has not read
                    process.stdin.close()
            return process.wait()

    def _tell(self, words: Any) -> bool:
        """Send to the process that runs, if any; another one will be told all anyway."""
        return self._process is not None and self._send(self._process, words)

    def _send(self, process: subprocess.Popen[bytes], words: Any) -> bool:
        if process.stdin is None:
            return False
        try:
            with self._telling:
                process.stdin.write(pickle.dumps(words))
                process.stdin.flush()
        except (OSError, ValueError):  # it has ended, or been told to
            return False
        return True

    def _hear(self, word: str, value: Any) -> None:
        self._heard = True
        if word == "ready":
            log.debug("the process that transfers is there")
        elif word == "stats":
            self._stats, self._said, self._asked = value, monotonic(), False
        elif word == "hook":
            if self._hook is not None:
                self._hook(*value)
        else:
            log.handle(logging.makeLogRecord(value))

    def close(self) -> threading.Thread | None:
        """Let the process end; the thread that ends after it, if there is one."""
        if self._pid != os.getpid():
            return None
        self._closing.set()
        if self._process is not None:
            self._end_orders(self._process)
        return self._thread

    def _end_orders(self, process: subprocess.Popen[bytes]) -> None:
        if process.stdin is not None:
            with self._telling, contextlib.suppress(OSError):
                process.stdin.close()

    def kill(self) -> None:
        """End a process that does not end by itself."""
        if self._process is not None:
            self._process.kill()
