"""`migrate`: each item is moved once, also if a run is stopped at any step."""

import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any
from unittest.mock import patch

import pytest
import redis

from pyredisson import Redisson
from pyredisson._sync.link.link import Link
from pyredisson.codecs import JsonJacksonCodec, StringCodec
from pyredisson.protocol.kernel.command import Eval
from tests.support.server import RedisServer
from tests.support.shell import Done, shell
from tests.support.topology import RedisCluster, SentinelGroup
from tests.support.twins import until

CHANNEL = "redisson_delay_queue_channel:{orders}"
LIST, SET = "redisson_delay_queue:{orders}", "redisson_delay_queue_timeout:{orders}"
DUE = 4_000_000_000_000


class Stopped(BaseException):
    """The end of a process without any cleanup."""


@contextmanager
def at_step(number: int, act: Callable[[], None], *, before: bool = False) -> Iterator[None]:
    """Call a function after the request with this number, or before it."""
    request, steps = Link.request, count(1)

    def counted(link: Link, operation: Any) -> Any:
        here = next(steps) == number
        if here and before:
            act()
        reply = request(link, operation)
        if here and not before:
            act()
        return reply

    with patch.object(Link, "request", counted):
        yield


def stop() -> None:
    raise Stopped


def stopped(at: int, *words: str, url: str) -> bool:
    """Stop a run after a step; return whether the run reached this step."""
    try:
        with at_step(at, stop):
            shell("migrate", "orders", *words, url=url)
    except Stopped:
        return True
    return False


