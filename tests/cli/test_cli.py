"""The command line, the demo and the embedded server, as processes of their own."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO
from urllib.parse import urlencode

import pytest
import redis

from pyredisson import Redisson, __version__
from pyredisson.codecs import StringCodec
from pyredisson.embedded import EmbeddedServer
from tests.support.faults_tools import hand_over
from tests.support.ports import free_port
from tests.support.server import RedisServer
from tests.support.state import pack
from tests.support.tls import Certificates, TlsServer
from tests.support.topology import RedisCluster, SentinelGroup
from tests.support.twins import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
CLI = [sys.executable, "-m", "pyredisson"]


def run(*words: str) -> subprocess.CompletedProcess[str]:
    """Run the command line to its end."""
    return subprocess.run([*CLI, *words], capture_output=True, text=True, timeout=60, check=False)


def test_version_and_help() -> None:
    assert run("--version").stdout == f"pyredisson {__version__}\n"
    assert "NAME" in run("transfer", "--help").stdout


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_transfer_moves_items_until_it_is_stopped(
    number: signal.Signals, server: RedisServer
) -> None:
    """The command transfers items whose producer has ended; it prints counts and exits with 0."""
    with Redisson.from_url(server.url) as redisson:
        orders = redisson.get_queue("orders", codec=StringCodec())
        delayed = redisson.get_delayed_queue(orders, transfer=False)
        delayed.offer("order-1", delay=0.3)
        delayed.offer("order-2", delay=3600)
    with sidecar("orders", "other", "--url", server.url) as process:
        with Redisson.from_url(server.url) as redisson:
            queue = redisson.get_blocking_queue("orders", codec=StringCodec())
            assert queue.poll(timeout=PATIENCE) == "order-1"
        process.send_signal(number)
        out, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, errors
    assert re.search(r"transferring 'orders': [12] pending", out)
    assert re.search(r"stopped 'orders': [1-9]\d* transfers, 0 failures, 0 poisoned entries", out)
    assert errors == ""


def test_transfer_over_tls(certificates: Certificates) -> None:
    """The URL's query specifies the certificate; without it, the error names what is missing."""
    with TlsServer(certificates) as server:
        with Redisson.from_url(server.url, codec=StringCodec()) as redisson:
            queue = redisson.get_blocking_queue("orders")
            redisson.get_delayed_queue(queue, transfer=False).offer("order-1", delay=0.1)
            with sidecar("orders", "--url", server.url) as process:
                assert queue.poll(timeout=PATIENCE) == "order-1"
                ended(process)
        trusting = urlencode(certificates.options(None))
        done = run("transfer", "orders", "--url", f"{server.bare_url}?{trusting}")
        assert done.returncode == 2
        assert "ssl_certfile" in done.stderr.splitlines()[-1]
        done = run("transfer", "orders", "--url", server.bare_url)
        assert done.returncode == 2
        assert "certificate" in done.stderr.splitlines()[-1]


