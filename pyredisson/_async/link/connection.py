"""One connection of redis-py, below its clients.

Why below: redis-py's clients send a command again when its reply was lost, which doubles an offer
or loses a popped element. They cut long blocking reads at their own timeout, and decode replies as
the injected client is configured. A connection does none of this. It is made with the connection
class and the settings of the injected client (address, TLS, credentials), so nothing is configured
twice.
"""

from __future__ import annotations

from collections.abc import Iterable
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
    """A connection that sends commands and reads raw replies."""

    __slots__ = (
        *("__weakref__", "_asked", "_life", "_timeout", "channel", "client_id", "connection"),
        *("here", "line", "naming", "process", "rest", "run", "used", "waits"),
    )

    def __init__(self, connection: Connection, timeout: float, life: AsyncLifetime) -> None:
        self.connection = connection
        self._timeout = timeout
        self._life = life
        self.here: object = None
        """The process and event loop that opened it."""
        self.channel: Any = None
        """What reads and writes it instead of redis-py, if callers share it."""
        self._asked = False
        self.client_id: int | None = None
        self.run: bytes | None = None
        """The run id of the server process; None if not requested or not known."""
        self.process = process()
        self.used = 0.0
        """When it was released after a reply, in monotonic seconds."""
        self.rest = REST
        """Seconds of idleness after which it may be closed without a sign."""
        self.waits: Any = None
        """The exchange by which a thread waits on it, made once and reused."""

    async def connect(self, seconds: float | None = None) -> None:
        """Open the connection within `seconds`, by default the response timeout.

        Raises:
            ClosedError: the client is closed, or was closed meanwhile.
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
        """Begin to send packed commands."""
        self.line.put(data)

    def put_all(self, requests: Iterable[bytes | tuple[Arg, ...]]) -> None:
        """Begin to send several commands in one write; some may be packed already."""
        self.put(b"".join([r if isinstance(r, bytes) else packed(r) for r in requests]))

    async def drain(self) -> None:
        """Wait until buffered commands can be sent; an interruption does no harm."""
        await self.line.drain()

    async def read(self) -> Any:
        """Read one reply within the response timeout; an error reply is raised."""
        return await self.line.read(self._timeout)

    async def wait(self, seconds: float) -> Any:
        """Read a reply within `seconds`; raise ServerTimeoutError if none comes."""
        return await self.line.wait(seconds)

    async def learn_client_id(self, seconds: float | None = None) -> None:
        """Read once what CLIENT UNBLOCK needs: the connection's id and the server's run id.

        Each reply may take `seconds`, by default the response timeout.
        """
        if self._asked:
            return
        self.put_all([("CLIENT", "ID"), ASK])
        await self.drain()
        patience = self._timeout if seconds is None else seconds
        client_id, info = [await self._reply_or_error(patience) for _ in range(2)]
        for answer in (client_id, info):  # an ACL may reject either
            if isinstance(answer, ReplyError) and answer.code == "BUSY":
                raise answer
        self.client_id = client_id if isinstance(client_id, int) else None
        self.run = run_id(info)
        self._asked = True

    async def _reply_or_error(self, seconds: float) -> Any:
        """Return a reply or an error reply."""
        try:
            return await self.wait(seconds)
        except ReplyError as error:
            return error

    def usable(self) -> bool:
        """Return whether this idle connection is open and belongs to this process."""
        return self.process == process() and self.line.usable()

    @property
    def replied(self) -> float:
        """When its last reply came, in monotonic seconds; 0 before the first."""
        return self.used if self.channel is None else max(self.used, self.channel.replied())

    async def abort(self) -> None:
        """Wake the caller that waits for a reply: none will come."""
        if self.channel is not None:
            await self.channel.abort()
        elif self.process == process():
            await abort_async(self.connection)

    async def close(self) -> None:
        """Close the connection."""
        await disconnect_async(self.connection)
        self.closed()

    def closed(self) -> None:
        """Note that it is closed."""
        self._life.forget(self)
