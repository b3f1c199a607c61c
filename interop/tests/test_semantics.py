"""Semantics for programs of two languages: both formats, consumers, handles, async."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import redis

from interop.peer import JavaError
from interop.peer.redisson import JavaObject
from interop.tests.conftest import Clients, Peers
from interop.tests.support.fleet import connect
from interop.tests.support.state import now_ms
from pyredisson import AsyncRedisson, DelayedQueue, Redisson
from pyredisson.codecs import StringCodec
from pyredisson.protocol.delayed.entry import unpack
from pyredisson.protocol.kernel.names import QueueNames
from tests.support.server import RedisServer
from tests.support.twins import until

NAMES = QueueNames.of("q")
HOUR = (1, "HOURS")


@pytest.fixture
def mixed(java: Peers, server: RedisServer) -> Iterator[JavaObject]:
    """Pending: A and C from 4.7.0, B and A from 3.19.3; Java's 4.7.0 handle."""
    with (
        connect(java("4.7.0"), server.url, codec="String") as new,
        connect(java("3.19.3"), server.url, codec="String") as old,
    ):
        delayed = new.delayed_queue("q")
        delayed.call("offer", "A", *HOUR)
        old.delayed_queue("q").call("offer", "B", *HOUR)
        delayed.call("offer", "C", *HOUR)
        old.delayed_queue("q").call("offer", "A", *HOUR)
        yield delayed


@pytest.fixture
def python(server: RedisServer) -> Iterator[Redisson]:
    with Redisson.from_url(server.url, codec=StringCodec()) as redisson:
        yield redisson


@pytest.mark.parametrize(
    ("call", "result", "left"),
    [
        (lambda d: d.read_all(), ["A", "B", "C", "A"], "ABCA"),
        (lambda d: list(iter(d)), ["A", "B", "C", "A"], "ABCA"),
        (lambda d: d.poll(3), ["A", "B", "C"], "A"),
        (lambda d: (d.poll(), d.poll(), d.peek()), ("A", "B", "C"), "CA"),
        (lambda d: ("B" in d, "C" in d, "N" in d), (True, True, False), "ABCA"),
        (lambda d: d.contains_all("CBA"), True, "ABCA"),
        (lambda d: d.contains_all("CBN"), False, "ABCA"),
        (lambda d: d.remove("B"), True, "ACA"),
        (lambda d: d.remove_all("A"), True, "BC"),
        (lambda d: d.retain_all("A"), True, "AA"),
        (lambda d: d.remove_if(lambda value: value < "C"), True, "C"),
        (lambda d: [d.poll_last_and_offer_first_to("q") for _ in "12"], ["A", "C"], "AB"),
    ],
)
def test_python_reads_both_formats_in_one_queue(
    call: Callable[[DelayedQueue[str]], Any],
    result: Any,
    left: str,
    mixed: JavaObject,
    python: Redisson,
    raw: redis.Redis,
) -> None:
    delayed = python.get_delayed_queue(python.get_queue("q", StringCodec()), transfer=False)
    assert call(delayed) == result
    assert delayed.read_all() == list(left)
    assert raw.zcard(NAMES.timeout_set) == len(left)


def test_java_loses_entries_that_it_cannot_read(
    mixed: JavaObject, python: Redisson, raw: redis.Redis
) -> None:
    """So let Python poll a mixed queue: Java's poll takes an entry first, and then reads it."""
    with pytest.raises(JavaError, match="unpack"):
        mixed.call("readAll")
    assert mixed.call("poll") == "A"
    with pytest.raises(JavaError, match="unpack"):
        mixed.call("poll")
    delayed = python.get_delayed_queue(python.get_queue("q", StringCodec()), transfer=False)
    assert delayed.read_all() == ["C", "A"]
    assert raw.zcard(NAMES.timeout_set) == 2


