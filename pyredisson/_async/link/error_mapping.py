"""What came of an exchange, read from redis-py's exceptions."""

from __future__ import annotations

from typing import Any

from redis.exceptions import (
    AskError,
    AuthenticationError,
    AuthorizationError,
    BusyLoadingError,
    MasterDownError,
    MovedError,
    NoScriptError,
    ReadOnlyError,
    ResponseError,
    TryAgainError,
)
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from pyredisson.protocol.kernel.cluster import Redirection
from pyredisson.protocol.kernel.next_step import Outcome

LOST = (RedisConnectionError, RedisTimeoutError, OSError)
"""What redis-py raises when a connection is of no more use."""

_KINDS: list[tuple[tuple[type[Exception], ...], Outcome]] = [
    ((NoScriptError,), Outcome.NO_SCRIPT),
    ((TryAgainError,), Outcome.TRY_AGAIN),
    ((ReadOnlyError, MasterDownError, BusyLoadingError), Outcome.NO_MASTER),
    ((AuthenticationError, AuthorizationError), Outcome.REFUSED),  # ConnectionErrors to redis-py
    (LOST, Outcome.LOST),
]


def outcome_of(error: Exception) -> Outcome:
    """Return what an error means that was raised between sending and reading."""
    redirection = redirection_of(error)
    if redirection is not None:
        return Outcome.MOVED if redirection.moved else Outcome.ASK
    for kinds, outcome in _KINDS:
        if isinstance(error, kinds):
            return outcome
    return Outcome.REFUSED


def redirection_of(error: Exception) -> Redirection | None:
    """Read MOVED and ASK from redis-py's errors; 5.0.1 has no classes for them, later ones do."""
    if not isinstance(error, ResponseError):
        return None
    text = str(error)
    if isinstance(error, AskError):  # MovedError is one, too
        text = f"{'MOVED' if isinstance(error, MovedError) else 'ASK'} {text}"
    return Redirection.parse(text)


class WrongClientError(RedisConnectionError):
    """The client is for a cluster and the server is not, or the other way round."""


def no_cluster(redirection: Redirection) -> WrongClientError:
    """Return the error of who was redirected and takes the server for a single one."""
    host, port = redirection.address
    return WrongClientError(
        f"the server is a node of a cluster (its slot {redirection.slot} is at {host}:{port}); "
        "make the client with RedisCluster"
    )


def refuse_fake(client: Any) -> None:
    """Refuse what has no server: its connections have no socket.

    Raises:
        TypeError: a client of fakeredis.
    """
    pool = getattr(client, "connection_pool", None)
    kinds = (type(client), getattr(pool, "connection_class", object))
    if any(base.__module__.startswith("fakeredis") for kind in kinds for base in kind.__mro__):
        raise TypeError(
            "fakeredis is no server, and pyredisson talks to one by sockets of its own: in tests "
            "start a redis-server, or pyredisson.embedded.EmbeddedServer (pyredisson[server])"
        )
