"""The client that a command's words and the environment mean: one server, a cluster, Sentinels.

Passwords stand in URLs, and URLs may stand in the environment: no help or message shows them.
"""

from __future__ import annotations

import argparse
import contextlib
import os
from collections.abc import Iterator

from pyredisson import RedissonError
from pyredisson._transport.connections import Redis, RedisCluster
from pyredisson._transport.errors import WrongClientError
from pyredisson._transport.urls import (
    SENTINEL_PORT,
    client_from_url,
    master_from_urls,
    parsed_url,
    server_info,
)
from pyredisson.server_errors import ServerError, ServerTimeoutError

__all__ = ["REFUSALS", "add_arguments", "client_of", "place_of", "telling_what_to_give"]

REFUSALS = (RedissonError, ValueError, OSError)
"""What ends a command with a line instead of a traceback."""

_URL = "redis://127.0.0.1:6379/0"
_MASTER_URL = "redis://mymaster/0"
_PATIENCE = 5.0


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
        return master_from_urls(sentinels, url, _name(url))
    return client_from_url(url, cluster=arguments.cluster)


def place_of(arguments: argparse.Namespace) -> str:
    """Say where Redis is, without a password."""
    sentinels, url = _sentinels(arguments), _url(arguments)
    if sentinels:
        watching = ", ".join(_address(each, SENTINEL_PORT) for each in sentinels)
        return f"the master {_name(url)!r} of the Sentinels at {watching}"
    return f"{'the cluster' if arguments.cluster else 'Redis'} at {_address(url, 6379)}"


@contextlib.contextmanager
def telling_what_to_give(arguments: argparse.Namespace) -> Iterator[None]:
    """Where a server refuses because it is of another kind, say which arguments it needs.

    Raises:
        ValueError: it is of another kind.
    """
    try:
        yield
    except ServerError as error:
        late = isinstance(error, ServerTimeoutError)
        if not late and (what := _what_to_give(arguments, error)):
            raise ValueError(what) from error
        raise


def _what_to_give(arguments: argparse.Namespace, error: Exception) -> str | None:
    sentinels, url = _sentinels(arguments), _url(arguments)
    asked = sentinels[0] if sentinels else url
    port = SENTINEL_PORT if sentinels else 6379
    address, mode = _address(asked, port), _mode(asked, port)
    wanted = "sentinel" if sentinels else "cluster" if arguments.cluster else "standalone"
    if mode in (None, wanted):
        return None
    if mode == "sentinel":
        return (
            f"{address} is a Sentinel: give --sentinel {address}, and --url redis://NAME/0 with "
            f"the name of its master (default: {_MASTER_URL})"
        )
    if sentinels:
        more = " and --cluster" if mode == "cluster" else ""
        return f"{address} is no Sentinel: give it as --url{more}, without --sentinel"
    if mode == "cluster":  # one that has all slots serves whoever takes it for a single server
        wrong = isinstance(error, WrongClientError) or "SELECT" in str(error)
        return f"{address} is a node of a cluster: give --cluster, too" if wrong else None
    return f"{address} is a single server: leave out --cluster"


def _mode(url: str, port: int) -> str | None:
    """Ask a server whether it is standalone, a node of a cluster or a Sentinel."""
    parts = {
        **parsed_url(url),
        "db": 0,
        "socket_timeout": _PATIENCE,
    }  # a Sentinel knows no other db
    if "path" not in parts:
        parts |= {"port": parts.get("port", port), "socket_connect_timeout": _PATIENCE}
    try:
        told = server_info(parts)
    except (ServerError, OSError):
        return None
    mode = told.get("redis_mode", told.get("server_mode"))  # Redis; Valkey since 8
    return None if mode is None else str(mode)


def _sentinels(arguments: argparse.Namespace) -> list[str]:
    """Return the Sentinels' URLs."""
    if arguments.cluster:
        return []
    words = arguments.sentinel or [os.environ.get("PYREDISSON_SENTINEL", "")]
    each = [part.strip() for word in words for part in word.split(",")]
    return [part if "://" in part else f"redis://{part}" for part in each if part]


def _url(arguments: argparse.Namespace) -> str:
    return arguments.url or (_MASTER_URL if _sentinels(arguments) else _URL)


def _address(url: str, port: int) -> str:
    parts = parsed_url(url)
    return parts.get("path") or f"{parts.get('host', 'localhost')}:{parts.get('port', port)}"


def _name(url: str) -> str:
    name = parsed_url(url).get("host")
    if not name:
        raise ValueError(f"with Sentinels the URL names the master, as {_MASTER_URL} does")
    return str(name)
