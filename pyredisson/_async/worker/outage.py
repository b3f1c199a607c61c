"""An outage as a worker sees it: how long to pause, what to log, when to give up.

The rule: after its first successful take, a worker survives each error of `by_priority.FAILURES`
until an outage has lasted `give_up_after`. Only WrongClientError always ends the worker at once: a
client that is not made for a cluster cannot follow a slot to another node. Before the first
successful take, each error that is not `is_waitable` also ends the worker at once, so that a wrong
password is noticed. This module does not get other exceptions of a take: after ClosedError the
worker stops without an error, and after any other exception it ends with this exception.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from pyredisson._async.consumers.by_priority import AnyConsumer
from pyredisson._async.consumers.consumer import AsyncConsumer
from pyredisson._async.sharded.consumer import AsyncShardedConsumer
from pyredisson._async.waits.slices import is_waitable, is_wrong_client
from pyredisson._runtime.concurrency import monotonic
from pyredisson.protocol.kernel.backoff import Pauses


class AsyncOutage:
    """The current outage of one worker, and whether any take has succeeded.

    Args:
        consumers: the consumers of the worker.
        give_up_after: seconds of an outage after which the worker ends; None for never.
    """

    def __init__(self, consumers: Sequence[AnyConsumer], give_up_after: float | None) -> None:
        self._consumers = consumers
        self._give_up_after = math.inf if give_up_after is None else give_up_after
        self._pauses = Pauses()
        self._since: float | None = None
        self._failed: AsyncConsumer[Any] | None = None
        self._reached = False

    def pause(self, error: Exception) -> float:
        """Return the seconds to pause after an error of a take, or raise it to end the worker."""
        served = self._reached and not is_wrong_client(error)
        if not (served or is_waitable(error, reached=False)):
            raise error
        now = monotonic()
        self._since = now if self._since is None else self._since
        left = self._since + self._give_up_after - now
        if left <= 0:
            raise error
        first = self._consumers[0]
        one = first.consumers[0] if isinstance(first, AsyncShardedConsumer) else first
        one._link.wait_failed(one.key, error, alone=not is_waitable(error))
        self._failed = one
        return min(self._pauses.pause(), left)

    def over(self) -> None:
        """Note that a take has succeeded, also without messages: an outage has ended."""
        self._reached = True
        if self._failed is not None:
            self._failed._link.wait_served(self._failed.key)
            self._failed = self._since = None
            self._pauses.reset()
