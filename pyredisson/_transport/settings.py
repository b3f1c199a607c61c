"""The settings of a redis-py client, as our connections have them.

The rule: what the user says holds, but for what our own retries, timeouts and looks at resting
connections do in its place.
"""

from __future__ import annotations

import socket
from typing import Any

from redis import connection
from redis.backoff import NoBackoff
from redis.retry import Retry

_NOT_OURS = ("maint_", "oss_", "orig_", "maintenance_")


def settings_for(given: dict[str, Any], timeout: float, socket_timeout: Any) -> dict[str, Any]:
    """Return a client's connection settings with ours for retries, decoding and timeouts."""
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
"""As redis-py 8 has it. macOS calls the first one otherwise."""
OWN_KEEPALIVE = not hasattr(connection, "get_default_socket_keepalive_options")
"""Whether redis-py has none: before 8, the system's is two hours."""


def _keep_alive(settings: dict[str, Any]) -> None:
    """Ask the other side now and then whether it is there, unless the user has refused that."""
    if settings.get("socket_keepalive") is None:
        settings["socket_keepalive"] = True
    if OWN_KEEPALIVE and settings.get("socket_keepalive_options") is None:
        settings["socket_keepalive_options"] = keepalive_options(socket)


def keepalive_options(names: Any) -> dict[int, int]:
    """Return after how long, how often and how many times a system asks that has these names."""
    options: dict[int, int] = {}
    for known, value in _KEEPALIVE.items():
        found = [getattr(names, name) for name in known if hasattr(names, name)]
        options |= dict.fromkeys(found[:1], value)
    return options


REST = 30.0
"""Seconds of rest after which a connection is asked whether it is open before it is used."""


def rest_of(given: dict[str, Any]) -> float:
    """Return that time of a client: its `health_check_interval`, where it has one."""
    return float(given.get("health_check_interval") or REST)
