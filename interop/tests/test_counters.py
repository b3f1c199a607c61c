"""Counters beside Java's: the same commands, keys and results, and no increment is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import methodcaller
from typing import Any

import pytest
import redis

from interop.peer.redisson import JavaClient
from interop.tests.conftest import Clients, Peers
from interop.tests.support.calls import RELEASES, Call
from pyredisson import AtomicDouble, AtomicLong, IdGenerator, Redisson
from tests.support.server import RedisServer
from tests.support.twins import start

BIG = 2**63 - 1


def long(
    name: str,
    before: str,
    java: tuple[Any, ...],
    python: Callable[[AtomicLong], Any],
    **more: Any,
) -> Call:
    stored = {"n": before.encode()} if before else {}

    def ours(redisson: Redisson) -> Any:
        return python(redisson.get_atomic_long("n"))

    return Call(f"long {name}", "atomic_long", java, ours, stored, **more)


def double(
    name: str,
    before: str,
    java: tuple[Any, ...],
    python: Callable[[AtomicDouble], Any],
    **more: Any,
) -> Call:
    stored = {"n": before.encode()} if before else {}

    def ours(redisson: Redisson) -> Any:
        return python(redisson.get_atomic_double("n"))

    return Call(f"double {name}", "atomic_double", java, ours, stored, **more)


def ids(
    name: str,
    before: dict[str, bytes],
    java: tuple[Any, ...],
    python: Callable[[IdGenerator], Any],
    **more: Any,
) -> Call:
    def ours(redisson: Redisson) -> Any:
        return python(redisson.get_id_generator("n"))

    return Call(f"ids {name}", "id_generator", java, ours, before, **more)


LONGS = [
    long("get", "5", ("get",), lambda n: n.get()),
    long("get none", "", ("get",), lambda n: n.get()),
    long("set", "5", ("set", -(2**63)), lambda n: n.set(-(2**63))),
    long("incrementAndGet", "5", ("incrementAndGet",), lambda n: n.increment_and_get()),
    long("getAndIncrement", "", ("getAndIncrement",), lambda n: n.get_and_increment()),
    long("decrementAndGet", "", ("decrementAndGet",), lambda n: n.decrement_and_get()),
    long("getAndDecrement", "5", ("getAndDecrement",), lambda n: n.get_and_decrement()),
    long("addAndGet", "5", ("addAndGet", 10), lambda n: n.add_and_get(10)),
    long("getAndAdd", "5", ("getAndAdd", -10), lambda n: n.get_and_add(-10)),
    long("getAndSet", "5", ("getAndSet", BIG), lambda n: n.get_and_set(BIG)),
    long("getAndSet none", "", ("getAndSet", 7), lambda n: n.get_and_set(7)),
    long("getAndDelete", "5", ("getAndDelete",), lambda n: n.get_and_delete()),
    long("getAndDelete none", "", ("getAndDelete",), lambda n: n.get_and_delete()),
    long("compareAndSet", "5", ("compareAndSet", 5, 6), lambda n: n.compare_and_set(5, 6)),
    long("compareAndSet no", "5", ("compareAndSet", 4, 6), lambda n: n.compare_and_set(4, 6)),
    long("compareAndSet none", "", ("compareAndSet", 0, 6), lambda n: n.compare_and_set(0, 6)),
    long("compareAndSet 05", "05", ("compareAndSet", 5, 6), lambda n: n.compare_and_set(5, 6)),
    *(
        long(
            f"{method} {before} {bound}",
            before,
            (method, bound, 9),
            methodcaller(name, bound, 9),
            releases=("4.7.0",),
        )
        for method, name in (("setIfLess", "set_if_less"), ("setIfGreater", "set_if_greater"))
        for before, bound in (("5", 6), ("5", 5), ("5", 4), ("", 1), ("", -1))
    ),
    long(
        "setIfGreater of neighbours",
        str(BIG),
        ("setIfGreater", BIG - 1, 1),
        lambda n: n.set_if_greater(BIG - 1, 1),
        why="Redisson compares doubles, of which these are equal",
        releases=("4.7.0",),
        java_commands=("get n",),
        python_commands=("get n", "set n 1"),
        keys_differ=True,
        results_differ=(False, True),
    ),
    long("delete", "5", ("delete",), lambda n: n.delete()),
]
DOUBLES = [
    double("get", "0.5", ("get",), lambda n: n.get()),
    double("get none", "", ("get",), lambda n: n.get()),
    *(
        double(f"set {value}", "", ("set", value), methodcaller("set", value))
        for value in (0.1, 1e-7, 1e20, 1e22, 2.5, -0.0, 12345678901234567.0)
    ),
    double("incrementAndGet", "0.5", ("incrementAndGet",), lambda n: n.increment_and_get()),
    double("getAndIncrement", "", ("getAndIncrement",), lambda n: n.get_and_increment()),
    double("decrementAndGet", "", ("decrementAndGet",), lambda n: n.decrement_and_get()),
    double("getAndDecrement", "0.5", ("getAndDecrement",), lambda n: n.get_and_decrement()),
    double("addAndGet", "0.1", ("addAndGet", 0.2), lambda n: n.add_and_get(0.2)),
    double("getAndAdd", "0.1", ("getAndAdd", -0.2), lambda n: n.get_and_add(-0.2)),
    double("getAndSet", "0.5", ("getAndSet", 7.25), lambda n: n.get_and_set(7.25)),
    double("getAndDelete", "0.5", ("getAndDelete",), lambda n: n.get_and_delete()),
    double("getAndDelete none", "", ("getAndDelete",), lambda n: n.get_and_delete()),
    double("compareAndSet", "5", ("compareAndSet", 5.0, 6.0), lambda n: n.compare_and_set(5, 6)),
    double("compareAndSet no", "4", ("compareAndSet", 5.0, 6.0), lambda n: n.compare_and_set(5, 6)),
    double(
        "compareAndSet none", "", ("compareAndSet", 0.0, 6.0), lambda n: n.compare_and_set(0, 6)
    ),
    double(
        "setIfLess",
        "5",
        ("setIfLess", 5.5, 6.0),
        lambda n: n.set_if_less(5.5, 6),
        releases=("4.7.0",),
    ),
    double(
        "setIfGreater",
        "5",
        ("setIfGreater", 5.0, 6.0),
        lambda n: n.set_if_greater(5, 6),
        releases=("4.7.0",),
    ),
]
SIZE = {"{n}:allocation": b"3"}
READS_FIRST = "it reads all before it writes"
IDS = [
    ids("tryInit", {}, ("tryInit", 5, 10), lambda n: n.try_init(5, 10)),
    ids("tryInit again", {"n": b"1"}, ("tryInit", 5, 10), lambda n: n.try_init(5, 10)),
    ids("tryInit late", SIZE, ("tryInit", 5, 10), lambda n: n.try_init(5, 10)),
    ids(
        "nextId",
        {},
        ("nextId",),
        lambda n: n.next_id(),
        why=READS_FIRST,
        java_commands=(
            "get {n}:allocation",
            "set {n}:allocation 5000",
            "get n",
            "incr n",
            "incrby n 5000",
        ),
        python_commands=(
            "get {n}:allocation",
            "get n",
            "set {n}:allocation 5000",
            "incr n",
            "incrby n 5000",
        ),
    ),
    ids("nextId of a block", SIZE | {"n": b"7"}, ("nextId",), lambda n: n.next_id()),
    ids("delete", SIZE | {"n": b"7"}, ("delete",), lambda n: n.delete()),
]
CASES = [*LONGS, *DOUBLES, *IDS]


@pytest.fixture(scope="module")
def java_side(
    request: pytest.FixtureRequest, java: Peers, shared_server: RedisServer
) -> Iterator[JavaClient]:
    with java(request.param).client(shared_server.url) as client:
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


@pytest.mark.parametrize("release", RELEASES)
def test_both_count_at_the_same_time(
    java_client: Clients, url: str, raw: redis.Redis, release: str
) -> None:
    """Each number is returned once, to one of them."""
    java = java_client(release).get("atomic_long", "n")
    with Redisson.from_url(url) as redisson:
        number = redisson.get_atomic_long("n")
        ours = [start(lambda: [number.increment_and_get() for _ in range(200)]) for _ in range(2)]
        theirs = start(lambda: [java.call("incrementAndGet") for _ in range(200)])
        found = [each for turn in (*ours, theirs) for each in turn.result(60)]
    assert sorted(found) == list(range(1, 601))
    assert raw.get("n") == b"600"


@pytest.mark.parametrize("release", RELEASES)
def test_no_id_comes_twice(java_client: Clients, url: str, raw: redis.Redis, release: str) -> None:
    java = java_client(release).get("id_generator", "ids")
    with Redisson.from_url(url) as redisson:
        assert redisson.get_id_generator("ids").try_init(1, 7)

        def turn() -> list[int]:
            generator = redisson.get_id_generator("ids")
            return [generator.next_id() for _ in range(100)]

        ours = [start(turn) for _ in range(2)]
        theirs = start(lambda: [java.call("nextId") for _ in range(100)])
        found = [each for one in (*ours, theirs) for each in one.result(60)]
    assert len(set(found)) == 300
    assert raw.get("ids") == b"316", "three blocks are in use"
