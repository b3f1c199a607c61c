"""Errors of the server and of the connection to it: the branch `ServerError` of `RedissonError`.

::

    ServerError
    ├── ServerConnectionError     no connection, or it broke
    │   ├── AuthenticationError   the server does not accept the credentials
    │   └── LoadingError          the server loads its data and serves nobody yet
    ├── ServerTimeoutError        no connection or no reply in time
    └── ReplyError                the server answered with an error; `code` is its first word
        ├── NoPermissionError
        ├── ReadOnlyError
        ├── OutOfMemoryError
        ├── NoScriptError
        ├── ClusterDownError
        │   └── MasterDownError
        ├── CrossSlotError
        ├── TryAgainError
        └── AskError
            └── MovedError

What pyredisson raises is also redis-py's error of the same meaning: `except
redis.exceptions.ConnectionError` catches a `ServerConnectionError`, `ResponseError` a
`ReplyError`. `pyredisson/_transport/errors.py` has the table.
"""

from __future__ import annotations

from pyredisson.errors import RedissonError

__all__ = [
    "AskError",
    "AuthenticationError",
    "ClusterDownError",
    "CrossSlotError",
    "LoadingError",
    "MasterDownError",
    "MovedError",
    "NoPermissionError",
    "NoScriptError",
    "OutOfMemoryError",
    "ReadOnlyError",
    "ReplyError",
    "ServerConnectionError",
    "ServerError",
    "ServerTimeoutError",
    "TryAgainError",
]


class ServerError(RedissonError):
    """Base of what a server, or the connection to it, causes."""


class ServerConnectionError(ServerError):
    """There is no connection, or it broke; redis-py's ConnectionError."""


class AuthenticationError(ServerConnectionError):
    """The server does not accept the credentials."""


class LoadingError(ServerConnectionError):
    """The server loads its data and serves nobody yet."""


class ServerTimeoutError(ServerError):
    """No connection opened, or no reply came, in time; redis-py's TimeoutError."""


class ReplyError(ServerError):
    """The server answered with an error; redis-py's ResponseError.

    `code` is the first word of the reply, such as ``WRONGTYPE``; ``ERR`` where it has none.
    """

    code = "ERR"


class NoPermissionError(ReplyError):
    """The user lacks a permission (ACL)."""


class ReadOnlyError(ReplyError):
    """The server is a replica and takes no writes."""


class OutOfMemoryError(ReplyError):
    """The server's memory is full."""


class NoScriptError(ReplyError):
    """The server does not know a script by its digest."""


class ClusterDownError(ReplyError):
    """The cluster does not serve the key's slot."""


class MasterDownError(ClusterDownError):
    """A replica has lost its master."""


class CrossSlotError(ReplyError):
    """The keys of a command live in different slots."""


class TryAgainError(ReplyError):
    """The keys of a slot that moves are at two nodes for now."""


class AskError(ReplyError):
    """Another node has the key for this one command."""


class MovedError(AskError):
    """Another node serves the key's slot."""


LOST = (ServerConnectionError, ServerTimeoutError, OSError)
"""What is raised when a connection is of no more use."""

ERROR_REPLIES = (ReplyError, LoadingError, AuthenticationError)
"""What is raised for an error reply: the replies that follow are still in step."""
