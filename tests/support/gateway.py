"""A RESP proxy that emulates a vendor's server, or a vendor's proxy in front of a server.

A `Profile` configures it (`tests/support/profiles.py` has those of vendors). It denies commands
with the vendor's error texts, gives blocking commands their own connections, forgets idle flows,
checks Lua, and rejects commands with keys in several slots. Commands that scripts may not call do
not exist on the server behind it; `emulated` starts both.

Rule: replies have the order of the requests, both those of the server and those of the gateway.
"""

import asyncio
import re
import socket
import sys
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from hiredis import Reader

from tests.support.lua_check import objection
from tests.support.profiles import Profile
from tests.support.relay import HasPort, Relay, reset
from tests.support.requests import is_blocking, slots_of
from tests.support.resp import FrameSplitter
from tests.support.server import RedisServer

_SUBSCRIBES = frozenset(
    {"SUBSCRIBE", "PSUBSCRIBE", "SSUBSCRIBE", "UNSUBSCRIBE", "PUNSUBSCRIBE", "SUNSUBSCRIBE"}
)
_SEGMENTS_IN = slice(140, 144)
"""The count of received segments, with keepalives, in Linux's `struct tcp_info`."""
_VERSION = re.compile(rb"redis_version:[^\r\n]*")


@contextmanager
def emulated(profile: Profile, *arguments: str) -> Iterator["Gateway"]:
    """Start a server with the commands of the profile, and the gateway in front of it."""
    lacks = [word for command in profile.lacks for word in ("--rename-command", command, "")]
    with RedisServer(*lacks, *arguments) as server, Gateway(server, profile) as gateway:
        yield gateway


@dataclass(eq=False)
class _Flow:
    """One client and its connection to the server."""

    client: asyncio.StreamWriter
    server: asyncio.StreamWriter
    owed: asyncio.Queue[asyncio.Future[bytes]] = field(default_factory=asyncio.Queue)
    """The replies that the client gets, in this order."""
    asked: deque[tuple[str, asyncio.Future[bytes]]] = field(default_factory=deque)
    """Those replies that the server's connection delivers, in this order."""
    alone: set[asyncio.Task[None]] = field(default_factory=set)
    subscribed: bool = False
    heard: float = 0.0
    forgotten: bool = False

    def answer(self, reply: bytes) -> None:
        """Send a known reply to the client, after the replies that it waits for."""
        if self.subscribed:
            self.client.write(reply)
        else:
            self.owe().set_result(reply)

    def owe(self) -> "asyncio.Future[bytes]":
        """Reserve the next place in the order for a later reply."""
        reply: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self.owed.put_nowait(reply)
        return reply


