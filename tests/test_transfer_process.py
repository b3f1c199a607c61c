"""The transfer process and those around it: it ends with ours, and each fork has its own."""

import os
import signal
import subprocess
import sys
import warnings
from typing import Any

import redis
import redis.asyncio
import redis.sentinel

from pyredisson import AsyncRedisson, Redisson
from pyredisson._portable import client_from, portable
from pyredisson.codecs import StringCodec
from tests.support.processes import has_ended
from tests.support.topology import RedisCluster
from tests.support.twins import close_cluster_async, until

STARTS = """
import sys, time
from pyredisson import Redisson
from pyredisson.codecs import StringCodec
redisson = Redisson.from_url(sys.argv[1], codec=StringCodec(), transfer_process=True)
redisson.get_delayed_queue(redisson.get_queue("q"))
while not redisson.transfer_stats():
    pass
print(redisson._context.transfers._process.pid, flush=True)
time.sleep(60)
"""


def test_it_does_not_outlive_a_process_that_is_killed(url: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", STARTS, url], stdout=subprocess.PIPE, text=True
    ) as ours:
        assert ours.stdout is not None
        pid = int(ours.stdout.readline())
        assert not has_ended(pid)
        ours.send_signal(signal.SIGKILL)
    until(lambda: has_ended(pid), "it ends when its orders do")


def test_a_forked_child_has_its_own(url: str, raw: redis.Redis) -> None:
    with Redisson.from_url(url, codec=StringCodec(), transfer_process=True) as redisson:
        queue = redisson.get_blocking_queue("q")
        delayed = redisson.get_delayed_queue(queue)
        until(lambda: bool(redisson.transfer_stats()), "it runs")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 sees the threads
            child = os.fork()
        if child == 0:
            try:
                queue.poll()  # a call, as of any handle
                until(lambda: bool(redisson.transfer_stats()), "the child's runs")
                delayed.destroy()
                redisson.close()
            finally:
                os._exit(0 if redisson.transfer_stats() == [] else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        delayed.offer("a", delay=0.1)  # ours is as it was
        assert queue.poll(timeout=20) == "a"


async def test_in_a_cluster(cluster: RedisCluster) -> None:
    client: Any = redis.asyncio.RedisCluster.from_url(cluster.url)
    async with AsyncRedisson(client, codec=StringCodec(), transfer_process=True) as redisson:
        for name in ("one", "two", "three"):
            queue = redisson.get_blocking_queue(name)
            await redisson.get_delayed_queue(queue).offer(name, delay=0.1)
            assert await queue.poll(timeout=20) == name
    await close_cluster_async(client)


def again(client: Any) -> Any:
    """What another process would make of a client."""
    return client_from(portable(client))


def test_a_client_is_made_again() -> None:
    options: Any = {"host": "h", "port": 1, "db": 3, "username": "u", "password": "p"}
    given = again(redis.asyncio.Redis(**options, socket_timeout=1)).connection_pool
    assert given.connection_class is redis.Connection
    assert options.items() <= given.connection_kwargs.items()
    tls = again(redis.Redis(ssl=True, ssl_ca_certs="ca.pem")).connection_pool
    assert tls.connection_class is redis.SSLConnection
    assert tls.connection_kwargs["ssl_ca_certs"] == "ca.pem"
    unix = again(redis.asyncio.Redis(unix_socket_path="/s")).connection_pool
    assert unix.connection_class is redis.UnixDomainSocketConnection
    assert unix.connection_kwargs["path"] == "/s"


def test_a_client_of_sentinels_is_made_again() -> None:
    for world in (redis, redis.asyncio):
        sentinels: Any = world.sentinel.Sentinel(
            [("one", 1), ("two", 2)], min_other_sentinels=1, sentinel_kwargs={"password": "s"}
        )
        pool = again(sentinels.master_for("mine", ssl=True, password="p")).connection_pool
        assert pool.connection_class is redis.sentinel.SentinelManagedSSLConnection
        assert pool.connection_kwargs["password"] == "p"
        assert (pool.service_name, pool.is_master) == ("mine", True)
        manager = pool.sentinel_manager
        assert manager.min_other_sentinels == 1
        told = [each.connection_pool.connection_kwargs for each in manager.sentinels]
        assert [(each["host"], each["port"], each["password"]) for each in told] == [
            ("one", 1, "s"),
            ("two", 2, "s"),
        ]
