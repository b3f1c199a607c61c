"""Every operation of sets and lists, beside Java's: the same commands, keys and results."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
import redis

from interop.peer.redisson import JavaClient
from interop.peer.values import Java
from interop.tests.conftest import Clients, Peers
from interop.tests.support.collection_cases import LIST, SET, CollectionCase
from interop.tests.support.results import of_java, of_python
from interop.tests.support.scored_cases import SCORED
from interop.tests.support.trace import CONNECTION, ENVELOPE, PROBES, Run, Spelling, record
from pyredisson import Redisson, WireFormat
from pyredisson.codecs import Kryo5Codec, StringCodec
from pyredisson.protocol.kernel.names import QueueNames
from tests.support.server import RedisServer
from tests.support.twins import start

RELEASES = ("4.7.0", "3.19.3")
TABLES = {"set": SET, "list": LIST, "scored_sorted_set": SCORED}


@pytest.fixture(scope="module")
def java_side(
    request: pytest.FixtureRequest, java: Peers, shared_server: RedisServer
) -> Iterator[JavaClient]:
    with java(request.param).client(shared_server.url, codec="String") as client:
        yield client


@pytest.fixture(scope="module")
def redisson(shared_server: RedisServer) -> Iterator[Redisson]:
    with Redisson.from_url(shared_server.url, codec=StringCodec()) as redisson:
        yield redisson


@pytest.mark.parametrize(
    ("java_side", "kind", "case"),
    [
        pytest.param(release, kind, case, id=f"{release}-{kind}-{case.id}")
        for release in RELEASES
        for kind, cases in TABLES.items()
        for case in cases
        if release in case.releases
    ],
    indirect=["java_side"],
)
def test_same_commands_same_keys_same_result(
    kind: str,
    case: CollectionCase,
    java_side: JavaClient,
    redisson: Redisson,
    shared_server: RedisServer,
) -> None:
    java = in_java(java_side, shared_server, kind, case)
    ours = getattr(redisson, f"get_{kind}")("q")
    python = _run(shared_server, case, lambda: of_python(lambda: case.python(ours)), PROBES)
    case.check(java, python)
    case.check_recorded(f"{kind} {case.id}", python)


def in_java(client: JavaClient, server: RedisServer, kind: str, case: CollectionCase) -> Run:
    handle = client.get(kind, "q", handle=case.id)
    return _run(server, case, lambda: of_java(lambda: handle.call(*case.java)), frozenset())


def _run(
    server: RedisServer, case: CollectionCase, call: Callable[[], Any], dropped: frozenset[str]
) -> Run:
    def in_order() -> Any:
        result = call()
        unordered = isinstance(case.before, frozenset) and isinstance(result, list | set)
        return sorted(result) if unordered else result

    with redis.Redis(port=server.port) as raw:
        raw.flushall()
        for name, stored in {"q": case.before, **case.others}.items():
            _store(raw, name, stored)
        if case.ttl_ms is not None:
            raw.pexpire("q", case.ttl_ms)
    spelling = Spelling(QueueNames.of("q"), [], WireFormat.CURRENT)
    run = record(server, spelling, in_order, ENVELOPE | CONNECTION | dropped)
    return Run([_whole(each) for each in run.commands], run.keys, run.result, run.moments)


def _whole(command: str) -> str:
    """Return a command with the rest of a minute replaced by the whole minute."""
    name, key, *rest = command.split(" ")
    return f"pexpire {key} 60000" if name == "pexpire" and int(rest[0]) > 55_000 else command


def _store(raw: Any, name: str, stored: Any) -> None:
    if stored and isinstance(stored, frozenset):
        raw.sadd(name, *stored)
    elif stored and isinstance(stored, dict):
        raw.zadd(name, stored)
    elif stored:
        raw.rpush(name, *stored)


@pytest.mark.parametrize("release", RELEASES)
def test_each_reads_what_the_other_wrote(java_client: Clients, url: str, release: str) -> None:
    java = java_client(release).get("set", "s")
    with Redisson.from_url(url, codec=Kryo5Codec(), release=release) as redisson:
        ours = redisson.get_set("s")
        assert ours.add("größe")
        assert not java.call("add", "größe")
        assert java.call("addAll", [1, 2, "größe"])
        assert ours.contains(1) == java.call("contains", 1)
        assert ours.size() == 3
        assert {"größe"} < set(ours)


@pytest.mark.parametrize("release", RELEASES)
def test_each_waits_for_what_the_other_adds(java_client: Clients, url: str, release: str) -> None:
    java = java_client(release).get("scored_sorted_set", "z", codec="String")
    with Redisson.from_url(url, codec=StringCodec()) as redisson:
        ours = redisson.get_scored_sorted_set("z")
        waiting = java.background("pollFirst", 30, "SECONDS")
        ours.add(0.1, "from Python")
        assert waiting.result().value.plain() == "from Python"
        taking = start(ours.take_last)
        assert java.call("add", 1e-7, "from Java")
        assert taking.result() == "from Java"
        assert java.call("add", 1e-7, "small")
        assert ours.entry_range(0, -1) == [("small", 1e-7)]
        ours.add(123456789.125, "large")
        assert java.call("getScore", "large") == 123456789.125


@pytest.mark.parametrize("release", RELEASES)
def test_each_value_is_taken_once(java_client: Clients, url: str, release: str) -> None:
    client = java_client(release)
    java = client.get("scored_sorted_set", "z", codec="String")
    with Redisson.from_url(url, codec=StringCodec()) as redisson:
        ours = redisson.get_scored_sorted_set("z")
        ours.add_all({str(number): number for number in range(1500)})

        def in_java() -> list[str]:
            return list(iter(lambda: java.call("pollFirst"), None))

        def in_python() -> list[str]:
            return [value for part in iter(lambda: ours.poll_last(3), []) for value in part]

        turns = [start(in_java), start(in_python), start(in_python)]
        found = [value for turn in turns for value in turn.result(60)]
    assert sorted(found, key=int) == [str(number) for number in range(1500)]


@pytest.mark.parametrize("release", RELEASES)
def test_values_expire_for_both(
    java_client: Clients, url: str, raw: redis.Redis, release: str
) -> None:
    java = java_client(release).get("set_cache", "c", codec="String")
    with Redisson.from_url(url, codec=StringCodec()) as redisson:
        ours = redisson.get_set_cache("c")
        assert ours.add("always")
        assert not java.call("add", "always")
        assert java.call("add", "java", 60, "SECONDS")
        assert ours.add_all(["python", "short"], ttl=60)
        raw.zadd("c", {"short": 1})
        for each in ("always", "java", "python", "short"):
            assert ours.contains(each) == java.call("contains", each) == (each != "short")
        assert set(ours) == set(ours.read_all()) == java.call("readAll")
        assert not java.call("tryAdd", "x", "python")
        assert not ours.try_add("x", "java")
        assert ours.try_add("x", "short", ttl=60)
        assert not java.call("tryAdd", "y", "short")
        assert java.call("retainAll", ["java", "short"])
        assert ours.size() == java.call("size") == 2
        assert not ours.retain_all(["java", "short"])


CONDITIONS = ("add_if_absent", "add_if_exists", "add_if_less", "add_if_greater")


@pytest.mark.parametrize("before", [None, -5, 50, 500])
def test_conditional_adds_do_the_same(
    java_client: Clients, url: str, raw: redis.Redis, before: int | None
) -> None:
    java = java_client("4.7.0").get("set_cache", "c", codec="String")
    results = []

    def seconds_left() -> int | None:
        found: Any = raw.zscore("c", "v")
        return None if found is None else round(found / 1000 - time.time())

    with Redisson.from_url(url, codec=StringCodec()) as redisson:
        ours = redisson.get_set_cache("c")
        for name in CONDITIONS:
            method = re.sub("_(.)", lambda found: found.group(1).upper(), name)
            for call in (
                partial(java.call, method, Java("duration", "PT100S"), "v"),
                partial(getattr(ours, name), "v", ttl=100),
            ):
                raw.delete("c")
                if before is not None:
                    raw.zadd("c", {"v": (time.time() + before) * 1000})
                results.append((call(), seconds_left()))
    assert results[::2] == results[1::2]
