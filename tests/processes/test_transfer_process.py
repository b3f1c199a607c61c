"""The transfer process ends with its parent, and each forked child has its own."""

import os
import pickle
import re
import signal
import subprocess
import sys
import warnings
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import redis
import redis.asyncio
import redis.sentinel

from pyredisson import AsyncRedisson, Redisson
from pyredisson._transport.portable import client_from, portable
from pyredisson.codecs import StringCodec
from pyredisson.protocol.kernel.cluster import Address
from tests.support.processes import has_ended
from tests.support.topology import RedisCluster
from tests.support.twins import PATIENCE, close_cluster_async, until

ROOT = Path(__file__).parents[2]
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


IN_MAIN = """
import redis
from pyredisson import Redisson
class Provider(redis.CredentialProvider):
    def get_credentials(self):
        return ()
if __name__ == "__main__":
    try:
        Redisson(redis.Redis(credential_provider=Provider()), transfer_process=True)
    except TypeError as error:
        print(error)
"""
SPAWNED = (
    IN_MAIN.replace('if __name__ == "__main__":', "def spawned():")
    + """
if __name__ == "__main__":
    import multiprocessing
    process = multiprocessing.get_context("spawn").Process(target=spawned)
    process.start()
    process.join()
"""
)
NOT_ITS_OWN = "Provider is defined in the main module.*a module of its own.*`pyredisson transfer`"


@pytest.mark.parametrize("how", ["file", "-c", "-m", "-i", "spawn"])
def test_class_defined_in_the_main_module_is_refused(tmp_path: Path, how: str) -> None:
    """Another process has another main module: it would crash again and again."""
    program = tmp_path / "program.py"
    program.write_text(SPAWNED if how == "spawn" else IN_MAIN)
    words = {"-c": ["-c", IN_MAIN], "-m": ["-m", "program"], "-i": ["-i"]}
    given = IN_MAIN.replace("()\nif", "()\n\nif") + "\n" if how == "-i" else None
    done = subprocess.run(
        [sys.executable, *words.get(how, [str(program)])],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
        input=given,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert re.search(NOT_ITS_OWN, done.stdout), done.stderr


class Provider(redis.CredentialProvider):
    """A class that another process can import, with an object of the test."""

    def __init__(self, more: object = None) -> None:
        self.more = more


@pytest.mark.parametrize("more", [None, os.getpid, partial(os.getpid), Path, "text"])
def test_importable_objects_are_copied(more: object) -> None:
    found = pickle.loads(pickle.dumps(portable(redis.Redis(credential_provider=Provider(more)))))
    assert type(found["master"][1]["credential_provider"].more) is type(more)


def test_class_without_a_file_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A notebook or a test may add such a module to `sys.modules`."""
    module = ModuleType("made_up")
    exec("class Thing:\n    pass", vars(module))
    monkeypatch.setitem(sys.modules, "made_up", module)
    client = redis.Redis(credential_provider=Provider(partial(print, module.Thing())))
    with pytest.raises(TypeError, match="Thing is defined in the main module"):
        portable(client)


def test_frozen_program_cannot_start_a_transfer_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """A frozen program would run as a whole, and start itself again."""
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    with pytest.raises(TypeError, match=r"transfer_process=True: .* is no Python"):
        Redisson(redis.Redis(), transfer_process=True)


def test_transfer_process_ends_with_a_killed_parent(url: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", STARTS, url], stdout=subprocess.PIPE, text=True
    ) as ours:
        assert ours.stdout is not None
        pid = int(ours.stdout.readline())
        assert not has_ended(pid)
        ours.send_signal(signal.SIGKILL)
    until(lambda: has_ended(pid), "it ends when its orders do")


def test_forked_child_has_its_own_transfer_process(url: str, raw: redis.Redis) -> None:
    with Redisson.from_url(url, codec=StringCodec(), transfer_process=True) as redisson:
        queue = redisson.get_blocking_queue("q")
        delayed = redisson.get_delayed_queue(queue)
        until(lambda: bool(redisson.transfer_stats()), "it runs")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 sees the threads
            child = os.fork()
        if child == 0:
            try:
                queue.poll()  # any call of a handle
                until(lambda: bool(redisson.transfer_stats()), "the child's runs")
                delayed.destroy()
                redisson.close()
            finally:
                os._exit(0 if redisson.transfer_stats() == [] else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        delayed.offer("a", delay=0.1)  # the parent's transfer process still works
        assert queue.poll(timeout=PATIENCE) == "a"


async def test_transfer_process_serves_a_cluster(cluster: RedisCluster) -> None:
    client: Any = redis.asyncio.RedisCluster.from_url(cluster.url)
    async with AsyncRedisson(client, codec=StringCodec(), transfer_process=True) as redisson:
        for name in ("one", "two", "three"):
            queue = redisson.get_blocking_queue(name)
            await redisson.get_delayed_queue(queue).offer(name, delay=0.1)
            assert await queue.poll(timeout=PATIENCE) == name
    await close_cluster_async(client)


def again(client: Any) -> Any:
    """Return the client that another process would make of a client."""
    return client_from(portable(client))


def through_a_tunnel(address: Address) -> Address:
    return address


def test_address_remap_is_copied(cluster: RedisCluster) -> None:
    with (
        cluster.client(address_remap=through_a_tunnel) as client,
        again(client) as copied,
    ):
        assert copied.nodes_manager.address_remap is through_a_tunnel
    with (
        cluster.client(address_remap=lambda address: address) as client,
        pytest.raises(TypeError, match="cannot be copied to another process"),
    ):
        portable(client)


def test_client_is_copied_with_its_options() -> None:
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


def test_client_of_sentinels_is_copied_with_its_options() -> None:
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
