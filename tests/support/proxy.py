"""A TCP proxy in front of a server that makes the faults which networks make.

It runs in a thread of its own. A method that sets a fault returns when the fault holds for every
byte that comes after; ``heal`` ends all of them. Replies are handled one by one, never in parts,
so a connection that lost some goes on with the next. With ``tls`` it ends the clients' TLS.

Rule: a fault never closes a connection, except ``reset_all`` and ``drop_replies`` with ``cut``.
"""

import asyncio
import contextlib
import socket
import ssl
import struct
import threading
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Protocol, Self

from tests.support.ports import free_port
from tests.support.resp import FrameSplitter, is_published

ReplyFilter = Callable[[bytes], bytes | None]
"""Gets one whole reply or message; returns what the client gets for it, ``None`` for nothing."""

_RESET_ON_CLOSE = struct.pack("ii", 1, 0)  # SO_LINGER with no time to linger: close sends a RST


class HasPort(Protocol):
    """A server on 127.0.0.1."""

    port: int


@dataclass(eq=False)
class _Connection:
    """One client and its connection to the server."""

    client: asyncio.StreamWriter
    server: asyncio.StreamWriter
    outbox: asyncio.Queue[tuple[float, bytes] | None] = field(default_factory=asyncio.Queue)


class FaultProxy:
    """Listens on ``port`` and passes everything on to ``server``, until told to misbehave.

    >>> with RedisServer() as server, FaultProxy(server) as proxy:
    ...     client = redis.Redis(port=proxy.port)
    ...     proxy.drop_replies(1)      # the next request is executed, its reply is lost
    """

    def __init__(self, server: HasPort, tls: ssl.SSLContext | None = None) -> None:
        self.port = free_port()
        self.dropped = 0
        """Replies and messages that no client got, since the start."""
        self.swallowed = 0
        """Bytes that clients sent into a black hole, since the start."""
        self.accepted = 0
        """Connections accepted since the start."""
        self._server = server
        self._tls = tls
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True, name="proxy")
        self._listener: asyncio.Server | None = None
        self._connections: set[_Connection] = set()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._drop_left = 0.0
        self._cut = False
        self._black_hole = False
        self._seconds = 0.0
        self._filter: ReplyFilter | None = None
        self._open = asyncio.Event()
        self._open.set()

    @property
    def url(self) -> str:
        """Address of database 0 through the proxy."""
        return f"redis://127.0.0.1:{self.port}/0"

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

    def filter_replies(self, function: ReplyFilter) -> None:
        """Let ``function`` decide what becomes of each reply and each message."""

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

    def delay(self, seconds: float) -> None:
        """Deliver each reply this much later; the order stays."""

        def apply() -> None:
            self._seconds = seconds

        self._call(apply)

    def hold_replies(self) -> None:
        """Execute requests, keep their replies back until ``release``."""
        self._call(self._open.clear)

    def release(self) -> None:
        """Deliver what ``hold_replies`` kept back."""
        self._call(self._open.set)

    def refuse(self) -> None:
        """Refuse new connections; those that are open go on."""

        async def apply() -> None:
            if self._listener is not None:
                self._listener.close()
                self._listener = None
            await asyncio.sleep(0)

        self._await(apply())

    def reset_all(self) -> None:
        """End every open connection with a RST, at once."""

        def apply() -> None:
            for connection in list(self._connections):
                _reset(connection.client)
                connection.server.transport.abort()

        self._call(apply)

    def heal(self) -> None:
        """End every fault; what was dropped stays lost, what was held back is delivered."""

        async def apply() -> None:
            self._drop_left = 0
            self._cut = False
            self._black_hole = False
            self._seconds = 0
            self._filter = None
            self._open.set()
            await self._listen()

        self._await(apply())

    def __enter__(self) -> Self:
        self._thread.start()
        self._await(self._listen())
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.refuse()
        self._await(self._end_tasks())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _call(self, function: Callable[[], None]) -> None:
        async def in_loop() -> None:
            function()

        self._await(in_loop())

    def _await(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(timeout=10)

    async def _listen(self) -> None:
        if self._listener is None:
            self._listener = await asyncio.start_server(
                self._accept, "127.0.0.1", self.port, ssl=self._tls
            )

    async def _end_tasks(self) -> None:
        connections = list(self._connections)  # a task that ends forgets its own
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for connection in [*connections, *self._connections]:
            connection.client.transport.abort()
            connection.server.transport.abort()
        await asyncio.sleep(0.01)  # transports close in the next turns of the loop

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.accepted += 1
        if (task := asyncio.current_task()) is not None:
            self._remember(task)
        try:
            upstream, to_server = await asyncio.open_connection("127.0.0.1", self._server.port)
        except OSError:
            _reset(writer)
            return
        except asyncio.CancelledError:
            writer.transport.abort()
            raise
        connection = _Connection(writer, to_server)
        self._connections.add(connection)
        pumps = [
            self._spawn(self._pump_requests(reader, connection)),
            self._spawn(self._pump_replies(upstream, connection)),
            self._spawn(self._deliver(connection)),
        ]
        try:
            await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for pump in pumps:
                pump.cancel()
            self._connections.discard(connection)
            writer.close()
            to_server.close()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = self._loop.create_task(_quietly(work))
        self._remember(task)
        return task

    def _remember(self, task: asyncio.Task[Any]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _pump_requests(self, reader: asyncio.StreamReader, connection: _Connection) -> None:
        while chunk := await reader.read(65536):
            if self._black_hole:
                self.swallowed += len(chunk)
            else:
                connection.server.write(chunk)
                await connection.server.drain()

    async def _pump_replies(self, reader: asyncio.StreamReader, connection: _Connection) -> None:
        splitter = FrameSplitter()
        while chunk := await reader.read(65536):
            for frame in splitter.feed(chunk):
                kept = self._judge(frame)
                if kept is None:
                    self.dropped += 1
                    if self._cut:
                        _reset(connection.client)
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


def _reset(writer: asyncio.StreamWriter) -> None:
    sock = writer.get_extra_info("socket")
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_ON_CLOSE)
    writer.transport.abort()


async def _quietly(work: Awaitable[None]) -> None:
    """A connection that breaks is what this module is for."""
    with contextlib.suppress(OSError):
        await work
