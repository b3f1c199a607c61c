"""Copies of a local cached map in a forked child, also after the child was suspended."""

import os

import pytest

from tests.support.server import RedisServer
from tests.variants.test_sync_only import run

PROGRAM = """
import os, signal, time, warnings
warnings.simplefilter("ignore")  # threads and fork, since 3.12; the child's sockets
from pyredisson import Redisson
from pyredisson.codecs import StringCodec


def until(condition):
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.001)


def copied(value):
    cached.get("k")
    return cached.get_cached_map() == {"k": value}


redisson = Redisson.from_url(url)
redisson.get_map("m", StringCodec()).put("k", "v")
cached = redisson.get_local_cached_map("m", StringCodec())
until(lambda: copied("v"))
redisson.get_map("m", StringCodec()).put("k", "told by nobody")
ready, told = os.pipe()
child = os.fork()
if child == 0:
    code = 1
    try:
        assert cached.get("k") == "told by nobody"  # its parent's copy is not its own
        until(lambda: copied("told by nobody"))
        os.write(told, b"x")
        until(lambda: cached.get("k") == "while it stood still")
        code = 0
    finally:
        os._exit(code)
os.read(ready, 1)
assert cached.get("k") == "v"
os.kill(child, signal.SIGSTOP)
cached.put("k", "while it stood still")
time.sleep(0.3)
os.kill(child, signal.SIGCONT)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
redisson.close()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_forked_child_has_its_own_copies(server: RedisServer) -> None:
    run(PROGRAM, server)
