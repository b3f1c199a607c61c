"""Adapts the connection settings of a redis-py client, and reads the settings in a URL.

The rule: the user's settings apply, with these exceptions. pyredisson itself sets the retries, the
timeouts, the decoding, the protocol version, and the checks of idle connections. From the user it
takes a shorter `socket_connect_timeout`, and the idle time `health_check_interval`.

The rule for URLs: of a URL, the text of an error quotes only names of options, because any other
part can belong to a password. The exception is a wrong `ssl_cert_reqs`, which redis-py quotes. The
chain of the error has no error of urllib, because urllib's texts quote passwords.
"""

from __future__ import annotations

import logging
import re
import socket
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from functools import cache
from inspect import signature
from typing import Any
from urllib.parse import SplitResult, unquote, unquote_plus, urlsplit

import redis
from redis import BlockingConnectionPool, ConnectionPool, connection
from redis.backoff import NoBackoff
from redis.connection import SSLConnection, UnixDomainSocketConnection, parse_url
from redis.exceptions import RedisError
from redis.retry import Retry

log = logging.getLogger("pyredisson")

_NOT_OURS = ("maint_", "oss_", "orig_", "maintenance_")


def settings_for(given: dict[str, Any], timeout: float, socket_timeout: Any) -> dict[str, Any]:
    """Return a client's connection settings, in part replaced by pyredisson's own.

    Args:
        given: the client's settings.
        timeout: the maximum of `socket_connect_timeout`, and its default; in seconds.
        socket_timeout: the `socket_timeout`; in seconds, or None.
    """
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
    return _with_driver_info(settings)


def _with_driver_info(settings: dict[str, Any]) -> dict[str, Any]:
    """Add redis-py's DriverInfo (for CLIENT SETINFO) to settings, unless the user has set it.

    Without this setting, redis-py would read its version from a file for each connection. Releases
    of redis-py that have no DriverInfo need no setting.
    """
    given = settings.keys() & {"driver_info", "lib_name", "lib_version"}
    return settings if given else settings | _driver_info()


@cache
def _driver_info() -> dict[str, Any]:
    kind = getattr(redis, "DriverInfo", None)
    return {} if kind is None else {"driver_info": kind()}


_KEEPALIVE = {("TCP_KEEPIDLE", "TCP_KEEPALIVE"): 30, ("TCP_KEEPINTVL",): 5, ("TCP_KEEPCNT",): 3}
"""The defaults of redis-py 8: two times in seconds, and a count. TCP_KEEPALIVE is macOS's name."""
OWN_KEEPALIVE = not hasattr(connection, "get_default_socket_keepalive_options")
"""Whether redis-py is older than 8, without these defaults. The system waits two hours."""


def _keep_alive(settings: dict[str, Any]) -> None:
    """Turn on TCP keepalive, unless the user has turned it off."""
    if settings.get("socket_keepalive") is None:
        settings["socket_keepalive"] = True
    if OWN_KEEPALIVE and settings.get("socket_keepalive_options") is None:
        settings["socket_keepalive_options"] = keepalive_options(socket)


def keepalive_options(names: Any) -> dict[int, int]:
    """Return the values in `_KEEPALIVE` by the numbers that the module `names` (`socket`) has."""
    options: dict[int, int] = {}
    for known, value in _KEEPALIVE.items():
        found = [getattr(names, name) for name in known if hasattr(names, name)]
        options |= dict.fromkeys(found[:1], value)
    return options


def warn_of_limit(pool: Any) -> None:
    """Log that a pool's `max_connections` has no effect, unless the value is a default."""
    usual = {None, 2**31, *(each().max_connections for each in _POOLS)}
    if (limit := getattr(pool, "max_connections", None)) not in usual:
        log_limit(limit)


_POOLS = (ConnectionPool, BlockingConnectionPool)


@cache
def log_limit(limit: object) -> None:
    """Log that a `max_connections` has no effect, once for each value."""
    log.warning(
        "max_connections=%s of the redis-py client has no effect: pyredisson opens a connection "
        "for each call that needs one of its own",
        limit,
    )


PING_AFTER = 30.0
"""Default of the idle time, in seconds, after which a connection is checked before it is used."""


def ping_after_of(given: dict[str, Any]) -> float:
    """Return the `health_check_interval` of a client; `PING_AFTER` if it is not set, or 0."""
    return float(given.get("health_check_interval") or PING_AFTER)


