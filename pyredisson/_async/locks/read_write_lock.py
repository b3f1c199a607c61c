"""RReadWriteLock: many readers or one writer.

The rule: a writer that also reads is one owner in Redis. So the writer keeps the read lock after it
has released the write lock. A reader that acquires the write lock gets an error: it would wait for
itself.
"""

from __future__ import annotations

from typing import Any

from pyredisson._async.context import AsyncContext
from pyredisson._async.locks.holds import AsyncHolds
from pyredisson._async.locks.lock import AsyncLock
from pyredisson.errors import LockError
from pyredisson.protocol.locks.read_write_lock import ReadLockProtocol, WriteLockProtocol


class AsyncReadLock(AsyncLock):
    """The lock of readers. Many readers can have it, unless another owner has the write lock.

    The methods are those of `AsyncLock`. `force_unlock` frees the lock of all readers, unless one
    of them also has the write lock.
    """

    _kind = "a read lock"
    _operations = ReadLockProtocol
    _writers: AsyncHolds

    def _new_owner(self) -> str:
        writer = self._writers.mine()
        return super()._new_owner() if writer is None or writer.is_over() else writer.owner


class AsyncWriteLock(AsyncLock):
    """The lock of a writer. No other owner has this lock or the read lock at the same time.

    The methods are those of `AsyncLock`. Its holder may also acquire the read lock, and keep
    the read lock after it has released this lock. A reader that acquires the write lock gets
    `LockError`: it would wait for itself. `force_unlock` also frees the read lock of the writer.
    """

    _kind = "a write lock"
    _operations = WriteLockProtocol
    _readers: AsyncHolds

    def _new_owner(self) -> str:
        reader = self._readers.mine()
        if reader is not None and not reader.is_over():
            raise LockError(
                f"write lock {self._main_key!r}: this thread or task has the read lock, and would "
                "wait for itself; release that first, or acquire the write lock before it"
            )
        return super()._new_owner()


class AsyncReadWriteLock:
    """A pair of locks that Java sees as RReadWriteLock.

    ``async with lock.read_lock():`` and ``async with lock.write_lock():`` hold one of them.

    Args:
        context: the client's context.
        name: the lock's name.
        options: the options of both locks; see `AsyncLock`.
    """

    def __init__(self, context: AsyncContext, name: str, **options: Any) -> None:
        self._read = AsyncReadLock(context, name, **options)
        self._write = AsyncWriteLock(context, name, **options)
        self._read._writers, self._write._readers = self._write._holds, self._read._holds

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._read._main_key!r}>"

    @property
    def name(self) -> str:
        """The name of the lock, as the program gave it."""
        return self._read.name

    def read_lock(self) -> AsyncReadLock:
        """Return the lock of readers, always the same object (RReadWriteLock.readLock)."""
        return self._read

    def write_lock(self) -> AsyncWriteLock:
        """Return the lock of a writer, always the same object (RReadWriteLock.writeLock)."""
        return self._write
