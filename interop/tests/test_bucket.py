"""Every operation of RBucket, beside Java's: the same commands, the same key, the same result."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from operator import methodcaller
from typing import Any

import pytest
import redis

from interop.peer.redisson import JavaClient
from interop.peer.values import Java, built
from interop.tests.conftest import Peers
from interop.tests.support.expected import Expected
from interop.tests.support.pair import AT
from interop.tests.support.queue_cases import SET_BEFOREHAND
from interop.tests.support.results import of_java, of_python
from interop.tests.support.trace import CONNECTION, ENVELOPE, PROBES, Run, Spelling, record
from pyredisson import Bucket, Redisson, WireFormat
from pyredisson.codecs import StringCodec
from pyredisson.protocol.kernel.names import QueueNames
from tests.support.server import RedisServer

RELEASES = ("4.7.0", "3.19.3")
DELETED = "org.redisson.api.bucket.CompareAndDeleteArgs"
MINUTE = Java("duration", "PT60S")
AT_UTC = datetime(2100, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class BucketCase(Expected):
    """One call on the bucket ``q`` that holds ``before``, for ever or for ``ttl_ms``."""

    id: str = ""
    before: str = ""
    java: tuple[Any, ...] = ()
    python: Callable[[Bucket[str]], Any] = repr
    ttl_ms: int | None = None
    releases: tuple[str, ...] = RELEASES


def case(
    name: str, before: str, java: tuple[Any, ...], python: Callable[[Bucket[str]], Any], **more: Any
) -> BucketCase:
    return BucketCase(id=name, before=before, java=java, python=python, **more)


CASES = [
    case("get", "v", ("get",), lambda b: b.get()),
    case("get nothing", "", ("get",), lambda b: b.get()),
    case("size", "größe", ("size",), lambda b: b.size()),
    case("set", "v", ("set", "w"), lambda b: b.set("w"), ttl_ms=60_000),
    case("set null", "v", ("set", None), lambda b: b.set(None)),
    case("set for a minute", "", ("set", "w", 1, "MINUTES"), lambda b: b.set("w", 60)),
    case(
        "setAndKeepTTL",
        "v",
        ("setAndKeepTTL", "w"),
        lambda b: b.set_and_keep_ttl("w"),
        ttl_ms=60_000,
    ),
    case("trySet", "", ("trySet", "w"), lambda b: b.try_set("w")),
    case("trySet in vain", "v", ("trySet", "w"), lambda b: b.try_set("w")),
    case("trySet for a minute", "", ("trySet", "w", 1, "MINUTES"), lambda b: b.try_set("w", 60)),
    case("setIfAbsent", "", ("setIfAbsent", "w"), lambda b: b.set_if_absent("w")),
    case(
        "setIfAbsent for a minute",
        "v",
        ("setIfAbsent", "w", MINUTE),
        lambda b: b.set_if_absent("w", 60),
    ),
    case("setIfExists", "v", ("setIfExists", "w"), lambda b: b.set_if_exists("w"), ttl_ms=60_000),
    case("setIfExists in vain", "", ("setIfExists", "w"), lambda b: b.set_if_exists("w")),
    case(
        "setIfExists for a minute",
        "v",
        ("setIfExists", "w", 1, "MINUTES"),
        lambda b: b.set_if_exists("w", 60),
    ),
    case("getAndSet", "v", ("getAndSet", "w"), lambda b: b.get_and_set("w"), ttl_ms=60_000),
    case(
        "getAndSet for a minute",
        "v",
        ("getAndSet", "w", 1, "MINUTES"),
        lambda b: b.get_and_set("w", 60),
    ),
    case("getAndDelete", "v", ("getAndDelete",), lambda b: b.get_and_delete()),
    case("getAndDelete nothing", "", ("getAndDelete",), lambda b: b.get_and_delete()),
    case(
        "compareAndSet",
        "v",
        ("compareAndSet", "v", "w"),
        lambda b: b.compare_and_set("v", "w"),
        ttl_ms=60_000,
    ),
    case(
        "compareAndSet in vain",
        "v",
        ("compareAndSet", "x", "w"),
        lambda b: b.compare_and_set("x", "w"),
    ),
    case(
        "compareAndSet from null",
        "",
        ("compareAndSet", None, "w"),
        lambda b: b.compare_and_set(None, "w"),
    ),
    case(
        "compareAndSet to null",
        "v",
        ("compareAndSet", "v", None),
        lambda b: b.compare_and_set("v", None),
    ),
    case(
        "compareAndSet of null",
        "v",
        ("compareAndSet", None, None),
        lambda b: b.compare_and_set(None, None),
    ),
    *(
        case(
            f"compareAndDelete {which} {value} of {before!r}",
            before,
            ("compareAndDelete", built(DELETED, (which, value))),
            methodcaller("compare_and_delete", value, unexpected=which == "unexpected"),
            releases=("4.7.0",),
        )
        for which in ("expected", "unexpected")
        for before, value in (("v", "v"), ("v", "w"), ("", "v"))
    ),
    case("getAndExpire", "v", ("getAndExpire", MINUTE), lambda b: b.get_and_expire(60)),
    case(
        "getAndExpire at",
        "v",
        ("getAndExpire", Java("instant", "2100-01-01T00:00:00Z")),
        lambda b: b.get_and_expire_at(AT_UTC),
    ),
    case(
        "getAndClearExpire",
        "v",
        ("getAndClearExpire",),
        lambda b: b.get_and_clear_expire(),
        ttl_ms=60_000,
    ),
    case("delete", "v", ("delete",), lambda b: b.delete()),
    case("unlink", "v", ("unlink",), lambda b: b.unlink()),
    case("isExists", "v", ("isExists",), lambda b: b.is_exists()),
    case("touch", "v", ("touch",), lambda b: b.touch()),
    case("expire", "v", ("expire", MINUTE), lambda b: b.expire(60)),
    case("clearExpire", "v", ("clearExpire",), lambda b: b.clear_expire(), ttl_ms=60_000),
    case(
        "rename",
        "v",
        ("rename", "r"),
        lambda b: b.rename("r"),
        why=SET_BEFOREHAND,
        java_commands=("rename q r",),
        python_commands=("exists q", "exists q", "rename q r"),
    ),
    case(
        "renamenx",
        "v",
        ("renamenx", "r"),
        lambda b: b.renamenx("r"),
        why=SET_BEFOREHAND,
        java_commands=("renamenx q r",),
        python_commands=("exists q", "exists r", "exists q", "rename q r"),
    ),
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
        for one in CASES
        for release in one.releases
    ],
    indirect=["java_side"],
)
def test_same_commands_same_keys_same_result(
    case: BucketCase, java_side: JavaClient, shared_server: RedisServer
) -> None:
    handle = java_side.get("bucket", "q", handle=case.id)
    java, java_ttl = _run(
        shared_server, case, lambda: of_java(lambda: handle.call(*case.java)), frozenset()
    )
    with Redisson.from_url(shared_server.url) as redisson:
        bucket = redisson.get_bucket("q", codec=StringCodec())
        python, ttl = _run(
            shared_server, case, lambda: of_python(lambda: case.python(bucket)), PROBES
        )
    case.check(java, python)
    assert ttl == java_ttl


def _run(
    server: RedisServer, case: BucketCase, call: Callable[[], Any], dropped: frozenset[str]
) -> tuple[Run, int]:
    """Return what the call did, and how many minutes the value then stays."""
    with redis.Redis(port=server.port) as raw:
        raw.flushall()
        if case.before:
            raw.set("q", case.before, px=case.ttl_ms)
        spelling = Spelling(QueueNames.of("q"), [], WireFormat.CURRENT, frozenset([b"%d" % AT]))
        run = record(server, spelling, call, ENVELOPE | CONNECTION | dropped)
        return run, round(raw.ttl("q") / 60)
