"""One connection of redis-py, below redis-py's clients.

Why below: redis-py's clients may send a command again after its reply was lost, which doubles an
offer or loses a popped element. They end long blocking reads at their own timeout, and decode
replies as the injected client is configured. A connection of this module does none of this. It is
made with the connection class and the settings of the injected client (address, TLS, credentials),
so nothing is configured twice.
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
from pyredisson._transport.settings import PING_AFTER
from pyredisson.protocol.kernel.command import Arg
from pyredisson.protocol.kernel.run_id import ASK, run_id
from pyredisson.server_errors import ReplyError


class AsyncServerConnection:
    """A connection that sends commands and reads raw replies."""

    __slots__ = (
        *("__weakref__", "_asked", "_life", "_timeout", "channel", "client_id", "connection"),
        *("here", "line", "naming", "process", "ping_after", "run", "used", "exclusive"),
    )

    def __init__(self, connection: Connection, timeout: float, life: AsyncLifetime) -> None:
        self.connection = connection
        self._timeout = timeout
        self._life = life
        self.here: object = None
        """The process that opened the connection; with asyncio also the event loop."""
        self.channel: Any = None
        """The `SharedPipeline` by which tasks share this connection, or None."""
        self._asked = False
        self.client_id: int | None = None
        self.run: bytes | None = None
        """The run id of the server process; None if not requested or not known."""
        self.process = process()
        self.used = 0.0
        """The monotonic time of the last release without an outstanding reply; 0 before it."""
        self.ping_after = PING_AFTER
        """Seconds of idleness after which a PING checks the connection before its next use."""
        self.exclusive: Any = None
        """The exchange for waits on this connection; None until it is made. It is reused."""

    async def connect(self, seconds: float | None = None) -> None:
        """Open the connection within `seconds`, by default the response timeout.

        With threads, each step of the opening may take `seconds`.

        Raises:
            ServerError, OSError: the connection did not open.
            ClosedError: the client is closed, or was closed during the opening.
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
        """Send packed commands; with asyncio, write them to the buffer without waiting."""
        self.line.put(data)

    def put_all(self, requests: Iterable[bytes | tuple[Arg, ...]]) -> None:
        """Send several commands as `put` does, in one write; bytes are packed commands."""
        self.put(b"".join([r if isinstance(r, bytes) else packed(r) for r in requests]))

    async def drain(self) -> None:
        """Wait until the write buffer has room; a cancellation does not discard its commands."""
        await self.line.drain()

    async def read(self) -> Any:
        """Read one reply within the response timeout; raise an error reply.

        With threads, each wait for more bytes may take the response timeout.
        """
        return await self.line.read(self._timeout)

    async def wait(self, seconds: float) -> Any:
        """Read one reply as `read` does, with `seconds` in place of the response timeout."""
        return await self.line.wait(seconds)

    async def learn_client_id(self, seconds: float | None = None) -> None:
        """Request the connection's id and the server's run id; CLIENT UNBLOCK needs both.

        After a call without an error, later calls do nothing. If the server rejects one of the two
        requests, its id remains None. Each reply may take `seconds`, by default the response
        timeout.

        Raises:
            ReplyError: the server is busy with a script (BUSY).
        """
        if self._asked:
            return
        self.put_all([("CLIENT", "ID"), ASK])
        await self.drain()
        reply_timeout = self._timeout if seconds is None else seconds
        client_id, info = [await self._reply_or_error(reply_timeout) for _ in range(2)]
        for answer in (client_id, info):  # an ACL may reject either command
            if isinstance(answer, ReplyError) and answer.code == "BUSY":
                raise answer
        self.client_id = client_id if isinstance(client_id, int) else None
        self.run = run_id(info)
        self._asked = True

    async def _reply_or_error(self, seconds: float) -> Any:
        """Return the next reply, also if it is an error reply."""
        try:
            return await self.wait(seconds)
        except ReplyError as error:
            return error

    def usable(self) -> bool:
        """Return whether this idle connection is open and belongs to this process."""
        return self.process == process() and self.line.usable()

    @property
    def replied(self) -> float:
        """When the last outstanding reply came, in monotonic seconds; 0 before the first reply.

        If `channel` is None, this is `used`.
        """
        return self.used if self.channel is None else max(self.used, self.channel.replied())

    async def abort(self) -> None:
        """End the reading of replies (with asyncio also the opening): the reader gets an error."""
        if self.channel is not None:
            await self.channel.abort()
        elif self.process == process():
            await abort_async(self.connection)

    async def close(self) -> None:
        """Close the connection."""
        await disconnect_async(self.connection)
        self.closed()

    def closed(self) -> None:
        """Remove the closed connection from the client's lifetime."""
        self._life.forget(self)
