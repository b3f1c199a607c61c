"""One connection of redis-py, below its clients.

Why below: redis-py's clients send a command again when its reply was lost
(twice the offer, or a lost pop), cut long blocking reads at their own timeout,
and decode replies as the injected client was told to.  A connection does
nothing of this.  Connections are made with the injected client's class and
settings (address, TLS, credentials), so nothing is configured twice.
"""

from __future__ import annotations

from typing import Any

from pyredisson._async.link.lifetime import AsyncLifetime
from pyredisson._runtime.concurrency import process, surroundings_async
from pyredisson._transport.connections import (
    Connection,
    abort_async,
    connect_async,
    disconnect_async,
    packed,
)
from pyredisson._transport.direct_io import line_async
from pyredisson._transport.naming import AsyncNamingLine, naming_of
from pyredisson._transport.settings import REST
from pyredisson.protocol.kernel.command import Arg
from pyredisson.protocol.kernel.run_id import ASK, run_id
from pyredisson.server_errors import ReplyError


class AsyncServerConnection:
    """A connection that sends words and reads raw replies."""

    __slots__ = (
        *("__weakref__", "_asked", "_life", "_timeout", "channel", "client_id", "connection"),
        *("here", "line", "naming", "process", "rest", "run", "used", "waits"),
    )

    def __init__(self, connection: Connection, timeout: float, life: AsyncLifetime) -> None:
        self.connection = connection
        self._timeout = timeout
        self._life = life
        self.here: object = None
        """Where it was opened."""
        self.channel: Any = None
        """What reads and writes it in redis-py's place, where callers share it."""
        self._asked = False
        self.client_id: int | None = None
        self.run: bytes | None = None
        """The server's process, where it was asked for and says so."""
        self.process = process()
        self.used = 0.0
        """When it was given back after a reply, in monotonic seconds."""
        self.rest = REST
        """Seconds after which it has rested so long that it may be closed without a sign."""
        self.waits: Any = None
        """The exchange by which a thread waits on it, made once."""

    async def connect(self, seconds: float | None = None) -> None:
        """Open the connection, within so many seconds, or the response timeout.

        Raises:
            ClosedError: the client is closed, or was meanwhile.
        """
        self.here = surroundings_async()
        self._life.admit(self)
        try:
            await connect_async(self.connection, self._timeout if seconds is None else seconds)
        finally:
            self._life.admit(self)
        self.line: Any = line_async(self.connection, self._timeout)
        self.naming = naming_of(self.connection)
        if self.naming:
            self.line = AsyncNamingLine(self)

    async def send(self, *words: Arg) -> None:
        """Send one command."""
        await self.line.send(packed(words))

    def put(self, data: bytes) -> None:
        """Begin to send commands that are packed."""
        self.line.put(data)

    async def drain(self) -> None:
        """Wait until what was put can be sent; an interruption does no harm."""
        await self.line.drain()

    async def read(self) -> Any:
        """Read one reply within the response timeout; an error reply is raised."""
        return await self.line.read(self._timeout)

    async def wait(self, seconds: float) -> Any:
        """Read a reply that may take its time; redis-py's TimeoutError when none has come."""
        return await self.line.wait(seconds)

    async def learn_client_id(self, seconds: float | None = None) -> None:
        """Ask once for what CLIENT UNBLOCK needs: the connection's number, and whose it is.

        Each answer has so many seconds to come, or the response timeout.
        """
        if self._asked:
            return
        self.put(packed(("CLIENT", "ID")) + packed(ASK))
        await self.drain()
        patience = self._timeout if seconds is None else seconds
        client_id, info = [await self._answer(patience) for _ in range(2)]
        for answer in (client_id, info):  # an ACL may refuse either
            if isinstance(answer, ReplyError) and answer.code == "BUSY":
                raise answer
        self.client_id = client_id if isinstance(client_id, int) else None
        self.run = run_id(info)
        self._asked = True

    async def _answer(self, seconds: float) -> Any:
        """Read a reply, which may be an error."""
        try:
            return await self.wait(seconds)
        except ReplyError as error:
            return error

    def usable(self) -> bool:
        """Tell whether this idle connection is open and of this process."""
        return self.process == process() and self.line.usable()

    async def abort(self) -> None:
        """Wake who waits for a reply: there will be none."""
        if self.channel is not None:
            await self.channel.abort()
        elif self.process == process():
            await abort_async(self.connection)

    async def close(self) -> None:
        """Close the connection."""
        await disconnect_async(self.connection)
        self.closed()

    def closed(self) -> None:
        """It is closed."""
        self._life.forget(self)
