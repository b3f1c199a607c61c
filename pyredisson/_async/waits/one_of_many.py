"""Asks one of several nodes without keeping the caller from the others.

The rule: a silent node is not waited for long. What it takes when it answers later is requeued.
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

PATIENCE = 0.5
"""Seconds that one of several nodes has to answer, before the caller continues without it."""
_PAUSE = 1.0


async def request_with_timeout_async(
    link: AsyncLink,
    operation: Operation[T],
    seconds: float,
    in_flight: AsyncInFlightRequest | None = None,
) -> T:
    """Run an operation once, and wait `seconds` for its reply.

    It uses a connection of its own. If no reply comes, a background task keeps reading from it.

    Raises:
        ServerTimeoutError: no reply came within `seconds`.
    """
    in_flight = in_flight or AsyncInFlightRequest()
    in_flight.patience = min(seconds, link.timeout)
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
    """Requeue what a silent server took, once it answers."""
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
    """Return a reply as it is, for an operation that must not be decoded yet."""
    return reply
