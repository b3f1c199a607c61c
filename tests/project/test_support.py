"""The tests' own tools do what their docstrings say."""

import gc
import importlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from pyredisson._runtime.concurrency import monotonic
from pyredisson._support import die_with_parent
from tests.support import order
from tests.support.consumer_model.passing import Passing
from tests.support.dump import KeyDump, dump
from tests.support.monitor import Monitor, parse_line, scripts
from tests.support.order import begin_with
from tests.support.processes import has_ended
from tests.support.proxy import FaultProxy
from tests.support.resp import FrameSplitter, is_published
from tests.support.server import RedisServer, ServerError
from tests.support.services import server_binary
from tests.support.topology import wait_until


def test_garbage_collection_is_enabled_again() -> None:
    assert gc.isenabled()


def test_tests_of_changed_files_run_first(monkeypatch: pytest.MonkeyPatch) -> None:
    changed = ["pyredisson/_async/locks/fair_lock.py", "docs/new.md", "tests/cli/test_top.py"]
    monkeypatch.setattr("tests.support.order.changed", lambda: changed)
    paths = ["_sync/a/test_a", "_sync/a/test_long", "_sync/locks/test_lock", "cli/test_top"]
    items: Any = [SimpleNamespace(path=Path("tests", f"{path}.py")) for path in paths]
    begin_with(["test_long"], items)
    found = [item.path.stem for item in items]
    assert found == ["test_lock", "test_top", "test_long", "test_a"]


def test_git_names_what_has_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.support.order.ROOT", tmp_path)
    assert order.changed() == []
    commit = "-c user.name=a -c user.email=a commit -q --allow-empty -m a"
    for words in ("init -q", commit, commit):
        subprocess.run(["git", *words.split()], cwd=tmp_path, check=True)
    (tmp_path / "new.py").touch()
    assert order.changed() == ["new.py"]
    for words in ("add new.py", commit):
        subprocess.run(["git", *words.split()], cwd=tmp_path, check=True)
    assert order.changed() == ["new.py"]


# --- server -------------------------------------------------------------------------------------


def test_with_aof_a_crash_loses_nothing(own_server: RedisServer) -> None:
    client, port = own_server.client(), own_server.port
    client.set("k", "v")
    own_server.kill()
    own_server.start()
    assert (own_server.port, client.get("k")) == (port, b"v")


def test_without_aof_a_restart_loses_all() -> None:
    with RedisServer() as server:
        server.client().set("k", "v")
        server.restart()
        assert server.client().get("k") is None


def test_a_frozen_server_executes_when_it_wakes(own_server: RedisServer) -> None:
    client = one_try(own_server.port, timeout=0.5)
    client.ping()  # a frozen server would not answer the handshake of a connection
    own_server.pause()
    with pytest.raises(redis.TimeoutError):
        client.rpush("k", "v")
    own_server.resume()
    wait_until(lambda: client.llen("k") == 1, "the push is executed")
    own_server.pause()
    own_server.stop()  # ends a frozen server, too


def test_extra_arguments_reach_the_server() -> None:
    with RedisServer("--maxmemory", "3mb") as server:
        assert server.client().config_get("maxmemory") == {"maxmemory": "3145728"}


def test_a_server_that_cannot_start_says_why() -> None:
    server = RedisServer("--no-such-option", "1")
    with pytest.raises(ServerError, match="no-such-option"):
        server.start()
    assert not server.directory.exists()


def test_close_leaves_nothing_behind() -> None:
    with RedisServer() as server:
        pid = server.pid
    assert not server.directory.exists()
    assert has_ended(pid)


def test_a_file_meets_no_connection_of_another(tmp_path: Path) -> None:
    leaves = "left = []\ndef test(server): left.append(server.client()); left[0].ping()"
    (tmp_path / "test_a.py").write_text(leaves)
    (tmp_path / "test_b.py").write_text("def test(raw): assert len(raw.client_list()) == 1")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.conftest", str(tmp_path)]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("way", ["kernel", "watcher"])
def test_a_server_does_not_outlive_its_parent(tmp_path: Path, way: str) -> None:
    """A process that starts a child the same way dies of SIGKILL; so does the child."""
    if way == "kernel" and sys.platform != "linux":
        pytest.skip("PR_SET_PDEATHSIG is Linux's")
    script = tmp_path / "child.py"
    platform = sys.platform if way == "kernel" else "elsewhere"
    script.write_text(
        Path(die_with_parent.__file__).read_text().replace("sys.platform", repr(platform))
    )
    start = (
        "import os, subprocess, sys, time\n"
        f"command = [sys.executable, {str(script)!r}, str(os.getpid()), '/bin/sleep', '60']\n"
        "print(subprocess.Popen(command).pid, flush=True)\n"
        "time.sleep(60)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", start], stdout=subprocess.PIPE, text=True)
    with parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        time.sleep(0.3)
        assert not has_ended(pid)
        parent.send_signal(signal.SIGKILL)
    wait_until(lambda: has_ended(pid), "the child has ended")


