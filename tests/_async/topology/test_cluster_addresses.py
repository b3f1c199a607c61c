"""The addresses of a cluster's nodes: without a host, mapped by the client, lost by the client."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import redis
import redis.asyncio

from pyredisson import AsyncRedisson
from pyredisson.codecs import StringCodec
from pyredisson.protocol.kernel.cluster import Address
from tests.support.topology import RedisCluster
from tests.support.twins import close_cluster_async

HOST = "node.invalid"


@pytest.fixture
async def client(cluster: RedisCluster) -> AsyncIterator[Any]:
    client: Any = redis.asyncio.RedisCluster.from_url(cluster.url)
    yield client
    await close_cluster_async(client)


def names(cluster: RedisCluster, prefix: str) -> list[str]:
    """A key on each of the nodes."""
    homes = {cluster.master_of(f"{prefix}{n}".encode()).port: f"{prefix}{n}" for n in range(40)}
    assert len(homes) == 3
    return list(homes.values())


def not_home(cluster: RedisCluster, key: bytes) -> Any:
    home = cluster.master_of(key)
    return next(server for server in cluster.servers if server is not home)


@pytest.mark.parametrize("kind", ["unknown-endpoint", "hostname"])
async def test_a_redirection_without_a_host(cluster: RedisCluster, client: Any, kind: str) -> None:
    """It has the port alone, as `:6379` or `?:6379`: the host is that of the node that answers."""
    async with AsyncRedisson(client, codec=StringCodec()) as redisson:
        queue = redisson.get_queue(f"to {kind}")
        key = queue.name.encode()
        assert await queue.size() == 0
        target = not_home(cluster, key)
        with cluster.naming(kind):
            cluster.begin_move(key, target)
            await queue.add("asked")
            cluster.finish_move(key, target)
            await queue.add("moved")
        assert await queue.read_all() == ["asked", "moved"]


async def test_address_remap(cluster: RedisCluster) -> None:
    """As for a tunnel: the nodes name hosts that only their own network knows."""
    asked: list[Address] = []

    def local(address: Address) -> Address:
        asked.append(address)
        return "127.0.0.1", address[1]

    with cluster.naming("hostname", HOST):
        client: Any = redis.asyncio.RedisCluster.from_url(cluster.url, address_remap=local)
        async with AsyncRedisson(client, codec=StringCodec()) as redisson:
            queues = [redisson.get_queue(name) for name in names(cluster, "mapped")]
            for queue in queues:
                await queue.add("x")
            key = queues[0].name.encode()
            target = not_home(cluster, key)
            cluster.begin_move(key, target)
            await queues[0].poll()
            await queues[0].add("asked")
            cluster.finish_move(key, target)
            await queues[0].add("moved")
            found = [await queue.read_all() for queue in queues]
        await close_cluster_async(client)
    assert found == [["asked", "moved"], ["x"], ["x"]]
    assert (HOST, target.port) in asked


async def test_a_client_that_loses_its_start_nodes(
    cluster: RedisCluster, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """redis-py 5 and 6 remove start nodes that they cannot reach, and keep none in an outage."""
    nodes = client.nodes_manager
    assert await client.ping()
    async with AsyncRedisson(client, codec=StringCodec()) as redisson:
        monkeypatch.setattr(nodes, "startup_nodes", {})
        async with AsyncRedisson(client, codec=StringCodec()) as another:
            for name in names(cluster, "lost"):
                assert await redisson.get_queue(name).add("x")
                assert await another.get_queue(name).poll() == "x"
    monkeypatch.setattr(nodes, "nodes_cache", {})
    for transfer_process in (False, True):
        with pytest.raises(redis.ConnectionError, match=r"knows no node any more.*new client"):
            AsyncRedisson(client, transfer_process=transfer_process)
    monkeypatch.undo()  # the client closes its connections
