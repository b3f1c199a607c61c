"""Sends the batches of `offer_many` on a connection of its own, at most two batches in flight.

Without such a connection, or after an error reply, the sender stores the batch on the slow path,
`AsyncLink.request`. After an error reply nothing of the batch is stored. After a lost reply it is
not known whether the batch is stored. The rule: after the sender has noticed that a batch failed,
or that `durable` did not confirm a batch, it sends no other batch.
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
from pyredisson.errors import (
    ClosedError,
    NotNotifiedError,
    NotReplicatedError,
    UncertainOfferError,
)
from pyredisson.protocol.delayed.batches import Batch, BatchResult, BatchState
from pyredisson.protocol.delayed.delayed_queue import DelayedQueueProtocol
from pyredisson.protocol.delayed.entry import WireFormat
from pyredisson.protocol.delayed.offer_packer import OfferPacker
from pyredisson.protocol.kernel.command import Arg, Operation
from pyredisson.server_errors import ERROR_REPLIES, LOST, ServerError

_IN_FLIGHT = 2
"""The most batches in flight: the server stores one while the client makes the next one. With
`durable` it is 1, so that no other batch is stored after an unconfirmed one. Two would not be
faster, because the connection waits for each confirmation."""


class AsyncBatchSender:
    """Sends batches in their order; a rejected batch is stored after the other batch in flight.

    Args:
        link: finds the key's server.
        protocol: the queue's operations.
        run: runs an operation on the slow path.
        announce: notifies the queue's transfer task of a due time.
        result: records each batch that is stored.
    """

    def __init__(
        self,
        link: AsyncLink,
        protocol: DelayedQueueProtocol[Any],
        run: Callable[[Operation[None]], Any],
        announce: Callable[[int], None],
        result: BatchResult,
    ) -> None:
        self._link = link
        self._protocol = protocol
        self._offers = OfferPacker(protocol.names)
        self._run = run
        self._announce = announce
        self._result = result
        self._place: tuple[AsyncServer, AsyncExclusive] | None = None
        self._in_flight: deque[Batch] = deque()
        self._outstanding = False
        self._most = _IN_FLIGHT if protocol.durable is None else 1
        self.not_notified: NotNotifiedError | None = None
        """The error of the first batch that was stored without a notification."""
        self.unconfirmed: NotReplicatedError | None = None
        """The error of the batch that was stored without confirmation."""

    async def put(self, batch: Batch) -> None:
        """Send a batch after the earlier ones.

        A later call of `put` or `finish` reads the reply; on the slow path, this call does.
        """
        async with AsyncInterrupts():
            await self._put(batch)

    async def _put(self, batch: Batch) -> None:
        if len(self._in_flight) == self._most:
            await self._collect()
        if self._place is not None and self._place[0].demoted:
            await self._finish()
        if self._place is None and not self._link.closed:
            with suppress(*LOST, ClosedError):
                await self._open()
        if self._place is None:
            await self._store(batch)
            return
        batch.fate = BatchState.UNKNOWN
        self._in_flight.append(batch)
        try:
            self._place[1].conn.put_all(self._requests(batch))
        except LOST as error:
            await self._lost(error)

    async def _open(self) -> None:
        server = await self._link.topology.server(self._offers.key)
        exchange = await server.exclusive()
        if server.demoted:
            await exchange.drop()
        else:
            self._place = server, exchange
            self._outstanding = False

    def _requests(self, batch: Batch) -> list[bytes | tuple[Arg, ...]]:
        durable = self._protocol.durable
        behind = [] if durable is None else [durable._words()]
        if self._protocol.wire_format is WireFormat.CURRENT:
            return [self._offers.many(batch.rows), *behind]
        return [self._protocol.offer_many(batch.receipts).request(), *behind]

    async def finish(self) -> None:
        """Wait for all batches in flight, and release the connection."""
        async with AsyncInterrupts():
            await self._finish()

    async def _finish(self) -> None:
        while self._in_flight and self._place:
            await self._collect()
        await self._release()

    async def _collect(self) -> None:
        """Read the reply of the oldest batch.

        After an error reply, read all other replies, too. Then store the rejected batches on the
        slow path.
        """
        rejected: list[Batch] = []
        while self._in_flight and self._place:
            batch = self._in_flight[0]
            try:
                reply, answer = await self._replies(self._place[1].conn)
            except (ServerError, OSError) as error:
                await self._lost(error)
            if isinstance(reply, ERROR_REPLIES):
                batch.fate = BatchState.UNSTORED
                rejected.append(batch)
                self._outstanding = self._protocol.durable is not None
            else:
                if (lost := self._place[0].taken_over()) is not None:
                    await self._lost(lost)
                self._result.stored(batch)
                self._announce(batch.earliest_ms)
                self._read_replies(batch, reply, answer)
            self._in_flight.popleft()
            if isinstance(answer, LOST):
                await self._lost(self.unconfirmed or answer)
            if self.unconfirmed is not None:
                raise self.unconfirmed
            if not rejected:
                return
        await self._release()
        for batch in rejected:
            await self._store(batch)

    async def _replies(self, conn: AsyncServerConnection) -> tuple[Any, Any]:
        """Return the reply to a batch, which may be an error reply, and the confirmation.

        If the confirmation cannot be read, return the error instead of the confirmation. After an
        error reply, and without `durable`, the confirmation is None. If the reply to the batch
        cannot be read, the error is raised, and the batch may be stored.
        """
        durable = self._protocol.durable
        try:
            reply = await conn.wait(self._link.timeout)
        except ERROR_REPLIES as error:
            return error, None
        if durable is None:
            return reply, None
        try:
            return reply, await conn.wait(self._link.timeout + durable.seconds)
        except (ServerError, OSError) as error:
            return reply, error

    def _read_replies(self, batch: Batch, reply: Any, answer: Any) -> None:
        durable = self._protocol.durable
        if reply is None and durable is None:
            return
        try:
            replies = reply if durable is None else (reply, answer)
            self._protocol.offer_many(batch.receipts).decode(replies)
        except NotNotifiedError as error:
            if not self._link.rejections.note_notification(error):
                self.not_notified = self.not_notified or error
        except NotReplicatedError as error:
            self.unconfirmed = error

    async def _store(self, batch: Batch) -> None:
        """Store a batch on the slow path."""
        batch.fate = BatchState.UNKNOWN
        try:
            await self._run(self._protocol.offer_many(batch.receipts))
        except NotNotifiedError as error:
            self.not_notified = self.not_notified or error
        except NotReplicatedError as error:
            self._result.stored(batch)
            self.unconfirmed = error
            raise
        except UncertainOfferError as error:
            raise error.__cause__ or error from None
        except Exception:
            batch.fate = BatchState.UNSTORED
            raise
        finally:
            self._announce(batch.earliest_ms)
        self._result.stored(batch)

    async def _lost(self, error: Exception) -> NoReturn:
        """Drop the connection and raise the error; the batches in flight may be stored."""
        place, self._place = self._place, None
        if place is not None:
            await place[1].drop()
            await self._link.topology.lost(place[0])
        raise error

    async def _release(self) -> None:
        place, self._place = self._place, None
        if place is not None:
            await (place[1].drop() if self._outstanding else place[1].done())

    async def leave(self) -> None:
        """Drop the connection; announce the batches in flight, because they may be stored."""
        for batch in self._in_flight:
            self._announce(batch.earliest_ms)
        if self._place is not None:
            await self._place[1].drop()
