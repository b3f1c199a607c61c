"""RReliableTopic beside Java's: one stream, subscribers of both, and nothing lost between them."""

from __future__ import annotations

import time

import pytest
import redis

from interop.tests.conftest import Clients
from pyredisson import Redisson, TopicMessage
from pyredisson.codecs import StringCodec
from tests.support.twins import start, until

RELEASES = ("4.7.0", "3.27.2")
TIMES = "{news}:timeout"


def apart() -> None:
    """Wait, so that the next message has a millisecond of its own.

    Java's trimming compares milliseconds: it leaves several messages of one millisecond in the
    stream.
    """
    time.sleep(0.01)


@pytest.mark.parametrize("release", RELEASES)
def test_reliable_messages_reach_both_languages(
    java_client: Clients, url: str, raw: redis.Redis, release: str
) -> None:
    """Each subscriber gets all messages. A message that all have handled is removed."""
    java = java_client(release).get("reliable_topic", "news", codec="String")
    with Redisson.from_url(url, codec=StringCodec()) as redisson:
        topic = redisson.get_reliable_topic("news")
        assert java.call("publish", "before") == topic.publish("us") == 0
        assert java.call("size") == topic.size() == 2
        with topic.messages("python") as messages:
            listener = java.listen("addListener")
            assert topic.publish("a") == 2
            apart()
            assert java.call("publish", "b") == 2
            assert java.call("countSubscribers") == topic.count_subscribers() == 2
            expected = ["before", "us", "a", "b"]
            got = [messages.get(20) for _ in expected]
            assert got == [TopicMessage("news", each) for each in expected]
            until(lambda: listener.heard().values == expected, "Java receives all")
            assert messages.get(0) is None
            until(lambda: raw.xlen("news") == 0, "nothing is needed any longer")
        fields = {each["name"]: each for each in raw.xinfo_groups("news")}
        assert len({each["last-delivered-id"] for each in fields.values()}) == 1
        assert {each["pending"] for each in fields.values()} == {0}
        assert sorted(fields) == sorted(raw.zrange(TIMES, 0, -1))
        java.call("removeAllListeners")
        assert topic.count_subscribers() == 1
        topic.remove_listener("python")
        assert java.call("countSubscribers") == 0
        assert java.call("delete")


@pytest.mark.parametrize("release", RELEASES)
def test_java_keeps_what_python_has_not_handled(
    java_client: Clients, url: str, raw: redis.Redis, release: str
) -> None:
    java = java_client(release).get("reliable_topic", "news", codec="String")
    with Redisson.from_url(url, codec=StringCodec()) as redisson:
        topic = redisson.get_reliable_topic("news")
        with topic.messages("python") as messages:
            listener = java.listen("addListener")
            for each in ("a", "b", "c"):
                topic.publish(each)
            assert messages.get(20) == TopicMessage("news", "a")
            until(lambda: len(listener.heard().values) == 3, "Java has all")
            apart()
            java.call("publish", "d")
            until(lambda: len(listener.heard().values) == 4, "Java has handled more")
            messages._handled = None  # as after a crash
        assert raw.xlen("news") == 4
        with topic.messages("python") as messages:
            got = [messages.get(20) for _ in range(4)]
            assert got == [TopicMessage("news", each) for each in ("a", "b", "c", "d")]
        until(lambda: raw.xlen("news") == 0, "Java has noted the last one, too")
        java.call("removeAllListeners")


@pytest.mark.parametrize("release", RELEASES)
def test_all_that_both_publish_at_once(java_client: Clients, url: str, release: str) -> None:
    java = java_client(release).get("reliable_topic", "news", codec="String")
    with Redisson.from_url(url, codec=StringCodec()) as redisson:
        topic, got = redisson.get_reliable_topic("news"), list[str]()
        listener = java.listen("addListener")
        topic.add_listener(lambda message: got.append(message.value), "python")
        ours = start(lambda: [topic.publish(f"p{number}") for number in range(100)])
        for number in range(100):
            java.call("publish", f"j{number}")
        ours.result()
        until(lambda: len(got) == 200, "Python has all")
        until(lambda: len(listener.heard().values) == 200, "Java has all")
        assert got == listener.heard().values
        apart()
        topic.publish("last")
        until(lambda: topic.size() == 0, "all is handled")
        java.call("removeAllListeners")
