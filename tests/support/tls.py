"""A server that requires a client's certificate, and the certificates.

Rule: each test run makes a new CA and new certificates.
"""

import shutil
import ssl
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Self
from urllib.parse import urlencode

from tests.support.ports import free_port
from tests.support.proxy import FaultProxy
from tests.support.server import RedisServer
from tests.support.services import server_binary, unavailable


@dataclass(frozen=True)
class Certificates:
    """A folder with a .pem and a .key of ``ca``, ``server``, ``client`` and ``stranger``."""

    folder: Path

    @classmethod
    def make(cls, folder: Path) -> Self:
        """Make them, for 127.0.0.1 and a day; the CA has not signed the stranger's."""
        if shutil.which("openssl") is None:
            unavailable("no openssl, which makes the certificates")
        made = cls(folder)
        signed = ("-CA", made.path("ca.pem"), "-CAkey", made.path("ca.key"))
        made._issue("ca")
        made._issue("server", "-addext", "subjectAltName=IP:127.0.0.1", *signed)
        made._issue("client", *signed)
        made._issue("stranger")
        return made

    def path(self, name: str) -> str:
        """The path of a file."""
        return str(self.folder / name)

    def options(self, name: str | None = "client") -> dict[str, str]:
        """Return redis-py's options: the CA to trust, and the certificate to send, if any."""
        trust = {"ssl_ca_certs": self.path("ca.pem")}
        if name is None:
            return trust
        return trust | {"ssl_certfile": self.path(f"{name}.pem"), "ssl_keyfile": self._key(name)}

    @property
    def server_context(self) -> ssl.SSLContext:
        """The context of a Python server that requires certificates of its clients."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.path("server.pem"), self._key("server"))
        context.load_verify_locations(self.path("ca.pem"))
        context.verify_mode = ssl.CERT_REQUIRED
        return context

    def _key(self, name: str) -> str:
        return self.path(f"{name}.key")

    def _issue(self, name: str, *words: str) -> None:
        key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
        # Python 3.13 requires the usage of a key.
        use = ("-addext", "keyUsage=critical,digitalSignature,keyCertSign")
        files = ("-keyout", self._key(name), "-out", self.path(f"{name}.pem"))
        command = ("openssl", "req", "-x509", "-days", "1", "-subj", f"/CN={name}", *key, *files)
        subprocess.run([*command, *use, *words], check=True, capture_output=True)


class TlsServer(RedisServer):
    """Has two ports: ``url`` requires a certificate; ``port`` is plain, for checks.

    If the binary has no TLS, a proxy in front of it terminates TLS.
    """

    def __init__(self, certificates: Certificates) -> None:
        super().__init__(aof=True)
        self.certificates = certificates
        self.tls_port = free_port()
        self._proxy: FaultProxy | None = None
        if b"SSL_CTX_new" in Path(server_binary()).read_bytes():
            ours = certificates.path
            self.arguments += ("--tls-port", f"{self.tls_port}", "--tls-auth-clients", "yes")
            self.arguments += ("--tls-cert-file", ours("server.pem"))
            self.arguments += ("--tls-key-file", ours("server.key"))
            self.arguments += ("--tls-ca-cert-file", ours("ca.pem"))
        else:
            self._proxy = FaultProxy(self, certificates.server_context)
            self._proxy.__enter__()
            self.tls_port = self._proxy.port

    @property
    def bare_url(self) -> str:
        """Address of database 0, without a certificate."""
        return f"rediss://127.0.0.1:{self.tls_port}/0"

    @property
    def url(self) -> str:
        """Address of database 0, with the client's certificate."""
        return f"{self.bare_url}?{urlencode(self.certificates.options())}"

    def close(self) -> None:
        """Close the server and its proxy."""
        super().close()
        if self._proxy is not None:
            self._proxy.__exit__(None, None, None)
            self._proxy = None
