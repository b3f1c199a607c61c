"""`pyredisson check`: problems other than damage, and notes that are not problems."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import redis

from pyredisson import Redisson
from pyredisson.codecs import StringCodec
from tests.cli.test_cli import run
from tests.support.server import RedisServer
from tests.support.shell import shell
from tests.support.state import pack, server_ms
from tests.support.topology import RedisCluster
from tests.support.twins import PATIENCE

CHANNEL = "redisson_delay_queue_channel:{orders}"
LIST, TIMES = "redisson_delay_queue:{orders}", "redisson_delay_queue_timeout:{orders}"
NO_SUCH = "no such queue: it has no key"
OVERDUE = re.compile(
    rf"'orders': (\d) problems?\noverdue of {re.escape(TIMES)}: (\d); "
    r"due up to (\d+) s ago, and (.*)\n"
)


def check(server: RedisServer, *names: str, user: str = "") -> tuple[int, str]:
    """Return the exit code and stdout."""
    rights = f"{user}:p@" if user else ""
    done = run("check", *names, "--url", f"redis://{rights}127.0.0.1:{server.port}")
    assert done.stderr == ""
    return done.returncode, done.stdout


def pend(raw: Any, now_ms: float, *seconds: int) -> None:
    """Store pending items that were due this many seconds ago."""
    entries = {pack(b"%d" % number, b"%8d" % number): now_ms - number * 1000 for number in seconds}
    raw.rpush(LIST, *entries)
    raw.zadd(TIMES, entries)


@contextmanager
def listening(raw: Any) -> Iterator[None]:
    """Subscribe, as each transfer task of pyredisson and of Java does."""
    with raw.pubsub() as subscription:
        subscription.subscribe(CHANNEL)
        assert subscription.get_message(timeout=PATIENCE)
        yield


def test_a_name_that_does_not_exist(server: RedisServer, raw: redis.Redis) -> None:
    """This is a note, not a problem: an empty queue without a subscriber looks the same."""
    end = "; an empty queue that nobody uses looks the same\n"
    assert check(server, "orders") == (0, f"'orders': {NO_SUCH} and no transfer task{end}")
    with listening(raw):
        assert check(server, "orders") == (0, "'orders': no problems\n")
    raw.lpush("redisson_delay_queue:{orders}", pack(b"a"))
    raw.zadd(TIMES, {pack(b"a"): 4e12})
    assert check(server, "orders") == (0, "'orders': no problems\n")


def test_check_prints_notes_on_the_contents_of_a_queue(
    server: RedisServer, raw: redis.Redis
) -> None:
    """A note is no problem; it names the command that shows details."""
    url = f"redis://127.0.0.1:{server.port}"
    with Redisson.from_url(url, codec=StringCodec()) as redisson:
        queue = redisson.get_queue("my orders")
        consumer = redisson.get_consumer(queue, transfer=False)
        raw.rpush("my orders", "dead", "slow", "ready")
        message = consumer.take()
        assert message.reject("why")
        raw.rpush("pyredisson_poison:{my orders}", "junk", "more")
        notes = [
            "dead letters: 1; `pyredisson dead 'my orders' list` shows why",
            "in the poison list: 2; `pyredisson poison 'my orders' list` shows them",
            "ready: 2, and no consumer of pyredisson holds a message; `pyredisson items "
            "'my orders' --state ready` shows them, `pyredisson top` whether they become fewer",
        ]
        shown = "".join(f"'my orders': {each}\n" for each in notes)
        assert check(server, "my orders") == (0, f"'my orders': no problems\n{shown}")
        slow = consumer.take()._delivery
        assert "ready: " not in check(server, "my orders")[1]
        assert "in progress" not in check(server, "my orders")[1]
        record = raw.hget("pyredisson_taken:{my orders}", slow.token)
        assert isinstance(record, bytes)
        long_ago = (slow.taken_ms - 700_000).to_bytes(8, "big")
        raw.hset("pyredisson_taken:{my orders}", slow.token, record[:28] + long_ago + record[36:])
        found = re.search(
            r"in progress: 1, one of them for 7[0-9]{2} s; (.*)", check(server, "my orders")[1]
        )
        assert found
        assert found[1] == "`pyredisson items 'my orders' --state in-progress` shows who has it"


def test_a_name_that_begins_with_a_dash(url: str) -> None:
    assert shell("check", "--", "-orders", url=url).out.startswith(f"'-orders': {NO_SUCH}")
    assert shell("check", "--json", "--", "-orders", url=url).json()["queue"] == "-orders"


def test_an_unexpected_error_asks_for_a_report(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """For example, the library fails on a reply that it does not expect."""
    monkeypatch.setattr("pyredisson.cli.check.service_of", len)
    done = shell("check", "orders", url=url)
    assert (done.code, done.out) == (2, "")
    assert re.search(r"\nTypeError: len\(\) .*\npyredisson: please report this", done.err)


def test_check_prints_a_note_if_memory_is_nearly_full(own_server: RedisServer) -> None:
    with own_server.client() as raw:
        raw.rpush("orders", "a")
        raw.config_set("maxmemory", int(raw.info("memory")["used_memory"] * 1.02))
    code, said = check(own_server, "orders")
    assert code == 0
    assert re.search(
        "the server uses [0-9]+ of at most .* `redis-cli INFO memory` shows more", said
    )


def test_check_recognizes_the_name_of_a_key(server: RedisServer, raw: redis.Redis) -> None:
    code, said = check(server, LIST, "pyredisson_dead:{a}b")
    assert code == 0
    assert f"{LIST!r}: this is the name of a key beside the queue 'orders'\n" in said
    assert "this is the name of a key beside the queue '{a}b'\n" in said


def test_check_prints_a_note_if_a_queue_is_paused(
    url: str, server: RedisServer, raw: redis.Redis
) -> None:
    with Redisson.from_url(url, codec=StringCodec()) as redisson:
        redisson.get_queue("orders").pause()
    said = "paused: consumers and workers take nothing until queue.resume() is called"
    assert check(server, "orders") == (0, f"'orders': no problems\n'orders': {said}\n")


def test_check_reports_overdue_items_as_a_problem(server: RedisServer, raw: redis.Redis) -> None:
    """Without a transfer task, items become a problem earlier than with one."""
    now = server_ms(raw)
    pend(raw, now, -3600)
    assert check(server, "orders")[0] == 0
    pend(raw, now, 15, 20)
    code, said = check(server, "orders")
    found = OVERDUE.fullmatch(said)
    assert code == 1
    assert found, said
    assert (found[1], found[2]) == ("1", "2")
    assert int(found[3]) >= 20
    assert found[4] == "no transfer task is subscribed: run `pyredisson transfer orders`"
    with listening(raw):
        raw.delete(LIST, TIMES)
        pend(raw, server_ms(raw), 11)
        assert check(server, "orders") == (0, "'orders': no problems\n")
        pend(raw, now, 100)
        code, said = check(server, "orders")
        assert code == 1
        assert "overdue" in said
        assert "1 subscribed transfer tasks do not move them: check their logs\n" in said


def test_check_counts_overdue_and_damage_as_two_problems(
    server: RedisServer, raw: redis.Redis
) -> None:
    pend(raw, server_ms(raw), 100)
    raw.rpush(LIST, pack(b"alone"))
    code, said = check(server, "orders")
    assert code == 1
    assert said.startswith(f"'orders': 2 problems\noverdue of {TIMES}: 1; ")
    assert said.endswith("'orders': --repair repairs 1 of 2\n")


@pytest.mark.parametrize(
    ("lacking", "said"),
    [
        ("-pubsub", "due up to [0-9]+ s ago, and no transfer task moves them: check the logs"),
        (
            "-zrange",
            "'orders': no problems\n'orders': cannot check whether it is overdue or paused",
        ),
        (
            "-exists",
            "'orders': no problems\n'orders': cannot check whether it is overdue or paused",
        ),
    ],
)
def test_check_works_without_some_permissions(
    server: RedisServer, raw: Any, lacking: str, said: str
) -> None:
    if lacking != "-exists":
        pend(raw, server_ms(raw), 100)
    raw.execute_command("ACL", "SETUSER", "few", "reset", "on", ">p", "~*", "&*", "+@all", lacking)
    try:
        assert re.search(said, check(server, "orders", user="few")[1])
    finally:
        raw.execute_command("ACL", "DELUSER", "few")


def test_check_finds_subscribers_at_any_cluster_node(cluster: RedisCluster) -> None:
    """A transfer task may be subscribed at any node."""
    words = ("check", "orders", "--cluster", "--url", cluster.url)
    with cluster.client() as client, cluster.master_of(b"orders").client() as home:
        client.flushall(target_nodes="primaries")
        pend(client, server_ms(home), 100)
        assert "no transfer task is subscribed" in run(*words).stdout
        for node in cluster.servers:
            with node.client() as raw, listening(raw):
                assert "1 subscribed transfer tasks" in run(*words).stdout
