"""Fixtures: a server that all tests share, and servers, clusters and proxies of a single test.

If a service is not available on this machine, its tests are skipped; with CI=true they fail.
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
from pyredisson.protocol.delayed import batches
from tests.support.collected import pytest_collection, pytest_collection_finish
from tests.support.order import begin_with
from tests.support.proxy import FaultProxy
from tests.support.server import RedisServer
from tests.support.tls import Certificates
from tests.support.topology import RedisCluster, SentinelGroup

__all__ = ["pytest_collection", "pytest_collection_finish"]

# The time that an example takes depends on the machine more than on pyredisson.
settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")


OLD_SERVER = "PYREDISSON_OLD_SERVER"
OLD = [f"{half}/link/test_old_server.py" for half in ("_async", "_sync")]
collect_ignore = [] if OLD_SERVER in os.environ else OLD  # scripts/test-matrix runs them

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
"""Seconds in which hypothesis may shrink a failing example.

hypothesis counts a timeout inside an example as another failure: the test would never end.
"""


@pytest.fixture
def full_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make each batch of an iterator end after 250 items, also on a slow machine."""
    monkeypatch.setattr(batches, "_SECONDS", 600)


@pytest.fixture(scope="session", autouse=True)
def interruptible() -> None:
    """Enable Ctrl-C: a process in the background of a shell ignores SIGINT by default."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def without_telemetry(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Hide OpenTelemetry's SDK from the processes that tests start.

    redis-py imports it if it is installed, which takes a quarter of the start of such a process.
    """
    folder = tmp_path_factory.mktemp("hides")
    (folder / "opentelemetry").mkdir()
    (folder / "opentelemetry" / "sdk.py").write_text("raise ModuleNotFoundError")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(folder), prepend=os.pathsep)
        yield


@pytest.fixture(autouse=True)
def the_same_handler() -> Iterator[None]:
    """Fail a test that leaves another handler of Ctrl-C: Ctrl-C would not interrupt later tests."""
    before = signal.getsignal(signal.SIGINT)
    yield
    assert signal.getsignal(signal.SIGINT) is before


@pytest.fixture(scope="session")
def session_server() -> Iterator[RedisServer]:
    """The only server of the session; tests use ``server`` instead."""
    with RedisServer() as server:
        yield server


@pytest.fixture(scope="module")
def shared_server(session_server: RedisServer) -> RedisServer:
    """The session's server, without the connections that tests of other files left open."""
    session_server.run("CLIENT", "KILL", "SKIPME", "yes")
    return session_server


@pytest.fixture
def server(shared_server: RedisServer) -> RedisServer:
    """The session's server, without keys and scripts; tests must not stop, freeze, configure it."""
    shared_server.empty()
    return shared_server


@pytest.fixture
def url(server: RedisServer) -> str:
    """Address of the empty database 0 of ``server``."""
    return server.url


@pytest.fixture
def raw(server: RedisServer) -> Iterator[redis.Redis]:
    """A redis-py client of ``server`` that returns bytes, to check what pyredisson did."""
    with redis.Redis(port=server.port) as client:
        yield client


@pytest.fixture(scope="module")
def world(shared_server: RedisServer) -> Iterator[tuple[Any, Redisson]]:
    """A redis-py client and a pyredisson client, which all tests of a module share."""
    with (
        shared_server.client() as raw,
        Redisson.from_url(shared_server.url, codec=StringCodec()) as redisson,
    ):
        yield raw, redisson


@pytest.fixture
def own_server() -> Iterator[RedisServer]:
    """A server of this test alone, with every write on disk, to kill, freeze or configure."""
    with RedisServer(aof=True) as server:
        yield server


@pytest.fixture
def proxy(server: RedisServer) -> Iterator[FaultProxy]:
    """A proxy in front of ``server``."""
    with FaultProxy(server) as proxy:
        yield proxy


@pytest.fixture(scope="session")
def shared_cluster() -> Iterator[RedisCluster]:
    """The only cluster of the session; tests use ``cluster`` instead."""
    with RedisCluster() as cluster:
        yield cluster


@pytest.fixture(scope="module")
def cluster(shared_cluster: RedisCluster) -> RedisCluster:
    """Three masters without replicas. They are emptied before each module, not before each test."""
    shared_cluster.renew()
    return shared_cluster


@pytest.fixture
def partial(cluster: RedisCluster) -> Iterator[RedisCluster]:
    """The cluster; its nodes continue to serve their slots while another node is stopped."""
    for server in cluster.servers:
        server.run("CONFIG", "SET", "cluster-require-full-coverage", "no")
    yield cluster
    for server in cluster.servers:
        server.run("CONFIG", "SET", "cluster-require-full-coverage", "yes")


@pytest.fixture
def cluster_with_replicas() -> Iterator[RedisCluster]:
    """Three masters and three replicas of this test alone; the test may kill masters."""
    with RedisCluster(replicas=1) as cluster:
        yield cluster


@pytest.fixture
def sentinels() -> Iterator[SentinelGroup]:
    """A master, a replica and three Sentinels of this test alone; the test may kill the master."""
    with SentinelGroup() as group:
        yield group


@pytest.fixture(scope="session")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    """A CA, a server's certificate, and a client's."""
    return Certificates.make(tmp_path_factory.mktemp("certificates"))
