"""Items that Java offered and that are pending: Python cancels, reschedules and lists them.

Java transfers, and receives an earlier time as it receives that of an offer.
"""

from datetime import timedelta

import pytest
import redis

from interop.tests.conftest import Peers
from interop.tests.support.fleet import connect
from interop.tests.support.trace import calls_of, until_called
from pyredisson import Redisson
from pyredisson.codecs import StringCodec
from tests.support.server import RedisServer
from tests.support.twins import PATIENCE


@pytest.mark.parametrize("release", ["3.19.3", "4.7.0"])
def test_python_cancels_and_reschedules_what_java_offered(
    java: Peers, shared_server: RedisServer, raw: redis.Redis, release: str
) -> None:
    with (
        connect(java(release), shared_server.url, codec="String") as client,
        Redisson.from_url(shared_server.url, wire_format=release) as python,
    ):
        queue, theirs = client.blocking_queue("q"), client.delayed_queue("q")
        delayed = python.get_delayed_queue(python.get_queue("q", StringCodec()), transfer=False)
        before = calls_of(raw, "zrangebyscore")
        theirs.open()
        until_called(raw, "zrangebyscore", before)  # Java has subscribed
        for number in range(4):
            theirs.call("offer", f"task-{number}", 60 + number, "MINUTES")
        mine = delayed.offer("mine", delay=timedelta(minutes=30))

        items = list(delayed.items())
        assert [item.value for item in items] == ["mine", *(f"task-{n}" for n in range(4))]
        assert items[0].receipt.entry == mine.entry
        _, cancelled, sooner, later, _ = [item.receipt for item in items]
        left = delayed.remaining_delay(cancelled)
        assert left is not None
        assert timedelta(minutes=50) < left <= timedelta(minutes=60)
        assert delayed.cancel(cancelled) is True
        assert theirs.call("contains", "task-0") is False

        assert delayed.reschedule(later, timedelta(hours=3)) is not None
        assert theirs.call("readAll") == ["task-1", "task-2", "task-3", "mine"]
        assert delayed.reschedule(mine, timedelta(hours=5)) is not None  # the head stays pending
        assert delayed.reschedule(sooner, 0.1) is not None
        assert queue.call("poll", int(PATIENCE), "SECONDS") == "task-1"
        assert delayed.reschedule(sooner, 0.1) is None
        assert delayed.cancel(sooner) is False
        assert [item.value for item in delayed.items()] == ["task-3", "task-2", "mine"]
        theirs.destroy()
