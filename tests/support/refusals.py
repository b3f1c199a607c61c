"""Temporary rejections: for a while, a server that answers rejects writes or a user."""

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tests.support.server import RedisServer

USER = "someone"

SAID = {
    "misconf": "MISCONF",
    "noreplicas": "NOREPLICAS",
    "noperm": "has no permissions|NOPERM",
    "wrongpass": "WRONGPASS|invalid username-password",
}
"""Each rejection, with a pattern of its log message."""
EVERYWHERE = ("misconf", "noreplicas")
"""The rejections that are temporary according to redis-py's errors."""


def url_of(server: RedisServer, user: str = USER) -> str:
    """Make a user, and return the address with its name and password."""
    server.run("ACL", "SETUSER", user, "on", ">any", "~*", "&*", "+@all")
    return f"redis://{user}:any@127.0.0.1:{server.port}/0"


def _cannot_save(server: RedisServer) -> Callable[[], None]:
    place = server.directory / "dump.rdb"
    place.mkdir()
    (place / "in the way").touch()
    server.run("CONFIG", "SET", "save", "3600 1")
    server.run("BGSAVE")
    deadline = time.monotonic() + 20
    while b"rdb_last_bgsave_status:err" not in server.run("INFO", "persistence"):
        assert time.monotonic() < deadline
        time.sleep(0.01)

    def end() -> None:
        shutil.rmtree(place)
        server.run("CONFIG", "SET", "save", "")

    return end


def _has_no_replica(server: RedisServer) -> Callable[[], None]:
    server.run("CONFIG", "SET", "min-replicas-to-write", 1)
    return lambda: server.run("CONFIG", "SET", "min-replicas-to-write", 0)


def _may_not(server: RedisServer) -> Callable[[], None]:
    server.run("ACL", "SETUSER", USER, "-evalsha", "-eval")
    return lambda: server.run("ACL", "SETUSER", USER, "+@all")


def _other_password(server: RedisServer) -> Callable[[], None]:
    server.run("ACL", "SETUSER", USER, "resetpass", ">other")
    server.run("CLIENT", "KILL", "USER", USER)
    return lambda: server.run("ACL", "SETUSER", USER, ">any")


_BEGIN = {
    "misconf": _cannot_save,
    "noreplicas": _has_no_replica,
    "noperm": _may_not,
    "wrongpass": _other_password,
}


@contextmanager
def refusal(server: RedisServer, kind: str) -> Iterator[None]:
    """Reject commands until the end of the block."""
    end = _BEGIN[kind](server)
    try:
        yield
    finally:
        end()
