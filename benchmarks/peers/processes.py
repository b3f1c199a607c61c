"""The processes of one peer: its workers, and the producer, which reads its orders.

Rule: each leads a group of its own, which is killed as a whole. What they leave in Redis is
flushed, so nothing has to end in order.
"""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.peers.client import Answer, Order
from benchmarks.peers.contestants import ROOT, Peer, Setting
from pyredisson._support import die_with_parent

START = 30.0
"""Seconds within which a worker must receive its first task, or it has failed."""
LOOK = 0.02
"""Seconds between two reads of the received tasks; no other process waits for that file."""


class FailedError(Exception):
    """A peer cannot be measured; the log may say why."""


class Producer:
    """The process that offers; it reads its orders from stdin."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.version = self._line().strip()

    def _line(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise FailedError("the producer has ended")
        return line

    def offer(self, order: Order) -> Answer:
        """Offer the tasks of an order; return when they are due and what that cost."""
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # then it has no answer either
            self._process.stdin.write(json.dumps(asdict(order)) + "\n")
            self._process.stdin.flush()
        return Answer(**json.loads(self._line()))


class Stage:
    """Runs one peer: its programs, the log, and the file to which its workers append."""

    def __init__(self, peer: Peer, url: str, directory: Path) -> None:
        self._peer = peer
        self._url = url
        self._log = directory / "log"
        self._file = directory / "received"

    @contextlib.contextmanager
    def _process(self, command: str, more: dict[str, str], **streams: Any) -> Iterator[Any]:
        program, *words = shlex.split(command.format(url=self._url))
        path = self._peer.scripts / program
        variables = {
            "PYTHONPATH": str(ROOT),
            "PEERS_URL": self._url,
            "PEERS_RECEIVED": str(self._file),
        }
        process = subprocess.Popen(
            [sys.executable, "-IS", die_with_parent.__file__, str(os.getpid()), str(path), *words],
            cwd=ROOT,
            env={**os.environ, **variables, **more},
            start_new_session=True,
            text=True,
            **streams,
        )
        try:
            yield process
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate(timeout=10)

    @contextlib.contextmanager
    def producer(self) -> Iterator[Producer]:
        """Run the producer."""
        command = f"python -m benchmarks.peers.client {self._peer.name}"
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        with self._log.open("a") as log, self._process(command, {}, **pipes, stderr=log) as process:
            yield Producer(process)

    @contextlib.contextmanager
    def workers(self, setting: Setting) -> Iterator[None]:
        """Run the workers; the block begins when one of them has received a task."""
        self._file.unlink(missing_ok=True)
        with contextlib.ExitStack() as stack:
            log = stack.enter_context(self._log.open("w"))
            streams = {"stdin": subprocess.DEVNULL, "stdout": log, "stderr": log}
            more = dict(setting.environment)
            running = [
                stack.enter_context(self._process(command, more, **streams))
                for command in setting.commands
            ]
            until = time.time() + START
            while not self.received(1, time.time() + LOOK):
                if any(process.poll() is not None for process in running) or time.time() > until:
                    raise FailedError(f"received nothing within {START:g} s, or has ended")
            yield

    def log_end(self) -> str:
        """Return the last lines that the processes wrote."""
        log = self._log.read_text(errors="replace") if self._log.exists() else ""
        return "\n".join(log.splitlines()[-5:])

    def received(self, wanted: int, until: float) -> list[tuple[int, float]]:
        """Wait for `wanted` different tasks, or until a time; return each run's number and time."""
        lines: list[bytes] = []
        while True:
            with contextlib.suppress(FileNotFoundError):
                lines = self._file.read_bytes().splitlines()
            if len(lines) >= wanted or time.time() > until:
                runs = [line.split() for line in lines]
                found = [(int(number), float(moment)) for number, moment in runs]
                if len({number for number, _ in found}) >= wanted or time.time() > until:
                    return found
            time.sleep(LOOK)
