"""A replica is promoted while items are offered and taken: which are lost or delivered twice.

The old master continues for seconds, and the writes that it acknowledges are lost. The test counts
each item: items offered after the client's notice of the new master arrive once.
"""

import logging
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from redis.asyncio.sentinel import Sentinel
from redis.exceptions import RedisError

from pyredisson import AsyncRedisson, PartialOfferError, UncertainOfferError
from pyredisson._async.topology import sentinel as watching
from pyredisson.codecs import StringCodec
from pyredisson.protocol.kernel.names import QueueNames
from tests.support.faults_tools import calls
from tests.support.server import RedisServer
from tests.support.topology import SentinelGroup
from tests.support.twins import aside_async, sleep_async, start_async, until_async

AFTER = 60
"""The number of items that are offered after the notice."""


def promote(sentinels: SentinelGroup) -> None:
    """Ask for a failover."""
    sentinels.sentinels[0].run("SENTINEL", "FAILOVER", sentinels.service_name)


def crash(sentinels: SentinelGroup) -> None:
    """Kill the master."""
    sentinels.master.kill()


def freeze(sentinels: SentinelGroup) -> None:
    """Freeze the master and one Sentinel; forbid subscriptions to all Sentinels."""
    for sentinel in sentinels.sentinels:
        sentinel.run("ACL", "SETUSER", "default", "-subscribe")
        sentinel.run("CLIENT", "KILL", "TYPE", "pubsub")
    sentinels.master.pause()
    sentinels.sentinels[0].pause()


def thaw(sentinels: SentinelGroup, old: RedisServer) -> None:
    """Resume the master and its Sentinel, which do not know of the failover."""
    old.resume()
    sentinels.sentinels[0].resume()
    for _ in range(3):  # after it, the server has executed earlier requests
        old.run("PING")


def work_of(old: RedisServer) -> tuple[int, int] | None:
    """Count the calls of a former master that still has this role; None if it does not run."""
    if not old.is_running:
        return None
    assert b"role:master" in old.run("INFO", "replication")
    return calls(old, "evalsha"), calls(old, "blpop")


def hears(server: RedisServer) -> int:
    """The number of connections that subscribe to the queue's channel on a server."""
    return int(server.run("PUBSUB", "NUMSUB", QueueNames.of("q").channel)[1])


@pytest.mark.parametrize(
    ("change", "interval"),
    # the client learns it from a Sentinel's message, or only by asking
    [(promote, 3600.0), (crash, 3600.0), (freeze, 0.2)],
    ids=["planned", "crash", "frozen"],
)
async def test_items_offered_after_the_promotion_notice_arrive_once(
    change: Callable[[SentinelGroup], None],
    interval: float,
    sentinels: SentinelGroup,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Lost items were acknowledged before the notice; doubled items were offered before it."""
    monkeypatch.setattr(watching, "INTERVAL", interval)
    caplog.set_level(logging.WARNING, "pyredisson")
    old = sentinels.master
    new = next(server for server in sentinels.servers if server is not old)
    offered: dict[str, float] = {}
    acknowledged: dict[str, float] = {}
    taken: list[str] = []

    def news() -> float | None:
        told = [each.created for each in caplog.records if "is now the master" in each.getMessage()]
        assert len(told) < 2
        return told[0] if told else None

    def offered_since() -> int:
        since = news()
        return 0 if since is None else sum(time > since for time in offered.values())

    kind: Any = Sentinel
    watchers = kind(sentinels.addresses)
    client = watchers.master_for(sentinels.service_name)
    async with AsyncRedisson(client, codec=StringCodec(), response_timeout=1) as redisson:
        queue = redisson.get_blocking_queue("q")
        delayed = redisson.get_delayed_queue(queue)

        async def produce() -> None:
            while offered_since() < AFTER:
                value = f"{len(offered)}"
                offered[value] = time.time()
                with suppress(RedisError, UncertainOfferError, PartialOfferError):
                    if len(offered) % 2:
                        await delayed.offer(value, delay=0.1)
                    else:
                        await delayed.offer_many([(value, 0.1)])
                    acknowledged[value] = time.time()
                await sleep_async(0.01)

        async def consume() -> None:
            while (value := await queue.take()) != "end":
                taken.append(value)

        producing, consuming = start_async(produce), start_async(consume)
        await until_async(lambda: len(taken) > 10, "items arrive")
        await aside_async(lambda: change(sentinels))
        await until_async(lambda: offered_since() > 1, "the client has the news")
        if change is freeze:
            await aside_async(lambda: thaw(sentinels, old))
        before = work_of(old)
        await producing.result()
        assert work_of(old) == before
        since = news()
        assert since is not None
        expected = {value for value, at in offered.items() if at > since}
        await until_async(lambda: expected <= set(taken), "what was offered since is taken")
        assert await delayed.size() == 0
        await until_async(lambda: hears(new) == 1, "the subscription has moved, too")
        await queue.offer("end")
        await consuming.result()
    counts = Counter(taken)
    assert all(counts[value] == 1 for value in expected)
    assert expected <= set(acknowledged)  # no offer of these raised
    assert all(acknowledged[value] <= since for value in set(acknowledged) - set(taken))
    assert all(offered[value] <= since for value, times in counts.items() if times > 1)
    await client.aclose()
    for watcher in watchers.sentinels:
        await watcher.aclose()
