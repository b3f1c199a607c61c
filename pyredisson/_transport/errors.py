"""Errors of the transport: one table from redis-py's exceptions and error replies to pyredisson's.

Each class of the table derives from two classes. One is a class of `pyredisson.server_errors`,
which the rest of the package catches. The other is redis-py's class of the same meaning, which
programs may catch. The rule: what redis-py raises is translated before it leaves `_transport`. Only
`portable.client_from` raises redis-py's own errors.
"""

from __future__ import annotations

import contextlib
import copyreg
from typing import Any

from hiredis import ProtocolError, Reader
from redis import exceptions as redis_py

import pyredisson.server_errors as ours
from pyredisson.protocol.kernel.cluster import Redirection
from pyredisson.protocol.kernel.next_step import Outcome


class ServerError(ours.ServerError, redis_py.RedisError):
    """An error of redis-py for which no other class is here."""


class ServerConnectionError(ours.ServerConnectionError, redis_py.ConnectionError):
    """There is no connection, or it broke."""


class AuthenticationError(ours.AuthenticationError, redis_py.AuthenticationError):
    """The server does not accept the credentials."""


class AuthorizationError(ours.AuthenticationError, redis_py.AuthorizationError):
    """The server does not accept the credentials."""


class LoadingError(ours.LoadingError, redis_py.BusyLoadingError):
    """The server loads its data and serves no commands yet."""


class ServerTimeoutError(ours.ServerTimeoutError, redis_py.TimeoutError):
    """No connection opened, or no reply came, in time."""


class ReplyError(ours.ReplyError, redis_py.ResponseError):
    """An error reply whose code has no class of its own."""


class NoPermissionError(ours.NoPermissionError, redis_py.NoPermissionError):
    """The user does not have a permission."""


class ReadOnlyError(ours.ReadOnlyError, redis_py.ReadOnlyError):
    """The server is a replica and accepts no writes."""


class OutOfMemoryError(ours.OutOfMemoryError, redis_py.OutOfMemoryError):
    """The server's memory is full."""


class NoScriptError(ours.NoScriptError, redis_py.NoScriptError):
    """The server does not have a script with this digest."""


class ClusterDownError(ours.ClusterDownError, redis_py.ClusterDownError):
    """The cluster does not serve the slot."""


class MasterDownError(ours.MasterDownError, redis_py.MasterDownError):
    """A replica has lost its master."""


class CrossSlotError(ours.CrossSlotError, redis_py.ClusterCrossSlotError):
    """The keys are in different slots."""


class TryAgainError(ours.TryAgainError, redis_py.TryAgainError):
    """A slot is being moved, and its keys are on two nodes."""


class AskError(ours.AskError, redis_py.AskError):
    """Another node serves this one command."""


class MovedError(ours.MovedError, redis_py.MovedError):
    """Another node serves the slot."""


def _restore(name: str, args: tuple[Any, ...], state: dict[str, Any]) -> ours.ServerError:
    error: ours.ServerError = globals()[name](*args)
    error.__dict__.update(state)
    return error


def _reduce(error: ours.ServerError) -> tuple[Any, ...]:
    """Pickle an error as a call of `_restore`.

    Without this function pickle would use `__module__`, which names the module of the public class,
    and restore an error of that class.
    """
    return _restore, (type(error).__name__, error.args, error.__dict__)


for _name in ours.__all__:
    _kind = globals()[_name]
    _kind.__module__ = getattr(ours, _name).__module__  # a traceback prints the public name
    copyreg.pickle(_kind, _reduce)

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
"""Error codes that have a class. As in redis-py, the text of such an error omits the code."""

for _code, _kind in _BY_CODE.items():
    if issubclass(_kind, ours.ReplyError):
        _kind.code = _code

_TOO_MANY_CLIENTS = (
    "max number of clients reached",
    "max number of clients + cluster connections reached",
)

