"""The connection settings of a redis-py client, adapted for pyredisson.

The rule: the user's settings apply, except those that pyredisson's own retries, timeouts and checks
of idle connections replace.
"""

from __future__ import annotations

import socket
from typing import Any

from redis import connection
from redis.backoff import NoBackoff
from redis.retry import Retry

_NOT_OURS = ("maint_", "oss_", "orig_", "maintenance_")


def settings_for(given: dict[str, Any], timeout: float, socket_timeout: Any) -> dict[str, Any]:
    """Return a client's connection settings with pyredisson's retries, decoding and timeouts."""
    settings = {key: value for key, value in given.items() if not key.startswith(_NOT_OURS)}
    connect_timeout = settings.get("socket_connect_timeout")
    settings.update(
        retry=Retry(NoBackoff(), 0),
        retry_on_timeout=False,
        retry_on_error=[],
        decode_responses=False,
        health_check_interval=0,
        protocol=2,
        socket_timeout=socket_timeout,
        socket_connect_timeout=min(connect_timeout or timeout, timeout),
    )
    if "path" not in settings:
        _keep_alive(settings)
    return settings


_KEEPALIVE = {("TCP_KEEPIDLE", "TCP_KEEPALIVE"): 30, ("TCP_KEEPINTVL",): 5, ("TCP_KEEPCNT",): 3}
"""redis-py 8's defaults, in seconds, and a count. macOS has another name for the first one."""
OWN_KEEPALIVE = not hasattr(connection, "get_default_socket_keepalive_options")
"""Whether redis-py (before 8) has no defaults: the system's would be two hours."""


def _keep_alive(settings: dict[str, Any]) -> None:
    """Turn on TCP keepalive, unless the user has turned it off."""
    if settings.get("socket_keepalive") is None:
        settings["socket_keepalive"] = True
    if OWN_KEEPALIVE and settings.get("socket_keepalive_options") is None:
        settings["socket_keepalive_options"] = keepalive_options(socket)


def keepalive_options(names: Any) -> dict[int, int]:
    """Return the keepalive options by their numbers on this system; `names` is `socket`."""
    options: dict[int, int] = {}
    for known, value in _KEEPALIVE.items():
        found = [getattr(names, name) for name in known if hasattr(names, name)]
        options |= dict.fromkeys(found[:1], value)
    return options


REST = 30.0
"""Default of the idle time, in seconds, after which a connection is checked before it is used."""


def rest_of(given: dict[str, Any]) -> float:
    """Return that idle time for a client: its `health_check_interval`, or the default."""
    return float(given.get("health_check_interval") or REST)
