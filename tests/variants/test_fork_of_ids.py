"""Parent and child never get the same id from a generator after a fork."""

import os

import pytest

from tests.support.server import RedisServer
from tests.variants.test_sync_only import run

PROGRAM = """
import os, threading, warnings
warnings.simplefilter("ignore", DeprecationWarning)  # threads and fork, since 3.12
from pyredisson import Redisson

redisson = Redisson.from_url(url)
ids = redisson.get_id_generator("ids")
assert ids.next_id() == 1
ids._lock.acquire()  # as if another thread were fetching a block
child = os.fork()
if child == 0:
    warnings.simplefilter("ignore")
    code = 1
    try:
        assert [ids.next_id() for _ in range(2)] == [5001, 5002]
        code = 0
    finally:
        os._exit(code)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
ids._lock.release()
assert ids.next_id() == 2
redisson.close()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_forked_child_takes_its_own_block_of_ids(server: RedisServer) -> None:
    run(PROGRAM, server)
