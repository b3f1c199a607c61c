"""Either language offers, either transfers, the other takes: every release, every codec."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
import redis

from interop.peer.build import MATRIX
from interop.peer.redisson import JavaClient
from interop.peer.values import Java
from interop.tests.conftest import Peers
from interop.tests.support.fleet import CODECS, connect, url_without_transfer
from interop.tests.support.matrix_values import ROWS, Row
from pyredisson import BlockingQueue, DelayedQueue, Redisson
from tests.support.server import RedisServer
from tests.support.twins import until

STEP = 3
"""Milliseconds between the due times of two items, so that their order is certain."""


@dataclass
class Fleet:
    """One release of Java, with and without a transfer task, and Python for that release."""

    release: str
    java: JavaClient
    java_without_transfer: JavaClient
    python: Redisson
    port: int

    def handles(
        self, name: str, codec: str, transfer: bool
    ) -> tuple[BlockingQueue[Any], DelayedQueue[Any]]:
        queue = self.python.get_blocking_queue(name, codec=CODECS[codec]())
        return queue, self.python.get_delayed_queue(queue, transfer=transfer)


@pytest.fixture(scope="module")
def fleet(
    request: pytest.FixtureRequest, java: Peers, shared_server: RedisServer
) -> Iterator[Fleet]:
    release: str = request.param
    with redis.Redis(port=shared_server.port) as raw:
        raw.flushall()
    peer = java(release)
    with (
        connect(peer, shared_server.url) as transferring,
        connect(peer, url_without_transfer(shared_server)) as not_transferring,
        Redisson.from_url(shared_server.url, release=release) as python,
    ):
        yield Fleet(release, transferring, not_transferring, python, shared_server.port)


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("fleet", MATRIX, indirect=True)
@pytest.mark.parametrize("transferrer", ["Java", "Python"])
def test_java_offers_and_python_takes(fleet: Fleet, codec: str, transferrer: str) -> None:
    rows = ROWS[codec]
    name = f"j2p-{codec}-{transferrer}"
    queue, delayed = fleet.handles(name, codec, transfer=transferrer == "Python")
    client = fleet.java if transferrer == "Java" else fleet.java_without_transfer
    offered = client.delayed_queue(name, codec=codec)
    for number, (java, _) in enumerate(rows):
        offered.call("offer", java, 100 + STEP * number, "MILLISECONDS")
    for _, python in rows:
        taken = queue.poll(timeout=20)
        assert taken == python
        assert queue.codec.encode(taken) == queue.codec.encode(python)  # types that Python equates
    _assert_empty(queue, delayed)
    offered.destroy()


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("fleet", MATRIX, indirect=True)
@pytest.mark.parametrize("transferrer", ["Java", "Python"])
def test_python_offers_and_java_takes(fleet: Fleet, codec: str, transferrer: str) -> None:
    rows = ROWS[codec]
    name = f"p2j-{codec}-{transferrer}"
    queue, delayed = fleet.handles(name, codec, transfer=transferrer == "Python")
    if transferrer == "Java":
        fleet.java.delayed_queue(name, codec=codec).open()
    for number, (_, python) in enumerate(rows):
        delayed.offer(python, (100 + STEP * number) / 1000)
    taking = fleet.java.blocking_queue(name, codec=codec)
    for java, _ in rows:
        assert taking.typed("poll", 20, "SECONDS") == java
    _assert_empty(queue, delayed)
    if transferrer == "Java":
        fleet.java.delayed_queue(name, codec=codec).destroy()


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("fleet", MATRIX, indirect=True)
def test_pending_items_are_found_and_removed_by_the_other_language(
    fleet: Fleet, codec: str
) -> None:
    rows = _distinct(ROWS[codec])
    name = f"by-value-{codec}"
    queue, delayed = fleet.handles(name, codec, transfer=False)
    java_delayed = fleet.java.delayed_queue(name, codec=codec)
    for java, _ in rows:
        java_delayed.call("offer", java, 1, "HOURS")
    assert _encoded(queue, delayed.read_all()) == _encoded(queue, [row[1] for row in rows])
    for _, python in rows:
        assert python in delayed
        assert delayed.remove(python) is True
        assert python not in delayed
    for _, python in rows:
        delayed.offer(python, 3600)
    assert java_delayed.typed("readAll").v == [row[0] for row in rows]
    for java, _ in rows:
        assert java_delayed.call("contains", java) is True
        assert java_delayed.call("remove", java) is True
        assert java_delayed.call("contains", java) is False
    _assert_empty(queue, delayed)
    java_delayed.destroy()


@pytest.mark.parametrize("codec", ["Kryo5", "JsonJackson"])
@pytest.mark.parametrize("fleet", MATRIX, indirect=True)
def test_the_bytes_are_the_same(fleet: Fleet, codec: str, java: Peers) -> None:
    rows = ROWS[codec]
    ours = CODECS[codec]().for_release(fleet.release)
    assert [ours.encode(python) for _, python in rows] == java(fleet.release).encode(
        codec, [row[0] for row in rows]
    )


@pytest.mark.parametrize("fleet", MATRIX, indirect=True)
def test_a_java_that_may_not_transfer_does_not(fleet: Fleet) -> None:
    """The other tests depend on this."""
    with redis.Redis(port=fleet.port) as raw:
        raw.acl_log_reset()
        fleet.java_without_transfer.delayed_queue("refused").open()
        until(lambda: _refused(raw), "a refused transfer script")


@pytest.mark.parametrize("fleet", MATRIX, indirect=True)
def test_kryo5_is_the_default_of_both(fleet: Fleet) -> None:
    queue = fleet.python.get_queue("default")
    fleet.java.queue("default").call("add", Java("long", 7))
    queue.add("x")
    assert queue.read_all() == [7, "x"]
    assert fleet.java.queue("default").typed("readAll").v == [Java("long", 7), Java("string", "x")]
    queue.delete()


def _refused(raw: redis.Redis) -> bool:
    log: Any = raw.acl_log()
    return any(entry["object"] in (b"zrangebyscore", "zrangebyscore") for entry in log)


def _distinct(rows: Sequence[Row]) -> list[Row]:
    """Return the rows without null, which Java's contains does not accept everywhere."""
    return [row for row in rows if row[0].t != "null"]


def _encoded(queue: BlockingQueue[Any], values: Sequence[Any]) -> list[bytes]:
    return [queue.codec.encode(value) for value in values]


def _assert_empty(queue: BlockingQueue[Any], delayed: DelayedQueue[Any]) -> None:
    assert (queue.size(), delayed.size(), delayed.is_exists()) == (0, 0, False)
    delayed.destroy()
