"""Logs which servers do not serve waiting callers.

The rule: for all waits at a server, one line is logged when the server fails, and one when it
serves again. A wait that was sent before the last failure does not end an outage: such a wait may
end without an element although the server still rejects waits. An outage without a new failure is
forgotten after a while, because its callers may have left.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Hashable

from pyredisson._async.link.lifetime import AsyncLifetime
from pyredisson._runtime.concurrency import monotonic
from pyredisson.protocol.kernel.cluster import Address
from pyredisson.protocol.kernel.log_fields import about
from pyredisson.protocol.kernel.outage import Outages

log = logging.getLogger("pyredisson")

_LAPSE = 60.0
"""An outage is forgotten this many seconds, plus two timeouts, after its last failure."""
_MOST = 1000
"""The most keys that are remembered; one more key clears them all."""


class WaitFailures:
    """Logs failing waits, in one outage for each server.

    Args:
        home: returns the address of a key's cluster node; None if not known, or without a cluster.
        timeout: seconds without a reply after which a server counts as lost.
        life: the client's lifetime; after its end nothing is logged.
    """

    def __init__(
        self, home: Callable[[str], Address | None], timeout: float, life: AsyncLifetime
    ) -> None:
        self._home = home
        self._life = life
        self.on_outage: Callable[[str], None] | None = None
        """Called with a key if its server fails, unless the key is already in `failing`."""
        self._outages = Outages(lapse=_LAPSE + 2 * timeout)
        self.failing: dict[str, Hashable] = {}
        """Keys whose waits fail, each with the place that failed: its server, or the key itself."""

    def failed(self, key: str, error: Exception, *, alone: bool = False) -> None:
        """Log that a wait continues after an error: as a warning if an outage begins.

        The outage is that of the key's server, or with `alone` an outage of this key only.
        """
        if self._life.ended:
            return
        # the key has an outage of its own, which the success of another key does not end
        if alone and self.failing.get(key) != key:
            if key in self.failing:
                # the key's outage replaces the outage of its server
                self._outages.ended(self.failing[key], monotonic())
            self.failing[key] = key
        elif not alone and key not in self.failing and self.on_outage is not None:
            self.on_outage(key)
        place = self.failing.setdefault(key, self._home(key))
        if len(self.failing) > _MOST:
            self.failing.clear()
        level = logging.WARNING if self._outages.begins(place, monotonic()) else logging.DEBUG
        log.log(
            level, "waiting for elements of %r continues after: %s", key, error, extra=about(key)
        )

    def served(self, key: str, began: float = math.inf) -> None:
        """Log that a wait is served again, if its failure was logged.

        Args:
            key: the key of the wait.
            began: when the wait's request was sent, in seconds of `monotonic`; by default now.
        """
        place, now = self.failing.get(key, self._home(key)), monotonic()
        if self._outages.failed_since(place, began):
            return
        self.failing.pop(key, None)
        if (seconds := self._outages.ended(place, now)) is not None:
            log.warning(
                "waiting for elements of %r: served again after %.1f s",
                key,
                seconds,
                extra=about(key),
            )
        self._outages.forget(now)
        if not self._outages:
            self.failing.clear()
