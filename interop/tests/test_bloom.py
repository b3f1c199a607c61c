"""RBloomFilter beside Java's: the same commands, the same bits, and one answer for both."""

from __future__ import annotations

import random
from typing import Any

import pytest
import redis

from interop.tests.conftest import Clients
from interop.tests.test_lock import scripted
from pyredisson import BloomFilter, BloomFilterError, Redisson
from pyredisson.codecs import Kryo5Codec, LongCodec, StringCodec
from tests.support.server import RedisServer
from tests.support.twins import start

RELEASES = ("4.7.0", "3.27.2", "3.19.3")
PARAMETERS = ((1000, 0.03), (10, 1e-9), (55_000, 0.2), (7, 0.5), (123_456, 0.0101))
CURRENT = ("hget {f}:config size", "hget {f}:config hashIterations")
MADE = (
    "exists {f}:config",
    "hset {f}:config size 7298",
    "hset {f}:config hashIterations 5",
    "hset {f}:config expectedInsertions 1000",
    "hset {f}:config falseProbability 0.03",
)
ADDED = (*CURRENT, *(f"setbit f {at} 1" for at in (6595, 980, 1089, 2772, 2881)))
FOUND = (*CURRENT, *(f"getbit f {at}" for at in (6595, 980, 1089, 2772, 2881)))


def values(kind: str, number: int) -> list[Any]:
    rng = random.Random(5)
    if kind == "Long":
        return [rng.randrange(-(2**63), 2**63) for _ in range(number)]
    texts = ("".join(chr(rng.randrange(32, 0x2FF)) for _ in range(size)) for size in range(number))
    return list(texts)


def test_the_same_commands(java_client: Clients, server: RedisServer, raw: redis.Redis) -> None:
    """Redisson 4.7.0 has scripts; older releases check in a script and send the rest after it."""
    java = java_client("4.7.0", codec="String").get("bloom_filter", "f")
    with Redisson.from_url(server.url) as redisson:
        bloom = redisson.get_bloom_filter("f", StringCodec())
        bloom.try_init(1, 0.5)
        bloom.exists([str(bloom.add("load")), str(bloom.count())])
        for call in (lambda: java.call("tryInit", 1000, 0.03), lambda: bloom.try_init(1000, 0.03)):
            raw.delete("{f}:config", "f")
            assert scripted(server, call) == MADE
        first = (*CURRENT, "exists f", "pttl {f}:config", *ADDED[len(CURRENT) :])
        assert scripted(server, lambda: bloom.add("hello")) == first, "for their time to live"
        assert scripted(server, lambda: java.call("add", "hello")) == ADDED
        assert scripted(server, lambda: bloom.contains("hello")) == FOUND
        assert scripted(server, lambda: java.call("contains", "hello")) == FOUND


@pytest.mark.parametrize("release", RELEASES)
def test_the_same_bits(java_client: Clients, url: str, raw: redis.Redis, release: str) -> None:
    client = java_client(release)
    codecs: dict[str, Any] = {"String": StringCodec(), "Long": LongCodec(), "Kryo5": Kryo5Codec()}
    with Redisson.from_url(url) as redisson:
        for number, parameters in enumerate(PARAMETERS):
            kind = [*codecs][number % 3]
            java = client.get("bloom_filter", f"j{number}", codec=kind)
            python: BloomFilter[Any] = redisson.get_bloom_filter(f"p{number}", codecs[kind])
            assert java.call("tryInit", *parameters)
            assert python.try_init(*parameters)
            some = values(kind, 80)
            for value in some:
                java.call("add", value)
            python.add_all(some)
            assert raw.get(f"j{number}") == raw.get(f"p{number}"), parameters
            assert raw.strlen(f"j{number}") > 0
            assert python.count() == java.call("count")


@pytest.mark.parametrize("release", RELEASES)
def test_each_finds_what_the_other_adds(
    java_client: Clients, url: str, raw: redis.Redis, release: str
) -> None:
    java = java_client(release).get("bloom_filter", "f", codec="String")
    with Redisson.from_url(url) as redisson:
        bloom = redisson.get_bloom_filter("f", StringCodec())
        assert bloom.try_init(10, 1e-9)
        assert not java.call("tryInit", 10, 1e-9)
        assert not bloom.try_init(10, 1e-9)
        assert java.call("getExpectedInsertions") == bloom.get_expected_insertions() == 10
        assert java.call("getFalseProbability") == bloom.get_false_probability() == 1e-9
        assert java.call("getSize") == bloom.get_size() == 431
        assert java.call("getHashIterations") == bloom.get_hash_iterations() == 30
        assert java.call("add", "from Java")
        assert bloom.add("from Python")
        assert bloom.contains_all(["from Java", "from Python"])
        assert java.call("contains", "from Python")
        assert not java.call("contains", "another")
        assert not bloom.contains("another")
        assert bloom.is_exists() == java.call("isExists") is True
        assert java.call("delete")
        assert not raw.keys()
        with pytest.raises(BloomFilterError, match="not initialized"):
            bloom.contains("from Java")


@pytest.mark.parametrize("release", RELEASES)
def test_java_initializes_it_with_other_parameters(
    java_client: Clients, url: str, release: str
) -> None:
    """Java's tryInit with other parameters overwrites them before 4.7.0; here it raises."""
    java = java_client(release).get("bloom_filter", "f", codec="String")
    with Redisson.from_url(url) as redisson:
        bloom = redisson.get_bloom_filter("f", StringCodec())
        bloom.try_init(1000, 0.03)
        bloom.add("a")
        assert not java.call("tryInit", 5000, 0.01)
        overwritten = release != "4.7.0"
        assert bloom.get_expected_insertions() == (5000 if overwritten else 1000)
        assert bloom.contains("a") is not overwritten
        assert bloom.add("b")
        assert bloom.contains("b")
        if overwritten:
            assert java.call("contains", "b")
        with pytest.raises(BloomFilterError, match="other parameters"):
            bloom.try_init(77, 0.01)


def test_each_value_is_new_for_one_client(java_client: Clients, url: str) -> None:
    """If several clients add the same values at once, only one learns that a value is new."""
    java = java_client("4.7.0").get("bloom_filter", "f", codec="String")
    with Redisson.from_url(url) as redisson:
        bloom = redisson.get_bloom_filter("f", StringCodec())
        bloom.try_init(10_000, 1e-9)
        some = [f"v{number}" for number in range(150)]
        added = [
            *(start(lambda: sum(map(bloom.add, some))) for _ in range(2)),
            *(start(lambda: sum(java.call("add", value) for value in some)) for _ in range(2)),
        ]
        assert sum(each.result(60) for each in added) == len(some)
