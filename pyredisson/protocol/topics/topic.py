"""RTopic, RShardedTopic and RPatternTopic as commands: `RedissonTopic` of 3.19.3 to 4.7.0."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

from pyredisson.codecs.base import Codec
from pyredisson.errors import UncertainError
from pyredisson.protocol.kernel.command import Command
from pyredisson.protocol.kernel.replies import number

__all__ = ["TopicProtocol", "active_topics"]

V = TypeVar("V")


def _subscribers(reply: Any) -> int:
    return int(reply[1])


def active_topics(pattern: str) -> Command[list[str]]:
    """PUBSUB CHANNELS: the channels of one server that match a pattern and have subscribers."""

    def names(reply: Any) -> list[str]:
        return [bytes(each).decode("utf-8", "replace") for each in reply]

    return Command(("PUBSUB", "CHANNELS", pattern), names, pattern, safe=True)


@dataclass(frozen=True, slots=True)
class TopicProtocol(Generic[V]):
    """The operations of one topic.

    Attributes:
        name: the mapped name, which is the channel.
        codec: encodes messages.
        sharded: whether the topic is an RShardedTopic.
    """

    name: str
    codec: Codec[V]
    sharded: bool = False

    def publish(self, message: V) -> Command[int]:
        """PUBLISH or SPUBLISH: return how many connections of the server received the message."""
        word = "SPUBLISH" if self.sharded else "PUBLISH"
        words = (word, self.name, self.codec.encode(message))
        return Command(words, number, self.name, lost=partial(UncertainError, "publish", self.name))

    def count_subscribers(self) -> Command[int]:
        """PUBSUB NUMSUB or SHARDNUMSUB: the number of one server's subscribed connections."""
        word = "SHARDNUMSUB" if self.sharded else "NUMSUB"
        return Command(("PUBSUB", word, self.name), _subscribers, self.name, safe=True)
