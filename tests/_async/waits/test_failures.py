"""What is logged of waits that fail and are served again."""

import pytest
import redis

from pyredisson import AsyncRedisson
from tests.support.twins import AsyncStarted, until_async


def served(caplog: pytest.LogCaptureFixture) -> int:
    return sum("served again" in each.getMessage() for each in list(caplog.records))


@pytest.mark.parametrize("kind", ["queue", "consumer"])
async def test_a_wait_from_before_a_failure_ends_no_outage(
    redisson: AsyncRedisson, raw: redis.Redis, caplog: pytest.LogCaptureFixture, kind: str
) -> None:
    """It ends without an element, also where the next one is rejected."""
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
