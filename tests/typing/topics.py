"""Topics, as a user's type checker sees them."""

from typing import Any, assert_type

from pyredisson import (
    AsyncPatternTopic,
    AsyncRedisson,
    AsyncReliableMessages,
    AsyncReliableTopic,
    AsyncShardedTopic,
    AsyncTopic,
    AsyncTopicMessages,
    DecodeError,
    MissedMessages,
    PatternTopic,
    Redisson,
    ReliableMessages,
    ReliableTopic,
    ShardedTopic,
    Topic,
    TopicMessage,
    TopicMessages,
)
from pyredisson.codecs import LongCodec


def missed(what: MissedMessages) -> None:
    """A callback."""
    assert_type(what.name, str)
    assert_type(what.dropped, int)


def undecodable(error: DecodeError) -> None:
    """A callback."""
    assert_type(error.raw, bytes)


def received(message: TopicMessage[int]) -> None:
    """A listener."""
    assert_type(message.value, int)
    assert_type(message.channel, str)


def topics(client: Redisson) -> None:
    """RTopic and its kinds."""
    topic = client.get_topic("news", LongCodec())
    assert_type(topic, Topic[int])
    assert_type(client.get_topic("news"), Topic[Any])
    assert_type(client.get_sharded_topic("news", LongCodec()), ShardedTopic[int])
    pattern = client.get_pattern_topic("news.*", LongCodec())
    assert_type(pattern, PatternTopic[int])
    number = topic.add_listener(received, on_missed=missed, on_undecodable=undecodable)
    assert_type(number, int)
    topic.remove_listener(number)
    topic.remove_all_listeners()
    assert_type(topic.publish(5), int)
    assert_type(topic.count_listeners(), int)
    assert_type(topic.count_subscribers(), int)
    assert_type(topic.get_channel_names(), list[str])
    assert_type(pattern.get_pattern_names(), list[str])
    assert_type(pattern.get_active_topics(), list[str])
    with topic.messages(buffer=5) as messages:
        assert_type(messages, TopicMessages[int])
        assert_type(messages.get(timeout=5), TopicMessage[int] | None)
        for message in messages:
            assert_type(message, TopicMessage[int])
    topic.publish("text")  # type: ignore[arg-type]  # its codec is for int
    topic.add_listener(missed)  # type: ignore[arg-type]  # it gets messages


def reliable_topics(client: Redisson) -> None:
    """RReliableTopic."""
    topic = client.get_reliable_topic("news", LongCodec())
    assert_type(topic, ReliableTopic[int])
    assert_type(topic.publish(5), int)
    name = topic.add_listener(received, "billing", ttl=60, on_missed=missed)
    assert_type(name, str)
    topic.remove_listener(name)
    assert_type(topic.count_subscribers(), int)
    assert_type(topic.size(), int)
    with topic.messages("billing") as messages:
        assert_type(messages, ReliableMessages[int])
        assert_type(messages.get(timeout=5), TopicMessage[int] | None)
        for message in messages:
            assert_type(message, TopicMessage[int])


async def async_topics(client: AsyncRedisson) -> None:
    """The same with asyncio."""
    topic = client.get_topic("news", LongCodec())
    assert_type(topic, AsyncTopic[int])
    assert_type(client.get_sharded_topic("news"), AsyncShardedTopic[Any])
    assert_type(client.get_pattern_topic("news.*"), AsyncPatternTopic[Any])
    reliable = client.get_reliable_topic("news", LongCodec())
    assert_type(reliable, AsyncReliableTopic[int])
    assert_type(reliable.messages(), AsyncReliableMessages[int])
    assert_type(await reliable.add_listener(received), str)
    assert_type(await topic.publish(5), int)
    assert_type(await topic.add_listener(received), int)
    async with topic.messages() as messages:
        assert_type(messages, AsyncTopicMessages[int])
        async for message in messages:
            assert_type(message.value, int)
