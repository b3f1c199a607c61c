"""Servers for the tests: one for all that leave it in order, one's own for those that do not.

A service that this machine has not skips a test here and fails it when CI=true.
"""

import os
import signal
from collections.abc import Iterator
from typing import Any

import pytest
import redis
from hypothesis import HealthCheck, settings

from pyredisson import Redisson
from pyredisson.codecs import StringCodec
from tests.support.collected import pytest_collection, pytest_collection_finish
from tests.support.order import begin_with
from tests.support.proxy import FaultProxy
from tests.support.server import RedisServer
from tests.support.tls import Certificates
from tests.support.topology import RedisCluster, SentinelGroup

__all__ = ["pytest_collection", "pytest_collection_finish"]

# How long an example takes says more of the machine than of us.
settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")


OLD_SERVER = "PYREDISSON_OLD_SERVER"
OLD = [f"{half}/link/test_old_server.py" for half in ("_async", "_sync")]
collect_ignore = [] if OLD_SERVER in os.environ else OLD  # the matrix runs them

LONG = [
    "test_smoke",
    "test_environments",
    "test_fault_storm",
    "test_fault_black_hole",
    "test_fault_scaling",
    "test_consumer_model",
    "test_fault_cluster",
    "test_fault_failover",
    "test_fault_promotion",
    "test_fault_frozen",
    "test_fault_frozen_worker",
    "test_fault_errors",
    "test_fault_consumers",
    "test_fault_close",
    "test_killed_between_commands",
    "test_schedule",
    "test_cli",
    "test_sync_only",
    "test_transfer_differential",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    begin_with(LONG, items)
    for item in items:
        if hasattr(getattr(item, "obj", None), "hypothesis") or item.path.stem.endswith("_model"):
            item.add_marker(pytest.mark.timeout(SHRINKING))


SHRINKING = 600
"""Seconds that hypothesis may take to make a failure small; a timeout in the midst of it would be
taken for another failure, and the test would never end."""


@pytest.fixture(scope="session", autouse=True)
def interruptible() -> None:
    """Hear Ctrl-C also in a shell's background, where it is ignored unless one asks for it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def without_telemetry(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Hide OpenTelemetry's SDK from the processes that tests start.

    redis-py imports it if it is there: a quarter of the time in which such a process starts.
    """
    folder = tmp_path_factory.mktemp("hides")
    (folder / "opentelemetry").mkdir()
    (folder / "opentelemetry" / "sdk.py").write_text("raise ModuleNotFoundError")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(folder), prepend=os.pathsep)
        yield


@pytest.fixture(autouse=True)
def the_same_handler() -> Iterator[None]:
    """Fail who leaves another handler of Ctrl-C behind: later tests would not be interrupted."""
    before = signal.getsignal(signal.SIGINT)
    yield
    assert signal.getsignal(signal.SIGINT) is before


@pytest.fixture(scope="session")
def session_server() -> Iterator[RedisServer]:
    """The one server of the session; ask for ``server`` instead."""
    with RedisServer() as server:
        yield server


@pytest.fixture(scope="module")
def shared_server(session_server: RedisServer) -> RedisServer:
    """The same, without the connections that the tests of other files left open."""
    session_server.run("CLIENT", "KILL", "SKIPME", "yes")
    return session_server


@pytest.fixture
def server(shared_server: RedisServer) -> RedisServer:
    """The session's server, emptied of keys and scripts; not to be stopped, frozen, configured."""
    shared_server.empty()
    return shared_server


@pytest.fixture
def url(server: RedisServer) -> str:
    """Address of the empty database 0 of ``server``."""
    return server.url


@pytest.fixture
def raw(server: RedisServer) -> Iterator[redis.Redis]:
    """A plain client of ``server`` that answers in bytes, to look at what the library did."""
    with redis.Redis(port=server.port) as client:
        yield client


@pytest.fixture(scope="module")
def world(shared_server: RedisServer) -> Iterator[tuple[Any, Redisson]]:
    """What a model is held against: a plain client, and ours, for the tests of a module."""
    with (
        shared_server.client() as raw,
        Redisson.from_url(shared_server.url, codec=StringCodec()) as redisson,
    ):
        yield raw, redisson


@pytest.fixture
def own_server() -> Iterator[RedisServer]:
    """A server of this test alone, with every write on disk: to be killed, frozen, configured."""
    with RedisServer(aof=True) as server:
        yield server


@pytest.fixture
def proxy(server: RedisServer) -> Iterator[FaultProxy]:
    """A proxy in front of ``server``."""
    with FaultProxy(server) as proxy:
        yield proxy


@pytest.fixture(scope="session")
def shared_cluster() -> Iterator[RedisCluster]:
    """The one cluster of the session; ask for ``cluster`` instead."""
    with RedisCluster() as cluster:
        yield cluster


@pytest.fixture(scope="module")
def cluster(shared_cluster: RedisCluster) -> RedisCluster:
    """Three masters without replicas, emptied for each module, not for each test."""
    shared_cluster.renew()
    return shared_cluster


@pytest.fixture
def partial(cluster: RedisCluster) -> Iterator[RedisCluster]:
    """The cluster, whose nodes serve their slots while another one is away."""
    for server in cluster.servers:
        server.run("CONFIG", "SET", "cluster-require-full-coverage", "no")
    yield cluster
    for server in cluster.servers:
        server.run("CONFIG", "SET", "cluster-require-full-coverage", "yes")


@pytest.fixture
def cluster_with_replicas() -> Iterator[RedisCluster]:
    """Three masters and three replicas of this test alone: masters may be killed."""
    with RedisCluster(replicas=1) as cluster:
        yield cluster


@pytest.fixture
def sentinels() -> Iterator[SentinelGroup]:
    """A master, a replica and three Sentinels of this test alone: the master may be killed."""
    with SentinelGroup() as group:
        yield group


@pytest.fixture(scope="session")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    """A CA, a server's certificate, and a client's."""
    return Certificates.make(tmp_path_factory.mktemp("certificates"))