def test_a_zombie_has_ended() -> None:
    with subprocess.Popen(["/bin/sleep", "60"]) as process:
        assert not has_ended(process.pid)
        process.kill()
        wait_until(lambda: has_ended(process.pid), "a process that nobody has waited for")
    assert has_ended(process.pid)


def test_the_environment_names_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYREDISSON_SERVER", "/opt/some-server")
    assert server_binary() == "/opt/some-server"


def test_embedded_server_is_used_without_a_redis_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYREDISSON_SERVER", raising=False)
    monkeypatch.setenv("PATH", "")
    binary = server_binary()
    assert (Path(binary).name, os.access(binary, os.X_OK)) == ("valkey-server", True)


@pytest.mark.parametrize(("ci", "outcome"), [("true", "Failed"), ("", "Skipped")])
def test_a_missing_server_fails_in_ci_and_skips_elsewhere(
    monkeypatch: pytest.MonkeyPatch, ci: str, outcome: str
) -> None:
    monkeypatch.delenv("PYREDISSON_SERVER", raising=False)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(sys, "path", [])
    monkeypatch.setenv("CI", ci)
    with pytest.raises(BaseException, match="no redis-server") as caught:
        server_binary()
    assert type(caught.value).__name__ == outcome


# --- proxy --------------------------------------------------------------------------------------


def one_try(port: int, timeout: float = 5) -> redis.Redis:
    """A client that sends once and waits ``timeout`` seconds."""
    return redis.Redis(port=port, retry=Retry(NoBackoff(), 0), socket_timeout=timeout)


def test_the_proxy_passes_everything_on(proxy: FaultProxy) -> None:
    blob = os.urandom(1_000_000)
    with one_try(proxy.port) as client:
        client.set("k", blob)
        assert client.get("k") == blob
        assert proxy.connections == 1


def test_a_dropped_reply_belongs_to_an_executed_request(
    proxy: FaultProxy, raw: redis.Redis
) -> None:
    with one_try(proxy.port, timeout=0.5) as client:
        client.ping()
        proxy.drop_replies(1)
        with pytest.raises(redis.TimeoutError):
            client.rpush("k", "once")
        assert raw.lrange("k", 0, -1) == [b"once"]
        assert client.rpush("k", "again") == 2
        assert proxy.dropped == 1


def test_a_black_hole_executes_nothing(proxy: FaultProxy, raw: redis.Redis) -> None:
    with one_try(proxy.port, timeout=0.5) as client:
        client.ping()
        proxy.black_hole()
        for _ in range(2):  # on the open connection, and on a new one
            with pytest.raises(redis.TimeoutError):
                client.rpush("k", "never")
        proxy.heal()
        assert client.llen("k") == 0
        assert raw.exists("k") == 0


def test_a_delay_is_added_to_each_reply(proxy: FaultProxy) -> None:
    with one_try(proxy.port) as client:
        client.ping()
        proxy.delay(0.2)
        start = time.monotonic()
        client.ping()
        assert time.monotonic() - start >= 0.2


def test_held_replies_come_in_order_after_release(proxy: FaultProxy) -> None:
    with one_try(proxy.port) as client:
        client.ping()
        proxy.hold_replies()
        subscriber = client.pubsub()
        subscriber.subscribe("c")
        assert subscriber.get_message(timeout=0.1) is None
        proxy.release()
        message = subscriber.get_message(timeout=5)
        assert message is not None
        assert message["type"] == "subscribe"
        subscriber.close()


def test_a_refused_connection_leaves_open_ones_alone(proxy: FaultProxy) -> None:
    with one_try(proxy.port) as old, one_try(proxy.port) as new:
        old.ping()
        proxy.refuse()
        with pytest.raises(redis.ConnectionError, match="refused"):
            new.ping()
        assert old.ping()
        proxy.heal()
        assert new.ping()


def test_a_reset_ends_open_connections_and_not_new_ones(proxy: FaultProxy) -> None:
    with one_try(proxy.port) as client:
        client.ping()
        proxy.hold_replies()
        proxy.reset_all()
        wait_until(lambda: proxy.connections == 0, "the connection is gone")
        proxy.heal()
        assert client.ping()
        assert proxy.accepted == 2


@pytest.mark.parametrize("protocol", [2, 3])
def test_published_messages_are_lost_and_nothing_else(
    proxy: FaultProxy, raw: redis.Redis, protocol: int
) -> None:
    with redis.Redis(port=proxy.port, protocol=protocol) as client, client.pubsub() as subscriber:
        proxy.drop_published()
        subscriber.subscribe("c")
        wait_until(lambda: subscriber.get_message(timeout=1) is not None, "the confirmation")
        assert raw.publish("c", "lost") == 1
        assert subscriber.get_message(timeout=0.1) is None
        proxy.heal()
        raw.publish("c", "seen")
        message = subscriber.get_message(timeout=5)
        assert message is not None
        assert message["data"] == b"seen"


