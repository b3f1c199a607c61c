"""`worker`: calls functions with messages, in threads and in an event loop."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
import redis

from pyredisson import Redisson
from pyredisson.codecs import StringCodec
from tests.support.faults_tools import hand_over
from tests.support.server import RedisServer
from tests.support.shell import shell
from tests.support.topology import RedisCluster
from tests.support.twins import PATIENCE, until

APP = """
class PaymentError(Exception):
    pass

def handle(value):
    if value == "bad":
        raise PaymentError("declined")
    open("seen", "a").write(value + "\\n")

async def handle_async(value):
    handle(value)

def batch(values):
    open("seen", "a").write(repr(values) + "\\n")
"""


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "shop_app.py").write_text(APP)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [each for each in sys.path if each != str(tmp_path)])
    return tmp_path


@contextmanager
def running(url: str, *words: str) -> Iterator[subprocess.Popen[str]]:
    """Run a worker in its own process group, which is killed at the end of the block."""
    with subprocess.Popen(
        [sys.executable, "-m", "pyredisson", "worker", *words],
        env={**os.environ, "PYREDISSON_URL": url},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.parametrize("name", ["handle", "handle_async"])
def test_worker_handles_messages_until_sigterm(
    name: str, app: Path, server: RedisServer, raw: redis.Redis
) -> None:
    with Redisson.from_url(server.url, codec=StringCodec()) as redisson:
        for queue, value in (("urgent", "one"), ("normal", "two"), ("normal", "bad")):
            target = redisson.get_queue(queue)
            redisson.get_delayed_queue(target, transfer=False).offer(value, delay=0.1)
        letters = redisson.get_dead_letters(redisson.get_queue("normal"))
        words = ("--codec", "string", "--on-error", "shop_app:PaymentError=dead")
        with running(server.url, f"shop_app:{name}", "urgent", "normal", *words) as process:
            until(lambda: letters.size() == 1, "the bad one is a dead letter")
            seen = app / "seen"
            until(lambda: seen.exists() and len(seen.read_text().split()) == 2, "both are handled")
            process.send_signal(signal.SIGTERM)
            _, errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, errors
        (letter,) = letters
        assert (letter.value, letter.attempts) == ("bad", 1)
        assert "PaymentError" in letter.reason
    assert sorted((app / "seen").read_text().split()) == ["one", "two"]
    assert not raw.exists("pyredisson_leases:{normal}")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("shop_app:nix", "q"), "module 'shop_app' has no 'nix'"),
        (("nix.app:handle", "q"), "no module 'nix' in "),
        (("shop_app", "q"), "must be MODULE:NAME"),
        (("shop_app:APP", "q"), "module 'shop_app' has no 'APP'"),
        (("shop_app:__name__", "q"), "is not a function, but str"),
        (("shop_app:handle",), "Missing argument 'NAME...'"),
        (("shop_app:handle", "q", "--on-error", "Nix=dead"), "'Nix=dead' must be CLASS="),
        (("shop_app:handle", "q", "--on-error", "ValueError=x"), "'x' must be one of"),
        (("shop_app:handle", "q", "--lease", "soon"), "'soon' is no duration"),
    ],
)
def test_wrong_arguments_print_one_line(words: tuple[str, ...], said: str, app: Path) -> None:
    done = shell("worker", *words)
    assert done.code == 2
    assert said in done.err
    assert done.err.count("\n") == 1


def test_a_failed_import_is_named(app: Path) -> None:
    (app / "broken_app.py").write_text("import shop_missing")
    assert "imports 'shop_missing', which is missing" in shell("worker", "broken_app:a", "q").err
    (app / "broken_app2.py").write_text("1 / 0")
    assert "'broken_app2' failed: ZeroDivisionError" in shell("worker", "broken_app2:a", "q").err


def test_worker_restarts_after_a_change(app: Path, server: RedisServer) -> None:
    """The worker also restarts after a version that cannot be imported."""
    file, seen = app / "shop_app.py", app / "seen"
    with Redisson.from_url(server.url, codec=StringCodec()) as redisson:
        orders = redisson.get_queue("orders")
        words = ("shop_app:handle", "orders", "--codec", "string", "--reload")
        with running(server.url, *words) as process:
            orders.add("one")
            until(lambda: seen.exists() and seen.read_text() == "one\n", "the first version works")
            file.write_text("this is no Python")
            time.sleep(1.5)
            file.write_text(APP.replace('value + "\\n"', 'value + "!"'))
            orders.add("two")
            until(lambda: seen.read_text() == "one\ntwo!", "the last version works")
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, errors
    assert "a file has changed: the worker starts again" in errors


@pytest.mark.parametrize("name", ["handle", "handle_async"])
def test_worker_ends_when_its_slot_moves_to_another_node(
    name: str, app: Path, cluster: RedisCluster
) -> None:
    """Without --cluster the worker ends; the error names the option."""
    node = cluster.master_of(b"leaving")
    with running(node.url, f"shop_app:{name}", "leaving", "--codec", "string") as process:
        with Redisson(node.client(), codec=StringCodec()) as redisson:
            redisson.get_queue("leaving").add("one")
        until((app / "seen").exists, "it works")
        hand_over(cluster, b"leaving")
        _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    last = errors.splitlines()[-1]
    assert last == f"pyredisson: 127.0.0.1:{node.port} is a node of a cluster: give --cluster, too"
