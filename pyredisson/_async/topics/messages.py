"""The messages of a topic, for a loop or for a function that is called with each message.

The rule: a subscription belongs to the process and the event loop that began it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from pyredisson._async.topics.buffer import AsyncBuffer
from pyredisson._async.topics.receiver import AsyncReceiver
from pyredisson._async.waits.slices import is_transient
from pyredisson._runtime.concurrency import monotonic
from pyredisson.protocol.kernel.due import Seconds, seconds
from pyredisson.protocol.topics.message import TopicMessage
from pyredisson.server_errors import AskError, ReplyError, ServerTimeoutError

V = TypeVar("V")

_CHECK = 0.1
"""Seconds between two checks whether a subscription was rejected."""
_LONGEST = 60.0


def _is_final(failure: Exception | None) -> bool:
    """Return whether the server rejected a subscription, so that another try is useless."""
    moved = isinstance(failure, AskError)
    return isinstance(failure, ReplyError) and not moved and not is_transient(failure)


class AsyncTopicMessages(AsyncReceiver[V]):
    """The messages that are published while this object is subscribed.

    It subscribes at the first `subscribe` or `get`. ``async with topic.messages() as messages:``
    subscribes for the block, and ``async for message in messages:`` takes each message.
    Only one task or thread at a time may take messages.

    Args:
        key: identifies the background work.
        make: makes the buffer, from the arguments `abandoned` and `release`.
        arguments: the arguments of `AsyncReceiver`.
    """

    def __init__(
        self, key: tuple[Any, ...], make: Callable[..., AsyncBuffer], *arguments: Any, **others: Any
    ) -> None:
        super().__init__(*arguments, **others)
        self._key = key
        release = partial(self._context.background.release, key)
        self._buffer = make(abandoned=self._dropped, release=release)

    @property
    def closed(self) -> bool:
        """Whether the subscription has ended."""
        return self._buffer.closed

    async def _begin(self) -> None:
        self._context.background.acquire(self._key, lambda: self._buffer)
        try:
            await self._confirmed()
        except BaseException:
            self._buffer.close()
            raise

    async def _confirmed(self) -> None:
        link, background = self._context.link, self._context.background
        deadline = monotonic() + link.timeout
        while not self._buffer.subscribed:
            failure = background.failure(self._buffer)
            if monotonic() < deadline and not _is_final(failure):
                await link.life.pause(_CHECK, self._buffer.event)
            else:
                raise failure or ServerTimeoutError(
                    f"the server did not confirm the subscription of {self._name!r} within "
                    f"{link.timeout:g} s"
                )

    async def get(self, timeout: Seconds | None = None) -> TopicMessage[V] | None:
        """Wait for the next message, as `AsyncReceiver.get` describes."""
        deadline = math.inf if timeout is None else monotonic() + seconds(timeout)
        if not self.closed:
            await self.subscribe()
        while not self.closed:
            item = self._buffer.take()
            if isinstance(item, tuple):
                message = await self._decoded(*item)
                if message is not None:
                    return message
            elif item is not None:
                await self._report(self._on_missed, item)
            elif (left := deadline - monotonic()) > 0:
                await self._context.link.life.pause(min(left, _LONGEST), self._buffer.event)
            else:
                break
        return None

    async def deliver(self, listener: Callable[[TopicMessage[V]], Any]) -> None:
        """Call a function with each message, until this is closed."""
        while not self.closed:
            message = await self.get()
            if message is not None:
                await self._report(listener, message)

    async def aclose(self) -> None:
        """End the subscription, and the loop over the messages."""
        self._buffer.close()
