"""Copies the settings of a redis-py client, so that another process can make a similar client.

The rule: copy how to reach the servers (address, credentials, TLS) and the settings in `_SOCKET`.
Do not copy other settings of this process, such as retries and `socket_timeout`.
"""

from __future__ import annotations

import io
import pickle
import sys
from typing import Any

import redis
import redis.cluster
import redis.connection
import redis.sentinel

from pyredisson._transport.cluster_settings import cluster_settings, cluster_settings_async
from pyredisson._transport.connections import AsyncRedisCluster, Redis, RedisCluster
from pyredisson._transport.sentinel_settings import watchers_of

__all__ = ["client_from", "portable"]

_ADDRESS = frozenset({"host", "port", "path", "db", "username", "password", "credential_provider"})
_SOCKET = ("socket_connect_timeout", "socket_keepalive", "client_name", "health_check_interval")
_PROGRAMS = ("__main__", "__mp_main__")
"""The names of the program's main module, in this process and in children of `multiprocessing`."""


def portable(client: Any) -> dict[str, Any]:
    """Return the settings from which `client_from` makes a sync client of the same servers.

    The result can be pickled for another process.

    Raises:
        TypeError: the client has a connection class that is not redis-py's, or a setting that
            cannot be pickled for another process.
        ServerConnectionError: a cluster client has lost all its nodes.
    """
    watchers = None
    if isinstance(client, AsyncRedisCluster | RedisCluster):
        settings = (
            cluster_settings_async if isinstance(client, AsyncRedisCluster) else cluster_settings
        )
        kind, given, nodes, remap = settings(client)
    else:
        pool, nodes, remap = client.connection_pool, [], None
        kind, given, watchers = pool.connection_class, pool.connection_kwargs, watchers_of(client)
    found: dict[str, Any] = {"nodes": nodes, "remap": remap, "master": _copied(kind, given)}
    if watchers is not None:
        found["sentinels"] = [_copied(*each) for each in watchers.sentinels]
        found["watched"] = (watchers.name, watchers.min_others, watchers.forced_host)
    try:
        _Pickler(io.BytesIO()).dump(found)
    except Exception as error:
        raise TypeError(_not_portable(f"cannot be copied to another process ({error})")) from error
    return found


class _Pickler(pickle.Pickler):
    """A pickler that rejects values whose class or function another process cannot import."""

    def reducer_override(self, each: Any) -> Any:
        """Check the module that defines a class, a function, or the class of a value."""
        thing = each if hasattr(each, "__qualname__") else type(each)
        module = sys.modules.get(str(thing.__module__))
        if thing.__module__ in _PROGRAMS or getattr(module, "__spec__", None) is None:
            raise TypeError(
                f"{thing.__qualname__} is defined in the main module, which another process "
                "cannot import; define it in a module of its own"
            )
        return NotImplemented


def _not_portable(why: str) -> str:
    return (
        f"transfer_process=True: the connections of this client {why}; "
        "run `pyredisson transfer` instead"
    )


def _copied(kind: Any, given: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    if not kind.__module__.startswith("redis."):
        raise TypeError(_not_portable(f"have a class that is not redis-py's, {kind.__qualname__}"))
    return kind.__name__, {
        key: value
        for key, value in given.items()
        if key in _ADDRESS
        or key in _SOCKET
        or key.startswith("ssl_")
        or (key == "socket_keepalive_options" and isinstance(value, dict))
    }


def client_from(found: dict[str, Any]) -> Redis | RedisCluster:
    """Make a sync client from the result of `portable`; only a cluster client connects.

    Errors of redis-py are not translated; see `urls.translating`.
    """
    name, given = found["master"]
    if found["nodes"]:
        node: Any = redis.cluster.ClusterNode
        nodes = [node(*each) for each in found["nodes"]]
        given = {key: value for key, value in given.items() if key not in ("host", "port", "db")}
        return RedisCluster(
            startup_nodes=nodes, address_remap=found["remap"], ssl="SSL" in name, **given
        )
    if "watched" not in found:
        return _client(name, given)
    make: Any = redis.sentinel.Sentinel
    service, min_others, forced = found["watched"]
    manager = make([], min_other_sentinels=min_others)
    manager.sentinels = [_client(*each) for each in found["sentinels"]]
    manager._force_master_ip = forced
    client: Redis = manager.master_for(service, ssl="SSL" in name, **given)
    return client


def _client(name: str, given: dict[str, Any]) -> Redis:
    pool: Any = redis.ConnectionPool
    return Redis(connection_pool=pool(connection_class=getattr(redis.connection, name), **given))
