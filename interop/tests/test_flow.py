"""Pauses and bounds beside Java, which ignores them."""

from typing import Any

import pytest

from interop.tests.conftest import Peers
from interop.tests.support.fleet import connect
from pyredisson import QueueFullError, Redisson
from pyredisson.codecs import StringCodec
from tests.support.consuming import traces
from tests.support.server import RedisServer
from tests.support.state import keys
from tests.support.twins import Started, sleep, until


@pytest.fixture
def python(shared_server: RedisServer, raw: Any) -> Any:
    with Redisson.from_url(shared_server.url, codec=StringCodec()) as client:
        yield client


def test_java_takes_while_a_queue_is_paused(
    java: Peers, shared_server: RedisServer, python: Redisson, raw: Any
) -> None:
    """Java gets, in order, what a Python consumer received for its wait, and a released message."""
    with connect(java("4.7.0"), shared_server.url) as client:
        theirs = client.blocking_queue("q", codec="String")
        ours = python.get_queue("q")
        consumer = python.get_consumer(ours)
        theirs.call("add", "held")
        held = consumer.take()
        take = Started(consumer.take)
        until(lambda: raw.info("clients")["blocked_clients"] == 1, "it waits")
        ours.pause()
        theirs.call("addAll", ["a", "b"])
        until(lambda: raw.lrange("q", 0, -1) == [b"a", b"b"], "what it got for its wait is back")
        assert held.nack()
        taken = [theirs.call("poll", 10, "SECONDS") for _ in range(3)]
        assert sorted(taken) == ["a", "b", "held"]
        assert taken.index("a") < taken.index("b")
        assert not take.done
        ours.resume()
        theirs.call("add", "c")
        message = take.result()
        assert message.value == "c"
        assert message.ack()
        raw.delete("pyredisson_resumed:{q}")
        consumer.close()
    assert traces(raw) <= {"returned"}


def test_java_offers_beyond_the_bound_and_reads_bounded_items(
    java: Peers, shared_server: RedisServer, python: Redisson, raw: Any
) -> None:
    """Java's items use up room. Its transfer moves Python's items, and its consumers make room."""
    with connect(java("4.7.0"), shared_server.url) as client:
        theirs = client.delayed_queue("q", codec="String")
        target = client.blocking_queue("q", codec="String")
        ours = python.get_delayed_queue(python.get_queue("q"), transfer=False, max_size=3)
        ours.offer("first", 3600)
        for number in range(3):
            theirs.call("offer", f"theirs-{number}", 3600, "SECONDS")
        with pytest.raises(QueueFullError) as caught:
            ours.offer("refused", 3600)
        assert (caught.value.size, caught.value.limit) == (4, 3)
        assert theirs.call("readAll") == ["first", "theirs-0", "theirs-1", "theirs-2"]
        assert theirs.call("remove", "first") is True
        theirs.call("clear")
        ours.offer_many([("a", 0.05), ("b", 0.1)])
        assert [target.call("poll", 20, "SECONDS") for _ in range(2)] == ["a", "b"]
        theirs.destroy()
    assert keys(raw) == []


def test_java_takes_and_transfers_items_that_expire(
    java: Peers, shared_server: RedisServer, python: Redisson, raw: Any
) -> None:
    """Python forgets the item that Java took, and dead-letters the one that Java left."""
    with connect(java("4.7.0"), shared_server.url) as client:
        theirs = client.delayed_queue("q", codec="String")
        target = client.blocking_queue("q", codec="String")
        ours = python.get_queue("q")
        assert theirs.call("size") == 0  # from now on Java transfers
        delayed = python.get_delayed_queue(ours, transfer=False, expire_after=0.3)
        delayed.offer_many([("taken", 0.05), ("left", 0.1)])
        assert target.call("poll", 20, "SECONDS") == "taken"
        until(lambda: raw.lrange("q", 0, -1) == [b"left"], "Java's task has moved it")
        sleep(0.5)
        target.call("add", "theirs")
        consumer = python.get_consumer(ours, transfer=False)
        message = consumer.take()
        assert message.value == "theirs"
        assert message.ack()
        assert [letter.value for letter in python.get_dead_letters(ours)] == ["left"]
        assert consumer.poll() is None
        assert traces(raw) == {"dead", "dead_letters"}
        theirs.destroy()
