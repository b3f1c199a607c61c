"""Exchanges that have a connection to themselves: for what waits on the server, or is durable."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from redis.exceptions import RedisError, ResponseError

from pyredisson._async.link.wire import AsyncWire
from pyredisson._connections import packed
from pyredisson.protocol.command import Arg
from pyredisson.protocol.durable import Durable

if TYPE_CHECKING:
    from pyredisson._async.link.server import AsyncServer


class AsyncExclusive:
    """An exchange that has a wire to itself: for what waits on the server.

    Args:
        server: takes the wire back when nothing is outstanding on it.
        wire: an open, idle connection.
    """

    __slots__ = ("_ahead", "_refused", "_server", "wire")

    def __init__(self, server: AsyncServer, wire: AsyncWire) -> None:
        self._server = server
        self.wire = wire
        self._ahead = 0
        self._refused: ResponseError | None = None

    @property
    def client_id(self) -> int | None:
        """The number of the connection for CLIENT UNBLOCK; None when it is not known."""
        return self.wire.client_id

    @property
    def run(self) -> bytes | None:
        """The server's process, as far as it is known."""
        return self.wire.run

    @run.setter
    def run(self, run: bytes | None) -> None:
        self.wire.run = run

    async def send(
        self, words: tuple[Arg, ...], *, asking: bool = False, ahead: tuple[Arg, ...] = ()
    ) -> None:
        """Send a command, at a node that must be told ASKING after that; another one `ahead`.

        What is ahead goes in one piece with it: the server does nothing else between the two.
        """
        if ahead:  # its reply is of interest only where it is an error
            self._ahead, self._refused = 1 + 2 * asking, None
            self.wire.put(packed(ahead, asking=asking) + packed(words, asking=asking))
            await self.wire.drain()
            return
        if asking:
            await self.wire.send("ASKING")
            await self.wire.read()
        await self.wire.send(*words)

    async def reply(self, seconds: float, *, interruptible: bool = False) -> Any:
        """Read the reply; an interruptible read can be repeated after an interruption."""
        while self._ahead:
            try:
                await self.wire.wait(seconds)
            except ResponseError as error:
                self._refused = error
            self._ahead -= 1
        reply = await (self.wire.wait(seconds) if interruptible else self.wire.read())
        if reply is None and self._refused is not None:
            raise self._refused
        return reply

    async def done(self) -> None:
        """Nothing is outstanding: the wire serves the next."""
        self._server.no_more_waits(self)
        await self._server.release(self.wire)

    async def drop(self) -> None:
        """The wire is of no more use, or its reply of no more interest."""
        self._server.no_more_waits(self)
        await self.wire.close()


class AsyncConfirmed(AsyncExclusive):
    """An exchange for a durable write: the reply is a pair, its own and its confirmation.

    Where the confirmation is an error, the pair has that in its place: the write is done.
    """

    __slots__ = ("_durable", "_outstanding")

    def __init__(self, server: AsyncServer, wire: AsyncWire, durable: Durable) -> None:
        super().__init__(server, wire)
        self._durable = durable
        self._outstanding = False

    async def send(
        self, words: tuple[Arg, ...], *, asking: bool = False, ahead: tuple[Arg, ...] = ()
    ) -> None:
        """Send a command and ask for its confirmation, in one piece."""
        if asking:
            await self.wire.send("ASKING")
            await self.wire.read()
        self._outstanding = True
        self.wire.put(packed(words) + packed(self._durable.words()))
        await self.wire.drain()

    async def reply(self, seconds: float, *, interruptible: bool = False) -> Any:
        """Read both replies."""
        reply = await super().reply(seconds, interruptible=interruptible)
        try:
            answer = await self.wire.wait(seconds + self._durable.seconds)
        except ResponseError as error:
            answer = error
        except (RedisError, OSError) as error:
            return reply, error
        self._outstanding = False
        return reply, answer

    async def done(self) -> None:
        """Give back the wire, unless a reply is outstanding yet."""
        await (self.drop() if self._outstanding else super().done())
