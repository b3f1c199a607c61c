"""One connection, and the idle ones to one server: redis-py's connections below its clients.

Why below: redis-py's clients send a command again when its reply was lost
(twice the offer, or a lost pop), cut long blocking reads at their own timeout,
and decode replies as the injected client was told to.  A connection does
nothing of this.  Connections are made with the injected client's class and
settings (address, TLS, credentials), so nothing is configured twice.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable
from typing import Any

from hiredis import pack_command
from redis.exceptions import ResponseError

from pyredisson._compat import monotonic
from pyredisson._connections import (
    Connection,
    connect_async,
    disconnect_async,
    read_async,
    usable_async,
    wait_async,
)
from pyredisson.protocol.clock import ServerClock
from pyredisson.protocol.command import Arg

_MAX_IDLE = 64


class AsyncWire:
    """A connection that sends words and reads raw replies."""

    __slots__ = ("_connection", "_timeout", "client_id", "pid")

    def __init__(self, connection: Connection, timeout: float) -> None:
        self._connection = connection
        self._timeout = timeout
        self.client_id: int | None = None
        self.pid = os.getpid()

    async def connect(self) -> None:
        """Open the connection, within the response timeout."""
        await connect_async(self._connection, self._timeout)

    async def send(self, *words: Arg) -> None:
        """Send one command."""
        arguments: Any = words  # hiredis's annotation knows tuples of one only
        await self._connection.send_packed_command([pack_command(arguments)], check_health=False)

    async def read(self) -> Any:
        """Read one reply within the response timeout; an error reply is raised."""
        return await read_async(self._connection, self._timeout)

    async def wait(self, seconds: float) -> Any:
        """Read a reply that may take its time; redis-py's TimeoutError when none has come."""
        return await wait_async(self._connection, seconds)

    async def call(self, *words: Arg) -> Any:
        """Send one command and read its reply."""
        await self.send(*words)
        return await self.read()

    async def learn_client_id(self) -> None:
        """Ask for the number by which CLIENT UNBLOCK knows this connection, once."""
        if self.client_id is None:
            try:
                self.client_id = await self.call("CLIENT", "ID")
            except ResponseError as error:
                if str(error).startswith("BUSY "):
                    raise
                self.client_id = -1  # an ACL may refuse it
            except BaseException:
                await self.close()
                raise

    def usable(self) -> bool:
        """Tell whether this idle connection is open and of this process."""
        return self.pid == os.getpid() and usable_async(self._connection)

    async def close(self) -> None:
        """Close the connection."""
        await disconnect_async(self._connection)


class AsyncPool:
    """The connections to one server, last used first, and what its clock shows."""

    def __init__(self, factory: Callable[[], Connection], timeout: float) -> None:
        self._factory = factory
        self._timeout = timeout
        self._idle: deque[AsyncWire] = deque()
        self._ended = False
        self.clock = ServerClock()

    async def acquire(self) -> AsyncWire:
        """Return an open connection; errors of opening it mean that nothing was sent."""
        while wire := self._pop():
            if wire.usable():
                return wire
            await wire.close()
        return await self.connect()

    async def connect(self) -> AsyncWire:
        """Open a new connection; what answers may be another server than before."""
        wire = AsyncWire(self._factory(), self._timeout)
        try:
            await wire.connect()
        except BaseException:
            await wire.close()
            raise
        self.clock.invalidate()
        return wire

    async def release(self, wire: AsyncWire) -> None:
        """Take back a connection on which nothing is outstanding."""
        if len(self._idle) < _MAX_IDLE:
            self._idle.append(wire)
        else:
            await wire.close()
        if self._ended:  # asked last: another thread may have ended the pool just now
            await self.close()

    async def learn_time(self) -> None:
        """Ask the server for its time when the last answer is too old."""
        if not self.clock.stale(monotonic()):
            return
        wire = await self.acquire()
        try:
            sent = monotonic()
            seconds, micros = await wire.call("TIME")
            self.clock.sample(sent, monotonic(), int(seconds) * 1000 + int(micros) / 1000)
        except ResponseError:  # still in step with its replies
            await self.release(wire)
            raise
        except BaseException:
            await wire.close()
            raise
        await self.release(wire)

    async def close(self) -> None:
        """Close the idle connections."""
        while wire := self._pop():
            await wire.close()

    async def end(self) -> None:
        """Close the idle connections, and each of the others when it comes back."""
        self._ended = True
        await self.close()

    def _pop(self) -> AsyncWire | None:
        try:  # to look first whether there is one would be no promise: threads share the pool
            return self._idle.pop()
        except IndexError:
            return None
