"""`offer_many` of a sharded queue that ends half-way: the error reports the state of each item."""

from typing import Any

import pytest

from pyredisson import AsyncRedisson, ClosedError, Durable, NotReplicatedError, PartialOfferError
from pyredisson.codecs import StringCodec
from tests.support.proxy import FaultProxy
from tests.support.twins import AsyncStarted, until_async

SHARDS = 4


def stored(raw: Any) -> int:
    """Return the number of pending items in all shards."""
    return sum(raw.zcard(key) for key in raw.keys("redisson_delay_queue_timeout:*"))


def told(error: PartialOfferError, count: int) -> int:
    """Check that the error contains each item once; return the number of stored items."""
    places = [*error.stored, *error.unstored, *error.unknown]
    assert sorted(places) == list(range(count))
    receipts = {**error.stored, **error.unstored, **error.unknown}
    assert all(receipt.value == b"%d" % place for place, receipt in receipts.items())
    assert error.count == len(error.stored)
    return error.count


@pytest.mark.parametrize("shards", [1, SHARDS])
async def test_sharded_offer_many_without_a_replica_stops(
    redisson: AsyncRedisson, raw: Any, shards: int
) -> None:
    """No replica confirms the first batch, so no other batch is sent."""
    durable = Durable(replicas=1, timeout=0.05)
    queue = redisson.get_sharded_queue("s", shards, transfer=False, durable=durable)
    with pytest.raises(PartialOfferError) as caught:
        await queue.offer_many([(f"{number}", 3600) for number in range(4_000)])
    assert isinstance(caught.value.cause, NotReplicatedError)
    assert 0 < told(caught.value, 4_000) == stored(raw) < 4_000
    for receipt in [*caught.value.unstored.values()][:3]:
        with pytest.raises(NotReplicatedError):
            await queue.offer_again(receipt)
    assert stored(raw) == caught.value.count + 3


async def test_client_is_closed_during_sharded_offer_many(proxy: FaultProxy, raw: Any) -> None:
    async with AsyncRedisson.from_url(proxy.url, codec=StringCodec()) as redisson:
        queue = redisson.get_sharded_queue("s", SHARDS, transfer=False)
        items = [(f"{number}", 3600) for number in range(8_000)]
        await queue.offer_many(items[:SHARDS])
        before = stored(raw)
        proxy.delay(0.1)  # delays each batch
        offering = AsyncStarted(lambda: queue.offer_many(items))
        await until_async(lambda: stored(raw) > before, "it has begun")
    with pytest.raises(PartialOfferError) as caught:
        await offering.result()
    assert isinstance(caught.value.cause, ClosedError)
    assert told(caught.value, 8_000) <= stored(raw) - before
    assert caught.value.unstored
    with pytest.raises(ClosedError):
        await queue.offer_many(items)
