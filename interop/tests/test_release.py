"""`Redisson(client, release=R)` alone reads and writes what a Java of that release does."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import redis

from interop.peer import Java, JavaClient
from interop.tests.support.matrix_values import ROWS, Row
from pyredisson import EncodeError, Redisson
from pyredisson.codecs import Codec
from pyredisson.java import JEnumMap, JList
from pyredisson.java.objects import JavaValue

Clients = Callable[..., JavaClient]

RELEASES = {"4.7.0": 40, "3.27.2": 40, "3.21.0": 40, "3.19.3": 40, "3.18.1": 20, "3.12.5": 20}
"""How many of the rows the release's default codec can write, at least."""

FIXED = "java.util.Collections$UnmodifiableRandomAccessList"
UNIT = "java.util.concurrent.TimeUnit"
NEW: dict[str, tuple[Any, Java]] = {
    "an unmodifiable list": (
        JList(FIXED, ["a", 5]),
        Java("collection", [Java("string", "a"), Java("int", 5)], FIXED),
    ),
    "an EnumMap": (
        JEnumMap(UNIT, {JavaValue(UNIT, "DAYS"): 1}),
        Java("map", [(Java("enum", [UNIT, "DAYS"]), Java("int", 1))], "java.util.EnumMap"),
    ),
}


def written(codec: Codec[Any]) -> Iterator[Row]:
    """Yield the rows that a codec writes; a queue has no null."""
    for java, python in ROWS["Kryo5"]:
        try:
            codec.encode(python)
        except EncodeError:
            continue
        if python is not None:
            yield java, python


@pytest.mark.parametrize("release", RELEASES)
def test_a_release_is_all_that_both_need(release: str, java_client: Clients, url: str) -> None:
    java = java_client(release)
    with Redisson.from_url(url, release=release) as redisson:
        queue = redisson.get_blocking_queue("tasks")
        delayed = redisson.get_delayed_queue(queue)
        rows = list(written(queue.codec))
        assert len(rows) >= RELEASES[release]
        for number, (_, python) in enumerate(rows):
            delayed.offer(python, delay=0.1 + number / 500)
        taking = java.blocking_queue("tasks")
        assert [taking.typed("poll", 20, "SECONDS") for _ in rows] == [each for each, _ in rows]
        offering = java.delayed_queue("tasks")
        for number, (each, _) in enumerate(rows):
            offering.call("offer", each, 100 + 2 * number, "MILLISECONDS")
        taken = [queue.poll(timeout=20) for _ in rows]
        assert taken == [each for _, each in rows]
        assert [queue.codec.encode(each) for each in taken] == [
            queue.codec.encode(each) for _, each in rows
        ]


@pytest.mark.parametrize("what", NEW)
def test_values_for_new_releases_need_a_release(
    what: str, java_client: Clients, url: str, raw: redis.Redis
) -> None:
    value, in_java = NEW[what]
    with Redisson.from_url(url) as redisson:
        queue = redisson.get_queue("q")
        delayed = redisson.get_delayed_queue(queue, transfer=False)
        with pytest.raises(EncodeError, match=r'Redisson\(client, release="4\.7\.0"\)'):
            queue.offer(value)
        with pytest.raises(EncodeError, match=r"newer reads this; name the Java side's release"):
            delayed.offer([value], delay=1)
    assert raw.keys() == []
    with Redisson.from_url(url, release="4.7.0") as redisson:
        redisson.get_queue("q").offer(value)
        assert java_client("4.7.0").queue("q").typed("poll") == in_java
    with Redisson.from_url(url, release="3.27.2") as redisson:
        with pytest.raises(EncodeError, match="Java could not read it"):
            redisson.get_queue("q").offer(value)
        assert raw.keys() == []
