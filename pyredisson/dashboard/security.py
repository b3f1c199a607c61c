"""Which requests are accepted: hosts, sessions, and the page's own requests.

* Without a token, only this machine may read, by a name of this machine, so that no page of another
  site reaches the dashboard by a DNS name of its own.
* With a token, a session cookie is needed. It is signed with a key that is derived from the token,
  so several worker processes accept it, and it ends when the token changes.
* What changes something must come from the page itself (CSRF).

The rule: a rejection says what to do, and no answer can be put into another site's page.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import time
from collections.abc import Iterable
from ipaddress import ip_address
from threading import Lock
from urllib.parse import urlsplit

from starlette.requests import Request

__all__ = ["HEADERS", "Guard", "RejectedError", "Sessions"]

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_LOCAL = ("localhost", "127.0.0.1", "::1")
_FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip")
_HOST = re.compile(r"[\w.:\[\]-]+", re.ASCII)
_MARK = "x-pyredisson-action"


class RejectedError(Exception):
    """A request that is not answered, and why."""

    def __init__(self, status: int, text: str, retry_after: int | None = None) -> None:
        super().__init__(text)
        self.status = status
        self.retry_after = retry_after


class Guard:
    """Decides whether a request may be answered.

    Args:
        token: whether there is one.
        allowed_hosts: names besides those of this machine.
    """

    def __init__(self, allowed_hosts: Iterable[str], *, token: bool) -> None:
        self._token = token
        self._hosts = {*_LOCAL, *map(_allowed, allowed_hosts)}

    def check(self, request: Request) -> None:
        """Check the host that a request is for, and the origin that it is from.

        Raises:
            RejectedError: it is for a foreign host, or from another site or machine.
        """
        hosts = request.headers.getlist("host")
        if len(hosts) != 1 or _name(hosts[0]) not in self._hosts:
            shown = hosts[0][:100] if hosts else ""
            raise RejectedError(
                421,
                f"this dashboard does not answer for the host {shown!r}: name it in "
                "allowed_hosts (--allowed-host), with a token",
            )
        if request.headers.get("sec-fetch-site") in ("cross-site", "same-site") and (
            request.method != "GET" or request.headers.get("sec-fetch-mode") != "navigate"
        ):
            raise RejectedError(403, "another site's page may not ask: open the dashboard itself")
        if not self._token and not _is_local(request):
            raise RejectedError(
                403, "without a token only this machine may read: start the dashboard with a token"
            )

    def check_own_page(self, request: Request) -> None:
        """Check that a request which changes something comes from the dashboard's page.

        Raises:
            RejectedError: it may come from elsewhere.
        """
        site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
        host = request.headers.get("host", "").lower()
        own = site == "same-origin" if site else _netloc(origin) == host
        if not own or (origin and _name(_netloc(origin)) not in self._hosts):
            raise RejectedError(
                403, "only the dashboard's own page may do this: open it, and retry"
            )
        if request.headers.get(_MARK) != "1":
            raise RejectedError(403, "the header X-Pyredisson-Action: 1 is missing")


def _allowed(host: str) -> str:
    if not _HOST.fullmatch(host) or not _name(host):
        raise ValueError(
            f"allowed_hosts (--allowed-host) must be names such as ops.example.com, not {host!r}"
        )
    return _name(host)


def _name(host: str) -> str:
    """Return the name of a Host header: lower case, without port, brackets and last dot."""
    try:
        return (urlsplit(f"//{host.strip()}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def _netloc(origin: str | None) -> str:
    try:
        return urlsplit(origin or "").netloc.lower()
    except ValueError:
        return ""


def _is_local(request: Request) -> bool:
    """Return whether a request comes from this machine, and not through a proxy."""
    if any(each in request.headers for each in _FORWARDED):
        return False
    try:
        address = ip_address(request.client.host if request.client else "")
    except ValueError:  # a Unix socket, or a test in this process
        return True
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


class Sessions:
    """Signed cookies.

    Args:
        token: the operator's secret.
    """

    LONGEST = 12 * 3600
    """Seconds that a session lasts at most."""
    _MOST = 10_000

    def __init__(self, token: str) -> None:
        self._token = hashlib.sha256(token.encode()).digest()
        self._key = hashlib.scrypt(
            token.encode(), salt=b"pyredisson dashboard", n=2**14, r=8, p=1, dklen=32
        )
        # cookies do not know ports: two dashboards on this machine must not overwrite each other's
        self.cookie = f"pyredisson_{self._signed('name')[:8]}"
        self._ended: dict[str, float] = {}
        self._lock = Lock()

    def is_token(self, given: str) -> bool:
        """Return whether this is the token, in constant time."""
        return hmac.compare_digest(hashlib.sha256(given.encode()).digest(), self._token)

    def begin(self) -> str:
        """Return the cookie of a new session."""
        text = f"{secrets.token_hex(8)}.{int(time.time()) + self.LONGEST}"
        return f"{text}.{self._signed(text)}"

    def of(self, request: Request) -> str | None:
        """Return the id of a request's session; None without a valid one."""
        text, _, signature = request.cookies.get(self.cookie, "").rpartition(".")
        session, _, until = text.partition(".")
        if not text or not hmac.compare_digest(signature.encode(), self._signed(text).encode()):
            return None
        return session if int(until) > time.time() and session not in self._ended else None

    def require(self, request: Request) -> str:
        """Return the id of a request's session.

        Raises:
            RejectedError: it has no valid one.
        """
        session = self.of(request)
        if session is None:
            raise RejectedError(401, "sign in with the dashboard's token")
        return session

    def end(self, session: str) -> None:
        """End a session: this process no longer accepts its cookie."""
        with self._lock:
            now = time.time()
            if len(self._ended) >= self._MOST:
                self._ended = {each: until for each, until in self._ended.items() if until > now}
            self._ended[session] = now + self.LONGEST

    def _signed(self, text: str) -> str:
        return hmac.new(self._key, text.encode(), hashlib.sha256).hexdigest()
