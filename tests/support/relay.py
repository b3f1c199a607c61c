"""The base of proxies between clients and a server: a listener in its own thread, with its tasks.

Rule: a relay ends with its ``with``; its tasks, its thread and its sockets end, too.
"""

import asyncio
import contextlib
import socket
import ssl
import struct
import threading
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from types import TracebackType
from typing import Any, Protocol, Self

from tests.support.ports import free_port

_RESET_ON_CLOSE = struct.pack("ii", 1, 0)  # SO_LINGER with no time to linger: close sends a RST


class HasPort(Protocol):
    """A server on 127.0.0.1."""

    port: int


class Relay(ABC):
    """Listens on ``port``; a subclass serves each client with a connection to ``server``."""

    def __init__(self, server: HasPort, tls: ssl.SSLContext | None = None) -> None:
        self.port = free_port()
        self.accepted = 0
        """The number of connections accepted since the start."""
        self._server = server
        self._tls = tls
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True, name="proxy")
        self._listener: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[Any]] = set()

    @property
    def url(self) -> str:
        """Address of database 0 through the relay."""
        return f"redis://127.0.0.1:{self.port}/0"

    def refuse(self) -> None:
        """Reject new connections; open ones continue."""

        async def apply() -> None:
            if self._listener is not None:
                self._listener.close()
                self._listener = None
            await asyncio.sleep(0)

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

    @abstractmethod
    async def _serve(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        upstream: asyncio.StreamReader,
        to_server: asyncio.StreamWriter,
    ) -> None:
        """Serve one client until it or the server disconnects."""

    @abstractmethod
    def _open_writers(self) -> Iterable[asyncio.StreamWriter]:
        """Both ends of every connection."""

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
        writers = list(self._open_writers())  # a task that ends removes its own
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for writer in [*writers, *self._open_writers()]:
            writer.transport.abort()
        await asyncio.sleep(0.01)  # transports close in the next turns of the loop

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.accepted += 1
        if (task := asyncio.current_task()) is not None:
            self._remember(task)
        try:
            upstream, to_server = await asyncio.open_connection("127.0.0.1", self._server.port)
        except OSError:
            reset(writer)
            return
        except asyncio.CancelledError:
            writer.transport.abort()
            raise
        try:
            with contextlib.suppress(asyncio.CancelledError):  # the streams' callback would log it
                await self._serve(reader, writer, upstream, to_server)
        finally:
            writer.close()
            to_server.close()

    async def _first_of(self, *pumps: Coroutine[Any, Any, None]) -> None:
        """Run all until the first ends."""
        tasks = [self._spawn(pump) for pump in pumps]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = self._loop.create_task(_quietly(work))
        self._remember(task)
        return task

    def _remember(self, task: asyncio.Task[Any]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def reset(writer: asyncio.StreamWriter) -> None:
    """End a connection with a RST."""
    sock = writer.get_extra_info("socket")
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_ON_CLOSE)
    writer.transport.abort()


async def _quietly(work: Awaitable[None]) -> None:
    """Ignore a broken connection: proxies break connections."""
    with contextlib.suppress(OSError):
        await work
