"""Durable writes that are repeated: a confirmation covers the earlier write, too."""

import re
from collections.abc import AsyncIterator
from functools import partial

import pytest

from pyredisson import AsyncMessage, AsyncRedisson, Durable, NotReplicatedError
from pyredisson.codecs import StringCodec
from pyredisson.protocol.kernel.scripts import load
from pyredisson.server_errors import ServerConnectionError
from tests._async.client.test_durable import BRIEF, PATIENT, Pair, delayed, pair, servers
from tests.support.access import PAGE
from tests.support.proxy import FaultProxy
from tests.support.twins import until_async

__all__ = ["pair", "servers"]


@pytest.fixture
async def redisson(pair: Pair) -> AsyncIterator[tuple[AsyncRedisson, FaultProxy]]:
    """A client of the master behind a proxy."""
    with FaultProxy(pair.master) as proxy:
        async with AsyncRedisson.from_url(proxy.url, codec=StringCodec()) as redisson:
            yield redisson, proxy


async def lost(
    redisson: AsyncRedisson, proxy: FaultProxy, pair: Pair, durable: Durable
) -> AsyncMessage[str]:
    """Take a message and acknowledge it; the reply of the acknowledgement is lost."""
    consumer = redisson.get_consumer(redisson.get_queue("q"), transfer=False, durable=durable)
    pair.master.run("RPUSH", "q", "first", "a")
    first, message = await consumer.take_many(2)
    await first.ack()
    proxy.lose_reply_to(load("consumers/ack").sha.encode())
    with pytest.raises(ServerConnectionError):
        await message.ack()
    return message


async def test_repeated_ack_is_confirmed(
    redisson: tuple[AsyncRedisson, FaultProxy], pair: Pair
) -> None:
    message = await lost(*redisson, pair, PATIENT)
    assert await message.ack()
    assert pair.replica.run("ZCARD", "pyredisson_leases:{q}") == 0
    assert pair.calls("set") == 1
    touched = partial(pair.master.run, "EXISTS", "pyredisson_touched:{q}")
    await until_async(lambda: touched() == 0, "its key is gone")


async def test_repeated_ack_with_a_frozen_replica_raises_not_replicated(
    redisson: tuple[AsyncRedisson, FaultProxy], pair: Pair
) -> None:
    message = await lost(*redisson, pair, BRIEF)
    pair.replica.pause()
    with pytest.raises(NotReplicatedError, match="may be redelivered") as caught:
        await message.ack()
    assert caught.value.results == [True]
    assert caught.value.confirmed == 0
    assert message.settled


async def test_item_that_left_during_its_repeated_offer_is_not_confirmed_by_a_frozen_replica(
    redisson: tuple[AsyncRedisson, FaultProxy], pair: Pair
) -> None:
    client, _ = redisson
    receipt = await delayed(client, PATIENT).offer("v", 60)
    pair.replica.pause()
    pair.master.run("DEL", "redisson_delay_queue:{q}", "redisson_delay_queue_timeout:{q}")
    queue = delayed(client, BRIEF)
    with pytest.raises(NotReplicatedError):
        await queue._run(queue._protocol.touch(receipt))


async def test_producer_with_the_permissions_for_durable_repeats_an_offer(pair: Pair) -> None:
    page = PAGE.read_text("utf-8")
    [rights] = re.findall(r"^ACL SETUSER producer (.*)$", page, re.MULTILINE)
    [more] = re.findall(r"^\| `durable=.*with `fsync=True` \| `(.*)`; `.*$", page, re.MULTILINE)
    pair.master.run("ACL", "SETUSER", "producer", *rights.split(), *more.split())
    url = pair.master.url.replace("redis://", "redis://producer:secret@")
    async with AsyncRedisson.from_url(url, codec=StringCodec()) as redisson:
        orders = redisson.get_queue("orders")
        queue = redisson.get_delayed_queue(orders, transfer=False, durable=PATIENT)
        await queue.offer_again(await queue.offer("v", 60))
        assert await queue.size() == 1
    pair.master.run("ACL", "DELUSER", "producer")
