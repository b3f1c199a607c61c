"""The client that a command's words and the environment mean: one server, a cluster, Sentinels.

Passwords stand in URLs, and URLs may stand in the environment: no help or message shows them.
"""

from __future__ import annotations

import argparse
import os
from typing import Any

from redis import Redis, RedisCluster
from redis.connection import SSLConnection, parse_url
from redis.sentinel import Sentinel

__all__ = ["add_arguments", "client_of", "place_of"]

_URL = "redis://127.0.0.1:6379/0"
_MASTER_URL = "redis://mymaster/0"
_SENTINEL_PORT = 26379


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the words that say where Redis is."""
    parser.add_argument(
        "--url",
        default=os.environ.get("PYREDISSON_URL"),
        help=f"redis://, rediss:// or unix:// (default: $PYREDISSON_URL or {_URL})",
    )
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument("--cluster", action="store_true", help="the URL is a cluster's node")
    kinds.add_argument(
        "--sentinel",
        action="append",
        metavar="HOST:PORT",
        help="a Sentinel, also as redis:// or rediss:// URL; several with commas, or the option "
        "again (default: $PYREDISSON_SENTINEL). The URL's host is then what they call the "
        f"master (default: {_MASTER_URL})",
    )


def client_of(arguments: argparse.Namespace) -> Redis | RedisCluster:
    """Make the client; only a cluster's connects."""
    sentinels, url = _sentinels(arguments), _url(arguments)
    if sentinels:
        return _master(sentinels, url)
    make: Any = RedisCluster if arguments.cluster else Redis
    client: Redis | RedisCluster = make.from_url(url)
    return client


def place_of(arguments: argparse.Namespace) -> str:
    """Say where Redis is, without a password."""
    sentinels, url = _sentinels(arguments), _url(arguments)
    if sentinels:
        watching = ", ".join(_address(each, _SENTINEL_PORT) for each in sentinels)
        return f"the master {_name(url)!r} of the Sentinels at {watching}"
    return f"{'the cluster' if arguments.cluster else 'Redis'} at {_address(url, 6379)}"


def _sentinels(arguments: argparse.Namespace) -> list[str]:
    """Return the Sentinels' URLs."""
    if arguments.cluster:
        return []
    words = arguments.sentinel or [os.environ.get("PYREDISSON_SENTINEL", "")]
    each = [part.strip() for word in words for part in word.split(",")]
    return [part if "://" in part else f"redis://{part}" for part in each if part]


def _url(arguments: argparse.Namespace) -> str:
    return arguments.url or (_MASTER_URL if _sentinels(arguments) else _URL)


def _parsed(url: str) -> dict[str, Any]:
    parse: Any = parse_url  # not annotated in redis-py, as Sentinel is not
    return dict(parse(url))


def _address(url: str, port: int) -> str:
    parts = _parsed(url)
    return parts.get("path") or f"{parts.get('host', 'localhost')}:{parts.get('port', port)}"


def _name(url: str) -> str:
    name = _parsed(url).get("host")
    if not name:
        raise ValueError(f"with Sentinels the URL names the master, as {_MASTER_URL} does")
    return str(name)


def _master(sentinels: list[str], url: str) -> Redis:
    settings, name = _parsed(url), _name(url)
    tls = settings.pop("connection_class", None) is SSLConnection
    for each in ("host", "port"):
        settings.pop(each, None)
    make: Any = Sentinel
    manager = make([])
    manager.sentinels = [Redis.from_url(each, port=_port(each)) for each in sentinels]
    client: Redis = manager.master_for(name, ssl=tls, **settings)
    return client


def _port(url: str) -> int:
    return int(_parsed(url).get("port", _SENTINEL_PORT))
