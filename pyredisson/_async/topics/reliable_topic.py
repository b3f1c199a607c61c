"""RReliableTopic: messages that stay until each subscriber has handled them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Generic, TypeVar

from pyredisson._async.context import AsyncContext
from pyredisson._async.objects.expirable import AsyncExpirableObject
from pyredisson._async.topics.reliable_messages import AsyncReliableMessages
from pyredisson._async.topics.subscriber import AsyncSubscriber
from pyredisson._runtime.concurrency import random_8
from pyredisson._runtime.user_code import require_function_async
from pyredisson.codecs.base import Codec
from pyredisson.errors import DecodeError
from pyredisson.protocol.kernel.due import Seconds, positive
from pyredisson.protocol.topics.message import MissedMessages, TopicMessage
from pyredisson.protocol.topics.reliable_topic import ReliableTopicProtocol, require_subscriber

V = TypeVar("V")

_TTL = 600.0
_STOP = 10.0
"""The longest wait in seconds for a removed listener that still handles a message."""


class AsyncReliableTopic(AsyncExpirableObject, Generic[V]):
    """A topic that Java sees as RReliableTopic (3.21.1 and newer).

    Each message reaches each subscriber at least once. A message stays in Redis until all
    subscribers have handled it. Without subscribers it stays for ever.
    """

    _kind = "a reliable topic"

    def __init__(self, context: AsyncContext, name: str, codec: Codec[V]) -> None:
        self._codec = codec
        super().__init__(context, name)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._main_key!r} codec={self._codec!r}>"

    def _keys_of(self, name: str) -> dict[str, str]:
        return {name: "stream", ReliableTopicProtocol(name, self._codec).timeouts: "zset"}

    def _one_slot(self, name: str) -> Iterable[str]:
        return self._keys_of(name)

    @property
    def codec(self) -> Codec[V]:
        """The codec of the messages."""
        return self._codec

    @property
    def _protocol(self) -> ReliableTopicProtocol[V]:
        return ReliableTopicProtocol(self._main_key, self._codec)

    async def publish(self, message: V) -> int:
        """Store a message for all subscribers.

        Returns:
            The number of subscribers, of all clients.

        Raises:
            UncertainError: no reply came. The message may have been stored. It is not sent again.
            RedissonError: there are subscribers of Redisson 3.21.0 or older.
        """
        return await self._run(self._protocol.publish(message))

    def messages(
        self,
        subscriber: str | None = None,
        *,
        ttl: Seconds = _TTL,
        on_missed: Callable[[MissedMessages], Any] | None = None,
        on_undecodable: Callable[[DecodeError], Any] | None = None,
    ) -> AsyncReliableMessages[V]:
        """Return the messages of a subscriber, for a block and a loop.

        Args:
            subscriber: the subscriber's name. With the same name, another process continues after a
                crash or a restart. None makes a subscriber that is removed when the block ends, as
                in Java. A new subscriber begins with the oldest stored message.
            ttl: the subscriber's time to live, in seconds or as a timedelta. If the subscriber is
                away for longer, it is removed after another subscriber has handled a message. It
                then loses its position.
            on_missed: called if the subscriber was removed, or has expired. A warning is always
                logged.
            on_undecodable: called with the error of a message that cannot be decoded; the error has
                the raw bytes. None logs the error. In both cases, the message counts as handled.
        """
        name = require_subscriber(subscriber) or (random_8() + random_8()).hex()
        return AsyncReliableMessages(
            self._protocol,
            self._run,
            self._key(name),
            self._context,
            self._main_key,
            self._codec,
            name=name,
            ttl=positive(ttl, "ttl"),
            stays=subscriber is not None,
            on_missed=on_missed,
            on_undecodable=on_undecodable,
        )

    async def add_listener(
        self,
        listener: Callable[[TopicMessage[V]], Any],
        subscriber: str | None = None,
        *,
        ttl: Seconds = _TTL,
        on_missed: Callable[[MissedMessages], Any] | None = None,
        on_undecodable: Callable[[DecodeError], Any] | None = None,
    ) -> str:
        """Call a function with each message, in a thread or task of its own.

        If the function raises an error, the error is logged, and the function is called again with
        the same message, after pauses that grow from 1 to 60 s.

        Args:
            listener: the function; with asyncio it may be a coroutine function.
            subscriber: as for `messages`.
            ttl: as for `messages`.
            on_missed: as for `messages`.
            on_undecodable: as for `messages`.

        Returns:
            The subscriber's name, for `remove_listener`.

        Raises:
            ServerError: the server rejected the subscriber, or did not answer.
            RedissonError: there are subscribers of Redisson 3.21.0 or older.
        """
        require_function_async(listener, "listener")
        messages = self.messages(
            subscriber, ttl=ttl, on_missed=on_missed, on_undecodable=on_undecodable
        )
        await messages.subscribe()
        body = partial(messages.deliver, listener)
        job = messages.subscriber
        job.task = self._link.life.begin(body, f"pyredisson listener of {self.name}")
        return job.name

    async def remove_listener(self, *subscribers: str) -> None:
        """Remove subscribers and their positions, also those of other clients and of Java.

        If a listener of this client is handling a message, the call waits until the listener has
        handled it, at most 10 s.
        """
        self._context.ensure_running()
        for name in subscribers:
            work = self._context.background.work.get(self._key(name))
            if isinstance(work, AsyncSubscriber):
                work.removed = True
                work.close()
                if work.task is not None:
                    await work.task.wait(_STOP)
            await self._run(self._protocol.unsubscribe(name))

    async def remove_all_listeners(self) -> None:
        """Remove all subscribers of this client."""
        await self.remove_listener(*self._subscribers())

    async def count_listeners(self) -> int:
        """Return the number of this client's subscribers."""
        return len(self._subscribers())

    async def count_subscribers(self) -> int:
        """Return the number of subscribers of all clients (RReliableTopic.countSubscribers).

        Expired subscribers count until they are removed.
        """
        return await self._run(self._protocol.count_subscribers())

    async def size(self) -> int:
        """Return the number of stored messages."""
        return await self._run(self._protocol.size())

    def _key(self, subscriber: str) -> tuple[str, str, str]:
        return ("reliable topic", self._main_key, subscriber)

    def _subscribers(self) -> list[str]:
        self._context.ensure_running()  # a forked child forgets its parent's subscribers
        works = tuple(self._context.background.work)
        mine = self._key("")[:-1]
        return [work[-1] for work in works if isinstance(work, tuple) and work[:-1] == mine]
