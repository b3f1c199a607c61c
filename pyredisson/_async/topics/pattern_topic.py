"""RPatternTopic: listens to all topics whose names match a pattern."""

from __future__ import annotations

from typing import TypeVar

from pyredisson._async.topics.listening import AsyncListening
from pyredisson.protocol.topics.topic import active_topics

V = TypeVar("V")


class AsyncPatternTopic(AsyncListening[V]):
    """The topics that match a pattern of Redis, such as ``news.*``; Java's RPatternTopic.

    `TopicMessage.channel` is the name of the topic that a message was published to.
    """

    _kind = "a pattern topic"
    _patterns = True

    async def get_pattern_names(self) -> list[str]:
        """Return a list with the pattern in Redis only (RPatternTopic.getPatternNames)."""
        return [self._main_key]

    async def get_active_topics(self) -> list[str]:
        """Return the matching channels that have subscribers (RPatternTopic.getActiveTopics).

        In a cluster, it asks all masters, and no replicas.
        """
        command = active_topics(self._main_key)
        if not self._link.topology.clustered:
            return await self._run(command)
        await self._ready()
        servers = await self._link.topology.masters()
        found = [command.decode(await each.call(*command.request())) for each in servers]
        return sorted({name for names in found for name in names})
