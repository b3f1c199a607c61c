"""Topics without Java: listeners, loops, missed messages, and subscriptions on the server."""

import logging
from collections.abc import AsyncIterator, Callable
from importlib import import_module
from typing import Any

import pytest
import redis
import redis.asyncio

from pyredisson import (
    AsyncRedisson,
    AsyncTopic,
    ClosedError,
    DecodeError,
    MissedMessages,
    ServerTimeoutError,
    TopicMessage,
)
from pyredisson.codecs import LongCodec, StringCodec
from pyredisson.server_errors import NoPermissionError
from tests.support.server import RedisServer
from tests.support.topology import RedisCluster
from tests.support.twins import AsyncStarted, until_async

GETTERS = ("get_topic", "get_sharded_topic")


@pytest.fixture
def topic(redisson: AsyncRedisson) -> AsyncTopic[str]:
    return redisson.get_topic("news")


@pytest.fixture
async def other(url: str) -> AsyncIterator[AsyncRedisson]:
    """Another client."""
    async with AsyncRedisson.from_url(url, codec=StringCodec()) as redisson:
        yield redisson


def kill_subscriptions(raw: Any) -> None:
    assert raw.execute_command("CLIENT", "KILL", "TYPE", "pubsub")


@pytest.mark.parametrize("getter", GETTERS)
async def test_listeners_share_subscription(
    redisson: AsyncRedisson, other: AsyncRedisson, getter: str
) -> None:
    """Each listener gets each message. The subscription ends with the last listener."""
    topic: AsyncTopic[str] = getattr(redisson, getter)("news")
    theirs: AsyncTopic[str] = getattr(other, getter)("news")
    assert await topic.publish("nobody listens") == 0
    first: list[TopicMessage[str]] = []
    second: list[TopicMessage[str]] = []
    numbers = [await topic.add_listener(first.append), await topic.add_listener(second.append)]
    assert await theirs.publish("a") == 1
    assert await topic.publish("b") == 1
    expected = [TopicMessage("news", "a"), TopicMessage("news", "b")]
    await until_async(lambda: first == second == expected, "both receive both")
    assert await topic.count_listeners() == 2
    assert await theirs.count_listeners() == 0
    assert await theirs.count_subscribers() == 1
    await topic.remove_listener(numbers[0], 10**9)
    assert await topic.publish("c") == 1
    await until_async(lambda: len(second) == 3, "the other one receives it")
    assert len(first) == 2
    await getattr(redisson, getter)("news").remove_all_listeners()
    assert await topic.count_listeners() == 0
    while await topic.count_subscribers():
        pass
    assert await topic.publish("d") == 0


async def test_topic_and_sharded_topic_are_separate(redisson: AsyncRedisson) -> None:
    """PUBLISH and SPUBLISH with one name use two channels."""
    ordinary, sharded = redisson.get_topic("news"), redisson.get_sharded_topic("news")
    async with ordinary.messages() as some, sharded.messages() as others:
        assert await ordinary.publish("a") == 1
        assert await sharded.publish("b") == 1
        assert await some.get(5) == TopicMessage("news", "a")
        assert await others.get(5) == TopicMessage("news", "b")
        assert await some.get(0) is None
        assert await others.get(0.01) is None


async def test_loop_without_block_listens(topic: AsyncTopic[str], other: AsyncRedisson) -> None:
    """A loop without a block listens from its first step. It stops when nothing refers to it."""
    got: list[str] = []

    async def loop() -> None:
        async for message in topic.messages():
            got.append(message.value)
            if message.value == "end":
                break

    running, theirs = AsyncStarted(loop), other.get_topic("news")
    while not await theirs.count_subscribers():
        pass
    for each in ("a", "b", "end"):
        await theirs.publish(each)
    await running.result()
    assert got == ["a", "b", "end"]
    while await theirs.publish("still?"):
        pass
    assert await topic.count_listeners() == 0


async def test_end_of_block_ends_its_loop(topic: AsyncTopic[str]) -> None:
    messages = topic.messages()
    assert repr(messages).endswith("of 'news', open>")
    async with messages as entered:
        assert entered is messages
        waiting = AsyncStarted(messages.get)
        await topic.publish("a")
        assert await waiting.result() == TopicMessage("news", "a")
        waiting = AsyncStarted(messages.get)
    assert await waiting.result() is None
    assert await messages.get() is None
    assert [each async for each in messages] == []
    assert messages.closed
    with pytest.raises(ClosedError, match="has ended"):
        await messages.subscribe()


async def test_listener_that_raises_gets_next_message(
    topic: AsyncTopic[str], caplog: pytest.LogCaptureFixture
) -> None:
    got: list[str] = []

    async def listener(message: TopicMessage[str]) -> None:
        got.append(message.value)
        raise KeyError(message.value)

    await topic.add_listener(listener)
    for each in ("a", "b"):
        await topic.publish(each)
    await until_async(lambda: got == ["a", "b"], "it goes on")
    await until_async(lambda: len(caplog.records) == 2, "each is logged")
    assert caplog.records[0].msg == "a listener of topic %r raised"


