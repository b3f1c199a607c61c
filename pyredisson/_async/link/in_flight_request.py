"""The state of an operation under way, for an interrupted caller or a late reply.

The rule: an exchange stays here until its reply is read or given up.
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
"""Seconds for the reply to an old wait, after its server answers again."""


class AsyncInFlightRequest:
    """The server, the exchange and the reply of an operation under way."""

    server: AsyncServer | None = None
    exchange: AsyncExchange | None = None
    reply: Any = UNREAD
    patience: float | None = None
    """Seconds that a reply may take; None for the client's response timeout."""
    failed: Exception | None = None
    """The error of the fast path's attempt, until `AsyncAttempts` handles it."""
    unanswered: tuple[Operation[Any], ...] = ()
    """Operations that were sent, or may have been, and got no reply."""

    async def unblock(self) -> bool:
        """End its wait on the server now; False if the wait will last until its slice ends."""
        server, exchange = self.server, self.exchange
        if server is None or exchange is None:
            return True
        try:
            return await server.unblock(exchange)
        except (*LOST, ReplyError, ClosedError):
            return False

    async def late(self, exchange: AsyncExchange) -> Any:
        """Read the reply to a wait whose server answers again; None if the connection is broken."""
        try:
            self.reply = await exchange.reply(_THAWED, interruptible=True)
        except (ServerError, OSError):
            await self.leave()
            return None
        self.exchange = None
        await exchange.done()
        return self.reply

    async def leave(self) -> None:
        """Drop the exchange of an operation that got no reply, if there is one."""
        exchange, self.exchange = self.exchange, None
        if exchange is not None:
            await exchange.drop()
