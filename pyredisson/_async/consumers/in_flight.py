"""The messages that consumers hold, read in pages.

The rule: this module only reads. A message whose lease is extended during the reading is returned
once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyredisson.protocol.consumers.in_flight import Held, InFlight, held_by_consumers
from pyredisson.protocol.kernel.names import ConsumerNames
from pyredisson.protocol.objects.collection import PAGE
from pyredisson.protocol.objects.pages import START, Scored
from pyredisson.protocol.queues.queue import require_count


async def in_flight_async(
    run: Callable[..., Any],
    names: ConsumerNames,
    limit: int,
    read: Callable[[list[Held]], Any],
) -> list[InFlight[Any]]:
    """Return messages that consumers hold, in the order in which their leases end.

    Args:
        run: runs an operation.
        names: the keys of the queue.
        limit: the largest number of messages.
        read: makes the results from the deliveries of a page.
    """
    found: dict[str, InFlight[Any]] = {}
    last: Scored | None = START
    while last is not None and len(found) < require_count(limit):
        held, last = await run(held_by_consumers(names, last, min(PAGE, limit - len(found))))
        found.update((each.delivery_id, each) for each in await read(held))
    return list(found.values())
