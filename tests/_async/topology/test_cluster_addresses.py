"""The addresses of a cluster's nodes: without a host, remapped, or lost by the redis-py client."""

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
    """Return one name for each node."""
    homes = {cluster.master_of(f"{prefix}{n}".encode()).port: f"{prefix}{n}" for n in range(40)}
    assert len(homes) == 3
    return list(homes.values())


def not_home(cluster: RedisCluster, key: bytes) -> Any:
    home = cluster.master_of(key)
    return next(server for server in cluster.servers if server is not home)


@pytest.mark.parametrize("kind", ["unknown-endpoint", "hostname"])
async def test_redirection_without_a_host_is_followed(
    cluster: RedisCluster, client: Any, kind: str
) -> None:
    """The redirection has only a port, as `:6379` or `?:6379`; the host is the answering node's."""
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


async def test_address_remap_of_the_client_is_used(cluster: RedisCluster) -> None:
    """The nodes name hosts that only their own network knows, as behind a tunnel."""
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


async def test_client_that_loses_its_start_nodes_still_works(
    cluster: RedisCluster, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """redis-py before 8 removes start nodes that it cannot reach, and keeps none in an outage."""
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
