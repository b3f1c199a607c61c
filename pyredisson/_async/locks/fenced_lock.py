"""RFencedLock: a lock whose holders get growing numbers. The rule: an acquisition has one token."""

from __future__ import annotations

from pyredisson._async.locks.lock import AsyncLock
from pyredisson.errors import LockError
from pyredisson.protocol.kernel.due import Seconds
from pyredisson.protocol.locks.lock import FencedLockProtocol


class AsyncFencedLock(AsyncLock):
    """A lock that Java sees as RFencedLock.

    Each new holder gets a larger token. What must be protected stores the largest token that it has
    seen, and rejects a smaller one: that of a holder that was frozen and has lost the lock.
    """

    _kind = "a fenced lock"
    _operations = FencedLockProtocol

    @property
    def token(self) -> int:
        """The token of this thread's or task's hold, which has the same one if it is reentrant.

        A holder that has lost the lock still has its token.

        Raises:
            LockError: this thread or task does not have the lock.
        """
        hold = self._holds.mine()
        if hold is None:
            raise LockError(f"lock {self._main_key!r} is not held by this thread or task: no token")
        return hold.token

    async def lock_and_get_token(self, lease: Seconds | None = None) -> int:
        """Acquire the lock as `lock` does, and return the token (RFencedLock.lockAndGetToken)."""
        await self.lock(lease)
        return self.token

    async def try_lock_and_get_token(
        self, wait: Seconds = 0, lease: Seconds | None = None
    ) -> int | None:
        """Acquire the lock as `try_lock` does; return the token, or None if the time is over.

        It is RFencedLock.tryLockAndGetToken; without arguments it does not wait.
        """
        return self.token if await self.try_lock(wait, lease) else None

    async def get_token(self) -> int | None:
        """Return the newest token of any holder, None if there was none (RFencedLock.getToken)."""
        return await self._run(FencedLockProtocol(self._main_key).get_token())
