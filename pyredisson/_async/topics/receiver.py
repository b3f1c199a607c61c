"""What all loops over messages have in common: decoding, reporting, and the process they belong to.

The rule: a message that cannot be decoded does not end a loop.
"""

from __future__ import annotations

import logging
import weakref
from collections.abc import AsyncIterator, Callable
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from pyredisson._async.context import AsyncContext
from pyredisson._runtime.concurrency import surroundings_async
from pyredisson._runtime.user_code import call_async, require_function_async
from pyredisson._support.error_text import text_of
from pyredisson._support.unpicklable import Unpicklable
from pyredisson.codecs.base import Codec
from pyredisson.errors import ClosedError, DecodeError
from pyredisson.protocol.kernel.due import Seconds
from pyredisson.protocol.kernel.log_fields import about
from pyredisson.protocol.kernel.replies import readable
from pyredisson.protocol.topics.message import MissedMessages, TopicMessage

log = logging.getLogger("pyredisson")
V = TypeVar("V")


class AsyncReceiver(Unpicklable, Generic[V]):
    """The base of loops over messages.

    Args:
        context: the client's context.
        name: the topic's name in Redis, or the pattern.
        codec: decodes messages.
        on_missed: called if messages are missing, or may be missing; None only logs this.
        on_undecodable: called with the error of an undecodable message; None logs the error.
    """

    def __init__(
        self,
        context: AsyncContext,
        name: str,
        codec: Codec[V],
        *,
        on_missed: Callable[[MissedMessages], Any] | None,
        on_undecodable: Callable[[DecodeError], Any] | None,
    ) -> None:
        for function, what in ((on_missed, "on_missed"), (on_undecodable, "on_undecodable")):
            if function is not None:
                require_function_async(function, what)
        self._context = context
        self._name = name
        self._codec = codec
        self._on_missed = on_missed
        self._on_undecodable = on_undecodable
        self._here: object = None
        reference = weakref.ref(self)
        self._dropped = lambda: reference() is None
        """Returns whether the program has dropped this object, perhaps without closing it."""

    def __repr__(self) -> str:
        state = "closed" if self.closed else "open"
        return f"<{type(self).__name__} of {self._name!r}, {state}>"

    @property
    def closed(self) -> bool:
        """Whether the loop has ended, or was closed."""
        raise NotImplementedError

    async def _begin(self) -> None:
        """Begin the subscription."""
        raise NotImplementedError

    async def subscribe(self) -> None:
        """Subscribe, unless this object is subscribed. Return after the server's confirmation.

        Raises:
            ServerError: the server rejected the subscription, or did not confirm it in time. This
                object is closed then.
            ClosedError: this object is closed, or began in another process or event loop.
        """
        if self.closed:
            raise ClosedError(f"{self!r} has ended")
        if self._here is None:
            self._here = surroundings_async()
            await self._begin()
        elif self._here != surroundings_async():
            raise ClosedError(f"{self!r} belongs to another process or event loop")

    async def get(self, timeout: Seconds | None = None) -> TopicMessage[V] | None:
        """Wait for the next message.

        Args:
            timeout: the longest wait in seconds or as a timedelta; None waits for ever. 0 only
                takes a message that has arrived.

        Returns:
            The message; None if the time is over, or if this object is closed.

        Raises:
            ServerError: the first call could not subscribe.
            ClosedError: the client is closed, or this began in another process or event loop.
        """
        raise NotImplementedError

    async def aclose(self) -> None:
        """End the subscription, and the loop over the messages."""
        raise NotImplementedError

    async def _decoded(self, channel: str, data: bytes) -> TopicMessage[V] | None:
        value, error = readable(self._codec, data)
        if error is None:
            return TopicMessage(channel, value)  # type: ignore[arg-type]  # a value without error
        if self._on_undecodable is None:
            log.error(
                "a message of topic %r cannot be decoded: %s; its bytes: %r",
                channel,
                text_of(error),
                data,
                extra=about(channel),
            )
        await self._report(self._on_undecodable, error)
        return None

    async def _report(self, function: Callable[[Any], Any] | None, fact: Any) -> bool:
        """Call a function of the program, if there is one. Return False if it raised an error."""
        try:
            if function is not None:
                await call_async(function, fact)
        except Exception:
            log.exception("a listener of topic %r raised", self._name, extra=about(self._name))
            return False
        return True

    async def __aiter__(self) -> AsyncIterator[TopicMessage[V]]:
        """Iterate over the messages, until this object is closed."""
        while (message := await self.get()) is not None:
            yield message

    async def __aenter__(self) -> Self:
        """Begin the subscription."""
        await self.subscribe()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the subscription."""
        await self.aclose()
