"""If redis-py's internals are unknown, redis-py reads and writes itself; this is logged once."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest
import redis

from pyredisson import AsyncRedisson, Redisson
from pyredisson._transport import direct_io, pools
from pyredisson._transport.errors import UnsentError
from pyredisson.codecs import StringCodec

HOUR = 3600


@pytest.fixture
def other_inside(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def unknown(*_: Any, **__: Any) -> None:
        raise UnsentError("unknown internals")

    unlike = type("Unlike", (), {"__init__": unknown})
    monkeypatch.setattr(pools, "SharedPipeline", unlike)
    monkeypatch.setattr(direct_io, "SocketLine", unlike)
    direct_io.log_fallback.cache_clear()
    caplog.set_level(logging.DEBUG, "pyredisson")


@pytest.mark.usefixtures("other_inside")
async def test_async_client_lets_redis_py_read_and_write(
    url: str, raw: redis.Redis, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(2):
        async with AsyncRedisson.from_url(url, codec=StringCodec()) as redisson:
            delayed = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)
            await asyncio.gather(*(delayed.offer(str(each), delay=HOUR) for each in range(50)))
            assert await delayed.size() == 50
            await delayed.delete()
    assert [each.getMessage() for each in caplog.records] == [
        "redis-py reads the replies: unknown internals"
    ]


@pytest.mark.usefixtures("other_inside")
def test_sync_client_lets_redis_py_read_and_write(
    url: str, raw: redis.Redis, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(2):
        with Redisson.from_url(url, codec=StringCodec()) as redisson:
            delayed = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)
            receipts = [delayed.offer(str(each), delay=HOUR) for each in range(5)]
            raw.script_flush()
            receipts.append(delayed.offer("5", delay=HOUR))
            raw.client_kill_filter(_type="normal", skipme=True)
            assert delayed.read_all() == list("012345")
            assert all(delayed.cancel(each) for each in receipts)
    assert [each.getMessage() for each in caplog.records] == [
        "redis-py reads the replies: unknown internals"
    ]
