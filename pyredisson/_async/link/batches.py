"""Chunks of many offers on a connection of their own, two under way.

The rule is that of the short way of an offer: what is not as usual goes by `AsyncLink.request`,
a chunk at a time; an error reply means that nothing of its chunk is stored, a missing one that
nobody knows. After the first chunk that fails, or is not confirmed where it is to be durable,
nothing more is sent.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NoReturn

from pyredisson._async.link.connection import AsyncServerConnection
from pyredisson._async.link.exchanges import AsyncExclusive
from pyredisson._async.link.link import AsyncLink
from pyredisson._async.link.server import AsyncServer
from pyredisson._runtime.interrupts import AsyncInterrupts
from pyredisson._transport.connections import packed
from pyredisson._transport.errors import connection_error
from pyredisson.errors import (
    ClosedError,
    NotNotifiedError,
    NotReplicatedError,
    UncertainOfferError,
)
from pyredisson.protocol.delayed.batches import Batch, BatchResult, Fate
from pyredisson.protocol.delayed.delayed_queue import DelayedQueueProtocol
from pyredisson.protocol.delayed.entry import WireFormat
from pyredisson.protocol.delayed.offer_packer import OfferPacker
from pyredisson.protocol.kernel.command import Operation
from pyredisson.server_errors import ERROR_REPLIES, LOST, NoScriptError, ServerError

_UNDER_WAY = 2
"""Chunks: the server stores one while the next is made. What is durable goes one by one: an error
means that nothing else is under way, and the connection waits for the confirmation anyway."""


class AsyncBatchSender:
    """Stores chunks in their order.

    Args:
        link: leads to the key's server.
        protocol: of the queue.
        run: runs an operation the long way.
        announce: tells the queue's transfer task of a due time.
        account: is told what is stored.
    """

    def __init__(
        self,
        link: AsyncLink,
        protocol: DelayedQueueProtocol[Any],
        run: Callable[[Operation[None]], Any],
        announce: Callable[[int], None],
        account: BatchResult,
    ) -> None:
        self._link = link
        self._protocol = protocol
        self._offers = OfferPacker(protocol.names)
        self._run = run
        self._announce = announce
        self._account = account
        self._wire: tuple[AsyncServer, AsyncExclusive] | None = None
        self._under_way: deque[Batch] = deque()
        self._with_text = False
        self._outstanding = False
        self._most = _UNDER_WAY if protocol.durable is None else 1
        self.unheard: NotNotifiedError | None = None
        """The first chunk that is stored and could not be announced."""
        self.unconfirmed: NotReplicatedError | None = None
        """What is stored and not confirmed."""

    async def put(self, chunk: Batch) -> None:
        """Begin to store a chunk, after those before."""
        async with AsyncInterrupts():
            await self._put(chunk)

    async def _put(self, chunk: Batch) -> None:
        if len(self._under_way) == self._most:
            await self._collect()
        if self._wire is not None and self._wire[0].demoted:
            await self._finish()
        if self._wire is None and not self._link.closed:
            with suppress(*LOST, ClosedError):
                await self._open()
        if self._wire is None:
            await self._store(chunk)
            return
        chunk.fate = Fate.UNKNOWN
        self._under_way.append(chunk)
        try:
            self._wire[1].wire.put(self._words(chunk))
        except LOST as error:
            await self._lost(error)

    async def _open(self) -> None:
        server = await self._link.topology.server(self._offers.key)
        exchange = await server.exclusive()
        if server.demoted:
            await exchange.drop()
        else:
            self._wire = server, exchange
            self._outstanding = False

    def _words(self, chunk: Batch) -> bytes:
        durable = self._protocol.durable
        behind = packed(durable._words()) if durable else b""
        if self._protocol.wire_format is WireFormat.CURRENT:
            return self._offers.many(chunk.rows, text=self._with_text) + behind
        return packed(self._protocol.offer_many(chunk.receipts).request()) + behind

    async def finish(self) -> None:
        """Wait for all that is under way."""
        async with AsyncInterrupts():
            await self._finish()

    async def _finish(self) -> None:
        while self._under_way and self._wire:
            await self._collect()
        await self._release()

    async def _collect(self) -> None:
        """Read the oldest reply; after an error reply all that are due, and store those again."""
        refused: list[Batch] = []
        while self._under_way and self._wire:
            chunk = self._under_way[0]
            try:
                reply, answer = await self._replies(self._wire[1].wire)
            except (ServerError, OSError) as error:
                await self._lost(error)
            if isinstance(reply, ERROR_REPLIES):
                self._with_text = self._with_text or isinstance(reply, NoScriptError)
                chunk.fate = Fate.UNSTORED
                refused.append(chunk)
                self._outstanding = self._protocol.durable is not None
            else:
                if self._wire[0].demoted:
                    await self._lost(connection_error("another server took over meanwhile"))
                self._account.stored(chunk)
                self._announce(chunk.earliest_ms)
                self._hear(chunk, reply, answer)
            self._under_way.popleft()
            if isinstance(answer, LOST):
                await self._lost(self.unconfirmed or answer)
            if self.unconfirmed is not None:
                raise self.unconfirmed
            if not refused:
                return
        await self._release()
        for chunk in refused:
            await self._store(chunk)

    async def _replies(self, wire: AsyncServerConnection) -> tuple[Any, Any]:
        """Read a chunk's reply or error reply, and its confirmation or what is in its place.

        What breaks before the reply is raised: nobody knows what is stored.
        """
        durable = self._protocol.durable
        try:
            reply = await wire.wait(self._link.timeout)
        except ERROR_REPLIES as error:
            return error, None
        if durable is None:
            return reply, None
        try:
            return reply, await wire.wait(self._link.timeout + durable.seconds)
        except (ServerError, OSError) as error:
            return reply, error

    def _hear(self, chunk: Batch, refusal: Any, answer: Any) -> None:
        durable = self._protocol.durable
        if refusal is None and durable is None:
            return
        try:
            replies = refusal if durable is None else (refusal, answer)
            self._protocol.offer_many(chunk.receipts).decode(replies)
        except NotNotifiedError as error:
            if not self._link.lacking.notification(error):
                self.unheard = self.unheard or error
        except NotReplicatedError as error:
            self.unconfirmed = error

    async def _store(self, chunk: Batch) -> None:
        """Store a chunk the long way."""
        chunk.fate = Fate.UNKNOWN
        try:
            await self._run(self._protocol.offer_many(chunk.receipts))
        except NotNotifiedError as error:
            self.unheard = self.unheard or error
        except NotReplicatedError as error:
            self._account.stored(chunk)
            self.unconfirmed = error
            raise
        except UncertainOfferError as error:
            raise error.__cause__ or error from None
        except Exception:
            chunk.fate = Fate.UNSTORED
            raise
        finally:
            self._announce(chunk.earliest_ms)
        self._account.stored(chunk)

    async def _lost(self, error: Exception) -> NoReturn:
        """What is under way may be stored or not."""
        wire, self._wire = self._wire, None
        if wire is not None:
            await wire[1].drop()
            await self._link.topology.lost(wire[0])
        raise error

    async def _release(self) -> None:
        wire, self._wire = self._wire, None
        if wire is not None:
            await (wire[1].drop() if self._outstanding else wire[1].done())

    async def leave(self) -> None:
        """Give up what is under way."""
        for chunk in self._under_way:
            self._announce(chunk.earliest_ms)
        if self._wire is not None:
            await self._wire[1].drop()