@contextmanager
def sidecar(*words: str, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """Run `pyredisson transfer` until the end of the block."""
    process = subprocess.Popen(
        [*CLI, "transfer", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def ended(process: subprocess.Popen[str]) -> str:
    """Stop the process; return the rest of its stderr."""
    process.terminate()
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, errors
    return errors


def said(stream: IO[str] | None) -> str:
    """Read the next line."""
    assert stream is not None
    return stream.readline()


def test_transfer_waits_for_a_server_that_starts_later() -> None:
    """The command prints once that it waits, without the password. It starts with the server."""
    server = RedisServer("--requirepass", "secret", port=free_port())
    url = f"redis://:secret@127.0.0.1:{server.port}/0"
    with sidecar("orders", PYREDISSON_URL=url) as process:
        waiting = said(process.stderr)
        assert f"waiting for Redis at 127.0.0.1:{server.port}: " in waiting
        assert "secret" not in waiting
        time.sleep(0.5)  # the command retries meanwhile
        with server:
            assert said(process.stdout) == "transferring 'orders': 0 pending\n"
            assert ended(process) == ""


def test_transfer_warns_if_the_server_rejects_subscribe() -> None:
    """The warning contains the interval at which the tasks poll, which is an option."""
    more = ("--safety-interval", "0.2")
    with (
        RedisServer("--rename-command", "SUBSCRIBE", "") as server,
        sidecar("orders", "--url", server.url, *more) as process,
    ):
        line = said(process.stderr)
        assert "WARNING SUBSCRIBE is rejected (" in line
        assert line.endswith("transfer tasks poll every 0.2 s (safety_interval)\n")
        assert ended(process) == ""


@pytest.mark.parametrize("more", [[], ["--cluster"], ["--sentinel", "127.0.0.1:1,127.0.0.1:2"]])
def test_transfer_that_waits_can_be_stopped(more: list[str]) -> None:
    """SIGTERM ends the wait at once, with exit code 0."""
    with sidecar("orders", "--url", "redis://127.0.0.1:1/0", *more) as process:
        assert "pyredisson: waiting for " in (line := said(process.stderr))
        assert "127.0.0.1:1" in line
        assert "Traceback" not in ended(process)


def test_transfer_at_the_master_of_sentinels() -> None:
    """The URL's host is the master's name; a Sentinel's password comes from the environment."""
    with SentinelGroup() as group:
        url = f"redis://127.0.0.1:{group.master.port}/2"
        watcher = group.sentinels[0]
        watcher.run("ACL", "SETUSER", "default", "resetpass", ">watch")
        address = f"127.0.0.1:{watcher.port}"
        known = {"PYREDISSON_SENTINEL": f"redis://:watch@{address}"}
        master = f"redis://{group.service_name}/2"
        with Redisson.from_url(url) as redisson, sidecar("orders", "--url", master, **known) as it:
            assert said(it.stdout) == "transferring 'orders': 0 pending\n"
            orders = redisson.get_blocking_queue("orders", codec=StringCodec())
            redisson.get_delayed_queue(orders, transfer=False).offer("order-1", delay=0.1)
            assert orders.poll(timeout=PATIENCE) == "order-1"
            assert ended(it) == ""
        refused = run("transfer", "orders", "--url", master, "--sentinel", address)
        assert refused.returncode == 2
        assert "Authentication required" in refused.stderr
        nameless = run(
            "transfer", "orders", "--sentinel", f"redis://:watch@{address}", "--url", url
        )
        assert nameless.returncode == 2
        assert "No such master with that name" in nameless.stderr
        assert "watch" not in refused.stderr + nameless.stderr


def test_a_wrong_password_ends_the_command(own_server: RedisServer) -> None:
    """The command exits at once: a retry would fail, too."""
    own_server.run("CONFIG", "SET", "requirepass", "secret")
    for more in ([], ["--cluster"]):
        done = run(
            "transfer", "orders", "--url", f"redis://:wrong@127.0.0.1:{own_server.port}", *more
        )
        assert done.returncode == 2
        assert "invalid username-password pair" in done.stderr
        assert "Traceback" not in done.stderr


COMMANDS = pytest.mark.parametrize("command", ["transfer", "check"])


def refused(command: str, *words: str) -> str:
    """Run a command that must fail; return its error, which has one line."""
    done = run(command, "orders", "retries", "bills", *words)
    assert done.returncode == 2
    assert done.stderr.startswith("pyredisson: ")
    assert done.stderr.count("\n") == 1
    return done.stderr.removeprefix("pyredisson: ").rstrip()


@COMMANDS
def test_a_single_server_is_no_cluster_and_no_sentinel(command: str, server: RedisServer) -> None:
    """If the options are those of another kind of server, the error names the right ones."""
    address = f"127.0.0.1:{server.port}"
    said = f"{address} is a single server: leave out --cluster"
    assert refused(command, "--cluster", "--url", server.url) == said
    said = f"{address} is no Sentinel: give it as --url, without --sentinel"
    assert refused(command, "--sentinel", address) == said


@COMMANDS
def test_a_cluster_node_needs_the_option_cluster(command: str, cluster: RedisCluster) -> None:
    """The command exits at once: after a wait, the address would still be a cluster node."""
    address = cluster.url.removeprefix("redis://").removesuffix("/0")
    assert (
        refused(command, "--url", cluster.url)
        == f"{address} is a node of a cluster: give --cluster, too"
    )
    assert "give --cluster" in refused(command, "--url", f"redis://{address}/2")
    wrong = refused(command, "--url", f"redis://nobody:wrong@{address}")
    assert "invalid username-password pair" in wrong
    said = f"{address} is no Sentinel: give it as --url and --cluster, without --sentinel"
    assert refused(command, "--sentinel", address) == said


def test_transfer_ends_when_its_slot_moves_to_another_node(cluster: RedisCluster) -> None:
    """Otherwise the command would wait for a queue that is on another node."""
    node = cluster.master_of(b"leaving")
    with sidecar("leaving", "--url", node.url) as process:
        assert said(process.stdout) == "transferring 'leaving': 0 pending\n"
        hand_over(cluster, b"leaving")
        _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    last = errors.splitlines()[-1]
    assert last == f"pyredisson: 127.0.0.1:{node.port} is a node of a cluster: give --cluster, too"


@COMMANDS
def test_the_port_of_a_sentinel_needs_the_option_sentinel(
    command: str, sentinels: SentinelGroup
) -> None:
    address = f"127.0.0.1:{sentinels.sentinels[0].port}"
    for words in ([], ["--cluster"]):
        assert refused(command, "--url", f"redis://{address}/2", *words) == (
            f"{address} is a Sentinel: give --sentinel {address}, and --url redis://NAME/0 with "
            "the name of its master (default: redis://mymaster/0)"
        )
    said = refused(command, "--sentinel", address, "--url", "redis://other/0")
    assert said == "no Sentinel names a master 'other': No such master with that name"


def test_help_does_not_show_a_password(monkeypatch: pytest.MonkeyPatch) -> None:
    """--help shows the default address, not the one in the environment."""
    monkeypatch.setenv("PYREDISSON_URL", "redis://:secret@host/0")
    shown = run("transfer", "--help").stdout
    assert "secret" not in shown
    assert "redis://127.0.0.1:6379/0" in shown


def test_a_key_of_the_wrong_type_ends_the_command(server: RedisServer, raw: redis.Redis) -> None:
    """The exit code is 2; the error names the key, the expected type and the actual type."""
    raw.set("orders", "text")
    done = run("transfer", "orders", "--url", server.url)
    assert done.returncode == 2
    assert "key 'orders' should hold a list but holds a string" in done.stderr


def test_check_exits_with_1_until_the_repair(server: RedisServer, raw: redis.Redis) -> None:
    """The command prints the problems and exits with 1; after a repair it exits with 0."""
    for name in ("orders", "others"):
        raw.rpush(f"redisson_delay_queue:{{{name}}}", "bad")
        raw.zadd(f"redisson_delay_queue_timeout:{{{name}}}", {pack(b"v" * 99): 2**52})
    raw.rpush("retries", "order-1")
    well = run("check", "retries", "--url", server.url)
    assert well.returncode == 0
    assert well.stdout.startswith("'retries': no problems\n'retries': ready: 1, and no consumer")
    done = run("check", "retries", "orders", "others", "--url", server.url)
    assert done.returncode == 1
    assert (
        "'orders': 2 problems\npoison of redisson_delay_queue_timeout:{orders}: 1; " in done.stdout
    )
    assert "    b'bad'\ntimeout_set_only of " in done.stdout
    assert "\n'orders': --repair repairs 2 of 2\n'others': 2 problems\n" in done.stdout
    assert re.search(r"^    b'\\x0812345678c.*'\.\.\.$", done.stdout, re.MULTILINE)
    assert raw.llen("redisson_delay_queue:{orders}") == 1
    done = run("check", "orders", "--repair", "--drop-orphans", "--url", server.url)
    assert done.returncode == 0, done.stderr
    assert "repaired poison of redisson_delay_queue_timeout:{orders}: 1\n" in done.stdout
    assert done.stdout.startswith("repaired ")
    assert "'orders': no problems\n" in done.stdout
    assert raw.keys("*orders*") == [b"pyredisson_poison:{orders}"]
    raw.set("pyredisson_dedup:{others}", "text")
    done = run("check", "others", "--repair", "--url", server.url)
    assert done.returncode == 1
    assert "'others': 1 problem\n'others': in the poison list: 1; " in done.stdout
    assert "\nwrong_type of pyredisson_dedup:{others}: 1; holds" in done.stdout
    assert "--repair repairs" not in done.stdout
    raw.delete("pyredisson_dedup:{others}")
    assert run("check", "others", "--repair", "--url", server.url).returncode == 0
    assert raw.llen("redisson_delay_queue:{others}") == 1
    assert run("check", "q", "--url", "redis://127.0.0.1:1/0").stderr.startswith("pyredisson: ")


def test_demo_takes_its_orders_by_due_time(server: RedisServer) -> None:
    done = subprocess.run(
        [sys.executable, "scripts/demo.py", "--url", server.url],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    taken = re.findall(r"took order-(\d) +(-?[\d.]+) ms", done.stdout)
    assert [number for number, _ in taken] == ["4", "2", "3", "5", "1"]
    assert all(float(late) >= 0 for _, late in taken)


def test_embedded_server_ends_with_its_parent() -> None:
    """The server also ends if its parent is killed."""
    code = (
        "from pyredisson.embedded import EmbeddedServer\n"
        "import time\n"
        "with EmbeddedServer() as server:\n"
        "    print(server.port, flush=True)\n"
        "    time.sleep(60)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    port = int(parent.stdout.readline())
    with redis.Redis(port=port) as client:
        assert client.ping()
    parent.kill()
    parent.wait()
    parent.stdout.close()
    end = time.monotonic() + 20
    while time.monotonic() < end:
        with redis.Redis(port=port, socket_connect_timeout=1) as client:
            try:
                client.ping()
            except redis.ConnectionError:
                return
        time.sleep(0.05)
    pytest.fail("the server outlived its parent")


def test_embedded_server_rejects_a_program_that_is_no_server() -> None:
    with pytest.raises(RuntimeError, match="did not start"), EmbeddedServer("/bin/false"):
        pass
