"""`pyredisson transfer --metrics` in a separate process."""

import signal
import subprocess
import sys
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from pyredisson import Redisson
from pyredisson.cli.clients import Place
from pyredisson.cli.endpoints import Endpoints, Health
from pyredisson.codecs import StringCodec
from tests.support.ports import free_port
from tests.support.server import RedisServer
from tests.support.twins import PATIENCE, until

CLI = [sys.executable, "-m", "pyredisson"]


def test_transfer_exports_metrics(server: RedisServer) -> None:
    with Redisson.from_url(server.url, codec=StringCodec()) as redisson:
        delayed = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)
        delayed.offer("a", delay=0)
        delayed.offer("b", delay=3600)
    port, pages = free_port(), list[str]()
    words = ("transfer", "q", "--url", server.url, "--metrics", f"127.0.0.1:{port}")
    with subprocess.Popen([*CLI, *words], stdout=subprocess.DEVNULL) as sidecar:

        def is_exported() -> bool:
            try:
                with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE) as answer:
                    pages.append(answer.read().decode())
            except (URLError, OSError):
                return False
            expected = (
                'pyredisson_transferred_total{queue="q"} 1.0',
                'pyredisson_pending{queue="q"}',
            )
            return all(each in pages[-1] for each in expected)  # gauges are updated once a second

        until(is_exported, "the transfer and the gauges")
        sidecar.send_signal(signal.SIGTERM)
    assert sidecar.returncode == 0


@pytest.mark.parametrize("wrong", ["", "x", "0", "65536", "host:", "localhost:http"])
def test_wrong_addresses_are_rejected(wrong: str) -> None:
    with pytest.raises(ValueError, match="--metrics must be PORT or HOST:PORT"):
        Endpoints(Health(Place("redis://x", False, ()))).serve_metrics(wrong)


def test_a_port_in_use_is_rejected() -> None:
    done = subprocess.run(
        [sys.executable, "-c", TAKEN], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 2
    assert "choose another port" in done.stderr
    assert len(done.stderr.splitlines()) == 1


TAKEN = """
import socket, sys
from pyredisson.cli.main import main
with socket.socket() as taken:
    taken.bind(("127.0.0.1", 0))
    taken.listen()
    sys.exit(main(["transfer", "q", "--metrics", "%s:%d" % taken.getsockname()]))
"""
