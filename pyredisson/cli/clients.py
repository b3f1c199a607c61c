"""Makes the client that arguments and environment describe: a server, a cluster, or Sentinels.

URLs may contain passwords, also in the environment, so no help text or message shows a URL.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import cast
from urllib.parse import quote, urlencode, urlsplit

from pyredisson._transport.connections import AsyncRedis, AsyncRedisCluster, Redis, RedisCluster
from pyredisson._transport.errors import WrongClientError
from pyredisson._transport.settings import checked_client, parsed_url, wrong_url
from pyredisson._transport.urls import (
    SENTINEL_PORT,
    async_client_from_url,
    async_master_from_urls,
    client_from_url,
    master_from_urls,
    server_info,
)
from pyredisson.cli.server_options import MASTER_URL, OPTIONS, URL, Option
from pyredisson.protocol.kernel.cluster import Address
from pyredisson.server_errors import ServerError, ServerTimeoutError

__all__ = ["Place", "sentinels_of"]

_TIMEOUT = 5.0
_REMAP = re.compile(r"([^=]+):(\d+)=([^=]+):(\d+)", re.ASCII)
_YES = {"1", "true", "yes", "on"}


@dataclass(frozen=True, slots=True)
class Place:
    """The server, the cluster or the Sentinels that arguments and environment describe.

    Attributes:
        url: a URL of redis-py; with Sentinels its host is the name of the master.
        cluster: whether the server is a node of a cluster.
        sentinels: the URLs of the Sentinels.
        names: what has `url` and `sentinels`, for errors.
        remap: where nodes of a cluster are reached, by the addresses that the cluster has.

    Raises:
        ValueError: a URL cannot be used.
    """

    url: str = field(repr=False)
    cluster: bool
    sentinels: tuple[str, ...] = field(repr=False)
    names: tuple[str, str] = ("--url", "--sentinel")
    remap: Mapping[Address, Address] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check the URLs."""
        try:
            checked_client(Redis.from_url, self.url, self.names[0])
            for each in self.sentinels:
                checked_client(Redis.from_url, each, self.names[1])
                if each.startswith("unix"):
                    raise ValueError(f"{self.names[1]} takes HOST:PORT, redis:// or rediss://")
        except TypeError as error:
            raise ValueError(*error.args) from None

    @classmethod
    def of(cls, given: dict[str, object], names: dict[str, str] | None = None) -> Place:
        """Return the place; what is not given comes from the environment.

        Args:
            given: the values of `OPTIONS`, by their attributes.
            names: what they are called in errors; by default as in the shell.

        Raises:
            ValueError: the arguments contradict each other, or a URL cannot be used.
            OSError: the password's file cannot be read.
        """
        found = {each.attribute: given.get(each.attribute) or _variable(each) for each in OPTIONS}
        called = {
            each.attribute: (names or {}).get(each.attribute, f"--{each.name}")
            if given.get(each.attribute)
            else f"${each.variable}"
            for each in OPTIONS
        }
        if given.get("cluster") and given.get("sentinel"):
            raise ValueError("give either --cluster or --sentinel, not both")
        remap = _remap_of(cast("Iterable[object]", found["remap"] or ()), called["remap"])
        if given.get("cluster"):
            found["sentinel"] = []
        elif given.get("sentinel"):
            found["cluster"] = False
        sentinels = sentinels_of(cast("Iterable[object]", found["sentinel"]), called["sentinel"])
        url = str(found["url"] or (MASTER_URL if sentinels else URL))
        cluster = bool(found["cluster"]) and not sentinels
        if given.get("remap") and not cluster:
            raise ValueError("--remap needs --cluster")
        complete = _completed(url, found, called["url"])
        return cls(complete, cluster, sentinels, (called["url"], called["sentinel"]), remap)

    def client(self) -> Redis | RedisCluster:
        """Make the client; only a cluster client connects."""
        if self.sentinels:
            return master_from_urls(list(self.sentinels), self.url, _name(self.url))
        return client_from_url(self.url, cluster=self.cluster, remap=self._reached)

    def async_client(self) -> AsyncRedis | AsyncRedisCluster:
        """Make a client for asyncio, which does not connect."""
        if self.sentinels:
            return async_master_from_urls(list(self.sentinels), self.url, _name(self.url))
        return async_client_from_url(self.url, cluster=self.cluster, remap=self._reached)

    def _reached(self, address: Address) -> Address:
        return self.remap.get(address, address)

    def __str__(self) -> str:
        """Return a description of the address, without a password."""
        if self.sentinels:
            watching = ", ".join(_address(each, SENTINEL_PORT) for each in self.sentinels)
            return f"the master {_name(self.url)!r} of the Sentinels at {watching}"
        return f"{'the cluster' if self.cluster else 'Redis'} at {_address(self.url, 6379)}"

    @property
    def database(self) -> int:
        """The number of the database."""
        return int(parsed_url(self.url).get("db", 0))

    @contextlib.contextmanager
    def with_remedy(self) -> Iterator[None]:
        """Replace the error of a server of the wrong kind by one that names the right arguments.

        Raises:
            ValueError: the server is of another kind than the arguments.
        """
        try:
            yield
        except ServerError as error:
            late = isinstance(error, ServerTimeoutError)
            if not late and (what := self._what_to_give(error)):
                raise ValueError(what) from error
            raise

    def _what_to_give(self, error: Exception) -> str | None:
        asked = self.sentinels[0] if self.sentinels else self.url
        port = SENTINEL_PORT if self.sentinels else 6379
        address, mode = _address(asked, port), _mode(asked, port)
        wanted = "sentinel" if self.sentinels else "cluster" if self.cluster else "standalone"
        if mode in (None, wanted):
            return None
        if mode == "sentinel":
            return (
                f"{address} is a Sentinel: give --sentinel {address}, and --url redis://NAME/0 "
                f"with the name of its master (default: {MASTER_URL})"
            )
        if self.sentinels:
            more = " and --cluster" if mode == "cluster" else ""
            return f"{address} is no Sentinel: give it as --url{more}, without --sentinel"
        if mode == "cluster":  # a node that has all slots also serves clients for a single server
            wrong = isinstance(error, WrongClientError) or "SELECT" in str(error)
            return f"{address} is a node of a cluster: give --cluster, too" if wrong else None
        return f"{address} is a single server: leave out --cluster"