def checked_client(
    make: Callable[..., Any],
    url: str,
    source: str,
    arguments: Iterable[str] = (),
    options: dict[str, Any] | None = None,
) -> Any:
    """Check a URL and the options of a client, and return the client, which is not connected yet.

    Args:
        make: the `from_url` of AsyncRedis or Redis.
        url: the URL.
        source: the name of the argument or variable that has the URL, for error texts.
        arguments: as for `with_known_options`.
        options: further arguments of `make`.

    Raises:
        TypeError, ValueError: as for `parsed_url` and `with_known_options`.
    """
    parsed_url(url, source)
    return with_known_options(make(url, **(options or {})), arguments, source)


def known_options(kind: Any) -> frozenset[str]:
    """Return the names of the options that a connection class of redis-py takes."""
    kinds = [each for each in kind.__mro__ if each is not object]
    return frozenset(name for each in kinds for name in signature(each).parameters)


def with_known_options(client: Any, arguments: Iterable[str], source: str) -> Any:
    """Return the client, if redis-py accepts the options with which the client was made.

    Without this check, redis-py would raise an error only at the first connection.

    Args:
        client: an AsyncRedis or a Redis.
        arguments: the names of pyredisson's own arguments of `from_url`.
        source: the name of the function, option or variable that has these options, for errors.

    Raises:
        TypeError: redis-py does not have an option, or rejects it. The text has the option's name,
            and a similar name if there is one.
        ValueError: redis-py rejects a value.
    """
    pool = client.connection_pool
    settings = _with_driver_info(pool.connection_kwargs)
    try:
        pool.connection_class(**settings)  # it does not connect yet
    except (TypeError, AttributeError) as error:
        known = known_options(pool.connection_class)
        for option in pool.connection_kwargs:
            if option not in known:
                near = get_close_matches(option, sorted({*arguments, *known}), 1)
                hint = f"; did you mean {near[0]!r}?" if near else ""
                what = f"{source} and redis-py have no argument {option!r}{hint}"
                if option in arguments:
                    what = f"{option!r} is an argument of {source}, not an option of a URL"
                elif option in signature(SSLConnection).parameters:
                    what = f"{source}: {option!r} needs a URL that begins with rediss://"
                raise TypeError(what) from None
        raise TypeError(f"{source}: redis-py rejects an option: {error}") from error
    except RedisError as error:
        raise ValueError(f"{source}: {error}") from error
    return client


def parsed_url(url: str, source: str = "the URL") -> dict[str, Any]:
    """Return the connection settings of a URL.

    Args:
        url: the URL.
        source: the name of the argument or variable that has the URL, for error texts.

    Raises:
        TypeError: `url` is not a str.
        ValueError: redis-py cannot parse the URL, or would probably take a part of a password for
            another part of the URL.
    """
    if not isinstance(url, str):
        raise TypeError(f"{source} takes a URL as a str, not {type(url).__name__}")
    parse: Any = parse_url  # redis-py has no annotations for it
    found: dict[str, Any] = {}
    invalid = "Invalid value for "
    try:
        wrong = _misread(url)
        found |= parse(url) if wrong is None else {}
    except ValueError as error:  # its text may quote a password
        wrong = str(error) if str(error).startswith(invalid) else "host or port cannot be read"
    if wrong is None:
        return found
    if wrong.startswith(invalid) or wrong == _SCHEMES:
        raise ValueError(f"{source}: {wrong}")
    raise wrong_url(source, wrong)


_SCHEMES = "a URL must begin with redis://, rediss:// or unix://"


def wrong_url(source: str, why: str) -> ValueError:
    """Return the error for a wrong URL; its text shows how to write special characters."""
    return ValueError(
        f"{source}: wrong URL ({why}); in a user name or password write / as %2F, "
        "# as %23, ? as %3F, a comma as %2C and & as %26, as urllib.parse.quote(text, safe='') does"
    )


def _misread(url: str) -> str | None:
    """Return why redis-py would fail, or take a part of a password for another part of the URL.

    Return None if the URL has no such problem.
    """
    parts = urlsplit(url)
    if not url.startswith(("redis://", "rediss://", "unix://")):
        return _SCHEMES
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
        if name == "connection_class":  # redis-py would pass it to the pool
            return f"{name!r} is no option of a URL"
        has_secret = has_secret or name.endswith("password")
    return None


@cache
def _option_names() -> frozenset[str]:
    kinds = (SSLConnection, UnixDomainSocketConnection, ConnectionPool)
    return frozenset().union(*map(known_options, kinds))
