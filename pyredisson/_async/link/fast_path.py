"""The short ways of an offer and of a take: an idle connection, one request, one reply.

That of an offer begins in `AsyncDelayedQueue.offer`, in one piece. The rule: whatever is not as
usual is left to `AsyncLink.request`, which knows what to do about it; so nothing here is sent
twice, and an error reply means that nothing is stored.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, TypeVar

from pyredisson._async.link.in_flight_request import AsyncInFlightRequest
from pyredisson._async.link.link import AsyncLink
from pyredisson._async.link.server import AsyncServer
from pyredisson._async.waits.slices import passes
from pyredisson._runtime.concurrency import monotonic
from pyredisson._runtime.interrupts import finish_async
from pyredisson._transport.connections import packed
from pyredisson._transport.errors import UnsentError, connection_error, outcome_of
from pyredisson._transport.pools import UNSENT as UNSENT_BY_LANE
from pyredisson.errors import DecodeError, UncertainOfferError, WireFormatError
from pyredisson.protocol.delayed.receipt import Receipt
from pyredisson.protocol.kernel.clock import ServerClock
from pyredisson.protocol.kernel.command import Operation
from pyredisson.protocol.kernel.next_step import Outcome
from pyredisson.server_errors import LOST, ServerTimeoutError

UNSENT = UNSENT_BY_LANE
"""What stands for a reply where only the long way can tell."""

T = TypeVar("T")
_request = lru_cache(1024)(packed)


def fresh_clock(link: AsyncLink, key: str) -> ServerClock | None:
    """Return the clock of the key's server, unless it has to be asked first."""
    server = None if link.closed else link.topology.known(key)
    return server.clock if server and not server.clock.stale(monotonic()) else None


def taken_over() -> Exception:
    """Return the error of a reply that came from a server which is no longer the master."""
    return connection_error("another server took over before the reply")


async def not_offered_async(
    link: AsyncLink, server: AsyncServer, receipt: Receipt, error: Exception
) -> Any:
    """Return `UNSENT` after an error of the short way that shows that nothing is stored.

    Raises:
        UncertainOfferError: no reply came; it may be stored.
    """
    if outcome_of(error) is not Outcome.LOST or isinstance(error, UnsentError):
        return UNSENT
    await link.topology.lost(server)
    raise UncertainOfferError(receipt.queue, error, receipt) from error


async def popped_async(
    link: AsyncLink,
    server: AsyncServer,
    pop: Operation[T],
    deadline: float,
    transit: AsyncInFlightRequest,
) -> tuple[bool, T] | None:
    """Wait a slice for an element on an idle connection: did any arrive, and what.

    Returns:
        None where only the long way can tell, which goes on with what is in the transit.

    Raises:
        ServerError: one that does not pass before the deadline.
        DecodeError: as of `AsyncLink.request`.
    """
    try:
        reply = await server.quick.pop(
            _request(pop.request()), (pop.waits or 0) + link.timeout, transit
        )
        if reply is UNSENT:
            return None
        if link.failing:
            link.wait_served(pop.key)
        try:
            return reply is not None, pop.decode(reply)
        except (DecodeError, WireFormatError):
            pass  # `read` keeps it, and raises
        return True, await link.read(pop, reply, transit)
    except LOST as error:
        over = not passes(error) or monotonic() >= deadline
        if over or not isinstance(error, ServerTimeoutError):  # else it may thaw and answer yet
            await transit.leave()
        await link.topology.lost(server)
        if over:
            raise
        link.wait_failed(pop.key, error)
        return None
    except Exception:
        raise
    except BaseException:
        await finish_async(link.undone(pop, transit))
        raise