def test_listeners_of_both_languages_share_a_queue(java_client: Clients, python: Redisson) -> None:
    theirs = java_client(codec="String").blocking_queue("q")
    ours = python.get_blocking_queue("q", StringCodec())
    heard: list[str] = []
    listener, subscription = theirs.listen(), ours.subscribe_on_elements(heard.append)
    ours.add_all([f"python-{number}" for number in range(50)])
    theirs.call("addAll", [f"java-{number}" for number in range(50)])
    until(lambda: len(heard) + len(listener.heard().values) == 100, "all elements")
    subscription.close()
    listener.stop()
    everything = Counter(heard + listener.heard().values)
    assert everything == Counter(f"{who}-{i}" for who in ("python", "java") for i in range(50))


def test_a_destroyed_handle_leaves_the_other_language_transferring(
    java_client: Clients, python: Redisson, raw: redis.Redis
) -> None:
    queue = python.get_blocking_queue("q", StringCodec())
    ours = python.get_delayed_queue(queue)
    theirs = java_client(codec="String").delayed_queue("q").open()
    theirs.call("offer", "first", 300, "MILLISECONDS")
    theirs.destroy()
    assert queue.poll(timeout=20) == "first"
    theirs.open()
    ours.offer("second", 0.3)
    ours.destroy()
    assert queue.poll(timeout=20) == "second"
    assert raw.keys() == []


async def test_the_asynchronous_client_beside_java(
    java_client: Clients, server: RedisServer
) -> None:
    client = java_client(codec="String")
    waiting = client.blocking_queue("back").background("take")
    async with AsyncRedisson.from_url(server.url, codec=StringCodec()) as redisson:
        there = redisson.get_blocking_queue("there", StringCodec())
        back = redisson.get_delayed_queue(redisson.get_queue("back", StringCodec()))
        client.delayed_queue("there").call("offer", "hello", 50, "MILLISECONDS")
        assert await there.take() == "hello"
        await back.offer("and back", 0.05)
        reply = await asyncio.to_thread(waiting.result)
        assert reply.value.plain() == "and back"


@pytest.mark.parametrize("release", ["4.7.0", "3.19.3"])
def test_java_receives_what_python_offers_with_offer_many(
    java: Peers, server: RedisServer, raw: redis.Redis, release: str
) -> None:
    """Java has all items in their order. Only its transfer receives when the earliest is due."""
    with (
        connect(java(release), server.url, codec="String") as client,
        Redisson.from_url(server.url, codec=StringCodec(), wire_format=release) as python,
    ):
        theirs = client.delayed_queue("q").open()
        ours = python.get_delayed_queue(python.get_queue("q"), transfer=False)
        channel = NAMES.channel.encode()
        until(lambda: raw.pubsub_numsub(NAMES.channel) == [(channel, 1)], "Java listens")
        values = [f"{number}" for number in range(600)]
        ours.offer_many((value, 3600 - number) for number, value in enumerate(values))
        assert theirs.call("readAll") == values
        target = client.blocking_queue("q")
        taking = target.draining(60, count=600)
        soon = [(f"soon-{number}", 0.2 + number % 300 / 1000) for number in range(600)]
        ours.offer_many(soon)
        assert Counter(target.drained(taking).values) == Counter(value for value, _ in soon)
        assert theirs.call("readAll") == values


def test_both_offer_with_the_same_clock(
    java_client: Clients, python: Redisson, raw: redis.Redis
) -> None:
    """Offers in turn with the same delay: each score is of its moment.

    Python's score is never early, and late by at most what the question for the time took.
    """
    theirs = java_client(codec="String").delayed_queue("q")
    ours = python.get_delayed_queue(python.get_queue("q", StringCodec()), transfer=False)
    spans: list[tuple[int, int]] = []
    for number in range(40):
        earliest = now_ms(raw) + 3_600_000
        if number % 2:
            ours.offer(str(number), 3600)
        else:
            theirs.call("offer", str(number), *HOUR)
        spans.append((earliest, now_ms(raw) + 3_600_000))
    late = 1 + max(latest - earliest for earliest, latest in spans[1::2])
    found: Any = raw.zrange(NAMES.timeout_set, 0, -1, withscores=True)
    by_offer = {int(unpack(entry).value): score for entry, score in found}
    for number, (earliest, latest) in enumerate(spans):
        assert earliest <= by_offer[number] <= latest + (late if number % 2 else 0)
