"""Exchanges with a connection of their own: for waits at the server, and durable writes."""

from __future__ import annotations

from collections import deque
from typing import Any, Protocol

from pyredisson._async.link.connection import AsyncServerConnection
from pyredisson._transport.connections import packed
from pyredisson.protocol.kernel.command import Arg
from pyredisson.protocol.kernel.durable import Durable
from pyredisson.server_errors import ReplyError, ServerError


class AsyncConnectionOwner(Protocol):
    """The attributes and methods of a server that an exchange uses."""

    @property
    def together(self) -> bool:
        """Whether the last script that took a wait's element was sent in the wait's write."""

    @property
    def splits(self) -> bool:
        """Whether a proxy is known to send waits on another connection."""

    def is_waiting(self, exchange: Any, /) -> bool:
        """Return whether an exchange is registered as waiting."""

    def remove_wait(self, exchange: Any, /) -> None:
        """Remove an exchange from the waiting exchanges: it has its reply, or was dropped."""

    def note_take(self, *, apart: bool) -> None:
        """Note that a script took a wait's element; `apart`: it was sent after the wait's reply."""

    async def release(self, conn: AsyncServerConnection) -> None:
        """Keep a connection without outstanding replies for later exchanges."""


_OTHER, _WAIT, _SCRIPT = range(3)
"""The kinds of requests that an outstanding reply may belong to."""
_Later = tuple[tuple[int, ...], bytes]
"""The kind of each request, and the packed requests, which are sent in one write."""


class AsyncExclusive:
    """An exchange with a connection of its own, for example for a command that blocks.

    A wait (a command such as BLMOVE) and the script that takes the moved element are sent in one
    write. If a proxy sends the wait on another connection, the script runs first. If this script
    returns nothing and the wait moves an element, the script is sent again.

    If `together` of the server is False, the script is first sent alone, and the wait only if this
    script returns nothing. If `splits` is True, the next script follows the reply to the wait.

    Args:
        server: gets the connection back when no reply is outstanding.
        conn: an open, idle connection.
    """

    __slots__ = ("_last", "_later", "_moved", "_owed", "_refused", "_reply", "_server", "conn")

    def __init__(self, server: AsyncConnectionOwner, conn: AsyncServerConnection) -> None:
        self._server = server
        self.conn = conn
        self._owed: deque[int] = deque()
        self._later: deque[_Later] = deque()
        """Further requests, in order. Each is sent only if `_needs_next` returns True."""
        self._moved = self._last = False
        self._reply: Any = None
        self._refused: ReplyError | None = None

    @property
    def client_id(self) -> int | None:
        """The connection's id for CLIENT UNBLOCK; None if it is not known."""
        return self.conn.client_id

    @property
    def run(self) -> bytes | None:
        """The run id of the server process; None if it is not known."""
        return self.conn.run

    @run.setter
    def run(self, run: bytes | None) -> None:
        self.conn.run = run

    async def send(
        self, words: tuple[Arg, ...], *, asking: bool = False, ahead: tuple[Arg, ...] = ()
    ) -> None:
        """Send the command `ahead`, if any, and then the command `words`.

        Both are sent in one write. The server runs nothing between the two, unless `ahead` blocks.
        With `asking`, ASKING precedes each command. If the exchange is registered as waiting,
        `reply` may have to send `ahead`, or `words` a second time: see the class.
        """
        if ahead:
            self._last, self._moved, self._refused, self._reply = False, False, None, None
            wait, script = packed(ahead, asking=asking), packed(words, asking=asking)
            again: _Later = ((_SCRIPT,), script)
            if asking or not self._server.is_waiting(self):
                self._owed, later = deque((_OTHER,) * (1 + 2 * asking) + (_SCRIPT,)), []
            elif self._server.together:
                self._owed, later = deque((_WAIT, _SCRIPT)), [again]
            else:
                both: _Later = ((_WAIT, _SCRIPT), wait + script)
                first: _Later = ((_WAIT,), wait) if self._server.splits else both
                self._owed, later, wait = deque((_SCRIPT,)), [first, again], b""
            self._later = deque(later)
            self.conn.put(wait + script)
            await self.conn.drain()
            return
        if asking:
            await self.conn.send("ASKING")
            await self.conn.read()
        await self.conn.send(*words)

    async def reply(self, seconds: float, *, interruptible: bool = False) -> Any:
        """Read the reply, and send the further requests that become necessary.

        Args:
            seconds: how long each reply may take, if `send` had `ahead` or the read is
                `interruptible`. Otherwise the response timeout applies.
            interruptible: whether the caller can repeat the read after an interruption.
        """
        if not self._owed:
            return await (self.conn.wait(seconds) if interruptible else self.conn.read())
        while self._owed:
            await self._one(seconds)
            if not self._owed and self._needs_next():
                kinds, request = self._later.popleft()
                self._owed.extend(kinds)
                self.conn.put(request)
                await self.conn.drain()
        if self._moved and isinstance(self._reply, list):
            self._server.note_take(apart=not self._later)
        if self._reply is None and self._refused is not None:
            raise self._refused
        return self._reply

    async def _one(self, seconds: float) -> None:
        """Read one reply. Keep the reply to a script, or raise its error.

        After any other command, note its error, and whether it was a wait that moved an element.
        """
        error, reply = None, None
        try:
            reply = await self.conn.wait(seconds)
        except ReplyError as rejection:
            error = rejection
        kind = self._owed.popleft()
        if kind is _SCRIPT:
            if error is not None:
                raise error
            self._reply = reply
        else:
            self._refused = error or self._refused
            self._moved = kind is _WAIT and reply is not None

    def _needs_next(self) -> bool:
        """Return whether to send the next request of `_later`."""
        if isinstance(self._reply, list) or not self._later:
            return False
        return not self._last if self._later[0][0][0] is _WAIT else self._moved

    def begin_no_wait(self) -> None:
        """Send no further wait, so that the caller gets the reply soon."""
        self._last = True

    async def done(self) -> None:
        """Return the connection to the server; every reply must have been read."""
        self._server.remove_wait(self)
        await self._server.release(self.conn)

    async def drop(self) -> None:
        """Close the connection: it is broken, or its reply is no longer needed."""
        self._server.remove_wait(self)
        await self.conn.close()


