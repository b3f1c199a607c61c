"""How this process is called where somebody looks at the server: its connections, its consumers.

The rule: naming a connection takes no round trip, and a server may refuse it.
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
    """Return the name of this machine, in what Redis allows in the name of a connection."""
    return re.sub(r"[^!-~]", "-", socket.gethostname()) or "localhost"


def connection_name() -> str:
    """Return what a connection of this process is called."""
    return f"pyredisson:{_host()}:{os.getpid()}"


def consumer_namer(given: str | None) -> Callable[[], str]:
    """Return what tells how a consumer is called; by default another name in a forked child.

    Raises:
        TypeError, ValueError: a name that none can have.
    """
    if given is not None:
        from pyredisson.protocol.consumers.in_flight import require_name  # noqa: PLC0415 - seldom

        return partial(str, require_name(given))
    number = next(_numbers)
    return lambda: f"{_host()}:{os.getpid()}:{number}"


def naming_of(connection: Connection) -> bytes:
    """Return what names an open connection; nothing where redis-py has named it.

    Nothing either where redis-py does not tell the server who it is: that is how to use proxies
    that end a connection with such a command.
    """
    driver = getattr(connection, "driver_info", None)
    told = getattr(connection, "lib_name", None) if driver is None else driver.formatted_name
    if connection.client_name or not told:
        return b""
    return packed(("CLIENT", "SETNAME", connection_name()))


class _Naming:
    """Names a connection with the first command that is sent on it, and passes over the reply."""

    def __init__(self, wire: Any) -> None:
        self._wire = wire
        self._line = wire.line
        self._unsent: bytes = wire.naming

    def _with_name(self, data: bytes) -> bytes:
        name, self._unsent = self._unsent, b""
        return name + data

    def put(self, data: bytes) -> None:
        """Begin to send."""
        self._line.put(self._with_name(data))

    def usable(self) -> bool:
        """Tell whether it is idle and still open."""
        return bool(self._line.usable())


class AsyncNamingLine(_Naming):
    """The line of a wire up to the first reply."""

    async def send(self, data: bytes) -> None:
        """Send commands that are packed."""
        await self._line.send(self._with_name(data))

    async def drain(self) -> None:
        """Wait until what was put can be sent."""
        await self._line.drain()

    async def read(self, seconds: float) -> Any:
        """Read one reply."""
        await self._pass_over(self._line.read, seconds)
        return await self._line.read(seconds)

    async def wait(self, seconds: float) -> Any:
        """Read a reply that may take long."""
        await self._pass_over(self._line.wait, seconds)
        return await self._line.wait(seconds)

    async def _pass_over(self, read: Callable[[float], Any], seconds: float) -> None:
        if self._wire.line is self:
            with contextlib.suppress(*ERROR_REPLIES):  # an ACL may refuse it
                await read(seconds)
            self._wire.line = self._line


class NamingLine(_Naming):
    """The line of a wire up to the first reply."""

    def swap(self, data: bytes) -> Any:
        """Send one request and read its reply."""
        self.send(data)
        return self.read(0)

    def ask(self, data: bytes, seconds: float) -> Any:
        """Send one request and read its reply, which may take long."""
        self.send(data)
        return self.wait(seconds)

    def send(self, data: bytes) -> None:
        """Send commands that are packed."""
        self._line.send(self._with_name(data))

    def drain(self) -> None:
        """Nothing to do: it was sent."""

    def read(self, seconds: float) -> Any:
        """Read one reply."""
        self._pass_over(self._line.read, seconds)
        return self._line.read(seconds)

    def wait(self, seconds: float) -> Any:
        """Read a reply that may take long."""
        self._pass_over(self._line.wait, seconds)
        return self._line.wait(seconds)

    def _pass_over(self, read: Callable[[float], Any], seconds: float) -> None:
        if self._wire.line is self:
            with contextlib.suppress(*ERROR_REPLIES):  # an ACL may refuse it
                read(seconds)
            self._wire.line = self._line
