"""RDelayedQueue: items that wait for their time, then go to the queue that consumers read."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable, Iterable
from datetime import datetime
from typing import Any, Generic, TypeVar, overload

from pyredisson._async.context import AsyncContext
from pyredisson._async.handle import AsyncHandle
from pyredisson._async.queue import AsyncQueue
from pyredisson._compat import AsyncCollection, monotonic
from pyredisson.codecs.base import Codec
from pyredisson.errors import EmptyQueueError
from pyredisson.protocol.delayed_queue import DelayedQueueProtocol, Receipt
from pyredisson.protocol.due import Seconds, due_ms
from pyredisson.protocol.keys import KeysProtocol
from pyredisson.protocol.member import WireFormat
from pyredisson.protocol.names import QueueNames, require_one_slot
from pyredisson.protocol.queue import whole

V = TypeVar("V")

_PAGE = 500
_NOTHING = object()


def _receipt(given: Receipt) -> Receipt:
    if not isinstance(given, Receipt):
        raise TypeError(f"takes a receipt as offer() returns it, not {given!r}")
    return given


class AsyncDelayedQueue(AsyncHandle, AsyncCollection, Generic[V]):
    """The pending items of a queue, which Java sees as RDelayedQueue.

    `poll`, `peek`, `size`, `read_all`, `contains`, `remove` and iteration are
    about what is *pending*, in the order of the offers, due or not.  What is
    due is taken from the target queue.
    """

    def __init__(
        self,
        context: AsyncContext,
        target: AsyncQueue[V],
        *,
        transfer: bool,
        wire_format: WireFormat,
    ) -> None:
        names = self._named(context, target.name)
        super().__init__(context, target.name, self._types_of(names))
        self._target = target
        self._protocol = DelayedQueueProtocol(names, target.codec, wire_format)
        self._transfers = transfer
        if transfer:
            context.transfers.acquire(names)

    @staticmethod
    def _named(context: AsyncContext, name: str) -> QueueNames:
        names = QueueNames.of(context.mapper.map(name))
        if context.link.topology.clustered:
            require_one_slot(names.keys())
        return names

    @staticmethod
    def _types_of(names: QueueNames) -> dict[str, str]:
        return {names.timeout_set: "zset", names.delay_list: "list", names.name: "list"}

    def __repr__(self) -> str:
        state = "transferring" if self._transfers else "not transferring"
        return (
            f"<{type(self).__name__} {self._protocol.names.name!r} "
            f"codec={self._protocol.codec!r} {state}>"
        )

    @property
    def codec(self) -> Codec[V]:
        """How values are spelled: as in the target queue."""
        return self._protocol.codec

    @property
    def target(self) -> AsyncQueue[V]:
        """The queue to which due items go."""
        return self._target

    def _keys(self) -> KeysProtocol:
        names = self._protocol.names
        return KeysProtocol((names.delay_list, names.timeout_set))

    def _targets(self, new_name: str) -> tuple[str, ...]:
        names = self._named(self._context, new_name)
        return (names.delay_list, names.timeout_set)

    async def _renamed(self, new_name: str) -> None:
        transferring = self._transfers
        self.destroy()
        self._name = new_name
        names = self._named(self._context, new_name)
        self._protocol = DelayedQueueProtocol(names, self.codec, self._protocol.wire_format)
        self._types = self._types_of(names)
        self._target = type(self._target)(self._context, new_name, self.codec)
        self._transfers = transferring
        if transferring:
            self._context.transfers.acquire(names)

    # -------------------------------------------------------------- offering

    async def offer(
        self, value: V, delay: Seconds | None = None, *, at: datetime | None = None
    ) -> Receipt:
        """Store a value that reaches the target queue when it is due.

        Args:
            value: what the codec can spell.
            delay: from now on, by the server's clock; seconds or a timedelta.
            at: instead of a delay the moment, an aware datetime; due at once if it is past.

        Returns:
            A receipt for `offer_again` and `cancel`.

        Raises:
            EncodeError, TypeError, ValueError: before anything was sent.
            UncertainOfferError: no reply came; the item may be stored.
            NotNotifiedError: the item is stored, the notification was refused.
        """
        due_ms(delay, at, 0)
        data = self.codec.encode(value)
        now = 0.0
        if at is None:
            clock = await self._link.clock(self._protocol.names.name)
            now = clock.latest_ms(monotonic())
        receipt = self._protocol.receipt(data, due_ms(delay, at, now), os.urandom(8))
        await self._store(receipt)
        return receipt

    async def offer_again(self, receipt: Receipt) -> None:
        """Make sure that an offered item is there once, as long as it is pending.

        An item that has been delivered (or removed) in the meantime is stored
        again: its receipt cannot tell that from a lost offer.

        Raises:
            ValueError: the receipt is another queue's.
        """
        if _receipt(receipt).queue != self._protocol.names.name:
            raise ValueError(
                f"the receipt is of queue {receipt.queue!r}, not of {self._protocol.names.name!r}"
            )
        await self._store(receipt)

    async def _store(self, receipt: Receipt) -> None:
        try:
            await self._run(self._protocol.offer(receipt))
        finally:  # also when it may be stored, or nobody else was told
            self._context.transfers.announced(self._protocol.names, receipt.due_ms)

    async def cancel(self, receipt: Receipt) -> bool:
        """Remove exactly the item of a receipt; False when it is not pending any more."""
        return await self._run(self._protocol.remove_member(_receipt(receipt).member, -1))

    # -------------------------------------------------------------- taking what is pending

    @overload
    async def poll(self) -> V | None: ...

    @overload
    async def poll(self, limit: int) -> list[V]: ...

    async def poll(self, limit: int | None = None) -> V | list[V] | None:
        """Take the oldest pending value, due or not, None without one; or up to `limit`."""
        if limit is None:
            return await self._run(self._protocol.poll())
        if whole(limit) <= 0:
            return []
        return await self._run(self._protocol.poll_many(limit))

    @overload
    async def remove(self) -> V: ...

    @overload
    async def remove(self, value: V) -> bool: ...

    async def remove(self, value: Any = _NOTHING) -> V | bool:
        """Take the oldest pending value, or remove one pending item by value.

        Raises:
            EmptyQueueError: `remove()` when nothing is pending.
        """
        if value is _NOTHING:
            return self._required(await self.poll())
        return await self._run(self._protocol.remove(value))

    def _required(self, value: V | None) -> V:
        if value is None:
            raise EmptyQueueError(f"nothing is pending in {self._protocol.names.delay_list!r}")
        return value

    async def remove_all(self, values: Iterable[V]) -> bool:
        """Remove all pending items of any of the values; True when there was one."""
        wanted = list(values)
        return bool(wanted) and await self._run(self._protocol.remove_all(wanted))

    async def retain_all(self, values: Iterable[V]) -> bool:
        """Remove all pending items of other values; they are not delivered (in Java they are)."""
        kept = list(values)
        return await (self._run(self._protocol.retain_all(kept)) if kept else self.delete())

    async def remove_if(self, predicate: Callable[[V], bool]) -> bool:
        """Remove the pending items whose value fulfils a predicate; True when there was one."""
        start, any_removed = 0, False
        while True:
            page = await self._run(self._protocol.members(start, start + _PAGE - 1))
            removed = 0
            for member in page:
                if predicate(self._protocol.value_of(member)):
                    removed += await self._run(self._protocol.remove_member(member))
            any_removed = any_removed or removed > 0
            if len(page) < _PAGE:
                return any_removed
            start += _PAGE - removed

    async def poll_last_and_offer_first_to(self, target: str) -> V | None:
        """Take the newest pending value to the head of another queue; None without one."""
        name = self._context.mapper.map(target)
        return await self._run(self._protocol.poll_last_and_offer_first_to(name))

    async def clear(self) -> None:
        """Remove all that is pending; the target queue stays as it is."""
        await self.delete()

    # -------------------------------------------------------------- looking at what is pending

    async def peek(self) -> V | None:
        """Return the oldest pending value and leave it; None without one."""
        return await self._run(self._protocol.peek())

    async def element(self) -> V:
        """Return the oldest pending value and leave it; EmptyQueueError without one."""
        return self._required(await self.peek())

    async def size(self) -> int:
        """Return how many items are pending."""
        return await self._run(self._protocol.size())

    async def is_empty(self) -> bool:
        """Tell whether nothing is pending."""
        return await self.size() == 0

    async def contains(self, value: V) -> bool:
        """Tell whether a value with the same bytes is pending."""
        return await self._run(self._protocol.contains(value))

    async def contains_all(self, values: Iterable[V]) -> bool:
        """Tell whether all the values are pending."""
        wanted = list(values)
        return not wanted or await self._run(self._protocol.contains_all(wanted))

    async def read_all(self) -> list[V]:
        """Return all pending values in one command; iterate instead where there may be many."""
        return await self._run(self._protocol.range(0, -1))

    async def __aiter__(self) -> AsyncIterator[V]:
        """Iterate over the pending values in pages, so that many never block the server."""
        start = 0
        while True:
            page = await self._run(self._protocol.range(start, start + _PAGE - 1))
            for value in page:
                yield value
            if len(page) < _PAGE:
                return
            start += _PAGE

    # -------------------------------------------------------------- the handle

    def destroy(self) -> None:
        """Give up this handle's share in the transfer task; a second call does nothing.

        The task goes on while another handle of this client needs it, and no
        item is touched.
        """
        if self._transfers:
            self._transfers = False
            self._context.transfers.release(self._protocol.names)
