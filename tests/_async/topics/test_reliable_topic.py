"""Reliable topics: each subscriber gets each message at least once, also after faults."""

import gc
import os
import signal
import subprocess
import sys
from typing import Any

import pytest
import redis
import redis.asyncio

from pyredisson import (
    AsyncRedisson,
    AsyncReliableTopic,
    ClosedError,
    DecodeError,
    KeyTypeError,
    MissedMessages,
    RedissonError,
    TopicMessage,
    UncertainError,
)
from pyredisson.codecs import LongCodec, StringCodec
from pyredisson.protocol.kernel.scripts import load
from tests.support.proxy import FaultProxy
from tests.support.server import RedisServer
from tests.support.topology import RedisCluster
from tests.support.twins import (
    AsyncStarted,
    interrupt_async,
    run_together_async,
    sleep_async,
    until_async,
)

TIMES = "{news}:timeout"


@pytest.fixture
def topic(redisson: AsyncRedisson) -> AsyncReliableTopic[str]:
    return redisson.get_reliable_topic("news")


def message(value: str) -> TopicMessage[str]:
    return TopicMessage("news", value)


async def test_each_subscriber_gets_each_message(
    topic: AsyncReliableTopic[str], raw: redis.Redis
) -> None:
    """A subscriber also gets earlier messages. A message is removed after all have handled it."""
    assert await topic.publish("a") == 0
    got: list[TopicMessage[str]] = []
    async with topic.messages() as messages:
        number = await topic.add_listener(got.append)
        assert len(number) == 32
        assert await topic.count_listeners() == await topic.count_subscribers() == 2
        assert await messages.get(5) == message("a")
        assert await topic.publish("b") == 2
        assert await messages.get(5) == message("b")
        await until_async(lambda: got == [message("a"), message("b")], "the listener, too")
        assert await messages.get(0.01) is None
        await until_async(lambda: raw.xlen("news") == 0, "all have handled all")
    assert await topic.count_subscribers() == 1
    await topic.remove_listener(number)
    assert await topic.count_subscribers() == 0
    assert raw.zcard(TIMES) == 0
    await topic.publish("c")
    assert await topic.size() == 1
    assert got == [message("a"), message("b")]


async def test_simultaneous_subscribers_get_a_name_once(
    topic: AsyncReliableTopic[str],
) -> None:
    """Exactly one of them becomes the subscriber, however close they are."""

    async def begin() -> bool:
        try:
            await topic.messages("billing").subscribe()
        except ValueError:
            return False
        return True

    for _ in range(20):
        assert sum(await run_together_async(*[begin] * 4)) == 1
        assert await topic.count_listeners() == 1
        await topic.remove_listener("billing")


async def test_dropped_subscriber_is_no_longer_renewed(
    topic: AsyncReliableTopic[str], redisson: AsyncRedisson
) -> None:
    """Another subscriber can then use the name."""
    messages = topic.messages("billing", ttl=0.3)
    await messages.subscribe()
    del messages
    gc.collect()  # an error of the first call may still refer to it
    work = redisson._context.background.work
    await until_async(lambda: not work, "its renewal ends")
    async with topic.messages("billing"):
        assert await topic.count_listeners() == 1


async def test_second_close_does_not_end_new_subscriber(
    topic: AsyncReliableTopic[str], redisson: AsyncRedisson
) -> None:
    """A second close changes nothing, although a new subscriber has the same name."""
    first = topic.messages("billing")
    await first.subscribe()
    await first.aclose()
    async with topic.messages("billing") as second:
        await first.aclose()
        assert list(redisson._context.background.work.values()) == [second.subscriber]
        assert await topic.count_listeners() == 1


async def test_named_subscriber_continues_after_restart(
    topic: AsyncReliableTopic[str], redisson: AsyncRedisson
) -> None:
    """It gets the messages that were not handled, and those that were published meanwhile."""
    async with topic.messages("billing") as messages:
        await topic.publish("a")
        await topic.publish("b")
        assert await messages.get(5) == message("a")
        assert await messages.get(5) == message("b")
        with pytest.raises(ValueError, match="already has the subscriber 'billing'"):
            await topic.messages("billing").subscribe()
        await topic.messages("billing").aclose()
        assert await topic.count_listeners() == 1, "the first one is still renewed"
        messages._handled = None  # as after a crash
    await topic.publish("c")

    async def fail() -> None:
        async with topic.messages("billing") as messages:
            assert await messages.get(5) == message("b")
            raise KeyError

    with pytest.raises(KeyError):
        await fail()
    async with topic.messages("billing") as messages:
        assert await messages.get(5) == message("b")
        assert await messages.get(5) == message("c")
    async with topic.messages("billing") as messages:
        assert await messages.get(0.01) is None
    assert await messages.get() is None
    with pytest.raises(ClosedError):
        await messages.subscribe()
    assert await redisson.get_reliable_topic("news").count_subscribers() == 1
    await topic.remove_listener("billing")
    assert await topic.count_subscribers() == 0


