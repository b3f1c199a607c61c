"""The doctor finds what Java does to a queue, and nothing in a busy queue of both languages."""

import time
from threading import Event, Thread
from typing import Any

import pytest

from interop.tests.conftest import Clients, Peers
from interop.tests.support.fleet import connect, url_without_transfer
from pyredisson import Redisson
from pyredisson.admin.doctor.diagnose import diagnose
from pyredisson.codecs import Kryo5Codec, StringCodec
from tests.support.clock import SteppedServer
from tests.support.server import RedisServer
from tests.support.shell import shell
from tests.support.state import server_ms

LIST, TIMES = "redisson_delay_queue:{q}", "redisson_delay_queue_timeout:{q}"
RELEASES = ("3.19.3", "4.7.0")
RUNS = 10


def kinds(url: str, *words: str) -> dict[str, str]:
    """Return the kinds of findings, with their remedies."""
    found = shell("doctor", "q", "--json", *words, url=url).json()["findings"]
    return {each["kind"]: each["remedy"] for each in found}


@pytest.mark.parametrize("release", RELEASES)
def test_a_queue_that_only_java_uses(java_client: Clients, url: str, release: str) -> None:
    """With a transfer, without one, with another codec, and after retainAll."""
    theirs = java_client(release).delayed_queue("q", codec="String")
    for value in "ABC":
        theirs.call("offer", value, 1, "HOURS")
    assert kinds(url, "--codec", "string") == {}
    assert kinds(url, "--codec", "kryo5") == {"codec": "pyredisson items q --codec string"}
    assert theirs.call("retainAll", ["B"]) is True
    assert kinds(url) == {"divergence": "pyredisson repair q"}
    assert shell("repair", "q", "--yes", "--drop-orphans", url=url).code == 0
    assert theirs.call("readAll") == ["B"]
    theirs.destroy()
    assert kinds(url) == {"no-transfer": "pyredisson transfer q"}


def test_doctor_finds_entries_of_two_formats(
    java: Peers, shared_server: RedisServer, raw: Any
) -> None:
    url = url_without_transfer(shared_server)
    with connect(java("3.19.3"), url) as old, connect(java("4.7.0"), url) as new:
        queues = [each.delayed_queue("q", codec="String") for each in (old, new)]
        for each in queues:
            each.call("offer", "x", 1, "HOURS")
        remedy = "pyredisson migrate q --to-release 4.7.0"
        assert kinds(shared_server.url) == {"mixed-formats": remedy}
        for each in queues:
            each.destroy()
    raw.flushall()


def test_doctor_finds_what_stops_javas_transfer(java_client: Clients, url: str, raw: Any) -> None:
    """An entry that Java cannot read, and a delay beyond the end of a long."""
    theirs = java_client("4.7.0").delayed_queue("q", codec="String")
    raw.zadd(TIMES, {b"junk": server_ms(raw) // 1 - 70_000})
    theirs.call("offer", "behind", 1, "MILLISECONDS")
    time.sleep(0.5)
    found = kinds(url)
    assert {"overdue", "poison"} <= found.keys() <= {"overdue", "poison", "divergence"}
    assert found["poison"] == "pyredisson repair q"
    raw.delete(TIMES, LIST, "q")
    theirs.call("offer", "never", 2**63 - 1, "MILLISECONDS")
    assert kinds(url)["clock-skew"].startswith("pyredisson reschedule q --id ")
    raw.delete(TIMES, LIST)
    theirs.destroy()


def test_a_java_clock_that_is_behind(java: Peers) -> None:
    """The server is an hour ahead, so Java's delays are an hour too short."""
    with SteppedServer() as server:
        server.step(3600)
        with (
            connect(java("4.7.0"), url_without_transfer(server)) as client,
            Redisson.from_url(server.url, codec=StringCodec()) as python,
        ):
            ours = python.get_delayed_queue(python.get_queue("q"), transfer=False)
            theirs = client.delayed_queue("q", codec="String")
            for number in range(3):
                ours.offer("ours", 7200)
                theirs.call("offer", f"theirs-{number}", 600, "SECONDS")
            texts = [each.text for each in diagnose(python, "q") if each.kind == "clock-skew"]
            assert len(texts) == 2
            assert "s behind the server's" in texts[0]
            assert texts[1].startswith("3 items of Java were due up to 3000")
            theirs.destroy()


@pytest.mark.parametrize("release", RELEASES)
def test_doctor_finds_nothing_in_a_busy_queue(
    java: Peers, shared_server: RedisServer, raw: Any, release: str
) -> None:
    """Java and Python offer, transfer and take."""
    raw.flushall()
    url, codec, end = shared_server.url, Kryo5Codec(), Event()
    with (
        connect(java(release), url) as client,
        Redisson.from_url(url, codec=codec, release=release) as python,
    ):
        theirs, taking = (
            client.delayed_queue("q", codec="Kryo5"),
            client.blocking_queue("q", codec="Kryo5"),
        )
        queue = python.get_queue("q")
        delayed = python.get_delayed_queue(queue)

        def offer() -> None:
            while not end.wait(0.002):
                delayed.offer("python", delay=0.1)

        def take() -> None:
            with python.get_consumer(queue) as consumer:
                while not end.is_set():
                    for message in consumer.take_many(50, timeout=0.2):
                        message.ack()

        threads = [Thread(target=each) for each in (offer, take)]
        for each in threads:
            each.start()
        drained = taking.draining(seconds=120, count=10**9)
        offered = theirs.offering(20_000, delay=(0, 300), prefix="java")
        try:
            for _ in range(RUNS):
                assert diagnose(python, "q", codec) == []
                time.sleep(0.05)
        finally:
            end.set()
            for each in threads:
                each.join()
            offered.interrupt()
            drained.interrupt()
        theirs.destroy()
    raw.flushall()
