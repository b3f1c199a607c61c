"""Every operation of RMap, beside Java's: the same commands, the same key, the same result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
import redis

from interop.peer.redisson import JavaClient
from interop.peer.values import Java
from interop.tests.conftest import Clients, Peers
from interop.tests.support.expected import Expected
from interop.tests.support.results import of_java, of_python
from interop.tests.support.trace import CONNECTION, ENVELOPE, PROBES, Run, Spelling, record
from pyredisson import Map, Redisson, WireFormat
from pyredisson.codecs import CompositeCodec, JsonJacksonCodec, Kryo5Codec, LongCodec, StringCodec
from pyredisson.protocol.kernel.names import QueueNames
from tests.support.server import RedisServer
from tests.support.twins import start

RELEASES = ("4.7.0", "3.19.3")
SOME = {"k": "v", "l": "w"}


@dataclass(frozen=True)
class MapCase(Expected):
    """One call on the map ``q`` that holds ``before``."""

    id: str = ""
    java: tuple[Any, ...] = ()
    python: Callable[[Map[str, str]], Any] = repr
    before: Mapping[str, str] = field(default_factory=lambda: SOME)


def case(
    name: str, java: tuple[Any, ...], python: Callable[[Map[str, str]], Any], **more: Any
) -> MapCase:
    return MapCase(id=name, java=java, python=python, **more)


ONE_SCRIPT: Any = {"why": "replace(k, v) is putIfExists(k, v), so HGET says whether it exists"}
PAGES: Any = {"why": "a script that reads a page of the map, and not all of it"}

CASES = [
    case("get", ("get", "k"), lambda m: m.get("k")),
    case("get nothing", ("get", "x"), lambda m: m.get("x")),
    case("containsKey", ("containsKey", "k"), lambda m: m.contains_key("k")),
    case("valueSize", ("valueSize", "k"), lambda m: m.value_size("k")),
    case("put", ("put", "k", "ö"), lambda m: m.put("k", "ö")),
    case("put a new key", ("put", "x", "v"), lambda m: m.put("x", "v")),
    case("fastPut", ("fastPut", "k", "w"), lambda m: m.fast_put("k", "w")),
    case("fastPut a new key", ("fastPut", "x", "w"), lambda m: m.fast_put("x", "w")),
    case("putIfAbsent", ("putIfAbsent", "x", "w"), lambda m: m.put_if_absent("x", "w")),
    case("putIfAbsent in vain", ("putIfAbsent", "k", "w"), lambda m: m.put_if_absent("k", "w")),
    case(
        "fastPutIfAbsent",
        ("fastPutIfAbsent", "k", "w"),
        lambda m: m.fast_put_if_absent("k", "w"),
    ),
    case("putIfExists", ("putIfExists", "k", "w"), lambda m: m.put_if_exists("k", "w")),
    case("putIfExists in vain", ("putIfExists", "x", "w"), lambda m: m.put_if_exists("x", "w")),
    case(
        "fastReplace",
        ("fastReplace", "k", "w"),
        lambda m: m.fast_replace("k", "w"),
    ),
    case("fastReplace in vain", ("fastReplace", "x", "w"), lambda m: m.fast_replace("x", "w")),
    case(
        "replace",
        ("replace", "k", "w"),
        lambda m: m.replace("k", "w"),
        **ONE_SCRIPT,
        java_commands=("hexists q k", "hget q k", "hset q k w"),
        python_commands=("hget q k", "hset q k w"),
    ),
    case("replace the expected", ("replace", "k", "v", "x"), lambda m: m.replace("k", "v", "x")),
    case("replace another", ("replace", "k", "w", "x"), lambda m: m.replace("k", "w", "x")),
    case("remove", ("remove", "k"), lambda m: m.remove("k")),
    case("remove nothing", ("remove", "x"), lambda m: m.remove("x")),
    case("remove the expected", ("remove", "k", "v"), lambda m: m.remove("k", "v")),
    case("remove another", ("remove", "k", "w"), lambda m: m.remove("k", "w")),
    case(
        "fastRemove",
        ("fastRemove", "k", "x"),
        lambda m: m.fast_remove("k", "x"),
    ),
    case("addAndGet", ("addAndGet", "n", 5), lambda m: m.add_and_get("n", 5)),
    case(
        "addAndGet a part",
        ("addAndGet", "n", Java("double", 1.5)),
        lambda m: m.add_and_get("n", 1.5),
    ),
    case("size", ("size",), lambda m: m.size()),
    case("isEmpty", ("isEmpty",), lambda m: m.is_empty()),
    case(
        "getAll",
        ("getAll", Java("linkedset", ["k", "x"])),
        lambda m: m.get_all(["k", "x"]),
    ),
    case(
        "putAll",
        ("putAll", Java("linkedmap", {"x": "1", "k": "2"})),
        lambda m: m.put_all({"x": "1", "k": "2"}),
    ),
    case(
        "putAll in batches",
        ("putAll", Java("linkedmap", {"x": "1", "k": "2", "z": "3"}), 2),
        lambda m: m.put_all({"x": "1", "k": "2", "z": "3"}, batch_size=2),
    ),
    case("readAllMap", ("readAllMap",), lambda m: m.read_all_map()),
    case("readAllKeySet", ("readAllKeySet",), lambda m: m.read_all_key_set()),
    case("readAllValues", ("readAllValues",), lambda m: m.read_all_values()),
    case("randomKeys", ("randomKeys", 5), lambda m: m.random_keys(5)),
    case("randomEntries", ("randomEntries", 5), lambda m: m.random_entries(5)),
    case(
        "containsValue",
        ("containsValue", "w"),
        lambda m: m.contains_value("w"),
        **PAGES,
        java_commands=("hvals q",),
        python_commands=("hscan q 0 count 500",),
    ),
    case("clear", ("clear",), lambda m: m.clear()),
    case("delete", ("delete",), lambda m: m.delete(), before={}),
]


@pytest.fixture(scope="module")
def java_side(
    request: pytest.FixtureRequest, java: Peers, shared_server: RedisServer
) -> Iterator[JavaClient]:
    with java(request.param).client(shared_server.url, codec="String") as client:
        yield client


@pytest.mark.parametrize(
    ("java_side", "case"),
    [pytest.param(release, one, id=f"{release}-{one.id}") for release in RELEASES for one in CASES],
    indirect=["java_side"],
)
def test_same_commands_same_keys_same_result(
    case: MapCase, java_side: JavaClient, shared_server: RedisServer
) -> None:
    handle = java_side.get("map", "q")
    java = _run(shared_server, case, lambda: of_java(lambda: handle.call(*case.java)), frozenset())
    with Redisson.from_url(shared_server.url) as redisson:
        found = redisson.get_map("q", codec=StringCodec())
        python = _run(shared_server, case, lambda: of_python(lambda: case.python(found)), PROBES)
    case.check(java, python)


def _run(
    server: RedisServer, case: MapCase, call: Callable[[], Any], dropped: frozenset[str]
) -> Run:
    with redis.Redis(port=server.port) as raw:
        raw.flushall()
        if case.before:
            raw.hset("q", mapping=dict(case.before))
    spelling = Spelling(QueueNames.of("q"), [], WireFormat.CURRENT, frozenset())
    return record(server, spelling, call, ENVELOPE | CONNECTION | dropped)


@pytest.mark.parametrize(
    ("codec", "ours"), [("Kryo5", Kryo5Codec()), ("JsonJackson", JsonJacksonCodec())]
)
@pytest.mark.parametrize("release", RELEASES)
def test_each_reads_what_the_other_writes(
    java_client: Clients, url: str, release: str, codec: str, ours: Any
) -> None:
    java = java_client(release).get("map", "m", codec=codec)
    with Redisson.from_url(url) as redisson:
        found = redisson.get_map("m", ours.for_release(release))
        found["python"] = ["a", 5, {"b": 1.5}]
        java.call("put", "java", ["a", 5, {"b": 1.5}])
        assert java.call("get", "python") == found["java"] == ["a", 5, {"b": 1.5}]
        assert java.call("readAllMap") == found.read_all_map()
        assert java.call("remove", "python") == found.remove("java")


@pytest.mark.parametrize("release", RELEASES)
def test_a_pattern_and_pages_of_java(java_client: Clients, url: str, release: str) -> None:
    java = java_client(release, codec="String").get("map", "m")
    with Redisson.from_url(url) as redisson:
        found: Map[str, int] = redisson.get_map(
            "m", CompositeCodec(StringCodec(), LongCodec(), StringCodec())
        )
        found.put_all({f"k{number:04}": number for number in range(1200)})
        assert set(java.call("readAllKeySet")) == set(found.keys())
        assert sorted(found.keys("k000*")) == [f"k000{number}" for number in range(10)]


@pytest.mark.parametrize("release", RELEASES)
def test_merge_waits_for_javas_lock_of_the_key(
    java_client: Clients, url: str, release: str
) -> None:
    client = java_client(release, codec="String")
    with Redisson.from_url(url) as redisson:
        found = redisson.get_map("m", StringCodec())
        name = found.get_lock("k").name
        assert client.get("lock", name).call("tryLock", 0, 60, "SECONDS")
        waiting = start(lambda: found.merge("k", "v", max))
        client.get("map", "m").call("put", "k", "w")
        assert client.get("lock", name).call("forceUnlock")
        assert waiting.result() == "w"


@pytest.mark.parametrize("release", RELEASES)
def test_each_key_goes_to_one_of_both(java_client: Clients, url: str, release: str) -> None:
    """Both put keys if absent, and increase a number, at once: nothing is gained or lost."""
    java = java_client(release, codec="String").get("map", "m")
    names = [f"k{number}" for number in range(150)]

    def java_turn() -> list[str]:
        return [key for key in names if java.call("fastPutIfAbsent", key, "java")]

    with Redisson.from_url(url) as redisson:
        found = redisson.get_map("m", StringCodec())

        def python_turn() -> list[str]:
            return [key for key in reversed(names) if found.fast_put_if_absent(key, "python")]

        turns = [start(python_turn), start(java_turn)]
        ours, theirs = (each.result(60) for each in turns)
        assert sorted(ours + theirs) == sorted(names)
        assert found.read_all_map() == dict.fromkeys(ours, "python") | dict.fromkeys(theirs, "java")
        counts = [start(lambda: [found.add_and_get("n", 1) for _ in range(100)])]
        for _ in range(100):
            java.call("addAndGet", "n", 1)
        counts[0].result(60)
        assert found["n"] == "200"