def test_a_filter_may_rewrite_replies(proxy: FaultProxy) -> None:
    proxy.filter_replies(lambda frame: b"-BUSY no\r\n" if frame == b"+PONG\r\n" else frame)
    with one_try(proxy.port) as client, pytest.raises(redis.ResponseError, match="BUSY"):
        client.ping()


# --- frames -------------------------------------------------------------------------------------

FRAMES = [
    b"+OK\r\n",
    b"-ERR no\r\n",
    b":-7\r\n",
    b"$-1\r\n",
    b"$0\r\n\r\n",
    b"$4\r\n\r\n\r\n\r\n",
    b"*-1\r\n",
    b"*0\r\n",
    b"*2\r\n*1\r\n$1\r\na\r\n:1\r\n",
    b"%1\r\n+k\r\n*1\r\n_\r\n",
    b"|1\r\n+ttl\r\n:3\r\n~1\r\n#t\r\n",
    b">3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\nm\r\n",
    b"=5\r\ntxt:a\r\n",
    b",1.5\r\n",
]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_frames_do_not_depend_on_how_the_bytes_come(size: int) -> None:
    stream = b"".join(FRAMES)
    splitter = FrameSplitter()
    frames = [
        frame
        for start in range(0, len(stream), size)
        for frame in splitter.feed(stream[start : start + size])
    ]
    assert frames == FRAMES


@pytest.mark.parametrize(
    ("frame", "published"),
    [
        (b"*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\nm\r\n", True),
        (b">4\r\n$8\r\npmessage\r\n$1\r\n*\r\n$1\r\nc\r\n$1\r\nm\r\n", True),
        (b"*3\r\n$9\r\nsubscribe\r\n$1\r\nc\r\n:1\r\n", False),
        (b"*2\r\n$4\r\npong\r\n$0\r\n\r\n", False),
        (b"$7\r\nmessage\r\n", False),
    ],
)
def test_message_and_confirmation_are_distinguished(frame: bytes, published: bool) -> None:
    assert is_published(frame) is published


# --- monitor and dump ---------------------------------------------------------------------------


def test_every_byte_comes_back_as_it_was_sent(server: RedisServer, raw: redis.Redis) -> None:
    every = bytes(range(256))
    with Monitor(server) as monitor:
        raw.rpush(b'k "[] \\', every, b"", b'\\x41"')
    seen = [command for command in monitor.commands if command.name == "RPUSH"]
    assert [command.arguments for command in seen] == [
        (b"RPUSH", b'k "[] \\', every, b"", b'\\x41"')
    ]


def test_commands_of_a_script_follow_it_and_say_so(server: RedisServer, raw: redis.Redis) -> None:
    lua = "redis.call('rpush', KEYS[1], ARGV[1]); redis.call('incr', 'n'); return 1"
    raw.ping()
    with Monitor(server) as monitor:
        raw.eval(lua, 1, "k", "v")
        raw.ping()
    (outer, inner), (last, nothing) = scripts(monitor.commands)
    assert outer.arguments == (b"EVAL", lua.encode(), b"1", b"k", b"v")
    assert [(command.by_script, command.arguments) for command in inner] == [
        (True, (b"rpush", b"k", b"v")),
        (True, (b"incr", b"n")),
    ]
    assert (outer.by_script, last.name, nothing) == (False, "PING", [])


def test_a_line_names_its_source_database_and_time() -> None:
    command = parse_line(b'+1339518083.107412 [3 [::1]:60866] "get" "a\\nb\\\\"\r\n')
    assert (command.source, command.database, command.seconds) == (
        "[::1]:60866",
        3,
        1339518083.107412,
    )
    assert command.arguments == (b"get", b"a\nb\\")


def test_a_dump_shows_types_values_scores_and_ends(raw: redis.Redis) -> None:
    raw.set("s", "v", ex=100)
    raw.rpush("l", "b", "a", "b")
    raw.zadd("z", {"late": 1.5, "early": -1, "tie": 1.5})
    raw.sadd("set", "b", "a")
    raw.hset("h", "f", "v")
    assert dump(raw) == {
        b"s": KeyDump("string", b"v", expires=True),
        b"l": KeyDump("list", (b"b", b"a", b"b")),
        b"z": KeyDump("zset", ((b"early", -1.0), (b"late", 1.5), (b"tie", 1.5))),
        b"set": KeyDump("set", (b"a", b"b")),
        b"h": KeyDump("hash", ((b"f", b"v"),)),
    }
    assert list(dump(raw, "[sl]")) == [b"l", b"s"]


def test_module_imported_while_time_passes_gets_the_real_clock(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    name = "pyredisson._sync.checks.check"
    monkeypatch.delitem(sys.modules, name, raising=False)
    with Passing() as passing:
        passing.put_forward(3600)
        module = importlib.import_module(name)
        assert module.monotonic == passing.monotonic
    assert module.monotonic is monotonic
