"""The factories of topics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, overload

from pyredisson._async.factories.objects import AsyncFactories
from pyredisson.codecs.base import Codec
from pyredisson.protocol.delayed.entry import WireFormat

if TYPE_CHECKING:
    from pyredisson._async.topics.pattern_topic import AsyncPatternTopic
    from pyredisson._async.topics.reliable_topic import AsyncReliableTopic
    from pyredisson._async.topics.topic import AsyncShardedTopic, AsyncTopic

V = TypeVar("V")


class AsyncTopicFactories(AsyncFactories):
    """The factories of RTopic, RShardedTopic, RPatternTopic and RReliableTopic.

    Each method takes the name of the topic, or the pattern, and the codec of the messages. If the
    codec is None, the client's codec is used.
    """

    @overload
    def get_topic(self, name: str, codec: Codec[V]) -> AsyncTopic[V]: ...

    @overload
    def get_topic(self, name: str, codec: None = None) -> AsyncTopic[Any]: ...

    def get_topic(self, name: str, codec: Codec[Any] | None = None) -> AsyncTopic[Any]:
        """Return a topic, Redisson's RTopic. Its messages reach all nodes of a cluster."""
        from pyredisson._async.topics.topic import AsyncTopic  # noqa: PLC0415 - seldom

        return self._objects.make(AsyncTopic, name, codec)

    @overload
    def get_sharded_topic(self, name: str, codec: Codec[V]) -> AsyncShardedTopic[V]: ...

    @overload
    def get_sharded_topic(self, name: str, codec: None = None) -> AsyncShardedTopic[Any]: ...

    def get_sharded_topic(
        self, name: str, codec: Codec[Any] | None = None
    ) -> AsyncShardedTopic[Any]:
        """Return a topic that one node of a cluster serves, Redisson's RShardedTopic (Redis 7)."""
        from pyredisson._async.topics.topic import AsyncShardedTopic  # noqa: PLC0415 - seldom

        return self._objects.make(AsyncShardedTopic, name, codec)

    @overload
    def get_pattern_topic(self, pattern: str, codec: Codec[V]) -> AsyncPatternTopic[V]: ...

    @overload
    def get_pattern_topic(self, pattern: str, codec: None = None) -> AsyncPatternTopic[Any]: ...

    def get_pattern_topic(
        self, pattern: str, codec: Codec[Any] | None = None
    ) -> AsyncPatternTopic[Any]:
        """Return an object that listens to all topics of a pattern, Redisson's RPatternTopic."""
        from pyredisson._async.topics.pattern_topic import AsyncPatternTopic  # noqa: PLC0415 - seldom

        return self._objects.make(AsyncPatternTopic, pattern, codec)

    @overload
    def get_reliable_topic(self, name: str, codec: Codec[V]) -> AsyncReliableTopic[V]: ...

    @overload
    def get_reliable_topic(self, name: str, codec: None = None) -> AsyncReliableTopic[Any]: ...

    def get_reliable_topic(
        self, name: str, codec: Codec[Any] | None = None
    ) -> AsyncReliableTopic[Any]:
        """Return a topic whose messages are stored, Redisson's RReliableTopic of 3.21.1 and newer.

        Raises:
            ValueError: the client writes for an older release, whose topics have another layout.
        """
        from pyredisson._async.topics.reliable_topic import AsyncReliableTopic  # noqa: PLC0415 - seldom

        if self._objects.context.wire_format is not WireFormat.CURRENT:
            raise ValueError(
                f"reliable topic {name!r}: Redisson 3.21.0 and older store it in another way, and "
                "would lose messages beside newer ones; use a queue until all services have 3.21.1"
            )
        return self._objects.make(AsyncReliableTopic, name, codec)
