"""A server that evicts keys when its memory is full: offers and transfers log a warning."""

from typing import Any

import pytest

from pyredisson import AsyncRedisson, FindingKind
from pyredisson.codecs import StringCodec
from tests.support.server import RedisServer
from tests.support.twins import until_async

SAID = "maxmemory-policy allkeys-lru"


@pytest.fixture
async def evicting(server: RedisServer, raw: Any) -> Any:
    """The shared server with an eviction policy."""
    raw.config_set("maxmemory-policy", "allkeys-lru")
    yield server
    raw.config_set("maxmemory-policy", "noeviction")


def warnings(caplog: pytest.LogCaptureFixture) -> int:
    return sum(SAID in line.getMessage() for line in caplog.records)


async def test_offers_log_one_warning_of_eviction(
    evicting: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    async with AsyncRedisson.from_url(evicting.url, codec=StringCodec()) as redisson:
        for name in ("q", "r"):
            delayed = redisson.get_delayed_queue(redisson.get_queue(name), transfer=False)
            await delayed.offer("x", delay=3600)
            await delayed.offer("y", delay=3600)
    assert warnings(caplog) == 1


async def test_transfers_log_one_warning_of_eviction(
    evicting: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    async with AsyncRedisson.from_url(evicting.url) as redisson:
        redisson.get_consumer(redisson.get_queue("q"))
        redisson.get_delayed_queue(redisson.get_queue("r"))
        await until_async(lambda: warnings(caplog) > 0, "it is said")
    assert warnings(caplog) == 1


@pytest.mark.parametrize("policy", ["noeviction", "volatile-lru"])
async def test_policies_that_evict_no_queue_log_nothing(
    evicting: RedisServer, raw: Any, caplog: pytest.LogCaptureFixture, policy: str
) -> None:
    raw.config_set("maxmemory-policy", policy)
    async with AsyncRedisson.from_url(evicting.url) as redisson:
        delayed = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)
        await delayed.offer("x", delay=3600)
        assert await delayed.check() == []
    assert not caplog.records


async def test_client_without_info_logs_no_warning_of_eviction(
    evicting: RedisServer, raw: Any, caplog: pytest.LogCaptureFixture
) -> None:
    raw.execute_command(
        "ACL", "SETUSER", "noinfo", "reset", "on", "nopass", "~*", "&*", "+@all", "-info"
    )
    try:
        url = evicting.url.replace("//", "//noinfo:x@")
        async with AsyncRedisson.from_url(url, codec=StringCodec()) as redisson:
            delayed = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)
            await delayed.offer("x", delay=3600)
            assert await delayed.size() == 1
            assert await delayed.check() == []
    finally:
        raw.execute_command("ACL", "DELUSER", "noinfo")
    assert not caplog.records


async def test_check_reports_the_eviction_policy(evicting: RedisServer) -> None:
    async with AsyncRedisson.from_url(evicting.url) as redisson:
        delayed = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)
        (found,) = await delayed.check()
        assert (found.kind, found.repairable) == (FindingKind.EVICTION_POLICY, False)
        assert found.text.startswith(SAID)
        assert await delayed.repair(dry_run=False) == []  # no repair was made
