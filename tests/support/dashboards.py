"""A client in this process that sends the requests of the dashboard's page."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2

from pyredisson.dashboard import Dashboard

TOKEN = "a long random text"
OWN = {"X-Pyredisson-Action": "1", "Sec-Fetch-Site": "same-origin"}
"""The headers of requests that the page makes."""


class Viewer:
    """Sends requests, with the cookies that it received.

    Attributes:
        http: the client that sends them.
    """

    def __init__(self, http: httpx2.AsyncClient) -> None:
        self.http = http

    async def get(self, path: str, status: int = 200, **words: Any) -> Any:
        """Send a request, check the status of the answer, and return its document."""
        found = await self.http.get(f"api/{path}", params=words)
        assert found.status_code == status, found.text
        return found.json()

    async def act(self, action: str, name: str, status: int = 200, **words: Any) -> Any:
        """Run an action as the page does, check the status, and return the document."""
        path = f"api/actions/{action}"
        found = await self.http.post(path, headers=OWN, json={"name": name, **words})
        assert found.status_code == status, found.text
        return found.json()

    async def sign_in(self, token: str = TOKEN, status: int = 204) -> None:
        """Sign in."""
        found = await self.http.post("api/sign-in", headers=OWN, json={"token": token})
        assert found.status_code == status, found.text


@asynccontextmanager
async def viewer(
    shown: Any,
    address: str = "127.0.0.1",
    base: str = "http://localhost/",
) -> AsyncIterator[Viewer]:
    """Yield a viewer of an ASGI application, from an address; close a dashboard at the end."""
    transport = httpx2.ASGITransport(shown, client=(address, 50_000))
    async with httpx2.AsyncClient(transport=transport, base_url=base, timeout=30) as http:
        try:
            yield Viewer(http)
        finally:
            if isinstance(shown, Dashboard):
                shown.close()
