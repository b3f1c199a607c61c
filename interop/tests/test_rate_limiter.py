"""RRateLimiter beside Java's: the same keys and bytes, and one rate for both."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
import redis

from interop.peer import Java, JavaError
from interop.peer.values import built
from interop.tests.conftest import Clients
from pyredisson import RateLimiterConfig, RateType, Redisson
from tests.support.dump import dump
from tests.support.monitor import Monitor
from tests.support.server import RedisServer
from tests.support.twins import start

RELEASES = ("4.7.0", "3.19.3")
ARGS = "org.redisson.api.ratelimiter.RateLimiterArgs"
FREE, LOG = "{api}:value", "{api}:permits"


def written(server: RedisServer, call: Callable[[], Any]) -> list[str]:
    """Return what scripts wrote in a call, without times and ids."""
    with Monitor(server) as monitor:
        call()
    words = [
        [each.decode("latin-1") for each in command.arguments]
        for command in monitor.commands
        if command.by_script
    ]
    found = [" ".join(each) for each in words if each[0] in ("set", "zadd", "decrby", "pexpire")]
    return [re.sub(r"\d{13} .*", "NOW ID", each, flags=re.DOTALL) for each in found]


def entries(raw: Any) -> list[tuple[int, int]]:
    """Return the length of the id and the permits of each entry of the log."""
    return [(entry[0], struct.unpack("<I", entry[-4:])[0]) for entry in raw.zrange(LOG, 0, -1)]


@pytest.mark.parametrize("release", RELEASES)
def test_both_store_the_same_rate(
    java_client: Clients, server: RedisServer, raw: redis.Redis, release: str
) -> None:
    """Each step by Java leaves the same keys as that step by Python."""
    java = java_client(release).get("rate_limiter", "api")
    with Redisson.from_url(server.url) as redisson:
        ours = redisson.get_rate_limiter("api")
        states = []
        for set_rate, acquire, available in (
            (
                lambda: ours.try_set_rate(RateType.OVERALL, 3, 60),
                ours.try_acquire,
                ours.available_permits,
            ),
            (
                lambda: java.call("trySetRate", "OVERALL", 3, 60, "SECONDS"),
                lambda *permits: java.call("tryAcquire", *permits),
                lambda: java.call("availablePermits"),
            ),
        ):
            raw.flushdb()
            assert set_rate()
            assert not set_rate()
            assert acquire()
            assert acquire(2)
            assert not acquire()
            assert available() == 0
            rate: Any = raw.hgetall("api")
            rate.setdefault(b"keepAliveTime", b"0")  # 3.19.3 has none
            permits = sorted(permits for _, permits in entries(raw))
            times = [raw.pttl(key) for key in ("api", FREE, LOG)]
            states.append((rate, raw.get(FREE), permits, times, raw.dbsize()))
    assert states[0] == states[1]
    assert states[0][1:] == (b"0", [1, 2], [-1, -1, -1], 3)


@pytest.mark.parametrize("release", RELEASES)
def test_each_counts_what_the_other_has_acquired(
    java_client: Clients, url: str, raw: redis.Redis, release: str
) -> None:
    java = java_client(release).get("rate_limiter", "api")
    with Redisson.from_url(url) as redisson:
        ours = redisson.get_rate_limiter("api")
        assert java.call("trySetRate", "OVERALL", 4, 1, "SECONDS")
        assert ours.get_config() == RateLimiterConfig(
            RateType.OVERALL, 4, timedelta(seconds=1), None
        )
        assert not ours.try_set_rate(RateType.OVERALL, 5, 1)
        assert ours.try_acquire(2)
        assert java.call("availablePermits") == 2
        assert java.call("tryAcquire", 2)
        # in the same millisecond the shorter id is the first one
        assert sorted(entries(raw)) == [(8 if release == "3.19.3" else 16, 2), (16, 2)]
        assert not ours.try_acquire()
        assert not java.call("tryAcquire")
        assert ours.try_acquire(4, timeout=30)
        java.call("acquire", 4)
        ours.acquire(4)
        ours.set_rate(RateType.OVERALL, 7, 60)
        assert java.call("availablePermits") == 7
        assert ours.delete()
        with pytest.raises(JavaError, match="not initialized"):
            java.call("tryAcquire")


def test_each_counts_what_the_other_has_released(
    java_client: Clients, url: str, raw: redis.Redis
) -> None:
    java, old = [java_client(each).get("rate_limiter", "api") for each in RELEASES]
    with Redisson.from_url(url) as redisson:
        ours = redisson.get_rate_limiter("api")
        ours.set_rate(RateType.OVERALL, 5, 60)
        assert java.call("tryAcquire", 3)
        assert ours.release(2) == 2
        assert entries(raw) == [(16, 1)]
        assert java.call("availablePermits") == old.call("availablePermits") == 4
        assert old.call("tryAcquire", 4)
        java.call("release", 1)
        assert ours.available_permits() == 1


@pytest.mark.parametrize("kind", RateType)
def test_updated_rate_leaves_the_same_keys(
    java_client: Clients, url: str, raw: redis.Redis, kind: RateType
) -> None:
    """Each step by Java leaves the same keys as that step by Python."""
    java = java_client("4.7.0").get("rate_limiter", "api")

    def theirs(rate: int, *more: tuple[Any, ...]) -> bool:
        kinds = Java("enum", ["org.redisson.api.RateType", kind.value])
        args = built(ARGS, ("of", kinds, rate, timedelta(seconds=60)), *more)
        return bool(java.call("updateRate", args))

    with Redisson.from_url(url) as redisson:
        ours = redisson.get_rate_limiter("api")
        states: list[list[Any]] = [[], []]
        minutes = timedelta(minutes=2)
        steps = (
            (lambda: ours.update_rate(kind, 3, 60), lambda: theirs(3)),
            (
                lambda: ours.try_set_rate(kind, 3, 60),
                lambda: java.call("trySetRate", kind.value, 3, 60, "SECONDS"),
            ),
            (lambda: ours.try_acquire(2), lambda: java.call("tryAcquire", 2)),
            (
                lambda: ours.update_rate(kind, 9, 60, keep_state=True),
                lambda: theirs(9, ("keepState", True)),
            ),
            (lambda: ours.update_rate(kind, 4, 60), lambda: theirs(4)),
            (
                lambda: ours.update_rate(kind, 1, 60, minutes, keep_state=True),
                lambda: theirs(1, ("keepState", True), ("keepAliveTime", minutes)),
            ),
            (ours.try_acquire, lambda: java.call("tryAcquire")),
            (ours.available_permits, lambda: java.call("availablePermits")),
        )
        for side in (0, 1):
            raw.flushdb()
            for step in steps:
                result = step[side]()
                free = [raw.get(key) for key in raw.scan_iter("*:value*")]
                states[side].append((result, raw.hgetall("api"), free, raw.pttl("api") > 60_000))
    assert states[0] == states[1]


@pytest.mark.parametrize("release", ["3.27.2", *RELEASES])
def test_java_and_python_share_one_rate(
    java_client: Clients, server: RedisServer, release: str
) -> None:
    """By the server's log, an interval never has more permits than the rate."""
    rate, interval, each = 10, 0.3, 15
    client = java_client(release)
    with Redisson.from_url(server.url) as redisson:
        redisson.get_rate_limiter("api").try_set_rate(RateType.OVERALL, rate, interval)

        def python_turn() -> None:
            limiter = redisson.get_rate_limiter("api")
            for _ in range(each):
                limiter.acquire()

        def java_turn() -> None:
            limiter = client.get("rate_limiter", "api", handle=uuid4().hex)
            for _ in range(each):
                limiter.call("acquire", 1)

        with Monitor(server) as monitor:
            for turn in [start(turn) for turn in (java_turn, python_turn) for _ in range(2)]:
                turn.result(120)
    times = [command.seconds for command in monitor.commands if command.name == "ZADD"]
    assert len(times) == 4 * each
    gaps = [later - first for first, later in zip(times, times[rate + 1 :], strict=False)]
    assert min(gaps) >= interval * 0.8, "a request of Java's takes a while"


