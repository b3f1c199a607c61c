"""Errors of the transport: one table from redis-py's exceptions and error replies to ours.

Each class that is raised here derives from one of `pyredisson.server_errors`, which the rest of
the package catches, and from redis-py's class of the same meaning, which programs may catch. The
rule: no exception of redis-py leaves `_transport` in another form.
"""

from __future__ import annotations

from typing import Any

from redis import exceptions as redis_py

import pyredisson.server_errors as ours
from pyredisson.protocol.kernel.cluster import Redirection
from pyredisson.protocol.kernel.next_step import Outcome


class ServerError(ours.ServerError, redis_py.RedisError):
    """Any other error of redis-py."""


class ServerConnectionError(ours.ServerConnectionError, redis_py.ConnectionError):
    """There is no connection, or it broke."""


class AuthenticationError(ours.AuthenticationError, redis_py.AuthenticationError):
    """The server does not accept the credentials."""


class AuthorizationError(ours.AuthenticationError, redis_py.AuthorizationError):
    """The server does not accept the credentials."""


class LoadingError(ours.LoadingError, redis_py.BusyLoadingError):
    """The server loads its data."""


class ServerTimeoutError(ours.ServerTimeoutError, redis_py.TimeoutError):
    """Nothing came in time."""


class ReplyError(ours.ReplyError, redis_py.ResponseError):
    """An error reply of another code."""


class NoPermissionError(ours.NoPermissionError, redis_py.NoPermissionError):
    """The user lacks a permission."""


class ReadOnlyError(ours.ReadOnlyError, redis_py.ReadOnlyError):
    """The server takes no writes."""


class OutOfMemoryError(ours.OutOfMemoryError, redis_py.OutOfMemoryError):
    """The server's memory is full."""


class NoScriptError(ours.NoScriptError, redis_py.NoScriptError):
    """The server does not know a script."""


class ClusterDownError(ours.ClusterDownError, redis_py.ClusterDownError):
    """The cluster does not serve the slot."""


class MasterDownError(ours.MasterDownError, redis_py.MasterDownError):
    """A replica has lost its master."""


class CrossSlotError(ours.CrossSlotError, redis_py.ClusterCrossSlotError):
    """The keys live in different slots."""


class TryAgainError(ours.TryAgainError, redis_py.TryAgainError):
    """The keys of a slot are at two nodes."""


class AskError(ours.AskError, redis_py.AskError):
    """Another node has the key for now."""


class MovedError(ours.MovedError, redis_py.MovedError):
    """Another node serves the slot."""


_BY_CODE: dict[str, Any] = {
    "ASK": AskError,
    "CLUSTERDOWN": ClusterDownError,
    "CROSSSLOT": CrossSlotError,
    "LOADING": LoadingError,
    "MASTERDOWN": MasterDownError,
    "MOVED": MovedError,
    "NOAUTH": AuthenticationError,
    "NOPERM": NoPermissionError,
    "NOSCRIPT": NoScriptError,
    "OOM": OutOfMemoryError,
    "READONLY": ReadOnlyError,
    "TRYAGAIN": TryAgainError,
    "WRONGPASS": AuthenticationError,
}
"""The codes whose error has a class; its text is the rest of the reply, as redis-py has it."""

for _code, _kind in _BY_CODE.items():
    if issubclass(_kind, ours.ReplyError):
        _kind.code = _code

_FULL = "max number of clients reached"

_BY_CLASS: list[tuple[type[Exception], Any]] = [
    (redis_py.MasterDownError, MasterDownError),  # of two classes that fit, the narrower one first
    (redis_py.MovedError, MovedError),
    (redis_py.AuthenticationError, AuthenticationError),
    (redis_py.AuthorizationError, AuthorizationError),
    (redis_py.BusyLoadingError, LoadingError),
    (redis_py.AskError, AskError),
    (redis_py.ClusterDownError, ClusterDownError),
    (redis_py.ClusterCrossSlotError, CrossSlotError),
    (redis_py.NoPermissionError, NoPermissionError),
    (redis_py.NoScriptError, NoScriptError),
    (redis_py.OutOfMemoryError, OutOfMemoryError),
    (redis_py.ReadOnlyError, ReadOnlyError),
    (redis_py.TryAgainError, TryAgainError),
    (redis_py.ConnectionError, ServerConnectionError),
    (redis_py.TimeoutError, ServerTimeoutError),
]


def error_reply(text: str) -> Any:
    """Return the error of an error reply; hiredis calls it with the reply's text."""
    code, _, rest = text.partition(" ")
    if (kind := _BY_CODE.get(code)) is not None:
        return kind(rest)
    if code == "ERR":
        return ServerConnectionError(rest) if rest == _FULL else ReplyError(rest)
    error = ReplyError(text)
    if code.isupper():
        error.code = code
    return error


def translated(error: Exception) -> Any:
    """Return our error for one of redis-py's."""
    for kind, made in _BY_CLASS:
        if isinstance(error, kind):
            return made(*error.args)
    if isinstance(error, redis_py.ResponseError):  # redis-py 5.0 knows no MOVED, for example
        return error_reply(str(error))
    return ServerError(*error.args)


def connection_error(text: str) -> ours.ServerConnectionError:
    """Return an error that says that a connection is of no use."""
    return ServerConnectionError(text)


def timeout_error(text: str) -> ours.ServerTimeoutError:
    """Return an error that says that something did not come in time."""
    return ServerTimeoutError(text)


def reply_error(text: str) -> ours.ReplyError:
    """Return an error as if a server had answered with it, without a code."""
    return ReplyError(text)


def alike(error: Exception) -> Exception:
    """Return an error of the same kind and text: each caller has one of his own."""
    another = type(error)(*error.args)
    another.__dict__.update(error.__dict__)
    return another


class UnsentError(ServerConnectionError):
    """A request was not sent: the connection is closed, or redis-py has another inside."""


class WrongClientError(ServerConnectionError):
    """The client is for a cluster and the server is not, or the other way round."""


# --- what an error means ------------------------------------------------------------------------

_OUTCOMES: list[tuple[tuple[type[Exception], ...], Outcome]] = [
    ((ours.NoScriptError,), Outcome.NO_SCRIPT),
    ((ours.MovedError,), Outcome.MOVED),
    ((ours.AskError,), Outcome.ASK),
    ((ours.TryAgainError,), Outcome.TRY_AGAIN),
    ((ours.ReadOnlyError, ours.MasterDownError, ours.LoadingError), Outcome.NO_MASTER),
    ((ours.AuthenticationError,), Outcome.REFUSED),
    (ours.LOST, Outcome.LOST),
]


def outcome_of(error: Exception) -> Outcome:
    """Return what an error means that was raised between sending and reading."""
    for kinds, outcome in _OUTCOMES:
        if isinstance(error, kinds):
            return outcome
    return Outcome.REFUSED


def redirection_of(error: Exception) -> Redirection | None:
    """Return where a MOVED or ASK points."""
    if not isinstance(error, ours.AskError):
        return None
    return Redirection.parse(f"{error.code} {error}")


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
