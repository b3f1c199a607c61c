"""Java consumes the items of a schedule, and delivers them while no pyredisson process runs."""

import subprocess
import sys
from typing import Any

import pytest

from interop.tests.conftest import Peers
from interop.tests.support.fleet import connect
from interop.tests.support.trace import calls_of, until_called
from pyredisson import Redisson
from pyredisson.codecs import Kryo5Codec
from tests.support.server import RedisServer
from tests.support.twins import PATIENCE, until

KEEPER = """
import sys, time
from pyredisson import Redisson
from pyredisson.codecs import Kryo5Codec
redisson = Redisson.from_url(sys.argv[1], wire_format=sys.argv[2])
queue = redisson.get_delayed_queue(redisson.get_queue("q", codec=Kryo5Codec(release=sys.argv[2])))
redisson.get_schedule(queue).add("report", {"report": "daily"}, every=0.5)
time.sleep(600)
"""


@pytest.mark.parametrize("release", ["3.19.3", "4.7.0"])
def test_java_delivers_and_consumes_items_of_a_schedule(
    java: Peers, shared_server: RedisServer, raw: Any, release: str
) -> None:
    """The process that added it is killed: at most one more comes, until another process runs."""
    with (
        connect(java(release), shared_server.url, codec="Kryo5") as client,
        Redisson.from_url(shared_server.url, wire_format=release) as python,
    ):
        queue, theirs = client.blocking_queue("q"), client.delayed_queue("q")
        before = calls_of(raw, "zrangebyscore")
        theirs.open()
        until_called(raw, "zrangebyscore", before)  # Java has subscribed
        words = [sys.executable, "-c", KEEPER, shared_server.url, release]
        with subprocess.Popen(words) as keeper:
            for _ in range(3):
                assert queue.call("poll", int(PATIENCE), "SECONDS") == {"report": "daily"}
            keeper.kill()
        left = theirs.call("size")
        assert left <= 1
        until(lambda: theirs.call("size") == 0, "Java delivers what is left")
        ready = queue.call("size")  # one may have come before the kill
        assert ready >= left
        for _ in range(ready):
            assert queue.call("poll") == {"report": "daily"}
        assert queue.call("poll", 1, "SECONDS") is None

        codec = Kryo5Codec(release=release)
        delayed = python.get_delayed_queue(python.get_queue("q", codec), transfer=False)
        schedule = python.get_schedule(delayed)
        for _ in range(3):
            assert queue.call("poll", int(PATIENCE), "SECONDS") == {"report": "daily"}
        assert schedule.remove("report")
        assert theirs.call("size") == 0
        theirs.destroy()
