"""Reads the settings with which a cluster client of redis-py connects.

The rule: the caller reads the settings once, because the client can lose its nodes later. Before
version 8, redis-py removes each node that it cannot reach; in an outage it can remove all nodes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from pyredisson._transport.errors import connection_error
from pyredisson._transport.settings import OWN_KEEPALIVE, warn_of_limit
from pyredisson.protocol.kernel.cluster import Address, Remap

__all__ = ["ClusterSettings", "cluster_settings", "cluster_settings_async"]


class ClusterSettings(NamedTuple):
    """How a cluster client connects.

    Attributes:
        connection_class: redis-py's class of connections.
        options: the arguments of this class. They include the address of one of the nodes.
        nodes: the addresses of the start nodes.
        remap: the client's `address_remap`, or None. It maps the addresses in the replies of nodes
            to addresses that this process can reach.
    """

    connection_class: Any
    options: dict[str, Any]
    nodes: list[Address]
    remap: Remap | None


def cluster_settings_async(client: Any) -> ClusterSettings:
    """Return how a cluster client connects.

    Raises:
        ServerConnectionError: the client has lost all its nodes.
    """
    nodes = _start_nodes(client)
    warn_of_limit(nodes[0])
    options = dict(nodes[0].connection_kwargs)
    if OWN_KEEPALIVE and options.get("socket_keepalive") is False:  # redis-py's default before 8
        options["socket_keepalive"] = None
    return _cluster_settings(client, nodes, nodes[0].connection_class, options)


def cluster_settings(client: Any) -> ClusterSettings:
    """Return how a cluster client connects.

    Raises:
        ServerConnectionError: the client has lost all its nodes.
    """
    nodes = _start_nodes(client)
    pool = client.get_redis_connection(nodes[0]).connection_pool
    warn_of_limit(pool)
    return _cluster_settings(client, nodes, pool.connection_class, dict(pool.connection_kwargs))


def _start_nodes(client: Any) -> list[Any]:
    known = client.nodes_manager
    if nodes := list((known.startup_nodes or known.nodes_cache).values()):
        return nodes
    raise connection_error(
        "this RedisCluster client knows no node any more: before version 8, redis-py forgets those "
        "that it cannot reach. Make a new client"
    )


def _cluster_settings(
    client: Any, nodes: list[Any], kind: Any, options: dict[str, Any]
) -> ClusterSettings:
    addresses = [(node.host, int(node.port)) for node in nodes]
    return ClusterSettings(kind, options, addresses, client.nodes_manager.address_remap)