def test_java_s_lost_permits_are_found(java_client: Clients, url: str, raw: redis.Redis) -> None:
    """Java counts permits twice if it sends a request twice, and fails where a key was evicted."""
    java = java_client("4.7.0").get("rate_limiter", "api")
    with Redisson.from_url(url) as redisson:
        ours = redisson.get_rate_limiter("api")
        ours.try_set_rate(RateType.OVERALL, 3, 60)
        assert java.call("tryAcquire", 2)
        raw.set(FREE, 0)
        raw.delete(LOG)
        with pytest.raises(JavaError, match="nil value"):
            java.call("tryAcquire")
        assert ours.try_acquire()
        assert java.call("availablePermits") == 2


@pytest.mark.parametrize("release", RELEASES)
def test_a_rate_for_each_client(
    java_client: Clients, url: str, raw: redis.Redis, release: str
) -> None:
    clients = [java_client(release) for _ in range(2)]
    with Redisson.from_url(url) as redisson:
        ours = redisson.get_rate_limiter("api")
        assert ours.try_set_rate(RateType.PER_CLIENT, 1, 60)
        for client in clients:
            assert client.get("rate_limiter", "api").call("tryAcquire")
            assert not client.get("rate_limiter", "api").call("tryAcquire")
        assert ours.try_acquire()
        assert not ours.try_acquire()
        assert raw.dbsize() == 7
        assert clients[0].get("rate_limiter", "api").call("delete")
        assert ours.get_config() is None


