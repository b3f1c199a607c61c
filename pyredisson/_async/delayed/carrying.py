"""Stores additional bytes for offered items, which a hook returns: for example, a trace context.

The rule: an item is offered even if its additional bytes cannot be stored.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from pyredisson._async.context import AsyncContext
from pyredisson._runtime.concurrency import monotonic
from pyredisson.protocol.delayed.carried import MOST_BYTES, carry
from pyredisson.protocol.kernel.log_fields import about
from pyredisson.server_errors import ServerError

if TYPE_CHECKING:
    from pyredisson._runtime.user_code import HookDispatcher

log = logging.getLogger("pyredisson")


async def carried_async(
    context: AsyncContext,
    hooks: HookDispatcher,
    queue: str,
    items: Sequence[tuple[int, bytes]],
    store: Callable[[], Any],
) -> Any:
    """Store the bytes that `hooks.offering` yields, then the items; return what `store` returns.

    Both happen inside of the context manager `hooks.offering`. More than `MOST_BYTES` bytes are
    not stored. If the server cannot store the bytes, the error is only logged.

    Args:
        context: the client's context.
        hooks: calls the hook that returns the bytes.
        queue: the queue's name in Redis.
        items: the due time in epoch milliseconds and the encoded value of each item.
        store: stores the items.
    """
    with hooks.offering(queue, len(items)) as carried:
        if carried is not None and len(carried) <= MOST_BYTES:
            link = context.link
            try:
                clock = await link.clock(queue)
                await link.request(carry(queue, items, carried, clock.earliest_ms(monotonic())))
            except (ServerError, OSError) as error:
                log.debug("%r: nothing is carried: %s", queue, error, extra=about(queue))
        return await store()
