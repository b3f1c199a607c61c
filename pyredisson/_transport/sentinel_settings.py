"""Reads which Sentinels a redis-py client uses; adapts connections to a master.

The names are pairs, as in `_runtime/concurrency`: `x_async` and `x`, `AsyncX` and `X`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import redis
import redis.asyncio

from pyredisson._transport.errors import ServerConnectionError


@dataclass(frozen=True, slots=True)
class SentinelSettings:
    """The Sentinels from which a client gets the address of its master.

    Attributes:
        name: the master's name.
        sentinels: the connection class and the settings for each Sentinel.
        min_others: the minimum of other Sentinels that a Sentinel must know. The replies of a
            Sentinel that knows fewer are ignored.
        forced_host: replaces the host in the replies of Sentinels; None to use their host.
    """

    name: str
    sentinels: list[tuple[Any, dict[str, Any]]]
    min_others: int
    forced_host: str | None


def watchers_of(client: Any) -> SentinelSettings | None:
    """Return a client's Sentinels; None if `Sentinel.master_for` did not make the client."""
    pool = client.connection_pool
    manager = getattr(pool, "sentinel_manager", None)
    if manager is None or not pool.is_master:
        return None
    pools = [sentinel.connection_pool for sentinel in manager.sentinels]
    return SentinelSettings(
        pool.service_name,
        [(each.connection_class, each.connection_kwargs) for each in pools],
        manager.min_other_sentinels,
        getattr(manager, "_force_master_ip", None),  # since redis-py 5.1
    )


class AsyncMasterNotFoundError(
    ServerConnectionError,
    redis.asyncio.sentinel.MasterNotFoundError,
):
    """No Sentinel has returned a current address of the master."""


class MasterNotFoundError(ServerConnectionError, redis.sentinel.MasterNotFoundError):
    """No Sentinel has returned a current address of the master."""


class _Master:
    """Replaces the pool of a redis-py connection to a master, and returns a given address.

    So the connection sends no request to a Sentinel.
    """

    is_master = True

    def __init__(self, pool: Any, address: tuple[str, int]) -> None:
        self.service_name = pool.service_name
        self.check_connection = pool.check_connection
        self.address = address

    def get_master_address(self) -> Any:
        return self.address


class _AsyncMaster(_Master):
    async def get_master_address(self) -> Any:
        return self.address


def master_settings_async(
    settings: dict[str, Any], pool: Any, address: tuple[str, int]
) -> dict[str, Any]:
    """Return the settings of a connection to the master at an address."""
    return {**settings, "connection_pool": _AsyncMaster(pool, address)}


def master_settings(
    settings: dict[str, Any], pool: Any, address: tuple[str, int]
) -> dict[str, Any]:
    """Return the settings of a connection to the master at an address."""
    return {**settings, "connection_pool": _Master(pool, address)}
