"""RSpinLock: a lock without messages. The rule: the pauses of two waiters differ."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from pyredisson._async.locks.hold import AsyncHold
from pyredisson._async.locks.lock import AsyncLock
from pyredisson._runtime.concurrency import monotonic
from pyredisson.protocol.kernel.backoff import Pauses

_SHORTEST, _LONGEST = 0.001, 0.128
"""The shortest and the longest pause between two attempts, in seconds, as in Redisson."""


class AsyncSpinLock(AsyncLock):
    """A lock that Java sees as RSpinLock: a waiter tries again after growing pauses.

    It publishes nothing and subscribes to nothing. Its release does not wake the waiters of an
    RLock with the same name, so use one kind of lock for a name.
    """

    _kind = "a spin lock"

    @property
    def _publishing(self) -> tuple[str, str]:
        return "", ""

    async def _try_until(
        self, hold: AsyncHold, attempt: Callable[[], Any], timeout: float, free: float
    ) -> bool:
        deadline, pauses = monotonic() + timeout, Pauses(_SHORTEST, _LONGEST)
        pause: float | None = free
        while pause is not None:
            if (left := deadline - monotonic()) <= 0:
                return False
            pause = min(pause, left, pauses.pause() * random.uniform(0.5, 1))
            await self._link.life.pause(max(pause, _SHORTEST))
            pause = await attempt()
        return True
