"""Several buckets, and keys of any type, beside Java's: the same commands, keys and results."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import redis

from interop.peer.redisson import JavaClient
from interop.tests.conftest import Peers
from interop.tests.support.calls import RELEASES, Call
from pyredisson import Buckets, Keys, Redisson
from pyredisson.codecs import StringCodec
from tests.support.server import RedisServer

STORED = {"n": b"v", "m": b"w"}


def buckets(
    name: str, java: tuple[Any, ...], python: Callable[[Buckets[str]], Any], **more: Any
) -> Call:
    def ours(redisson: Redisson) -> Any:
        return python(redisson.get_buckets(StringCodec()))

    return Call(f"buckets {name}", "buckets", java, ours, **{"before": STORED, "name": ""} | more)


def keys(name: str, java: tuple[Any, ...], python: Callable[[Keys], Any], **more: Any) -> Call:
    def ours(redisson: Redisson) -> Any:
        return python(redisson.get_keys())

    return Call(f"keys {name}", "keys", java, ours, **{"before": STORED, "name": ""} | more)


BOTH = {"a": "1", "n": "2"}
CASES = [
    buckets("get", ("get", "n", "none", "m"), lambda b: b.get("n", "none", "m")),
    buckets("set", ("set", BOTH), lambda b: b.set(BOTH)),
    buckets("trySet", ("trySet", {"a": "1"}), lambda b: b.try_set({"a": "1"})),
    buckets("trySet no", ("trySet", BOTH), lambda b: b.try_set(BOTH)),
    buckets("set nothing", ("set", {}), lambda b: b.set({})),
    buckets("trySet nothing", ("trySet", {}), lambda b: b.try_set({})),
    keys("count", ("count",), lambda k: k.count()),
    keys(
        "countExists", ("countExists", "n", "none", "n"), lambda k: k.count_exists("n", "none", "n")
    ),
    keys("delete", ("delete", "n", "none"), lambda k: k.delete("n", "none")),
    keys("unlink", ("unlink", "n", "none"), lambda k: k.unlink("n", "none")),
    keys("touch", ("touch", "n", "none"), lambda k: k.touch("n", "none")),
    keys("deleteByPattern", ("deleteByPattern", "m*"), lambda k: k.delete_by_pattern("m*")),
    keys("expire", ("expire", "n", 60, "SECONDS"), lambda k: k.expire("n", 60)),
    keys("clearExpire", ("clearExpire", "n"), lambda k: k.clear_expire("n")),
    keys(
        "remainTimeToLive",
        ("remainTimeToLive", "n"),
        lambda k: k.remain_time_to_live("n"),
        read=lambda left: None if left < 0 else left,
    ),
    keys("rename", ("rename", "n", "r"), lambda k: k.rename("n", "r")),
    keys("renamenx", ("renamenx", "n", "m"), lambda k: k.renamenx("n", "m")),
    keys("move", ("move", "n", 1), lambda k: k.move("n", 1)),
    keys("randomKey", ("randomKey",), lambda k: k.random_key(), before={"n": b"v"}),
]


@pytest.fixture(scope="module")
def java_side(
    request: pytest.FixtureRequest, java: Peers, shared_server: RedisServer
) -> Iterator[JavaClient]:
    with java(request.param).client(shared_server.url, codec="String") as client:
        yield client


@pytest.mark.parametrize(
    ("java_side", "case"),
    [
        pytest.param(release, one, id=f"{release}-{one.id}")
        for release in RELEASES
        for one in CASES
        if release in one.releases
    ],
    indirect=["java_side"],
)
def test_same_commands_same_keys_same_result(
    case: Call, java_side: JavaClient, shared_server: RedisServer
) -> None:
    case.compare(java_side, shared_server)


@pytest.mark.parametrize("java_side", RELEASES, indirect=True)
def test_keys_by_pattern(java_side: JavaClient, shared_server: RedisServer) -> None:
    java = java_side.get("keys", "")
    with redis.Redis(port=shared_server.port) as raw, Redisson.from_url(shared_server.url) as ours:
        raw.flushall()
        raw.mset({f"k{number}": "v" for number in range(300)})
        found = {*ours.get_keys().get_keys_by_pattern("k1*")}
        assert len(found) == 111
        assert java.call("getType", "k1")[-1] == "OBJECT"
        assert ours.get_keys().get_type("k1") == "string"
        assert java.call("deleteByPattern", "k1*") == 111
        assert ours.get_keys().delete_by_pattern("k*") == 189
