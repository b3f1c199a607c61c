"""Every command that needs a server, in a cluster and behind Sentinel."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.support.shell import Done, shell
from tests.support.topology import RedisCluster, SentinelGroup


@contextmanager
def words_of(kind: str, request: pytest.FixtureRequest) -> Iterator[tuple[str, ...]]:
    """Yield the options for a cluster or for Sentinels."""
    if kind == "cluster":
        cluster: RedisCluster = request.getfixturevalue("cluster")
        with cluster.client() as client:
            client.flushall()
        yield "--cluster", "--url", cluster.url
        return
    group: SentinelGroup = request.getfixturevalue("sentinels")
    with group.master.client() as client:
        client.flushall()
    watchers = ",".join(f"{host}:{port}" for host, port in group.addresses)
    yield "--sentinel", watchers, "--url", f"redis://{group.service_name}/0"


@pytest.mark.parametrize("kind", ["cluster", "sentinels"])
def test_each_command_in_a_cluster_and_behind_sentinel(
    kind: str, request: pytest.FixtureRequest
) -> None:
    with words_of(kind, request) as place:

        def asked(*words: str, code: int = 0) -> Any:
            done: Done = shell(*words, "--json", *place)
            assert done.code == code, (words, done)
            return done.json()

        text = ("--codec", "string")
        assert asked("offer", "q", "a", "b", "c", *text, "--delay", "1h")["offered"] == 3
        receipt = asked("offer", "q", "d", *text, "--delay", "1h")["receipt"]
        assert [each["name"] for each in asked("queues")["queues"]] == ["q"]
        assert asked("stats", "q")["queues"][0]["pending"] == 4
        assert [each["text"] for each in asked("items", "q")["items"]] == ["a", "b", "c", "d"]
        assert asked("cancel", "q", receipt)["cancelled"] == 1
        assert asked("reschedule", "q", "--value", "a", "--delay", "0", *text)["rescheduled"] == 1
        assert asked("pause", "q")["paused"]
        assert "paused" in {each["kind"] for each in asked("doctor", "q", code=1)["findings"]}
        assert not asked("resume", "q")["paused"]
        taken = asked("take", "q", "--timeout", "20s", *text)
        assert [each["text"] for each in taken["items"]] == ["a"]
        assert asked("check", "q")["findings"] == []
        assert asked("repair", "q", "--yes")["findings"] == []
        assert asked("dead", "q", "list", code=1)["letters"] == []
        assert asked("dead", "q", "redrive", "--all", "--yes", code=1)["redriven"] == 0
        assert asked("poison", "q", "list", code=1)["items"] == []
        assert asked("poison", "q", "drop", "--all", "--yes", code=1)["dropped"] == 0
        assert asked("migrate", "q", "--to-release", "3.21.0")["moved"] == 2
        assert [each["text"] for each in asked("items", "q", *text)["items"]] == ["b", "c"]


def test_remap_replaces_addresses_of_cluster_nodes(cluster: RedisCluster) -> None:
    """The cluster's nodes announce hosts that only their own network can resolve."""
    ports = [server.port for server in cluster.servers]
    pairs = [f"node.invalid:{port}=127.0.0.1:{port}" for port in ports]
    words = ("--json", "--cluster", "--url", cluster.url)
    names = [f"q{number}" for number in range(20)]
    with cluster.naming("hostname", "node.invalid"):
        done = shell("stats", *names, *words, "--remap", ",".join(pairs[1:]), "--remap", pairs[0])
        assert done.code == 0, done
        assert [each["name"] for each in done.json()["queues"]] == names
        assert "node.invalid" in shell("stats", *names, *words).err


@pytest.mark.parametrize("wrong", ["", "a:1", "a=b", "a:1=b", "a:1=b:x", "a:1=b:2=c:3"])
def test_a_wrong_remap_is_rejected(wrong: str) -> None:
    done = shell("stats", "q", "--cluster", "--remap", wrong or "=")
    assert done.code == 2
    assert done.err.startswith(
        "pyredisson: --remap takes HOST:PORT=HOST:PORT, as 10.0.0.1:6379=127.0.0.1:7001, not "
    )


def test_remap_without_a_cluster_is_rejected() -> None:
    done = shell("stats", "q", "--remap", "a:1=b:2")
    assert (done.code, done.err) == (2, "pyredisson: --remap needs --cluster\n")