class AsyncConfirmed(AsyncExclusive):
    """An exchange for a durable write, and for the WAIT or WAITAOF that confirms it.

    `reply` returns a pair: the reply to the write, and the confirmation (the second reply). If the
    second reply is an error or is lost, the pair has this error, because the write itself is done.
    """

    __slots__ = ("_durable", "_outstanding")

    def __init__(
        self, server: AsyncConnectionOwner, conn: AsyncServerConnection, durable: Durable
    ) -> None:
        super().__init__(server, conn)
        self._durable = durable
        self._outstanding = False

    async def send(
        self, words: tuple[Arg, ...], *, asking: bool = False, ahead: tuple[Arg, ...] = ()
    ) -> None:
        """Send a command and its WAIT or WAITAOF together; ignore `ahead`."""
        if asking:
            await self.conn.send("ASKING")
            await self.conn.read()
        self._outstanding = True
        self.conn.put(packed(words) + packed(self._durable._words()))
        await self.conn.drain()

    async def reply(self, seconds: float, *, interruptible: bool = False) -> Any:
        """Return the reply to the write, and the confirmation or its error.

        An error of the write is raised. The confirmation may take `seconds` plus `Durable.timeout`.
        """
        reply = await super().reply(seconds, interruptible=interruptible)
        try:
            answer = await self.conn.wait(seconds + self._durable.seconds)
        except ReplyError as error:
            answer = error
        except (ServerError, OSError) as error:
            return reply, error
        self._outstanding = False
        return reply, answer

    async def done(self) -> None:
        """Return the connection to the server; close it if a reply is still outstanding."""
        await (self.drop() if self._outstanding else super().done())
