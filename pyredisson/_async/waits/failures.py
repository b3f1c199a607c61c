"""Which servers do not serve those who wait, as far as the log is concerned.

The rule: all who wait at a server say once between them that it is out of order, and once that it
serves again. What nobody has waited for since is forgotten.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Hashable

from pyredisson._async.link.lifetime import AsyncLifetime
from pyredisson._runtime.concurrency import monotonic
from pyredisson.protocol.kernel.cluster import Address
from pyredisson.protocol.kernel.log_fields import about
from pyredisson.protocol.kernel.outage import Outages

log = logging.getLogger("pyredisson")

_LAPSE = 60.0
"""Seconds after the last failure of a wait, timeouts aside, after which nobody waits there."""
_MOST = 1000


class WaitFailures:
    """What is said of waits that fail.

    Args:
        home: where a key lives, as far as is known.
        timeout: seconds without an answer after which a server counts as gone.
        life: of a client that is closed no wait goes on.
    """

    def __init__(
        self, home: Callable[[str], Address | None], timeout: float, life: AsyncLifetime
    ) -> None:
        self._home = home
        self._life = life
        self._outages = Outages(lapse=_LAPSE + 2 * timeout)
        self.failing: dict[str, Hashable] = {}
        """Where keys were waited for in vain: those of a cluster may be served elsewhere."""

    def failed(self, key: str, error: Exception, *, alone: bool = False) -> None:
        """Say that a wait goes on, if it is the first at its server, or of its key `alone`."""
        if self._life.ended:
            return
        if alone and self.failing.get(key) != key:  # that others are served there is not its end
            if key in self.failing:
                self._outages.ended(self.failing[key], monotonic())  # goes on in other words
            self.failing[key] = key
        place = self.failing.setdefault(key, self._home(key))
        if len(self.failing) > _MOST:
            self.failing.clear()
        level = logging.WARNING if self._outages.begins(place, monotonic()) else logging.DEBUG
        log.log(level, "waiting for elements of %r goes on after: %s", key, error, extra=about(key))

    def served(self, key: str) -> None:
        """Say that a wait is served again, if its failure was said."""
        place, now = self.failing.pop(key, self._home(key)), monotonic()
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
