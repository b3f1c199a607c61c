"""RTopic and RShardedTopic: messages to all subscribers of that moment."""

from __future__ import annotations

from typing import TypeVar

from pyredisson._async.topics.listening import AsyncListening
from pyredisson.protocol.topics.topic import TopicProtocol

V = TypeVar("V")


class AsyncTopic(AsyncListening[V]):
    """A topic that Java sees as RTopic. Messages are not stored."""

    _kind = "a topic"

    @property
    def _protocol(self) -> TopicProtocol[V]:
        return TopicProtocol(self._main_key, self._codec, self._only_sharded)

    async def publish(self, message: V) -> int:
        """Publish a message.

        Returns:
            The number of connections that received the message; in a cluster, only the connections
            to one node.

        Raises:
            UncertainError: no reply came. The message may have been published, and is not sent
                again.
        """
        return await self._run(self._protocol.publish(message))

    async def count_subscribers(self) -> int:
        """Return the number of subscribed connections of all clients (RTopic.countSubscribers).

        In a cluster, it asks all masters, and no replicas. A sharded topic asks only the master of
        its slot.
        """
        command = self._protocol.count_subscribers()
        if self._only_sharded or not self._link.topology.clustered:
            return await self._run(command)
        await self._ready()
        servers = await self._link.topology.masters()
        return sum([command.decode(await each.call(*command.request())) for each in servers])

    async def get_channel_names(self) -> list[str]:
        """Return a list with the name in Redis only (RTopic.getChannelNames)."""
        return [self._main_key]


class AsyncShardedTopic(AsyncTopic[V]):
    """A topic that Java sees as RShardedTopic: SPUBLISH and SSUBSCRIBE, from Redis 7 on.

    In a cluster its messages go only to the node of the name's slot.
    """

    _kind = "a sharded topic"
    _only_sharded = True
