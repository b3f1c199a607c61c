"""Ends a blocking command of this client early, and never one of another client.

Each server process numbers its connections itself. A restarted server, or another server at the
same address, may have given the same id to a connection of another client. The rule: CLIENT
UNBLOCK is sent only to the process that is known to have the blocked connection.
"""

from __future__ import annotations

import contextlib

from pyredisson._transport.pools import AsyncExchange
from pyredisson.protocol.kernel.run_id import ASK, run_id
from pyredisson.server_errors import ReplyError


async def unblocked_async(
    exchange: AsyncExchange, client_id: int, run: bytes, timeout: float
) -> bool:
    """Unblock a connection of the process `run`.

    Return False without sending CLIENT UNBLOCK, unless `exchange` is with this process.

    Redis up to 7.0 crashes on CLIENT UNBLOCK if CLIENT PAUSE holds the blocked connection, for
    example in a planned failover. Therefore an empty script is sent before CLIENT UNBLOCK in the
    same write: a pause holds this script, and then CLIENT UNBLOCK waits behind it. With two writes,
    a pause could begin between them.
    """
    if exchange.run is None:
        with contextlib.suppress(ReplyError):  # no permission for INFO
            await exchange.send(ASK)
            exchange.run = run_id(await exchange.reply(timeout))
    if exchange.run != run:
        return False
    await exchange.send(("CLIENT", "UNBLOCK", client_id), ahead=("EVAL", "return 0", 0))
    await exchange.reply(timeout)
    return True
