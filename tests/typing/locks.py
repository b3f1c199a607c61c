"""Locks, as a user's type checker sees them."""

from datetime import timedelta
from typing import assert_type

from pyredisson import (
    AsyncFairLock,
    AsyncFencedLock,
    AsyncLock,
    AsyncMultiLock,
    AsyncReadLock,
    AsyncReadWriteLock,
    AsyncRedisson,
    AsyncSpinLock,
    AsyncWriteLock,
    FairLock,
    FencedLock,
    Lock,
    LockError,
    LockLostError,
    MultiLock,
    ReadLock,
    ReadWriteLock,
    Redisson,
    SpinLock,
    WriteLock,
)


def told(lock: Lock) -> None:
    """A callback."""
    assert_type(lock.name, str)


def locks(client: Redisson) -> None:
    """RLock."""
    lock = client.get_lock("job", reentrant=True, on_lost=told)
    assert_type(lock, Lock)
    with lock as same:
        assert_type(same, Lock)
    assert_type(lock.acquire(timeout=5, lease=timedelta(minutes=1)), bool)
    assert_type(lock.try_lock(1.5), bool)
    lock.lock(lease=5)
    assert_type(lock.lost, bool)
    assert_type(lock.is_locked(), bool)
    assert_type(lock.is_held(), bool)
    assert_type(lock.get_hold_count(), int)
    assert_type(lock.remain_time_to_live(), timedelta | None)
    assert_type(lock.force_unlock(), bool)
    try:
        lock.unlock()
    except LockLostError as error:
        assert_type(error.key, str)
    except LockError:
        pass
    client.get_lock("job", on_lost=print)
    client.get_lock(b"job")  # type: ignore[arg-type]  # names are text
    lock.acquire(lease="5s")  # type: ignore[arg-type]  # seconds or timedelta


def kinds(client: Redisson) -> None:
    """RFencedLock, RSpinLock and RMultiLock."""
    fenced = client.get_fenced_lock("job", on_lost=told)
    with fenced as same:
        assert_type(same, FencedLock)
        assert_type(same.token, int)
    assert_type(fenced.lock_and_get_token(lease=5), int)
    assert_type(fenced.try_lock_and_get_token(1, timedelta(seconds=5)), int | None)
    assert_type(fenced.get_token(), int | None)
    assert_type(client.get_spin_lock("job"), SpinLock)
    assert_type(client.get_fair_lock("job", reentrant=True), FairLock)
    both = client.get_multi_lock(fenced, client.get_lock("other"))
    assert_type(both, MultiLock)
    with both as all_of_them:
        assert_type(all_of_them, MultiLock)
    assert_type(both.acquire(timeout=5, lease=60), bool)
    assert_type(both.lost, bool)
    client.get_multi_lock("job")  # type: ignore[arg-type]  # locks, not names


def readers_and_writers(client: Redisson) -> None:
    """RReadWriteLock."""
    lock = client.get_read_write_lock("job", reentrant=True, on_lost=told)
    assert_type(lock, ReadWriteLock)
    assert_type(lock.name, str)
    assert_type(lock.read_lock(), ReadLock)
    assert_type(lock.write_lock(), WriteLock)
    with lock.read_lock() as same:
        assert_type(same, ReadLock)
    assert_type(lock.write_lock().try_lock(1, lease=5), bool)


async def async_locks(client: AsyncRedisson) -> None:
    """The same with asyncio."""
    lock = client.get_lock("job", cancel_when_lost=True)
    assert_type(lock, AsyncLock)
    async with lock as same:
        assert_type(same, AsyncLock)
    assert_type(await lock.acquire(timeout=5), bool)
    assert_type(await lock.try_lock(), bool)
    await lock.unlock()
    assert_type(await lock.force_unlock(), bool)
    fenced, spin = client.get_fenced_lock("job"), client.get_spin_lock("other")
    assert_type(fenced, AsyncFencedLock)
    assert_type(client.get_fair_lock("job"), AsyncFairLock)
    assert_type(spin, AsyncSpinLock)
    assert_type(await fenced.lock_and_get_token(), int)
    both = client.get_multi_lock(fenced, spin)
    assert_type(both, AsyncMultiLock)
    assert_type(await both.try_lock(), bool)
    pair = client.get_read_write_lock("job")
    assert_type(pair, AsyncReadWriteLock)
    async with pair.read_lock() as read:
        assert_type(read, AsyncReadLock)
    assert_type(pair.write_lock(), AsyncWriteLock)
