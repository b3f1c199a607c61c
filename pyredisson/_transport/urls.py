"""redis-py clients made from URLs, and the errors of URLs.

The rule: errors that redis-py raises while it makes or uses such a client are translated, too. An
error of a URL has no part of it but the name of an option, because the rest may be a password. It
also has no error of urllib in its chain: urllib's texts quote passwords.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any
from urllib.parse import SplitResult, unquote, unquote_plus, urlsplit

import redis
from redis.asyncio.sentinel import Sentinel as AsyncSentinel
from redis.connection import SSLConnection, UnixDomainSocketConnection, parse_url
from redis.exceptions import RedisClusterException, RedisError
from redis.sentinel import Sentinel

from pyredisson._transport.connections import (
    AsyncRedis,
    AsyncRedisCluster,
    Redis,
    RedisCluster,
    hide_arguments,
    known_options,
    with_known_options,
)
from pyredisson._transport.errors import ServerConnectionError, ServerError, translated

SENTINEL_PORT = 26379


@contextmanager
def translating() -> Iterator[None]:
    """Translate redis-py's errors to pyredisson's."""
    try:
        yield
    except RedisClusterException as error:
        hide_arguments(error)
        cause = error.__cause__
        if not isinstance(cause, RedisError):
            raise ServerError(*error.args) from error
        down = translated(cause)
        down.__cause__ = cause
        raise ServerConnectionError(*error.args) from down
    except RedisError as error:
        hide_arguments(error)
        raise translated(error) from error


def checked_client(
    make: Callable[..., Any],
    url: str,
    source: str,
    arguments: Iterable[str] = (),
    options: dict[str, Any] | None = None,
) -> Any:
    """Make a client that does not connect; raise if redis-py does not know its options.

    Args:
        make: the `from_url` of AsyncRedis or Redis.
        url: the URL.
        source: the argument or the variable that has the URL, for errors.
        arguments: as for `with_known_options`.
        options: further arguments of `make`.

    Raises:
        TypeError, ValueError: as `parsed_url` and `with_known_options`.
    """
    parsed_url(url, source)
    return with_known_options(make(url, **(options or {})), arguments, source)


def client_from_url(url: str, *, cluster: bool) -> Redis | RedisCluster:
    """Make a client; only a cluster client connects."""
    make: Any = RedisCluster if cluster else Redis
    with translating():
        client: Redis | RedisCluster = make.from_url(url)
    return client


def async_client_from_url(url: str, *, cluster: bool) -> AsyncRedis | AsyncRedisCluster:
    """Make a client for asyncio, which does not connect."""
    make: Any = AsyncRedisCluster if cluster else AsyncRedis
    with translating():
        client: AsyncRedis | AsyncRedisCluster = make.from_url(url)
    return client


def parsed_url(url: str, source: str = "the URL") -> dict[str, Any]:
    """Return the connection settings of a URL.

    Args:
        url: the URL.
        source: the argument or the variable that has it, for errors.

    Raises:
        TypeError: it is no str.
        ValueError: it cannot be read, or would be read in another way than it was meant.
    """
    if not isinstance(url, str):
        raise TypeError(f"{source} takes a URL as a str, not {type(url).__name__}")
    parse: Any = parse_url  # redis-py has no annotations for it, nor for Sentinel
    found: dict[str, Any] = {}
    try:
        wrong = _misread(url)
        found |= parse(url) if wrong is None else {}
    except ValueError as error:  # its text may quote a password
        text = str(error)
        wrong = text if text.startswith("Invalid value for ") else "host or port cannot be read"
    if wrong is not None:
        raise wrong_url(source, wrong)
    return found


def wrong_url(source: str, why: str) -> ValueError:
    """Return the error of a URL, which says how to write a password."""
    return ValueError(
        f"{source}: wrong URL ({why.rstrip('.')}); in a user name or password write / as %2F, "
        "# as %23, ? as %3F, a comma as %2C and & as %26, as urllib.parse.quote(text, safe='') does"
    )


def _misread(url: str) -> str | None:
    """Return why redis-py would fail, or take a part of a password for another part of the URL."""
    parts = urlsplit(url)
    if not url.startswith(("redis://", "rediss://", "unix://")):
        return "it must begin with redis://, rediss:// or unix://"
    if "#" in url:
        return "it has a #"
    misread = _misread_path if parts.scheme == "unix" else _misread_database
    return misread(parts) or _misread_options(parts.query)


def _misread_path(parts: SplitResult) -> str | None:
    if parts.netloc.rpartition("@")[2] or not parts.path:
        return "the path of a unix:// URL must begin with /, as in unix:///run/redis.sock"
    if "@" in parts.path and parts.netloc:
        return "it has an @ after the /; in a path write %40"
    return None


def _misread_database(parts: SplitResult) -> str | None:
    if "@" in parts.path:
        return "it has an @ after a /"
    if not re.fullmatch(r"[/\d]*", unquote(parts.path), re.ASCII):
        return "the part after the / must be the number of a database"
    return None


def _misread_options(query: str) -> str | None:
    has_secret = "@" in query
    for item in filter(None, query.split("&")):
        name, equals, _ = item.partition("=")
        known = unquote_plus(name) in _option_names()
        if not equals or (has_secret and not known):
            return f"{name!r} has no value" if known else "what follows the ? or a & is no option"
        if name == "connection_class":  # an argument of the pool
            return f"{name!r} is no option of a URL"
        has_secret = has_secret or name.endswith("password")
    return None


@cache
def _option_names() -> frozenset[str]:
    kinds = (SSLConnection, UnixDomainSocketConnection, redis.ConnectionPool)
    return frozenset().union(*map(known_options, kinds))


def master_from_urls(sentinels: list[str], url: str, name: str) -> Redis:
    """Make a client of the master that Sentinels call `name`, with the settings of `url`."""
    client: Redis = _master(Sentinel, Redis, sentinels, url, name)
    return client


def async_master_from_urls(sentinels: list[str], url: str, name: str) -> AsyncRedis:
    """Make such a client for asyncio."""
    client: AsyncRedis = _master(AsyncSentinel, AsyncRedis, sentinels, url, name)
    return client


def _master(manager_of: Any, client_of: Any, sentinels: list[str], url: str, name: str) -> Any:
    settings = parsed_url(url)
    tls = settings.pop("connection_class", None) is SSLConnection
    for each in ("host", "port"):
        settings.pop(each, None)
    manager = manager_of([])
    manager.sentinels = [
        client_of.from_url(each, port=int(parsed_url(each).get("port", SENTINEL_PORT)))
        for each in sentinels
    ]
    return manager.master_for(name, ssl=tls, **settings)


def server_info(settings: dict[str, Any]) -> dict[str, Any]:
    """Return the INFO of the server that these settings reach."""
    make: Any = redis.ConnectionPool
    pool = make(**settings)
    try:
        with translating():
            found: Any = Redis(connection_pool=pool).info("server")
            return dict(found)
    finally:
        pool.disconnect()


def subscribers(client: Redis | RedisCluster, channel: str) -> int:
    """Return the number of subscribers of a channel, on all nodes."""
    everywhere = {"target_nodes": "all"} if isinstance(client, RedisCluster) else {}
    with translating():
        return sum(count for _, count in client.pubsub_numsub(channel, **everywhere))
