"""`--health`: the probes of `transfer` and `worker` during outages and freezes."""

import errno
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path
from socketserver import TCPServer
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import pytest
import redis

from pyredisson import Redisson
from pyredisson.cli import endpoints
from pyredisson.cli.clients import Place
from pyredisson.cli.endpoints import Endpoints, Health
from pyredisson.codecs import StringCodec
from tests.support.ports import free_port
from tests.support.server import RedisServer
from tests.support.shell import shell
from tests.support.twins import PATIENCE, until

HANDLERS = """
import threading, time
from ctypes import c_ulong, py_object, pythonapi
from pyredisson._sync.background.kernel import Background

def handle(value): pass
async def handle_async(value): pass
async def freeze(value): time.sleep(60)

def kill_threads(*_):
    for thread in threading.enumerate():
        if thread.name.startswith("pyredisson jobs"):
            pythonapi.PyThreadState_SetAsyncExc(c_ulong(thread.ident), py_object(SystemExit))
def kill_for_good(value):
    Background._lacks_some = lambda self: False
    kill_threads()
"""
IMPATIENT = """
import signal, sys
from pyredisson.cli import endpoints
from pyredisson.cli.main import main
endpoints._FROZEN = 1.0
sys.path.insert(0, "")
import probed_app
signal.signal(signal.SIGUSR1, probed_app.kill_threads)
sys.exit(main(sys.argv[1:]))
"""
"""The commands; a blocked loop fails after a second, and SIGUSR1 kills their threads."""
SLOW_METRICS = """
import sys, time
from pyredisson.cli.endpoints import Endpoints
from pyredisson.cli.main import main
serve = Endpoints.serve_metrics
Endpoints.serve_metrics = lambda *words: time.sleep(0.5) or serve(*words)
sys.exit(main(sys.argv[1:]))
"""
"""The commands with a slow import of prometheus-client."""
CHANNEL = "redisson_delay_queue_channel:{q}"
WITH_LOOP = "worker probed_app:handle_async"


def asked(port: int, path: str) -> tuple[int, str]:
    """Return the status and the reason of a probe; 0 if the connection fails."""
    try:
        with urlopen(f"http://127.0.0.1:{port}{path}", timeout=PATIENCE) as answer:
            return answer.status, json.loads(answer.read()).get("reason", "")
    except HTTPError as error:
        return error.code, json.loads(error.read()).get("reason", "")
    except (URLError, OSError):
        return 0, ""


def endpoints_of_nothing() -> Endpoints:
    return Endpoints(Health(Place("redis://127.0.0.1:1", cluster=False, sentinels=())))


@contextmanager
def running(
    server: RedisServer, *words: str, cwd: Path | None = None, program: str = ""
) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """Run a command with `--health`; yield its port and its process."""
    port = free_port()
    start = ["-c", program] if program else ["-m", "pyredisson"]
    command = [sys.executable, *start, *words, "--health", f"127.0.0.1:{port}"]
    environment = {**os.environ, "PYREDISSON_URL": server.url}
    with subprocess.Popen(
        command, env=environment, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            yield port, process
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=60)
        finally:
            process.kill()


@pytest.mark.parametrize("words", ["transfer", "worker probed_app:handle", WITH_LOOP])
def test_a_frozen_server_makes_the_probe_unready_but_live(
    words: str, own_server: RedisServer, tmp_path: Path
) -> None:
    (tmp_path / "probed_app.py").write_text(HANDLERS)
    with running(own_server, *words.split(), "q", cwd=tmp_path) as (port, _):
        until(lambda: asked(port, "/readyz") == (200, ""), "it is ready")
        own_server.pause()
        try:
            status, reason = asked(port, "/readyz")
            assert status == 503
            assert "127.0.0.1" in reason or "does not answer" in reason
            assert asked(port, "/livez") == (200, "")
        finally:
            own_server.resume()
        until(lambda: asked(port, "/readyz") == (200, ""), "it is ready again")


def test_readiness_follows_start_and_kill_of_the_server(own_server: RedisServer) -> None:
    """The probe fails within 8 s; the process still exports its counters."""
    own_server.stop()
    address = f"127.0.0.1:{free_port()}"
    with running(own_server, "transfer", "q", "--metrics", address) as (port, _):
        until(lambda: asked(port, "/readyz")[0] == 503, "it is not ready")
        assert asked(port, "/livez") == (200, "")
        own_server.start()
        until(lambda: asked(port, "/readyz") == (200, ""), "it is ready")
        own_server.kill()
        start = time.monotonic()
        status, reason = asked(port, "/readyz")
        assert (status, time.monotonic() - start < 8) == (503, True)
        assert "Connection refused" in reason
        assert asked(port, "/livez") == (200, "")
        with urlopen(f"http://{address}/metrics", timeout=PATIENCE) as answer:
            assert b"pyredisson_transfer_wakeups_total" in answer.read()


@pytest.mark.parametrize("words", ["transfer", "worker probed_app:handle"])
def test_a_probe_succeeds_only_when_metrics_can_be_read(
    words: str, server: RedisServer, tmp_path: Path
) -> None:
    (tmp_path / "probed_app.py").write_text(HANDLERS)
    address = f"127.0.0.1:{free_port()}"
    command = (*words.split(), "q", "--metrics", address)
    with running(server, *command, cwd=tmp_path, program=SLOW_METRICS) as (port, _):
        until(lambda: asked(port, "/livez") == (200, ""), "it answers")
        assert urlopen(f"http://{address}/metrics", timeout=PATIENCE).status == 200