def test_keep_alive(java_client: Clients, server: RedisServer, raw: redis.Redis) -> None:
    java = java_client("4.7.0").get("rate_limiter", "api")
    minute = timedelta(minutes=1)
    with Redisson.from_url(server.url) as redisson:
        ours = redisson.get_rate_limiter("api")
        assert java.call("trySetRate", "OVERALL", 3, minute, timedelta(minutes=2))
        assert ours.get_config() == RateLimiterConfig(RateType.OVERALL, 3, minute, 2 * minute)
        commands = written(server, ours.try_acquire)
        raw.delete(FREE, LOG)
        java.call("tryAcquire")
        assert commands[-3:] == written(server, lambda: java.call("tryAcquire"))[-3:]
        assert commands[-3:] == [f"pexpire {key} 120000" for key in ("api", FREE, LOG)]
        before = dump(raw)
        with pytest.raises(JavaError):
            java.call("setRate", "OVERALL", 3, minute, timedelta(seconds=1))
        with pytest.raises(ValueError, match="keep_alive"):
            ours.set_rate(RateType.OVERALL, 3, minute, 1)
        assert dump(raw) == before


@pytest.mark.parametrize("release", RELEASES)
def test_the_same_commands(java_client: Clients, server: RedisServer, release: str) -> None:
    java = java_client(release).get("rate_limiter", "api")
    with Redisson.from_url(server.url) as redisson:
        ours = redisson.get_rate_limiter("api")
        ours.try_set_rate(RateType.OVERALL, 9, 60)
        ours.try_acquire()
        java.call("tryAcquire")
        expected = [f"zadd {LOG} NOW ID", f"decrby {FREE} 2"]
        assert written(server, lambda: java.call("tryAcquire", 2)) == expected
        assert written(server, lambda: ours.try_acquire(2)) == expected
        with Monitor(server) as monitor:
            ours.try_acquire()
        [call] = [each for each in monitor.commands if each.name == "EVALSHA"]
        keys = [key.decode() for key in call.arguments[3:8]]
        own = redisson._context.identity.client_id
        assert keys == ["api", FREE, f"{FREE}:{own}", LOG, f"{LOG}:{own}"]
