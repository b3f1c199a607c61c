"""Ending a wait of ours on the server before its time, and nobody else's.

Connections are numbered by the process that has them. One that was started since, or is another
one behind the same address, may have given the number to a stranger. The rule: only a process that
is known to be the blocked connection's own is told; where that is not known, nobody is.
"""

from __future__ import annotations

import contextlib

from pyredisson._transport.pools import AsyncExchange
from pyredisson.protocol.kernel.run_id import ASK, run_id
from pyredisson.server_errors import ReplyError


async def unblocked_async(
    exchange: AsyncExchange, client_id: int, run: bytes, timeout: float
) -> bool:
    """Unblock a connection of a process, if that is where the exchange leads; was it told?

    Redis up to 7.0 dies of it where the blocked connection is held by CLIENT PAUSE, as it is in
    a planned failover, too. So a script goes ahead that does nothing and is held as well, in one
    piece with it: between two pieces others could begin to hold writes.
    """
    if exchange.run is None:
        with contextlib.suppress(ReplyError):  # no right to ask
            await exchange.send(ASK)
            exchange.run = run_id(await exchange.reply(timeout))
    if exchange.run != run:
        return False
    await exchange.send(("CLIENT", "UNBLOCK", client_id), ahead=("EVAL", "return 0", 0))
    await exchange.reply(timeout)
    return True
