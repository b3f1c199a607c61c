"""Permits in use at a fork belong to the parent; for a limiter the child is another client."""

import os

import pytest

from tests.support.server import RedisServer
from tests.variants.test_sync_only import run

PROGRAM = """
import os, warnings
warnings.simplefilter("ignore", DeprecationWarning)  # threads and fork, since 3.12
from pyredisson import RateType, Redisson

redisson = Redisson.from_url(url)
pool, leases = redisson.get_semaphore("pool"), redisson.get_permit_expirable_semaphore("leases")
limiter = redisson.get_rate_limiter("api")
pool.try_set_permits(2)
leases.try_set_permits(2)
limiter.try_set_rate(RateType.PER_CLIENT, 1, 3600)
assert limiter.try_acquire()
try:
    with pool, leases.permit(lease=60):
        child = os.fork()
        if child == 0:
            with pool, leases.permit(lease=60):
                assert pool.available_permits() == leases.available_permits() == 0
            assert limiter.try_acquire() and not limiter.try_acquire()
            raise SystemExit
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert pool.available_permits() == leases.available_permits() == 1
    assert pool.available_permits() == leases.available_permits() == 2
    assert not limiter.try_acquire()
except SystemExit:
    os._exit(0)
redisson.close()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_forked_child_releases_no_permit_of_its_parent(server: RedisServer) -> None:
    run(PROGRAM, server)
