"""The messages of a reliable topic: each stays in Redis until its subscriber has handled it.

The rule: the position in Redis moves after a message was handled. So after a crash, the last
message may be delivered again.
"""

from __future__ import annotations

import logging
import math
from collections import deque
from collections.abc import Callable
from functools import partial
from types import TracebackType
from typing import Any, TypeVar

from pyredisson._async.topics.receiver import AsyncReceiver
from pyredisson._async.topics.subscriber import AsyncSubscriber
from pyredisson._async.waits.slices import is_waitable, wait_for_async
from pyredisson._runtime.concurrency import monotonic, surroundings_async
from pyredisson.errors import ClosedError
from pyredisson.protocol.kernel.backoff import Pauses
from pyredisson.protocol.kernel.command import Operation
from pyredisson.protocol.kernel.due import Seconds, seconds
from pyredisson.protocol.kernel.log_fields import about
from pyredisson.protocol.topics.message import MissedMessages, TopicMessage
from pyredisson.protocol.topics.reliable_topic import START, Entry, ReliableTopicProtocol
from pyredisson.server_errors import ServerError

log = logging.getLogger("pyredisson")
V = TypeVar("V")

_WAIT = 1.0
"""The longest wait of one read in seconds. A close is noticed after the read."""


class AsyncReliableMessages(AsyncReceiver[V]):
    """The messages of one subscriber, beginning with the first message that it has not handled.

    ``async with topic.messages() as messages:`` and ``async for message in messages:``: a message
    counts as handled when the next one is requested, or when the block ends without an error.

    Args:
        protocol: the operations of the topic.
        run: runs an operation of the topic.
        key: identifies the background work.
        name: the subscriber's name.
        ttl: the seconds after which the subscriber expires without a renewal.
        stays: whether the subscriber stays in Redis after this object is closed.
        arguments: the arguments of `AsyncReceiver`.
    """

    def __init__(
        self,
        protocol: ReliableTopicProtocol[V],
        run: Callable[[Operation[Any]], Any],
        key: tuple[Any, ...],
        *arguments: Any,
        name: str,
        ttl: float,
        stays: bool,
        **others: Any,
    ) -> None:
        super().__init__(*arguments, **others)
        self._protocol = protocol
        self._run = run
        self._key = key
        self._stays = stays
        end = self._context.background.end
        self.subscriber = AsyncSubscriber(protocol, name, ttl, self._dropped, end)
        self._position = START
        self._read: deque[Entry] = deque()
        self._handled: str | None = None

    @property
    def closed(self) -> bool:
        """Whether the loop has ended, or was closed."""
        return self.subscriber.closed

    async def _begin(self) -> None:
        background, mine = self._context.background, self.subscriber
        if background.acquire(self._key, lambda: mine) is not mine:
            background.release(self._key)
            mine.closed = True
            raise ValueError(f"this client already has the subscriber {mine.name!r}")
        try:
            await self._join(START)
        except BaseException:
            mine.close()
            raise

    async def _join(self, start: str) -> None:
        subscriber = self.subscriber
        join = self._protocol.subscribe(subscriber.name, subscriber.ttl_ms, start)
        self._position = await self._run(join)
        subscriber.gone = False

    async def get(self, timeout: Seconds | None = None) -> TopicMessage[V] | None:
        """Note that the last message is handled, and wait for the next one.

        See `AsyncReceiver.get`. During an outage the call waits, and raises the error only at the
        end of `timeout`. It raises any other `ServerError` at once, and the next call tries again.
        """
        deadline = math.inf if timeout is None else monotonic() + seconds(timeout)
        if not self.closed:
            await self.subscribe()
        backoff = Pauses(longest=1.0)
        while not self.closed:
            left = deadline - monotonic()
            await self._fill(left, backoff)
            if self._read:
                entry = self._read.popleft()
                self._position = self._handled = entry.id
                message = await self._decoded(self._name, entry.data)
                if message is not None:
                    return message
            elif left <= 0:
                break
        return None

    async def _fill(self, left: float, backoff: Pauses) -> None:
        """Store the position, and read if no message is buffered. Pause if an error is waitable."""
        link = self._context.link
        try:
            await self._advance()
            if not self._read:
                read = partial(self._protocol.read, self._position)
                found = await wait_for_async(link, read, min(left, _WAIT))
                self._read.extend(found or ())
        except Exception as error:
            if not link.reached or not is_waitable(error) or left <= 0:
                raise
            link.wait_failed(self._name, error)
            await link.life.pause(min(backoff.pause(), left), self.subscriber.event)

    async def _advance(self) -> None:
        """Move the position in Redis past the last handled message.

        If the subscriber no longer exists, subscribe again and report it.
        """
        name = self.subscriber.name
        if self._handled is not None:
            advanced = await self._run(self._protocol.advance(name, self._handled))
            self.subscriber.gone |= not advanced
            self._handled = None
        if self.subscriber.gone and not self.closed:
            await self._join(self._position)
            log.warning(
                "messages of topic %r may be missing: subscriber %r was removed, or had expired",
                self._name,
                name,
                extra=about(self._name),
            )
            await self._report(self._on_missed, MissedMessages(self._name))

    async def deliver(self, listener: Callable[[TopicMessage[V]], Any]) -> None:
        """Call a function with each message, until this is closed; repeat a call that raised."""
        link, backoff = self._context.link, Pauses()
        while not self.closed:
            try:
                message = await self.get()
            except ClosedError:
                return
            except Exception as error:
                link.wait_failed(self._name, error, alone=not is_waitable(error))
                await link.life.pause(backoff.pause(), self.subscriber.event)
                continue
            backoff.reset()
            if message is not None:
                await self._handle(listener, message)
        await self._end()

    async def _handle(
        self, listener: Callable[[TopicMessage[V]], Any], message: TopicMessage[V]
    ) -> None:
        pauses = Pauses(1.0, 60.0)
        while not await self._report(listener, message):
            await self._context.link.life.pause(pauses.pause(), self.subscriber.event)
            if self.closed:
                self._handled = None
                return

    async def _end(self) -> None:
        """Store the position, or remove a subscriber that does not stay."""
        name = self.subscriber.name
        try:
            if self.subscriber.removed or not self._stays:
                await self._run(self._protocol.unsubscribe(name))
            elif self._handled is not None:
                await self._run(self._protocol.advance(name, self._handled))
        except (ServerError, OSError, ClosedError) as error:
            log.debug("subscriber %r of topic %r could not leave: %s", name, self._name, error)

    async def aclose(self) -> None:
        """End the loop. A subscriber that the program named stays, and can continue later.

        In a forked child this changes nothing in Redis: the subscriber is the parent's.
        """
        open_here = self._here == surroundings_async() and not self.closed
        self.subscriber.close()
        if open_here:
            await self._end()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the loop. After an error in the block, the last message counts as not handled."""
        if error is not None:
            self._handled = None
        await self.aclose()
