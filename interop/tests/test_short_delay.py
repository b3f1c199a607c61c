"""Java forgets a short delay that is offered while it transfers; beside Python it is on time.

The race, in every release: the reply of Java's transfer script names the head T1. A shorter delay
T0 is published before Java reads that reply. Java sets its timer to T0 and then, when it reads the
reply, back to T1. Here a proxy holds the replies back, so that this is certain.
"""

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
import redis

from interop.peer.redisson import JavaObject
from interop.tests.conftest import Peers
from interop.tests.support.fleet import connect, url_without_transfer
from interop.tests.support.state import Item, lay, now_ms
from interop.tests.support.trace import calls_of, until_called
from pyredisson import Redisson, WireFormat
from pyredisson.codecs import StringCodec
from tests.support.faults_tools import SlowRepliesProxy
from tests.support.server import RedisServer
from tests.support.twins import until

RELEASES = ("4.7.0", "3.19.3")
CHANNEL = "redisson_delay_queue_channel:{q}"
SHORT = 600
"""Milliseconds: long enough to hold the replies until Java has received the offer."""
LONG = 3_600_000


@contextmanager
def _long_delay_pending(
    release: str, java: Peers, server: RedisServer
) -> Iterator[tuple[redis.Redis, SlowRepliesProxy, JavaObject]]:
    """Java transfers behind a proxy and waits for an item due in an hour. Another Java offers."""
    peer = java(release)
    with ExitStack() as stack:
        raw = stack.enter_context(redis.Redis(port=server.port))
        later = Item(b"later", now_ms(raw) + LONG, b"12345678", WireFormat.of(release))
        lay(raw, "q", [later])
        proxy = stack.enter_context(SlowRepliesProxy(server))
        transferring = stack.enter_context(connect(peer, proxy.url, codec="String"))
        before = calls_of(raw, "zrangebyscore")
        transferring.delayed_queue("q").open()
        until_called(raw, "zrangebyscore", before)
        producer = stack.enter_context(connect(peer, url_without_transfer(server), codec="String"))
        yield raw, proxy, producer.delayed_queue("q").open()


def _offer_during_a_transfer(
    raw: redis.Redis, proxies: list[SlowRepliesProxy], producer: JavaObject
) -> None:
    before = calls_of(raw, "zrangebyscore")
    for proxy in proxies:
        proxy.hold_replies()
    raw.publish(CHANNEL, "1")  # all transfer now, and none receives the reply
    until_called(raw, "zrangebyscore", before + len(proxies) - 1)
    producer.call("offer", "short", SHORT, "MILLISECONDS")
    time.sleep(0.15)  # it was published, and is received now
    for proxy in proxies:
        proxy.heal()


def _listens(redisson: Redisson) -> bool:
    (stats,) = redisson.transfer_stats()
    return stats.subscribed and stats.runs > 0


@pytest.mark.parametrize("release", RELEASES)
def test_java_alone_is_late(release: str, java: Peers, server: RedisServer) -> None:
    """In at least one try of five: a Java that is suspended just then may be on time by chance."""
    with _long_delay_pending(release, java, server) as (raw, proxy, producer):
        for _ in range(5):
            _offer_during_a_transfer(raw, [proxy], producer)
            time.sleep(1.5)  # it was due 0.6 s after the offer
            if not raw.delete("q"):
                break
        assert raw.zcard("redisson_delay_queue_timeout:{q}") == 2


@pytest.mark.parametrize("release", RELEASES)
def test_java_is_on_time_beside_a_python_task(
    release: str, java: Peers, server: RedisServer
) -> None:
    with (
        _long_delay_pending(release, java, server) as (raw, proxy, producer),
        SlowRepliesProxy(server) as ours,
        # The safety interval must not be what delivers it.
        Redisson.from_url(ours.url, wire_format=release, safety_interval=1800) as redisson,
    ):
        queue = redisson.get_queue("q", codec=StringCodec())
        redisson.get_delayed_queue(queue)
        until(lambda: _listens(redisson), "a subscription and a transfer")
        _offer_during_a_transfer(raw, [proxy, ours], producer)
        until(lambda: raw.llen("q") > 0, "the short delay")
        assert raw.lrange("q", 0, -1) == [b"short"]
        assert raw.zcard("redisson_delay_queue_timeout:{q}") == 1


@pytest.mark.parametrize("release", RELEASES)
def test_delays_of_all_lengths_while_both_transfer(
    release: str, java: Peers, server: RedisServer
) -> None:
    """Without a proxy: none of 300 delays, each shorter than the one before, is forgotten."""
    with (
        connect(java(release), server.url, codec="String") as client,
        Redisson.from_url(server.url, wire_format=release, safety_interval=1800) as redisson,
    ):
        queue = redisson.get_blocking_queue("q", codec=StringCodec())
        redisson.get_delayed_queue(queue)
        delayed = client.delayed_queue("q")
        delayed.call("offer", "later", LONG, "MILLISECONDS")
        for number in range(300):
            delayed.call("offer", str(number), 600 - 2 * number, "MILLISECONDS")
        taken = [queue.poll(timeout=20) for _ in range(300)]
        assert sorted(taken, key=str) == sorted(map(str, range(300)))