def fill(raw: redis.Redis, pending: int = 15) -> None:
    """Store pending items, some with equal due times, ready items, and a dead letter."""
    raw.flushall()
    with Redisson(raw) as redisson:
        orders = redisson.get_queue("orders", codec=StringCodec())
        delayed = redisson.get_delayed_queue(orders, transfer=False)
        for number in range(pending):
            delayed.offer(f"o-{number}", delay=1000 + number // 3)
        orders.add("dies")
        consumer = redisson.get_consumer(orders)
        message = consumer.poll()
        assert message is not None
        message.reject("why")
        orders.add_all([f"r-{number}" for number in range(3)])
    for number, (entry, _) in enumerate(zrange(raw, SET)):
        raw.zadd(SET, {entry: DUE + number // 3})


def zrange(raw: Any, key: str) -> list[tuple[bytes, float]]:
    found: list[tuple[bytes, float]] = raw.zrange(key, 0, -1, withscores=True)
    return found


def seen(raw: redis.Redis, name: str = "orders", codec: Any = None) -> dict[str, Any]:
    """Return the contents of a queue in each state, in their order."""
    with Redisson(raw) as redisson:
        orders = redisson.get_queue(name, codec=codec or StringCodec())
        delayed = redisson.get_delayed_queue(orders, transfer=False)
        letters = redisson.get_dead_letters(orders).read_all()
        return {
            "pending": [(each.value, each.receipt.due_ms) for each in delayed.items()],
            "listed": delayed.read_all(),
            "ready": orders.read_all(),
            "dead": [
                (each.value, each.reason, each.attempts, each.first_received_at, each.failed_at)
                for each in letters
            ],
        }


def left(raw: redis.Redis) -> list[Any]:
    return [key for key in raw.scan_iter() if b"pyredisson_migrat" in key and b"_ended" not in key]


def migrated(url: str, *words: str) -> Done:
    return shell("migrate", "orders", *words, "--json", url=url)


EACH_WAY = pytest.mark.parametrize(
    ("words", "name", "codec"),
    [
        (("--to-release", "3.21.0"), "orders", StringCodec()),
        (("--to-codec", "json", "--from-codec", "string"), "orders", JsonJacksonCodec()),
        (("--rename", "new"), "new", StringCodec()),
    ],
    ids=["format", "codec", "rename"],
)


@EACH_WAY
def test_batch_that_is_sent_again_after_a_lost_reply_is_added_once(
    raw: redis.Redis, server: RedisServer, words: Any, name: str, codec: Any
) -> None:
    request = Link.request

    def repeated(link: Link, operation: Any) -> Any:
        if isinstance(operation, Eval) and operation.safe:
            request(link, operation)
        return request(link, operation)

    fill(raw)
    before = seen(raw)
    with patch.object(Link, "request", repeated):
        assert migrated(server.url, *words).code == 0
    assert seen(raw, name, codec) == before
    assert left(raw) == []


@EACH_WAY
def test_migration_continues_after_a_stop_at_each_step(
    raw: redis.Redis, server: RedisServer, words: Any, name: str, codec: Any
) -> None:
    for at in count(1):
        fill(raw)
        before = seen(raw)
        if not stopped(at, *words, url=server.url):
            assert at > 10
            break
        assert migrated(server.url, *words).code == 0
        assert seen(raw, name, codec) == before
        assert left(raw) == []


def test_migration_to_another_server_continues_after_each_stop(
    raw: redis.Redis, server: RedisServer, own_server: RedisServer
) -> None:
    with own_server.client() as other:
        for at in count(1):
            other.flushall()
            fill(raw)
            before = seen(raw)
            if not stopped(at, "--to-url", own_server.url, url=server.url):
                break
            assert migrated(server.url, "--to-url", own_server.url).code == 0
            assert seen(other) == before
            assert left(raw) == left(other) == []
            assert not any(seen(raw).values())


def test_migration_stops_if_the_target_has_lost_its_data(
    raw: redis.Redis, server: RedisServer, own_server: RedisServer
) -> None:
    """The items that were not yet moved are not lost."""
    words = ("--to-url", own_server.url)
    fill(raw)
    assert stopped(22, *words, url=server.url)
    with own_server.client() as other:
        there = other.llen(LIST)
        assert 0 < there < 15
        other.flushall()
        lost = migrated(server.url, *words)
        assert lost.code == 2
        assert "--force" in lost.err
        assert migrated(server.url, *words, "--force").code == 0
        assert other.llen(LIST) >= 15 - there
    assert left(raw) == []


def test_both_formats_keep_the_order_and_the_times(raw: redis.Redis, server: RedisServer) -> None:
    fill(raw)
    before, entries = seen(raw), raw.lrange(LIST, 0, -1)
    done = migrated(server.url, "--to-release", "3.21.0")
    assert done.json() == {"queue": "orders", "moved": 15, "skipped": 0, "remaining": 0}
    assert seen(raw) == before
    assert all(
        len(entry) == 16 + len(b"o-0") + (number > 9)
        for number, entry in enumerate(raw.lrange(LIST, 0, -1))
    )
    assert migrated(server.url, "--to-release", "3.21.0").json()["moved"] == 0
    assert migrated(server.url, "--to-release", "4.7.0").json()["moved"] == 15
    assert seen(raw) == before
    assert entries != raw.lrange(LIST, 0, -1)


def test_items_that_the_codec_cannot_encode_stay_and_are_named(
    raw: redis.Redis, server: RedisServer
) -> None:
    with Redisson(raw) as redisson:
        orders = redisson.get_queue("orders", codec=JsonJacksonCodec())
        delayed = redisson.get_delayed_queue(orders, transfer=False)
        for value in ("text", 5, [1]):
            delayed.offer(value, delay=1000)
            orders.add(value)
        words = ("--from-codec", "json", "--to-codec", "string")
        dry = migrated(server.url, *words, "--dry-run")
        assert dry.code == 1
        assert (dry.json()["skipped"], dry.json()["remaining"]) == (4, 2)
        assert dry.json()["examples"][1]["after"] == b"text".hex()
        assert len(delayed.read_all()) == 3
        done = migrated(server.url, *words)
        assert done.code == 1
        assert done.json() == {"queue": "orders", "moved": 2, "skipped": 4, "remaining": 0}
        assert done.err.count("stays (pending)") == done.err.count("stays (ready)") == 2
    assert Counter(raw.lrange("orders", 0, -1)) == Counter(
        [b"text", b"5", JsonJacksonCodec().encode([1])]
    )
    assert raw.zcard(SET) == raw.llen(LIST) == 3


def test_poison_and_incomplete_entries_stay(raw: redis.Redis, server: RedisServer) -> None:
    fill(raw, pending=2)
    raw.rpush(LIST, b"poison", b"listed")
    raw.zadd(SET, {b"poison": DUE, b"timed": DUE})
    raw.hset("pyredisson_dead_letters:{orders}", "half", "x")
    done = migrated(server.url, "--rename", "new")
    assert done.json() == {"queue": "orders", "moved": 6, "skipped": 4, "remaining": 0}
    assert raw.lrange(LIST, 0, -1) == [b"poison", b"listed"]
    assert [entry for entry, _ in zrange(raw, SET)] == [b"poison", b"timed"]
    assert raw.hkeys("pyredisson_dead_letters:{orders}") == [b"half"]
    assert left(raw) == []


def test_dedup_keys_move_with_their_items(raw: redis.Redis, server: RedisServer) -> None:
    with Redisson(raw) as redisson:
        orders = redisson.get_queue("orders", codec=StringCodec())
        delayed = redisson.get_delayed_queue(orders, transfer=False)
        delayed.offer("a", delay=1000, dedup="key")
        assert migrated(server.url, "--to-release", "3.21.0").code == 0
        assert not delayed.offer("b", delay=1000, dedup="key").stored
        assert delayed.read_all() == ["a"]


def test_migration_is_rejected_while_tasks_or_consumers_are_active(
    raw: redis.Redis, server: RedisServer
) -> None:
    fill(raw)
    before = seen(raw)
    words = ("--to-release", "3.21.0")
    with Redisson(raw) as redisson:
        orders = redisson.get_queue("orders", codec=StringCodec())
        redisson.get_delayed_queue(orders)
        until(lambda: raw.pubsub_numsub(CHANNEL)[0][1] == 1, "it is subscribed")
        done = migrated(server.url, *words)
        assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
        assert "--force" in done.err
        dry = migrated(server.url, *words, "--dry-run")
        assert (dry.code, dry.json()["remaining"]) == (0, 15)
        assert "would be refused now" in dry.err
        assert migrated(server.url, *words, "--force").code == 0
        message = redisson.get_consumer(orders).poll()
        assert message is not None
        held = migrated(server.url, "--rename", "new")
        assert held.code == 2
        assert "consumers have messages" in held.err
        message.ack()
    assert seen(raw)["pending"] == before["pending"]


def test_another_plan_does_not_continue_a_migration(raw: redis.Redis, server: RedisServer) -> None:
    fill(raw)
    before = seen(raw)
    assert stopped(20, "--rename", "new", url=server.url)
    other = migrated(server.url, "--rename", "newer")
    assert other.code == 2
    assert "--rename new " in other.err
    assert "orders" in shell("queues", url=server.url).out
    checked = shell("check", "orders", url=server.url)
    assert checked.code == 1
    assert "migration of pyredisson_migrating:{orders}: 1;" in checked.out
    assert (
        "pyredisson migrate orders --rename new\n" in shell("doctor", "orders", url=server.url).out
    )
    assert migrated(server.url, "--rename", "new").code == 0
    assert seen(raw, "new") == before


def test_a_run_that_was_replaced_changes_nothing(raw: redis.Redis, server: RedisServer) -> None:
    """The first run continues after the second one has moved all items."""
    words = ("--rename", "new")
    replaced = set()

    def replace() -> None:
        replaced.add(migrated(server.url, *words).code)

    codes = set()
    for at in range(16, 30):
        fill(raw)
        before = seen(raw)
        with at_step(at, replace, before=True):
            codes.add(migrated(server.url, *words).code)
        assert seen(raw, "new") == before
        assert not any(seen(raw).values())
    assert (codes, replaced) == ({2}, {0})


def test_migration_continues_after_kills(raw: redis.Redis, server: RedisServer) -> None:
    fill(raw, pending=4000)
    before = seen(raw)
    words = ("migrate", "orders", "--rename", "new", "--url", server.url)
    for _ in range(3):
        run = subprocess.Popen([sys.executable, "-m", "pyredisson", *words])
        while run.poll() is None and not raw.exists("redisson_delay_queue:{new}"):
            pass
        os.kill(run.pid, signal.SIGKILL)
        run.wait()
    assert shell(*words).code == 0
    assert seen(raw, "new") == before
    assert left(raw) == []


def test_migration_in_a_cluster(cluster: RedisCluster) -> None:
    with cluster.client() as raw:
        with Redisson(raw) as redisson:
            orders = redisson.get_queue("orders", codec=StringCodec())
            redisson.get_delayed_queue(orders, transfer=False).offer("a", delay=1000)
            orders.add("b")
        words = ("--cluster", "--rename", "other-slot")
        assert migrated(cluster.url, *words).json()["moved"] == 2
        assert raw.lrange("other-slot", 0, -1) == [b"b"]
        assert raw.zcard("redisson_delay_queue_timeout:{other-slot}") == 1


def test_keys_of_wrong_types_end_the_migration(raw: redis.Redis, server: RedisServer) -> None:
    """A wrong type of the queue ends the run before any move; one of the target ends it later."""
    fill(raw)
    before = seen(raw)
    raw.set("new", "1")
    late = migrated(server.url, "--rename", "new")
    assert (late.code, late.err.count("\n")) == (2, 1)
    assert "run it again" in late.err
    raw.delete("new")
    assert migrated(server.url, "--rename", "new").code == 0
    assert seen(raw, "new") == before
    raw.set("orders", "1")
    raw.rpush(LIST, b"entry")
    assert "WRONGTYPE" in migrated(server.url, "--rename", "new").err
    assert raw.keys("*orders*") != left(raw) == []


def test_migration_behind_sentinel(sentinels: SentinelGroup) -> None:
    host, port = sentinels.addresses[0]
    words = ("--sentinel", f"{host}:{port}", "--rename", "new")
    with sentinels.master.client() as raw:
        raw.rpush("orders", "a")
        found = migrated(f"redis://{sentinels.service_name}/0", *words).json()
        assert found == {"queue": "orders", "moved": 1, "skipped": 0, "remaining": 0}
        assert raw.lrange("new", 0, -1) == [b"a"]


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--to-codec", "json"),
        ("--rename", ""),
        ("--rename", "{orders}"),
        ("--to-release", "nix"),
        ("--to-cluster", "--rename", "new"),
        ("--to-url", "redis://127.0.0.1:1"),
    ],
)
def test_wrong_arguments_change_nothing(raw: redis.Redis, server: RedisServer, words: Any) -> None:
    fill(raw, pending=1)
    before = seen(raw)
    done = migrated(server.url, *words)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert seen(raw) == before