async def test_a_listener_that_removes_itself(topic: AsyncTopic[str]) -> None:
    got: list[str] = []
    numbers: list[int] = []

    async def listener(message: TopicMessage[str]) -> None:
        got.append(message.value)
        await topic.remove_listener(*numbers)

    numbers.append(await topic.add_listener(listener))
    for each in ("a", "b"):
        await topic.publish(each)
    await until_async(lambda: got == ["a"], "it is called")
    assert await topic.count_listeners() == 0


async def test_undecodable_message_is_reported(
    redisson: AsyncRedisson, raw: redis.Redis, caplog: pytest.LogCaptureFixture
) -> None:
    topic, errors = redisson.get_topic("news", LongCodec()), list[DecodeError]()
    async with topic.messages(on_undecodable=errors.append) as some, topic.messages() as others:
        raw.publish("news", b"text")
        await topic.publish(5)
        for each in (some, others):
            assert await each.get(5) == TopicMessage("news", 5)
    assert [error.raw for error in errors] == [b"text"]
    [record] = caplog.records
    assert record.msg.startswith("a message of topic %r cannot be decoded")
    assert "b'text'" in record.getMessage()


async def test_an_interrupted_subscription_is_reported(
    topic: AsyncTopic[str], raw: redis.Redis, caplog: pytest.LogCaptureFixture
) -> None:
    missed: list[MissedMessages] = []
    async with topic.messages(on_missed=missed.append) as messages:
        await topic.publish("before")
        kill_subscriptions(raw)
        with caplog.at_level(logging.WARNING):
            await until_async(lambda: "may be missing" in caplog.text, "it is noticed")
        await topic.publish("after")
        assert await messages.get(5) == TopicMessage("news", "before")
        assert missed == [], "in the order in which it happened"
        assert await messages.get(5) == TopicMessage("news", "after")
        assert missed == [MissedMessages("news")]


async def test_slow_listener_misses_oldest_messages(
    topic: AsyncTopic[str], caplog: pytest.LogCaptureFixture
) -> None:
    """Its buffer keeps the newest messages. Another listener receives all messages."""
    missed: list[MissedMessages] = []
    async with (
        topic.messages(buffer=3, on_missed=missed.append) as slow,
        topic.messages(buffer=None) as fast,
    ):
        for number in range(10):
            await topic.publish(str(number))
        assert [(await fast.get(5)) for _ in range(10)][-1] == TopicMessage("news", "9")
        assert [await slow.get(5) for _ in range(3)] == [
            TopicMessage("news", each) for each in "789"
        ]
        assert missed == [MissedMessages("news", 7)]
        assert await slow.get(0) is None
    [record] = caplog.records
    assert "buffer of 3 messages is full" in record.getMessage()


async def test_a_slow_listener_of_an_interrupted_subscription(
    topic: AsyncTopic[str], raw: redis.Redis, caplog: pytest.LogCaptureFixture
) -> None:
    missed: list[MissedMessages] = []
    async with topic.messages(buffer=1, on_missed=missed.append) as messages:
        kill_subscriptions(raw)
        await until_async(lambda: "may be missing" in caplog.text, "it is noticed")
        await topic.publish("a")
        assert await messages.get(5) == TopicMessage("news", "a")
        assert missed == [MissedMessages("news")]


async def test_pattern_topic_receives_matching_channels(
    redisson: AsyncRedisson, other: AsyncRedisson
) -> None:
    pattern, got = redisson.get_pattern_topic("news.*"), list[TopicMessage[str]]()
    number = await pattern.add_listener(got.append)
    async with pattern.messages() as messages:
        assert await other.get_topic("news.a").publish("1") == 1
        await other.get_topic("sports.a").publish("2")
        await other.get_topic("news.b").publish("3")
        assert await messages.get(5) == TopicMessage("news.a", "1")
        assert await messages.get(5) == TopicMessage("news.b", "3")
    await until_async(lambda: len(got) == 2, "it receives them, too")
    assert await pattern.get_pattern_names() == ["news.*"]
    async with other.get_topic("news.a").messages():
        assert await pattern.get_active_topics() == ["news.a"]
    await pattern.remove_listener(number)
    while await other.get_topic("news.a").publish("4"):
        pass


