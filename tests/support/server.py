"""A real Redis or Valkey server that tests may stop, kill, freeze and restart.

Rule: it is a child of this process, in the foreground, and ends with it
(``_support/die_with_parent.py``).
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import redis
import redis.utils

from pyredisson._support import die_with_parent
from tests.support.ports import free_port
from tests.support.services import server_binary

_CHILD = die_with_parent.__file__

# redis-py reads its version from a file for each client, which takes a millisecond
redis.utils.get_lib_version = cache(redis.utils.get_lib_version)


class ServerError(Exception):
    """The server did not start; the message ends with its log."""


class RedisServer:
    """One server on a free port of 127.0.0.1.

    Nothing is persisted unless ``aof`` is true: then every write is on disk before its reply, and
    ``restart`` restores the data. ``arguments`` are added to the command line, for instance
    ``"--maxmemory", "3mb"``. With ``config`` its lines are written to a file which the server may
    rewrite (Sentinel needs that).

    >>> with RedisServer(aof=True) as server:
    ...     server.client().set("k", "v")
    ...     server.kill()
    ...     server.start()
    """

    def __init__(
        self, *arguments: str, aof: bool = False, config: str | None = None, port: int | None = None
    ) -> None:
        self.binary = server_binary()
        self.arguments = arguments
        self.aof = aof
        self.config = config
        self.environment: dict[str, str] = {}
        """Variables that the server gets in addition to the environment of this process."""
        self._wanted_port = port
        self.port = port or 0
        self.directory = Path(tempfile.mkdtemp(prefix="pyredisson-test-"))
        self._process: subprocess.Popen[bytes] | None = None
        self._clients: list[redis.Redis] = []

    def __repr__(self) -> str:
        state = f"pid {self._process.pid}" if self._process else "stopped"
        return f"<{type(self).__name__} {Path(self.binary).name} port {self.port} {state}>"

    @property
    def url(self) -> str:
        """Address of database 0."""
        return f"redis://127.0.0.1:{self.port}/0"

    @property
    def log(self) -> str:
        """The log of the server."""
        path = self.directory / "log"
        return path.read_text(errors="replace") if path.exists() else ""

    @property
    def is_running(self) -> bool:
        """Whether the server was started and has not ended; a frozen one counts."""
        return self._process is not None

    @property
    def pid(self) -> int:
        """Process id; only while it runs."""
        return self._running().pid

    def client(self, **options: Any) -> redis.Redis:
        """Return a redis-py client that returns bytes; ``close`` closes it."""
        client = redis.Redis(host="127.0.0.1", port=self.port, **options)
        self._clients.append(client)
        return client

    def run(self, *command: str | bytes | float) -> Any:
        """Execute one command on its own connection; the reply is not interpreted."""
        with redis.Redis(port=self.port, protocol=2, socket_timeout=10) as client:
            client.response_callbacks.clear()
            execute: Any = client.execute_command
            return execute(*command)

    def empty(self) -> None:
        """Delete all keys and scripts, without a client: most tests start with this."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as connection:
            connection.sendall(b"FLUSHALL\r\nSCRIPT FLUSH\r\n")
            with connection.makefile("rb") as replies:
                assert [replies.readline() for _ in range(2)] == [b"+OK\r\n"] * 2

    def start(self) -> Self:
        """Start, and return when PING answers; a server that starts again has the same port."""
        if self._process is not None:
            raise RuntimeError(f"{self!r} runs already")
        for _ in range(5):
            chosen = self.port == 0
            if chosen:
                self.port = free_port()
            if self._start_on_port():
                return self
            if not chosen or "in use" not in self.log:
                break
            self.port = 0  # another process has taken the port
        message = f"{self.binary} did not start:\n{self.log}"
        self.close()
        raise ServerError(message)

    def stop(self) -> None:
        """End the server with SIGTERM and wait for its end; with ``aof`` it keeps all data."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """End the server with SIGKILL, as a crash does, and wait for its end."""
        self._end(signal.SIGKILL)

    def restart(self) -> None:
        """``stop`` and ``start``: same port, same directory; without ``aof`` all keys are lost."""
        self.stop()
        self.start()

    def pause(self) -> None:
        """Freeze the server: connections stay, the kernel accepts new ones, nothing answers."""
        self._running().send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Undo ``pause``; the server executes the requests that were sent meanwhile."""
        self._running().send_signal(signal.SIGCONT)

    def close(self) -> None:
        """Stop, close the clients, delete the directory; may be called twice."""
        for client in self._clients:
            client.close()
        self._clients.clear()
        if self._process is not None:
            self.kill()
        shutil.rmtree(self.directory, ignore_errors=True)

    def __enter__(self) -> Self:
        return self if self._process is not None else self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            raise RuntimeError(f"{self!r} does not run")
        return self._process

    def _command(self) -> list[str]:
        command = [self.binary]
        if self.config is not None:
            path = self.directory / "server.conf"
            if not path.exists():  # a rewritten one is kept
                path.write_text(self.config)
            command.append(str(path))
        command += ["--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.directory)]
        if "--sentinel" not in self.arguments:  # it has no data
            command += ["--save", "", "--repl-diskless-sync-delay", "0"]
            command += ["--appendonly", "yes", "--appendfsync", "always"] if self.aof else []
        return command + list(self.arguments)

    def _start_on_port(self) -> bool:
        with (self.directory / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-IS", _CHILD, str(os.getpid()), *self._command()],
                stdin=subprocess.DEVNULL,
                env=os.environ | self.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C is for this process, which ends the server
            )
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline and self._process.poll() is None:
            if _answers(self.port):
                return True
            time.sleep(0.005)
        self.kill()
        return False

    def _end(self, number: signal.Signals) -> None:
        process = self._running()
        process.send_signal(number)
        process.send_signal(signal.SIGCONT)  # a frozen process handles SIGTERM only after SIGCONT
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self._process = None


def _answers(port: int) -> bool:
    """Return whether a server has loaded its data and answers; a missing password counts, too."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1) as connection:
            connection.sendall(b"PING\r\n")
            reply = connection.recv(64)
    except OSError:
        return False
    return reply.startswith((b"+PONG", b"-NOAUTH", b"-NOPERM", b"-DENIED"))
