"""The line protocol of the peer: connections, replies, errors.

Rule: a connection carries one request at a time, so each waiting caller has its own; free
connections are used again.
"""

import itertools
import json
import socket
import threading
from dataclasses import dataclass
from typing import Any

from interop.peer.values import Java

TIMEOUT = 60.0
"""Seconds that a reply may take unless the caller sets another time."""


class JavaError(Exception):
    """The Java side threw an exception.

    ``java_class`` is the exception's class name, ``message`` its message (or None), ``causes`` the
    same pairs for its causes, ``trace`` its innermost frames.
    """

    def __init__(self, error: dict[str, Any]) -> None:
        self.java_class: str = error["class"]
        self.message: str | None = error["message"]
        self.causes = [(cause["class"], cause["message"]) for cause in error["causes"]]
        self.trace: list[str] = error.get("trace", [])
        super().__init__(f"{self.java_class}: {self.message}")

    @property
    def simple_name(self) -> str:
        """The class name without its package."""
        return self.java_class.rpartition(".")[2]


@dataclass(frozen=True)
class Reply:
    """A reply: a typed value of a call, or plain JSON of other commands."""

    json: dict[str, Any]

    @property
    def value(self) -> Java:
        """The value that the method returned."""
        return Java.from_json(self.json["ok"])

    @property
    def out(self) -> Java:
        """The elements that the method put into its ``sink`` argument."""
        return Java.from_json(self.json["out"])

    @property
    def result(self) -> Any:
        """The answer to a command that calls no method."""
        return self.json["result"]

    @property
    def ms(self) -> float:
        """Milliseconds that the Java side took."""
        return float(self.json["ms"])


class _Connection:
    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._file = self._socket.makefile("rb")

    def send(self, request: dict[str, Any]) -> None:
        self._socket.sendall(json.dumps(request).encode() + b"\n")

    def receive(self, timeout: float) -> Reply:
        self._socket.settimeout(timeout)
        line = self._file.readline()
        if not line:
            raise ConnectionError("the Java peer has closed the connection")
        return Reply(json.loads(line))

    def close(self) -> None:
        self._file.close()
        self._socket.close()


class Pending:
    """A request whose reply is still to come: a take that waits, a long drain."""

    def __init__(self, wire: "Wire", connection: _Connection, request: dict[str, Any]) -> None:
        self._wire = wire
        self._connection = connection
        self.request = request

    def result(self, timeout: float = TIMEOUT) -> Reply:
        """Return the reply, once; raise JavaError, or TimeoutError after ``timeout`` seconds."""
        try:
            reply = self._connection.receive(timeout)
        except BaseException:
            self._wire.drop(self._connection)
            raise
        self._wire.free(self._connection)
        if "error" in reply.json:
            raise JavaError(reply.json["error"])
        return reply

    def interrupt(self) -> None:
        """Interrupt the Java thread that works on it; the reply is then its error."""
        self._wire.request({"cmd": "interrupt", "which": self.request["id"]})


class Wire:
    """All connections to one peer; may be used from any thread."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._all: set[_Connection] = set()
        self._free: list[_Connection] = []
        self._lock = threading.Lock()
        self._ids = itertools.count(1)

    def send(self, request: dict[str, Any]) -> Pending:
        """Send ``request`` and do not wait."""
        request = {"id": next(self._ids)} | request
        connection = self._take()
        try:
            connection.send(request)
        except BaseException:
            self.drop(connection)
            raise
        return Pending(self, connection, request)

    def _take(self) -> _Connection:
        with self._lock:
            if self._free:
                return self._free.pop()
        connection = _Connection(self._port)
        with self._lock:
            self._all.add(connection)
        return connection

    def request(self, request: dict[str, Any], timeout: float = TIMEOUT) -> Reply:
        """Send ``request`` and wait for its reply."""
        return self.send(request).result(timeout)

    def free(self, connection: _Connection) -> None:
        """Take back a connection whose reply was read."""
        with self._lock:
            self._free.append(connection)

    def drop(self, connection: _Connection) -> None:
        """Close a connection whose reply will not be read."""
        with self._lock:
            self._all.discard(connection)
        connection.close()

    def close(self) -> None:
        """Close all connections, also those of requests whose reply was never read."""
        with self._lock:
            for connection in self._all:
                connection.close()
            self._all.clear()
            self._free.clear()