_BY_CLASS: list[tuple[type[Exception], Any]] = [
    (redis_py.MasterDownError, MasterDownError),  # a subclass stands before its base class
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
    """Return the exception for the text of an error reply, with or without the code ERR."""
    code, _, rest = text.partition(" ")
    if (kind := _BY_CODE.get(code)) is not None:
        return kind(rest)
    message = rest if code == "ERR" else text
    if message in _TOO_MANY_CLIENTS:
        return ServerConnectionError(message)
    error = ReplyError(message)
    if code.isupper():
        error.code = code
    return error


def translated(error: Exception) -> Any:
    """Return pyredisson's error for one of redis-py's."""
    for kind, made in _BY_CLASS:
        if isinstance(error, kind):
            return made(*error.args)
    if isinstance(error, redis_py.ResponseError):  # a code without a class: MOVED in redis-py 5.0
        return error_reply(str(error))
    return ServerError(*error.args)


def connection_error(text: str) -> ours.ServerConnectionError:
    """Return the error of a broken or missing connection."""
    return ServerConnectionError(text)


def timeout_error(text: str) -> ours.ServerTimeoutError:
    """Return the error of a timeout."""
    return ServerTimeoutError(text)


def taken_over_error() -> ours.ServerConnectionError:
    """Return the error that replaces a reply from a server that is no longer the master."""
    return ServerConnectionError("another server became the master before the reply")


def reply_error(text: str) -> ours.ReplyError:
    """Return the error of an error reply with this text and the code ERR."""
    return ReplyError(text)


def last_reply(replies: Reader, more: object) -> ReplyError | None:
    """Return the reply "Protocol error" that came before the end of the connection, or None.

    A server sends it, and closes the connection, if it cannot read a request, for example a very
    long one.

    Args:
        replies: the parser, with the bytes that came before the end of the connection.
        more: the value that `replies.gets()` returns if there is no further complete reply.
    """
    with contextlib.suppress(ProtocolError):
        for reply in iter(replies.gets, more):
            if isinstance(reply, ReplyError) and str(reply).startswith("Protocol error"):
                return reply
    return None


def alike(error: Exception) -> Exception:
    """Copy an error, so that each caller raises an instance of its own."""
    another = type(error)(*error.args)
    another.__dict__.update(error.__dict__)
    return another


class UnsentError(ServerConnectionError):
    """A request was not sent, for example because no usable connection is open."""


class WrongClientError(ServerConnectionError):
    """A cluster client found a server without cluster mode, or a plain client a cluster node."""


# --- what an error means ------------------------------------------------------------------------

_OUTCOMES: list[tuple[tuple[type[Exception], ...], Outcome]] = [
    ((UnsentError,), Outcome.UNREACHED),  # a subclass stands before its base class
    ((ours.NoScriptError,), Outcome.NO_SCRIPT),
    ((ours.MovedError,), Outcome.MOVED),
    ((ours.AskError,), Outcome.ASK),
    ((ours.TryAgainError,), Outcome.TRY_AGAIN),
    ((ours.ReadOnlyError, ours.MasterDownError, ours.LoadingError), Outcome.NO_MASTER),
    ((ours.AuthenticationError,), Outcome.REFUSED),
    (ours.LOST, Outcome.LOST),
]


def outcome_of(error: Exception) -> Outcome:
    """Return the outcome of an operation whose sending or reading raised this error."""
    for kinds, outcome in _OUTCOMES:
        if isinstance(error, kinds):
            return outcome
    return Outcome.REFUSED


def redirection_of(error: Exception) -> Redirection | None:
    """Return the target of MOVED or ASK; None for other errors."""
    if not isinstance(error, ours.AskError):
        return None
    return Redirection.parse(f"{error.code} {error}")


def no_cluster(redirection: Redirection) -> WrongClientError:
    """Return the error for a redirection of a client that is not a cluster client."""
    host, port = redirection.address
    return WrongClientError(
        f"the server is a node of a cluster (its slot {redirection.slot} is at {host}:{port}); "
        "make the client with RedisCluster"
    )


def refuse_fake(client: Any) -> None:
    """Reject a client of fakeredis, whose connections have no socket.

    Raises:
        TypeError: `client` is a client of fakeredis.
    """
    pool = getattr(client, "connection_pool", None)
    kinds = (type(client), getattr(pool, "connection_class", object))
    if any(base.__module__.startswith("fakeredis") for kind in kinds for base in kind.__mro__):
        raise TypeError(
            "a fakeredis client has no sockets, and pyredisson needs a real server: in tests start "
            "a redis-server, or pyredisson.embedded.EmbeddedServer (pip install pyredisson[server])"
        )
