"""The ASGI application: the routes and the page, behind the guard."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Message, Receive, Scope, Send

from pyredisson import AsyncRedisson, Redisson
from pyredisson.codecs.base import Codec
from pyredisson.dashboard.answers import answer_to
from pyredisson.dashboard.api import routes_of
from pyredisson.dashboard.changes import Changes
from pyredisson.dashboard.reads import Reads
from pyredisson.dashboard.security import HEADERS, Guard, RejectedError, Sessions
from pyredisson.dashboard.source import Source

__all__ = ["Dashboard", "app"]

_STATIC = Path(__file__).parent / "static"


class Dashboard:
    """The dashboard as an ASGI application; `app` makes it."""

    def __init__(self, source: Source, guard: Guard, routes: list[Route], reads: Reads) -> None:
        self._source, self._guard, self._reads = source, guard, reads

        async def failed(_request: Request, error: Exception) -> Response:
            return answer_to(error, source.address)

        self._app = Starlette(
            routes=[*routes, Mount("/", StaticFiles(directory=_STATIC, html=True))],
            exception_handlers={HTTPException: failed},
            lifespan=self._lifespan,
        )

    @asynccontextmanager
    async def _lifespan(self, _app: Starlette) -> AsyncIterator[None]:
        """Close when the server reports its end; a mounted application gets no such event."""
        yield
        self.close()

    def close(self) -> None:
        """End the threads and the connections, which otherwise end with the process."""
        self._reads.overview.close()
        self._source.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close"})
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                is_json = headers.get("content-type") == "application/json"
                headers["Cache-Control"] = "no-store" if is_json else "no-cache"
            await send(message)

        try:
            self._guard.check(Request(scope))
        except RejectedError as error:
            await answer_to(error, self._source.address)(scope, receive, send_guarded)
        else:
            await self._app(scope, receive, send_guarded)


def app(
    url_or_client: str | Redisson | AsyncRedisson,
    *,
    actions: bool = False,
    token: str | None = None,
    codec: Codec[Any] | None = None,
    allowed_hosts: Sequence[str] = (),
) -> Dashboard:
    """Return the dashboard of all queues, to run it alone or to mount it under any prefix.

    It opens connections of its own at the first request, with the settings of the client, and needs
    no lifespan.

    Args:
        url_or_client: the URL of a server; or a client, also of a cluster or behind Sentinel.
        actions: whether an operator may redrive, drop, cancel, reschedule, pause, repair and offer;
            needs a token.
        token: the secret that an operator signs in with; without one, only this machine may read.
        codec: of the values. None shows values as what their bytes look like, and offers with the
            client's codec.
        allowed_hosts: the names in browsers' address bars by which others than this machine reach
            it; they need a token.

    Raises:
        TypeError: neither a URL nor a client, or an AsyncRedisson whose connections cannot be
            copied.
        ValueError: `actions` or `allowed_hosts` without a token, or an empty token.
    """
    if token is not None and not token.strip():
        raise ValueError("token must not be empty: leave it out, or give a long random text")
    if token is None and actions:
        raise ValueError("actions need a token: give token= (--token-file)")
    if token is None and allowed_hosts:
        raise ValueError("allowed_hosts (--allowed-host) need a token: give token= (--token-file)")
    if isinstance(allowed_hosts, str):
        raise TypeError("allowed_hosts must be a list of names, not a str")
    source = Source(url_or_client, codec)
    guard = Guard(allowed_hosts, token=token is not None)
    sessions = None if token is None else Sessions(token)
    about = {"actions": actions, "token": token is not None, "signed_in": token is not None}
    reads, changes = Reads(source, about), Changes(source, guard, sessions, actions=actions)
    return Dashboard(source, guard, routes_of(reads, changes, sessions, source.address), reads)