class Gateway(Relay):
    """Forwards requests to ``server``, with the restrictions of its profile.

    >>> with RedisServer() as server, Gateway(server, PROFILES["no TIME"]) as gateway:
    ...     redis.Redis(port=gateway.port).time()       # unknown command
    """

    def __init__(self, server: HasPort, profile: Profile) -> None:
        super().__init__(server)
        self.profile = profile
        self.denied: Counter[str] = Counter()
        """How often each command was denied, by name."""
        self.forgotten = 0
        """The number of flows that were forgotten because they were idle for too long."""
        self._flows: set[_Flow] = set()

    async def _serve(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        upstream: asyncio.StreamReader,
        to_server: asyncio.StreamWriter,
    ) -> None:
        flow = _Flow(writer, to_server, heard=self._loop.time())
        self._flows.add(flow)
        try:
            await self._first_of(
                self._pump_requests(reader, flow),
                self._pump_replies(upstream, flow),
                self._deliver(flow),
                self._watch(flow),
            )
        finally:
            for task in flow.alone:
                task.cancel()
            self._flows.discard(flow)

    def _open_writers(self) -> Iterator[asyncio.StreamWriter]:
        for flow in list(self._flows):
            yield from (flow.client, flow.server)

    async def _pump_requests(self, reader: asyncio.StreamReader, flow: _Flow) -> None:
        splitter, parser = FrameSplitter(), Reader()
        while chunk := await reader.read(65536):
            if flow.forgotten:
                reset(flow.client)
                return
            flow.heard = self._loop.time()
            for frame in splitter.feed(chunk):
                parser.feed(frame)
                self._request(flow, frame, parser.gets())
            await flow.server.drain()

    def _request(self, flow: _Flow, frame: bytes, words: Sequence[bytes]) -> None:
        name = words[0].decode().upper()
        if error := self._refusal(name, words):
            self.denied[name] += 1
            if self.profile.hangs_up:
                flow.client.close()
                return
            flow.answer(b"-%s\r\n" % error.encode())
            return
        if self.profile.splits and is_blocking(name):
            task = self._spawn(self._alone(frame, flow.owe()))
            flow.alone.add(task)
            task.add_done_callback(flow.alone.discard)
            return
        if name in _SUBSCRIBES:
            flow.subscribed = True
        if not flow.subscribed:
            flow.asked.append((name, flow.owe()))
        flow.server.write(frame)

    def _refusal(self, name: str, words: Sequence[bytes]) -> str | None:
        profile = self.profile
        whole = f"{name} {words[1].decode(errors='replace').upper()}" if len(words) > 1 else name
        if name in (denied := profile.denied | set(profile.lacks)) or whole in denied:
            shown = whole if whole in denied else name
            return profile.words.format(name=shown, lower=shown.lower().replace(" ", "|"))
        if profile.checks_lua and (told := objection(name, words)):
            return told
        if profile.one_slot and len(slots_of(name, words)) > 1:
            return profile.one_slot
        return None

    async def _alone(self, frame: bytes, reply: "asyncio.Future[bytes]") -> None:
        """Send a request on its own connection."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self._server.port)
        try:
            writer.write(frame)
            splitter = FrameSplitter()
            while chunk := await reader.read(65536):
                for found in splitter.feed(chunk):
                    reply.set_result(found)
                    return
        finally:
            writer.transport.abort()

    async def _pump_replies(self, reader: asyncio.StreamReader, flow: _Flow) -> None:
        splitter = FrameSplitter()
        while chunk := await reader.read(65536):
            if flow.forgotten:  # the client of a forgotten flow receives nothing, not even a FIN
                flow.server.transport.abort()
                await asyncio.Event().wait()
            flow.heard = self._loop.time()
            for frame in splitter.feed(chunk):
                if frame.startswith(b">") or not flow.asked:
                    flow.client.write(frame)
                    continue
                name, reply = flow.asked.popleft()
                reply.set_result(self._worded(name, frame))

    def _worded(self, name: str, frame: bytes) -> bytes:
        """Return the reply; INFO gets the version of the profile."""
        if name != "INFO" or self.profile.version is None or frame[:1] not in b"$=":
            return frame
        header, _, text = frame.partition(b"\r\n")
        text = _VERSION.sub(b"redis_version:" + self.profile.version.encode(), text[:-2])
        return b"%s%d\r\n%s\r\n" % (header[:1], len(text), text)

    async def _deliver(self, flow: _Flow) -> None:
        while True:
            reply = await (await flow.owed.get())
            if flow.forgotten:
                await asyncio.Event().wait()
            flow.heard = self._loop.time()
            flow.client.write(reply)
            await flow.client.drain()

    async def _watch(self, flow: _Flow) -> None:
        """Forget a flow that is idle for the profile's time; a keepalive counts as traffic."""
        seconds = self.profile.idle
        segments = _segments_in(flow.client)
        while seconds is not None and not flow.forgotten:
            await asyncio.sleep(seconds / 10)
            if (now := _segments_in(flow.client)) != segments:
                flow.heard, segments = self._loop.time(), now
            if self._loop.time() - flow.heard > seconds:
                flow.forgotten = True
                self.forgotten += 1
        await asyncio.Event().wait()


def _segments_in(writer: asyncio.StreamWriter) -> int:
    """Return the count of received segments; 0 except on Linux, where keepalives are visible."""
    if sys.platform != "linux":
        return 0
    sock: Any = writer.get_extra_info("socket")
    told: bytes = sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _SEGMENTS_IN.stop)
    return int.from_bytes(told[_SEGMENTS_IN], "little")
