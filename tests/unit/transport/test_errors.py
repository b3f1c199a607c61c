"""The table of errors: error replies and redis-py's exceptions become pyredisson's errors."""

from __future__ import annotations

import copy
import pickle
import traceback
from importlib import import_module

import pytest
from redis import exceptions as redis_py

from pyredisson import RedissonError, server_errors
from pyredisson._transport.errors import error_reply, outcome_of, redirection_of, translated
from pyredisson.protocol.kernel.cluster import Redirection
from pyredisson.protocol.kernel.next_step import Outcome
from tests.support.rows import each_row

CLUSTER_IS_FULL = "max number of clients + cluster connections reached"

REPLIES = [
    ("NOSCRIPT No matching script.", "NoScriptError", "NOSCRIPT", Outcome.NO_SCRIPT),
    ("MOVED 1 h:7000", "MovedError", "MOVED", Outcome.MOVED),
    ("ASK 1 h:7000", "AskError", "ASK", Outcome.ASK),
    ("TRYAGAIN Multiple keys", "TryAgainError", "TRYAGAIN", Outcome.TRY_AGAIN),
    ("READONLY You can't write", "ReadOnlyError", "READONLY", Outcome.NO_MASTER),
    ("MASTERDOWN Link with MASTER", "MasterDownError", "MASTERDOWN", Outcome.NO_MASTER),
    ("LOADING Redis is loading", "LoadingError", None, Outcome.NO_MASTER),
    ("NOAUTH Authentication required.", "AuthenticationError", None, Outcome.REFUSED),
    ("WRONGPASS invalid", "AuthenticationError", None, Outcome.REFUSED),
    ("NOPERM this user", "NoPermissionError", "NOPERM", Outcome.REFUSED),
    ("OOM command not allowed", "OutOfMemoryError", "OOM", Outcome.REFUSED),
    ("CLUSTERDOWN Hash slot", "ClusterDownError", "CLUSTERDOWN", Outcome.REFUSED),
    ("CROSSSLOT Keys", "CrossSlotError", "CROSSSLOT", Outcome.REFUSED),
    ("ERR unknown command", "ReplyError", "ERR", Outcome.REFUSED),
    ("ERR max number of clients reached", "ServerConnectionError", None, Outcome.LOST),
    (f"ERR {CLUSTER_IS_FULL}", "ServerConnectionError", None, Outcome.LOST),
]
"""Error replies whose first word is cut off in the error's text."""

WHOLE = [("WRONGTYPE Operation", "WRONGTYPE"), ("BUSY Redis", "BUSY"), ("no code", "ERR")]

REDIS_PY = [
    (redis_py.ConnectionError, "ServerConnectionError"),
    (redis_py.TimeoutError, "ServerTimeoutError"),
    (redis_py.AuthenticationError, "AuthenticationError"),
    (redis_py.AuthorizationError, "AuthenticationError"),
    (redis_py.BusyLoadingError, "LoadingError"),
    (redis_py.NoScriptError, "NoScriptError"),
    (redis_py.NoPermissionError, "NoPermissionError"),
    (redis_py.ReadOnlyError, "ReadOnlyError"),
    (redis_py.OutOfMemoryError, "OutOfMemoryError"),
    (redis_py.ClusterDownError, "ClusterDownError"),
    (redis_py.MasterDownError, "MasterDownError"),
    (redis_py.ClusterCrossSlotError, "CrossSlotError"),
    (redis_py.TryAgainError, "TryAgainError"),
    (redis_py.AskError, "AskError"),
    (redis_py.MovedError, "MovedError"),
    (redis_py.ResponseError, "ReplyError"),
    (redis_py.InvalidResponse, "ServerError"),
]


@each_row(("text", "name", "code", "outcome"), REPLIES)
def test_an_error_reply(text: str, name: str, code: str | None, outcome: Outcome) -> None:
    error = error_reply(text)
    assert isinstance(error, getattr(server_errors, name))
    assert isinstance(error, RedissonError)
    assert isinstance(error, redis_py.RedisError)
    assert str(error) == text.partition(" ")[2]
    assert getattr(error, "code", None) == code
    assert outcome_of(error) is outcome


@pytest.mark.parametrize(("text", "code"), WHOLE)
def test_an_error_reply_of_another_code_keeps_its_text(text: str, code: str) -> None:
    error = error_reply(text)
    assert (str(error), error.code) == (text, code)
    assert isinstance(error, redis_py.ResponseError)


@each_row(("theirs", "name"), REDIS_PY)
def test_an_exception_of_redis_py(theirs: type[Exception], name: str) -> None:
    """It becomes an error of pyredisson, which can also be caught as the original class."""
    text = "1 h:7000" if issubclass(theirs, redis_py.AskError) else "words"
    error = translated(theirs(text))
    assert isinstance(error, getattr(server_errors, name))
    assert str(error) == text
    caught = redis_py.RedisError if theirs is redis_py.InvalidResponse else theirs
    assert isinstance(error, caught)


def test_redis_py_5_knows_no_moved() -> None:
    """It raises the same error as for any other reply, with the whole text."""
    error = translated(redis_py.ResponseError("MOVED 5 h:7000"))
    assert isinstance(error, server_errors.MovedError)
    assert redirection_of(error) == Redirection(moved=True, slot=5, address=("h", 7000))


def test_cluster_node_with_too_many_clients_counts_as_a_lost_connection() -> None:
    """redis-py raises the error of an unknown reply, and omits ERR."""
    error = translated(redis_py.ResponseError(CLUSTER_IS_FULL))
    assert isinstance(error, server_errors.ServerConnectionError)
    assert str(error) == CLUSTER_IS_FULL


@each_row("text", [row[0] for row in REPLIES] + [row[0] for row in WHOLE])
def test_an_error_can_be_copied_and_pickled(text: str) -> None:
    error = error_reply(text)
    for another in (copy.copy(error), pickle.loads(pickle.dumps(error))):
        assert type(another) is type(error)
        assert (another.args, vars(another)) == (error.args, vars(error))


@each_row("text", [row[0] for row in REPLIES] + [row[0] for row in WHOLE])
def test_traceback_prints_public_name(text: str) -> None:
    error = error_reply(text)
    [line] = traceback.format_exception_only(error)
    home, name = line.partition(": ")[0].rsplit(".", 1)
    assert isinstance(error, getattr(import_module(home), name))
    assert home in ("pyredisson", "pyredisson.server_errors")
