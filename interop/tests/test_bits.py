"""Bit sets and HyperLogLogs beside Java's: the same commands, keys and results."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from interop.peer.redisson import JavaClient
from interop.peer.values import Java
from interop.tests.conftest import Peers
from interop.tests.support.calls import RELEASES, Call
from interop.tests.support.results import of_java
from pyredisson import BitSet, HyperLogLog, Redisson
from pyredisson.codecs import StringCodec
from tests.support.server import RedisServer

STORED = {"n": b"\x60\x00\xf0", "m": b"\x41"}


def bits(name: str, java: tuple[Any, ...], python: Callable[[BitSet], Any], **more: Any) -> Call:
    def ours(redisson: Redisson) -> Any:
        return python(redisson.get_bit_set("n"))

    return Call(f"bits {name}", "bit_set", java, ours, **{"before": STORED} | more)


def visitors(
    name: str, java: tuple[Any, ...], python: Callable[[HyperLogLog[str]], Any], **more: Any
) -> Call:
    def ours(redisson: Redisson) -> Any:
        return python(redisson.get_hyper_log_log("n", StringCodec()))

    return Call(f"visitors {name}", "hyper_log_log", java, ours, codec="String", **more)


def nothing(_result: Any) -> None:
    """Return None, because releases differ in whether they return the bytes."""


NEW = ("4.7.0",)
SEVERAL = Java("array:p:long", [1, 2, 30])
ONE_COMMAND = "a range is one command, which all see at once"
CASES = [
    bits("get", ("get", 1), lambda b: b.get(1)),
    bits("get several", ("get", 1, 2, 30), lambda b: b.get([1, 2, 30]), releases=NEW),
    bits("set", ("set", 9), lambda b: b.set(9)),
    bits("set false", ("set", 1, False), lambda b: b.set(1, False)),
    bits("set several", ("set", SEVERAL, True), lambda b: b.set([1, 2, 30]), releases=NEW),
    bits(
        "set a range",
        ("set", 8, 11),
        lambda b: b.set_range(8, 11),
        why=ONE_COMMAND,
        java_commands=("setbit n 8 1", "setbit n 9 1", "setbit n 10 1"),
        python_commands=("bitfield n set i3 8 -1",),
    ),
    bits(
        "clear a range",
        ("clear", 16, 18),
        lambda b: b.clear_range(16, 18),
        why=ONE_COMMAND,
        java_commands=("setbit n 16 0", "setbit n 17 0"),
        python_commands=("bitfield n set i2 16 0",),
    ),
    bits("clear", ("clear",), lambda b: b.clear()),
    bits("cardinality", ("cardinality",), lambda b: b.cardinality()),
    bits("size", ("size",), lambda b: b.size()),
    bits("toByteArray", ("toByteArray",), lambda b: b.to_byte_array()),
    bits("not", ("not",), lambda b: nothing(b.not_()), read=nothing),
    bits(
        "xor",
        ("xor", "m"),
        lambda b: nothing(b.xor("m")),
        read=nothing,
    ),
    bits("or", ("or", "m"), lambda b: nothing(b.or_("m")), read=nothing),
    bits("and", ("and", "m"), lambda b: nothing(b.and_("m")), read=nothing),
    bits("getSigned", ("getSigned", 5, 0), lambda b: b.get_signed(5, 0)),
    bits("setSigned", ("setSigned", 5, 0, -3), lambda b: b.set_signed(5, 0, -3)),
    bits(
        "incrementAndGetSigned",
        ("incrementAndGetSigned", 5, 0, -3),
        lambda b: b.increment_and_get_signed(5, 0, -3),
    ),
    bits("getUnsigned", ("getUnsigned", 5, 0), lambda b: b.get_unsigned(5, 0)),
    bits("setUnsigned", ("setUnsigned", 5, 0, 3), lambda b: b.set_unsigned(5, 0, 3)),
    bits(
        "incrementAndGetUnsigned",
        ("incrementAndGetUnsigned", 5, 0, 30),
        lambda b: b.increment_and_get_unsigned(5, 0, 30),
    ),
    bits("getLong", ("getLong", 0), lambda b: b.get_signed(64, 0)),
    visitors("add", ("add", "a"), lambda v: v.add("a")),
    visitors("addAll", ("addAll", ["a", "b"]), lambda v: v.add_all(["a", "b"])),
    visitors("count", ("count",), lambda v: v.count()),
    visitors(
        "countWith",
        ("countWith", "m"),
        lambda v: v.count_with("m"),
    ),
    visitors(
        "mergeWith",
        ("mergeWith", "m"),
        lambda v: v.merge_with("m"),
    ),
]


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


@pytest.mark.parametrize("java_side", RELEASES, indirect=True)
def test_length_of_a_bit_set(java_side: JavaClient, shared_server: RedisServer) -> None:
    """3.19.3 looks only at the last byte, and fails if that byte has no bit."""
    java = java_side.get("bit_set", "length")
    with Redisson.from_url(shared_server.url) as redisson:
        bits = redisson.get_bit_set("length")
        bits.set_bit_set([3, 19])
        assert (java.call("length"), bits.length()) == (20, 20)
        bits.set(19, False)
        assert bits.length() == 4
        found = of_java(lambda: java.call("length"))
        assert found == 4 or "bit offset is not an integer" in found


@pytest.mark.parametrize("java_side", RELEASES, indirect=True)
def test_java_counts_the_values_of_python(
    java_side: JavaClient, shared_server: RedisServer
) -> None:
    java = java_side.get("hyper_log_log", "both", codec="String")
    with Redisson.from_url(shared_server.url) as redisson:
        ours = redisson.get_hyper_log_log("both", StringCodec())
        ours.delete()
        ours.add_all(f"value {number}" for number in range(300))
        assert not java.call("addAll", [f"value {number}" for number in range(300)])
        assert java.call("count") == ours.count()
