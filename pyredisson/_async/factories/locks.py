"""The methods of a client that make locks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pyredisson._async.factories.objects import AsyncFactories

if TYPE_CHECKING:
    from pyredisson._async.locks.fair_lock import AsyncFairLock
    from pyredisson._async.locks.fenced_lock import AsyncFencedLock
    from pyredisson._async.locks.lock import AsyncLock
    from pyredisson._async.locks.multi_lock import AsyncMultiLock
    from pyredisson._async.locks.read_write_lock import AsyncReadWriteLock
    from pyredisson._async.locks.spin_lock import AsyncSpinLock


class AsyncLockFactories(AsyncFactories):
    """Makes the locks: RLock and the other kinds."""

    def get_lock(
        self,
        name: str,
        *,
        reentrant: bool = False,
        on_lost: Callable[[AsyncLock], None] | None = None,
        cancel_when_lost: bool = False,
    ) -> AsyncLock:
        """Return a lock (RedissonClient.getLock).

        Args:
            name: the lock's name.
            reentrant: whether a holder may acquire the lock again. The holder must then release
                the lock as many times.
            on_lost: called with the lock, in the background, when a holder has lost the lock.
            cancel_when_lost: with asyncio, whether a task that has lost the lock is cancelled. The
                end of its `async with` block then raises `LockLostError`.
        """
        from pyredisson._async.locks.lock import AsyncLock  # noqa: PLC0415 - seldom

        return AsyncLock(
            self._objects.context,
            name,
            reentrant=reentrant,
            on_lost=on_lost,
            cancel_when_lost=cancel_when_lost,
        )

    def get_fenced_lock(
        self,
        name: str,
        *,
        reentrant: bool = False,
        on_lost: Callable[[AsyncFencedLock], None] | None = None,
        cancel_when_lost: bool = False,
    ) -> AsyncFencedLock:
        """Return a lock whose holders get growing tokens (RedissonClient.getFencedLock).

        The arguments are those of `get_lock`.
        """
        from pyredisson._async.locks.fenced_lock import AsyncFencedLock  # noqa: PLC0415 - seldom

        return AsyncFencedLock(
            self._objects.context,
            name,
            reentrant=reentrant,
            on_lost=on_lost,
            cancel_when_lost=cancel_when_lost,
        )

    def get_fair_lock(
        self,
        name: str,
        *,
        reentrant: bool = False,
        on_lost: Callable[[AsyncFairLock], None] | None = None,
        cancel_when_lost: bool = False,
    ) -> AsyncFairLock:
        """Return a lock whose waiters take turns (RedissonClient.getFairLock).

        The arguments are those of `get_lock`.
        """
        from pyredisson._async.locks.fair_lock import AsyncFairLock  # noqa: PLC0415 - seldom

        return AsyncFairLock(
            self._objects.context,
            name,
            reentrant=reentrant,
            on_lost=on_lost,
            cancel_when_lost=cancel_when_lost,
        )

    def get_spin_lock(
        self,
        name: str,
        *,
        reentrant: bool = False,
        on_lost: Callable[[AsyncSpinLock], None] | None = None,
        cancel_when_lost: bool = False,
    ) -> AsyncSpinLock:
        """Return a lock whose waiters poll (RedissonClient.getSpinLock).

        The arguments are those of `get_lock`.
        """
        from pyredisson._async.locks.spin_lock import AsyncSpinLock  # noqa: PLC0415 - seldom

        return AsyncSpinLock(
            self._objects.context,
            name,
            reentrant=reentrant,
            on_lost=on_lost,
            cancel_when_lost=cancel_when_lost,
        )

    def get_read_write_lock(
        self,
        name: str,
        *,
        reentrant: bool = False,
        on_lost: Callable[[AsyncLock], None] | None = None,
        cancel_when_lost: bool = False,
    ) -> AsyncReadWriteLock:
        """Return a lock of many readers or one writer (RedissonClient.getReadWriteLock).

        The arguments are those of `get_lock`, and apply to the read lock and the write lock.
        """
        from pyredisson._async.locks.read_write_lock import AsyncReadWriteLock  # noqa: PLC0415 - seldom

        return AsyncReadWriteLock(
            self._objects.context,
            name,
            reentrant=reentrant,
            on_lost=on_lost,
            cancel_when_lost=cancel_when_lost,
        )

    def get_multi_lock(self, *locks: AsyncLock) -> AsyncMultiLock:
        """Return a lock that acquires and releases several locks together (getMultiLock).

        Args:
            locks: at least one lock that a method such as `get_lock` returned. They may be of
                several clients, but two locks of one client must have different names.

        Raises:
            TypeError, ValueError: the arguments are not such locks.
        """
        from pyredisson._async.locks.multi_lock import AsyncMultiLock  # noqa: PLC0415 - seldom

        return AsyncMultiLock(locks)
