"""Waits that fail, that the server ends, and that are served again."""

import pytest
import redis

from pyredisson import AsyncRedisson
from pyredisson.codecs import StringCodec
from tests.support.faults_tools import SlowRepliesProxy
from tests.support.server import RedisServer
from tests.support.twins import AsyncStarted, sleep_async, until_async


def served(caplog: pytest.LogCaptureFixture) -> int:
    return sum("served again" in each.getMessage() for each in list(caplog.records))


@pytest.mark.parametrize("kind", ["queue", "consumer"])
async def test_a_wait_from_before_a_failure_ends_no_outage(
    redisson: AsyncRedisson, raw: redis.Redis, caplog: pytest.LogCaptureFixture, kind: str
) -> None:
    """A wait that started before the failure ends without an element: the outage is not over."""
    link = redisson._context.link
    queue = redisson.get_blocking_queue("q")
    consumer = redisson.get_consumer(queue, transfer=False)
    poll = consumer.poll if kind == "consumer" else lambda seconds: queue.poll(timeout=seconds)
    assert await poll(0.01) is None
    waiting = AsyncStarted(lambda: poll(1))
    await until_async(lambda: raw.info("clients")["blocked_clients"] == 1, "it waits")
    link.wait_failed("q", ValueError("rejected"), alone=True)
    assert await waiting.result() is None
    assert served(caplog) == 0
    assert await poll(0.01) is None
    assert served(caplog) == 1
    assert not link.failing


@pytest.mark.parametrize("kind", ["queue", "consumer"])
async def test_a_wait_whose_server_becomes_a_replica_returns_none(
    server: RedisServer, kind: str
) -> None:
    """The reply is UNBLOCKED, as no element has arrived. Here it arrives after the timeout."""
    seconds = 1.5
    with SlowRepliesProxy(server) as proxy, server.client() as admin:
        async with AsyncRedisson.from_url(proxy.url, codec=StringCodec()) as redisson:
            queue = redisson.get_blocking_queue("q")
            consumer = redisson.get_consumer(queue, transfer=False)
            poll = consumer.poll if kind == "consumer" else lambda time: queue.poll(timeout=time)
            assert await poll(0.01) is None
            waiting = AsyncStarted(lambda: poll(seconds))
            await until_async(lambda: admin.info("clients")["blocked_clients"] == 1, "it waits")
            proxy.hold_replies()
            [waiter] = [each["id"] for each in admin.client_list() if "b" in each["flags"]]
            assert admin.client_unblock(int(waiter), error=True)
            await sleep_async(seconds)
            proxy.release()
            assert await waiting.result() is None
