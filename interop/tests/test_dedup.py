"""Keys of offers from Python are free when Java has delivered or removed the item."""

from datetime import timedelta
from typing import Any

import pytest
import redis

from interop.peer.redisson import JavaObject
from interop.tests.conftest import Peers
from interop.tests.support.fleet import connect
from interop.tests.support.trace import calls_of, until_called
from pyredisson import Redisson
from pyredisson.codecs import StringCodec
from pyredisson.protocol.kernel.names import QueueNames
from tests.support.server import RedisServer

HOUR = timedelta(hours=1)


@pytest.mark.parametrize("release", ["3.19.3", "4.7.0"])
def test_java_delivers_and_removes_and_the_key_is_free(
    java: Peers, shared_server: RedisServer, raw: redis.Redis, release: str
) -> None:
    with (
        connect(java(release), shared_server.url, codec="String") as client,
        Redisson.from_url(shared_server.url, codec=StringCodec(), wire_format=release) as python,
    ):
        queue, theirs = client.blocking_queue("q"), client.delayed_queue("q")
        delayed = python.get_delayed_queue(python.get_queue("q"), transfer=False)
        before = calls_of(raw, "zrangebyscore")
        theirs.open()
        until_called(raw, "zrangebyscore", before)  # Java has subscribed

        first = delayed.offer("first", HOUR, dedup="k")
        assert first.stored
        sooner = delayed.offer("no", 0.2, dedup="k", if_exists="earliest")
        assert (sooner.entry, sooner.stored) == (first.entry, False)
        assert delivered(queue, raw) == "first"

        assert delayed.offer("second", HOUR, dedup="k").stored
        assert delayed.offer("third", 0.2, dedup="k", if_exists="replace").stored
        assert delivered(queue, raw) == "third"
        assert theirs.call("readAll") == []

        for way in (("remove", "fourth"), ("poll",), ("clear",)):
            assert delayed.offer("fourth", HOUR, dedup="k").stored
            assert not delayed.offer("fifth", HOUR, dedup="k").stored
            theirs.call(*way)
        assert delayed.offer("sixth", HOUR, dedup="k").stored
        assert theirs.call("readAll") == ["sixth"]
        assert raw.hlen(QueueNames.of("q").dedup) == 1
        theirs.destroy()


def delivered(queue: JavaObject, raw: redis.Redis) -> Any:
    """Return what Java delivers of the announced offers, mostly at once.

    Java forgets a short delay that is announced while it transfers (test_short_delay), until
    another time is announced.
    """
    while (value := queue.call("poll", 5, "SECONDS")) is None:
        raw.publish(QueueNames.of("q").channel, "1")
    return value
