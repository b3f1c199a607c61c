"""The fast path for the first slice (see `waits`) of a thread's wait: one request, one reply.

With asyncio this path does not exist. The rule: `AsyncLink.arrival` handles all but the common
case. This module never sends a command twice. An error reply means that no element was taken.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TypeVar

from pyredisson._async.link.in_flight_request import AsyncInFlightRequest
from pyredisson._async.link.link import AsyncLink
from pyredisson._async.link.server import AsyncServer
from pyredisson._async.waits.slices import is_transient
from pyredisson._runtime.concurrency import monotonic
from pyredisson._runtime.interrupts import finish_async
from pyredisson._transport.connections import packed
from pyredisson._transport.pools import UNSENT as UNSENT_BY_POOL
from pyredisson.errors import DecodeError, WireFormatError
from pyredisson.protocol.kernel.command import Operation
from pyredisson.server_errors import LOST, ServerTimeoutError

UNSENT = UNSENT_BY_POOL
"""Returned by `pool.pop` in place of a reply if the slow path must run the operation."""

T = TypeVar("T")
_request = lru_cache(1024)(packed)


async def popped_async(
    link: AsyncLink,
    server: AsyncServer,
    pop: Operation[T],
    deadline: float,
    in_flight: AsyncInFlightRequest,
) -> tuple[bool, T] | None:
    """Wait a slice on an idle connection; return whether an element arrived, and the element.

    Returns:
        None if the slow path must continue, with the state in `in_flight`.

    Raises:
        ServerError: an error that is not transient, or any error after the deadline.
        DecodeError: as for `AsyncLink.request`.
    """
    began = monotonic()
    try:
        reply = await server.pool.pop(
            _request(pop.request()), (pop.waits or 0) + link.timeout, in_flight
        )
        if reply is UNSENT:
            return None
        if link.failing:
            link.wait_served(pop.key, began)
        try:
            return reply is not None, pop.decode(reply)
        except (DecodeError, WireFormatError):
            pass  # `read` quarantines the element, and raises
        return True, await link.read(pop, reply, in_flight)
    except LOST as error:
        over = not is_transient(error) or monotonic() >= deadline
        # after a timeout the exchange stays: the server may be frozen, and answer later
        if over or not isinstance(error, ServerTimeoutError):
            await in_flight.leave()
        await link.topology.lost(server)
        if over:
            raise
        link.wait_failed(pop.key, error)
        return None
    except Exception:
        raise
    except BaseException:
        await finish_async(link.undone(pop, in_flight))
        raise