async def test_a_pattern_whose_subscription_is_interrupted(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    missed: list[MissedMessages] = []
    async with redisson.get_pattern_topic("n*").messages(on_missed=missed.append) as messages:
        kill_subscriptions(raw)
        waiting = AsyncStarted(messages.get)
        await until_async(lambda: missed == [MissedMessages("n*")], "it is noticed")
        await redisson.get_topic("news").publish("after")
        assert await waiting.result() == TopicMessage("news", "after")


async def test_names_and_codec_of_topic(
    redisson: AsyncRedisson, topic: AsyncTopic[str], raw: redis.Redis
) -> None:
    assert await topic.get_channel_names() == ["news"]
    assert isinstance(topic.codec, StringCodec)
    assert "'news'" in repr(topic)
    raw.hset("news", "f", "v")
    assert await topic.publish("a channel is no key") == 0


async def test_arguments_that_are_rejected(topic: AsyncTopic[str]) -> None:
    with pytest.raises(TypeError, match="the listener must be a function"):
        await topic.add_listener(5)  # type: ignore[arg-type]  # on purpose
    with pytest.raises(TypeError, match="the on_missed must be a function"):
        topic.messages(on_missed=5)  # type: ignore[arg-type]  # on purpose
    with pytest.raises(ValueError, match="buffer must be at least 1"):
        topic.messages(buffer=0)
    assert await topic.count_listeners() == 0


async def test_closed_client_ends_its_topics(url: str) -> None:
    redisson = AsyncRedisson.from_url(url, codec=StringCodec())
    topic = redisson.get_topic("news")
    await topic.add_listener(print)
    messages = topic.messages()
    await messages.subscribe()
    waiting = AsyncStarted(messages.get)
    await redisson.aclose()
    with pytest.raises(ClosedError):
        await waiting.result()
    with pytest.raises(ClosedError):
        await topic.add_listener(print)
    with pytest.raises(ClosedError):
        await topic.publish("a")


@pytest.mark.parametrize("getter", [*GETTERS, "get_pattern_topic"])
async def test_forbidden_channel_does_not_disturb_others(
    login: Callable[..., AsyncRedisson],
    root: Any,
    getter: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A forbidden channel disturbs no other when it is added or when its permission ends.

    Its messages arrive again when the permission returns.
    """
    redisson = login("+@all", "~*", "&a", "&b", "&news", codec=StringCodec())
    channels = import_module(type(redisson).__module__.replace("client", "background.channels"))
    monkeypatch.setattr(channels, "AGAIN", 0.2)
    topics = {name: getattr(redisson, getter)(name) for name in ("a", "b", "news", "no")}
    got: list[str] = []
    for name in ("a", "b", "news"):
        await topics[name].add_listener(lambda message: got.append(message.value))
    with pytest.raises(NoPermissionError):
        await topics["no"].add_listener(print)
    publish = "SPUBLISH" if "sharded" in getter else "PUBLISH"

    async def arrive(*names: str) -> None:
        for name in names:
            await until_async(
                lambda: root.execute_command(publish, name, name) and name in got,  # noqa: B023 - called here
                f"{name} arrives",
            )

    await arrive("a", "b", "news")
    assert "SUBSCRIBE is rejected" in caplog.text
    caplog.clear()
    root.execute_command("ACL", "SETUSER", "user0", "resetchannels", "&a", "&b")
    await until_async(lambda: "SUBSCRIBE is rejected" in caplog.text, "the permission is missed")
    assert "&news" in caplog.text
    assert "&a" not in caplog.text
    got.clear()
    await arrive("a", "b")
    root.execute_command("ACL", "SETUSER", "user0", "&news")
    await arrive("news")
    assert "is allowed again" in caplog.text


async def test_a_server_that_does_not_answer(own_server: RedisServer) -> None:
    async with AsyncRedisson.from_url(own_server.url, response_timeout=0.5) as redisson:
        topic = redisson.get_topic("news", StringCodec())
        async with topic.messages():
            own_server.pause()
            try:
                with pytest.raises(ServerTimeoutError, match="did not confirm"):
                    await redisson.get_topic("sports").add_listener(print)
            finally:
                own_server.resume()
            assert await redisson.get_topic("sports").count_listeners() == 0
        async with topic.messages() as messages:
            while await messages.get(0.1) is None:
                await topic.publish("again")


@pytest.mark.parametrize("getter", GETTERS)
async def test_in_a_cluster(cluster: RedisCluster, getter: str) -> None:
    """Messages of RTopic reach all nodes. Messages of RShardedTopic reach the node of the slot."""
    client: Any = redis.asyncio.RedisCluster.from_url(cluster.url)
    async with AsyncRedisson(client, codec=StringCodec()) as redisson:
        names = [f"news {number}" for number in range(8)]
        topics: list[AsyncTopic[str]] = [getattr(redisson, getter)(name) for name in names]
        got: list[TopicMessage[str]] = []
        for topic in topics:
            await topic.add_listener(got.append)
            assert await topic.count_subscribers() == 1
        for topic in topics:
            await topic.publish("a")
        await until_async(lambda: len(got) == 8, "all arrive")
        assert sorted(each.channel for each in got) == names


async def test_patterns_in_a_cluster(cluster: RedisCluster) -> None:
    client: Any = redis.asyncio.RedisCluster.from_url(cluster.url)
    async with AsyncRedisson(client, codec=StringCodec()) as redisson:
        pattern = redisson.get_pattern_topic("news*")
        async with pattern.messages() as messages, redisson.get_topic("news 1").messages():
            assert await pattern.get_active_topics() == ["news 1"]
            for number in range(5):
                await redisson.get_topic(f"news {number}").publish("a")
                assert await messages.get(5) == TopicMessage(f"news {number}", "a")
