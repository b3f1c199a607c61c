"""Java and Python over TLS, each with a client certificate."""

import subprocess
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from interop.peer.values import Java, built
from interop.tests.conftest import Peers
from pyredisson import Redisson
from pyredisson.codecs import StringCodec
from tests.support.tls import Certificates, TlsServer


class _Silent(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Log nothing."""


@pytest.fixture
def stores(certificates: Certificates) -> Iterator[str]:
    """Yield the address from which Java, which may be in a container, gets its key stores."""
    for name in ("ca", "client"):  # Java also trusts the certificate of a key's entry
        files = ("-in", f"{name}.pem", "-inkey", f"{name}.key", "-out", f"{name}.p12")
        command = ("openssl", "pkcs12", "-export", "-passout", "pass:secret", *files)
        subprocess.run(command, cwd=certificates.folder, check=True)
    handler = partial(_Silent, directory=str(certificates.folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_items_travel_both_ways_over_tls(
    java: Peers, certificates: Certificates, stores: str
) -> None:
    """Java takes what Python offers, and the reverse; both transfer."""

    def url(name: str) -> Java:
        return built("java.net.URI", ("create", f"{stores}/{name}.p12"), ("toURL",))

    settings = {
        "sslTruststore": url("ca"),
        "sslTruststorePassword": "secret",
        "sslKeystore": url("client"),
        "sslKeystorePassword": "secret",
    }
    with (
        TlsServer(certificates) as server,
        Redisson.from_url(server.url, codec=StringCodec()) as redisson,
        java("4.7.0").client(server.bare_url, codec="String", settings=settings) as client,
    ):
        orders, replies = (redisson.get_blocking_queue(name) for name in ("orders", "replies"))
        client.delayed_queue("orders").call("offer", "from Java", 50, "MILLISECONDS")
        redisson.get_delayed_queue(orders)
        assert orders.poll(timeout=30) == "from Java"
        waiting = client.blocking_queue("replies").background("take")
        redisson.get_delayed_queue(replies).offer("from Python", delay=0.05)
        assert waiting.result().value == Java("string", "from Python")
