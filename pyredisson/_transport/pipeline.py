"""A connection that asyncio's callers share, read and written by an `asyncio.Protocol`.

redis-py opens it (TLS, credentials, Sentinel, the database); then its transport is taken over,
so that a reply costs no task, no timer and no stream. What is put within one turn of the loop
is written at once, and offers of one turn travel in one script. The rule: replies come in the
order of the requests, and whatever ends the connection ends every reply that is due, each with
an error of its own.
"""

from __future__ import annotations

import asyncio
from asyncio import get_running_loop
from collections import deque
from typing import Any

from hiredis import ProtocolError

from pyredisson._runtime.concurrency import process
from pyredisson._transport.direct_io import taken_over
from pyredisson._transport.errors import (
    UnsentError,
    alike,
    connection_error,
    timeout_error,
)
from pyredisson.protocol.delayed.offer_packer import OfferPacker
from pyredisson.protocol.delayed.receipt import Receipt
from pyredisson.server_errors import NoScriptError

__all__ = ["SharedPipeline"]

_MOST = 64
_UNKNOWN = 32
"""So many offers at least are sent before the turn of the loop ends: half of the most that were
under way lately, for then the server works while the loop goes on with the others; at most 64.
After a lone offer nobody knows how many will come, and few are to travel together."""

_CHUNK = 250
"""Offers that one script stores, at most: the server is blocked for less than a millisecond."""

_LONG = 4096
"""Bytes of a value that is stored by itself."""

_MORE = object()


