"""`--health` and `--metrics [HOST:]PORT`: HTTP endpoints of commands that run until stopped.

* `/livez`: 200 while the process works; a Redis that is down does not change it.
* `/readyz`: 200 while Redis answers, too.
* `/metrics`: for Prometheus.

The rule: an answer comes within 4 s, whatever hangs.
"""

from __future__ import annotations

import errno
import json
import logging
import re
import socket
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import AF_INET
from socketserver import TCPServer
from time import monotonic
from typing import TYPE_CHECKING, Any

from pyredisson import Hooks, Redisson
from pyredisson.cli.clients import Place

if TYPE_CHECKING:
    from pyredisson import AsyncRedisson

__all__ = ["Endpoints", "Health"]

log = logging.getLogger("pyredisson")

_ADDRESS = re.compile(r"(?:\[?(?P<host>[^\[\]]+?)\]?:)?(?P<port>\d{1,5})")
_PATIENCE = 3.0
"""Seconds that Redis has for an answer."""
_FROZEN = 20.0
"""Seconds after which work without progress counts as frozen."""
_MOST_HANGING = 8


class Health:
    """What the probes ask; the command says what it runs.

    Attributes:
        redisson: the client that runs background tasks, as soon as there is one.
    """

    def __init__(self, place: Place) -> None:
        self.redisson: Redisson | AsyncRedisson | None = None
        self._beat: float | None = None
        self._late = 0.0
        urls = [_with_timeouts(each) for each in (place.url, *place.sentinels)]
        self._place = replace(place, url=urls[0], sentinels=tuple(urls[1:]))
        self._hanging: list[threading.Thread] = []
        self._client: Any = None

    def beat(self) -> None:
        """Say in an event loop that it works; after the first time again and again."""
        if self.redisson is not None:
            self._late = self.redisson._context.background.late
        self._beat = monotonic()

    def live(self) -> str | None:
        """Return what is wrong with the process; None if nothing is."""
        if self._beat is not None and monotonic() - self._beat > _FROZEN:
            return f"the event loop is blocked for {monotonic() - self._beat:.0f} s"
        if isinstance(self.redisson, Redisson):  # else only its event loop can ask
            self._late = self.redisson._context.background.late
        if self.redisson is not None and self._late > _FROZEN:
            return f"background tasks are late by {self._late:.0f} s, or have ended"
        return None

    def ready(self) -> str | None:
        """Return what is wrong with the process or with Redis; None if nothing is."""
        if wrong := self.live():
            return wrong
        self._hanging = [each for each in self._hanging if each.is_alive()]
        if len(self._hanging) >= _MOST_HANGING:
            return "Redis does not answer"
        found = ["Redis does not answer"]
        asking = threading.Thread(target=self._ask, args=(found,), daemon=True)
        asking.start()
        asking.join(_PATIENCE)
        if asking.is_alive():
            self._client = None
            self._hanging.append(asking)
        return found[-1] or None

    def _ask(self, found: list[str]) -> None:
        try:
            if self._client is None:
                self._client = self._place.client()
            self._client.ping()
        except Exception as error:
            self._client = None
            found.append(f"{self._place}: {error}")
        else:
            found.append("")


def _with_timeouts(url: str) -> str:
    timeouts = "socket_timeout=2"
    if not url.startswith("unix"):  # such a connection opens at once
        timeouts += "&socket_connect_timeout=2"
    return f"{url}{'&' if '?' in url else '?'}{timeouts}"


_Routes = dict[str, Callable[[], tuple[int, bytes]]]


class _Server(ThreadingHTTPServer):
    """Without a host it listens on IPv4 and IPv6; with `family` on that one only."""

    daemon_threads = True

    def __init__(self, place: tuple[str, int], routes: _Routes, family: int = 0) -> None:
        self.routes = dict(routes)
        both = not place[0] and socket.has_dualstack_ipv6()
        self.address_family = family or (socket.AF_INET6 if both or ":" in place[0] else AF_INET)
        super().__init__(place, _Answer)

    def server_bind(self) -> None:
        """Bind without a look-up of this host's name, which may take long."""
        if self.address_family == socket.AF_INET6 and not self.server_address[0]:
            self.socket.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        TCPServer.server_bind(self)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Log an error, but not that a client did not wait for the answer."""
        error = sys.exception()
        if not isinstance(error, OSError):
            log.error("an endpoint failed", exc_info=error)


class _Answer(BaseHTTPRequestHandler):
    server: _Server
    timeout = 10

    def do_GET(self) -> None:
        route = self.server.routes.get(self.path.partition("?")[0])
        code, body = (404, b"not found\n") if route is None else route()
        self.send_response(code)
        kind = "application/json" if body.startswith(b"{") else "text/plain; version=0.0.4"
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def do_HEAD(self) -> None:
        self.do_GET()

    def log_message(self, *_: Any) -> None:
        """Say nothing: probes come every few seconds."""


def _open(place: tuple[str, int], routes: _Routes) -> _Server:
    try:
        return _Server(place, routes)
    except OSError as error:
        if place[0] or error.errno not in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):
            raise
        return _Server(place, routes, AF_INET)  # this host has no IPv6


@dataclass(slots=True)
class Endpoints:
    """The HTTP servers of a command.

    Attributes:
        health: what the probes ask.
    """

    health: Health
    _servers: dict[tuple[str, int], _Server] = field(default_factory=dict)

    def serve_health(self, address: str) -> None:
        """Answer `/livez` and `/readyz` at an address.

        Raises:
            ValueError: it is no address.
            OSError: the port cannot be opened.
        """
        live, ready = self._probe(self.health.live), self._probe(self.health.ready)
        self._serve("--health", address, {"/livez": live, "/readyz": ready})

    def serve_metrics(self, address: str) -> Hooks:
        """Answer `/metrics` at an address; return the hooks that count.

        Raises:
            ValueError: it is no address, or prometheus-client is missing.
            OSError: the port cannot be opened.
        """
        try:
            from prometheus_client import REGISTRY, generate_latest  # noqa: PLC0415 - an extra

            from pyredisson.metrics import PrometheusHooks  # noqa: PLC0415 - an extra
        except ImportError:
            raise ValueError(
                "--metrics needs prometheus-client: pip install 'pyredisson[prometheus]'"
            ) from None
        self._serve("--metrics", address, {"/metrics": lambda: (200, generate_latest(REGISTRY))})
        return PrometheusHooks()

    @staticmethod
    def _probe(ask: Callable[[], str | None]) -> Callable[[], tuple[int, bytes]]:
        def answer() -> tuple[int, bytes]:
            wrong = ask()
            body = {"status": "ok"} if wrong is None else {"status": "failed", "reason": wrong}
            return (200 if wrong is None else 503), json.dumps(body).encode()

        return answer

    def _serve(
        self, option: str, address: str, routes: dict[str, Callable[[], tuple[int, bytes]]]
    ) -> None:
        found = _ADDRESS.fullmatch(address)
        if found is None or not 0 < int(found["port"]) < 65536:
            raise ValueError(f"{option} must be PORT or HOST:PORT, such as 8080, not {address!r}")
        place = (found["host"] or "", int(found["port"]))
        server = self._servers.get(place)
        if server is None:
            try:
                server = self._servers[place] = _open(place, routes)
            except OSError as error:
                raise OSError(
                    f"{option} {address}: {error}; choose another port or address"
                ) from error
            threading.Thread(target=server.serve_forever, daemon=True).start()
        server.routes.update(routes)
