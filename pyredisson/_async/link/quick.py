"""The short way of an offer: no more than a look at the clock, one request, one reply.

The rule: whatever is not as usual is left to `AsyncLink.request`, which knows what to do about
it; so nothing here is sent twice, and an error reply means that nothing is stored.
"""

from __future__ import annotations

from typing import Any

from redis.exceptions import ConnectionError as RedisConnectionError

from pyredisson._async.link.link import AsyncLink
from pyredisson._async.link.outcomes import outcome_of
from pyredisson._async.link.server import AsyncServer
from pyredisson._compat import monotonic
from pyredisson._takeover import UnsentError
from pyredisson.errors import UncertainOfferError
from pyredisson.protocol.clock import ServerClock
from pyredisson.protocol.delivery import Outcome
from pyredisson.protocol.objects.offers import Offers
from pyredisson.protocol.objects.receipt import Receipt

UNSENT: Any = object()
"""What `offered_async` returns where only the long way can tell."""


def known(link: AsyncLink, key: str) -> AsyncServer | None:
    """Return the key's server, unless somebody has to be asked for it."""
    return None if link.closed else link.topology.known(key)


def fresh_clock(link: AsyncLink, key: str) -> ServerClock | None:
    """Return the clock of the key's server, unless it has to be asked first."""
    server = known(link, key)
    return server.clock if server and not server.clock.stale(monotonic()) else None


async def offered_async(
    link: AsyncLink, server: AsyncServer, offers: Offers, receipt: Receipt
) -> Any:
    """Store a new item: the script's reply, or `UNSENT`.

    Raises:
        UncertainOfferError: no reply came; it may be stored.
    """
    try:
        refusal = await server.quick.offer(offers, receipt)
        if server.demoted:
            raise RedisConnectionError("another server took over before the reply")
    except Exception as error:
        if outcome_of(error) is not Outcome.LOST or isinstance(error, UnsentError):
            return UNSENT
        await link.topology.lost(server)
        raise UncertainOfferError(receipt.queue, error, receipt) from error
    link.reached = True
    return refusal
