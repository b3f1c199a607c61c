"""The users of docs/rights.md run the command line: it works, and nothing is refused."""

import re
import shlex
from collections.abc import Iterator
from typing import Any

import pytest
import redis

from pyredisson import Redisson
from pyredisson.codecs import StringCodec
from tests.cli.test_cli import ended, run, sidecar
from tests.support.access import PAGE
from tests.support.server import RedisServer
from tests.support.state import pack
from tests.support.twins import until


def user(root: Any, name: str, *more: str) -> str:
    """Create a user by the line in the docs; return the beginning of an address with its login."""
    line = re.search(rf"^ACL SETUSER {name} .*$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert line
    root.execute_command(*shlex.split(line.group()), *more)
    root.acl_log_reset()
    return f"redis://{name}:secret@127.0.0.1:{root.get_connection_kwargs()['port']}"


def denied(root: Any) -> set[str]:
    """Return what was refused, except the CLIENT SETINFO that redis-py sends since Redis 7.2."""
    return {entry["object"] for entry in root.acl_log()} - {"client|setinfo"}


@pytest.fixture
def root(own_server: RedisServer) -> Iterator[redis.Redis]:
    """The administrator, and a queue in which something is wrong."""
    with own_server.client() as root:
        root.rpush("redisson_delay_queue:{orders}", pack(b"alone"))
        yield root


@pytest.mark.parametrize("name", ["sidecar", "worker", "application"])
def test_users_that_may_run_transfer(root: Any, own_server: RedisServer, name: str) -> None:
    with sidecar("orders", "--url", user(root, name)) as process:
        with Redisson.from_url(own_server.url, codec=StringCodec()) as owner:
            delayed = owner.get_delayed_queue(owner.get_queue("orders"), transfer=False)
            delayed.offer("due", delay=0.1)
            until(lambda: root.lrange("orders", 0, -1) == [b"due"], "it is moved")
        assert ended(process) == ""
    assert denied(root) == set()


@pytest.mark.parametrize("name", ["viewer", "operator", "application"])
def test_users_that_may_run_check(root: Any, name: str) -> None:
    done = run("check", "orders", "--url", user(root, name))
    assert (done.returncode, done.stderr) == (1, "")
    assert "cannot" not in done.stdout
    assert denied(root) == set()


@pytest.mark.parametrize("name", ["operator", "application"])
def test_users_that_may_run_check_repair(root: Any, name: str) -> None:
    done = run("check", "--repair", "orders", "--url", user(root, name))
    assert (done.returncode, done.stderr) == (0, "")
    assert denied(root) == set()


def test_a_viewer_changes_nothing(root: Any) -> None:
    done = run("check", "--repair", "orders", "--url", user(root, "viewer"))
    assert done.returncode == 2
    assert "permission" in done.stderr
    assert root.keys() == [b"redisson_delay_queue:{orders}"]


def test_another_database_needs_the_right_to_select(root: Any) -> None:
    address = user(root, "viewer")
    assert "'select'" in run("check", "orders", "--url", f"{address}/1").stderr
    address = user(root, "viewer", "+select")
    assert run("check", "orders", "--url", f"{address}/1").returncode == 0