class SharedPipeline(asyncio.Protocol):
    """One connection to one server, in one event loop.

    Args:
        wire: an open connection on which nothing is outstanding.
        timeout: seconds that a reply may take.
        last: close it after the last reply.
    """

    def __init__(self, wire: Any, timeout: float, *, last: bool) -> None:
        self._process = wire.process
        self.run: bytes | None = None
        """The server's process, where it was asked for and says so."""
        self._timeout = timeout
        self._retired = last
        self._loop = get_running_loop()
        self._future = self._loop.create_future
        self._due: deque[tuple[asyncio.Future[Any] | _Batch, float]] = deque()
        self._unsent: list[bytes] = []
        self._offered: dict[OfferPacker, list[tuple[asyncio.Future[Any], Receipt]]] = {}
        self._ends_turn = False
        self._eager = _UNKNOWN
        self._heard, self._rest = self._loop.time(), wire.rest
        self._doubted = False
        self._under_way = self._peak = 0
        self._lost: Exception | None = None
        self._watch: asyncio.TimerHandle | None = None
        self._writable = asyncio.Event()
        self._writable.set()
        self._taken = taken_over(wire.connection, self, _MORE)
        self._transport, self._replies = self._taken.transport, self._taken.replies
        self._wire = wire
        wire.channel = self
        if wire.naming and not last:
            self.put(wire.naming, 1)

    def usable(self) -> bool:
        """Tell whether a request can be sent on this connection, by this loop."""
        return (
            self._lost is None
            and self._loop is get_running_loop()
            and self._process == process()
            and not self._transport.is_closing()
        )

    def rests(self) -> bool:
        """Tell whether it has rested so long that it is to be asked whether it is open."""
        if not self._doubted and not self._due:
            self._doubted = self._loop.time() - self._heard > self._rest
        return self._doubted

    # -------------------------------------------------------------- what is sent

    def put(self, data: bytes, replies: int) -> asyncio.Future[Any]:
        """Begin to send requests; the future of the last one's reply."""
        for _ in range(replies):
            future = self._future()
            future.add_done_callback(_retrieve)
            self._expect(future)
        self._unsent.append(data)
        self._soon()
        return future

    def offer(self, offers: OfferPacker, receipt: Receipt) -> asyncio.Future[Any]:
        """Begin to store an item, together with those that are offered in the same turn.

        Raises:
            UnsentError: nothing was sent; also by the future, when the turn ends.
        """
        if self._loop is not get_running_loop() or self._process != process():
            raise UnsentError("the connection is of another loop or process")
        if self._doubted or (not self._due and self.rests()):
            raise UnsentError("the connection has rested")
        if len(receipt.value) > _LONG:
            if not self.usable():
                raise UnsentError("the connection is closed")
            return self.put(offers.one(receipt), 1)
        future = self._future()
        offered = self._offered.get(offers)
        if offered is None:
            offered = self._offered[offers] = []
        offered.append((future, receipt))
        if not self._ends_turn:
            self._soon()
        elif len(offered) >= self._eager:
            self._store(offers)
            self._flush()
            self._eager = max(self._eager, min(self._under_way // 2, _MOST))
        return future

    def _soon(self) -> None:
        if not self._ends_turn:
            self._ends_turn = True
            self._loop.call_soon(self._turn_ends)

    def _turn_ends(self) -> None:
        self._ends_turn = False
        if self._offered:
            waiting = sum(map(len, self._offered.values()))
            peak = max(self._peak, self._under_way + waiting)
            self._eager = min((peak + 1) // 2, _MOST) if peak > 2 else _UNKNOWN
            self._peak = self._under_way
            for offers in list(self._offered):
                self._store(offers)
        self._flush()

    def _flush(self) -> None:
        if self._unsent:
            data, self._unsent = b"".join(self._unsent), []
            self._transport.write(data)

    def _store(self, offers: OfferPacker) -> None:
        """Put the offers of a queue that wait; those whose caller has left are not sent."""
        offered = [each for each in self._offered.pop(offers) if not each[0].done()]
        if self._lost is not None or self._retired or self._transport.is_closing():
            for future, _ in offered:
                future.set_exception(UnsentError("the connection takes nothing more"))
        elif len(offered) == 1:
            future, receipt = offered[0]
            self._expect(future)
            self._unsent.append(offers.one(receipt))
        else:
            for first in range(0, len(offered), _CHUNK):
                batch = _Batch(self, offers, offered[first : first + _CHUNK])
                self._under_way += len(batch.offered)
                self._peak = max(self._peak, self._under_way)
                self.send(batch)

    def send(self, batch: _Batch, *, text: bool = False) -> None:
        """Put one script for many offers, or its text."""
        self._expect(batch)
        rows = [(each.due_ms, each.item_id, each.value) for _, each in batch.offered]
        self._unsent.append(batch.offers.many(rows, text=text))
        self._soon()

    def _expect(self, whose: asyncio.Future[Any] | _Batch) -> None:
        if self._lost is not None:
            raise UnsentError("the connection is closed")
        deadline = self._loop.time() + self._timeout
        if self._watch is None:
            self._watch = self._loop.call_at(deadline, self._look)
        self._due.append((whose, deadline))

    def ended(self, batch: _Batch) -> None:
        """A batch has its reply."""
        self._under_way -= len(batch.offered)

    async def drain(self) -> None:
        """Wait until what was put can be sent."""
        if not self._writable.is_set():
            await self._writable.wait()

    def pause_writing(self) -> None:
        """The transport has enough for now."""
        self._writable.clear()

    def resume_writing(self) -> None:
        """The transport takes more."""
        self._writable.set()

    # -------------------------------------------------------------- what comes

    def data_received(self, data: bytes) -> None:
        """Hand out replies, to the oldest requests first."""
        due, replies = self._due, self._replies
        try:
            replies.feed(data)
            while (reply := replies.gets()) is not _MORE:
                whose, _ = due.popleft()
                if whose.done():
                    continue
                if isinstance(reply, Exception):
                    whose.set_exception(reply)
                else:
                    whose.set_result(reply)
        except (ProtocolError, IndexError) as error:
            self._end(connection_error(f"what came is no reply to what was sent: {error}"))
        if not due:
            self._heard, self._doubted = self._loop.time(), False
            if self._retired:
                self._taken.close()

    def _look(self) -> None:
        """End the connection when its oldest reply is late; else look again when it would be."""
        self._watch = None
        if self._due:
            deadline = self._due[0][1]
            if deadline <= self._loop.time():
                self._end(timeout_error(f"no reply within {self._timeout:g} s"))
            else:
                self._watch = self._loop.call_at(deadline, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        """All that is due is lost."""
        self._end(connection_error(str(exc or "the connection was closed")))

    def _end(self, error: Exception) -> None:
        if self._lost is None:
            self._lost = error
        self._writable.set()
        if self._watch is not None:
            self._watch.cancel()
            self._watch = None
        due, self._due = self._due, deque()
        for whose, _ in due:
            if not whose.done():
                whose.set_exception(alike(error))
        self._taken.close()
        self._wire.closed()

    async def abort(self) -> None:
        """End it now: all that is due is lost."""
        if self._loop is get_running_loop():
            self._end(connection_error("the client was closed"))
        self._taken.abort()

    async def unused(self) -> None:
        """Nothing was sent after all: a connection for that alone closes."""
        if self._retired:
            await self.retire()

    async def retire(self) -> None:
        """Close once nothing is due; offers that wait are not sent here any more."""
        self._retired = True
        if not self._loop.is_closed():
            self._turn_ends()
        if not self._due or self._loop.is_closed():
            self._taken.close()


class _Batch:
    """Offers that went in one script; it is told its reply as a future is."""

    __slots__ = ("_channel", "_text", "offered", "offers")

    def __init__(
        self,
        channel: SharedPipeline,
        offers: OfferPacker,
        offered: list[tuple[asyncio.Future[Any], Receipt]],
    ) -> None:
        self._channel = channel
        self._text = False
        self.offers = offers
        self.offered = offered

    def done(self) -> bool:
        """Somebody always wants the reply."""
        return False

    def set_result(self, refusal: Any) -> None:
        """All are stored; a refused notification was that of the earliest."""
        self._channel.ended(self)
        told = None
        if refusal is not None:
            told = min(self.offered, key=lambda each: each[1].due_ms)[0]
        for future, _ in self.offered:
            if not future.done():
                future.set_result(refusal if future is told else None)

    def set_exception(self, error: Exception) -> None:
        """None is stored, or nobody knows: each caller gets an error of his own."""
        if isinstance(error, NoScriptError) and not self._text:
            self._text = True
            self._channel.send(self, text=True)
            return
        self._channel.ended(self)
        for future, _ in self.offered:
            if not future.done():
                future.set_exception(alike(error))


def _retrieve(future: asyncio.Future[Any]) -> None:
    """An error that nobody waits for any more is no news."""
    if not future.cancelled():
        future.exception()
