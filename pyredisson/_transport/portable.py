"""A redis-py client of either world as data, and made again from that in another process.

The rule: what it takes to reach the servers is copied, how this process talks to them is not.
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

from pyredisson._transport.connections import (
    AsyncRedisCluster,
    Redis,
    RedisCluster,
    cluster_settings,
    cluster_settings_async,
)
from pyredisson._transport.sentinel_settings import watchers_of

__all__ = ["client_from", "portable"]

_REACHES = frozenset({"host", "port", "path", "db", "username", "password", "credential_provider"})
_HOW = ("socket_connect_timeout", "socket_keepalive", "client_name", "health_check_interval")
_PROGRAMS = ("__main__", "__mp_main__")
"""What the module is called that is run, and what `multiprocessing` calls it in its children."""


def portable(client: Any) -> dict[str, Any]:
    """Return how a client reaches its server, for `client_from` in another process.

    Raises:
        TypeError: its connections are of a class of its own, or have what cannot be copied.
    """
    watchers = None
    if isinstance(client, AsyncRedisCluster | RedisCluster):
        settings = (
            cluster_settings_async if isinstance(client, AsyncRedisCluster) else cluster_settings
        )
        kind, given, nodes = settings(client)
    else:
        pool, nodes = client.connection_pool, []
        kind, given, watchers = pool.connection_class, pool.connection_kwargs, watchers_of(client)
    found: dict[str, Any] = {"nodes": nodes, "master": _reached(kind, given)}
    if watchers is not None:
        found["sentinels"] = [_reached(*each) for each in watchers.sentinels]
        found["watched"] = (watchers.name, watchers.min_others, watchers.forced_host)
    try:
        _Pickler(io.BytesIO()).dump(found)
    except Exception as error:
        raise TypeError(_not_portable(f"cannot be copied ({error})")) from error
    return found


class _Pickler(pickle.Pickler):
    """Refuses what another process cannot import."""

    def reducer_override(self, each: Any) -> Any:
        """Look where a class or function is defined, or the class of a value."""
        thing = each if hasattr(each, "__qualname__") else type(each)
        module = sys.modules.get(str(thing.__module__))
        if thing.__module__ in _PROGRAMS or getattr(module, "__spec__", None) is None:
            raise TypeError(
                f"{thing.__qualname__} is defined in the program itself, which another process "
                "does not import; define it in a module of its own"
            )
        return NotImplemented


def _not_portable(why: str) -> str:
    return (
        f"transfer_process=True: the connections of this client {why}; "
        "run `pyredisson transfer` beside instead"
    )


def _reached(kind: Any, given: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    if not kind.__module__.startswith("redis."):
        raise TypeError(_not_portable(f"are of a class of their own, {kind.__qualname__}"))
    return kind.__name__, {
        key: value
        for key, value in given.items()
        if key in _REACHES
        or key in _HOW
        or key.startswith("ssl_")
        or (key == "socket_keepalive_options" and isinstance(value, dict))
    }


def client_from(found: dict[str, Any]) -> Redis | RedisCluster:
    """Make a client of what `portable` returned; only a cluster's connects."""
    name, given = found["master"]
    if found["nodes"]:
        node: Any = redis.cluster.ClusterNode
        nodes = [node(*each) for each in found["nodes"]]
        given = {key: value for key, value in given.items() if key not in ("host", "port", "db")}
        return RedisCluster(startup_nodes=nodes, ssl="SSL" in name, **given)
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
