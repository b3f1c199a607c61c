"""Asks one of several nodes, and does not keep the caller from the other nodes.

The rule: the caller waits only a short time for a silent node. If the node answers later, the
elements of this answer are requeued.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from pyredisson._async.link.in_flight_request import AsyncInFlightRequest
from pyredisson._async.link.link import AsyncLink
from pyredisson.protocol.kernel.command import Operation
from pyredisson.server_errors import ServerError

T = TypeVar("T")

NODE_TIMEOUT = 0.5
"""Seconds that one of several nodes has to answer, before the caller continues without it."""
_PAUSE = 1.0


async def request_with_timeout_async(
    link: AsyncLink,
    operation: Operation[T],
    seconds: float,
    in_flight: AsyncInFlightRequest | None = None,
) -> T:
    """Run an operation once, and wait up to `seconds` for its reply, at most the link's timeout.

    The operation has a connection to itself. If no reply comes, a background task continues to read
    from this connection, and requeues the elements of a late reply.

    Raises:
        ServerTimeoutError: no reply came in time.
    """
    in_flight = in_flight or AsyncInFlightRequest()
    in_flight.reply_timeout = min(seconds, link.timeout)
    alone = replace(operation, waits=0.0, safe=False)
    try:
        return (await link.arrival(alone, in_flight))[1]
    except Exception:
        if in_flight.exchange is not None:
            link.life.begin(partial(_undo_async, link, alone, in_flight), "pyredisson late")
        raise


async def _undo_async(
    link: AsyncLink, operation: Operation[Any], in_flight: AsyncInFlightRequest
) -> None:
    """Wait for the reply of a silent server, and requeue the elements of this reply."""
    raw = replace(operation, decode=raw_reply, undo=None)
    try:
        while in_flight.exchange is not None:
            try:
                arrived, reply = await link.arrival(raw, in_flight)
            except (ServerError, OSError):
                await link.life.pause(_PAUSE)
            else:
                if arrived:
                    await link.give_back(operation, reply)
                return
    finally:
        await in_flight.leave()


def raw_reply(reply: Any) -> Any:
    """Return a reply unchanged, for an operation whose reply is decoded later."""
    return reply
