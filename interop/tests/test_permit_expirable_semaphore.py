"""RPermitExpirableSemaphore beside Java's: the same keys and ids, and no permit too many."""

from __future__ import annotations

import time
from typing import Any
from uuid import uuid4

import pytest
import redis

from interop.peer import JavaError
from interop.tests.conftest import Clients
from pyredisson import PermitLostError, Redisson
from tests.support.monitor import Monitor
from tests.support.server import RedisServer
from tests.support.twins import start, until

RELEASES = ("4.7.0", "3.19.3")
CHANNEL, LEASES = "redisson_sc:{pool}", "{pool}:timeout"
KIND = "permit_expirable_semaphore"
NEVER = 922337203685477


@pytest.mark.parametrize("release", RELEASES)
def test_both_store_the_same_permits(
    java_client: Clients, url: str, raw: Any, release: str
) -> None:
    java = java_client(release).get(KIND, "pool")
    with Redisson.from_url(url) as redisson:
        ours = redisson.get_permit_expirable_semaphore("pool")
        assert ours.try_set_permits(4)
        assert not java.call("trySetPermits", 5)
        mine, his = ours.acquire(), java.call("acquire")
        assert sorted(raw.zrange(LEASES, 0, -1, withscores=True)) == sorted(
            (bytes.fromhex(each), float(NEVER)) for each in (mine, his)
        )
        mine_too = ours.acquire(lease=60)
        his_too = java.call("acquire", 60, "SECONDS")
        ends = [raw.zscore(LEASES, bytes.fromhex(each)) for each in (mine_too, his_too)]
        assert abs(ends[0] - ends[1]) < 30_000
        assert ours.try_acquire() is None
        assert java.call("tryAcquire") is None
        assert ours.available_permits() == java.call("availablePermits") == 0
        assert ours.acquired_permits() == 4
        assert java.call("tryRelease", mine)
        assert ours.try_release(his)
        java.call("release", mine_too)
        ours.release(his_too)
        with pytest.raises(PermitLostError):
            ours.release(mine)
        with pytest.raises(JavaError) as caught:
            java.call("release", his)
        assert "already been released" in str(caught.value.causes)
        assert (raw.get("pool"), raw.exists(LEASES)) == (b"4", 0)


@pytest.mark.parametrize("release", RELEASES)
def test_each_wakes_the_other(java_client: Clients, url: str, raw: Any, release: str) -> None:
    java = java_client(release).get(KIND, "pool")

    def listening() -> None:
        until(lambda: raw.pubsub_numsub(CHANNEL)[0][1] > 0, "somebody waits")
        time.sleep(0.1)

    with Redisson.from_url(url) as redisson:
        ours = redisson.get_permit_expirable_semaphore("pool")
        ours.try_set_permits(1)
        mine = ours.acquire()
        waiting = java.background("acquire")
        listening()
        ours.release(mine)
        his = waiting.result().value.plain()
        ours_waits = start(lambda: ours.acquire(lease=0.3))
        listening()
        java.call("release", his)
        assert ours_waits.result()
        assert java.call("tryAcquire", 30, 60, "SECONDS"), "the lease of ours has ended"


@pytest.mark.parametrize("release", RELEASES)
def test_a_lease_of_java_s_ends_here(java_client: Clients, url: str, release: str) -> None:
    java = java_client(release).get(KIND, "pool")
    with Redisson.from_url(url) as redisson:
        ours = redisson.get_permit_expirable_semaphore("pool")
        java.call("trySetPermits", 1)
        his = java.call("acquire", 300, "MILLISECONDS")
        assert ours.get_lease_time(his)
        assert ours.try_acquire(timeout=30)
        assert not java.call("tryRelease", his)
        assert ours.acquired_permits() == 1


def test_the_number_of_permits(java_client: Clients, url: str) -> None:
    java = java_client("4.7.0").get(KIND, "pool")
    with Redisson.from_url(url) as redisson:
        ours = redisson.get_permit_expirable_semaphore("pool")
        ours.set_permits(3)
        his = java.call("acquire")
        java.call("setPermits", 5)
        assert (ours.get_permits(), ours.available_permits()) == (5, 4)
        ours.add_permits(1)
        java.call("addPermits", 1)
        assert (ours.get_permits(), java.call("getPermits")) == (7, 7)
        assert ours.update_lease_time(his, 60)
        assert 0 < java.call("getLeaseTime", his) <= 60_000
        assert java.call("acquiredPermits") == 1


def test_several_permits_at_once(java_client: Clients, url: str, raw: Any) -> None:
    """3.19.3 does not have that, but sees the result."""
    java, old = [java_client(each).get(KIND, "pool") for each in RELEASES]
    with Redisson.from_url(url) as redisson:
        ours = redisson.get_permit_expirable_semaphore("pool")
        ours.try_set_permits(5)
        mine, his = ours.acquire(60, permits=2), java.call("acquire", 3)
        assert raw.zcard(LEASES) == 5
        assert ours.try_acquire(permits=2) == java.call("tryAcquire", 2) == []
        assert java.call("tryRelease", [mine[0], his[0]]) == 2
        assert old.call("availablePermits") == 2
        assert ours.try_release([mine[1], *his]) == 3
        with pytest.raises(PermitLostError):
            ours.release(his)
        assert (raw.get("pool"), raw.exists(LEASES)) == (b"5", 0)


@pytest.mark.parametrize("release", RELEASES)
def test_permits_are_conserved(
    java_client: Clients, server: RedisServer, raw: redis.Redis, release: str
) -> None:
    client = java_client(release)
    with Redisson.from_url(server.url) as redisson:
        redisson.get_permit_expirable_semaphore("pool").try_set_permits(2)

        def python_turn() -> None:
            semaphore = redisson.get_permit_expirable_semaphore("pool")
            for _ in range(20):
                with semaphore.permit(60):
                    pass

        def java_turn() -> None:
            semaphore = client.get(KIND, "pool", handle=uuid4().hex)
            for _ in range(20):
                semaphore.call("release", semaphore.call("acquire", 60, "SECONDS"))

        with Monitor(server) as monitor:
            for turn in [start(turn) for turn in (java_turn, python_turn) for _ in range(3)]:
                turn.result(120)
    changes = [c.name for c in monitor.commands if c.by_script and c.name in ("ZADD", "ZREM")]
    held = most = 0
    for name in changes:
        held += 1 if name == "ZADD" else -1
        most = max(most, held)
    assert (len(changes), held) == (240, 0)
    assert most == 2
    assert (raw.get("pool"), raw.exists(LEASES)) == (b"2", 0)
