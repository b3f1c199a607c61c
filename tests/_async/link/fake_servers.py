"""Fake servers that give scripted answers, so that tests reach every branch of the link.

Rule: each server has one list of answers. A read returns a reply or raises an exception of it.
The answer `OPEN` lets the next connection attempt fail. The net records each request.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from hiredis import Reader
from redis.exceptions import RedisError

from pyredisson._async.link.link import AsyncLink
from pyredisson._async.link.server import AsyncServer
from pyredisson._transport.connections import packed
from pyredisson._transport.errors import connection_error, translated
from pyredisson.protocol.kernel.cluster import Address, Redirection

HOME: Address = ("home", 1)
OTHER: Address = ("other", 2)
OPEN = object()
"""An answer that lets the next attempt to connect fail."""


class AsyncFakeWire:
    """A connection to one of the servers."""

    def __init__(self, net: AsyncFakeNet, address: Address) -> None:
        self._net = net
        self._address = address
        self.connection = None  # so the link reads it as it reads redis-py
        self.line = self
        self.process = 0
        self._requests = Reader()
        self._open = False
        self.client_id: int | None = None
        self.run: bytes | None = None

    async def connect(self, _seconds: float | None = None) -> None:
        answers = self._net.answers[self._address]
        if answers and answers[0] is OPEN:
            del answers[0]
            raise connection_error(f"{self._address[0]} cannot be reached")
        self._net.connecting()
        self._open = True
        self._net.opened += 1

    def put(self, data: bytes) -> None:
        if not self._open:
            raise connection_error("closed")
        self._requests.feed(data)
        while request := self._requests.gets():
            words = [bytes(word).decode() for word in request]
            if words[0] == "INFO":  # sent once a connection; tests of INFO use real servers
                self._net.answers[self._address].insert(0, b"run_id:1\n")
                continue
            text = "<text>" if words[0] == "EVAL" else "<sha>"
            words[1:2] = [text] if words[0].startswith("EVAL") else words[1:2]
            self._net.heard.append(f"{self._address[0]}: {' '.join(words)}")

    async def drain(self) -> None:
        pass

    async def send(self, *words: Any) -> None:
        self.put(packed(words))

    async def swap(self, data: bytes) -> Any:
        self.put(data)
        return await self.read()

    async def read(self) -> Any:
        return await self.wait(0)

    async def wait(self, seconds: float) -> Any:
        answers = self._net.answers[self._address]
        reply = answers.pop(0) if answers else connection_error("nothing more was written down")
        if isinstance(reply, RedisError):
            raise translated(reply)
        if isinstance(reply, BaseException):
            raise reply
        return reply

    async def learn_client_id(self, _seconds: float | None = None) -> None:
        self.client_id, self.run = 7, b"1"

    def usable(self) -> bool:
        return self._open

    async def close(self) -> None:
        self._net.closed += self._open
        self._open = False


class AsyncFakeNet:
    """Two servers and the topology that knows them."""

    look_at = math.inf

    def __init__(
        self,
        *,
        clustered: bool = False,
        home: list[Any],
        other: list[Any],
        connecting: Callable[[], None] = lambda: None,
    ) -> None:
        self.clustered = clustered
        self.connecting = connecting
        self.answers = {HOME: list(home), OTHER: list(other)}
        self.heard: list[str] = []
        self.opened = self.closed = self.looks = 0
        self._servers = {address: self._new_server(address) for address in self.answers}

    def _new_server(self, address: Address) -> AsyncServer:
        make: Any = AsyncFakeWire
        return AsyncServer(lambda: make(self, address), 1.0)

    async def server(self, key: str) -> AsyncServer:
        return self._servers[HOME]

    def known(self, key: str) -> AsyncServer | None:
        return self._servers[HOME]

    async def any_server(self) -> AsyncServer:
        return self._servers[HOME]

    async def masters(self) -> list[AsyncServer]:
        return self.servers()

    async def redirect(self, redirection: Redirection, source: AsyncServer | None) -> AsyncServer:
        return self._servers[redirection.address]

    async def look(self) -> None:
        raise AssertionError("look_at is never reached")

    def home(self, key: str) -> Address | None:
        return HOME

    async def lost(self, server: AsyncServer | None) -> None:
        self.looks += 1
        if not self.clustered:
            await self._servers[HOME].leave()

    def servers(self) -> list[AsyncServer]:
        return list(self._servers.values())

    async def close(self) -> None:
        for server in self._servers.values():
            await server.end()

    def link(self, timeout: float = 1.0) -> AsyncLink:
        """Return a link over these servers."""
        return AsyncLink(self, timeout)
