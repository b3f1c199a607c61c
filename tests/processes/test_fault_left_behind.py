"""A process or event loop has found a node silent; another one uses the same client."""

import asyncio
import os
import subprocess
import sys

import pytest
from redis.asyncio import RedisCluster

from pyredisson import AsyncRedisson
from pyredisson.codecs import StringCodec
from tests.support.topology import RedisCluster as Servers
from tests.support.topology import wait_until
from tests.support.twins import PATIENCE

CHILD = """
import os, sys, time, warnings
warnings.simplefilter('ignore', DeprecationWarning)  # threads and fork, since 3.12
from redis import RedisCluster
from pyredisson import Redisson
from pyredisson.codecs import StringCodec
url, one, two = sys.argv[1:]
redisson = Redisson(RedisCluster.from_url(url), codec=StringCodec(), response_timeout=600)
queue = redisson.get_blocking_queue(two)
assert queue.poll_from_any(0, one) is None
print("freeze", flush=True)
sys.stdin.readline()
assert queue.poll_from_any(0.1, one) is None
assert redisson._context.link.abandoned
child = os.fork()
if child == 0:
    print("forked", flush=True)
    sys.stdin.readline()
    print(queue.poll_from_any(15, one), flush=True)
    os._exit(0)
os.waitpid(child, 0)
os._exit(0)
"""


def said(process: subprocess.Popen[str]) -> str:
    """Return the next line that a process prints."""
    assert process.stdout is not None
    return process.stdout.readline().strip()


def go_on(process: subprocess.Popen[str]) -> str:
    """Let a process continue, and return the next line that it prints."""
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()
    return said(process)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_forked_child_asks_a_node_that_did_not_answer_its_parent(cluster: Servers) -> None:
    """The threads that wait for the node's answer exist only in the parent."""
    one, two = cluster.names_of_two("forked")
    frozen = cluster.master_of(one.encode())
    with (
        cluster.serving_the_rest(),
        subprocess.Popen(
            [sys.executable, "-c", CHILD, cluster.url, one, two],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as process,
    ):
        assert said(process) == "freeze"
        frozen.pause()
        try:
            assert go_on(process) == "forked"
        finally:
            frozen.resume()
        frozen.run("RPUSH", one, "x")
        wait_until(lambda: frozen.run("LLEN", one) == 1, "no thread of the parent has it")
        assert go_on(process) == "x"


def test_a_node_that_rested_in_one_loop_is_asked_in_the_next(cluster: Servers) -> None:
    """The task that asks the node has ended with its loop."""

    async def find_out() -> None:
        assert await queue.poll() is None
        frozen.pause()
        assert await queue.poll(timeout=1) is None

    async def poll() -> str | None:
        found = await queue.poll(timeout=PATIENCE)
        await redisson.aclose()
        await client.aclose()
        return found

    client = RedisCluster.from_url(cluster.url)
    redisson = AsyncRedisson(client, codec=StringCodec(), response_timeout=1)
    queue = redisson.get_sharded_queue("loops", 12, transfer=False)
    frozen = cluster.master_of(queue.names[0].encode())
    with cluster.serving_the_rest():
        try:
            asyncio.run(find_out())
        finally:
            frozen.resume()
        frozen.run("RPUSH", queue.names[0], "x")
        assert asyncio.run(poll()) == "x"
