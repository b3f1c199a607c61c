"""Group windows beside Java: its transfer closes groups, and its queue is not disturbed by them.

Java sees a text for each group, and moves it as it moves any other item.
"""

import struct
from typing import Any

import pytest

from interop.tests.conftest import Peers
from interop.tests.support.fleet import connect
from interop.tests.support.trace import calls_of, until_called
from pyredisson import Consumer, Group, Redisson
from pyredisson.codecs import StringCodec
from pyredisson.protocol.kernel.names import QueueNames
from tests.support.server import RedisServer
from tests.support.state import keys, pack_old
from tests.support.twins import PATIENCE, Started, until

(BEHIND,) = struct.unpack("<d", b"\xff\0\0\0\0\0\xf8\x3f")
"""An id that sorts behind others of the same time."""

JAVA_CODECS = {"String": StringCodec(), "Kryo5": None}


@pytest.mark.parametrize(("release", "codec"), [("3.19.3", "String"), ("4.7.0", "Kryo5")])
def test_java_closes_groups_while_python_offers(
    java: Peers, shared_server: RedisServer, raw: Any, release: str, codec: str
) -> None:
    """Whenever Java closes a group, each value is in one group, in the order of the offers.

    A window of 30 ms closes among slow offers, and between the halves if the offers are fast.
    """
    with (
        connect(java(release), shared_server.url) as client,
        Redisson.from_url(shared_server.url, release=release, codec=JAVA_CODECS[codec]) as redisson,
    ):
        theirs = client.delayed_queue("q", codec=codec).open()
        queue = redisson.get_queue("q")
        options: Any = {"codec": StringCodec(), "transfer": False}
        window = redisson.get_group_window(queue, size=1000, max_wait=0.03, **options)
        consumer = redisson.get_consumer(window, transfer=False)

        def closed() -> bool:
            raw.publish(QueueNames.of("q").channel, "1")  # Java may forget one
            return not window.pending()

        taking = Started(lambda: taken(consumer, 600))
        for half in (range(300), range(300, 600)):
            for number in half:
                window.offer(f"k{number % 3}", str(number))
            until(closed, "Java closes the groups")
        groups = taking.result()
        for key in range(3):
            values = [value for group in groups if group.key == f"k{key}" for value in group.values]
            assert values == [str(number) for number in range(key, 600, 3)]
        assert 6 <= len(groups) < 600
        assert theirs.call("size") == 0
        full = redisson.get_group_window(queue, size=2, max_wait=3600, **options)
        full.offer("k", "a")
        [text] = theirs.call("readAll")
        assert text == f"pyredisson_group:{full.pending()[0].id}"
        assert full.offer("k", "b").closed
        assert theirs.call("size") == 0
        assert client.blocking_queue("q", codec=codec).call("peek") == text
        assert [group.values for group in taken(consumer, 2)] == [["a", "b"]]
        theirs.destroy()
    assert keys(raw) == []


def test_java_stops_behind_each_group(java: Peers, shared_server: RedisServer, raw: Any) -> None:
    """At an entry of another format Java pushes texts again and again; each value comes once."""
    names, foreign = QueueNames.of("q"), pack_old(b"x", BEHIND)
    with (
        connect(java("4.7.0"), shared_server.url) as client,
        Redisson.from_url(shared_server.url, codec=StringCodec()) as redisson,
    ):
        theirs = client.delayed_queue("q", codec="String").open()
        queue = redisson.get_queue("q")
        window = redisson.get_group_window(queue, size=1000, max_wait=0.2, transfer=False)
        consumer = redisson.get_consumer(window, prefetch=10, transfer=False)
        values: list[str] = []
        copies = joined = count = 0
        while count < 100 or (min(copies, joined) < 2 and count < 2000):
            state = window.offer("k", str(count))
            count += 1
            if state.size == 1:
                raw.zadd(names.timeout_set, {foreign: state.due_at.timestamp() * 1000})
            joined += state.size > 1 and raw.llen("q") > 0
            before = calls_of(raw, "zrangebyscore")
            raw.publish(names.channel, "1")
            until_called(raw, "zrangebyscore", before)
            copies += raw.llen("q") > 1
            if raw.llen("q") > 1 and (message := consumer.poll()):
                values += message.value.values
                assert message.ack()
        values += [
            value for group in taken(consumer, count - len(values)) for value in group.values
        ]
        assert values == [str(number) for number in range(count)]
        assert consumer.poll() is None
        assert copies > 1
        assert joined > 1
        theirs.destroy()
    raw.delete(names.timeout_set)
    assert keys(raw) == []


def taken(consumer: Consumer[Group[str]], count: int) -> list[Group[str]]:
    """Take and acknowledge groups until they have `count` values."""
    groups: list[Group[str]] = []
    while sum(len(group.values) for group in groups) < count:
        message = consumer.poll(PATIENCE)
        assert message is not None
        assert message.ack()
        groups.append(message.value)
    return groups