async def test_listener_that_raises_gets_message_again(topic: AsyncReliableTopic[str]) -> None:
    got: list[str] = []

    async def listener(each: TopicMessage[str]) -> None:
        got.append(each.value)
        if len(got) == 1:
            raise KeyError

    await topic.add_listener(listener, "billing")
    await topic.publish("a")
    await topic.publish("b")
    await until_async(lambda: got == ["a", "a", "b"], "it is called again")
    await topic.remove_all_listeners()
    assert await topic.count_listeners() == 0


async def test_removed_subscriber_reports_missed_messages(
    topic: AsyncReliableTopic[str], raw: redis.Redis, caplog: pytest.LogCaptureFixture
) -> None:
    missed: list[MissedMessages] = []
    async with topic.messages(on_missed=missed.append, ttl=0.6) as messages:
        await topic.publish("a")
        assert await messages.get(5) == message("a")
        raw.delete("news", TIMES)
        await sleep_async(0.002)  # in the same millisecond, "b" would have the id that "a" had
        await topic.publish("b")
        assert await messages.get(5) == message("b")
        assert await messages.get(0.01) is None
        assert missed == [MissedMessages("news")]
        assert "was removed, or had expired" in caplog.text
        assert await topic.count_subscribers() == 1
        raw.delete("news", TIMES)
        waiting = AsyncStarted(messages.get)  # no message arrives, but the renewal notices it
        await until_async(lambda: len(missed) == 2, "it is noticed")
        await topic.publish("c")
        assert await waiting.result() == message("c")


async def test_a_subscriber_expires(topic: AsyncReliableTopic[str], raw: redis.Redis) -> None:
    """Another subscriber removes the expired one and the messages that were stored for it.

    A live subscriber is renewed.
    """
    async with topic.messages("late", ttl=0.3):
        pass
    async with topic.messages(ttl=0.3) as messages:
        await topic.publish("a")
        await sleep_async(0.5)
        assert await messages.get(5) == message("a")
        assert await messages.get(0.01) is None
        groups: Any = raw.xinfo_groups("news")
        assert [each["name"] for each in groups] == [messages.subscriber.name.encode()]
        assert raw.zcard(TIMES) == 1
        assert await topic.size() == 0


async def test_messages_not_confirmed_by_java_stay(
    topic: AsyncReliableTopic[str], raw: redis.Redis
) -> None:
    """Java's group reads first and confirms later."""
    raw.xgroup_create("news", "java", 0, mkstream=True)
    raw.zadd(TIMES, {"java": 2**52})
    async with topic.messages() as messages:
        for each in ("a", "b"):
            await topic.publish(each)
        read: Any = raw.xreadgroup("java", "consumer", {"news": ">"})
        for each in ("a", "b"):
            assert await messages.get(5) == message(each)
        assert await messages.get(0) is None
        assert await topic.size() == 2
        raw.xack("news", "java", read[0][1][0][0])
        await topic.publish("c")
        assert await messages.get(5) == message("c")
        assert await messages.get(0) is None
        assert await topic.size() == 2


async def test_undecodable_message_is_reported(
    redisson: AsyncRedisson, raw: redis.Redis, caplog: pytest.LogCaptureFixture
) -> None:
    topic, errors = redisson.get_reliable_topic("news", LongCodec()), list[DecodeError]()
    raw.xadd("news", {"m": b"text"})
    await topic.publish(5)
    async with topic.messages(on_undecodable=errors.append) as some, topic.messages() as others:
        for each in (some, others):
            assert await each.get(5) == TopicMessage("news", 5)
            assert await each.get(0) is None
        assert await topic.size() == 0
    assert [error.raw for error in errors] == [b"text"]
    assert "b'text'" in caplog.text


async def test_an_older_layout_is_rejected(
    url: str, topic: AsyncReliableTopic[str], raw: redis.Redis
) -> None:
    raw.zadd("{news}:subscribers", {"old": 1})
    with pytest.raises(RedissonError, match=r"subscribers of Redisson 3\.21\.0 or older"):
        await topic.publish("a")
    with pytest.raises(RedissonError, match=r"subscribers of Redisson 3\.21\.0 or older"):
        await topic.add_listener(print)
    assert await topic.count_listeners() == 0
    assert raw.keys() == [b"{news}:subscribers"]
    async with AsyncRedisson.from_url(url, release="3.21.0") as older:
        with pytest.raises(ValueError, match=r"3\.21\.0 and older store it in another way"):
            older.get_reliable_topic("news")


