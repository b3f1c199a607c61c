"""A lock of any kind that is held at a fork belongs to the parent alone."""

import os

import pytest

from tests.support.server import RedisServer
from tests.variants.test_sync_only import run

PROGRAM = """
import os, time, warnings
warnings.simplefilter("ignore", DeprecationWarning)  # threads and fork, since 3.12
from pyredisson import LockError, Redisson

redisson = Redisson.from_url(url, lock_watchdog_timeout=3)
pair = redisson.get_read_write_lock("read"), redisson.get_read_write_lock("write")
locks = [
    redisson.get_lock("job"), redisson.get_fenced_lock("fenced"), redisson.get_fair_lock("fair"),
    redisson.get_spin_lock("spin"), pair[0].read_lock(), pair[1].write_lock(),
    redisson.get_multi_lock(redisson.get_lock("one"), redisson.get_lock("two")),
]
for lock in locks:
    lock.lock()
child = os.fork()
if child == 0:
    warnings.simplefilter("ignore")
    code = 1
    try:
        for lock in locks:
            assert not lock.is_held() and not lock.lost
            try:
                lock.unlock()
            except LockError:
                assert lock is locks[4] or not lock.try_lock()  # readers share
                continue
            raise AssertionError(lock)
        code = 0
    finally:
        os._exit(code)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
time.sleep(3.5)
for lock in locks:
    assert lock.is_held() and not lock.lost
    lock.unlock()
redisson.close()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_forked_child_does_not_hold_its_parents_lock(server: RedisServer) -> None:
    run(PROGRAM, server)
