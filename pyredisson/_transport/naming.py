"""Names this process's connections (in CLIENT LIST) and its consumers.

The rule: naming a connection takes no round trip of its own. If the server rejects the name, the
connection stays usable.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import socket
from collections.abc import Callable
from functools import cache, partial
from typing import Any

from pyredisson._transport.connections import Connection, packed
from pyredisson.server_errors import ERROR_REPLIES

__all__ = ["AsyncNamingLine", "NamingLine", "connection_name", "consumer_namer", "naming_of"]

_numbers = itertools.count(1)


@cache
def _host() -> str:
    """Return this machine's name; "-" replaces characters that a connection name cannot have."""
    return re.sub(r"[^!-~]", "-", socket.gethostname()) or "localhost"


def connection_name() -> str:
    """Return the connection name of this process."""
    return f"pyredisson:{_host()}:{os.getpid()}"


def consumer_namer(given: str | None) -> Callable[[], str]:
    """Return a function that returns a consumer's name.

    Args:
        given: the name, or None for a name from the host, the process ID and a number. A forked
            child has another process ID, so another name.

    Raises:
        TypeError, ValueError: `given` is not a valid name.
    """
    if given is not None:
        from pyredisson.protocol.consumers.in_flight import require_name  # noqa: PLC0415 - rare

        return partial(str, require_name(given))
    number = next(_numbers)
    return lambda: f"{_host()}:{os.getpid()}:{number}"


def naming_of(connection: Connection) -> bytes:
    """Return the request that names an open connection; b"" if redis-py has named it.

    Also return b"" if the user has turned off redis-py's CLIENT SETINFO. Users do this if a proxy
    closes the connection after such a command.
    """
    driver = getattr(connection, "driver_info", None)
    library = getattr(connection, "lib_name", None) if driver is None else driver.formatted_name
    if connection.client_name or not library:
        return b""
    return packed(("CLIENT", "SETNAME", connection_name()))


class _Naming:
    """Sends CLIENT SETNAME with the first command on a connection, and skips its reply."""

    def __init__(self, conn: Any) -> None:
        self._conn = conn
        self._line = conn.line
        self._unsent: bytes = conn.naming

    def _with_name(self, data: bytes) -> bytes:
        name, self._unsent = self._unsent, b""
        return name + data

    def put(self, data: bytes) -> None:
        """Start to send packed commands."""
        self._line.put(self._with_name(data))

    def usable(self) -> bool:
        """Return whether this connection is idle and open."""
        return bool(self._line.usable())


class AsyncNamingLine(_Naming):
    """Is a connection's `line` until the reply to CLIENT SETNAME has been read."""

    async def send(self, data: bytes) -> None:
        """Send packed commands."""
        await self._line.send(self._with_name(data))

    async def drain(self) -> None:
        """Wait until the write buffer has room."""
        await self._line.drain()

    async def read(self, seconds: float) -> Any:
        """Read one reply."""
        await self._skip_reply(self._line.read, seconds)
        return await self._line.read(seconds)

    async def wait(self, seconds: float) -> Any:
        """Read a reply that may take long."""
        await self._skip_reply(self._line.wait, seconds)
        return await self._line.wait(seconds)

    async def _skip_reply(self, read: Callable[[float], Any], seconds: float) -> None:
        if self._conn.line is self:
            with contextlib.suppress(*ERROR_REPLIES):  # an ACL may reject the name
                await read(seconds)
            self._conn.line = self._line


class NamingLine(_Naming):
    """Is a connection's `line` until the reply to CLIENT SETNAME has been read."""

    def swap(self, data: bytes) -> Any:
        """Send one request and read its reply."""
        self.send(data)
        return self.read(0)

    def ask(self, data: bytes, seconds: float) -> Any:
        """Send one request and read its reply, which may take long."""
        self.send(data)
        return self.wait(seconds)

    def send(self, data: bytes) -> None:
        """Send packed commands."""
        self._line.send(self._with_name(data))

    def drain(self) -> None:
        """Do nothing: `send` has sent everything."""

    def read(self, seconds: float) -> Any:
        """Read one reply."""
        self._skip_reply(self._line.read, seconds)
        return self._line.read(seconds)

    def wait(self, seconds: float) -> Any:
        """Read a reply that may take long."""
        self._skip_reply(self._line.wait, seconds)
        return self._line.wait(seconds)

    def _skip_reply(self, read: Callable[[float], Any], seconds: float) -> None:
        if self._conn.line is self:
            with contextlib.suppress(*ERROR_REPLIES):  # an ACL may reject the name
                read(seconds)
            self._conn.line = self._line
