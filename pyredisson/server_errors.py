"""Errors of the server and of the connection to it: the branch `ServerError` of `RedissonError`.

::

    ServerError
    ├── ServerConnectionError     no connection, or it broke
    │   ├── AuthenticationError   the server does not accept the credentials
    │   └── LoadingError          the server loads its data and serves no commands yet
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

Each raised error is also an instance of redis-py's class with the same meaning: `except
redis.exceptions.ConnectionError` catches a `ServerConnectionError`, and `except
redis.exceptions.ResponseError` catches a `ReplyError`. `pyredisson/_transport/errors.py` has the
table of the classes.
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
    """Base class of the errors that a server, or the connection to the server, causes."""

    __module__ = "pyredisson"


class ServerConnectionError(ServerError):
    """There is no connection, or the connection broke. It is also redis-py's ConnectionError."""

    __module__ = "pyredisson"


class AuthenticationError(ServerConnectionError):
    """The server does not accept the credentials."""


class LoadingError(ServerConnectionError):
    """The server loads its data and serves no commands yet."""


class ServerTimeoutError(ServerError):
    """No connection opened or no reply came in time. It is also redis-py's TimeoutError."""

    __module__ = "pyredisson"


class ReplyError(ServerError):
    """The server answered with an error. It is also redis-py's ResponseError.

    Attributes:
        code: the first word of the reply, such as ``WRONGTYPE``; ``ERR`` if it has no code.
    """

    __module__ = "pyredisson"
    code = "ERR"


class NoPermissionError(ReplyError):
    """The user does not have a permission that the command needs (ACL)."""


class ReadOnlyError(ReplyError):
    """The server is a replica and accepts no writes."""


class OutOfMemoryError(ReplyError):
    """The server's memory is full."""


class NoScriptError(ReplyError):
    """The server does not have a script with this digest."""


class ClusterDownError(ReplyError):
    """The cluster does not serve the key's slot."""


class MasterDownError(ClusterDownError):
    """A replica has lost its master."""


class CrossSlotError(ReplyError):
    """The keys of a command are in different slots."""


class TryAgainError(ReplyError):
    """A slot is being moved, and its keys are on two nodes."""


class AskError(ReplyError):
    """The slot is being moved to another node, which serves this one command."""


class MovedError(AskError):
    """Another node serves the key's slot."""


LOST = (ServerConnectionError, ServerTimeoutError, OSError)
"""Errors after which the connection cannot be used, and a reply counts as lost."""

ERROR_REPLIES = (ReplyError, LoadingError, AuthenticationError)
"""Errors that an error reply causes. The connection can still be used."""