async def test_keys_of_other_types(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    raw.set("text", "v")
    with pytest.raises(KeyTypeError, match="text"):
        await redisson.get_reliable_topic("text").publish("a")
    with pytest.raises(KeyTypeError, match="text"):
        await redisson.get_reliable_topic("text").add_listener(print)


async def test_topic_exists_and_is_deleted(
    topic: AsyncReliableTopic[str], raw: redis.Redis
) -> None:
    async with topic.messages("billing"):
        assert await topic.is_exists()
    assert isinstance(topic.codec, StringCodec)
    assert "'news'" in repr(topic)
    assert await topic.delete()
    assert not raw.keys()


async def test_replies_that_are_lost(proxy: FaultProxy, raw: redis.Redis) -> None:
    url = f"redis://127.0.0.1:{proxy.port}/0"
    async with AsyncRedisson.from_url(url, codec=StringCodec()) as redisson:
        topic = redisson.get_reliable_topic("news")
        scripts = {name: load(f"topics/{name}").sha.encode() for name in ("publish", "advance")}
        async with topic.messages("billing") as messages:
            await topic.publish("a")
            assert await messages.get(5) == message("a")
            proxy.lose_reply_to(scripts["publish"])
            with pytest.raises(UncertainError):
                await topic.publish("b")
            assert await messages.get(5) == message("b")
            proxy.lose_reply_to(scripts["advance"])
            await topic.publish("c")
            assert await messages.get(5) == message("c")
            proxy.lose_reply_to(b"XREAD")
            await topic.publish("d")
            assert await messages.get(20) == message("d")
            raw.script_flush()
            await topic.publish("e")
            assert await messages.get(5) == message("e")
        assert raw.xlen("news") == 0


# An interrupted call may drop a socket that it has not yet received.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
async def test_interrupted_at_any_moment(topic: AsyncReliableTopic[str], raw: redis.Redis) -> None:
    """No message is lost. Messages that an interrupted call has read are redelivered."""
    got: list[str] = []
    async with topic.messages("billing") as messages:
        for number in range(100):
            raw.xadd("news", {"m": str(number)})

        async def turn() -> None:
            found = await messages.get()
            if found is not None:
                got.append(found.value)

        for number in range(150):
            await interrupt_async(turn, number * 0.00001)
    async with topic.messages("billing") as messages:
        while (found := await messages.get(0)) is not None:
            got.append(found.value)
    assert sorted(set(got), key=int) == [str(number) for number in range(100)]


PROGRAM = """
import sys, time
from pyredisson import Redisson
from pyredisson.codecs import StringCodec
with Redisson.from_url(sys.argv[1], codec=StringCodec()) as redisson:
    with redisson.get_reliable_topic("news").messages("billing") as messages:
        for message in messages:
            print(message.value, flush=True)
            time.sleep(60 if message.value == "b" else 0)
"""


def start(url: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", PROGRAM, url], stdout=subprocess.PIPE)


async def test_a_process_that_is_killed_loses_nothing(
    topic: AsyncReliableTopic[str], url: str
) -> None:
    for each in ("a", "b", "c"):
        await topic.publish(each)
    with start(url) as process:
        assert process.stdout is not None
        assert [process.stdout.readline() for _ in range(2)] == [b"a\n", b"b\n"]
        process.send_signal(getattr(signal, "SIGKILL", signal.SIGTERM))
    async with topic.messages("billing") as messages:
        assert [await messages.get(5) for _ in range(2)] == [message("b"), message("c")]


async def test_in_a_cluster(cluster: RedisCluster) -> None:
    client: Any = redis.asyncio.RedisCluster.from_url(cluster.url)
    async with AsyncRedisson(client, codec=StringCodec()) as redisson:
        name = f"news {os.getpid()}"
        topic = redisson.get_reliable_topic(name)
        async with topic.messages() as messages:
            assert await topic.publish("a") == 1
            assert await messages.get(5) == TopicMessage(name, "a")
        assert await topic.count_subscribers() == 0


async def test_subscribers_survive_outage(
    own_server: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    """Loops and listeners wait for the end. They lose only messages that the server has lost."""
    url, missed = own_server.url, list[MissedMessages]()
    async with AsyncRedisson.from_url(url, codec=StringCodec(), response_timeout=0.5) as redisson:
        topic, got = redisson.get_reliable_topic("news"), list[str]()
        await topic.add_listener(lambda each: got.append(each.value), on_missed=missed.append)
        async with topic.messages("billing") as messages:
            await topic.publish("a")
            assert await messages.get(10) == message("a")
            await until_async(lambda: got == ["a"], "the listener, too")
            own_server.pause()
            waiting = AsyncStarted(messages.get)
            await sleep_async(1.5)
            assert not waiting.done
            own_server.resume()
            await topic.publish("b")
            assert await waiting.result() == message("b")
            await until_async(lambda: got == ["a", "b"], "the listener, too")
            assert await messages.get(0) is None
            caplog.clear()
            own_server.kill()
            waiting = AsyncStarted(messages.get)
            await until_async(lambda: "waiting for elements" in caplog.text, "it is noticed")
            own_server.start()
            own_server.run("XADD", "news", "*", "m", "c")
            assert await waiting.result() == message("c")
            await until_async(lambda: got == ["a", "b", "c"], "the listener, too")
            assert await messages.get(0) is None
            assert missed == []
            assert await topic.count_subscribers() == 2
