"""The state of an operation under way, for an interrupted caller or a late reply.

The rule: an exchange stays here until its reply is read or the exchange is given up.
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
"""Seconds for the late reply to a wait whose server answers again."""


class AsyncInFlightRequest:
    """The server, the exchange and the reply of an operation under way."""

    server: AsyncServer | None = None
    exchange: AsyncExchange | None = None
    reply: Any = UNREAD
    reply_timeout: float | None = None
    """Seconds that a reply may take after a wait; None for the client's response timeout."""
    failed: Exception | None = None
    """The error of the fast path's attempt, until `AsyncAttempts` handles it."""
    unanswered: tuple[Operation[Any], ...] = ()
    """Operations that were sent, or may have been sent, and whose replies were lost."""

    async def unblock(self) -> bool:
        """End the operation's wait at the server now.

        Return True if CLIENT UNBLOCK was sent, or if no exchange is under way. Otherwise return
        False: the wait lasts until its slice ends (a slice is one blocking command, see `waits`).
        """
        server, exchange = self.server, self.exchange
        if server is None or exchange is None:
            return True
        try:
            return await server.unblock(exchange)
        except (*LOST, ReplyError, ClosedError):
            return False

    async def late(self, exchange: AsyncExchange) -> Any:
        """Return the late reply to a wait whose server answers again.

        Return None, and give up the wait, if no reply comes within 0.5 s or reading fails.
        """
        try:
            self.reply = await exchange.reply(_THAWED, interruptible=True)
        except (ServerError, OSError):
            await self.leave()
            return None
        self.exchange = None
        await exchange.done()
        return self.reply

    async def leave(self) -> None:
        """Drop the exchange, if any: its reply is no longer read."""
        exchange, self.exchange = self.exchange, None
        if exchange is not None:
            await exchange.drop()
