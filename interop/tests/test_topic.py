"""RTopic and its kinds beside Java's: the same commands, and messages in both directions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import redis

from interop.tests.conftest import Clients
from pyredisson import PatternTopic, Redisson, TopicMessage
from pyredisson.codecs import Kryo5Codec, StringCodec
from tests.support.monitor import Monitor
from tests.support.server import RedisServer
from tests.support.twins import until

RELEASES = ("4.7.0", "3.19.3")
KINDS = ("topic", "sharded_topic")


def commands(server: RedisServer, call: Callable[[], Any]) -> list[str]:
    """Return what a call executes, once all of it has reached the server."""
    with Monitor(server) as monitor:
        call()
    words = [b" ".join(each.arguments).decode() for each in monitor.commands]
    return [each for each in words if "news" in each]


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("kind", KINDS)
def test_the_same_commands(
    java_client: Clients, server: RedisServer, kind: str, release: str
) -> None:
    java = java_client(release).get(kind, "news", codec="String")
    p = "S" if kind == "sharded_topic" else ""
    with Redisson.from_url(server.url, codec=StringCodec()) as redisson:
        topic = getattr(redisson, f"get_{kind}")("news")
        added: list[Any] = []
        assert commands(server, lambda: topic.add_listener(print)) == [f"{p}SUBSCRIBE news"]
        assert commands(server, lambda: added.append(java.listen("addListener"))) == [
            f"{p}SUBSCRIBE news"
        ]
        assert commands(server, lambda: topic.publish("v")) == [f"{p}PUBLISH news v"]
        assert commands(server, lambda: java.call("publish", "v")) == [f"{p}PUBLISH news v"]
        assert topic.count_subscribers() == 2
        if (kind, release) != ("sharded_topic", "3.19.3"):  # 3.19.3 does not support it
            assert java.call("countSubscribers") == 2
        assert topic.get_channel_names() == java.call("getChannelNames") == ["news"]


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("kind", KINDS)
def test_messages_reach_both_languages(
    java_client: Clients, url: str, kind: str, release: str
) -> None:
    java = java_client(release).get(kind, "news", codec="Kryo5")
    with Redisson.from_url(url, codec=Kryo5Codec(), release=release) as redisson:
        topic = getattr(redisson, f"get_{kind}")("news")
        listener = java.listen("addListener")
        with topic.messages() as messages:
            assert topic.publish("größe") == 2
            # With two messages under way, 3.19.3 may call its listener for the second one first.
            until(lambda: listener.heard().values == ["größe"], "Java receives Python's")
            assert java.call("publish", 5) == 2
            assert messages.get(10) == TopicMessage("news", "größe")
            assert messages.get(10) == TopicMessage("news", 5)
        until(lambda: listener.heard().values == ["größe", 5], "Java receives its own")
        java.call("removeAllListeners")
        until(lambda: topic.publish("nobody") == 0, "nobody listens")


@pytest.mark.parametrize("release", RELEASES)
def test_pattern_topics_work_in_both_languages(
    java_client: Clients, url: str, release: str
) -> None:
    client = java_client(release)
    java = client.get("pattern_topic", "news.*", codec="String")
    with Redisson.from_url(url, codec=StringCodec()) as redisson:
        pattern: PatternTopic[str] = redisson.get_pattern_topic("news.*")
        listener = java.listen("addListener")
        with pattern.messages() as messages:
            assert redisson.get_topic("news.a").publish("1") == 2
            until(lambda: listener.heard().values == ["1"], "Java receives Python's")
            assert client.get("topic", "news.b", codec="String").call("publish", "2") == 2
            assert messages.get(10) == TopicMessage("news.a", "1")
            assert messages.get(10) == TopicMessage("news.b", "2")
        until(lambda: listener.heard().values == ["1", "2"], "Java receives its own")
        assert pattern.get_pattern_names() == java.call("getPatternNames") == ["news.*"]
        with redisson.get_topic("news.c").messages():
            assert pattern.get_active_topics() == ["news.c"]
            if release != "3.19.3":  # 3.19.3 does not have it
                assert java.call("getActiveTopics") == ["news.c"]


@pytest.mark.parametrize("release", RELEASES)
def test_names_are_mapped(java_client: Clients, url: str, raw: redis.Redis, release: str) -> None:
    java = java_client(release, name_prefix="app:").get("topic", "news", codec="String")
    assert java.call("getChannelNames") == ["app:news"]
    listener = java.listen("addListener")
    with Redisson.from_url(url, codec=StringCodec()) as redisson:
        assert redisson.get_topic("app:news").publish("v") == 1
    until(lambda: listener.heard().values == ["v"], "Java receives it")
