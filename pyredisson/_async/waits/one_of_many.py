"""Asking one of several nodes, of which none may keep the caller from the others.

The rule: a node that says nothing for a while is not waited for; what it takes when it answers
goes back.
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
"""Seconds that one node of several has to answer before the others go on without it."""
_PAUSE = 1.0


async def within_async(
    link: AsyncLink,
    operation: Operation[T],
    seconds: float,
    transit: AsyncInFlightRequest | None = None,
) -> T:
    """Run an operation once, unless its server is silent for so many seconds.

    It has a connection to itself, which is gone back to until the server answers.

    Raises:
        ServerTimeoutError: the server is silent.
    """
    transit = transit or AsyncInFlightRequest()
    transit.patience = min(seconds, link.timeout)
    alone = replace(operation, waits=0.0, safe=False)
    try:
        return (await link.arrival(alone, transit))[1]
    except Exception:
        if transit.exchange is not None:
            link.life.begin(partial(_undo_async, link, alone, transit), "pyredisson late")
        raise


async def _undo_async(
    link: AsyncLink, operation: Operation[Any], transit: AsyncInFlightRequest
) -> None:
    """Give back what a silent server takes, once it answers."""
    raw = replace(operation, decode=_raw, undo=None)
    try:
        while transit.exchange is not None:
            try:
                arrived, reply = await link.arrival(raw, transit)
            except (ServerError, OSError):
                await link.life.pause(_PAUSE)
            else:
                if arrived:
                    await link.give_back(operation, reply)
                return
    finally:
        await transit.leave()


def _raw(reply: Any) -> Any:
    return reply
