"""Topics when replies are lost, permissions are missing, or waits are interrupted."""

import gc
import re
from pathlib import Path
from typing import Any

import pytest

from pyredisson import AsyncRedisson, ReplyError, TopicMessage, UncertainError
from pyredisson.codecs import StringCodec
from tests._async.conftest import Login
from tests.support.proxy import FaultProxy
from tests.support.twins import interrupt_async, sleep_async, until_async


@pytest.mark.parametrize("getter", ["get_topic", "get_sharded_topic"])
async def test_a_publish_without_a_reply_is_not_repeated(
    redisson: AsyncRedisson, proxy: FaultProxy, getter: str
) -> None:
    url = f"redis://127.0.0.1:{proxy.port}/0"
    async with (
        AsyncRedisson.from_url(url, codec=StringCodec()) as publisher,
        getattr(redisson, getter)("news").messages() as messages,
    ):
        topic = getattr(publisher, getter)("news")
        await topic.publish("first")
        proxy.lose_reply_to(b"PUBLISH")
        with pytest.raises(UncertainError, match="no reply to publish of 'news'"):
            await topic.publish("second")
        await topic.publish("third")
        got = [await messages.get(5) for _ in range(3)]
        assert got == [TopicMessage("news", each) for each in ("first", "second", "third")]
        assert await messages.get(0.1) is None


RIGHTS = ("+subscribe", "+psubscribe", "+ssubscribe", "+unsubscribe", "+ping")


@pytest.mark.parametrize(
    ("getter", "word"),
    [
        ("get_topic", "SUBSCRIBE"),
        ("get_sharded_topic", "SSUBSCRIBE"),
        ("get_pattern_topic", "PSUBSCRIBE"),
    ],
)
async def test_listener_without_permission_is_rejected(
    login: Login, root: Any, getter: str, word: str, caplog: pytest.LogCaptureFixture
) -> None:
    """add_listener raises the error. Listeners with the permission are not disturbed."""
    redisson = login(*RIGHTS, "&allowed", codec=StringCodec())
    async with getattr(redisson, getter)("allowed").messages() as messages:
        with pytest.raises(ReplyError, match="channel"):
            await getattr(redisson, getter)("forbidden").add_listener(print)
        assert await getattr(redisson, getter)("forbidden").count_listeners() == 0
        publish = "SPUBLISH" if word == "SSUBSCRIBE" else "PUBLISH"
        await until_async(lambda: root.execute_command(publish, "allowed", "a") == 1, "it is back")
        assert await messages.get(5) == TopicMessage("allowed", "a")
    assert f"{word} is rejected" in caplog.text
    assert f"+{word.lower()} &forbidden" in caplog.text


@pytest.mark.parametrize("getter", ["get_topic", "get_sharded_topic", "get_pattern_topic"])
async def test_a_listener_after_a_rejected_one(login: Login, getter: str) -> None:
    """A rejected listener does not affect the next one."""
    redisson = login(*RIGHTS, "&allowed", "&later", codec=StringCodec())
    topic = getattr(redisson, getter)
    with pytest.raises(ReplyError, match="channel"):
        await topic("forbidden").add_listener(print)
    assert await topic("allowed").add_listener(print)
    await topic("allowed").remove_all_listeners()
    with pytest.raises(ReplyError, match="channel"):
        await topic("forbidden").add_listener(print)
    assert await topic("later").add_listener(print)


PAGE = Path(__file__).resolve().parents[3] / "docs" / "topics.md"


async def test_documented_permissions_suffice(login: Login) -> None:
    """Each kind of topic works with the permissions in docs/topics.md."""
    lines = re.findall(r"^[&~]news.*$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert len(lines) == 4
    every = ("+client|setname", "+client|id", "+client|unblock", "+info", "+ping", "+time", "+type")
    redisson = login(*every, *" ".join(lines).split(), codec=StringCodec())
    topic, sharded = redisson.get_topic("news"), redisson.get_sharded_topic("news")
    pattern, reliable = redisson.get_pattern_topic("news*"), redisson.get_reliable_topic("news")
    async with topic.messages() as some, sharded.messages() as others, pattern.messages() as all_:
        assert (await topic.publish("a"), await sharded.publish("a")) == (2, 1)
        assert (await topic.count_subscribers(), await sharded.count_subscribers()) == (1, 1)
        assert await pattern.get_active_topics() == ["news"]
        for each in (some, others, all_):
            assert await each.get(5) == TopicMessage("news", "a")
    async with reliable.messages(ttl=0.1) as stored, reliable.messages("late", ttl=0.1):
        for value in ("a", "b"):
            assert await reliable.publish(value) == 2
            assert await stored.get(5) == TopicMessage("news", value)
        await sleep_async(0.3)
        assert await stored.get(0) is None
        assert await reliable.count_subscribers() == 2
        assert await reliable.size() == 2


# An interrupted call may drop a socket that it has not yet received.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
async def test_interrupted_at_any_moment(redisson: AsyncRedisson) -> None:
    """The loop ends, whether it was about to listen, waited, or was about to end.

    If the interruption also prevents the end itself, the listener ends with the next message.
    """
    topic = redisson.get_topic("news")

    async def turn() -> None:
        async with topic.messages() as messages:
            await messages.get(0.001)

    await turn()
    for number in range(200):
        await interrupt_async(turn, number * 0.00002)
    gc.collect()
    await topic.publish("a")
    await until_async(lambda: not redisson._context.background.work, "no listener is left")
    async with topic.messages() as messages:
        await topic.publish("b")
        assert await messages.get(5) == TopicMessage("news", "b")
