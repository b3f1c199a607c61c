"""Exchanges that have a connection to themselves: for what waits on the server, or is durable."""

from __future__ import annotations

from collections import deque
from typing import Any, Protocol

from pyredisson._async.link.connection import AsyncServerConnection
from pyredisson._transport.connections import packed
from pyredisson.protocol.kernel.command import Arg
from pyredisson.protocol.kernel.durable import Durable
from pyredisson.server_errors import ReplyError, ServerError


class AsyncConnectionOwner(Protocol):
    """What an exchange needs of the server that it is with."""

    @property
    def together(self) -> bool:
        """Whether a script that was sent behind a wait has run after it."""

    @property
    def splits(self) -> bool:
        """Whether a proxy gives what waits a connection of its own."""

    def awaits(self, exchange: Any, /) -> bool:
        """Tell whether an exchange waits."""

    def no_more_waits(self, exchange: Any, /) -> None:
        """An exchange has its reply, or none."""

    def took(self, *, apart: bool) -> None:
        """A script has taken what a wait has brought."""

    async def release(self, wire: AsyncServerConnection) -> None:
        """Take back a connection on which nothing is outstanding."""


_OTHER, _WAIT, _SCRIPT = range(3)
"""What a reply that is owed belongs to."""
_Later = tuple[tuple[int, ...], bytes]
"""Requests in one piece, and what each of their replies belongs to."""


class AsyncExclusive:
    """An exchange that has a wire to itself: for what waits on the server.

    A script is sent in one piece with what waits for something that it takes. A proxy may give what
    waits a connection of its own: then the script runs first, and is asked again where it has
    brought nothing and the wait has. As long as it is not known that there is none, the script is
    asked before the wait as well; and where it is known that there is one, each is by itself.

    Args:
        server: takes the wire back when nothing is outstanding on it.
        wire: an open, idle connection.
    """

    __slots__ = ("_last", "_later", "_moved", "_owed", "_refused", "_reply", "_server", "wire")

    def __init__(self, server: AsyncConnectionOwner, wire: AsyncServerConnection) -> None:
        self._server = server
        self.wire = wire
        self._owed: deque[int] = deque()
        self._later: deque[_Later] = deque()
        """What may be sent when nothing has come."""
        self._moved = self._last = False
        self._reply: Any = None
        self._refused: ReplyError | None = None

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
        if ahead:
            self._last, self._moved, self._refused, self._reply = False, False, None, None
            wait, script = packed(ahead, asking=asking), packed(words, asking=asking)
            again: _Later = ((_SCRIPT,), script)
            if asking or not self._server.awaits(self):
                self._owed, later = deque((_OTHER,) * (1 + 2 * asking) + (_SCRIPT,)), []
            elif self._server.together:
                self._owed, later = deque((_WAIT, _SCRIPT)), [again]
            else:
                both: _Later = ((_WAIT, _SCRIPT), wait + script)
                first: _Later = ((_WAIT,), wait) if self._server.splits else both
                self._owed, later, wait = deque((_SCRIPT,)), [first, again], b""
            self._later = deque(later)
            self.wire.put(wait + script)
            await self.wire.drain()
            return
        if asking:
            await self.wire.send("ASKING")
            await self.wire.read()
        await self.wire.send(*words)

    async def reply(self, seconds: float, *, interruptible: bool = False) -> Any:
        """Read the reply; an interruptible read can be repeated after an interruption."""
        if not self._owed:
            return await (self.wire.wait(seconds) if interruptible else self.wire.read())
        while self._owed:
            await self._one(seconds)
            if not self._owed and self._goes_on():
                kinds, request = self._later.popleft()
                self._owed.extend(kinds)
                self.wire.put(request)
                await self.wire.drain()
        if self._moved and isinstance(self._reply, list):
            self._server.took(apart=not self._later)
        if self._reply is None and self._refused is not None:
            raise self._refused
        return self._reply

    async def _one(self, seconds: float) -> None:
        """Read one of the replies; what is ahead is of interest only where it fails, or waits."""
        error, reply = None, None
        try:
            reply = await self.wire.wait(seconds)
        except ReplyError as refusal:
            error = refusal
        kind = self._owed.popleft()
        if kind is _SCRIPT:
            if error is not None:
                raise error
            self._reply = reply
        else:
            self._refused = error or self._refused
            self._moved = kind is _WAIT and reply is not None

    def _goes_on(self) -> bool:
        """Tell whether the next request may bring something that has not come."""
        if isinstance(self._reply, list) or not self._later:
            return False
        return not self._last if self._later[0][0][0] is _WAIT else self._moved

    def begin_no_wait(self) -> None:
        """Send nothing more that waits: the caller is to have its reply soon."""
        self._last = True

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

    def __init__(
        self, server: AsyncConnectionOwner, wire: AsyncServerConnection, durable: Durable
    ) -> None:
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
        self.wire.put(packed(words) + packed(self._durable._words()))
        await self.wire.drain()

    async def reply(self, seconds: float, *, interruptible: bool = False) -> Any:
        """Read both replies."""
        reply = await super().reply(seconds, interruptible=interruptible)
        try:
            answer = await self.wire.wait(seconds + self._durable.seconds)
        except ReplyError as error:
            answer = error
        except (ServerError, OSError) as error:
            return reply, error
        self._outstanding = False
        return reply, answer

    async def done(self) -> None:
        """Give back the wire, unless a reply is outstanding yet."""
        await (self.drop() if self._outstanding else super().done())