@pytest.mark.parametrize(
    ("handler", "reason"),
    [
        ("freeze", "the event loop is blocked"),
        ("kill_for_good", "have ended"),
    ],
)
def test_a_worker_that_cannot_continue_is_not_live(
    handler: str, reason: str, server: RedisServer, raw: redis.Redis, tmp_path: Path
) -> None:
    """`/livez` fails although Redis answers, because only a restart helps."""
    (tmp_path / "probed_app.py").write_text(HANDLERS)
    words = ("worker", f"probed_app:{handler}", "q", "--codec", "string")
    with running(server, *words, cwd=tmp_path, program=IMPATIENT) as (port, process):
        until(lambda: asked(port, "/livez") == (200, ""), "it works")
        until(lambda: raw.pubsub_numsub(CHANNEL)[0][1] > 0, "it transfers")
        raw.rpush("q", b"value")

        def has_failed() -> bool:
            raw.publish(CHANNEL, "1")  # wakes the thread, which then ends
            return reason in asked(port, "/livez")[1]

        until(has_failed, "the probe fails")
        process.kill()  # SIGTERM does not end a blocked loop
    assert endpoints._FROZEN < 25


def test_a_sidecar_replaces_its_killed_threads(
    server: RedisServer, raw: redis.Redis, tmp_path: Path
) -> None:
    (tmp_path / "probed_app.py").write_text(HANDLERS)
    with (
        Redisson.from_url(server.url, codec=StringCodec()) as redisson,
        running(server, "transfer", "q", cwd=tmp_path, program=IMPATIENT) as (port, process),
    ):
        delayed = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)
        for value in ("a", "b"):
            until(lambda: asked(port, "/readyz") == (200, ""), "it is ready")
            delayed.offer(value, delay=0)
            until(lambda: raw.lrange("q", 0, -1)[-1:] == [value.encode()], "it is transferred")  # noqa: B023 - called now
            process.send_signal(signal.SIGUSR1)
            raw.publish(CHANNEL, "1")


def test_a_port_alone_listens_at_all_addresses() -> None:
    port = free_port()
    endpoints_of_nothing().serve_health(str(port))
    hosts = ["127.0.0.1"] + ["[::1]"] * Path("/proc/net/if_inet6").exists()
    for host in hosts:
        asking = Request(f"http://{host}:{port}/livez", method="HEAD")
        with urlopen(asking, timeout=PATIENCE) as answer:
            assert (answer.status, answer.headers["Content-Length"]) == (200, "16")
            assert answer.read() == b""
    with pytest.raises(OSError, match=f"--health {port}: .*; choose another port"):
        endpoints_of_nothing().serve_health(str(port))


def test_the_endpoint_works_without_ipv6(monkeypatch: pytest.MonkeyPatch) -> None:
    bind = TCPServer.server_bind

    def fail(server: TCPServer) -> None:
        if server.address_family == socket.AF_INET6:
            raise OSError(errno.EADDRNOTAVAIL, "cannot assign the address")
        bind(server)

    monkeypatch.setattr(TCPServer, "server_bind", fail)
    port = free_port()
    endpoints_of_nothing().serve_health(str(port))
    assert asked(port, "/livez") == (200, "")


def test_errors_of_an_endpoint_are_logged(
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    """A client that disconnects is no error. Other errors are logged; stderr stays empty."""
    port, found = free_port(), endpoints_of_nothing()
    found.serve_health(f"127.0.0.1:{port}")
    (server,) = found._servers.values()
    errors = iter([BrokenPipeError, ZeroDivisionError])

    def fail() -> tuple[int, bytes]:
        raise next(errors)

    server.routes["/fails"] = fail
    for _ in range(2):
        with pytest.raises((OSError, HTTPException)):
            urlopen(f"http://127.0.0.1:{port}/fails", timeout=PATIENCE)
    until(lambda: "an endpoint failed" in caplog.text, "it is logged")
    assert "ZeroDivisionError" in caplog.text
    assert "BrokenPipe" not in caplog.text
    assert capfd.readouterr().err == ""
    assert asked(port, "/livez") == (200, "")


def test_a_blocked_event_loop_is_not_live(monkeypatch: pytest.MonkeyPatch) -> None:
    health = endpoints_of_nothing().health
    assert health.live() is None
    health.beat()
    assert health.live() is None
    now = health._beat or 0.0
    monkeypatch.setattr("pyredisson.cli.endpoints.monotonic", lambda: now + 25)
    assert health.live() == "the event loop is blocked for 25 s"
    assert health.ready() == health.live()


@pytest.mark.parametrize("wrong", ["", "x", "0", "65536", "host:"])
def test_wrong_addresses_are_rejected(wrong: str) -> None:
    done = shell("transfer", "q", "--health", wrong)
    assert done.code == 2
    assert done.err.count("\n") == 1
    assert "--health must be PORT or HOST:PORT" in done.err


@pytest.mark.skipif(not Path("/proc/net/if_inet6").exists(), reason="no IPv6")
def test_an_ipv6_address_is_accepted() -> None:
    port = free_port()
    endpoints_of_nothing().serve_health(f"[::1]:{port}")
    with urlopen(f"http://[::1]:{port}/livez", timeout=PATIENCE) as answer:
        assert answer.status == 200
