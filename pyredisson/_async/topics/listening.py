"""The listeners of topics: functions, and loops over messages.

The rule: as in Redisson, `count_listeners` and `remove_all_listeners` concern all listeners that
the client has for a name and the same kind of topic, whichever object added them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Generic, TypeVar

from pyredisson._async.context import AsyncContext
from pyredisson._async.objects.named_object import AsyncNamedObject
from pyredisson._async.topics.buffer import AsyncBuffer
from pyredisson._async.topics.messages import AsyncTopicMessages
from pyredisson._runtime.owners import next_number
from pyredisson._runtime.user_code import require_function_async
from pyredisson.codecs.base import Codec
from pyredisson.errors import DecodeError
from pyredisson.protocol.objects.encoding import require_bound
from pyredisson.protocol.topics.message import MissedMessages, TopicMessage

V = TypeVar("V")

_BUFFER = 1000


class AsyncListening(AsyncNamedObject, Generic[V]):
    """The base of topics: adds, counts and removes listeners."""

    _only_sharded = False
    _patterns = False

    def __init__(self, context: AsyncContext, name: str, codec: Codec[V]) -> None:
        self._codec = codec
        super().__init__(context, name)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._main_key!r} codec={self._codec!r}>"

    def _keys_of(self, name: str) -> dict[str, str]:
        return {}  # a channel is no key

    @property
    def _main_key(self) -> str:
        return self._redis_name

    @property
    def codec(self) -> Codec[V]:
        """The codec of the messages."""
        return self._codec

    def _key(self, number: int) -> tuple[Any, ...]:
        return ("topic", self._only_sharded, self._patterns, self._main_key, number)

    def _listeners(self) -> list[int]:
        """Return the numbers of the listeners and loops that the client has for this name."""
        self._context.ensure_running()  # a forked child forgets its parent's listeners
        mine = self._key(0)[:-1]
        works = tuple(self._context.background.work)
        return [work[-1] for work in works if isinstance(work, tuple) and work[:-1] == mine]

    def messages(
        self,
        *,
        buffer: int | None = _BUFFER,
        on_missed: Callable[[MissedMessages], Any] | None = None,
        on_undecodable: Callable[[DecodeError], Any] | None = None,
    ) -> AsyncTopicMessages[V]:
        """Return the messages that are published after the subscription, for a block and a loop.

        The subscription begins with the block, or with the first message that is requested.

        Args:
            buffer: the most messages that wait for the program. A full buffer drops its oldest
                message. None sets no limit.
            on_missed: called before the next message if the buffer dropped messages before it, or
                if messages may be missing because the subscription was interrupted. A warning is
                logged after an interruption, and when a buffer is full for the first time since it
                was empty.
            on_undecodable: called with the error of a message that cannot be decoded; the error has
                the raw bytes. None logs the error.
        """
        return self._messages(next_number(), buffer, on_missed, on_undecodable)

    def _messages(
        self,
        number: int,
        buffer: int | None,
        on_missed: Callable[[MissedMessages], Any] | None,
        on_undecodable: Callable[[DecodeError], Any] | None,
    ) -> AsyncTopicMessages[V]:
        make = partial(
            AsyncBuffer,
            self._main_key,
            require_bound(buffer, "buffer"),
            only_sharded=self._only_sharded,
            patterns=self._patterns,
        )
        return AsyncTopicMessages(
            self._key(number),
            make,
            self._context,
            self._main_key,
            self._codec,
            on_missed=on_missed,
            on_undecodable=on_undecodable,
        )

    async def add_listener(
        self,
        listener: Callable[[TopicMessage[V]], Any],
        *,
        buffer: int | None = _BUFFER,
        on_missed: Callable[[MissedMessages], Any] | None = None,
        on_undecodable: Callable[[DecodeError], Any] | None = None,
    ) -> int:
        """Call a function with each message from now on, in one thread or task for this listener.

        Args:
            listener: the function; with asyncio it may be a coroutine function. Its errors are
                logged.
            buffer: the most messages that wait for the function. A full buffer drops its oldest
                message. None sets no limit.
            on_missed: called as for `messages`.
            on_undecodable: called as for `messages`.

        Returns:
            A number for `remove_listener`.

        Raises:
            ServerError: the server rejected the subscription, or did not confirm it in time. The
                listener is not added.
            ClosedError: the client is closed.
        """
        require_function_async(listener, "listener")
        number: int = next_number()
        messages = self._messages(number, buffer, on_missed, on_undecodable)
        await messages.subscribe()
        body = partial(messages.deliver, listener)
        self._link.life.begin(body, f"pyredisson listener of {self.name}")
        return number

    async def remove_listener(self, *numbers: int) -> None:
        """Remove listeners by the numbers that `add_listener` returned.

        A call that is under way is not interrupted.
        """
        for number in numbers:
            work = self._context.background.work.get(self._key(number))
            if isinstance(work, AsyncBuffer):
                work.close()

    async def remove_all_listeners(self) -> None:
        """Remove all listeners that this client has for this name, and end its loops."""
        await self.remove_listener(*self._listeners())

    async def count_listeners(self) -> int:
        """Return the number of this client's listeners and loops over messages for this name."""
        return len(self._listeners())
