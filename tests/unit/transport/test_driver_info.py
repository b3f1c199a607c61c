"""redis-py's name and version for the server; the version is read once for all connections."""

from collections.abc import Iterator
from typing import Any
from unittest.mock import Mock

import pytest
import redis
import redis.utils
from redis.asyncio import Connection as AsyncConnection
from redis.connection import Connection

from pyredisson._transport import settings
from pyredisson._transport.connections import AsyncRedis
from pyredisson._transport.settings import checked_client, settings_for

KINDS: list[Any] = [Connection, AsyncConnection]


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Iterator[Mock]:
    """Return a mock of redis-py's lookup of its version; pyredisson's cache is empty."""
    reads = Mock(return_value="8.1.0")
    monkeypatch.setattr(redis.utils, "get_lib_version", reads)
    settings._driver_info.cache_clear()
    yield reads
    settings._driver_info.cache_clear()


@pytest.mark.parametrize("kind", KINDS)
def test_the_version_is_read_once(reads: Mock, kind: Any) -> None:
    for _ in range(3):
        kind(**settings_for({}, 1.0, 1.0))
        checked_client(AsyncRedis.from_url, "redis://localhost", "from_url()")
    assert reads.call_count <= 1  # 0 if redis-py has no DriverInfo: it read the version before


@pytest.mark.parametrize("kind", KINDS)
def test_driver_info_equals_that_of_redis_py(kind: Any) -> None:
    for name in ("driver_info", "lib_name", "lib_version"):
        found = getattr(kind(**settings_for({}, 1.0, 1.0)), name, None)
        assert found == getattr(kind(), name, None)


@pytest.mark.parametrize("name", ["driver_info", "lib_name", "lib_version"])
@pytest.mark.parametrize("value", [None, "mine"])
def test_driver_info_of_the_user_is_kept(name: str, value: str | None) -> None:
    found = settings_for({name: value}, 1.0, 1.0)
    known = {"driver_info", "lib_name", "lib_version"}
    assert {key: found[key] for key in found.keys() & known} == {name: value}
