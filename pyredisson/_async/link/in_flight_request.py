"""Where an operation is, while it is under way: what an interruption, or a late answer, needs.

The rule: an exchange stays here until its reply is read, or nobody wants it.
"""

from __future__ import annotations

from typing import Any

from pyredisson._async.link.server import AsyncServer
from pyredisson._transport.pools import AsyncExchange
from pyredisson.errors import ClosedError
from pyredisson.protocol.kernel.command import Operation
from pyredisson.server_errors import LOST, ReplyError, ServerError

UNREAD = object()
_THAWED = 0.5
"""Seconds that a server which answers again has for what it was asked before."""


class AsyncInFlightRequest:
    """Where an operation is, for the case that its caller is interrupted."""

    server: AsyncServer | None = None
    exchange: AsyncExchange | None = None
    reply: Any = UNREAD
    patience: float | None = None
    """Seconds that the server has to answer, if not the client's response timeout."""
    unanswered: tuple[Operation[Any], ...] = ()
    """What was sent, or may have been, and had no reply by then."""

    async def unblock(self) -> bool:
        """Let its wait on the server end now; False when it will not end before its slice."""
        server, exchange = self.server, self.exchange
        if server is None or exchange is None:
            return True
        try:
            return await server.unblock(exchange)
        except (*LOST, ReplyError, ClosedError):
            return False

    async def late(self, exchange: AsyncExchange) -> Any:
        """Read the reply of a wait whose server answers again; None when the connection is dead."""
        try:
            self.reply = await exchange.reply(_THAWED, interruptible=True)
        except (ServerError, OSError):
            await self.leave()
            return None
        self.exchange = None
        await exchange.done()
        return self.reply

    async def leave(self) -> None:
        """Give up a wait that was left without an answer."""
        exchange, self.exchange = self.exchange, None
        if exchange is not None:
            await exchange.drop()
