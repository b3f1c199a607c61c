"""`take` at a shell: it removes the items that it has printed, and no others."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import redis

from pyredisson import Redisson
from pyredisson.codecs import Kryo5Codec, StringCodec
from tests.support.server import RedisServer
from tests.support.shell import shell
from tests.support.topology import RedisCluster
from tests.support.twins import PATIENCE


@pytest.fixture
def url(server: RedisServer, raw: redis.Redis) -> str:
    raw.flushall()
    return server.url


def ready(url: str, *values: str) -> None:
    with Redisson.from_url(url) as redisson:
        for each in values:
            redisson.get_queue("q", codec=StringCodec()).add(each)


def counts(url: str) -> dict[str, int]:
    (found,) = shell("stats", "q", "--json", url=url).json()["queues"]
    return {key: found[key] for key in ("ready", "in_progress", "dead") if found[key]}


def test_items_are_printed_and_removed(url: str) -> None:
    ready(url, "a", "b\x1b", "c", "d")
    done = shell("take", "q", "--count", "2", url=url)
    assert (done.code, done.out) == (0, "a\nb\\x1b\n")
    assert "removed 2" in done.err
    one = shell("take", "q", "--json", url=url).json()
    assert (one["queue"], [each["value"] for each in one["items"]]) == ("q", ["c"])
    rest = shell("take", "q", "--count", "2", "--timeout", "100ms", url=url)
    assert (rest.code, rest.out) == (0, "d\n")
    assert counts(url) == {}


def test_due_items_are_transferred_meanwhile(url: str) -> None:
    shell("offer", "q", "a", "--delay", "300ms", url=url)
    assert shell("take", "q", "--timeout", "20", url=url).out == "a\n"


def test_take_exits_with_1_without_an_item(url: str) -> None:
    none = shell("take", "q", "--timeout", "0", "--json", url=url)
    assert (none.code, none.json()) == (1, {"queue": "q", "items": []})
    ready(url, "a")
    shell("pause", "q", url=url)
    paused = shell("take", "q", "--timeout", "0", url=url)
    assert (paused.code, paused.out) == (1, "")
    assert "`pyredisson resume q`" in paused.err
    assert counts(url) == {"ready": 1}


def test_an_undecodable_item_becomes_a_dead_letter(url: str) -> None:
    ready(url, "7", "x", "8")
    words = ("take", "q", "--codec", "long", "--timeout", "100ms")
    assert shell(*words, url=url).out == "7\n"
    wrong = shell(*words, "--json", url=url)  # it does not take another item instead
    assert (wrong.code, wrong.json()["items"]) == (1, [])
    assert "LongCodec" in wrong.err
    assert counts(url) == {"ready": 1, "dead": 1}
    (letter,) = shell("items", "q", "--state", "dead", "--json", url=url).json()["items"]
    assert letter["bytes"] == b"x".hex()


@contextmanager
def taking(url: str, *words: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "pyredisson", "take", "q", "--count", "9", *words]
    with subprocess.Popen(
        [*command, "--url", url], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def wait_until_leased(url: str, count: int) -> None:
    with Redisson.from_url(url) as redisson:
        queue = redisson.get_queue("q", codec=StringCodec())
        while queue.size() > 0:
            pass
    assert counts(url) == {"in_progress": count}


@pytest.mark.timeout(60)
def test_ctrl_c_prints_what_was_taken_and_loses_nothing(url: str) -> None:
    ready(url, "a", "b")
    with taking(url, "--json", "--timeout", "1h") as process:
        wait_until_leased(url, 2)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert [each["value"] for each in json.loads(out)["items"]] == ["a", "b"]
    assert counts(url) == {}


@pytest.mark.timeout(60)
def test_a_killed_command_loses_nothing(url: str) -> None:
    ready(url, "a", "b")
    with taking(url, "--json", "--timeout", "1h") as process:
        wait_until_leased(url, 2)
        os.kill(process.pid, signal.SIGKILL)
    assert counts(url) == {"in_progress": 2}


@pytest.mark.timeout(60)
def test_items_are_not_removed_if_stdout_is_closed(url: str) -> None:
    ready(url, "a", "b")
    with taking(url, "--timeout", "0") as process:
        assert process.stdout is not None
        process.stdout.close()
        process.wait(timeout=PATIENCE)
    assert counts(url) == {"ready": 2}


def test_commands_that_change_queues_on_a_cluster(cluster: RedisCluster) -> None:
    place = ("--cluster", "--url", cluster.url)
    for name in ("q1", "q2", "q3"):
        one = shell("offer", name, "a", "--delay", "1h", "--json", *place)
        receipt = one.json()["receipt"]
        assert "nobody transfers" in one.err
        assert shell("reschedule", name, receipt, "--delay", "2h", *place).code == 0
        assert shell("cancel", name, "--value", "a", *place).code == 0
        shell("offer", name, "--file", "-", *place, stdin="1\n2\n")
        done = shell("take", name, "--count", "2", "--timeout", "20", *place)
        assert (done.code, done.out) == (0, "1\n2\n")
        assert shell("pause", name, *place).code == shell("resume", name, *place).code == 0


def test_a_value_of_a_map_of_java(url: str) -> None:
    with Redisson.from_url(url) as redisson:
        redisson.get_queue("q", codec=Kryo5Codec()).add({"id": 17})
    assert shell("take", "q", "--json", url=url).json()["items"][0]["value"] == {"id": 17}
