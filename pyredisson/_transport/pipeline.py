"""A connection that asyncio's callers share, read and written by an `asyncio.Protocol`.

redis-py opens the connection (TLS, credentials, Sentinel, the database). Then the pipeline detaches
the transport from redis-py, so that a reply needs no task, no timer and no stream. The pipeline
gathers the requests of one loop iteration and writes them together. Operations that share a
`Packer` become one request, up to a maximum. The rule: replies come in the order of the requests.
If the connection ends, each caller without a reply gets an error object of its own.
"""

from __future__ import annotations

import asyncio
import contextlib
from asyncio import get_running_loop
from asyncio.trsock import TransportSocket
from collections import deque
from itertools import compress
from typing import Any

from hiredis import ProtocolError

from pyredisson._runtime.concurrency import monotonic, process
from pyredisson._transport.connections import request_of
from pyredisson._transport.direct_io import taken_over
from pyredisson._transport.errors import (
    UnsentError,
    alike,
    connection_error,
    outcome_of,
    timeout_error,
)
from pyredisson.protocol.kernel.capabilities import LONG
from pyredisson.protocol.kernel.command import Operation, Packed, Packer
from pyredisson.protocol.kernel.next_step import Attempt, Step, decide

__all__ = ["SharedPipeline", "retrieve"]

_MOST = 64
_UNKNOWN = 32
"""After the pipeline has gathered a certain number of a packer's operations, it sends them before
the loop iteration ends. The server then works while the loop runs other callers. The number is half
of the recent maximum of operations that were gathered or unanswered, and at most `_MOST`. If this
maximum is 2 or less, the number is `_UNKNOWN`: the next iteration can bring many operations, and
these should share a request."""

_BATCH = 250
"""Maximum operations of one request: it blocks the server for less than a millisecond."""

_LONG = 4096
"""Bytes. An operation with a longer argument is sent in a request of its own."""

_READ_BYTES = 65536
_MORE = object()
_FIRST = Attempt()


