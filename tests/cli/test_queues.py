"""`queues` and `stats`: the names that they find, and the errors if counts are missing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pyredisson import Redisson
from pyredisson.admin.look import look_at, look_at_all
from pyredisson.protocol.checks.stats import QueueStats
from pyredisson.protocol.kernel.names import ConsumerNames
from tests.support.server import RedisServer
from tests.support.shell import Done, shell
from tests.support.state import pack
from tests.support.topology import RedisCluster, SentinelGroup
from tests.support.twins import PATIENCE

NEVER = 2**52
ROOT = Path(__file__).resolve().parents[2]


def pend(raw: Any, name: str, score: float = NEVER) -> None:
    """Store a pending item of a queue."""
    beside = name if "{" in name else f"{{{name}}}"
    raw.zadd(f"redisson_delay_queue_timeout:{beside}", {pack(name.encode()): score})


def names_of(done: Done) -> list[str]:
    """Return the names that `queues --json` has printed."""
    return [each["name"] for each in done.json()["queues"]]


ODD = ["a b", "日本", "[x]*?", "shop{1}q", "{tag}:q", "a}b", "a\nb\x1b[31m", "a:b", "{braced}"]


def test_queues_finds_names_with_special_characters(server: RedisServer, raw: Any) -> None:
    """Braces, spaces, glob and control characters work; a name that is not UTF-8 is ignored."""
    for name in ODD:
        pend(raw, name)
    raw.rpush("{braced}", "x")
    raw.zadd(b"redisson_delay_queue_timeout:{\xff}", {"x": 1})
    raw.set("redisson_delay_queue_other:{q}", 1)
    raw.set("my_redisson_delay_queue_timeout:{q}", 1)
    assert names_of(shell("queues", "--json", url=server.url)) == sorted(ODD)
    for pattern, found in (("[x]*?", ["[x]*?"]), ("*{*", ["shop{1}q", "{braced}", "{tag}:q"])):
        assert names_of(shell("queues", pattern, "--json", url=server.url)) == found
    shown = shell("queues", url=server.url)
    assert "\x1b" not in shown.out
    assert len(shown.out.splitlines()) == 1 + len(ODD)
    raw.rpush("braced", "y")  # now both lists exist
    both = shell("queues", "*braced*", "--json", url=server.url).json()["queues"]
    assert [(each["name"], each["ready"]) for each in both] == [("braced", 1), ("{braced}", 1)]


def test_queues_finds_a_queue_by_any_of_its_keys(server: RedisServer, raw: Any) -> None:
    """Each key that belongs to a queue, and a subscriber of its channel."""
    queue, *keys = ConsumerNames.of("")
    kinds = [key.partition(":")[0] for key in (*keys, queue.poison, queue.dedup, queue.due)]
    for kind in kinds:
        raw.set(f"{kind}:{{{kind}}}", "x")
    raw.rpush("plain", "x")
    listener = raw.pubsub()
    listener.subscribe("redisson_delay_queue_channel:{heard}")
    listener.get_message(timeout=PATIENCE)
    found = names_of(shell("queues", "--json", url=server.url))
    assert found == sorted(["heard", *kinds])
    (heard,) = shell("stats", "heard", "--json", url=server.url).json()["queues"]
    assert (heard["subscribers"], heard["pending"]) == (1, 0)
    listener.close()


def test_many_queues_in_a_few_requests(server: RedisServer, raw: Any) -> None:
    names = [f"q{number}" for number in range(1200)]
    with raw.pipeline(transaction=False) as pipe:
        for name in names:
            pipe.zadd(f"redisson_delay_queue_timeout:{{{name}}}", {pack(b"v"): NEVER})
        pipe.execute()
    with Redisson.from_url(server.url) as redisson:
        look_at(redisson, "q0")
        before = raw.info("stats")
        found = look_at_all(redisson, names)
        after = raw.info("stats")
        raw.script_flush()
        assert look_at_all(redisson, names) == found
    assert [each.pending for each in found if isinstance(each, QueueStats)] == [1] * 1200
    if "total_reads_processed" in after:  # since Redis 7: the number of reads from sockets
        assert after["total_reads_processed"] - before["total_reads_processed"] < 600


def test_a_key_of_another_type_has_no_count(server: RedisServer, raw: Any) -> None:
    """Its count is null in JSON and ? in the table; stderr names the command for the next step."""
    pend(raw, "orders")
    raw.set("orders", "text")
    done = shell("stats", "orders", "--json", url=server.url)
    (found,) = done.json()["queues"]
    assert (done.code, found["pending"], found["ready"]) == (0, 1, None)
    assert "`pyredisson check`" in done.err
    row = shell("queues", url=server.url).out.splitlines()[1]
    assert row.split() == ["orders", "1", "?"]


@pytest.fixture
def user(server: RedisServer, raw: Any) -> Iterator[str]:
    """The URL of a user `few` with all permissions; the tests take some of them away."""
    raw.execute_command("ACL", "SETUSER", "few", "reset", "on", ">p", "~*", "&*", "+@all")
    yield f"redis://few:p@127.0.0.1:{server.port}/0"
    raw.execute_command("ACL", "DELUSER", "few")


@pytest.mark.parametrize(
    ("rules", "command", "code", "said"),
    [
        ("-scan", "queues", 2, "needs +scan"),
        ("-pubsub", "queues", 0, "queues that have only subscribers are not found"),
        ("-evalsha", "queues", 0, "needs +evalsha"),
        ("-exists", "queues", 0, "needs +exists"),
        ("-evalsha", "stats", 2, "needs +evalsha"),
        ("-zcount", "stats", 2, "needs +zcount"),
        ("-time", "stats", 2, "needs +time"),
        ("-pubsub", "stats", 0, ""),
        ("resetkeys ~other", "stats", 2, "needs ~orders"),
        ("-evalsha", "items", 2, "needs +evalsha"),
        ("resetkeys ~other", "items", 2, "needs ~redisson_delay_queue_timeout:{orders}"),
    ],
)
def test_a_missing_permission_is_named_in_one_line(
    user: str, raw: Any, rules: str, command: str, code: int, said: str
) -> None:
    """One line names the permission; the command prints all that it can read without it."""
    pend(raw, "orders")
    raw.execute_command("ACL", "SETUSER", "few", *rules.split())
    words = ("*",) if command == "queues" else ("orders",)
    done = shell(command, *words, "--json", url=user)
    assert done.code == code
    assert said in done.err
    assert done.err.count("\n") == bool(said)
    assert bool(done.out) == (code == 0)
    if (rules, command) == ("-pubsub", "stats"):
        assert done.json()["queues"][0]["subscribers"] is None


def test_queues_without_permission_have_no_counts(user: str, raw: Any) -> None:
    for number in range(20):
        pend(raw, f"orders-{number}")
    raw.execute_command("ACL", "SETUSER", "few", "resetkeys", "~*orders-1*")
    done = shell("queues", "--json", url=user)
    assert done.code == 0
    counts = {each["name"]: each["pending"] for each in done.json()["queues"]}
    assert counts["orders-1"] == counts["orders-19"] == 1
    assert counts["orders-2"] is None
    assert len(done.err.splitlines()) == 6
    assert "4 more queues" in done.err
    done = shell("stats", "orders-1", "orders-2", "--json", url=user)
    assert (done.code, len(done.json()["queues"])) == (2, 1)
    assert "'orders-2'" in done.err


def test_queues_and_stats_read_all_nodes_of_a_cluster(cluster: RedisCluster) -> None:
    """The commands search all masters, and count the subscribers at each node."""
    words = ("--cluster", "--url", cluster.url)
    names = [f"q{number}" for number in range(30)]
    with cluster.client() as client:
        client.flushall(target_nodes="primaries")
        for name in names:
            pend(client, name)
    listeners: list[Any] = []
    for node in cluster.servers:
        raw: Any = node.client()
        listeners.append(raw.pubsub())
        listeners[-1].subscribe("redisson_delay_queue_channel:{heard}")
        listeners[-1].get_message(timeout=PATIENCE)
    done = shell("queues", "--json", *words)
    assert names_of(done) == sorted([*names, "heard"])
    assert {each["pending"] for each in done.json()["queues"]} == {0, 1}
    (found,) = shell("stats", "heard", "--json", *words).json()["queues"]
    assert found["subscribers"] == len(cluster.servers)
    for each in listeners:
        each.close()


def test_stats_rejects_a_name_whose_keys_have_several_slots(cluster: RedisCluster) -> None:
    done = shell("stats", "a{b", "q", "--json", "--cluster", "--url", cluster.url)
    assert done.code == 2
    assert [each["name"] for each in done.json()["queues"]] == ["q"]
    assert "one slot" in done.err


def test_queues_and_stats_behind_sentinel(sentinels: SentinelGroup) -> None:
    host, port = sentinels.addresses[0]
    url = f"redis://{sentinels.service_name}/0"
    with sentinels.master.client() as raw:
        raw.flushall()
        pend(raw, "orders")
    words = ("--sentinel", f"{host}:{port}", "--url", url)
    listeners: list[Any] = []
    for server in sentinels.servers:  # Java may be subscribed to a replica
        node: Any = server.client()
        listeners.append(node.pubsub())
        listeners[-1].subscribe("redisson_delay_queue_channel:{orders}")
        listeners[-1].get_message(timeout=PATIENCE)
    (found,) = shell("stats", "orders", "--json", *words).json()["queues"]
    assert found["subscribers"] == len(listeners) > 1
    for each in listeners:
        each.close()
    assert names_of(shell("queues", "--json", *words)) == ["orders"]
    assert shell("items", "orders", "--json", *words).json()["items"][0]["due_at"] is not None


def test_documented_permissions_of_a_viewer_suffice(
    server: RedisServer, raw: Any, user: str
) -> None:
    """The permissions of docs/rights.md suffice; `queues` also needs those of docs/cli.md."""
    pend(raw, "orders")
    raw.rpush("orders", "x")
    page = (ROOT / "docs" / "rights.md").read_text("utf-8")
    (line,) = re.findall(r"^ACL SETUSER viewer reset (.*)$", page, re.MULTILINE)
    rules = line.replace(">secret", ">p").split()
    raw.execute_command("ACL", "SETUSER", "few", "reset", *rules)
    (found,) = shell("stats", "orders", "--json", url=user).json()["queues"]
    assert None not in found.values()
    for state in ("pending", "ready", "in-progress", "dead", "poison"):
        done = shell("items", "orders", "--state", state, url=user)
        assert (done.code, done.err) == (int(state not in ("pending", "ready")), "")
    raw.execute_command("ACL", "SETUSER", "few", "+scan", "+pubsub|channels")
    done = shell("queues", "--json", url=user)
    assert (names_of(done), done.err) == (["orders"], "")
