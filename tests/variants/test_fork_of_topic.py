"""Listeners of topics belong to the process and the event loop in which they began."""

import asyncio
import os

import pytest

from pyredisson import AsyncRedisson, ClosedError, TopicMessage
from pyredisson.codecs import StringCodec
from tests.support.server import RedisServer
from tests.variants.test_sync_only import run

PROGRAM = """
import os, warnings
warnings.simplefilter("ignore", DeprecationWarning)  # threads and fork, since 3.12
from pyredisson import ClosedError, Redisson
from pyredisson.codecs import StringCodec

redisson = Redisson.from_url(url, codec=StringCodec())
topic, reliable = redisson.get_topic("news"), redisson.get_reliable_topic("stored")
got = []
topic.add_listener(lambda message: got.append(message.value))
messages, stored = topic.messages(), reliable.messages("billing")
messages.subscribe()
stored.subscribe()
reliable.add_listener(lambda message: None, "named")
with reliable.messages() as unnamed:
    child = os.fork()
    if child == 0:
        code = 1
        try:
            unnamed.close()
            assert topic.count_listeners() == 0
            reliable.remove_all_listeners()
            code = 0
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert reliable.count_subscribers() == 3
child = os.fork()
if child == 0:
    code = 1
    try:
        reliable.messages("named").subscribe()
        code = 0
    finally:
        os._exit(code)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
reliable.remove_listener("named")
child = os.fork()
if child == 0:
    warnings.simplefilter("ignore")
    code = 1
    try:
        for each in (messages, stored):
            try:
                each.get(0)
            except ClosedError:
                continue
            os._exit(2)
        with topic.messages() as mine:
            assert topic.count_listeners() == 1 and reliable.count_listeners() == 0
            topic.publish("child")
            assert mine.get(10).value == "child"
        assert got == []
        code = 0
    finally:
        os._exit(code)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
assert messages.get(10).value == "child"
assert topic.count_listeners() == 2
reliable.publish("parent")
assert stored.get(10).value == "parent"
redisson.close()
assert got == ["child"]
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_forked_child_does_not_use_its_parents_listeners(server: RedisServer) -> None:
    run(PROGRAM, server)


def test_other_event_loop_does_not_use_the_listeners(url: str) -> None:
    client = AsyncRedisson.from_url(url, codec=StringCodec())
    topic = client.get_topic("news")
    messages, stored = topic.messages(), client.get_reliable_topic("stored").messages("billing")

    async def first() -> None:
        await messages.subscribe()
        await stored.subscribe()
        assert await topic.count_listeners() == 1

    async def second() -> None:
        for each in (messages, stored):
            with pytest.raises(ClosedError, match="another process or event loop"):
                await each.get(0)
        async with topic.messages() as others:
            assert await topic.count_listeners() == 1
            await topic.publish("a")
            assert await others.get(10) == TopicMessage("news", "a")
        await client.aclose()

    asyncio.run(first())
    asyncio.run(second())