def _variable(option: Option) -> object:
    value = os.environ.get(option.variable, "")
    if option.kind == "flag":
        return value.lower() in _YES
    return [value] if option.kind == "many" else value


def sentinels_of(words: Iterable[object], source: str) -> tuple[str, ...]:
    """Return the URLs of the Sentinels that an option names.

    Raises:
        ValueError: a URL has a comma in its password.
    """
    lists = [str(word).split(",") for word in ([words] if isinstance(words, str) else words or ())]
    for some in lists:
        if len(some) > 1 and any("@" in part and "://" not in part for part in some):
            raise wrong_url(source, "commas separate URLs")
    parts = [part.strip() for some in lists for part in some]
    return tuple(part if "://" in part else f"redis://{part}" for part in parts if part)


def _remap_of(words: Iterable[object], source: str) -> dict[Address, Address]:
    """Return where nodes are reached.

    Raises:
        ValueError: a word is no pair of addresses.
    """
    found = {}
    for part in filter(None, (part.strip() for word in words for part in str(word).split(","))):
        pair = _REMAP.fullmatch(part)
        if pair is None:
            raise ValueError(
                f"{source} takes HOST:PORT=HOST:PORT, as 10.0.0.1:6379=127.0.0.1:7001, not {part!r}"
            )
        host, port, to_host, to_port = pair.groups()
        found[host, int(port)] = to_host, int(to_port)
    return found


def _completed(url: str, given: dict[str, object], source: str) -> str:
    """Return the URL with the user, the password and the TLS settings of other options."""
    settings, parts = parsed_url(url, source), urlsplit(url)
    password = os.environ.get("PYREDISSON_PASSWORD", "")
    if file := given["password_file"]:
        with open(str(file), encoding="utf-8") as lines:  # noqa: PTH123 - also /dev/stdin
            password = lines.readline().rstrip("\r\n")
    place = parts.netloc
    if given["user"] or password:
        name = quote(str(given["user"] or settings.get("username", "")), safe="")
        secret = quote(password or settings.get("password", ""), safe="")
        place = f"{name}:{secret}@{place.rpartition('@')[2]}"
    files = {"tls_ca": "ssl_ca_certs", "tls_cert": "ssl_certfile", "tls_key": "ssl_keyfile"}
    tls = {setting: str(given[each]) for each, setting in files.items() if given[each]}
    if given["tls_insecure"]:
        tls |= {"ssl_cert_reqs": "none", "ssl_check_hostname": "false"}
    if tls and parts.scheme != "rediss":
        raise ValueError("the TLS options need a rediss:// URL")
    query = "&".join(filter(None, (parts.query, urlencode(tls))))
    return f"{parts.scheme}://{place}{parts.path}{query and f'?{query}'}"


def _mode(url: str, port: int) -> str | None:
    """Return a server's mode: "standalone", "cluster" or "sentinel"; None if that is unknown."""
    parts = {
        **parsed_url(url),
        "db": 0,
        "socket_timeout": _TIMEOUT,
    }  # a Sentinel has no other db
    if "path" not in parts:
        parts |= {"port": parts.get("port", port), "socket_connect_timeout": _TIMEOUT}
    try:
        found = server_info(parts)
    except (ServerError, OSError):
        return None
    mode = found.get("redis_mode", found.get("server_mode"))  # Redis; Valkey since 8
    return None if mode is None else str(mode)


def _address(url: str, port: int) -> str:
    parts = parsed_url(url)
    return parts.get("path") or f"{parts.get('host', 'localhost')}:{parts.get('port', port)}"


def _name(url: str) -> str:
    name = parsed_url(url).get("host")
    if not name:
        raise ValueError(
            f"with Sentinels the host of the URL must be the master's name, as in {MASTER_URL}"
        )
    return str(name)