class SharedPipeline(asyncio.Protocol):
    """One connection to one server, in one event loop.

    Args:
        conn: an open connection without outstanding replies.
        timeout: seconds that a reply may take.
        last: whether to close the connection after the first reply that leaves none outstanding.

    Raises:
        UnsentError: as for `taken_over`.
    """

    def __init__(self, conn: Any, timeout: float, *, last: bool) -> None:
        self._process = conn.process
        self.run: bytes | None = None
        """The server's run ID; None until it is requested, or if the server does not return it."""
        self._timeout = timeout
        self._retired = last
        self._loop = get_running_loop()
        self._future = self._loop.create_future
        self._due: deque[tuple[asyncio.Future[Any] | _Batch, float]] = deque()
        self._unsent: list[bytes] = []
        self._gathered: dict[Packer, tuple[list[asyncio.Future[Any]], list[Any]]] = {}
        self._ends_turn = False
        self._eager = _UNKNOWN
        self._last_reply = self._opened = self._loop.time()
        self._ping_after = conn.ping_after
        self._doubted = False
        self._under_way = self._peak = 0
        self._lost: Exception | None = None
        self._watch: asyncio.TimerHandle | None = None
        self._writable = asyncio.Event()
        self._writable.set()
        self._taken = taken_over(conn.connection, self, _MORE)
        self._transport, self._replies = self._taken.transport, self._taken.replies
        self._conn = conn
        conn.channel = self
        if conn.naming and not last:
            self.put(conn.naming, 1)

    def usable(self) -> bool:
        """Return whether the running loop can send a request on this connection."""
        return (
            self._lost is None
            and self._loop is get_running_loop()
            and self._process == process()
            and not self._transport.is_closing()
        )

    def rests(self) -> bool:
        """Return whether the connection needs a PING before use, because it was idle for long."""
        if not self._doubted and not self._due:
            self._doubted = self._loop.time() - self._last_reply > self._ping_after
        return self._doubted

    def replied(self) -> float:
        """Return the monotonic time when a reply last made this connection idle; 0 if none did."""
        if self._last_reply == self._opened:
            return 0.0
        return monotonic() - max(self._loop.time() - self._last_reply, 0.0)

    # -------------------------------------------------------------- sending

    def put(self, data: bytes, replies: int) -> asyncio.Future[Any]:
        """Start to send some packed requests, and return the future of the last reply.

        Args:
            data: the requests.
            replies: the number of requests, at least 1.

        Raises:
            UnsentError: the connection is closed.
        """
        for _ in range(replies):
            future = self._future()
            future.add_done_callback(retrieve)
            self._expect(future)
        self._unsent.append(data)
        self._soon()
        return future

    def request(self, operation: Operation[Any] | Packed[Any]) -> asyncio.Future[Any]:
        """Start to send an operation, and return the future of its raw reply.

        Short operations that have the same packer and come in one loop iteration share requests.

        Raises:
            UnsentError: the operation was not sent. This function or the future raises it.
        """
        if self._loop is not get_running_loop() or self._process != process():
            raise UnsentError("the connection belongs to another event loop or process")
        if self._doubted or (not self._due and self.rests()):
            raise UnsentError("the connection was idle for long and needs a PING first")
        packer = operation.packer
        if packer is None or operation.size > _LONG:
            if self._lost is not None or self._retired or self._transport.is_closing():
                raise UnsentError("the connection is closed")
            if not self._writable.is_set():
                raise UnsentError("the write buffer of the connection is full")
            if len(data := request_of(operation)) >= LONG:
                raise UnsentError("a long request has a connection of its own")
            return self.put(data, 1)
        future = self._future()
        gathered = self._gathered.get(packer)
        if gathered is None:
            gathered = self._gathered[packer] = [], []
        futures, operations = gathered
        futures.append(future)
        operations.append(operation)
        if not self._ends_turn:
            self._soon()
        elif len(futures) >= self._eager:
            self._send(packer)
            self._flush()
            self._eager = max(self._eager, min(self._under_way // 2, _MOST))
        return future

    def _soon(self) -> None:
        if not self._ends_turn:
            self._ends_turn = True
            self._loop.call_soon(self._turn_ends)

    def _turn_ends(self) -> None:
        self._ends_turn = False
        if self._gathered:
            waiting = sum([len(futures) for futures, _ in self._gathered.values()])
            peak = max(self._peak, self._under_way + waiting)
            self._eager = min((peak + 1) // 2, _MOST) if peak > 2 else _UNKNOWN
            self._peak = self._under_way
            for packer in list(self._gathered):
                self._send(packer)
        self._flush()

    def _flush(self) -> None:
        if self._unsent:
            data, self._unsent = b"".join(self._unsent), []
            self._transport.write(data)

    def _send(self, packer: Packer) -> None:
        """Start to send a packer's operations, except those whose callers were cancelled."""
        futures, operations = self._gathered.pop(packer)
        if [future for future in futures if future.done()]:
            wanted = [not future.done() for future in futures]
            futures = list(compress(futures, wanted))
            operations = list(compress(operations, wanted))
        if self._lost is not None or self._retired or self._transport.is_closing():
            for future in futures:
                future.set_exception(UnsentError("the connection accepts no more requests"))
        elif len(futures) == 1:
            self._expect(futures[0])
            self._unsent.append(operations[0].packed())
        else:
            for first in range(0, len(futures), _BATCH):
                last = first + _BATCH
                batch = _Batch(self, packer, futures[first:last], operations[first:last])
                self._under_way += len(batch.futures)
                self._peak = max(self._peak, self._under_way)
                self.send(batch, packer.several(batch.operations))

    def send(self, batch: _Batch, data: bytes) -> None:
        """Start to send one request for several operations."""
        self._expect(batch)
        self._unsent.append(data)
        self._soon()

    def _expect(self, receiver: asyncio.Future[Any] | _Batch) -> None:
        if self._lost is not None:
            raise UnsentError("the connection is closed")
        deadline = self._loop.time() + self._timeout
        if self._watch is None:
            self._watch = self._loop.call_at(deadline, self._check_deadline)
        self._due.append((receiver, deadline))

    def ended(self, batch: _Batch) -> None:
        """Subtract a batch's operations from the number of unanswered operations."""
        self._under_way -= len(batch.futures)

    async def drain(self) -> None:
        """Wait until the write buffer has room."""
        if not self._writable.is_set():
            await self._writable.wait()

    def pause_writing(self) -> None:
        """Make `drain` wait: the transport's write buffer is full."""
        self._writable.clear()

    def resume_writing(self) -> None:
        """Let `drain` return: the transport's write buffer has room."""
        self._writable.set()

    # -------------------------------------------------------------- receiving

    def data_received(self, data: bytes) -> None:
        """Give each reply to the oldest outstanding request."""
        due, replies = self._due, self._replies
        try:
            replies.feed(data)
            while (reply := replies.gets()) is not _MORE:
                receiver, _ = due.popleft()
                if receiver.done():
                    continue
                if isinstance(reply, Exception):
                    receiver.set_exception(reply)
                else:
                    receiver.set_result(reply)
        except (ProtocolError, IndexError) as error:
            self._end(connection_error(f"the server sent an invalid or unexpected reply: {error}"))
        if not due:
            self._last_reply, self._doubted = self._loop.time(), False
            if self._retired:
                self._taken.close()

    def _check_deadline(self) -> None:
        """Close the connection if the oldest outstanding reply is late.

        Otherwise check again at the deadline of that reply.
        """
        self._watch = None
        if self._due:
            deadline = self._due[0][1]
            if deadline <= self._loop.time():
                self._end(timeout_error(f"no reply within {self._timeout:g} s"))
            else:
                self._watch = self._loop.call_at(deadline, self._check_deadline)

    def connection_lost(self, exc: Exception | None) -> None:
        """Fail all outstanding replies. After a reset, first read the replies that came before it.

        With TLS or uvloop these replies cannot be read.
        """
        sock, tls = map(self._transport.get_extra_info, ("socket", "ssl_object"))
        if exc is not None and tls is None and isinstance(sock, TransportSocket):  # not uvloop's
            with contextlib.suppress(OSError), sock.dup() as rest:
                while data := rest.recv(_READ_BYTES):
                    self.data_received(data)
        self._end(connection_error(str(exc or "the connection was closed")))

    def _end(self, error: Exception) -> None:
        if self._lost is None:
            self._lost = error
        self._writable.set()
        if self._watch is not None:
            self._watch.cancel()
            self._watch = None
        due, self._due = self._due, deque()
        for receiver, _ in due:
            if not receiver.done():
                receiver.set_exception(alike(error))
        self._taken.close()
        self._conn.closed()

    async def abort(self) -> None:
        """Close the connection at once, and fail all outstanding replies.

        The replies of another event loop fail when that loop runs again.
        """
        if self._loop is get_running_loop():
            self._end(connection_error("the client was closed"))
        self._taken.abort()

    async def unused(self) -> None:
        """Close the connection if it was opened for one request only: this request was not sent."""
        if self._retired:
            await self.retire()

    async def retire(self) -> None:
        """Close the connection after its last reply; gathered operations fail with UnsentError."""
        self._retired = True
        if not self._loop.is_closed():
            self._turn_ends()
        if not self._due or self._loop.is_closed():
            self._taken.close()


class _Batch:
    """Operations sent as one request. Like a future, the batch is given the reply or error."""

    __slots__ = ("_attempt", "_channel", "_packer", "futures", "operations")

    def __init__(
        self,
        channel: SharedPipeline,
        packer: Packer,
        futures: list[asyncio.Future[Any]],
        operations: list[Packed[Any]],
    ) -> None:
        self._channel = channel
        self._packer = packer
        self._attempt = _FIRST
        self.futures, self.operations = futures, operations

    def done(self) -> bool:
        """Return False: a batch always needs its reply."""
        return False

    def set_result(self, reply: Any) -> None:
        """Give each operation its part of the reply."""
        self._channel.ended(self)
        parts = self._packer.split(self.operations, reply)
        for future, part in zip(self.futures, parts, strict=False):
            if not future.done():
                future.set_result(part)

    def set_exception(self, error: Exception) -> None:
        """After NOSCRIPT, send again with the script's text; else pass each future the error."""
        step, self._attempt = decide(self.operations[0].whole(), outcome_of(error), self._attempt)
        if step is Step.LOAD:
            self._channel.send(self, self._packer.several(self.operations, text=True))
            return
        self._channel.ended(self)
        for future in self.futures:
            if not future.done():
                future.set_exception(alike(error))


def retrieve(future: asyncio.Future[Any]) -> None:
    """Mark an error as retrieved: asyncio must not log the error of an abandoned reply."""
    if not future.cancelled():
        future.exception()
