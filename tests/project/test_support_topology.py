"""The tests' own cluster and Sentinels do what their docstrings say."""

from typing import Any

import pytest
import redis

from tests.support.server import RedisServer
from tests.support.topology import RedisCluster, SentinelGroup


def test_each_slot_has_a_master(cluster: RedisCluster) -> None:
    with cluster.client() as client:
        for number in range(30):
            assert client.set(f"k{number}", number)
    assert {cluster.master_of(b"k%d" % number).port for number in range(30)} == {
        server.port for server in cluster.servers
    }


def test_a_slot_moves_with_its_keys(cluster: RedisCluster) -> None:
    source = cluster.master_of(b"{move}")
    target = next(server for server in cluster.servers if server is not source)
    source.client().set("{move}1", "v")
    cluster.begin_move(b"{move}", target)
    assert redirection(source, "{move}2") == ("ask", target.port)
    cluster.finish_move(b"{move}", target)
    assert redirection(source, "{move}1") == ("moved", target.port)
    assert target.client().get("{move}1") == b"v"


def redirection(server: RedisServer, key: str) -> tuple[str, int]:
    """Return the kind and the port of the redirection for a read of ``key``."""
    with pytest.raises(redis.ResponseError) as caught:
        server.run("GET", key)
    # redis-py 5.0 leaves the kind in the text, later releases make it the class.
    text = f"{type(caught.value).__name__} {caught.value}".lower()
    return "ask" if "ask" in text else "moved", int(text.rpartition(":")[2])


def test_replicas_take_over_as_planned_and_after_a_crash(
    cluster_with_replicas: RedisCluster,
) -> None:
    cluster = cluster_with_replicas
    first = cluster.master_of(b"k")
    first.client().set("k", "v")
    second = cluster.failover(b"k")
    assert (second is first, second.client().get("k")) == (False, b"v")
    third = cluster.kill_master_of(b"k")
    assert third is first
    assert third.client().get("k") == b"v"


def test_sentinels_choose_the_replica(sentinels: SentinelGroup) -> None:
    old = sentinels.master
    client: Any = sentinels.sentinel()
    master = client.master_for(sentinels.service_name)
    master.set("k", "v")
    master.wait(1, 5000)
    new = sentinels.kill_master()
    assert new is not old
    assert new.client().set("k2", "v")
    assert new.client().get("k") == b"v"
    for one in (master, *client.sentinels):
        one.close()
