"""A TCP proxy in front of a server that makes the faults of networks.

It runs in its own thread. A method that sets a fault returns when the fault applies to every later
byte; ``heal`` ends all faults. The proxy handles whole replies, so a connection that lost some
continues with the next one. With ``tls`` the proxy terminates the clients' TLS.

Rule: a fault never closes a connection, except ``reset_all`` and ``lose_reply_to``, and
``drop_replies`` and ``heal`` with ``cut``.
"""

import asyncio
import ssl
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tests.support.relay import HasPort, Relay, reset
from tests.support.resp import FrameSplitter, is_published

ReplyFilter = Callable[[bytes], bytes | None]
"""Takes one whole reply or message; returns the bytes for the client, or ``None`` for nothing."""


@dataclass(eq=False)
class _Connection:
    """One client and its connection to the server."""

    client: asyncio.StreamWriter
    server: asyncio.StreamWriter
    outbox: asyncio.Queue[tuple[float, bytes] | None] = field(default_factory=asyncio.Queue)
    forgotten: bool = False
    lost: bool = False
    """Its next reply is not delivered."""


class FaultProxy(Relay):
    """Listens on ``port`` and forwards everything to ``server``, until a method sets a fault.

    >>> with RedisServer() as server, FaultProxy(server) as proxy:
    ...     client = redis.Redis(port=proxy.port)
    ...     proxy.drop_replies(1)      # the next request is executed, its reply is lost
    """

    def __init__(self, server: HasPort, tls: ssl.SSLContext | None = None) -> None:
        super().__init__(server, tls)
        self.dropped = 0
        """The number of replies and messages that were not delivered, since the start."""
        self.swallowed = 0
        """The number of bytes that clients sent into a black hole, since the start."""
        self._connections: set[_Connection] = set()
        self._drop_left = 0.0
        self._cut = False
        self._marker: bytes | None = None
        self._black_hole = False
        self._seconds = 0.0
        self._filter: ReplyFilter | None = None
        self._open = asyncio.Event()
        self._open.set()

    @property
    def connections(self) -> int:
        """Connections that are open now."""
        return len(self._connections)

    def drop_replies(self, count: float = float("inf"), *, cut: bool = False) -> None:
        """Execute requests, lose the next ``count`` replies, or all of them until ``heal``.

        With ``cut`` a RST ends each connection that loses one.
        """

        def apply() -> None:
            self._drop_left = count
            self._cut = cut

        self._call(apply)

    def lose_reply_to(self, marker: bytes) -> None:
        """Execute the next request that contains these bytes; send a RST instead of its reply."""

        def apply() -> None:
            self._marker = marker

        self._call(apply)

    def filter_replies(self, function: ReplyFilter) -> None:
        """Replace or drop each reply and each message with ``function``."""

        def apply() -> None:
            self._filter = function

        self._call(apply)

    def drop_published(self) -> None:
        """Lose every message of every subscription; replies and confirmations pass."""
        self.filter_replies(lambda frame: None if is_published(frame) else frame)

    def black_hole(self) -> None:
        """Swallow both directions; connections stay open and new ones are accepted."""

        def apply() -> None:
            self._black_hole = True

        self._call(apply)

    def forget_all(self) -> None:
        """Swallow all bytes of the connections that are open now; new connections work."""

        def apply() -> None:
            for connection in self._connections:
                connection.forgotten = True

        self._call(apply)

    def delay(self, seconds: float) -> None:
        """Deliver each reply this much later; the order stays."""

        def apply() -> None:
            self._seconds = seconds

        self._call(apply)

    def hold_replies(self) -> None:
        """Execute requests, but hold their replies until ``release``."""
        self._call(self._open.clear)

    def release(self) -> None:
        """Deliver the replies that ``hold_replies`` has held."""
        self._call(self._open.set)

    def reset_all(self) -> None:
        """End every open connection with a RST, at once."""
        self._call(self._reset_all)

    def _reset_all(self) -> None:
        for connection in list(self._connections):
            reset(connection.client)
            connection.server.transport.abort()

    def heal(self, *, cut: bool = False) -> None:
        """End every fault; dropped replies stay lost, held replies are delivered.

        With ``cut`` a RST ends every open connection at the same moment, because those that lost
        replies are out of step. The next connection has no fault.
        """

        async def apply() -> None:
            if cut:
                self._reset_all()
            self._drop_left = 0
            self._cut = False
            self._marker = None
            self._black_hole = False
            self._seconds = 0
            self._filter = None
            self._open.set()
            await self._listen()

        self._await(apply())

    async def _serve(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        upstream: asyncio.StreamReader,
        to_server: asyncio.StreamWriter,
    ) -> None:
        connection = _Connection(writer, to_server)
        self._connections.add(connection)
        try:
            await self._first_of(
                self._pump_requests(reader, connection),
                self._pump_replies(upstream, connection),
                self._deliver(connection),
            )
        finally:
            self._connections.discard(connection)

    def _open_writers(self) -> Iterator[asyncio.StreamWriter]:
        for connection in list(self._connections):
            yield from (connection.client, connection.server)

    async def _pump_requests(self, reader: asyncio.StreamReader, connection: _Connection) -> None:
        while chunk := await reader.read(65536):
            if self._black_hole or connection.forgotten:
                self.swallowed += len(chunk)
            else:
                if self._marker is not None and self._marker in chunk:
                    self._marker, connection.lost = None, True
                connection.server.write(chunk)
                await connection.server.drain()

    async def _pump_replies(self, reader: asyncio.StreamReader, connection: _Connection) -> None:
        splitter = FrameSplitter()
        while chunk := await reader.read(65536):
            for frame in splitter.feed(chunk):
                kept = None if connection.lost else self._judge(frame)
                if kept is None:
                    self.dropped += 1
                    if self._cut or connection.lost:
                        reset(connection.client)
                else:
                    connection.outbox.put_nowait((self._loop.time() + self._seconds, kept))
        connection.outbox.put_nowait(None)
        await asyncio.Event().wait()  # ``_deliver`` ends the connection when all is delivered

    def _judge(self, frame: bytes) -> bytes | None:
        if self._black_hole:
            return None
        if self._drop_left > 0:
            self._drop_left -= 1
            return None
        return frame if self._filter is None else self._filter(frame)

    async def _deliver(self, connection: _Connection) -> None:
        while item := await connection.outbox.get():
            due, frame = item
            await asyncio.sleep(max(0.0, due - self._loop.time()))
            await self._open.wait()
            connection.client.write(frame)
            await connection.client.drain()
