"""A client of the dashboard's own, and the threads that ask it.

Its settings are those of the given client, but for shorter timeouts. So a Redis that does not
answer blocks neither the program's connections nor its event loop. The rule: every request is
answered in time, whatever hangs, and the number of hanging threads is bounded.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from time import monotonic
from typing import Any, Generic, Literal, TypeVar

from pyredisson import AsyncRedisson, ClosedError, Redisson, RedissonError
from pyredisson._transport.portable import client_from, portable
from pyredisson.admin.codecs import LikelyCodec
from pyredisson.admin.nodes import ask, masters
from pyredisson.codecs.base import Codec
from pyredisson.protocol.kernel.command import Command
from pyredisson.server_errors import ServerTimeoutError

__all__ = ["PATIENCE", "Shared", "Source"]

T = TypeVar("T")

PATIENCE = 2.0
"""Seconds in which Redis has to answer."""
_CLOSED = "this dashboard is closed"
Kind = Literal["read", "examine", "act", "ping"]
_THREADS: dict[Kind, int] = {"read": 6, "examine": 2, "act": 4, "ping": 1}
_PINGED = 0.5
_BUSY = 10.0
"""Seconds that an answer may take if Redis answers, as values that are hard to decode do."""


class Source:
    """Where the dashboard reads from.

    Args:
        url_or_client: the URL of a server, or a client, whose settings are copied.
        codec: of the values; None to show what bytes look like, and to write with the client's.

    Attributes:
        address: the server, without a password.
        reading, writing: the codecs; `given` is whether the caller has chosen them.
    """

    def __init__(
        self, url_or_client: str | Redisson | AsyncRedisson, codec: Codec[Any] | None
    ) -> None:
        self._lock = Lock()
        self._redisson: Redisson | None = None
        self._closed = False
        like = self._like = _client_of(url_or_client)
        self._settings = _settings_of(like) if isinstance(like, AsyncRedisson) else None
        objects = like._objects
        self.given = codec is not None
        self.writing: Codec[Any] = objects.codec(codec)
        self.reading: Codec[Any] = self.writing if self.given else LikelyCodec(objects._release)
        self.address = _address_of(like)
        self._pools = {
            kind: ThreadPoolExecutor(count, f"pyredisson-dashboard-{kind}")
            for kind, count in _THREADS.items()
        }

    def submit(self, work: Callable[[Redisson], T], kind: Kind = "read") -> Future[T]:
        """Run something in a thread; what takes long does not delay what is short."""
        if self._closed:
            raise ClosedError(_CLOSED)
        return self._pools[kind].submit(lambda: work(self._opened()))

    async def answer(self, future: Future[T], patience: float | None = None) -> T:
        """Return the result of a thread.

        Args:
            future: of `submit`.
            patience: how long to wait; None for 2 s, or longer while Redis answers others.

        Raises:
            ServerTimeoutError: it takes longer.
        """
        waiting = asyncio.wrap_future(future)
        try:
            await asyncio.wait({waiting}, timeout=patience or PATIENCE - _PINGED)
            if not waiting.done() and patience is None and await self._answers():
                await asyncio.wait({waiting}, timeout=_BUSY)
            if waiting.done() and not waiting.cancelled():
                return waiting.result()
        finally:
            waiting.cancel()
        raise ServerTimeoutError("no answer in time")

    async def _answers(self) -> bool:
        """Return whether Redis answers now."""
        try:
            return await self.answer(self.submit(_ping, "ping"), _PINGED)
        except (RedissonError, OSError):
            return False

    def close(self) -> None:
        """End the threads and the connections."""
        with self._lock:
            self._closed = True
            redisson, self._redisson = self._redisson, None
        for each in self._pools.values():
            each.shutdown(wait=False, cancel_futures=True)
        if redisson is not None:
            with contextlib.suppress(RedissonError, OSError):
                redisson.close()

    def _opened(self) -> Redisson:
        with self._lock:
            if self._closed:
                raise ClosedError(_CLOSED)
            if self._redisson is None:
                like = self._like
                client = like._source if self._settings is None else client_from(self._settings)
                self._redisson = Redisson(
                    client,
                    codec=like._objects._codec,
                    release=like._objects._release,
                    wire_format=like._context.wire_format,
                    name_mapper=like._context.mapper,
                    max_bytes=like._context.max_bytes,
                    response_timeout=PATIENCE,
                )
            return self._redisson


def _ping(redisson: Redisson) -> bool:
    for server in masters(redisson):
        ask(server, Command(("PING",), bool, "", safe=True))
    return True


def _client_of(given: object) -> Redisson | AsyncRedisson:
    if isinstance(given, str):
        return Redisson.from_url(given)
    if isinstance(given, Redisson | AsyncRedisson):
        return given
    given_type = type(given).__name__  # only the type, because bytes may be a URL with a password
    raise TypeError(
        f"url_or_client must be a URL, a Redisson or an AsyncRedisson, not {given_type}"
    )


def _settings_of(client: AsyncRedisson) -> dict[str, Any]:
    try:
        found = portable(client._source)
    except TypeError as error:
        why = str(error.__cause__ or error)
        raise TypeError(
            f"the connections of this AsyncRedisson cannot be copied ({why}): give the dashboard "
            "a URL or a Redisson"
        ) from error
    if found["nodes"]:  # such a client connects when it is made
        found["master"][1].update(socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE)
    return found


def _address_of(client: Redisson | AsyncRedisson) -> str:
    """Return where a client connects to, without a password."""
    try:
        found = portable(client._source)
    except TypeError:
        return "Redis"
    _kind, given = found["master"]
    if "watched" in found:
        return f"the master {found['watched'][0]!r} of Sentinels"
    if found["nodes"]:
        return "the cluster of {}:{}".format(*found["nodes"][0][:2])
    if "path" in given:
        return f"unix://{given['path']}"
    scheme = "rediss" if "SSL" in _kind else "redis"
    host = given.get("host", "localhost")
    host = f"[{host}]" if ":" in host else host
    return f"{scheme}://{host}:{given.get('port', 6379)}/{given.get('db', 0)}"


class Shared(Generic[T]):
    """The newest answer to a question, which is asked once for all requests.

    An answer stays for a second at least, and for ten times as long as it took, so that a question
    that costs much is asked less often. A failure stays for a second.

    Args:
        start: asks.
        fresh: seconds that an answer stays at least.
    """

    _SHARE = 10

    def __init__(self, start: Callable[[], Future[T]], fresh: float = 1.0) -> None:
        self._start = start
        self._fresh = fresh
        self._lock = Lock()
        self._future: Future[T] | None = None
        self._began = self._took = 0.0

    def get(self, fresh: float | None = None) -> Future[T]:
        """Return the answer, or the one that comes."""
        with self._lock:
            future = self._future
            stays = max(self._fresh, self._SHARE * self._took) if fresh is None else fresh
            is_new = monotonic() - self._began < stays
            if future is not None and not future.cancelled() and (is_new or not future.done()):
                return future
            self._began, self._future = monotonic(), self._start()
            self._future.add_done_callback(self._note)
            return self._future

    def _note(self, future: Future[T]) -> None:
        failed = future.cancelled() or future.exception() is not None
        self._took = 0.0 if failed else monotonic() - self._began
