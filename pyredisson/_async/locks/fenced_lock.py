"""RFencedLock: a lock whose holders get growing numbers. The rule: an acquisition has one token."""

from __future__ import annotations

from pyredisson._async.locks.lock import AsyncLock
from pyredisson.errors import LockError
from pyredisson.protocol.kernel.due import Seconds
from pyredisson.protocol.locks.lock import FencedLockProtocol


class AsyncFencedLock(AsyncLock):
    """A lock that Java sees as RFencedLock.

    Each new holder gets a larger token. The protected resource stores the largest token that it
    has seen, and rejects smaller ones. A smaller token is that of a holder that has lost the lock,
    for example because its process was frozen.
    """

    _kind = "a fenced lock"
    _operations = FencedLockProtocol

    @property
    def token(self) -> int:
        """The token of this thread's or task's hold. A reentrant acquisition keeps the token.

        A holder that has lost the lock still has its token, until its next `unlock` or `acquire`.

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

        Without arguments it does not wait (RFencedLock.tryLockAndGetToken).
        """
        return self.token if await self.try_lock(wait, lease) else None

    async def get_token(self) -> int | None:
        """Return the newest token; None if there was no holder yet (RFencedLock.getToken)."""
        return await self._run(FencedLockProtocol(self._main_key).get_token())
