r"""The commands that a server executed, as MONITOR printed them.

MONITOR prints one line per command: ``1339518083.107412 [0 127.0.0.1:60866] "rpush" "k" "\xff"``,
with ``lua`` in place of the address for a command that a script called. Rule: arguments
are the exact bytes that were sent.
"""

import re
import socket
import uuid
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self

_LINE = re.compile(rb'\+(\d+\.\d+) \[(\d+) (.*?)\] (".*")\r\n', re.DOTALL)
_ARGUMENT = re.compile(rb'"([^"\\]*(?:\\.[^"\\]*)*)"', re.DOTALL)
_ESCAPE = re.compile(rb"\\(x[0-9a-f]{2}|.)", re.DOTALL)
_LETTERS = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"a": b"\a", b"b": b"\b"}


class HasPort(Protocol):
    """A server on 127.0.0.1."""

    port: int


@dataclass(frozen=True, slots=True)
class Executed:
    """One command that the server executed."""

    arguments: tuple[bytes, ...]
    """The command's name as it was sent, and its arguments."""
    source: str
    """``lua``, or the address of the client."""
    database: int = 0
    seconds: float = 0.0
    """The server's clock, in epoch seconds."""

    @property
    def by_script(self) -> bool:
        """Whether a script called it."""
        return self.source == "lua"

    @property
    def name(self) -> str:
        """The command, in capitals."""
        return self.arguments[0].decode().upper()


def parse_line(line: bytes) -> Executed:
    r"""Parse one line of MONITOR, from its ``+`` to its ``\r\n``."""
    found = _LINE.fullmatch(line)
    if found is None:
        raise ValueError(f"not a line of MONITOR: {line!r}")
    seconds, database, source, rest = found.groups()
    arguments = tuple(_unescape(quoted) for quoted in _ARGUMENT.findall(rest))
    return Executed(arguments, source.decode(), int(database), float(seconds))


def scripts(commands: list[Executed]) -> list[tuple[Executed, list[Executed]]]:
    """Pair each command of a client with the commands that its script called, in order."""
    grouped: list[tuple[Executed, list[Executed]]] = []
    for command in commands:
        if not command.by_script:
            grouped.append((command, []))
        elif grouped:
            grouped[-1][1].append(command)
    return grouped


class Monitor:
    """Records what ``server`` executes inside the ``with``; ``commands`` is set when it ends.

    ``commands`` has every command that was executed before the end. A command of the monitor marks
    the end and is not included. Recording slows the server down: record short blocks only.

    >>> with Monitor(server) as monitor:
    ...     client.rpush("k", b"v")
    >>> [command.arguments for command in monitor.commands]
    [(b'RPUSH', b'k', b'v')]
    """

    def __init__(self, server: HasPort) -> None:
        self.commands: list[Executed] = []
        """In the order in which the server executed them."""
        self._port = server.port

    def start(self) -> None:
        """Start to record the commands that are executed from now on."""
        self._connection = _connect(self._port)
        self._stream = self._connection.makefile("rb")
        self._connection.sendall(b"MONITOR\r\n")
        if (answer := self._stream.readline()) != b"+OK\r\n":
            raise RuntimeError(f"MONITOR refused: {answer!r}")

    def stop(self) -> list[Executed]:
        """End the recording and return ``commands``."""
        mark = uuid.uuid4().hex.encode()
        with self._connection, self._stream, _connect(self._port) as other:
            other.sendall(b"ECHO " + mark + b"\r\n")
            for line in self._stream:
                command = parse_line(line)
                if command.arguments[1:] == (mark,):
                    break
                self.commands.append(command)
        return self.commands

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()


def _connect(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=10)


def _unescape(quoted: bytes) -> bytes:
    def replace(match: re.Match[bytes]) -> bytes:
        escape = match[1]
        if len(escape) == 3:
            return bytes([int(escape[1:], 16)])
        return _LETTERS.get(escape, escape)

    return _ESCAPE.sub(replace, quoted)
