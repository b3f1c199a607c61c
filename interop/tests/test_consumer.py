"""Consumers that acknowledge, beside Java's producers, transfer and consumers.

A released message is what Java offered, byte for byte, and Java takes it like any other element.
"""

from typing import Any

import pytest

from interop.tests.conftest import Peers
from interop.tests.support.fleet import connect
from pyredisson import Redisson
from pyredisson.codecs import StringCodec
from tests.support.consuming import NAMES, end_leases, traces
from tests.support.server import RedisServer
from tests.support.state import keys
from tests.support.twins import PATIENCE, until


@pytest.fixture
def python(shared_server: RedisServer, raw: Any) -> Any:
    with Redisson.from_url(shared_server.url, codec=StringCodec()) as client:
        yield client


@pytest.mark.parametrize("release", ["3.19.3", "4.7.0"])
def test_java_offers_and_transfers_and_python_acknowledges(
    java: Peers, shared_server: RedisServer, python: Redisson, raw: Any, release: str
) -> None:
    """Java transfers a message that was released with a delay, as an item of its own format."""
    with connect(java(release), shared_server.url) as client:
        theirs = client.delayed_queue("q", codec="String")
        consumer = python.get_consumer(python.get_queue("q"), wire_format=release, transfer=False)
        for number in range(5):
            theirs.call("offer", f"task-{number}", 10 * number, "MILLISECONDS")
        attempts: dict[str, list[int]] = {}
        ids: dict[str, set[str]] = {}
        while len([1 for counts in attempts.values() if counts[-1] == 3]) < 5:
            message = consumer.poll(PATIENCE)
            assert message is not None
            attempts.setdefault(message.value, []).append(message.attempt)
            ids.setdefault(message.value, set()).add(message.id)
            if message.attempt == 1:
                assert message.nack(0.05)
                assert theirs.call("contains", message.value) in (True, False)
            elif message.attempt == 2:
                assert message.nack()
            else:
                assert message.ack()
        assert attempts == {f"task-{n}": [1, 2, 3] for n in range(5)}
        assert {len(known) for known in ids.values()} == {1}
        assert consumer.poll() is None
        assert theirs.call("size") == 0
        theirs.destroy()
    assert keys(raw) == []


def test_java_takes_released_messages(
    java: Peers, shared_server: RedisServer, python: Redisson, raw: Any
) -> None:
    """The lease ended, or the message was released at once or with a delay. No record remains."""
    with connect(java("4.7.0"), shared_server.url) as client:
        queue = client.blocking_queue("q", codec="String")
        delayed = client.delayed_queue("q", codec="String")
        consumer = python.get_consumer(python.get_queue("q"), transfer=False)
        queue.call("addAll", ["ended", "back", "later"])
        ended, back, later = consumer.take_many(3)
        assert queue.call("size") == 0
        assert back.nack()
        assert later.nack(3600)
        assert delayed.call("readAll") == ["later"]
        [entry] = raw.zrange(NAMES.queue.timeout_set, 0, -1)
        for known in (NAMES.queue.timeout_set, NAMES.postponed):
            raw.zadd(known, {entry: 1})  # it is due
        end_leases(raw)
        other = python.get_consumer(python.get_queue("q"))
        until(lambda: queue.call("size") >= 2, "it is back")
        taken = {queue.call("poll", 10, "SECONDS") for _ in range(3)}
        assert taken == {"ended", "back", "later"}
        assert ended.ack() is False
        assert other.poll() is None
        assert traces(raw) == set()
        queue.call("add", "later")
        again = other.take()
        assert (again.value, again.attempt) == ("later", 1)
        assert again.ack()
        delayed.destroy()


def test_java_and_python_consume_the_same_queue(
    java: Peers, shared_server: RedisServer, python: Redisson, raw: Any
) -> None:
    with connect(java("4.7.0"), shared_server.url) as client:
        queue = client.blocking_queue("q", codec="String")
        consumer = python.get_consumer(python.get_queue("q"), prefetch=3)
        queue.call("addAll", [str(n) for n in range(60)])
        found: list[str] = []
        while len(found) < 60:
            message = consumer.poll(0.2)
            if message is not None and message.attempt == 1 and int(message.value) % 5 == 0:
                assert message.nack()
            elif message is not None:
                assert message.ack()
                found.append(message.value)
            value = queue.call("poll")
            if value is not None:
                found.append(value)
        assert sorted(map(int, found)) == list(range(60))
        assert consumer.poll() is None
        consumer.close()
    assert traces(raw) == set()


def test_a_dead_letter_goes_back_to_java(
    java: Peers, shared_server: RedisServer, python: Redisson, raw: Any
) -> None:
    with connect(java("4.7.0"), shared_server.url) as client:
        queue = client.blocking_queue("q", codec="String")
        queue.call("add", "bad")
        ours = python.get_queue("q")
        assert python.get_consumer(ours, transfer=False).take().reject("why")
        assert queue.call("size") == 0
        assert python.get_dead_letters(ours).redrive() == 1
        assert queue.call("poll") == "bad"
    assert keys(raw) == []
